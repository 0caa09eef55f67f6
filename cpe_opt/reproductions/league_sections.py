"""What the pages of leagues have in common: tables as rows of text, and as a frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cpe_opt.reproductions.league_table import Table
from cpe_opt.reproductions.page import Section

if TYPE_CHECKING:
    import pandas as pd


def table_rows(table: Table, *, errors: bool = False) -> list[list[object]]:
    """Cells as texts, in brackets where no theorem covers them; errors last, if asked for."""
    rows: list[list[object]] = []
    for learner in table.learners:
        line = [table.cell(learner, instance) for instance in table.instances]
        row: list[object] = [
            learner,
            *(f"({c.text})" if c.amounts and not c.covered else c.text for c in line),
            table.typical_text(learner),
        ]
        rows.append([*row, table.errors_text(learner)] if errors else row)
    return rows


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
