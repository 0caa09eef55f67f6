"""The online algorithms, as generators of queries: a file each, or one for a family of them.

What they share, such as ``arms``, ``rng`` and ``delta``: :mod:`cpe_opt.learners.declaration`.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
