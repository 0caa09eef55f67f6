"""The commands of ``cpe-opt``, a module a subject; each is one function that :func:`command` reads.

Numerical packages are imported inside the commands, so that ``--help`` answers at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from inspect import Parameter, Signature, getdoc, signature
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer

from cpe_opt.errors import InputError

if TYPE_CHECKING:
    from cpe_opt.formats.votes import ReadOptions

# What commands are for, as --help groups them.
FOR_ASK, FOR_VOTES = "Ask", "Votes and problems"
FOR_MODELS, FOR_RESEARCH = "Models and solvers", "Research"
ARGUMENTS = "cpe_opt.arguments"
"""Where the context has what stands after ``cpe-opt`` on the command line."""
SHARED = {
    "instance": "A built-in name (see `cpe-opt instances`) or a file: CSV matrix, "
    "[position,]winner,loser[,count] or model_a,model_b,winner CSV, PrefLib .soc .soi .toc .toi; "
    "element,mean or from,to,mean CSV; team,score CSV; script.py:name.",
    "file": "The session's file.",
    "question": "A question's, such as 0-1.7; see `session next`.",
    "rater": "Who answers; recorded with each answer.",
    "k": "How many elements a set has, if a file does not say.",
    "solver": "One of `cpe-opt solvers`, or your own as file.py:name; by default the method's own.",
    "prices": "A CSV of what a duel of each pair costs: first, second, price; of each pair of "
    "edges: position, first, second, price; of what a pull of each element costs: element, price. "
    "1 by default.",
    "horizon": "Rounds, such as 1e6; 1e5 for regret, no limit for identification.",
    "runs": "How many independent runs.",
    "jobs": "Number of processes; -1 for one per core.",
    "regret": "Units of the regret of duels: mean (default) or sum.",
    "seed": "Same seed, same result.",
    "plot": "A .png, .pdf or .svg to draw.",
    "force": "Overwrite files that exist.",
    "json": "Print JSON for machines.",
}
"""What parameters are that many commands have."""
_SPELLED = {
    "parameter": ("--parameter", "-p"),
    "n": ("-n",),
    "rows": ("--row",),
    "instance": ("instance",),
    "answers": ("--file",),
    "labels": ("--labels", "--arms"),
}
Function = TypeVar("Function", bound=Callable[..., None])


def command(
    group: typer.Typer, example: str, panel: str | None = None, name: str | None = None
) -> Callable[[Function], Function]:
    """Make a function a command of a group.

    Parameters before ``*`` are arguments, those after it options; a dataclass stands for its
    fields. The docstring describes each, as ``:param name: text``, or else :data:`SHARED` does;
    ``:param COLUMN name: text`` shows a word in place of its type.
    """

    def decorate(function: Function) -> Function:
        hints = get_type_hints(function)
        classes: dict[str, Any] = {k: kind for k, kind in hints.items() if is_dataclass(kind)}

        def call(**values: Any) -> None:
            for each, kind in classes.items():
                fields = signature(kind).parameters
                values[each] = kind(**{field: values.pop(field) for field in fields})
            function(**values)

        call.__doc__, _ = _described(function)
        call.__signature__ = Signature(list(_parameters(function)))  # type: ignore[attr-defined]
        words = {"epilog": f"Example: {example}", "rich_help_panel": panel}
        group.command(name or function.__name__, **words)(call)  # type: ignore[arg-type]
        return function

    return decorate


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are given: not None, no flag that is not set, no list without entries."""
    some = {name: each for name, each in options.items() if each is not None and each != []}
    return {name: each for name, each in some.items() if each is not False}


def refuse(options: Mapping[str, Any], why: str) -> None:
    """Raise :class:`cpe_opt.errors.InputError` if an option is given, which has no effect."""
    for name in given(options):
        option, *_ = _SPELLED.get(name, (f"--{name.replace('_', '-')}",))
        raise InputError(f"{option} has no effect {why}")


def _parameters(source: Callable[..., Any]) -> Iterator[Parameter]:
    """Those of a function or of a dataclass, as typer has them."""
    _, described = _described(source)
    hints = get_type_hints(source)
    for name, each in signature(source).parameters.items():
        kind: Any = hints[name]
        if is_dataclass(kind):
            yield from _parameters(hints[name])
            continue
        metavar, text = described.get(name, ("", SHARED.get(name)))
        shown: dict[str, Any] = {"help": text, "metavar": metavar or None}
        if each.kind is Parameter.KEYWORD_ONLY:
            spelled = _SPELLED.get(name, (f"--{name.replace('_', '-')}",))
            kind = Annotated[kind, typer.Option(*spelled, **shown)]
        elif kind is not typer.Context:
            kind = Annotated[kind, typer.Argument(**shown)]
        yield each.replace(annotation=kind, kind=Parameter.KEYWORD_ONLY)


def _described(source: Callable[..., Any]) -> tuple[str, dict[str, tuple[str, str]]]:
    """What a docstring says of the whole, and of each parameter."""
    whole, *fields = re.split(r"\n+(?=:param )", getdoc(source) or "")
    described = {}
    for field in fields:
        found = re.fullmatch(r":param (?:([^\s:]+) )?(\w+):\s+(.*)", field, re.S)
        if found is None:
            raise ValueError(f"{field!r}, expected :param name: text")
        metavar, name, text = found.groups()
        described[name] = (metavar or "", " ".join(text.split()))
    return whole, described


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Which votes of a log are read.

    :param COLUMN=VALUE where: Only votes of a log with this value in a column: language=en, or one
        of several: language=en,de. May be repeated. Columns that say who won are refused.
    :param since: Only votes from then on: 2026-01-31, or 2026-01-31T12:00:00+01:00.
    :param until: Only votes before then, or up to the end of that day.
    :param COLUMN time: The column of times, for --since and --until; by default the one that is
        called timestamp, time, tstamp, date, datetime or created_at.
    :param COLUMNS unique: For a log of votes: columns with commas between, and pair for the two
        arms, such as rater,pair: the first vote of each combination counts alone.
    """

    where: list[str] | None = None
    since: str | None = None
    until: str | None = None
    time: str | None = None
    unique: str | None = None

    def options(self, **more: str | None) -> ReadOptions:
        """Those that are given, with others, as readers take them."""
        from cpe_opt.formats.votes import split_conditions

        given = {**vars(self), "where": split_conditions(self.where or ()), **more}
        return {name: value for name, value in given.items() if value}  # type: ignore[return-value]


@dataclass(frozen=True, kw_only=True)
class TwoMeans:
    """What is to be proved of two arms that play pairs of games.

    :param elo0: To be proved is that the new one of two arms is better than this, or worse than
        --elo1 (SPRT): such as 0 and 5. "Not worse than by 3" is -3 and 0.
    :param elo1: See --elo0.
    :param low: Instead of --elo0: the mean share of points that the first arm gets, such as 0.5.
    :param high: Instead of --elo1: such as 0.52.
    """

    elo0: float | None = None
    elo1: float | None = None
    low: float | None = None
    high: float | None = None
