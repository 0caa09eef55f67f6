"""Learners of separable rewards."""
