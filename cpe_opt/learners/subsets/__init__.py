"""Learners of sets from single rewards or sums, and what several of them share."""
