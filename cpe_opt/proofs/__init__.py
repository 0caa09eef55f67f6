"""What answers prove: e-values, supermartingales, thresholds, and the theorems."""
