"""Learners of sets from single rewards or sums, one file each."""
