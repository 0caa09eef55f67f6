"""Learners of dueling bandits, one file each."""
