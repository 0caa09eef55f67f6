"""What there is: solvers, instances and learners; and random problems."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpe_opt.commands import FOR_MODELS, FOR_RESEARCH, ForceOption, JsonOption, SeedOption
from cpe_opt.commands.console import print_json, print_table
from cpe_opt.files import check_output

if TYPE_CHECKING:
    from cpe_opt.learners.registry import LearnerEntry

app = typer.Typer()


@app.command(epilog="Example: cpe-opt solvers", rich_help_panel=FOR_MODELS)
def solvers(as_json: JsonOption = False) -> None:
    """Each solver: what it can solve, its version or the line that installs it, its licence.

    "kept": after a change it solves on from its last basis. Assignments are solved by methods:
    solve best-matching FILE --method networkx.
    """
    from cpe_opt.solvers.registry import solver_table

    rows = solver_table()
    if as_json:
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


@app.command(epilog="Example: cpe-opt instances sushi", rich_help_panel=FOR_RESEARCH)
def instances(
    name: Annotated[
        str | None, typer.Argument(help="One instance, with its source; all by default.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """The built-in instances: their sizes, and the source and the winners of one."""
    from cpe_opt.errors import UnknownName
    from cpe_opt.problems.catalogue import INSTANCES
    from cpe_opt.reports.analysis import size_and_winners

    if name is not None and name not in INSTANCES:
        raise UnknownName("instance", name, INSTANCES)
    chosen = INSTANCES.values() if name is None else [INSTANCES[name]]
    rows: list[dict[str, Any]] = [
        {
            "name": instance.name,
            "family": instance.family,
            **size_and_winners(instance.load()),
            "about": instance.about,
            "source": instance.source,
        }
        for instance in chosen
    ]
    if as_json:
        print_json(rows if name is None else rows[0])
    elif name is None:
        print_table(
            ["instance", "size", "about"],
            [[row["name"], row["size"], row["about"]] for row in rows],
        )
        typer.echo("cpe-opt instances NAME has the source and the winners of one")
    else:
        (row,) = rows
        winner = row.pop("condorcet_winner")
        row["winners"] = ", ".join(map(str, row["winners"]))
        row["Condorcet"] = "none" if winner is None else winner
        print_table(["", ""], [[key, value] for key, value in row.items()])


@app.command(
    epilog="Example: cpe-opt generate team.csv --candidates 5 --positions 3 --gap 0.05",
    rich_help_panel=FOR_RESEARCH,
)
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
    from cpe_opt.formats.problems import write_problem
    from cpe_opt.problems.generators import planted_condorcet

    check_output(file, (".csv",), force=force)
    duels = planted_condorcet(candidates, positions, gap=gap, seed=seed, density=density)
    write_problem(duels, file)
    typer.echo(f"wrote {file}: {duels.graph.size} edges, {duels.graph.n_pairs} pairs that duel")


@app.command(epilog="Example: cpe-opt algorithms cw-rmed", rich_help_panel=FOR_RESEARCH)
def algorithms(
    name: Annotated[
        str | None, typer.Argument(help="One algorithm, with its parameters; all by default.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """The online algorithms by family, and the guarantee, paper and parameters of one."""
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
    for family in dict.fromkeys(entry.declaration.family for entry in entries):
        ours = [entry for entry in entries if entry.declaration.family == family]
        lines = [[entry.name, entry.summary.rstrip(".")] for entry in ours]
        print_table([family, "what it does"], lines)
    typer.echo("cpe-opt algorithms NAME has the goal, guarantee, paper and parameters of one")


def _show(entry: LearnerEntry) -> None:
    says = entry.declaration
    typer.echo(f"{entry.name}: {entry.summary}")
    facts = [
        ["family", says.family],
        ["goal", str(says.goal)],
        ["guarantee", says.guarantee],
        *([["assumes", entry.assumption]] if entry.assumption else []),
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
