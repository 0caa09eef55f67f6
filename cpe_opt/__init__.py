"""Declarative models and online algorithms for learning from comparisons.

Everything a script needs is here, imported on first use::

    import cpe_opt as cpe

    mu = cpe.load_instance("sushi")
    bound = cpe.copeland_bound(mu)
    trace = cpe.simulate(cpe.learners.ecw_rmed, mu, horizon=10**6, seed=0)
"""

from lazy_loader import attach_stub

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
