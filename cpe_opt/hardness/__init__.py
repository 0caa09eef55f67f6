"""How hard an instance is: the sums and gaps of the papers' bounds, a file a family."""
