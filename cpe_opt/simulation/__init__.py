"""One run of a learner against a simulated problem."""
