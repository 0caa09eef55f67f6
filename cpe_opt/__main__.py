"""``python -m cpe_opt`` is ``cpe-opt``."""

from cpe_opt.cli import main

main()
