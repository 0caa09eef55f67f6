"""Optimal designs over sets, and roundings of them to whole pulls."""
