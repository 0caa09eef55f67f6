"""Preference matrices, and the files they are read from."""
