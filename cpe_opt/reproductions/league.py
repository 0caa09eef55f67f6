"""The league: every dueling learner on every instance, as multiples of what nobody can avoid."""

from __future__ import annotations

import math

from cpe_opt.experiments.runs import write_parquet
from cpe_opt.reproductions.league_curves import (
    confidence_claims,
    confidence_curves,
    confidence_rows,
)
from cpe_opt.reproductions.league_field import SIZES, LeagueInstance, league_instances
from cpe_opt.reproductions.league_identification import (
    TRACKER,
    identification_claims,
    planned_confidence,
    planned_identification,
)
from cpe_opt.reproductions.league_pictures import draw_league
from cpe_opt.reproductions.league_regret import (
    explored,
    horizon_of,
    planned_regret,
    regret_claims,
    regret_table,
)
from cpe_opt.reproductions.league_runs import identification_table, play_all
from cpe_opt.reproductions.league_sections import (
    averages,
    cells_frame,
    in_short,
    runs_section,
    table_head,
    table_rows,
)
from cpe_opt.reproductions.league_texts import (
    IDENTIFICATION,
    INSTANCES,
    REGRET,
    identification_heading,
    regret_heading,
)
from cpe_opt.reproductions.page import Page, Section
from cpe_opt.reproductions.settings import Settings


def league(settings: Settings) -> Page:
    """Regret by C* ln T, identification by T* ln(1/delta), and delta to 0."""
    instances = league_instances(settings.choose(float(min(SIZES)), math.inf))
    regret = planned_regret(instances, settings)
    identification = planned_identification(instances, settings)
    confidence = planned_confidence(instances, settings)
    identified = [*identification, *confidence]
    play_all([*(each.series for each in regret), *(each.series for each in identified)], settings)
    lost = regret_table(regret, settings)
    needed = identification_table(identification)
    curves = confidence_curves(confidence)
    tables = {"regret": lost, "identification": needed}
    write_parquet(cells_frame(tables), settings.file(".parquet"))
    head, rows = confidence_rows(curves)
    losses, lost_picture = regret_heading(lost, instances, settings), settings.file(".png")
    return Page(
        settings.name,
        "The league: what learners lose and need, by what nobody can avoid",
        "Every dueling learner of this package, on every built-in matrix and on random ones",
        settings.command,
        _setting(settings),
        [
            *regret_claims(lost, instances, settings),
            *identification_claims(needed, instances),
            *confidence_claims(curves, TRACKER),
        ],
        [
            Section(
                "Regret",
                f"{REGRET} {averages(lost)}",
                table_head(lost, losses.marked),
                table_rows(lost),
            ),
            Section(
                "Identification",
                f"{IDENTIFICATION} {averages(needed)}",
                table_head(needed, errors=True),
                table_rows(needed, errors=True),
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
                    "C*, Condorcet",
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
            runs_section(tables),
        ],
        settings.quick,
        [
            Section(
                "What learners lose",
                in_short(lost),
                picture=draw_league(lost, losses, lost_picture),
            ),
            Section(
                "What learners need to identify a winner",
                in_short(needed),
                picture=draw_league(
                    needed,
                    identification_heading(needed, instances),
                    settings.file("-identification.png"),
                    curves,
                ),
            ),
        ],
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
