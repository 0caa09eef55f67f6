"""Oracles of matchings from duels: assignment and the Condorcet saddle."""
