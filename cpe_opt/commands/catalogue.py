"""What there is: solvers, instances and learners; and random problems."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import cpe_opt as cpe
from cpe_opt.commands import FOR_MODELS, FOR_RESEARCH, command
from cpe_opt.commands.console import print_json, print_table
from cpe_opt.errors import UnknownName
from cpe_opt.files import check_output

if TYPE_CHECKING:
    from cpe_opt.learners.registry import LearnerEntry

app = typer.Typer()


@command(app, "cpe-opt solvers", FOR_MODELS)
def solvers(*, json: bool = False) -> None:
    """Each solver: what it can solve, its version or the line that installs it, its licence.

    "kept": after a change it solves on from its last basis. Assignments are solved by methods:
    solve best-matching FILE --method networkx.
    """
    from cpe_opt.solvers.registry import solver_table

    rows = solver_table()
    if json:
        print_json([vars(row) for row in rows])
        return
    print_table(
        ["solver", "solves", "kept", "version", "about (licence)"],
        [
            [
                row.name,
                ", ".join(row.solves),
                "yes" if row.incremental else "",
                f"{row.package} {row.version}" if row.version else f"missing: {row.install}",
                f"{row.about} ({row.licence})",
            ]
            for row in rows
        ],
    )


@command(app, "cpe-opt instances sushi", FOR_RESEARCH)
def instances(name: str | None = None, *, json: bool = False) -> None:
    """The built-in instances: their sizes, and the source and the winners of one.

    :param name: One instance, with its source; all by default.
    """
    from cpe_opt.reports.analysis import size_and_winners

    if name is not None and name not in cpe.INSTANCES:
        raise UnknownName("instance", name, cpe.INSTANCES)
    rows: list[dict[str, Any]] = [
        {
            "name": each.name,
            "family": each.family,
            **size_and_winners(each.load()),
            "about": each.about,
            "source": each.source,
        }
        for each in cpe.INSTANCES.values()
        if name in (None, each.name)
    ]
    if json:
        print_json(rows if name is None else rows[0])
    elif name is None:
        shown = [[row["name"], row["size"], row["about"]] for row in rows]
        print_table(["instance", "size", "about"], shown)
        typer.echo("cpe-opt instances NAME has the source and the winners of one")
    else:
        (row,) = rows
        winner = row.pop("condorcet_winner")
        row["winners"] = ", ".join(map(str, row["winners"]))
        row["Condorcet"] = "none" if winner is None else winner
        print_table(["", ""], list(row.items()))


@command(
    app, "cpe-opt generate team.csv --candidates 5 --positions 3 --gap 0.05", panel=FOR_RESEARCH
)
def generate(
    file: Path,
    *,
    candidates: int,
    positions: int,
    gap: float = 0.05,
    seed: int = 0,
    force: bool = False,
) -> None:
    """A random problem of matchings with a Condorcet winner and a chosen gap.

    :param file: A .csv file to write.
    :param candidates: How many.
    :param positions: How many; at most as many as candidates.
    :param gap: The winner's smallest lead.
    """
    check_output(file, (".csv",), force=force)
    duels = cpe.planted_condorcet(candidates, positions, gap=gap, seed=seed)
    cpe.write_problem(duels, file)
    typer.echo(f"wrote {file}: {duels.graph.size} edges, {duels.graph.n_pairs} pairs that duel")


@command(app, "cpe-opt algorithms cw-rmed", FOR_RESEARCH)
def algorithms(name: str | None = None, *, json: bool = False) -> None:
    """The online algorithms by family, and the guarantee, paper and parameters of one.

    :param name: One algorithm, with its parameters; all by default.
    """
    from cpe_opt.learners.registry import LEARNERS, learner_entry

    entries = [learner_entry(each) for each in (LEARNERS if name is None else [name])]
    if json:
        rows = [_as_row(entry) for entry in entries]
        print_json(rows if name is None else rows[0])
    elif name is not None:
        _show(entries[0])
    else:
        for family in dict.fromkeys(entry.declaration.family for entry in entries):
            ours = [entry for entry in entries if entry.declaration.family == family]
            lines = [[entry.name, entry.summary.rstrip(".")] for entry in ours]
            print_table([family, "what it does"], lines)
        typer.echo("cpe-opt algorithms NAME has the goal, guarantee, paper and parameters of one")


def _show(entry: LearnerEntry) -> None:
    says = entry.declaration
    typer.echo(f"{entry.name}: {entry.summary}")
    facts = {
        "family": says.family,
        "goal": says.goal,
        "guarantee": says.guarantee,
        "assumes": entry.assumption,
        "paper": says.paper,
        "stops by itself": says.stops,
        "asks": says.asks,
        "is told the horizon": "yes" if entry.told_the_horizon else "no",
        "answer": entry.answer,
        "starts from": says.starts,
        "rewards": "in [0, 1]" if says.unit_rewards else None,
    }
    print_table(["", ""], [[name, fact] for name, fact in facts.items() if fact])
    if not entry.parameters:
        typer.echo("no parameters")
        return
    rows = [
        [each.name, "required" if each.required else str(each.default), each.type, each.description]
        for each in entry.parameters
    ]
    print_table(["parameter", "default", "type", "meaning"], rows)


def _as_row(entry: LearnerEntry) -> dict[str, Any]:
    """The entry as JSON has it: what it declares, and its parameters."""
    row = asdict(entry)
    return {"name": row.pop("name"), **row.pop("declaration"), **row}
