"""What the pages of leagues have in common: tables as rows of text, and as a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cpe_opt.reproductions.league_table import Table
from cpe_opt.reproductions.page import Section

if TYPE_CHECKING:
    import pandas as pd


_BEST = 3  # lines of a group that are named in short
_IN_SHORT = (
    "Multiples of the bound, by geometric mean over the instances that count for all learners of "
    "a group; then on how many instances each has the least mean."
)


def table_head(table: Table, marked: Sequence[str] = (), *, errors: bool = False) -> list[str]:
    """The names of columns, with a dagger where marked."""
    names = [f"{name}†" if name in marked else name for name in table.instances]
    head = ["learner", *names, "typical", "instances", "common"]
    return [*head, "wrong (95 %)"] if errors else head


def table_rows(table: Table, *, errors: bool = False) -> list[list[object]]:
    """Cells as texts, in brackets where no theorem covers them; errors last, if asked for."""
    rows: list[list[object]] = []
    for learner in table.learners:
        line = [table.cell(learner, instance) for instance in table.instances]
        row: list[object] = [
            learner,
            *(f"({c.text})" if c.amounts and not c.covered else c.text for c in line),
            table.typical_text(learner),
            len(table.line(learner)),
            table.common_text(learner),
        ]
        rows.append([*row, table.errors_text(learner)] if errors else row)
    return rows


def averages(table: Table) -> str:
    """What the columns after those of instances mean."""
    shared = "; ".join(
        f"{_words(table, lines)} {_names(table.common(lines[0]), table.instances)}"
        for lines in groups(table)
    )
    return (
        "*instances*: how many *typical* is over, not the same ones in every line. *common*: the "
        "geometric mean over those that count in every line of a group, by which its lines "
        f"compare ({shared})."
    )


def in_short(table: Table) -> str:
    """Who needs the least, in a line for each group."""
    lines = "\n".join(f"- {_group_in_short(table, lines)}" for lines in groups(table))
    return f"{_IN_SHORT}\n\n{lines}"


def groups(table: Table) -> list[list[str]]:
    """The lines in which anything counts, by group."""
    found = {tuple(table.group(learner)): None for learner in table.learners}
    return [list(lines) for lines in found if lines]


def least_on(table: Table, lines: Sequence[str]) -> dict[str, int]:
    """On how many instances each of these lines has the least mean, most first.

    Instances count that count in two lines at least; a line whose runs were cut off is none with
    the least.
    """
    found: dict[str, int] = {}
    for instance in table.instances:
        cells = [c for each in lines for c in table.line(each) if c.instance == instance]
        done = [cell for cell in cells if not cell.unfinished]
        if len(cells) > 1 and done:
            best = min(done, key=lambda cell: cell.value).learner
            found[best] = found.get(best, 0) + 1
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _group_in_short(table: Table, lines: Sequence[str]) -> str:
    if len(lines) == 1:
        count = len(table.line(lines[0]))
        typical = table.typical_text(lines[0])
        return f"{_words(table, lines)}: `{lines[0]}` alone, {typical} over {_count(count)}."
    shared = table.common(lines[0])
    best = sorted(lines, key=table.common_mean)[:_BEST]
    means = ", ".join(f"`{each}` {table.common_text(each)}" for each in best)
    least = least_on(table, lines)
    wins = ", ".join(f"`{each}` on {count}" for each, count in least.items())
    said = [f"over their {_count(len(shared), 'common ')} {means}"] if shared else []
    said += [f"the least: {wins} of {_count(sum(least.values()))}"] if least else []
    return f"{_words(table, lines)}: {'; '.join(said)}."


def _names(chosen: Sequence[str], of: Sequence[str]) -> str:
    """The chosen ones, or all but the others."""
    others = [name for name in of if name not in chosen]
    if not others:
        return "all"
    few = len(others) < len(chosen)
    return f"all but {', '.join(others)}" if few else ", ".join(chosen) or "none"


def _count(number: int, kind: str = "") -> str:
    return f"{number} {kind}instance{'' if number == 1 else 's'}"


def _words(table: Table, lines: Sequence[str]) -> str:
    words = table.groups.get(lines[0], "").replace("\n", " ")
    return f"*{words or 'all learners'}*"


def runs_section(tables: Mapping[str, Table]) -> Section:
    """How many runs of each learner, and how long they took; by the name of a league."""
    rows: list[list[object]] = []
    for name, table in tables.items():
        for learner in table.learners:
            line = table.line(learner, counted=False)
            if line:
                runs = sorted({cell.runs for cell in line})
                seconds = sorted(cell.seconds for cell in line)
                rows.append(
                    [
                        name,
                        learner,
                        f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}",
                        f"{seconds[0]:.2f} to {seconds[-1]:.1f}",
                    ]
                )
    return Section("Runs", "", ("league", "learner", "runs", "seconds a run"), rows)


def cells_frame(tables: Mapping[str, Table]) -> pd.DataFrame:
    """Every cell that was run, by the name of a league."""
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "league": name,
                "learner": cell.learner,
                "instance": cell.instance,
                "multiple": cell.value,
                "low": cell.mean.low,
                "high": cell.mean.high,
                "runs": cell.runs,
                "unfinished": cell.unfinished,
                "wrong": cell.wrong,
                "covered": cell.covered,
                "seconds": cell.seconds,
            }
            for name, table in tables.items()
            for cell in table.cells
            if cell.amounts
        ]
    )
