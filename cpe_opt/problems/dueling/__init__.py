"""Preference matrices, votes, duels on test sets, and their prices."""
