r"""What votes prove at once: who beats whom, and which arms are winners.

Three claims share the probability :math:`\delta` of an error, and every statement about a winner
follows from them; two arms need one claim alone (:mod:`cpe_opt.proofs.dueling.winners`). With
probability at least :math:`1 - \delta` none of the statements is wrong, whatever rule chose the
pairs, and at whatever times one looks at a growing log. How many further duels would prove a
Copeland winner is in :mod:`cpe_opt.proofs.dueling.remaining_duels`; the sentences and tables are in
:mod:`cpe_opt.reports.evidence`.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.formulations.dueling.cheapest_flips import CheapestFlips
from cpe_opt.problems.clusters import ClusterScores
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.progress_line import step
from cpe_opt.proofs.dueling.borda import borda_evidence, borda_order, cluster_evidence
from cpe_opt.proofs.dueling.e_values import log_e_of_votes
from cpe_opt.proofs.dueling.pairs import PairProof, equal_pairs, pair_proof
from cpe_opt.proofs.dueling.ranks import borda_ranks, copeland_ranks, with_winners
from cpe_opt.proofs.dueling.remaining_duels import RemainingDuels, remaining_duels
from cpe_opt.proofs.dueling.winners import (
    BORDA_SHARE,
    COPELAND_SHARE,
    WITHOUT_MARGIN,
    WinnerStatus,
    best_statuses,
    condorcet_statuses,
    copeland_statuses,
    pairs_share,
    statuses_within,
    tiers_of,
)
from cpe_opt.solvers.options import SolveOptions

_CERTAIN = ("proved", "ruled out")


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
    explanations : mapping from str to CheapestFlips
        For each possible Copeland winner by its label: the pairs that would have to be the other
        way round; none for those that are winners by the estimate. Found when they are asked for.
    larger_borda : bool array, shape (K, K)
        ``larger_borda[i, j]``: i is proved to have a larger Borda score than j.
    ranks, copeland_ranks : dict of str to (int, int)
        The best and the worst rank of each arm by Borda and by Copeland scores, 1 for the best arm;
        arms with equal scores share the best rank of their group.
    top : int or None
        k, if the k best arms were asked for.
    top_borda, top_copeland : dict of str to str
        Of each arm, whether it is one of the k best by these scores: ``"proved"``, ``"possible"``
        or ``"ruled out"``; empty unless they were asked for.
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
    explanations: Mapping[str, CheapestFlips]
    larger_borda: BoolArray
    ranks: dict[str, tuple[int, int]]
    copeland_ranks: dict[str, tuple[int, int]]
    top: int | None
    top_borda: dict[str, WinnerStatus]
    top_copeland: dict[str, WinnerStatus]
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
        """The arms by Borda scores of the estimate, then by its losses."""
        return tuple(np.lexsort((self.estimate.losses, -self._scores)).tolist())

    @property
    def favourite(self) -> int:
        """The arm with the fewest losses of the estimate, of several that with the best score."""
        return int(np.lexsort((-self._scores, self.estimate.losses))[0])

    @property
    def _scores(self) -> FloatArray:
        """Borda scores of the estimate, equal ones alike on every machine."""
        return np.rint(self.estimate.borda_scores * 2.0**30)


def statements(
    votes: Votes, delta: float, margin: float = 0.0, top: int | None = None
) -> Statements:
    """What votes prove, all of it at once up to the probability ``delta`` of an error."""
    estimate = PreferenceMatrix.from_votes(votes)
    independent = votes.independent
    step("who beats whom")
    log_e = log_e_of_votes(votes)
    part, share = delta_without_margin(delta, margin), pairs_share(votes.arms)
    pairs = pair_proof(estimate.array, log_e, share * part, independent=independent)
    two = votes.arms == 2
    if two:  # whose statements are one: no tie is told from a reversal
        pairs = replace(pairs, reversal=pairs.cost)
    step("Copeland winners")
    copeland, flips = copeland_statuses(
        estimate, log_e, pairs, COPELAND_SHARE * part, independent=independent
    )
    within: list[WinnerStatus] = []
    equal = np.zeros_like(pairs.beats)
    if margin:
        log_e = log_e_of_votes(votes, 0.5 - margin)
        of_within = (1.0 if two else COPELAND_SHARE) * (delta - part)
        within = statuses_within(estimate.array, log_e, margin, of_within, independent=independent)
        equal = equal_pairs(log_e, share * (delta - part))
    winner, no_winner = (np.array([each == kind for each in copeland]) for kind in _CERTAIN)
    by_copeland = with_winners(copeland_ranks(pairs), winner, no_winner)
    step("Borda scores and ranks")
    larger_borda, by_borda = (
        (pairs.beats, by_copeland) if two else _of_borda_scores(votes, BORDA_SHARE * delta)
    )
    labels = votes.labels

    def by_label(statuses: list[WinnerStatus]) -> dict[str, WinnerStatus]:
        return dict(zip(labels, statuses, strict=True))

    def ranks(found: IntArray) -> dict[str, tuple[int, int]]:
        ends = zip(found[:, 0].tolist(), found[:, 1].tolist(), strict=True)
        return dict(zip(labels, ends, strict=True))

    def of_best(found: IntArray) -> dict[str, WinnerStatus]:
        return {} if top is None else by_label(best_statuses(found, top))

    return Statements(
        votes=votes,
        estimate=estimate,
        delta=delta,
        pairs=pairs,
        copeland=by_label(copeland),
        condorcet=by_label(condorcet_statuses(pairs)),
        borda=by_label(best_statuses(by_borda)),
        explanations=flips,
        larger_borda=larger_borda,
        ranks=ranks(by_borda),
        copeland_ranks=ranks(by_copeland),
        top=top,
        top_borda=of_best(by_borda),
        top_copeland=of_best(by_copeland),
        margin=margin,
        within_margin=by_label(within) if margin else {},
        equal=equal,
    )


def _of_borda_scores(votes: Votes, delta: float) -> tuple[BoolArray, IntArray]:
    """Which arm's Borda score is proved to be larger, and ranks by them; shapes (K, K), (K, 2)."""
    wins = votes.proving_wins
    if votes.independent:
        evidence = borda_evidence(wins)
    else:
        evidence = cluster_evidence(votes.counts.scores or ClusterScores.of_counts(wins))
    return borda_order(evidence, delta), borda_ranks(evidence, delta)


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
    top: int | None = None,
    prices: npt.ArrayLike | None = None,
    **solving: Unpack[SolveOptions],
) -> VoteEvidence:
    """What votes prove, and what would prove a Copeland winner; see :func:`cpe_opt.evidence`."""
    proved = statements(votes, delta, margin, top)
    winners = (arm for arm, label in enumerate(votes.labels) if proved.copeland[label] == "proved")
    part = delta_without_margin(delta, margin)
    step("the duels that remain")
    remaining = remaining_duels(
        votes, proved.estimate, part, next(winners, None), prices=prices, **solving
    )
    return VoteEvidence(**vars(proved), remaining=remaining)
