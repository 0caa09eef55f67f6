"""The declarative layer: programs, rows that cannot be listed, results, files.

It knows no bandit and no solver.
"""
