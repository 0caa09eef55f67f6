"""The declarative layer: programs, rows that cannot be listed, results, certificates, files.

It knows no bandit and no solver.
"""
