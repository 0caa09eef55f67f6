"""The online algorithms, one file each, as generators of queries."""

from __future__ import annotations

from collections.abc import Callable

from cpe_opt.errors import UnknownName
from cpe_opt.learners.cw_rmed import cw_rmed
from cpe_opt.learners.ecw_rmed import ecw_rmed
from cpe_opt.learners.queries import Duel, HorizonReached, Learner

LEARNERS: dict[str, Callable[..., Learner]] = {"cw-rmed": cw_rmed, "ecw-rmed": ecw_rmed}


def get_learner(name: str) -> Callable[..., Learner]:
    """The learner of this name; ``ecw-rmed`` and ``ecw_rmed`` are the same.

    Raises
    ------
    UnknownName
        With the nearest names.
    """
    key = name.replace("_", "-")
    if key not in LEARNERS:
        raise UnknownName("learner", name, LEARNERS)
    return LEARNERS[key]


__all__ = ["LEARNERS", "Duel", "HorizonReached", "Learner", "cw_rmed", "ecw_rmed", "get_learner"]
