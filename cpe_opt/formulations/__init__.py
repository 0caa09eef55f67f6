"""The offline oracles: one file each, with its mathematics, its builder and its solve function."""
