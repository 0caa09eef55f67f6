"""Oracles of matchings from duels: assignment, the Condorcet saddle, T*."""
