"""The league of fixed test sets: who needs the fewest calls to name a winner of the full table.

Every pair of K arms has a cell for each of n items in both orders, with one outcome
(:mod:`cpe_opt.problems.dueling.items`); a call asks for one cell, or looks at one again. What is
counted is the share of the cells that are called until a winner of the table is proved, in per
cent. What the trackers are compared with, ``pages/league-items.md`` says.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.formats.problems import load_problem
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HorizonReached, Unproved
from cpe_opt.learners.tracking import NOTHING_PROVED
from cpe_opt.problems.dueling.items import ItemDuels
from cpe_opt.problems.generators import random_items
from cpe_opt.problems.queries import CellSums, Duel
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.proofs.dueling.predictable_bets import PredictableBets
from cpe_opt.reproductions.league import (
    League,
    LeagueInstance,
    Limits,
    Player,
    Target,
    league_study,
)
from cpe_opt.reproductions.league_dueling import BORDA, CONDORCET, COPELAND, GROUPS
from cpe_opt.reproductions.study import Settings, declared
from cpe_opt.ties import first_largest

TRACKER, ROUND_ROBIN, WITH_REPLACEMENT = "copeland-tracking", "round-robin", "pocowista"
SIZES = ((4, 150), (8, 50), (8, 150), (8, 500), (16, 150), (30, 150))
_FEW = ((4, 50), (8, 150))
_CROWD_RUNS = 15  # on six crowds: without an error, as many as show a delta of 0.05
_DECLARED = declared("league-items")
JUDGES: Mapping[str, Mapping[str, Any]] = _DECLARED["judges"]
CROWDS = ("IT", "Medicine", "Chinese", "Pokemon", "English", "Science")
_SEED = 1
_TABLES = 20  # so often the calls of a learner with replacement may fill the table
_MOST_STAKE = 0.9  # by what the null allows


# Instances


def item_instances(sizes: Sequence[tuple[int, int]]) -> list[LeagueInstance]:
    """A test set of every kind and size, by kinds; sizes are arms and items."""
    found = []
    for kind, judge in JUDGES.items():
        start = kind.replace(" % ", "-").replace(" ", "-")
        for arms, items in sizes:
            name = f"{start}-{arms}-{items}"
            duels = random_items(arms, items, **judge, seed=_SEED, name=name)
            found.append(instance(kind, duels))
    return found


def instance(kind: str, duels: ItemDuels) -> LeagueInstance:
    """A test set with its winners; the unit is a hundredth of its cells."""
    percent = _cells(duels) / 100.0
    none = "" if duels.condorcet_winner is not None else "the table has no Condorcet winner"
    goals = {
        COPELAND: Target(percent, duels.copeland_winners.__contains__),
        CONDORCET: Target(percent, (duels.condorcet_winner,).__contains__, missing=none),
        BORDA: Target(percent, duels.borda_winners.__contains__),
    }
    outcomes = duels.outcomes[~np.isnan(duels.outcomes)]
    about = {
        "arms": duels.known,
        "items": len(duels.items),
        "cells": _cells(duels),
        "ties": (outcomes == 0.5).mean(),
        "winners": ", ".join(map(str, duels.copeland_winners)),
        "condorcet": "no" if none else "yes",
        "least": duels.table.gaps[np.triu_indices(duels.known, 1)].min(),
    }
    return LeagueInstance(duels, kind, goals, about)


def crowd_instances(folder: Path, names: Sequence[str]) -> list[LeagueInstance]:
    """A test set for each folder of answers in one: workers are the arms, questions the items."""
    found = []
    for name in names:
        crowd = cast("SubsetBandit", load_problem(folder / name, 1))
        right = cast("FloatArray", crowd.outcomes).T
        outcomes = (1.0 + right[:, None] - right[None]) / 2.0
        found.append(instance(name, ItemDuels(outcomes, crowd.labels, name=f"crowd-{name}")))
    return found


def _cells(duels: ItemDuels) -> int:
    return int(duels.cells.sum()) // 2


# A learner to compare with


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

    def count(self, i: int, j: int, sums: CellSums) -> None:
        """Settle the bets on a cell of i and j."""
        outcomes = (((i, j), sums.won), ((j, i), sums.lost))
        for pair, gained in outcomes:
            left, total = self.left.item(pair), self._total.item(pair)
            expected = (total + 1.0) / (self._cells.item(pair) - left + 2.0)
            mean = (self._cells.item(pair) / 2.0 - total) / left
            if 0.0 < mean < expected:
                ahead = expected - mean
                stake = ahead / (expected * (1.0 - expected) + ahead**2)
                stake = min(_MOST_STAKE / mean, stake)
                self.bets.add(*pair, math.log1p(stake * (gained - mean)))
        for pair, gained in outcomes:
            self.left[pair] -= 1.0
            self._total[pair] += gained
            missing = self._cells.item(pair) / 2.0 - self._total.item(pair)
            self.bets.held[pair] = missing <= 0.0
            if missing < 0.0:
                self.bets.refute(*pair)

    def champion(self) -> int:
        """The arm that is ahead of the most others, or behind the fewest; the arm to prove."""
        signs = np.sign(self._total - self._total.T)
        self.bets.target = int(first_largest(signs.sum(axis=1)))
        return self.bets.target


@declare(
    family="dueling",
    goal="identification",
    guarantee="a Copeland winner of the table with probability at least 1 - delta",
    paper="ours, for comparison",
)
def round_robin(
    arms: int, *, cells: npt.ArrayLike, delta: float
) -> Generator[Duel, CellSums, int | Unproved]:
    """Ask a cell of every pair in turn, and look after each round whether a winner is proved."""
    plain = PlainBets(cells)
    try:
        while plain.bets.weakest_truth(plain.champion()).evidence < -math.log(delta):
            if not plain.left.any():
                return Unproved(plain.champion(), NOTHING_PROVED)
            for i, j in np.argwhere(np.triu(plain.left) > 0.0).tolist():
                plain.count(i, j, (yield Duel(i, j)))
    except HorizonReached:
        return Unproved(plain.champion(), NOTHING_PROVED)
    return plain.champion()


# The leagues


def item_players() -> list[Player]:
    """Everybody who plays, by what they look for; pocowista draws cells of the table again."""

    def player(name: str, goal: str, learner: Any = None) -> Player:
        return Player(LearnerSpec(learner or name, label=name), goal, GROUPS[goal])

    return [
        player(TRACKER, COPELAND),
        player(ROUND_ROBIN, COPELAND, round_robin),
        replace(
            player(WITH_REPLACEMENT, COPELAND),
            limits=lambda instance: Limits(_TABLES * _cells(instance.problem)),
            covers=lambda instance: not instance.problem.table.ties,
            faces=lambda duels: duels.table,
        ),
        player("condorcet-tracking", CONDORCET),
        player("borda-tracking", BORDA),
    ]


def simulated(settings: Settings) -> League:
    """Players on simulated test sets of every kind."""
    instances = item_instances(settings.choose(_FEW, SIZES))
    return League("league-items", instances, item_players(), **_DECLARED["league"])


def crowds(settings: Settings) -> League:
    """Players on the answers of real crowds."""
    names = settings.choose(CROWDS[:3], CROWDS)
    folder = settings.needed_folder("crowdsourcing", [f"{name}/answer.csv" for name in names])
    said = {**_DECLARED["league"], "shares": (), "runs": _CROWD_RUNS}
    return League("league-items-crowds", crowd_instances(folder, names), item_players(), **said)


STUDIES = (
    league_study("league-items", lambda settings: [simulated(settings)]),
    league_study("league-items-crowds", lambda settings: [crowds(settings)], needs="data"),
)
