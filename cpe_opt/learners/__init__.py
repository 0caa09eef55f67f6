"""The online algorithms, one file each, as generators of queries.

What they share, such as ``arms``, ``rng`` and ``delta``: :mod:`cpe_opt.learners.declaration`.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
