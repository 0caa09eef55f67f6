"""The learners of this package by name, and what each says of itself, for people to read."""

from __future__ import annotations

import inspect
import re
from collections import UserDict
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.learners.declaration import (
    SHARED_PARAMETERS,
    Declaration,
    declaration_of,
    is_told,
    noise_assumption,
    parameters_of,
)
from cpe_opt.learners.queries import Learner, joined_assumptions
from cpe_opt.scripts import is_script, script_value

_REFERENCE = re.compile(r"As for :func:`(?:[\w.]+\.)?(\w+)`")
_ROLE = re.compile(r":\w+:`~?(?:[\w.]+\.)?([^`]+)`")


_PLACES = (
    "dueling.active_ranking",
    "dueling.fixed_budget:borda_budget",
    "dueling.borda_tracking",
    "matchings.car_cond",
    "matchings.car_parallel",
    "matchings.car_verify",
    "dueling.ccb",
    "subsets.clucb",
    "matchings.clucb_borda:clucb_borda_exact",
    "matchings.clucb_borda:clucb_borda_pac",
    "separable.coci",
    "separable.coci:coci_uniform",
    "subsets.comb_game",
    "dueling.condorcet_tracking",
    "dueling.fixed_budget:copeland_budget",
    "dueling.scb:copeland_identification",
    "dueling.copeland_tracking",
    "dueling.cw_rmed",
    "dueling.double_thompson:d_ts",
    "dueling.double_thompson:d_ts_plus",
    "dueling.dkwt",
    "subsets.eb_tc",
    "dueling.ecw_rmed",
    "subsets.exhaustive",
    "subsets.fws",
    "subsets.icb",
    "matchings.matching_tracking",
    "dueling.noisy_tournament",
    "dueling.pbr",
    "dueling.pocowista",
    "subsets.poly_alba",
    "dueling.random_pairs",
    "dueling.rankel",
    "dueling.regret_tracking",
    "dueling.rmed:rmed1",
    "dueling.rmed:rmed2fh",
    "dueling.rucb",
    "subsets.sa_foa",
    "subsets.saqm",
    "dueling.savage",
    "dueling.scb",
    "subsets.score_tracking",
    "dueling.sequential_test",
    "subsets.subset_tracking",
    "dueling.versatile_db",
)
"""Module of each learner, and its function where that has another name."""


class _Learners(UserDict[str, Any]):
    """The learners by name; a module is imported when one of its learners is first asked for."""

    def __getitem__(self, name: str) -> Any:
        found = self.data[name]
        if not isinstance(found, str):
            return found
        module, _, function = found.partition(":")
        return getattr(
            import_module(f"cpe_opt.learners.{module}"), function or module.partition(".")[2]
        )


LEARNERS: MutableMapping[str, Callable[..., Learner]] = _Learners(
    {re.split("[:.]", place)[-1].replace("_", "-"): place for place in _PLACES}
)


def get_learner(name: str) -> Callable[..., Learner]:
    """The learner of this name; ``ecw-rmed`` and ``ecw_rmed`` are the same.

    ``file.py:name`` is a learner of your own: what a script calls by this name.
    """
    if is_script(name):
        return _of_script(name)
    if name.endswith(".py"):
        raise InputError(
            f"{name!r} is a script: expected the name of a learner in it, too, such as "
            f"{name}:learner"
        )
    key = name.replace("_", "-")
    if key not in LEARNERS:
        raise UnknownName("learner", name, LEARNERS)
    return LEARNERS[key]


def _of_script(name: str) -> Callable[..., Learner]:
    found = script_value(name)
    if not callable(found) or inspect.isclass(found):
        what = "it has no such name" if found is None else f"it is a {type(found).__name__}"
        raise InputError(
            f"{name}: no learner ({what}); expected a generator function, which yields queries"
        )
    return cast("Callable[..., Learner]", found)


def learners_of(family: str) -> list[str]:
    """The names of the learners for problems of a family."""
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
    """A learner of the registry, as its docstring and its declaration describe it."""

    name: str
    summary: str  # the first line of its docstring
    declaration: Declaration
    told_the_horizon: bool  # whether it makes use of knowing how many rounds there will be
    assumption: str  # what its guarantee rests on, of noise with its default parameters
    answer: str  # what it returns, also at a horizon
    parameters: tuple[ParameterEntry, ...]


def learner_entry(name: str) -> LearnerEntry:
    """What is to be known of the learner of this name."""
    learner = get_learner(name)
    documented = _documented(learner)
    parameters = []
    for parameter in parameters_of(learner).values():
        kind, description = documented.get(parameter.name, ("", ""))
        required = parameter.default is inspect.Parameter.empty
        parameters.append(
            ParameterEntry(
                parameter.name,
                kind
                or ("" if parameter.annotation is parameter.empty else str(parameter.annotation)),
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
        assumption=joined_assumptions(
            declaration_of(learner).assumption, noise_assumption(learner, {})
        ),
        answer=_plain(" ".join(_section(learner, "Returns").split())),
        parameters=tuple(parameters),
    )


def _documented(learner: Callable[..., Learner]) -> dict[str, tuple[str, str]]:
    """The type and the description of every parameter, by the docstring, and those it refers to."""
    found = dict(SHARED_PARAMETERS)
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
