r"""The league of fixed test sets: who needs the fewest calls to name a winner of the full table.

Every pair of K arms has a cell for each of n items in both orders, with one outcome
(:mod:`cpe_opt.problems.dueling.items`); a call asks for one cell, or looks at one again. Asking all
K(K - 1)n cells gives the table and its winners. What is counted is the share of the cells that are
called until a winner of the table is proved, in per cent. No bound from below is known for test
sets; with repeated calls there may be more than 100 %.

**With the same proof.** Of what a learner saves, a part is due to its proof, and a part to its
choice of pairs. `round-robin` and `random-cells` have the bets and the stopping rule of the
trackers (:mod:`cpe_opt.learners.dueling.guided_tracking`), and ask a cell of every pair in turn, or
any cell at random.

**King of the hill** looks for the Condorcet winner. A king meets one challenger after the other,
until one of them is ahead: with t of the N cells of the pair asked, the mean of the king's answers
is away from ½ by

.. math:: \sqrt{\rho_t \ln(1/\alpha) / 2t}, \qquad
          \rho_t = \begin{cases} 1 - (t - 1)/N & t \le N/2, \\
                   (1 - t/N)(1 + 1/t) & \text{else}, \end{cases}

the Hoeffding–Serfling inequality of Bardenet and Maillard (Bernoulli, 2015), or the cells that are
left cannot turn the pair. It looks when t has grown by a tenth. A winner errs in none of its at
most K - 1 pairs with L looks each if :math:`\alpha = \delta / (K - 1) L`. Pairs tied in the table
go to the king: neither of them is the winner.

**With replacement.** Asked for a cell at random whenever it duels, `pocowista` faces coins with the
means of the table, and does not know that there are only so many cells. The same holds of double
Thompson sampling, `d-ts`, which spends a budget of calls and proves nothing; its budget is what
`copeland-tracking` needs on average for its proof.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.experiments.planning import LearnerSpec, Series, plan_series
from cpe_opt.experiments.results import read_series
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.guided_tracking import (
    GuidedCondorcet,
    GuidedCopeland,
    beliefs_and_bets,
)
from cpe_opt.learners.queries import HAS_CONDORCET_WINNER, Conditional, HorizonReached, Unproved
from cpe_opt.learners.tracking import NOTHING_PROVED, track
from cpe_opt.problems.dueling.items import ItemDuels
from cpe_opt.problems.generators import random_items
from cpe_opt.problems.queries import Duel
from cpe_opt.reproductions.claims import Claim, failure_interval, interval_claim
from cpe_opt.reproductions.league import Goal, Instance, League, Limits, Player
from cpe_opt.reproductions.league_page import Played, league_claims, league_study, play_leagues
from cpe_opt.reproductions.regret import play_longest_first
from cpe_opt.reproductions.study import Section, Settings, Study
from cpe_opt.ties import first_smallest

DELTA = 0.05
COPELAND, CONDORCET = "Copeland winner", "Condorcet winner"
GROUPS: Mapping[str, str] = {
    COPELAND: "a Copeland\nwinner",
    CONDORCET: "the Condorcet\nwinner",
}
TRACKER, CONDORCET_TRACKER = "copeland-tracking", "condorcet-tracking"
ROUND_ROBIN, AT_RANDOM = "round-robin", "random-cells"
KING, CONDORCET_ROUND_ROBIN = "king-of-the-hill", "round-robin (condorcet)"
WITH_REPLACEMENT, BUDGETED = "pocowista", "d-ts"

# By kind: what the judge does (:func:`cpe_opt.random_items`).
JUDGES: Mapping[str, Mapping[str, Any]] = {
    "independent": {},
    "position bias": {"bias": 0.7, "agreement": 0.8},
    "40 % ties": {"ties": 0.4},
    "one dominates": {"ahead": 1.2},
    "a cycle of 3": {"cycle": 3},
    "equal pairs": {"equal": 2},
}
SIZES = ((4, 150), (8, 50), (8, 150), (8, 500), (16, 150), (30, 150))
_FEW = ((4, 50), (8, 50))
_SEED = 1
_TABLES = 20  # so often the calls of a learner with replacement may fill the table
# Learners that fit their model again after each of very many calls: fewer runs, and none.
_MANY_CELLS, _TOO_MANY_CELLS, _FEW_RUNS = 20_000, 50_000, 3
_TOO_SLOW = "it fits its model again after each of very many calls"
_GROWTH = 1.1  # between two looks of the king


# Instances


def item_instances(sizes: Sequence[tuple[int, int]]) -> list[Instance]:
    """A test set of every kind and size, by kinds; sizes are arms and items."""
    return [
        instance(
            kind, random_items(arms, items, **judge, seed=_SEED, name=_name(kind, arms, items))
        )
        for kind, judge in JUDGES.items()
        for arms, items in sizes
    ]


def _name(kind: str, arms: int, items: int) -> str:
    return f"{kind.replace(' % ', '-').replace(' ', '-')}-{arms}-{items}"


def instance(kind: str, duels: ItemDuels) -> Instance:
    """A test set with its winners; the unit is a hundredth of its cells."""
    percent = _cells(duels) / 100.0
    none = "" if duels.condorcet_winner is not None else "the table has no Condorcet winner"
    goals = {
        COPELAND: Goal(percent, duels.copeland_winners.__contains__),
        CONDORCET: Goal(percent, (duels.condorcet_winner,).__contains__, missing=none),
    }
    return Instance(duels, kind, goals, label=f"{duels.known} arms, {len(duels.items)} items")


def _cells(duels: ItemDuels) -> int:
    return int(duels.cells.sum()) // 2


# Learners to compare with


class CopelandInTurn(GuidedCopeland):
    """The proof of a Copeland winner, pairs in turn."""

    def choose(self, left: FloatArray, pending: FloatArray) -> tuple[int, int]:
        """The pair that has been asked the least."""
        return least_asked(left, self.beliefs.asked + pending)


class CondorcetInTurn(GuidedCondorcet):
    """The proof of the Condorcet winner, pairs in turn."""

    def choose(self, left: FloatArray, pending: FloatArray) -> tuple[int, int]:
        """The pair that has been asked the least."""
        return least_asked(left, self.beliefs.asked + pending)


class CopelandAtRandom(GuidedCopeland):
    """The proof of a Copeland winner, cells at random from ``rng``."""

    rng: np.random.Generator

    def choose(self, left: FloatArray, pending: FloatArray) -> tuple[int, int]:
        """The pair of a cell drawn from all that are left."""
        up_to = np.triu(left).cumsum()
        drawn = self.rng.integers(int(up_to[-1]))
        return divmod(int(np.searchsorted(up_to, drawn, side="right")), len(left))


def least_asked(left: FloatArray, asked: FloatArray) -> tuple[int, int]:
    """The first pair with the fewest answers, of those with cells left.

    Examples
    --------
    >>> left = np.array([[0.0, 2.0, 0.0], [2.0, 0.0, 5.0], [0.0, 5.0, 0.0]])
    >>> least_asked(left, np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 3.0], [1.0, 3.0, 0.0]]))
    (0, 1)
    """
    fits = np.triu(left) > 0.0
    return divmod(first_smallest(np.where(fits, asked, math.inf).ravel()), len(left))


@declare(
    family="dueling",
    goal="identification",
    guarantee="a Copeland winner of the table with probability at least 1 - delta",
    paper="ours, for comparison",
)
def round_robin(
    arms: int, *, cells: npt.ArrayLike, delta: float
) -> Generator[Duel, float, int | Unproved]:
    """Ask a cell of every pair in turn, and stop as ``copeland-tracking`` does."""
    beliefs, bets = beliefs_and_bets(arms, margin=0.0, cells=cells, answered=None, prior=None)
    tracker = CopelandInTurn(beliefs, bets, delta, np.ones((arms, arms)))
    answer: int | Unproved = yield from track(tracker)
    return answer


@declare(
    family="dueling",
    goal="identification",
    guarantee="the Condorcet winner of the table, if there is one, with probability at least 1 - "
    "delta",
    paper="ours, for comparison",
    assumption=HAS_CONDORCET_WINNER,
)
def condorcet_round_robin(
    arms: int, *, cells: npt.ArrayLike, delta: float
) -> Generator[Duel, float, Conditional | Unproved]:
    """Ask a cell of every pair in turn, and stop as ``condorcet-tracking`` does."""
    beliefs, bets = beliefs_and_bets(arms, margin=0.0, cells=cells, answered=None, prior=None)
    tracker = CondorcetInTurn(beliefs, bets, delta, np.ones((arms, arms)), 1, bets)
    answer: Conditional | Unproved = yield from track(tracker)
    return answer


@declare(
    family="dueling",
    goal="identification",
    guarantee="a Copeland winner of the table with probability at least 1 - delta",
    paper="ours, for comparison",
)
def random_cells(
    arms: int, *, rng: np.random.Generator, cells: npt.ArrayLike, delta: float
) -> Generator[Duel, float, int | Unproved]:
    """Ask cells at random, and stop as ``copeland-tracking`` does."""
    beliefs, bets = beliefs_and_bets(arms, margin=0.0, cells=cells, answered=None, prior=None)
    tracker = CopelandAtRandom(beliefs, bets, delta, np.ones((arms, arms)))
    tracker.rng = rng
    answer: int | Unproved = yield from track(tracker)
    return answer


@declare(
    family="dueling",
    goal="identification",
    guarantee="the Condorcet winner of the table, if there is one, with probability at least 1 - "
    "delta",
    paper="ours, for comparison; intervals of Bardenet, Maillard (Bernoulli, 2015)",
    assumption=HAS_CONDORCET_WINNER,
)
def king_of_the_hill(
    arms: int, *, cells: npt.ArrayLike, delta: float
) -> Generator[Duel, float, Conditional | Unproved]:
    """Let a king meet one challenger after the other, each until one of them is ahead."""
    number, king = np.asarray(cells), 0
    try:
        for challenger in range(1, arms):
            total = int(number[king, challenger])
            keeps = yield from _keeps_the_hill(king, challenger, total, delta / (arms - 1))
            king = king if keeps else challenger
    except HorizonReached:
        return Unproved(king, NOTHING_PROVED)
    return Conditional(king, HAS_CONDORCET_WINNER)


def _keeps_the_hill(
    king: int, challenger: int, total: int, delta: float
) -> Generator[Duel, float, bool]:
    """Whether the king is ahead in the cells of a pair, or nobody is; wrong at most with delta."""
    asked, won, times = 0, 0.0, looks(total)
    for look in times:
        won += yield Duel(king, challenger, look - asked)
        asked = look
        missing = total / 2.0 - won
        if missing <= 0.0 or missing > total - asked:
            break
        lead, away = won / asked - 0.5, serfling_radius(asked, total, delta / len(times))
        if abs(lead) > away:
            return lead > 0.0
    return total == 0 or missing <= 0.0


def looks(total: int) -> list[int]:
    """After how many answers a king looks, growing by a tenth, up to all of them.

    Examples
    --------
    >>> looks(14)
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14]
    """
    found = [1] if total else []
    while found and found[-1] < total:
        found.append(min(total, max(found[-1] + 1, math.ceil(_GROWTH * found[-1]))))
    return found


def serfling_radius(asked: int, total: int, delta: float) -> float:
    """How far the mean of some cells is above that of all with probability at most delta.

    Examples
    --------
    >>> [round(serfling_radius(asked, 100, 0.05), 3) for asked in (1, 50, 90, 100)]
    [1.224, 0.124, 0.041, 0.0]
    """
    if asked <= total / 2.0:
        rho = 1.0 - (asked - 1.0) / total
    else:
        rho = (1.0 - asked / total) * (1.0 + 1.0 / asked)
    return math.sqrt(rho * math.log(1.0 / delta) / (2.0 * asked))


def item_players() -> list[Player]:
    """Those of a Copeland winner, and those of the Condorcet winner."""
    return [
        _player(TRACKER, TRACKER, COPELAND),
        _player(ROUND_ROBIN, round_robin, COPELAND, slow=True),
        _player(AT_RANDOM, random_cells, COPELAND, slow=True),
        Player(
            LearnerSpec(WITH_REPLACEMENT),
            COPELAND,
            GROUPS[COPELAND],
            limits=lambda instance: Limits(_TABLES * _cells(instance.problem)),
            covers=lambda instance: not instance.problem.table.ties,
            faces=_table,
        ),
        _player(CONDORCET_TRACKER, CONDORCET_TRACKER, CONDORCET),
        _player(CONDORCET_ROUND_ROBIN, condorcet_round_robin, CONDORCET, slow=True),
        _player(KING, king_of_the_hill, CONDORCET),
    ]


def _player(
    name: str, learner: str | Callable[..., Any], goal: str, *, slow: bool = False
) -> Player:
    """A learner that asks each cell once, with fewer runs where it is slow and cells are many."""

    def limits(instance: Instance) -> Limits:
        cells = _cells(instance.problem) if slow else 0
        runs = _FEW_RUNS if cells > _MANY_CELLS else Limits.runs
        return Limits(runs=runs, too_slow=_TOO_SLOW if cells > _TOO_MANY_CELLS else "")

    return Player(LearnerSpec(learner, label=name), goal, GROUPS[goal], limits=limits)


def _table(duels: ItemDuels) -> Any:
    return duels.table


# A budget without a proof


@dataclass(frozen=True)
class Budget:
    """What the learner with a budget answers on a test set."""

    instance: Instance
    calls: int
    series: Series

    @property
    def wrong(self) -> tuple[int, int]:
        """Runs with a wrong answer, and all."""
        assert self.series.folder is not None
        answers = read_series(self.series.folder, self.series.runs)["answer"]
        right = self.instance.problem.copeland_winners
        return sum(answer not in right for answer in answers), len(answers)


@dataclass(frozen=True, eq=False)
class Measured:
    """The league, and the runs with a budget."""

    played: list[Played]
    budgets: list[Budget]


def league(settings: Settings) -> League:
    """Players on test sets of every kind."""
    instances = item_instances(settings.choose(_FEW, SIZES))
    replaced = f"{WITH_REPLACEMENT} draws cells with replacement, at most {_TABLES} tables of them"
    return League(
        name="league-items",
        title="Who needs the fewest calls",
        heading="Calls until a winner of the table is proved",
        text="Mean calls until the answer, in per cent of the cells of the test set. `round-robin` "
        "and `random-cells` stop by the same proof as `copeland-tracking`, *round-robin "
        "(condorcet)* as `condorcet-tracking`. **>**: a lower bound, as not all runs were done "
        f"when cut off; {replaced}. ✗: so many runs ended with a wrong answer. –: the table has no "
        "Condorcet winner. In brackets: arms tie in the table, and the theorem does not say that "
        "the learner stops.",
        picture="Calls until a winner of the full table is proved, in per cent of its cells",
        notes=[
            "round-robin and random-cells stop by the same proof as tracking.  > : not done when "
            "cut off, a lower bound.  1✗: one run gave a wrong answer.",
            f"{replaced}.  –: there is no Condorcet winner.  Grey: the learner need not stop, as "
            "arms tie.",
        ],
        instances=instances,
        players=item_players(),
        unit="per cent of the cells",
        delta=DELTA,
        samples="calls",
        ahead=(TRACKER, CONDORCET_TRACKER),
        about=_instances_section(instances),
        shares=(
            (TRACKER, {ROUND_ROBIN: 1.0, AT_RANDOM: 1.0}),
            (CONDORCET_TRACKER, {CONDORCET_ROUND_ROBIN: 0.5, KING: 0.75}),
        ),
    )


def measure(settings: Settings) -> Measured:
    """The league, and then the runs with the budgets that follow from it."""
    (played,) = play_leagues([league(settings)], settings)
    budgets = [_budget(each, played, settings) for each in played.league.instances]
    play_longest_first([each.series for each in budgets], settings)
    return Measured([played], budgets)


def _budget(instance: Instance, played: Played, settings: Settings) -> Budget:
    """As many calls as the proof takes on average."""
    amounts = played.table.cell(TRACKER, instance.name).amounts
    calls = round(float(np.mean(amounts)))
    (series,) = plan_series(
        [BUDGETED],
        [instance.problem.table],
        runs=settings.choose(10, 50),
        horizon=calls,
        seed=settings.seed,
        out=settings.out / "runs",
    )
    return Budget(instance, calls, series)


# The page


def _claims(measured: Measured) -> list[Claim]:
    (played,) = measured.played
    counts = [each.wrong for each in measured.budgets]
    wrong = failure_interval(sum(w for w, _ in counts), sum(runs for _, runs in counts))
    return [
        *league_claims(played),
        interval_claim(
            f"A budget is no proof: {BUDGETED}, with the calls that {TRACKER} needs for its proof, "
            f"names a wrong arm with a probability above {DELTA}",
            "the 95 % interval over all runs is above it (Clopper and Pearson)",
            {"wrong in": wrong},
            ".1%",
            low=DELTA,
        ),
    ]


def _budget_section(measured: Measured) -> Section:
    rows = []
    for each in measured.budgets:
        wrong, runs = each.wrong
        found = failure_interval(wrong, runs)
        interval = f"{found.low:.0%} to {found.high:.0%}"
        rows.append([each.instance.name, f"{each.calls:,}", wrong, runs, interval])
    return Section(
        "With a budget, without a proof",
        f"`{BUDGETED}` on coins with the means of the table, for as many calls as `{TRACKER}` "
        "needs on average, and how often the arm that it then names is no Copeland winner.",
        ("instance", "calls", "wrong", "runs", "95 %"),
        rows,
    )


def _instances_section(instances: Sequence[Instance]) -> Section:
    """The test sets, and how far their tables are from a tie."""
    rows = []
    for each in instances:
        duels = each.problem
        outcomes = duels.outcomes[~np.isnan(duels.outcomes)]
        rows.append(
            [
                *(each.name, duels.known, len(duels.items), f"{_cells(duels):,}"),
                f"{(outcomes == 0.5).mean():.0%}",
                ", ".join(map(str, duels.copeland_winners)),
                "yes" if duels.condorcet_winner is not None else "no",
                f"{duels.table.gaps[np.triu_indices(duels.known, 1)].min():.4f}",
            ]
        )
    judges = "; ".join(
        f"*{kind}*: {', '.join(f'{name} {value:g}' for name, value in judge.items()) or 'no more'}"
        for kind, judge in JUDGES.items()
    )
    return Section(
        "Instances",
        "Names end with the numbers of arms and items. All are made by `cpe_opt.random_items` with "
        f"both orders and seed {_SEED}: strengths of standard deviation 0.55, noise of 1.4. "
        f"{judges}. *least advantage*: of the closest pair of the table, over ½.",
        (
            *("instance", "arms", "items", "cells", "ties", "Copeland winners"),
            *("Condorcet winner", "least advantage"),
        ),
        rows,
    )


_LEAGUE = league_study(
    "league-items",
    "The league of fixed test sets",
    "Every dueling learner of this package that asks each cell of a test set once, and others to "
    "compare with",
    lambda settings: [league(settings)],
    lambda settings: "",
)
STUDIES = (
    Study[Measured](
        _LEAGUE.name,
        _LEAGUE.title,
        _LEAGUE.source,
        measure=measure,
        setting=lambda settings, measured: (
            f"delta = {DELTA}. Simulated judges; every pair has a cell for each item in both "
            "orders. The claims are our own."
        ),
        claims=_claims,
        sections=lambda settings, measured: [
            _budget_section(measured),
            *_LEAGUE.sections(settings, measured.played),
        ],
        opening=lambda settings, measured: _LEAGUE.opening(settings, measured.played),
    ),
)
