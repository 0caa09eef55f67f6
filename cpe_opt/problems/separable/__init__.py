"""Separable problems: models, costs, distributions, files."""
