r"""What votes prove at once: who beats whom, and which arms are winners.

Three claims share the probability :math:`\delta` of an error, and every statement about a winner
follows from them (:mod:`cpe_opt.proofs.dueling.winners`). With probability at least
:math:`1 - \delta` none of the statements is wrong, whatever rule chose the pairs, and at whatever
times one looks at a growing log. How many further duels would prove a Copeland winner is in
:mod:`cpe_opt.proofs.dueling.remaining_duels`; the sentences and tables are in
:mod:`cpe_opt.reports.evidence`.
"""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass
from typing import Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray
from cpe_opt.formulations.dueling.cheapest_flips import CheapestFlips
from cpe_opt.problems.clusters import ClusterScores
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.proofs.dueling.borda import borda_order
from cpe_opt.proofs.dueling.e_values import log_e_of_votes
from cpe_opt.proofs.dueling.pairs import PairProof, equal_pairs, pair_proof
from cpe_opt.proofs.dueling.remaining_duels import RemainingDuels, remaining_duels
from cpe_opt.proofs.dueling.winners import (
    BORDA_SHARE,
    COPELAND_SHARE,
    PAIRS_SHARE,
    WITHOUT_MARGIN,
    WinnerStatus,
    borda_statuses,
    condorcet_statuses,
    copeland_statuses,
    statuses_within,
    tiers_of,
)
from cpe_opt.solvers.options import SolveOptions


@dataclass(frozen=True, eq=False)
class Statements:
    """What votes prove, all of it at once up to the probability ``delta`` of an error.

    Attributes
    ----------
    votes : Votes
    estimate : PreferenceMatrix
        The fractions of wins.
    delta : float
    pairs : PairProof
        What each pair holds against a truth that contradicts it.
    copeland, condorcet, borda : dict of str to str
        Of each arm, by its label in the order of the votes: ``"proved"``, ``"possible"`` or
        ``"ruled out"``. There may be several Copeland winners.
    explanations : dict of str to CheapestFlips
        For each possible Copeland winner by its label: the pairs that would have to be the other
        way round; none for those that are winners by the estimate.
    larger_borda : bool array, shape (K, K)
        ``larger_borda[i, j]``: i is proved to have a larger Borda score than j.
    margin : float
        0, or what is said of winners within it, too.
    within_margin : dict of str to str
        Of each arm, whether nothing is ahead of it by more than the margin: ``"proved"`` or
        ``"possible"``; empty without a margin.
    equal : bool array, shape (K, K)
        ``equal[i, j]``: i and j are proved to be equal within the margin.
    """

    votes: Votes
    estimate: PreferenceMatrix
    delta: float
    pairs: PairProof
    copeland: dict[str, WinnerStatus]
    condorcet: dict[str, WinnerStatus]
    borda: dict[str, WinnerStatus]
    explanations: dict[str, CheapestFlips]
    larger_borda: BoolArray
    margin: float
    within_margin: dict[str, WinnerStatus]
    equal: BoolArray

    @property
    def beats(self) -> BoolArray:
        """``beats[i, j]``: it is proved that i beats j; shape (K, K)."""
        return self.pairs.beats

    @property
    def tied_set(self) -> tuple[str, ...]:
        """The arms that may be Copeland winners, once every two are proved equal within the margin.

        Labels in the order of the votes; none before that, and none where a single arm is left.
        """
        left = [arm for arm, each in enumerate(self.copeland.values()) if each != "ruled out"]
        pairs = itertools.combinations(left, 2)
        tied = len(left) > 1 and all(self.equal[pair] for pair in pairs)
        return tuple(self.votes.labels[arm] for arm in left) if tied else ()

    @property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """Groups of arms by their labels, the best first: each is proved to beat all later ones.

        As many groups as are proved; within one the best by the estimate is first.
        """
        place = {arm: rank for rank, arm in enumerate(self.ranking)}
        return tuple(
            tuple(self.votes.labels[arm] for arm in sorted(tier, key=place.__getitem__))
            for tier in tiers_of(self.beats)
        )

    @property
    def some_proved(self) -> bool:
        """Whether anything is: of a pair, of Borda scores, or of a winner."""
        statuses = {each for arms in self.statuses().values() for each in arms.values()}
        relations = (self.beats, self.equal, self.larger_borda)
        return any(each.any() for each in relations) or bool(statuses - {"possible"})

    def statuses(self) -> dict[str, dict[str, WinnerStatus]]:
        """Those of all arms by the definitions of a winner, as plain values."""
        found = {"copeland": self.copeland, "condorcet": self.condorcet, "borda": self.borda}
        return {**found, "within_margin": self.within_margin} if self.margin else found

    @property
    def ranking(self) -> tuple[int, ...]:
        """The arms by losses of the estimate, then by its Borda scores."""
        estimate = self.estimate
        scores = np.rint(estimate.borda_scores * 2.0**30)
        return tuple(np.lexsort((-scores, estimate.losses)).tolist())


def statements(votes: Votes, delta: float, margin: float = 0.0) -> Statements:
    """What votes prove, all of it at once up to the probability ``delta`` of an error."""
    estimate = PreferenceMatrix.from_votes(votes)
    wins, independent = votes.proving_wins, votes.independent
    log_e = log_e_of_votes(votes)
    part = delta_without_margin(delta, margin)
    pairs = pair_proof(estimate.array, log_e, PAIRS_SHARE * part, independent=independent)
    copeland, flips = copeland_statuses(
        estimate, log_e, pairs, COPELAND_SHARE * part, independent=independent
    )
    within: list[WinnerStatus] = []
    equal = np.zeros_like(pairs.beats)
    if margin:
        log_e = log_e_of_votes(votes, 0.5 - margin)
        within = statuses_within(
            estimate.array, log_e, margin, COPELAND_SHARE * (delta - part), independent=independent
        )
        equal = equal_pairs(log_e, PAIRS_SHARE * (delta - part))
    clusters = None if independent else votes.counts.scores or ClusterScores.of_counts(wins)
    larger = borda_order(wins, BORDA_SHARE * delta, clusters)
    labels = votes.labels

    def by_label(statuses: list[WinnerStatus]) -> dict[str, WinnerStatus]:
        return dict(zip(labels, statuses, strict=True))

    return Statements(
        votes=votes,
        estimate=estimate,
        delta=delta,
        pairs=pairs,
        copeland=by_label(copeland),
        condorcet=by_label(condorcet_statuses(pairs)),
        borda=by_label(borda_statuses(larger)),
        explanations={
            labels[arm]: cheapest for arm, cheapest in flips.items() if copeland[arm] == "possible"
        },
        larger_borda=larger,
        margin=margin,
        within_margin=by_label(within) if margin else {},
        equal=equal,
    )


def delta_without_margin(delta: float, margin: float) -> float:
    """The delta of whose shares the claims of pairs and of the weakest truth have theirs."""
    return WITHOUT_MARGIN * delta if margin else delta


@dataclass(frozen=True, eq=False, kw_only=True)
class VoteEvidence(Statements):
    """What votes prove, and how many further duels would prove a Copeland winner.

    Attributes
    ----------
    remaining : RemainingDuels
        Further duels that would prove a Copeland winner, if estimates stay; none where one is
        proved.
    """

    remaining: RemainingDuels


def vote_evidence(
    votes: Votes,
    delta: float,
    *,
    margin: float = 0.0,
    prices: npt.ArrayLike | str | os.PathLike[str] | None = None,
    **solving: Unpack[SolveOptions],
) -> VoteEvidence:
    """What votes prove, and what would prove a Copeland winner; see :func:`cpe_opt.evidence`."""
    proved = statements(votes, delta, margin)
    winners = (arm for arm, label in enumerate(votes.labels) if proved.copeland[label] == "proved")
    part = delta_without_margin(delta, margin)
    remaining = remaining_duels(
        votes, proved.estimate, part, next(winners, None), prices=prices, **solving
    )
    return VoteEvidence(**vars(proved), remaining=remaining)
