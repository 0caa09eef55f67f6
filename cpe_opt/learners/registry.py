"""The learners of this package by name, and what each says of itself, for people to read."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cpe_opt.errors import UnknownName
from cpe_opt.learners.declaration import Declaration, declaration_of, is_told, parameters_of
from cpe_opt.learners.dueling.borda_tracking import borda_tracking
from cpe_opt.learners.dueling.ccb import ccb
from cpe_opt.learners.dueling.condorcet_tracking import condorcet_tracking
from cpe_opt.learners.dueling.copeland_identification import copeland_identification
from cpe_opt.learners.dueling.copeland_tracking import copeland_tracking
from cpe_opt.learners.dueling.cw_rmed import cw_rmed
from cpe_opt.learners.dueling.dkwt import dkwt
from cpe_opt.learners.dueling.double_thompson import d_ts, d_ts_plus
from cpe_opt.learners.dueling.ecw_rmed import ecw_rmed
from cpe_opt.learners.dueling.merge_dts import merge_dts
from cpe_opt.learners.dueling.noisy_tournament import noisy_tournament
from cpe_opt.learners.dueling.pbr import pbr
from cpe_opt.learners.dueling.pocowista import pocowista
from cpe_opt.learners.dueling.random_pairs import random_pairs
from cpe_opt.learners.dueling.rankel import rankel
from cpe_opt.learners.dueling.rmed import rmed1, rmed2fh
from cpe_opt.learners.dueling.rucb import rucb
from cpe_opt.learners.dueling.savage import savage
from cpe_opt.learners.dueling.scb import scb
from cpe_opt.learners.dueling.versatile_db import versatile_db
from cpe_opt.learners.matchings.car_cond import car_cond
from cpe_opt.learners.matchings.car_parallel import car_parallel
from cpe_opt.learners.matchings.car_verify import car_verify
from cpe_opt.learners.matchings.clucb_borda import clucb_borda_exact, clucb_borda_pac
from cpe_opt.learners.matchings.matching_tracking import matching_tracking
from cpe_opt.learners.queries import Learner
from cpe_opt.learners.separable.coci import coci, coci_uniform
from cpe_opt.learners.subsets.clucb import clucb
from cpe_opt.learners.subsets.comb_game import comb_game
from cpe_opt.learners.subsets.exhaustive import exhaustive
from cpe_opt.learners.subsets.fws import fws
from cpe_opt.learners.subsets.icb import icb
from cpe_opt.learners.subsets.poly_alba import poly_alba
from cpe_opt.learners.subsets.rage import rage
from cpe_opt.learners.subsets.sa_foa import sa_foa
from cpe_opt.learners.subsets.saqm import saqm
from cpe_opt.learners.subsets.subset_tracking import subset_tracking

_REFERENCE = re.compile(r"As for :func:`(?:[\w.]+\.)?(\w+)`")
_ROLE = re.compile(r":\w+:`~?(?:[\w.]+\.)?([^`]+)`")


def _by_name(*learners: Callable[..., Learner]) -> dict[str, Callable[..., Learner]]:
    return {learner.__name__.replace("_", "-"): learner for learner in learners}


LEARNERS = _by_name(
    borda_tracking,
    car_cond,
    car_parallel,
    car_verify,
    ccb,
    clucb,
    clucb_borda_exact,
    clucb_borda_pac,
    coci,
    coci_uniform,
    comb_game,
    condorcet_tracking,
    copeland_identification,
    copeland_tracking,
    cw_rmed,
    d_ts,
    d_ts_plus,
    dkwt,
    ecw_rmed,
    exhaustive,
    fws,
    icb,
    matching_tracking,
    merge_dts,
    noisy_tournament,
    pbr,
    pocowista,
    poly_alba,
    rage,
    random_pairs,
    rankel,
    rmed1,
    rmed2fh,
    rucb,
    sa_foa,
    saqm,
    savage,
    scb,
    subset_tracking,
    versatile_db,
)


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


def learners_of(family: str) -> list[str]:
    """The names of the learners for problems of a family.

    Examples
    --------
    >>> learners_of("separable")
    ['coci', 'coci-uniform']
    """
    return [name for name, each in LEARNERS.items() if declaration_of(each).family == family]


@dataclass(frozen=True)
class ParameterEntry:
    """A parameter of a learner, with the type and the description that its docstring gives."""

    name: str
    type: str
    required: bool
    default: Any
    description: str


@dataclass(frozen=True)
class LearnerEntry:
    """A learner of the registry.

    ``summary`` is the first line of its docstring, ``answer`` what it returns, also at a horizon;
    ``told_the_horizon`` says whether it makes use of knowing how many rounds there will be.
    """

    name: str
    summary: str
    declaration: Declaration
    told_the_horizon: bool
    answer: str
    parameters: tuple[ParameterEntry, ...]


def learner_entry(name: str) -> LearnerEntry:
    """What is to be known of the learner of this name.

    Raises
    ------
    UnknownName

    Examples
    --------
    >>> entry = learner_entry("rucb")
    >>> entry.declaration.family, entry.declaration.goal
    ('dueling', 'regret')
    >>> [(parameter.name, parameter.default) for parameter in entry.parameters]
    [('alpha', 0.51)]
    """
    learner = get_learner(name)
    documented = _documented(learner)
    parameters = []
    for parameter in parameters_of(learner).values():
        kind, description = documented.get(parameter.name, ("", ""))
        required = parameter.default is inspect.Parameter.empty
        parameters.append(
            ParameterEntry(
                parameter.name,
                kind or str(parameter.annotation),
                required,
                None if required else parameter.default,
                description,
            )
        )
    return LearnerEntry(
        name=learner.__name__.replace("_", "-"),
        summary=_plain((learner.__doc__ or "").partition("\n")[0]),
        declaration=declaration_of(learner),
        told_the_horizon=is_told(learner, "horizon"),
        answer=_plain(" ".join(_section(learner, "Returns").split())),
        parameters=tuple(parameters),
    )


def _documented(learner: Callable[..., Learner]) -> dict[str, tuple[str, str]]:
    """The type and the description of every parameter, by the docstring.

    Where it refers to another learner for a parameter, what that one says of it.
    """
    found: dict[str, tuple[str, str]] = {}
    for heading, body in re.findall(
        r"^(\w[^\n]*)\n((?:[ \t]+[^\n]*\n?|\n)*)", _section(learner, "Parameters"), re.MULTILINE
    ):
        names, _, kind = heading.partition(" : ")
        text = " ".join(body.split())
        other = _REFERENCE.match(text)
        elsewhere = _documented(get_learner(other.group(1))) if other else {}
        for name in names.split(", "):
            found[name] = elsewhere.get(name, (_plain(kind), _plain(text)))
    return found


def _section(learner: Callable[..., Learner], title: str) -> str:
    """A section of the docstring, without its title."""
    text = inspect.getdoc(learner) or ""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w[^\n]*\n-+$|\Z)", text, re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""


def _plain(text: str) -> str:
    """The text without the roles and the double backticks of reStructuredText."""
    return _ROLE.sub(r"\1", text).replace("``", "").strip()
