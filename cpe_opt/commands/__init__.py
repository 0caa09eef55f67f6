"""The commands of ``cpe-opt``, a module a subject, and the arguments they share.

Numerical packages are imported inside the commands, so that ``--help`` answers at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from cpe_opt.formats.votes import ReadOptions

InstanceArgument = Annotated[
    str,
    typer.Argument(
        help="A built-in name (see `cpe-opt instances`) or a file: CSV matrix, "
        "[position,]winner,loser[,count] or model_a,model_b,winner CSV, PrefLib .soc .soi .toc "
        ".toi; element,mean or from,to,mean CSV; team,score or question,worker,correct CSV; a "
        "folder of answer.csv and truth.csv; script.py:name; a JSON file of separable rewards."
    ),
]
# What commands are for, as --help groups them.
FOR_ASK, FOR_VOTES = "Ask", "Votes and problems"
FOR_MODELS, FOR_RESEARCH = "Models and solvers", "Research"
SolverOption = Annotated[
    str | None,
    typer.Option(
        help="One of `cpe-opt solvers`, or your own as file.py:name; by default the method's own."
    ),
]
ProcessOption = Annotated[
    str | None,
    typer.Option(help="Where the solver runs: here, or in a process of its own (child)."),
]
KOption = Annotated[
    int | None, typer.Option(help="How many elements a set has, if a file does not say.")
]
WinnerOption = Annotated[
    int | None, typer.Option(help="One right answer, by number; the best by default.")
]
MarginOption = Annotated[
    float | None,
    typer.Option(
        help="By how much another arm may be ahead of a right answer, from 0 (the default) to "
        "below 0.5; of Borda scores, to below 1."
    ),
]
ArmOption = Annotated[
    int | None, typer.Option(help="The arm to make a winner, by number; the nearest by default.")
]
TiesOption = Annotated[
    str | None,
    typer.Option(
        help="The winner's ties are flipped at no cost (free, the default), or the rows are those "
        "of the paper (literal)."
    ),
]
PricesOption = Annotated[
    Path | None,
    typer.Option(
        help="A CSV of what a duel of each pair costs: a square matrix, or the columns first, "
        "second, price; of each pair of edges: position, first, second, price; of what a pull of "
        "each element costs: element, price. 1 by default."
    ),
]
FeedbackOption = Annotated[
    str | None,
    typer.Option(help="What pulls show: single rewards of elements (the default), or sums."),
]
SigmaOption = Annotated[
    float | None,
    typer.Option(help="The standard deviation of one observation; that of the problem by default."),
]
WhereOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Only votes of a log with this value in a column: language=en, one of several: "
        "language=en,de, or not this one: language!=en. May be repeated. Columns that say who won "
        "are refused.",
        metavar="COLUMN=VALUE",
    ),
]
SinceOption = Annotated[
    str | None,
    typer.Option(help="Only votes from then on: 2026-01-31, or 2026-01-31T12:00:00+01:00."),
]
UntilOption = Annotated[
    str | None, typer.Option(help="Only votes before then, or up to the end of that day.")
]
TimeOption = Annotated[
    str | None,
    typer.Option(
        help="The column of times, for --since and --until; by default the one that is called so.",
        metavar="COLUMN",
    ),
]
UniqueOption = Annotated[
    str | None,
    typer.Option(
        help="For a log of votes: columns with commas between, and pair for the two arms, such "
        "as rater,pair: the first vote of each combination counts alone.",
        metavar="COLUMNS",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
SeedOption = Annotated[int, typer.Option(help="Same seed, same result.")]


ARGUMENTS = "cpe_opt.arguments"
"""Where the context has what stands after ``cpe-opt`` on the command line."""
OpenHorizonOption = Annotated[
    str | None,
    typer.Option(help="Rounds, such as 1e6; 1e5 for regret, no limit for identification."),
]
RunsOption = Annotated[int, typer.Option(help="How many independent runs.")]
JobsOption = Annotated[int, typer.Option(help="Number of processes; -1 for one per core.")]
UnitsOption = Annotated[
    str | None, typer.Option(help="Units of the regret of duels: mean (default) or sum.")
]
PlotOption = Annotated[Path | None, typer.Option(help="A .png, .pdf or .svg to draw.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]


def read_options(
    *, where: list[str] | None, unique: str | None, **others: str | None
) -> ReadOptions:
    """What a command line says of which votes are read, without what it does not say."""
    from cpe_opt.formats.votes import split_conditions

    wanted, unwanted = split_conditions(where or ())
    given = {"where": wanted, "where_not": unwanted, "unique": unique, **others}
    return cast("ReadOptions", {name: value for name, value in given.items() if value})
