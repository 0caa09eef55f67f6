"""The learners there are, and what each says of itself."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpe_opt.commands import JsonOption
from cpe_opt.commands.console import print_json, print_table

if TYPE_CHECKING:
    from cpe_opt.learners.registry import LearnerEntry, ParameterEntry

app = typer.Typer()


@app.command(epilog="Example: cpe-opt algorithms cw-rmed")
def algorithms(
    name: Annotated[
        str | None, typer.Argument(help="One algorithm, with its parameters; all by default.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """The online algorithms: family, goal, guarantee, paper, and the parameters of one."""
    from cpe_opt.learners.registry import LEARNERS, learner_entry

    if name is not None:
        entry = learner_entry(name)
        if as_json:
            print_json(_as_row(entry))
        else:
            _show(entry)
        return
    entries = [learner_entry(each) for each in LEARNERS]
    if as_json:
        print_json([_as_row(entry) for entry in entries])
        return
    print_table(
        ["algorithm", "family", "goal", "guarantee", "paper"],
        [
            [
                entry.name,
                entry.declaration.family,
                str(entry.declaration.goal),
                entry.declaration.guarantee,
                entry.declaration.paper,
            ]
            for entry in entries
        ],
    )


def _show(entry: LearnerEntry) -> None:
    says = entry.declaration
    typer.echo(f"{entry.name}: {entry.summary}")
    facts = [
        ["family", says.family],
        ["goal", str(says.goal)],
        ["guarantee", says.guarantee],
        *([["assumes", says.assumption]] if says.assumption else []),
        ["paper", says.paper],
        ["stops by itself", says.stops],
        ["asks", says.asks],
        ["is told the horizon", "yes" if entry.told_the_horizon else "no"],
        ["answer", entry.answer],
    ]
    if says.starts:
        facts.append(["starts from", says.starts])
    if says.unit_rewards:
        facts.append(["rewards", "in [0, 1]"])
    print_table(["", ""], facts)
    if not entry.parameters:
        typer.echo("no parameters")
        return
    print_table(
        ["parameter", "default", "type", "meaning"],
        [
            [parameter.name, _default(parameter), parameter.type, parameter.description]
            for parameter in entry.parameters
        ],
    )


def _default(parameter: ParameterEntry) -> str:
    """The default as one types it, or that there is none."""
    return "required" if parameter.required else str(parameter.default)


def _as_row(entry: LearnerEntry) -> dict[str, Any]:
    """The entry as JSON has it: what it declares beside what it takes."""
    row = asdict(entry)
    return {"name": row.pop("name"), **row.pop("declaration"), **row}
