"""The page of a league of one family: its table, its curves, its claims."""

from __future__ import annotations

import math

from cpe_opt.experiments.runs import write_parquet
from cpe_opt.reproductions.league_claims import errs_as_allowed, least_multiple, no_fewer
from cpe_opt.reproductions.league_contest import Contest, Player, Task
from cpe_opt.reproductions.league_curves import (
    BINDING,
    FALLING,
    confidence_claims,
    confidence_curves,
    confidence_rows,
    levels,
)
from cpe_opt.reproductions.league_pictures import Heading, draw_league
from cpe_opt.reproductions.league_runs import (
    IdentificationRuns,
    identification_series,
    identification_table,
    play_all,
)
from cpe_opt.reproductions.league_sections import (
    averages,
    cells_frame,
    in_short,
    runs_section,
    table_head,
    table_rows,
)
from cpe_opt.reproductions.league_table import Table, short_number
from cpe_opt.reproductions.page import Claim, Page, Section
from cpe_opt.reproductions.settings import Settings

_FALLS_TO = 0.9  # trackers of these families are near T* ln(1/delta) from the start
_CERTIFIED = 1e-3  # T* is known where its two bounds are as near as this


def contest_page(contest: Contest, settings: Settings) -> Page:
    """Play it, and say who needed what."""
    planned = [
        contest_runs(contest, player, task, settings, settings.choose(3, contest.runs))
        for player in contest.players
        for task in contest.tasks
    ]
    confidence = [
        contest_runs(contest, player, task, settings, settings.choose(2, 5), delta)
        for player in contest.players
        if player.name in contest.curved
        for task in contest.tasks
        if task.name in contest.curved_on
        for delta in levels(settings)
    ]
    play_all([each.series for each in (*planned, *confidence)], settings)
    table = identification_table(planned)
    curves = confidence_curves([each for each in confidence if each.series is not None])
    head, rows = confidence_rows(curves)
    tables = {settings.name: table}
    write_parquet(cells_frame(tables), settings.file(".parquet"))
    picture = draw_league(table, _heading(contest, table), settings.file(".png"), curves)
    return Page(
        settings.name,
        contest.title,
        contest.source,
        settings.command,
        contest.setting,
        [
            errs_as_allowed(table, contest.delta, contest.answer),
            *_no_fewer(contest, table),
            *contest.further(table),
            *(
                claim
                for tracker in contest.trackers
                for claim in confidence_claims(curves, tracker, contest.samples, _FALLS_TO)
            ),
        ],
        [
            Section(
                f"{contest.samples.capitalize()} until the answer",
                f"{contest.text} {averages(table)}",
                table_head(table, contest.marked, errors=True),
                table_rows(table, errors=True),
            ),
            Section(f"{contest.samples.capitalize()} by T* ln(1/delta)", "", head, rows),
            _instances(contest),
            _left_out(contest, table),
            runs_section(tables),
        ],
        settings.quick,
        [Section(f"Who needs the fewest {contest.samples}", in_short(table), picture=picture)],
    )


def contest_runs(
    contest: Contest,
    player: Player,
    task: Task,
    settings: Settings,
    runs: int,
    delta: float | None = None,
) -> IdentificationRuns:
    """The runs of a player on a task; none where it is left out."""
    delta = contest.delta if delta is None else delta
    goal, reason = task.goals[player.goal], player.left_out(task, delta)
    series = None
    if not reason:
        series = identification_series(
            player.spec,
            task.problem,
            player.parameters(task.problem, delta),
            most=player.most,
            runs=min(runs, player.runs or runs),
            settings=settings,
        )
    return IdentificationRuns(
        player.name,
        task.name,
        player.group,
        delta,
        goal.time,
        goal.right,
        series,
        left_out=reason,
        proofs=player.proofs,
    )


def _no_fewer(contest: Contest, table: Table) -> list[Claim]:
    """Whether somebody stops earlier than can be, where there is such a bound."""
    goals = {player.name: player.goal for player in contest.players}
    tasks = {task.name: task for task in contest.tasks}

    def least(learner: str, instance: str) -> float | None:
        binding = tasks[instance].goals[goals[learner]].binding
        return least_multiple(1, contest.delta) if binding else None

    if not contest.binding:
        return []
    return [
        no_fewer(
            table,
            least,
            f"No algorithm needs fewer {contest.samples} on average than T* kl(delta, 1 - delta)",
            f"no 95 % interval of mean {contest.samples} is below it, where noise is normal",
        )
    ]


def _heading(contest: Contest, table: Table) -> Heading:
    """Around the picture."""
    group = {player.name: player.group for player in contest.players}
    return Heading(
        contest.picture,
        [
            (words, [name for name in table.learners if group[name] == words])
            for words in dict.fromkeys(player.group for player in contest.players)
        ],
        [
            (kind, [task.name for task in contest.tasks if task.kind == kind])
            for kind in dict.fromkeys(task.kind for task in contest.tasks)
        ],
        marked=contest.marked,
        notes=contest.notes,
        errors=True,
        curves=FALLING + (BINDING if contest.binding else ""),
    )


def _left_out(contest: Contest, table: Table) -> Section:
    """Who was not run on what, and why."""
    rows = [*table.reasons(), *([*each, "all"] for each in contest.exceptions.items())]
    words = (
        "Learners that were not run, by what they say themselves or by the tables of the league."
        if rows
        else "None: every learner was run on every instance."
    )
    return Section("Left out", words, ("learner", "reason", "instances"), rows)


def _instances(contest: Contest) -> Section:
    """What is to be found on every task, and what it costs at least."""
    rows: list[list[object]] = []
    for task in contest.tasks:
        for name, goal in task.goals.items():
            known = goal.upper <= goal.time * (1.0 + _CERTIFIED)
            rows.append(
                [
                    task.name,
                    name,
                    f"{goal.time:,.6g}" if known else f"{goal.time:,.4g} to {goal.upper:,.4g}",
                    f"{short_number(goal.time * math.log(1.0 / contest.delta))}",
                ]
            )
    log = f"T* ln(1/delta) at {contest.delta}"
    return Section("Instances", "", ("instance", "looked for", "T*", log), rows)
