"""Environments, the driver and the traces of simulated runs."""
