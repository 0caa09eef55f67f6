"""Many runs: plans, the engine, and results on disk."""
