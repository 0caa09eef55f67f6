"""What single rewards and sums prove of the best set."""
