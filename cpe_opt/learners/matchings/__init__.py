"""Learners of matchings from duels, and what several of them share."""
