r"""Leagues: every learner of a family on every problem, as multiples of a lower bound.

A line of the table is a learner, a column a problem; a cell the mean number of samples until the
answer by :math:`T^* \ln(1/\delta)`, or the mean regret by :math:`C^* \ln T`. On average no
algorithm that errs with probability at most delta needs fewer samples than
:math:`T^* \mathrm{kl}(\delta, 1-\delta)` where one answer is right, and
:math:`T^* \mathrm{kl}((1-\delta)/m, \delta)` where it may name any of m right ones, as long as
:math:`(1-\delta)/m \ge \delta`. For delta -> 0 the ratio of learners that track falls to 1, that of
others to a constant above 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cpe_opt.experiments.planning import LearnerSpec, Series, plan_series
from cpe_opt.experiments.results import read_series
from cpe_opt.problems.problem import Problem
from cpe_opt.reproductions.claims import (
    Claim,
    Interval,
    all_hold,
    errs_at_most,
    failure_interval,
    interval_claim,
    positive_mean_interval,
    ratio_interval,
)
from cpe_opt.reproductions.study import Section, Settings

if TYPE_CHECKING:
    import pandas as pd

LEFT_OUT, ABSENT = "out", "–"
NEAR = 10.0  # times T* ln(1/delta)
_NEAR_IN_THE_LIMIT = 2.0
_BEST = 3  # lines of a group that are named in short


# Cells and tables


@dataclass(frozen=True)
class Cell:
    """The runs of a learner on an instance, planned or played, and what it needed."""

    learner: str
    instance: str
    covered: bool  # whether the learner's theorem covers the instance
    # the regret, or the samples, of each run; empty where nothing was run
    amounts: tuple[float, ...] = ()
    bound: float = 1.0  # of the amounts
    left_out: str = ""  # why nothing was run
    unfinished: int = 0  # runs that were cut off, or gave up: their values are lower bounds
    wrong: int = 0  # runs that ended with a wrong answer, said to be proved
    slow: bool = False  # whether the learner is too slow for the instance
    short: bool = False  # whether this learner had a shorter horizon than others
    seconds: float = math.nan  # of a run, on average
    group: str = ""  # what lines that stand together have in common
    series: Series | None = None  # None where the learner is left out
    # whether an answer, as it is read from a file, is right; None: regret is measured
    right: Callable[[Any], bool] | None = None
    delta: float = math.nan  # the probability of an error that is allowed
    # the doubts of answers that count as proved: none, and those of what is known to be so
    proofs: Sequence[str] = ("",)

    def played(self) -> Cell:
        """With what was needed in finished runs; wrong answers are those said to be proved."""
        if self.series is None or self.series.folder is None:
            return self
        runs = read_series(self.series.folder, self.series.runs)
        seconds = float(runs["seconds"].mean())
        if self.right is None:
            return replace(self, amounts=tuple(runs["regret"]), seconds=seconds)
        done = runs[runs["doubt"].isin(self.proofs)]
        return replace(
            self,
            amounts=tuple(runs["samples"]),
            unfinished=len(runs) - len(done),
            wrong=sum(not self.right(answer) for answer in done["answer"]),
            seconds=seconds,
        )

    @property
    def runs(self) -> int:
        """How many."""
        return len(self.amounts)

    @property
    def values(self) -> tuple[float, ...]:
        """The multiple of the bound in each run."""
        return tuple(amount / self.bound for amount in self.amounts)

    @cached_property
    def mean(self) -> Interval:
        """Of the multiples, over runs."""
        return positive_mean_interval(self.values)

    @property
    def value(self) -> float:
        """The mean, NaN where nothing was run."""
        return self.mean.value if self.amounts else math.nan

    def times(self, other: Cell) -> Interval:
        """The ratio of the mean amount to that of another learner."""
        return ratio_interval(self.amounts, other.amounts)

    @property
    def mean_text(self) -> str:
        """The mean in two digits, with its interval and the number of runs."""
        if self.runs == 1:
            return f"{short_number(self.value)} (1 run)"
        ends = f"{short_number(self.mean.low)} to {short_number(self.mean.high)}"
        return f"{short_number(self.value)} ({ends}; {self.runs} runs)"

    @property
    def text(self) -> str:
        """As it stands in a picture and in the page's table."""
        if not self.amounts:
            return LEFT_OUT if self.slow else ABSENT
        sign, mark = ">" if self.unfinished else "", "*" if self.short else ""
        wrong = f" {self.wrong}✗" if self.wrong else ""
        return f"{sign}{short_number(self.value)}{mark}{wrong}"


def short_number(value: float) -> str:
    """Two digits: 0.53, 1.7, 24, 1,500, 24k."""
    if value >= 9950.0:
        return f"{value / 1000.0:,.0f}k"
    if value >= 9.95:
        return f"{float(f'{value:.2g}'):,.0f}"
    return f"{value:.1f}" if value >= 0.995 else f"{value:.2f}"


def geometric_mean(cells: Iterable[Cell]) -> float:
    """Of positive multiples; inf without any."""
    values = [cell.value for cell in cells if cell.value > 0.0]
    return float(np.exp(np.log(values).mean())) if values else math.inf


def mean_text(cells: Sequence[Cell]) -> str:
    """The geometric mean as a text: a lower bound where runs were cut off, empty without any."""
    value = geometric_mean(cells)
    sign = ">" if any(cell.unfinished for cell in cells) else ""
    return f"{sign}{short_number(value)}" if math.isfinite(value) else ""


@dataclass(frozen=True)
class Table:
    """Cells by learner and instance."""

    cells: Sequence[Cell]
    # in the order of lines and columns; there may be cells of other instances, left out
    learners: Sequence[str]
    instances: Sequence[str]
    # by learner: what lines that stand together have in common; all do if empty
    groups: Mapping[str, str] = field(default_factory=dict)

    def cell(self, learner: str, instance: str) -> Cell:
        """The one of a learner on an instance."""
        return self._by_key[learner, instance]

    @cached_property
    def _by_key(self) -> dict[tuple[str, str], Cell]:
        return {(cell.learner, cell.instance): cell for cell in self.cells}

    def line(self, learner: str, *, counted: bool = True) -> list[Cell]:
        """A learner's cells that were run, in the order of columns; the covered ones if counted."""
        found = (self.cell(learner, instance) for instance in self.instances)
        return [c for c in found if c.amounts and (c.covered or not counted)]

    def group(self, learner: str) -> list[str]:
        """The lines of a learner's group in which anything counts, in the order of lines."""
        own = self.groups.get(learner, "")
        same = (each for each in self.learners if self.groups.get(each, "") == own)
        return [each for each in same if self.line(each)]

    def common(self, learner: str) -> list[Cell]:
        """A learner's cells on the instances that count in every line of its group."""
        counted = [{cell.instance for cell in self.line(each)} for each in self.group(learner)]
        return [c for c in self.line(learner) if all(c.instance in each for each in counted)]

    def errors(self, learner: str) -> tuple[int, int]:
        """Wrong answers and runs, where a learner's theorem holds."""
        line = self.line(learner)
        return sum(cell.wrong for cell in line), sum(cell.runs for cell in line)

    def errors_text(self, learner: str) -> str:
        """The same with the interval of Clopper and Pearson; empty where there is no run."""
        wrong, runs = self.errors(learner)
        if not runs:
            return ""
        found = failure_interval(wrong, runs)
        return f"{wrong} of {runs} ({found.low:.1%} to {found.high:.1%})"

    def reasons(self) -> list[list[str]]:
        """Learner, reason and instances of what was left out."""
        found: dict[tuple[str, str], list[str]] = {}
        for cell in sorted(self.cells, key=lambda cell: self.learners.index(cell.learner)):
            if cell.left_out:
                found.setdefault((cell.learner, cell.left_out), []).append(cell.instance)
        return [[learner, reason, ", ".join(names)] for (learner, reason), names in found.items()]


# Runs


def stopping_series(
    spec: LearnerSpec,
    problem: Problem,
    parameters: Mapping[str, Any],
    *,
    max_samples: int,
    runs: int,
    settings: Settings,
) -> Series:
    """Runs that stop by themselves, or are cut off after so many samples."""
    (series,) = plan_series(
        [LearnerSpec(spec.learner, {**parameters, "max_samples": max_samples}, label=spec.name)],
        [problem],
        runs=runs,
        horizon=None,
        seed=settings.seed,
        out=settings.out / "runs",
    )
    return series


def table_of(planned: Sequence[Cell], *, every_instance: bool = True) -> Table:
    """The table of finished runs: by group, in the order of the plan, and best first.

    Without ``every_instance``, columns in which nothing was run are left out.
    """
    cells = [each.played() for each in planned]
    ranks = list(dict.fromkeys(each.group for each in planned))
    group = {each.learner: each.group for each in planned}
    run = {cell.instance for cell in cells if cell.amounts or every_instance}
    instances = [name for name in dict.fromkeys(c.instance for c in cells) if name in run]
    table = Table(cells, list(group), instances)
    typical = {name: geometric_mean(table.line(name)) for name in group}
    order = sorted(group, key=lambda name: (ranks.index(group[name]), typical[name]))
    return Table(cells, order, instances, {name: group[name] for name in order})


# Claims


def least_multiple(winners: int, delta: float) -> float:
    """What no algorithm needs less than on average, by T* ln(1/delta)."""
    named = (1.0 - delta) / winners
    if named <= delta:
        return 0.0
    information = named * math.log(named / delta) + (1.0 - named) * math.log(
        (1.0 - named) / (1.0 - delta)
    )
    return information / math.log(1.0 / delta)


def errs_as_allowed(table: Table, delta: float, answer: str = "winner") -> Claim:
    """Whether anybody errs more often than promised, over all instances of its theorem."""
    found = {name: table.errors(name) for name in table.learners if table.line(name)}
    return Claim(
        f"No learner names a wrong {answer} with a probability above delta = {delta}",
        "the 95 % limit of Clopper and Pearson for the probability of an error, over the runs on "
        f"all instances that its theorem covers, is at most {delta}; it differs where so many "
        "errors are less than 5 % likely",
        ", ".join(f"{learner} {table.errors_text(learner)}" for learner in found),
        all_hold(errs_at_most(wrong, runs, delta) for wrong, runs in found.values()),
    )


def no_fewer(
    table: Table, least: Callable[[str, str], float | None], published: str, criterion: str
) -> Claim:
    """Whether somebody stops earlier than can be, on average.

    Parameters
    ----------
    table : Table
    least : callable
        Of a learner and an instance: :func:`least_multiple`, or None where nothing is said.
    published, criterion : str
    """
    judged = [
        (cell, multiple)
        for learner in table.learners
        for cell in table.line(learner)
        if (multiple := least(learner, cell.instance)) is not None
    ]
    below = [c for c, multiple in judged if not c.unfinished and c.mean.high < multiple]
    return Claim(
        published,
        criterion,
        f"{len(below)} of {len(judged)} are"
        + "".join(f"; {c.learner} on {c.instance} {c.mean_text}" for c in below),
        not below if judged else None,
    )


def near_the_time(table: Table, learner: str) -> Claim:
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


def fewer_than_all(
    table: Table, learner: str, others: Sequence[str], samples: str = "duels"
) -> Claim:
    """Whether a learner needs less than all others that look for the same."""
    verdicts, texts = [], []
    for cell in table.line(learner):
        rivals = [table.cell(name, cell.instance) for name in others]
        rivals = [each for each in rivals if each.amounts and each.covered]
        if rivals:
            best = min(rivals, key=lambda each: (each.unfinished > 0, each.value))
            verdicts.append(_share_is(cell, best, 1.0))
            ratio = cell.times(best)
            texts.append(f"{cell.instance} {ratio.text('.2f')} times {best.learner}")
    return Claim(
        f"{learner} needs fewer {samples} than all others that look for the same and are told the "
        "same",
        f"the 95 % interval of the ratio of mean {samples}, to the best other one, is below 1 on "
        "every instance that both theorems cover",
        ", ".join(texts) or "there is no other",
        all_hold(verdicts) if verdicts else None,
    )


def share_of(
    table: Table, learner: str, others: Mapping[str, float], samples: str, only: str = ""
) -> Claim:
    """Whether a learner needs at most certain shares of what others need, everywhere.

    Parameters
    ----------
    table : Table
    learner : str
    others : mapping of learner to share
    samples : str
        What they are called.
    only : str
        Of instances whose names begin so.
    """
    verdicts, texts, shares = [], [], []
    for other, share in others.items():
        shares.append(f"{share:.3g} of {other}'s" if share < 1.0 else f"{other}'s")
        line = [c for c in table.line(learner) if c.instance.startswith(only)]
        pairs = [(cell, table.cell(other, cell.instance)) for cell in line]
        pairs = [(cell, rival) for cell, rival in pairs if rival.amounts and rival.covered]
        verdicts += [_share_is(*pair, share) for pair in pairs]
        if pairs:
            ratio, where = max(
                ((cell.times(rival), cell.instance) for cell, rival in pairs),
                key=lambda each: each[0].value,
            )
            texts.append(f"{ratio.text('.3f')} of {other}'s at most, on {where}")
    instances = f"every instance {only}-…" if only else "every instance"
    return Claim(
        f"{samples.capitalize()} of {learner} are at most {', '.join(shares)}",
        f"mean {samples} are at most that share on {instances}, the 95 % intervals of the "
        "ratios too",
        "; ".join(texts) or "there is no other",
        all_hold(verdicts) if verdicts else None,
    )


def _share_is(cell: Cell, other: Cell, share: float) -> bool | None:
    """Whether one needs at most this share of another; None where cut runs leave it open."""
    held = cell.times(other).within(high=share)
    # Runs that were cut off are a lower bound.
    cut = (held and cell.unfinished) or (held is False and other.unfinished)
    return None if cut else held


# Curves: how multiples fall with the probability of an error

Curves: TypeAlias = Mapping[tuple[str, str], Sequence[tuple[float, Cell]]]
FALLING = "The same multiple as the allowed probability δ of an error falls"
BINDING = ": for δ → 0 no algorithm can go below 1 (dotted)"


def levels(settings: Settings) -> list[float]:
    """The probabilities of an error, largest first."""
    return [10.0**-digits for digits in settings.choose((1, 5, 20), (1, 2, 3, 5, 10, 20))]


def curves_of(planned: Iterable[Cell]) -> Curves:
    """By learner and instance, the cells by the probability of an error, largest first."""
    curves: dict[tuple[str, str], list[tuple[float, Cell]]] = {}
    for each in planned:
        if each.series is not None:
            curves.setdefault((each.learner, each.instance), []).append((each.delta, each.played()))
    return curves


def curve_claims(
    curves: Curves, tracker: str, samples: str = "duels", falls_to: float = 0.5
) -> list[Claim]:
    """Whether a tracker's ratio falls, to at most this share, and how near 1 it comes."""
    lines = {
        instance: [cell for _, cell in line]
        for (learner, instance), line in curves.items()
        if learner == tracker
    }
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


def curve_section(title: str, curves: Curves) -> Section:
    """One row per curve, one column per probability; a learner may refuse large ones."""
    deltas = sorted({delta for line in curves.values() for delta, _ in line}, reverse=True)
    rows = [
        [instance, learner]
        + [dict(line)[delta].text if delta in dict(line) else ABSENT for delta in deltas]
        for (learner, instance), line in sorted(curves.items(), key=lambda item: item[0][::-1])
    ]
    return Section(title, "", ["instance", "learner", *(f"{d:.0e}" for d in deltas)], rows)


# Sections


def table_section(
    title: str, text: str, table: Table, marked: Sequence[str] = (), *, errors: bool = False
) -> Section:
    """Cells as texts, in brackets where no theorem covers them; a dagger on marked columns."""
    names = [f"{name}†" if name in marked else name for name in table.instances]
    head = ["learner", *names, "typical", "instances", "common"]
    rows: list[list[object]] = []
    for learner in table.learners:
        cells = [table.cell(learner, instance) for instance in table.instances]
        counted = table.line(learner)
        rows.append([learner, *(f"({c.text})" if _bracketed(c) else c.text for c in cells)])
        rows[-1] += [mean_text(counted), len(counted), mean_text(table.common(learner))]
        if errors:
            rows[-1].append(table.errors_text(learner))
    shared = "; ".join(
        f"{_words(table, lines)} {_names(table.common(lines[0]), table.instances)}"
        for lines in groups(table)
    )
    averages = (
        "*instances*: how many *typical* is over, not the same ones in every line. *common*: the "
        "geometric mean over those that count in every line of a group, by which its lines "
        f"compare ({shared})."
    )
    head += ["wrong (95 %)"] if errors else []
    return Section(title, f"{text} {averages}", head, rows)


def _bracketed(cell: Cell) -> bool:
    return bool(cell.amounts) and not cell.covered


def _names(cells: Sequence[Cell], instances: Sequence[str]) -> str:
    """Their instances, or all but the others."""
    chosen = [cell.instance for cell in cells]
    others = [name for name in instances if name not in chosen]
    if not others:
        return "all"
    few = len(others) < len(chosen)
    return f"all but {', '.join(others)}" if few else ", ".join(chosen) or "none"


def _words(table: Table, lines: Sequence[str]) -> str:
    words = table.groups.get(lines[0], "").replace("\n", " ")
    return f"*{words or 'all learners'}*"


def groups(table: Table) -> list[list[str]]:
    """The lines in which anything counts, by group."""
    found = {tuple(table.group(learner)): None for learner in table.learners}
    return [list(lines) for lines in found if lines]


def in_short(table: Table) -> str:
    """Who needs the least, in a line for each group."""
    lines = "\n".join(f"- {_group_in_short(table, lines)}" for lines in groups(table))
    return (
        "Multiples of the bound, by geometric mean over the instances that count for all learners "
        "of a group; then on how many instances each has the least mean."
        f"\n\n{lines}"
    )


def _group_in_short(table: Table, lines: Sequence[str]) -> str:
    def count(number: int, kind: str = "") -> str:
        return f"{number} {kind}instance{'' if number == 1 else 's'}"

    if len(lines) == 1:
        line = table.line(lines[0])
        return (
            f"{_words(table, lines)}: `{lines[0]}` alone, {mean_text(line)} over "
            f"{count(len(line))}."
        )
    shared = {each: table.common(each) for each in lines}
    best = sorted(lines, key=lambda each: geometric_mean(shared[each]))[:_BEST]
    means = ", ".join(f"`{each}` {mean_text(shared[each])}" for each in best)
    least = least_on(table, lines)
    wins = ", ".join(f"`{each}` on {number}" for each, number in least.items())
    common = len(shared[lines[0]])
    said = [f"over their {count(common, 'common ')} {means}"] if common else []
    said += [f"the least: {wins} of {count(sum(least.values()))}"] if least else []
    return f"{_words(table, lines)}: {'; '.join(said)}."


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


def runs_section(tables: Mapping[str, Table]) -> Section:
    """How many runs of each learner, and how long they took; by the name of a league."""
    frame = cells_frame(tables)
    rows = []
    for name, table in tables.items():
        for learner in table.learners:
            line = frame[(frame["league"] == name) & (frame["learner"] == learner)]
            line = line[line["instance"].isin(table.instances)]
            if len(line):
                few, many = line["runs"].min(), line["runs"].max()
                seconds = line["seconds"]
                runs = f"{few}" if few == many else f"{few} to {many}"
                rows.append([name, learner, runs, f"{seconds.min():.2f} to {seconds.max():.1f}"])
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
