"""Files of votes, scores, matrices, problems, items, panels, prices: one parser a format.

:mod:`cpe_opt.formats.tables` tells what a file is; no module of problems, formulations, proofs or
learners knows this package.
"""
