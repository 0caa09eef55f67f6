"""The tests of cpe_opt."""

A_HANG = 600.0  # seconds, which nothing takes that goes on at all
