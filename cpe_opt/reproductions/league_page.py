"""The page of a study of leagues: its claims, its tables, and who is ahead in short."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

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
from cpe_opt.reproductions.study import Section, Settings, Study

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
    text = f"No learner names a wrong {answer} with a probability above delta = {delta}"
    over = "over the runs on all instances that its theorem covers"
    return errors_claim(text, over, found, [delta] * len(found))


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
        f"No algorithm needs fewer {samples} on average than T* kl(delta, 1 - delta)"
        + (several if any(c.goal.winners > 1 for c in judged) else ""),
        f"no 95 % interval of mean {samples} is below it, {where}",
        f"{len(below)} of {len(judged)} are"
        + "".join(f"; {c.learner} on {c.instance} {c.mean_text}" for c in below),
        not below if judged else None,
    )


def near_the_time(table: LeagueTable, learner: str) -> Claim:
    """Whether a learner that tracks comes near its bound."""
    line = table.line(learner)
    worst = max(line, key=lambda cell: cell.mean.high)
    held = [cell.mean.within(high=NEAR) for cell in line]
    return Claim(
        f"{learner} is near its bound",
        f"at most {NEAR:g} T* ln(1/delta) on average on every instance that its theorem covers, "
        "the 95 % intervals too",
        f"{geometric_mean(line):.1f} on (geometric) average, at most {worst.mean_text}, "
        f"on {worst.instance}",
        # Runs that were cut off can only show that it is more.
        all_hold(None if h and c.unfinished else h for h, c in zip(held, line, strict=True)),
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
    return Claim(
        f"{learner} needs fewer {samples} than all others that look for the same and are told the "
        "same",
        f"the 95 % interval of the ratio of mean {samples}, to the best other one, is below 1 on "
        "every instance that both theorems cover",
        ", ".join(texts) or "there is no other",
        all_hold(verdicts) if verdicts else None,
    )


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
    instances = f"every instance {only}-…" if only else "every instance"
    return Claim(
        f"{samples.capitalize()} of {learner} are at most {', '.join(shares)}",
        f"mean {samples} are at most that share on {instances}, the 95 % intervals of the "
        "ratios too",
        "; ".join(texts) or "there is no other",
        all_hold(verdicts) if verdicts else None,
    )


def curve_claims(
    curves: Curves, tracker: str, samples: str = "duels", falls_to: float = 0.5
) -> list[Claim]:
    """Whether a tracker's ratio falls, to at most this share, and how near 1 it comes."""
    lines = {where: line for (learner, where), line in curves.items() if learner == tracker}
    if not lines:
        return []
    ends = {name: line[-1] for name, line in lines.items()}
    return [
        interval_claim(
            f"The ratio of {tracker}'s {samples} to T* ln(1/delta) falls as delta does",
            f"at 1e-20 it is at most {falls_to:g} of that at 0.1, the 95 % interval too",
            {f"{n} to": ratio_interval(c[-1].values, c[0].values) for n, c in lines.items()},
            ".2f",
            high=falls_to,
            here="{} of it",
            between=" of it, ",
        ),
        Claim(
            "… towards 1",
            f"at 1e-20 it is at most {_NEAR_IN_THE_LIMIT:g}, the 95 % interval too",
            ", ".join(f"{name} {end.mean_text}" for name, end in ends.items()),
            all_hold(end.mean.within(high=_NEAR_IN_THE_LIMIT) for end in ends.values()),
        ),
    ]


def _budget_claim(played: Played) -> Claim:
    league, counts = played.league, np.sum([each.wrong for each in played.budgets], axis=0)
    assert league.budgeted is not None
    return interval_claim(
        f"A budget is no proof: {league.budgeted.name}, with the {league.samples} that "
        f"{league.budget_of} needs for its proof, names a wrong arm with a probability above "
        f"{league.delta}",
        "the 95 % interval over all runs is above it (Clopper and Pearson)",
        {"wrong in": failure_interval(*map(int, counts))},
        ".1%",
        low=league.delta,
    )


# Sections


def league_study(
    name: str,
    title: str,
    source: str,
    leagues: Callable[[Settings], Sequence[League]],
    setting: Callable[[Settings], str],
    *,
    claims: Callable[[Sequence[Played]], Sequence[Claim]] | None = None,
    needs: str = "",
) -> Study[list[Played]]:
    """A study of leagues, the first of which has the table of their instances.

    The claims are those that the leagues declare, or others.
    """

    def opening(settings: Settings, played: Sequence[Played]) -> list[Section]:
        found = []
        for number, each in enumerate(played):
            file = settings.file(f"-{each.league.name}.png" if number else ".png")
            picture = draw_league(each.table, each.league, file, each.curves)
            title = each.league.title or f"Who needs the fewest {each.league.samples}"
            found.append(Section(title, in_short(each.table, each.league.unit), picture=picture))
        return found

    def sections(settings: Settings, played: Sequence[Played]) -> list[Section]:
        first = played[0].league
        return [
            *(_budget_section(each) for each in played if each.budgets),
            *(table_section(each.league, each.table) for each in played),
            *(curve_section(each.league.samples, each.curves) for each in played if each.curves),
            first.about or _goals_section(first),
            _left_out_section(played),
            _runs_section(played),
        ]

    return Study(
        name,
        title,
        source,
        measure=lambda settings: play_leagues(leagues(settings), settings),
        setting=lambda settings, played: setting(settings),
        claims=claims or (lambda played: [one for each in played for one in league_claims(each)]),
        sections=sections,
        opening=opening,
        needs=needs,
    )


def _budget_section(played: Played) -> Section:
    league, rows = played.league, []
    assert league.budgeted is not None
    for each in played.budgets:
        found = failure_interval(*each.wrong)
        interval = f"{found.low:.0%} to {found.high:.0%}"
        rows.append([each.instance.name, f"{each.samples:,}", *each.wrong, interval])
    return Section(
        "With a budget, without a proof",
        f"`{league.budgeted.name}` on coins with the means of the table, for as many "
        f"{league.samples} as `{league.budget_of}` needs on average, and how often the arm that it "
        f"then names is no {league.budgeted.goal}.",
        ("instance", league.samples, "wrong", "runs", "95 %"),
        rows,
    )


def table_section(league: League, table: LeagueTable) -> Section:
    """Cells as texts, in brackets where no theorem covers them; a dagger on marked columns."""
    names = [f"{name}†" if name in league.marked else name for name in table.instances]
    head = ["learner", *names, "typical", "instances", "common"]
    head += [] if league.horizons else ["wrong (95 %)"]
    rows: list[list[object]] = []
    for learner in table.learners:
        counted, line = table.line(learner), table.of(learner)
        texts = [f"({c.text})" if c.amounts and not c.covered else c.text for c in line]
        means = [mean_text(counted), len(counted), mean_text(table.common(learner))]
        errors = [] if league.horizons else [table.errors_text(learner)]
        rows.append([learner, *texts, *means, *errors])
    text = (
        f"{league.text} *typical*: the geometric mean of the line where the learner's theorem "
        "holds; *instances*: how many these are. *common*: the same over those that count in every "
        "line of a group, by which its lines compare."
    )
    heading = league.heading or f"{league.samples.capitalize()} until the answer"
    return Section(heading, text, head, rows)


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
    said = [f"over their {count(common, 'common ')} {means}"] if common else []
    return "; ".join(
        said + ([f"the least: {wins} of {count(sum(least.values()))}"] if least else [])
    )


def least_on(table: LeagueTable, lines: Sequence[str]) -> dict[str, int]:
    """On how many instances each of these lines has the least mean, most first.

    Instances count that count in two lines at least; a line whose runs were cut off is none with
    the least.
    """
    found: dict[str, int] = {}
    for instance in table.instances:
        cells = [c for each in lines if (c := table.cell(each, instance)).counts]
        done = [cell for cell in cells if not cell.unfinished]
        if len(cells) > 1 and done:
            best = min(done, key=lambda cell: cell.value).learner
            found[best] = found.get(best, 0) + 1
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def curve_section(samples: str, curves: Curves) -> Section:
    """One row per curve, one column per probability; a learner may refuse large ones."""
    deltas = sorted({cell.delta for line in curves.values() for cell in line}, reverse=True)
    rows = []
    for (learner, instance), line in sorted(curves.items(), key=lambda item: item[0][::-1]):
        texts = {cell.delta: cell.text for cell in line}
        rows.append([instance, learner, *(texts.get(delta, ABSENT) for delta in deltas)])
    title = f"{samples.capitalize()} by T* ln(1/delta) as delta falls"
    return Section(title, "", ["instance", "learner", *(f"{d:.0e}" for d in deltas)], rows)


def _goals_section(league: League) -> Section:
    """What may be looked for on each instance, and its T*, or bounds of it."""
    rows = []
    for instance in league.instances:
        for name, goal in instance.goals.items():
            known = goal.upper <= goal.unit * (1.0 + _CERTIFIED)
            time = f"{goal.unit:,.6g}" if known else f"{goal.unit:,.4g} to {goal.upper:,.4g}"
            unit = short_number(goal.unit * math.log(1.0 / league.delta))
            rows.append([instance.name, name, time, unit])
    log = f"T* ln(1/delta) at {league.delta}"
    return Section("Instances", "", ("instance", "looked for", "T*", log), rows)


def _left_out_section(played: Sequence[Played]) -> Section:
    """Who was not run where; with the name of the league where there are several."""
    rows = []
    for each in played:
        exceptions = [[*exception, "all"] for exception in each.league.exceptions.items()]
        name = [each.league.name] if len(played) > 1 else []
        rows += [[*name, *row] for row in (*each.table.reasons(), *exceptions)]
    text = "Learners that were not run, by what they say themselves or by the league's tables."
    none = "None: every learner was run on every instance."
    head = ("league", "learner", "reason", "instances")[len(played) == 1 :]
    return Section("Left out", text if rows else none, head, rows)


def _runs_section(played: Sequence[Played]) -> Section:
    """How many runs of each learner, and how long they took."""
    rows = []
    for each in played:
        for learner in each.table.learners:
            if line := [cell for cell in each.table.of(learner) if cell.amounts]:
                runs = [cell.runs for cell in line]
                few, many = min(runs), max(runs)
                seconds = [cell.seconds for cell in line]
                spent = f"{min(seconds):.2f} to {max(seconds):.1f}"
                runs_text = f"{few}" if few == many else f"{few} to {many}"
                rows.append([each.league.name, learner, runs_text, spent])
    return Section("Runs", "", ("league", "learner", "runs", "seconds a run"), rows)


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
