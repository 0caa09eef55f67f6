"""The league of fixed test sets: who needs the fewest calls to name a winner of the full table.

Every pair of K arms has a cell for each of n items in both orders, with one outcome
(:mod:`cpe_opt.problems.dueling.items`); a call asks for one cell, or looks at one again. What is
counted is the share of the cells that are called until a winner of the table is proved, in per
cent. What the others do that the trackers are compared with, ``pages/league-items.md`` says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HAS_CONDORCET_WINNER, Conditional, HorizonReached, Unproved
from cpe_opt.learners.tracking import NOTHING_PROVED
from cpe_opt.problems.dueling.items import ItemDuels
from cpe_opt.problems.generators import random_items
from cpe_opt.problems.queries import Duel
from cpe_opt.problems.subsets.crowdsourcing import read_crowdsourcing
from cpe_opt.proofs.dueling.condorcet import condorcet_product
from cpe_opt.proofs.dueling.predictable_bets import REFUTED, PredictableBets
from cpe_opt.reproductions.league import League, LeagueInstance, Limits, Player, Target
from cpe_opt.reproductions.league_dueling import BORDA, CONDORCET, COPELAND, DELTA, GROUPS
from cpe_opt.reproductions.league_page import league_study
from cpe_opt.reproductions.study import PageTable, Settings, declared
from cpe_opt.ties import first_largest

TRACKER, CONDORCET_TRACKER = "copeland-tracking", "condorcet-tracking"
BORDA_TRACKER = "borda-tracking"
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
_FEW = ((4, 50), (8, 150))
_SEED = 1
_TABLES = 20  # so often the calls of a learner with replacement may fill the table
_MOST_STAKE = 0.9  # by what the null allows
_GROWTH = 1.1  # between two looks of the king


# Instances


def item_instances(sizes: Sequence[tuple[int, int]]) -> list[LeagueInstance]:
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


def instance(kind: str, duels: ItemDuels) -> LeagueInstance:
    """A test set with its winners; the unit is a hundredth of its cells."""
    percent = _cells(duels) / 100.0
    none = "" if duels.condorcet_winner is not None else "the table has no Condorcet winner"
    goals = {
        COPELAND: Target(percent, duels.copeland_winners.__contains__),
        CONDORCET: Target(percent, (duels.condorcet_winner,).__contains__, missing=none),
        BORDA: Target(percent, duels.borda_winners.__contains__),
    }
    return LeagueInstance(duels, kind, goals, label=f"{duels.known} arms, {len(duels.items)} items")


CROWDS = ("IT", "Medicine", "Chinese", "Pokemon", "English", "Science")


def crowd_instances(folder: Path, names: Sequence[str]) -> list[LeagueInstance]:
    """A test set for each folder of answers in one: workers are the arms, questions the items."""
    found = []
    for name in names:
        crowd = read_crowdsourcing(folder / name)
        right = crowd.right.T
        duels = ItemDuels(
            (1.0 + right[:, None] - right[None]) / 2.0, crowd.workers, name=f"crowd-{name}"
        )
        found.append(instance(name, duels))
    return found


def _cells(duels: ItemDuels) -> int:
    return int(duels.cells.sum()) // 2


# Learners to compare with


class PlainBets:
    """The bets of every pair, with stakes by the answers of that pair alone.

    ``cells`` says how many each pair has, ``left`` how many of them are not asked, both (K, K).
    """

    def __init__(self, cells: npt.ArrayLike) -> None:
        self._cells = np.array(cells, dtype=np.float64)
        self.left, self._total = self._cells.copy(), np.zeros_like(self._cells)
        self.bets = PredictableBets(len(self._cells))
        self.bets.held = self._cells == 0.0
        np.fill_diagonal(self.bets.held, val=False)

    def count(self, i: int, j: int, outcome: float) -> None:
        """Settle the bets on a cell, in which i gets so much against j."""
        for first, second, gained in ((i, j, outcome), (j, i, 1.0 - outcome)):
            asked = self._cells.item(first, second) - self.left.item(first, second)
            expected = (self._total.item(first, second) + 1.0) / (asked + 2.0)
            mean = self._missing(first, second) / self.left.item(first, second)
            if 0.0 < mean < expected:
                ahead = expected - mean
                stake = ahead / (expected * (1.0 - expected) + ahead**2)
                stake = min(_MOST_STAKE / mean, stake)
                self.bets.add(first, second, math.log1p(stake * (gained - mean)))
        for first, second, gained in ((i, j, outcome), (j, i, 1.0 - outcome)):
            self.left[first, second] -= 1.0
            self._total[first, second] += gained
            missing = self._missing(first, second)
            self.bets.held[first, second] = missing <= 0.0
            if missing < 0.0:
                self.bets.refute(first, second)

    def _missing(self, i: int, j: int) -> float:
        """What i has to get until it is certainly not behind j."""
        missing: float = self._cells.item(i, j) / 2.0 - self._total.item(i, j)
        return missing

    def champion(self) -> int:
        """The arm that is ahead of the most others, or behind the fewest; the arm to prove."""
        signs = np.sign(self._total - self._total.T)
        self.bets.target = int(first_largest(signs.sum(axis=1)))
        return self.bets.target

    def copeland_winner(self, needed: float) -> int | None:
        """The champion, if its weakest truth is refuted."""
        champion = self.champion()
        return champion if self.bets.weakest_truth(champion).evidence >= needed else None

    def condorcet_winner(self, needed: float) -> int | None:
        """The arm that is left, if all others are ruled out as Condorcet winners."""
        against = condorcet_product(self.bets.log_f, None)
        against[self.bets.held.any(axis=0)] = REFUTED
        candidates = np.flatnonzero(against < needed)
        return int(candidates[0]) if len(candidates) == 1 else None


def in_turn(left: FloatArray) -> list[tuple[int, int]]:
    """A cell of every pair that has one left."""
    return [(int(i), int(j)) for i, j in np.argwhere(np.triu(left) > 0.0)]


def at_random(left: FloatArray, rng: np.random.Generator) -> list[tuple[int, int]]:
    """As many cells as there are pairs, or as are left, drawn from all that are left."""
    i, j = np.triu_indices(len(left), 1)
    pairs = np.repeat(np.arange(len(i)), left[i, j].astype(np.int64))
    drawn = rng.permutation(pairs)[: len(i)]
    return [(int(i[pair]), int(j[pair])) for pair in drawn]


def _ask(
    cells: npt.ArrayLike,
    delta: float,
    choose: Callable[[FloatArray], list[tuple[int, int]]],
    winner: Callable[[PlainBets, float], int | None],
) -> Generator[Duel, float, int | Unproved]:
    """Ask the cells that are chosen, and look at what they prove, until a winner is proved."""
    bets = PlainBets(cells)
    try:
        while (answer := winner(bets, -math.log(delta))) is None:
            if not (chosen := choose(bets.left)):
                return Unproved(bets.champion(), NOTHING_PROVED)
            for i, j in chosen:
                bets.count(i, j, (yield Duel(i, j)))
    except HorizonReached:
        return Unproved(bets.champion(), NOTHING_PROVED)
    return answer


_identifies = partial(declare, family="dueling", goal="identification")
_finds_copeland_winner = _identifies(
    guarantee="a Copeland winner of the table with probability at least 1 - delta",
    paper="ours, for comparison",
)
_OF_CONDORCET = (
    "the Condorcet winner of the table, if there is one, with probability at least 1 - delta"
)


@_finds_copeland_winner
def round_robin(
    arms: int, *, cells: npt.ArrayLike, delta: float
) -> Generator[Duel, float, int | Unproved]:
    """Ask a cell of every pair in turn, and look after each round."""
    return _ask(cells, delta, in_turn, PlainBets.copeland_winner)


@_finds_copeland_winner
def random_cells(
    arms: int, *, rng: np.random.Generator, cells: npt.ArrayLike, delta: float
) -> Generator[Duel, float, int | Unproved]:
    """Ask cells at random, and look after as many as there are pairs."""
    return _ask(cells, delta, partial(at_random, rng=rng), PlainBets.copeland_winner)


@_identifies(guarantee=_OF_CONDORCET, paper="ours, for comparison", assumption=HAS_CONDORCET_WINNER)
def condorcet_round_robin(
    arms: int, *, cells: npt.ArrayLike, delta: float
) -> Generator[Duel, float, int | Unproved]:
    """Ask a cell of every pair in turn, and look after each round."""
    return _ask(cells, delta, in_turn, PlainBets.condorcet_winner)


@_identifies(
    guarantee=_OF_CONDORCET,
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

    After Bardenet and Maillard (Bernoulli, 2015).

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
    """Everybody who plays, by what they look for."""
    return [
        _player(TRACKER, TRACKER, COPELAND),
        _player(ROUND_ROBIN, round_robin, COPELAND),
        _player(AT_RANDOM, random_cells, COPELAND),
        replace(
            _player(WITH_REPLACEMENT, WITH_REPLACEMENT, COPELAND),
            limits=lambda instance: Limits(_TABLES * _cells(instance.problem)),
            covers=lambda instance: not instance.problem.table.ties,
            faces=_table,
        ),
        _player(CONDORCET_TRACKER, CONDORCET_TRACKER, CONDORCET),
        _player(CONDORCET_ROUND_ROBIN, condorcet_round_robin, CONDORCET),
        _player(KING, king_of_the_hill, CONDORCET),
        _player(BORDA_TRACKER, BORDA_TRACKER, BORDA),
    ]


def _player(name: str, learner: str | Callable[..., Any], goal: str) -> Player:
    """A learner that asks each cell once."""
    return Player(LearnerSpec(learner, label=name), goal, GROUPS[goal])


def _table(duels: ItemDuels) -> Any:
    return duels.table


# The leagues


def simulated(settings: Settings) -> League:
    """Players on simulated test sets of every kind."""
    return league(item_instances(settings.choose(_FEW, SIZES)))


def crowds(settings: Settings) -> League:
    """Players on the answers of real crowds."""
    names = settings.choose(CROWDS[:3], CROWDS)
    folder = settings.needed_folder("crowdsourcing", [f"{name}/answer.csv" for name in names])
    played_on = league(crowd_instances(folder, names))
    return replace(played_on, name="league-items-crowds", shares=())


def league(instances: Sequence[LeagueInstance]) -> League:
    """Players on test sets."""
    return League(
        "league-items",
        list(instances),
        item_players(),
        delta=DELTA,
        about=_about(instances),
        budgeted=replace(_player(BUDGETED, BUDGETED, COPELAND), faces=_table),
        **declared("league-items"),
    )


def _about(instances: Sequence[LeagueInstance]) -> PageTable:
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
    head = "instance;arms;items;cells;ties;Copeland winners;Condorcet winner;least advantage"
    return PageTable(head.split(";"), rows)


STUDIES = (
    league_study("league-items", lambda settings: [simulated(settings)]),
    league_study("league-items-crowds", lambda settings: [crowds(settings)], needs="data"),
)
