"""The online algorithms, one file each, as generators of queries."""

from __future__ import annotations

from collections.abc import Callable

from cpe_opt.errors import UnknownName
from cpe_opt.learners.dueling.ccb import ccb
from cpe_opt.learners.dueling.copeland_identification import copeland_identification
from cpe_opt.learners.dueling.cw_rmed import cw_rmed
from cpe_opt.learners.dueling.ecw_rmed import ecw_rmed
from cpe_opt.learners.dueling.pbr import pbr
from cpe_opt.learners.dueling.random_pairs import random_pairs
from cpe_opt.learners.dueling.rankel import rankel
from cpe_opt.learners.dueling.rmed1 import rmed1
from cpe_opt.learners.dueling.rmed2fh import rmed2fh
from cpe_opt.learners.dueling.rucb import rucb
from cpe_opt.learners.dueling.savage import savage
from cpe_opt.learners.dueling.scb import scb
from cpe_opt.learners.matchings.car_cond import car_cond
from cpe_opt.learners.matchings.car_verify import car_parallel, car_verify
from cpe_opt.learners.matchings.clucb_borda import clucb_borda_exact, clucb_borda_pac
from cpe_opt.learners.queries import HorizonReached, Learner
from cpe_opt.learners.separable.coci import coci, coci_uniform
from cpe_opt.learners.subsets.clucb import clucb
from cpe_opt.learners.subsets.exhaustive import exhaustive
from cpe_opt.learners.subsets.icb import icb
from cpe_opt.learners.subsets.sa_foa import sa_foa
from cpe_opt.learners.subsets.saqm import saqm
from cpe_opt.problems.queries import Duel, Pull, PullSets

LEARNERS: dict[str, Callable[..., Learner]] = {
    "car-cond": car_cond,
    "car-parallel": car_parallel,
    "car-verify": car_verify,
    "ccb": ccb,
    "clucb": clucb,
    "clucb-borda-exact": clucb_borda_exact,
    "clucb-borda-pac": clucb_borda_pac,
    "coci": coci,
    "coci-uniform": coci_uniform,
    "copeland-identification": copeland_identification,
    "cw-rmed": cw_rmed,
    "ecw-rmed": ecw_rmed,
    "exhaustive": exhaustive,
    "icb": icb,
    "pbr": pbr,
    "random-pairs": random_pairs,
    "rankel": rankel,
    "rmed1": rmed1,
    "rmed2fh": rmed2fh,
    "rucb": rucb,
    "sa-foa": sa_foa,
    "saqm": saqm,
    "savage": savage,
    "scb": scb,
}


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


__all__ = [
    "LEARNERS",
    "Duel",
    "HorizonReached",
    "Learner",
    "Pull",
    "PullSets",
    "car_cond",
    "car_parallel",
    "car_verify",
    "ccb",
    "clucb",
    "clucb_borda_exact",
    "clucb_borda_pac",
    "coci",
    "coci_uniform",
    "copeland_identification",
    "cw_rmed",
    "ecw_rmed",
    "exhaustive",
    "get_learner",
    "icb",
    "pbr",
    "random_pairs",
    "rankel",
    "rmed1",
    "rmed2fh",
    "rucb",
    "sa_foa",
    "saqm",
    "savage",
    "scb",
]
