"""Learners of dueling bandits, and what several of them share."""
