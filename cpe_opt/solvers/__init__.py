"""Swappable solvers: :func:`cpe_opt.solvers.solve.solve` takes every program to any of them."""
