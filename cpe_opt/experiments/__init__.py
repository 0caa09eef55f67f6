"""Many runs: the engine, its tables and its pictures."""
