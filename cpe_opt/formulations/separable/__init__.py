"""Oracles of separable rewards: allocations and the test of a box."""
