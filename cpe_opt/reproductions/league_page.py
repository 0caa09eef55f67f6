"""The page of a study of leagues: its claims, its tables, and who is ahead in short.

The sentences of the claims are in ``pages/claims.md``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cpe_opt.experiments.planning import Series
from cpe_opt.experiments.runs import write_parquet
from cpe_opt.reproductions.claims import (
    Claim,
    all_hold,
    errors_claim,
    failure_interval,
    interval_claim,
    ratio_interval,
)
from cpe_opt.reproductions.league import (
    ABSENT,
    League,
    LeagueCell,
    LeagueInstance,
    LeagueTable,
    Target,
    geometric_mean,
    mean_text,
    short_number,
    table_of,
)
from cpe_opt.reproductions.league_picture import draw_league
from cpe_opt.reproductions.rows import planned_series, play_longest_first, read_runs
from cpe_opt.reproductions.study import PageTable, Settings, Study

if TYPE_CHECKING:
    import pandas as pd

# By learner and instance, the cells by the probability of an error, largest first.
Curves: TypeAlias = Mapping[tuple[str, str], Sequence[LeagueCell]]

NEAR = 10.0  # times T* ln(1/delta)
_NEAR_IN_THE_LIMIT = 2.0
_BEST = 3  # lines of a group that are named in short
_CERTIFIED = 1e-3  # T* is known where its two bounds are as near as this


@dataclass(frozen=True, eq=False)
class Budget:
    """A learner that proves nothing, given a number of samples on an instance."""

    instance: LeagueInstance
    goal: Target
    samples: int
    series: Series

    @property
    def wrong(self) -> tuple[int, int]:
        """Runs with a wrong answer, and all."""
        assert self.goal.right is not None
        answers = read_runs(self.series)["answer"]
        return sum(not self.goal.right(answer) for answer in answers), len(answers)


@dataclass(frozen=True, eq=False)
class Played:
    """A league whose runs are finished."""

    league: League
    table: LeagueTable
    curves: Curves
    budgets: Sequence[Budget] = ()


def play_leagues(leagues: Sequence[League], settings: Settings) -> list[Played]:
    """All runs: the tables and the curves by delta, and then those with a budget."""
    plans = [league.plan(settings) for league in leagues]
    cells = [cell for plan in plans for part in plan for cell in part]
    play_longest_first([each.series for each in cells if each.series is not None], settings)
    played = []
    for league, (planned, curved) in zip(leagues, plans, strict=True):
        table, curves = table_of(planned), dict[tuple[str, str], list[LeagueCell]]()
        for cell in curved:
            if cell.series is not None:
                curves.setdefault((cell.learner, cell.instance), []).append(cell.played())
        played.append(Played(league, table, curves, budgets_of(league, table, settings)))
    play_longest_first([each.series for one in played for each in one.budgets], settings)
    write_parquet(_cells_frame(played), settings.file(".parquet"))
    return played


def budgets_of(league: League, table: LeagueTable, settings: Settings) -> list[Budget]:
    """As many samples as the proof of a line takes on average, not yet played."""
    found, player = list[Budget](), league.budgeted
    if player is None:
        return found
    for instance in league.instances:
        samples = round(float(np.mean(table.cell(league.budget_of, instance.name).amounts)))
        faced, runs = player.faces(instance.problem), settings.choose(10, 50)
        series = planned_series(player.spec, faced, runs, samples, settings)
        found.append(Budget(instance, instance.goals[player.goal], samples, series))
    return found


# Claims


def league_claims(played: Played) -> list[Claim]:
    """Errors, the least mean number of samples, what the league declares, and the limit."""
    league, table = played.league, played.table
    found = [errs_as_allowed(table, league.delta, league.answer)]
    if league.bounded:
        found.append(no_fewer(table, league.samples, league.bounded))
    found += [near_the_time(table, name) for name in league.near]
    found += [fewer_than_all(table, name, league.samples) for name in league.ahead]
    for name, shares in league.shares:
        found.append(share_of(table, name, shares, league.samples, only=league.shares_on))
    for name in league.falling:
        found += curve_claims(played.curves, name, league.samples, league.falls_to)
    return found + ([_budget_claim(played)] if played.budgets else [])


def errs_as_allowed(table: LeagueTable, delta: float, answer: str) -> Claim:
    """Whether anybody errs more often than promised, over all instances of its theorem."""
    found = {name: table.errors(name) for name in table.learners if table.line(name)}
    return errors_claim("errors", found, [delta] * len(found), delta=delta, answer=answer)


def least_multiple(winners: int, delta: float) -> float:
    """What no algorithm needs less than on average, by T* ln(1/delta)."""
    named = (1.0 - delta) / winners
    if named <= delta:
        return 0.0
    gained = named * math.log(named / delta)
    return (gained + (1.0 - named) * math.log((1.0 - named) / (1.0 - delta))) / -math.log(delta)


def no_fewer(table: LeagueTable, samples: str, where: str) -> Claim:
    """Whether somebody stops earlier than can be, on average, where T* is a bound."""
    judged = [c for name in table.learners for c in table.line(name) if c.goal.winners]
    done = [c for c in judged if not c.unfinished]
    below = [c for c in done if c.mean.high < least_multiple(c.goal.winners, c.delta)]
    several = ", or T* kl((1 - delta)/m, delta) where any of m answers is right"
    return Claim(
        "least",
        f"{len(below)} of {len(judged)} are" + _listed((c, c.mean_text) for c in below),
        not below if judged else None,
        {
            "samples": samples,
            "where": where,
            "several": several if any(c.goal.winners > 1 for c in judged) else "",
        },
    )


def _listed(found: Iterable[tuple[LeagueCell, str]]) -> str:
    return "".join(f"; {cell.learner} on {cell.instance} {text}" for cell, text in found)


def near_the_time(table: LeagueTable, learner: str) -> Claim:
    """Whether a learner that tracks comes near its bound."""
    line = table.line(learner)
    worst = max(line, key=lambda cell: cell.mean.high)
    held = [cell.mean.within(high=NEAR) for cell in line]
    return Claim(
        "near",
        f"{geometric_mean(line):.1f} on (geometric) average, at most {worst.mean_text}, "
        f"on {worst.instance}",
        # Runs that were cut off can only show that it is more.
        all_hold(None if h and c.unfinished else h for h, c in zip(held, line, strict=True)),
        {"learner": learner, "high": NEAR},
    )


def fewer_than_all(table: LeagueTable, learner: str, samples: str = "duels") -> Claim:
    """Whether a learner needs less than all others that look for the same."""
    verdicts, texts = [], []
    for cell in table.line(learner):
        rivals = [table.cell(name, cell.instance) for name in table.rivals(learner)]
        if rivals := [each for each in rivals if each.counts]:
            best = min(rivals, key=lambda each: (each.unfinished > 0, each.value))
            verdicts.append(cell.at_most(1.0, best))
            texts.append(f"{cell.instance} {cell.times(best).text('.2f')} times {best.learner}")
    words = {"learner": learner, "samples": samples}
    ours = ", ".join(texts) or "there is no other"
    return Claim("ahead", ours, all_hold(verdicts) if verdicts else None, words)


def share_of(
    table: LeagueTable, learner: str, others: Mapping[str, float], samples: str, only: str = ""
) -> Claim:
    """Whether a learner needs at most these shares of what others need, everywhere.

    ``only``: of instances whose names begin so.
    """
    verdicts, texts, shares = [], [], []
    for other, share in others.items():
        shares.append(f"{share:.3g} of {other}'s" if share < 1.0 else f"{other}'s")
        line = [cell for cell in table.line(learner) if cell.instance.startswith(only)]
        pairs = [(cell, table.cell(other, cell.instance)) for cell in line]
        if pairs := [pair for pair in pairs if pair[1].counts]:
            verdicts += [cell.at_most(share, rival) for cell, rival in pairs]
            ratios = [(cell.times(rival), cell.instance) for cell, rival in pairs]
            ratio, where = max(ratios, key=lambda each: each[0].value)
            texts.append(f"{ratio.text('.3f')} of {other}'s at most, on {where}")
    words = {
        "learner": learner,
        "samples": samples,
        "Samples": samples.capitalize(),
        "shares": ", ".join(shares),
        "instances": f"every instance {only}-…" if only else "every instance",
    }
    ours = "; ".join(texts) or "there is no other"
    return Claim("share", ours, all_hold(verdicts) if verdicts else None, words)


def curve_claims(
    curves: Curves, tracker: str, samples: str = "duels", falls_to: float = 0.5
) -> list[Claim]:
    """Whether a tracker's ratio falls, to at most this share, and how near 1 it comes."""
    lines = {where: line for (learner, where), line in curves.items() if learner == tracker}
    if not lines:
        return []
    ends = {name: line[-1] for name, line in lines.items()}
    ratios = {f"{n} to": ratio_interval(c[-1].values, c[0].values) for n, c in lines.items()}
    style: dict[str, Any] = {"here": "{} of it", "between": " of it, ", "high": falls_to}
    return [
        interval_claim("falls", ratios, ".2f", **style, learner=tracker, samples=samples),
        Claim(
            "limit",
            ", ".join(f"{name} {end.mean_text}" for name, end in ends.items()),
            all_hold(end.mean.within(high=_NEAR_IN_THE_LIMIT) for end in ends.values()),
            {"high": _NEAR_IN_THE_LIMIT},
        ),
    ]


def _budget_claim(played: Played) -> Claim:
    counts = np.sum([each.wrong for each in played.budgets], axis=0)
    found = {"wrong in": failure_interval(*map(int, counts))}
    return interval_claim("budget", found, ".1%", low=played.league.delta)


# The values of the page


def league_study(
    name: str,
    leagues: Callable[[Settings], Sequence[League]],
    *,
    claims: Callable[[Sequence[Played]], Sequence[Claim]] | None = None,
    needs: str = "",
) -> Study:
    """A study of leagues, with the table of the instances of the first one.

    The claims are those that the leagues declare, or others. Names of values of further leagues
    end with the league's name.
    """

    def values(settings: Settings) -> dict[str, Any]:
        played = play_leagues(leagues(settings), settings)
        first = played[0].league
        found: dict[str, Any] = {
            "claims": (claims or _all_claims)(played),
            "instances": first.about or _goals(first),
            "left_out": _left_out(played),
            "runs": _runs(played),
        }
        for each in played:
            league, end = each.league, "" if each.league is first else f"-{each.league.name}"
            picture = draw_league(each.table, league, settings.file(f"{end}.png"), each.curves)
            found |= {
                f"league{end}": league,
                f"picture{end}": picture,
                f"short{end}": in_short(each.table, league.unit),
                f"table{end}": table_of_cells(league, each.table),
                f"curves{end}": curve_table(each.curves) if each.curves else None,
                f"budgets{end}": _budgets(each) if each.budgets else None,
            }
        return found

    return Study(name, values, needs)


def _all_claims(played: Sequence[Played]) -> list[Claim]:
    return [claim for each in played for claim in league_claims(each)]


def _budgets(played: Played) -> PageTable:
    rows = []
    for each in played.budgets:
        found = failure_interval(*each.wrong)
        interval = f"{found.low:.0%} to {found.high:.0%}"
        rows.append([each.instance.name, f"{each.samples:,}", *each.wrong, interval])
    return PageTable(("instance", played.league.samples, "wrong", "runs", "95 %"), rows)


def table_of_cells(league: League, table: LeagueTable) -> PageTable:
    """Cells as texts, in brackets where no theorem covers them; a dagger on marked columns."""
    names = [f"{name}†" if name in league.marked else name for name in table.instances]
    judged = not league.horizons
    head = ["learner", *names, "typical", "instances", "common"] + ["wrong (95 %)"] * judged
    rows: list[list[object]] = []
    for learner in table.learners:
        counted, line = table.line(learner), table.of(learner)
        texts = [f"({c.text})" if c.amounts and not c.covered else c.text for c in line]
        means = [mean_text(counted), len(counted), mean_text(table.common(learner))]
        rows.append([learner, *texts, *means, *[table.errors_text(learner)] * judged])
    return PageTable(head, rows)


def in_short(table: LeagueTable, unit: str = "") -> str:
    """Who needs the least, in a line for each group; in multiples of the bound, or in a unit."""
    groups = [(" ".join(group.split("\n")), names) for group, names in table.groups.items()]
    lines = "\n".join(f"- *{group}*: {_least(table, names)}." for group, names in groups)
    numbers = f"In {unit}" if unit else "Multiples of the bound"
    return (
        f"{numbers}, by geometric mean over the instances that count for all learners of a group; "
        f"then on how many instances each has the least mean.\n\n{lines}"
    )


def _least(table: LeagueTable, lines: Sequence[str]) -> str:
    def count(number: int, kind: str = "") -> str:
        return f"{number} {kind}instance{'' if number == 1 else 's'}"

    if len(lines) == 1:
        line = table.line(lines[0])
        return f"`{lines[0]}` alone, {mean_text(line)} over {count(len(line))}"
    shared = {each: table.common(each) for each in lines}
    best = sorted(lines, key=lambda each: geometric_mean(shared[each]))[:_BEST]
    means = ", ".join(f"`{each}` {mean_text(shared[each])}" for each in best)
    least, common = least_on(table, lines), len(shared[lines[0]])
    wins = ", ".join(f"`{each}` on {number}" for each, number in least.items())
    said = [f"over their {count(common, 'common ')} {means}"] * (common > 0)
    return "; ".join(said + [f"the least: {wins} of {count(sum(least.values()))}"] * bool(least))


def least_on(table: LeagueTable, lines: Sequence[str]) -> dict[str, int]:
    """On how many instances each of these lines has the least mean, most first.

    Instances count that count in two lines at least; a line whose runs were cut off is none with
    the least.
    """
    found = Counter[str]()
    for instance in table.instances:
        cells = [c for each in lines if (c := table.cell(each, instance)).counts]
        done = [cell for cell in cells if not cell.unfinished]
        if len(cells) > 1 and done:
            found[min(done, key=lambda cell: cell.value).learner] += 1
    return dict(found.most_common())


def curve_table(curves: Curves) -> PageTable:
    """One row per curve, one column per probability; a learner may refuse large ones."""
    deltas = sorted({cell.delta for line in curves.values() for cell in line}, reverse=True)
    rows = []
    for (learner, instance), line in sorted(curves.items(), key=lambda item: item[0][::-1]):
        texts = {cell.delta: cell.text for cell in line}
        rows.append([instance, learner, *(texts.get(delta, ABSENT) for delta in deltas)])
    return PageTable(["instance", "learner", *(f"{d:.0e}" for d in deltas)], rows)


def _goals(league: League) -> PageTable:
    """What may be looked for on each instance, and its T*, or bounds of it."""
    rows = []
    for instance in league.instances:
        for name, goal in instance.goals.items():
            known = goal.upper <= goal.unit * (1.0 + _CERTIFIED)
            time = f"{goal.unit:,.6g}" if known else f"{goal.unit:,.4g} to {goal.upper:,.4g}"
            unit = short_number(goal.unit * math.log(1.0 / league.delta))
            rows.append([instance.name, name, time, unit])
    return PageTable(("instance", "looked for", "T*", f"T* ln(1/delta) at {league.delta}"), rows)


def _left_out(played: Sequence[Played]) -> PageTable | None:
    """Who was not run where; with the name of the league where there are several."""
    several = len(played) > 1
    rows = [
        [*[each.league.name] * several, *row]
        for each in played
        for row in (*each.table.reasons(), *([*e, "all"] for e in each.league.exceptions.items()))
    ]
    head = (*["league"] * several, "learner", "reason", "instances")
    return PageTable(head, rows) if rows else None


def _runs(played: Sequence[Played]) -> PageTable:
    """How many runs of each learner, and how long they took."""
    rows = []
    for each in played:
        for learner in each.table.learners:
            if line := [cell for cell in each.table.of(learner) if cell.amounts]:
                few, many = (end(cell.runs for cell in line) for end in (min, max))
                fast, slow = (end(cell.seconds for cell in line) for end in (min, max))
                number = f"{few}" if few == many else f"{few} to {many}"
                rows.append([each.league.name, learner, number, f"{fast:.2f} to {slow:.1f}"])
    return PageTable(("league", "learner", "runs", "seconds a run"), rows)


def _cells_frame(played: Sequence[Played]) -> pd.DataFrame:
    """Every cell that was run, by the name of a league."""
    import pandas as pd

    names = ("learner", "instance", "runs", "unfinished", "wrong", "covered", "seconds")
    return pd.DataFrame(
        {
            "league": each.league.name,
            "multiple": cell.value,
            "low": cell.mean.low,
            "high": cell.mean.high,
            **{name: getattr(cell, name) for name in names},
        }
        for each in played
        for cell in each.table.cells
        if cell.amounts
    )
