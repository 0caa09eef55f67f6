"""What there is: solvers, instances and learners; and random problems."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpe_opt.commands import ForceOption, JsonOption, SeedOption
from cpe_opt.commands.console import print_json, print_table
from cpe_opt.files import check_output

if TYPE_CHECKING:
    from cpe_opt.learners.registry import LearnerEntry

app = typer.Typer()


@app.command(epilog="Example: cpe-opt solvers")
def solvers(as_json: JsonOption = False) -> None:
    """Each solver: what it can solve, and its version or the line that installs it.

    Those that solve assignments are methods: solve best-matching FILE --method networkx.
    """
    from cpe_opt.solvers.registry import solver_table

    rows = solver_table()
    if as_json:
        print_json([vars(row) for row in rows])
        return
    print_table(
        ["solver", "solves", "incremental", "runs", "version", "about"],
        [
            [
                row.name,
                ", ".join(row.solves),
                "yes" if row.incremental else "",
                row.runs,
                f"{row.package} {row.version}" if row.version else f"missing: {row.install}",
                row.about,
            ]
            for row in rows
        ],
    )


@app.command(epilog="Example: cpe-opt instances")
def instances(as_json: JsonOption = False) -> None:
    """Built-in instances, their sizes and where they come from."""
    from cpe_opt.problems.catalogue import INSTANCES
    from cpe_opt.reports.analysis import size_and_winners

    rows = [
        {
            "name": instance.name,
            "family": instance.family,
            **size_and_winners(instance.load()),
            "about": instance.about,
            "source": instance.source,
        }
        for instance in INSTANCES.values()
    ]
    if as_json:
        print_json(rows)
        return
    print_table(
        ["instance", "size", "winners", "Condorcet", "about", "source"],
        [
            [
                row["name"],
                row["size"],
                ", ".join(map(str, row["winners"])),
                "none" if row["condorcet_winner"] is None else row["condorcet_winner"],
                row["about"],
                row["source"],
            ]
            for row in rows
        ],
    )


@app.command(epilog="Example: cpe-opt generate team.csv --candidates 5 --positions 3 --gap 0.05")
def generate(
    file: Annotated[Path, typer.Argument(help="A .csv file to write.")],
    candidates: Annotated[int, typer.Option(help="How many.")],
    positions: Annotated[int, typer.Option(help="How many; at most as many as candidates.")],
    gap: Annotated[float, typer.Option(help="The winner's smallest lead.")] = 0.05,
    density: Annotated[float, typer.Option(help="Share of the possible edges.")] = 1.0,
    seed: SeedOption = 0,
    force: ForceOption = False,
) -> None:
    """A random problem of matchings with a Condorcet winner and a chosen gap."""
    from cpe_opt.problems.generators import planted_condorcet

    check_output(file, (".csv",), force=force)
    duels = planted_condorcet(candidates, positions, gap=gap, seed=seed, density=density)
    duels.to_csv(file)
    typer.echo(f"wrote {file}: {duels.graph.size} edges, {duels.graph.n_pairs} pairs that duel")


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
            [
                each.name,
                "required" if each.required else str(each.default),
                each.type,
                each.description,
            ]
            for each in entry.parameters
        ],
    )


def _as_row(entry: LearnerEntry) -> dict[str, Any]:
    """The entry as JSON has it: what it declares, and its parameters."""
    row = asdict(entry)
    return {"name": row.pop("name"), **row.pop("declaration"), **row}
