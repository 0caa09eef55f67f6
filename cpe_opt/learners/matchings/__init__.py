"""Learners of matchings from duels, one file each."""
