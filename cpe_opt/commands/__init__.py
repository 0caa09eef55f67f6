"""The commands of ``cpe-opt``, a module a subject, and the arguments they share.

Numerical packages are imported inside the commands, so that ``--help`` answers at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
SeedOption = Annotated[int, typer.Option(help="Same seed, same result.")]


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
