"""Swappable solvers: :func:`cpe_opt.solve` takes every program to any of them."""
