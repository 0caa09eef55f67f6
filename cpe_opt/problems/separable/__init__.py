"""Separable problems: models, costs, distributions."""
