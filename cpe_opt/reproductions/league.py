"""The league: every dueling learner on every instance, as multiples of what nobody can avoid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cpe_opt.experiments.engine import play
from cpe_opt.experiments.runs import write_parquet
from cpe_opt.reproductions.league_confidence import (
    confidence_claims,
    confidence_curves,
    confidence_rows,
    planned_confidence,
)
from cpe_opt.reproductions.league_field import (
    SIZES,
    LeagueInstance,
    LeagueRuns,
    league_instances,
)
from cpe_opt.reproductions.league_identification import (
    identification_claims,
    identification_table,
    planned_identification,
)
from cpe_opt.reproductions.league_pictures import draw_identification, draw_regret
from cpe_opt.reproductions.league_regret import (
    explored,
    horizon_of,
    planned_regret,
    regret_claims,
    regret_table,
)
from cpe_opt.reproductions.league_table import Table
from cpe_opt.reproductions.league_texts import (
    IDENTIFICATION,
    INSTANCES,
    REGRET,
    identification_heading,
    regret_heading,
)
from cpe_opt.reproductions.page import Page, Section
from cpe_opt.reproductions.settings import Settings

if TYPE_CHECKING:
    import pandas as pd


def league(settings: Settings) -> Page:
    """Regret by C* ln T, identification by T* ln(1/delta), and delta to 0."""
    instances = league_instances(settings.choose(float(min(SIZES)), math.inf))
    regret = planned_regret(instances, settings)
    identification = planned_identification(instances, settings)
    confidence = planned_confidence(instances, settings)
    _play([*regret, *identification, *confidence], settings)
    lost = regret_table(regret, settings)
    needed = identification_table(identification)
    curves = confidence_curves(confidence)
    write_parquet(_frame(lost, needed), settings.file(".parquet"))
    head, rows = confidence_rows(curves)
    return Page(
        settings.name,
        "The league: what learners lose and need, by what nobody can avoid",
        "Every dueling learner of this package, on every built-in matrix and on random ones",
        settings.command,
        _setting(settings),
        [
            *regret_claims(lost, instances, settings),
            *identification_claims(needed, instances),
            *confidence_claims(curves),
        ],
        [
            Section(
                "Regret",
                REGRET,
                ("learner", *lost.instances, "typical"),
                _rows(lost),
                draw_regret(
                    lost,
                    [each for each in instances if each.name in lost.instances],
                    regret_heading(lost, instances, settings),
                    settings.file(".png"),
                ),
            ),
            Section(
                "Identification",
                IDENTIFICATION,
                ("learner", *needed.instances, "typical", "wrong (95 %)"),
                [[*row, needed.errors_text(str(row[0]))] for row in _rows(needed)],
                draw_identification(
                    needed,
                    instances,
                    identification_heading(needed),
                    curves,
                    settings.file("-identification.png"),
                ),
            ),
            Section("Duels by T* ln(1/delta) as delta falls", "", head, rows),
            Section(
                "Instances",
                INSTANCES,
                (
                    "instance",
                    "arms",
                    "Condorcet winner",
                    "winners",
                    "T",
                    "C*",
                    "explored",
                    "T*",
                    "T*, Condorcet",
                    "T*, Borda",
                ),
                [_instance_row(each, settings) for each in instances],
            ),
            Section(
                "Left out",
                "Learners that were not run, by the tables of `reproductions/league_field.py`.",
                ("league", "learner", "reason", "instances"),
                [["regret", *row] for row in lost.reasons()]
                + [["identification", *row] for row in needed.reasons()],
            ),
            Section(
                "Runs", "", ("league", "learner", "runs", "seconds a run"), _runs(lost, needed)
            ),
        ],
        settings.quick,
    )


def _setting(settings: Settings) -> str:
    rounds = settings.choose(
        "Matrices of up to 16 arms alone; T = 10,000.",
        "T = 100,000 up to 16 arms and 1,000,000 from 64 on.",
    )
    return (
        f"{rounds} How many runs, the last table says: fewer of slow learners and of many arms. "
        "Intervals are 95 % ones over runs. The claims are our own where they name no paper."
    )


def _play(runs: Sequence[LeagueRuns], settings: Settings) -> None:
    """All runs, the longest first, so that no worker is left with one at the end."""
    found = [each.series for each in runs if each.series is not None]
    # Two leagues may share a series: the one with the most runs has those of the other.
    by_folder = {each.folder: each for each in sorted(found, key=lambda each: each.runs)}
    ordered = sorted(
        by_folder.values(), key=lambda each: (each.horizon or 0, each.problem.known), reverse=True
    )
    play(ordered, jobs=settings.jobs, progress=settings.progress)


def _rows(table: Table) -> list[list[object]]:
    """Cells as texts; in brackets where no theorem covers them."""
    rows: list[list[object]] = []
    for learner in table.learners:
        line = [table.cell(learner, instance) for instance in table.instances]
        rows.append(
            [
                learner,
                *(f"({c.text})" if c.amounts and not c.covered else c.text for c in line),
                table.typical_text(learner),
            ]
        )
    return rows


def _instance_row(instance: LeagueInstance, settings: Settings) -> list[object]:
    mu, horizon = instance.problem, horizon_of(instance, settings)
    condorcet = instance.time("condorcet")
    borda = instance.time("borda")
    copeland = instance.time("copeland")
    return [
        instance.name,
        mu.arms,
        "yes" if instance.condorcet else "no",
        len(mu.copeland_winners),
        f"{horizon:,}",
        f"{instance.bound.value:,.4g}",
        f"{instance.condorcet_bound.value:,.4g}" if instance.condorcet else "–",
        f"{explored(instance, horizon):.1%}",
        *("–" if time is None else f"{time.value:,.6g}" for time in (copeland, condorcet, borda)),
    ]


def _runs(lost: Table, needed: Table) -> list[list[object]]:
    """How many runs of each learner, and how long they took."""
    rows: list[list[object]] = []
    for name, table in (("regret", lost), ("identification", needed)):
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
    return rows


def _frame(lost: Table, needed: Table) -> pd.DataFrame:
    """Every cell that was run."""
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "league": league_name,
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
            for league_name, table in (("regret", lost), ("identification", needed))
            for cell in table.cells
            if cell.amounts
        ]
    )
