r"""What scores of teams prove: which team is the best, who is in it, and which team to see next.

The best team of the estimate is proved where no other set can be better. However the teams were
chosen, also by the scores before, :mod:`cpe_opt.proofs.subsets.adaptive_samples` bounds how much
better each is, at any time at which one looks; of teams that were *planned* before any score was
seen, the narrower bound of one block does, :mod:`cpe_opt.proofs.subsets.listed_blocks`. Both
are for scores whose noise is :math:`\sigma`-sub-Gaussian. Where :math:`\sigma` is not given, a
tenth of delta is for its bound from the residuals being too small at any time
(:mod:`cpe_opt.proofs.subsets.noise_bound`, which says what that takes for granted), the rest
for the proof.

All of it assumes that scores do not depend on each other: columns of the log by which they may,
such as "judge" or "user" with values that repeat, are named in a warning.

Who is in the best team is said in :mod:`cpe_opt.reports.team_evidence`. The next teams are those
of the block that ``subset-tracking`` plans after these scores.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.subsets.leading_set import best_on_grid
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.subsets.block_designs import BlockDesign
from cpe_opt.learners.subsets.block_tracker import BlockTracker
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.problems.subsets.team_scores import TeamScores
from cpe_opt.proofs.subsets.adaptive_samples import SelfNormalizedBound
from cpe_opt.proofs.subsets.listed_blocks import BlockBounds, Rivals
from cpe_opt.proofs.subsets.noise_bound import SIGMA_SHARE, largest_sigma, noise_assumed
from cpe_opt.reports.report import Analysis, TextTable
from cpe_opt.validation import checked_number, checked_probability, checked_types

if TYPE_CHECKING:
    import pandas as pd
from typing import Literal, TypeAlias

from cpe_opt.arrays import IntArray

_LISTED = 10
_WORDS = {"in": "yes", "possible": "possibly", "out": "no"}


@dataclass(frozen=True, eq=False, kw_only=True)
class TeamEvidence(Analysis):
    """What scores of teams prove; ``print`` it to read it.

    Attributes
    ----------
    scores : TeamScores
    decisions : DecisionClass
    delta : float
    sigma : float
        The standard deviation of one score.
    sigma_given : bool
        Whether it was given; else it is a bound from the residuals, which holds at all times.
    planned : bool
        Whether the teams are taken to have been chosen before any score was seen.
    theta : float array, shape (n,)
        What each element adds, by least squares; the smallest such numbers where several do.
    best : tuple of int
        The best set of the estimate.
    loss : float
        By how much another set may be better than that, at most; 0 where it is proved.
    standing : tuple of "in", "possible" or "out", length n
        Whether each element is in the best set.
    missing : float
        About how many further scores prove it, if estimates stay; infinite where that is not known.
    next : tuple of (tuple of int, int)
        Sets to see next, and how often, the most often first; nothing where the best set is proved.
    """

    scores: TeamScores
    decisions: DecisionClass
    delta: float
    sigma: float
    sigma_given: bool
    planned: bool
    theta: FloatArray
    best: tuple[int, ...]
    loss: float
    standing: tuple[Standing, ...]
    missing: float
    next: tuple[tuple[tuple[int, ...], int], ...]

    @property
    def proved(self) -> bool:
        """Whether the best set of the estimate is proved to be the best one."""
        return self.loss == 0.0

    @property
    def assumes(self) -> tuple[str, ...]:
        """On what all that is said rests."""
        planned = ("teams were chosen before any score was seen",) if self.planned else ()
        return (*planned, noise_assumed(given=self.sigma_given, planned=self.planned))

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        labels = self.decisions.labels
        return {
            "name": self.scores.name,
            "class": self.decisions.name,
            "delta": self.delta,
            "scores": int(self.scores.counts.sum()),
            "sigma": self.sigma,
            "sigma_given": self.sigma_given,
            "planned": self.planned,
            "assumes": list(self.assumes),
            "clusters": [asdict(each) for each in self.scores.clusters],
            "best": [labels[e] for e in self.best],
            "proved": self.proved,
            "loss": self.loss,
            "adds": dict(zip(labels, self.theta.tolist(), strict=True)),
            "standing": dict(zip(labels, self.standing, strict=True)),
            "missing": self.missing,
            "next": [
                {"team": [labels[e] for e in chosen], "times": times} for chosen, times in self.next
            ],
        }

    def table(self) -> pd.DataFrame:
        """A row an element, the best first: its label, what it adds, how often it was seen."""
        import pandas as pd

        order, seen = self._order(), self._seen()
        return pd.DataFrame(
            {
                "element": order,
                "label": [self.decisions.labels[e] for e in order],
                "adds": self.theta[order],
                "seen": seen[order],
                "in_best": [self.standing[e] for e in order],
            }
        )

    def report(self) -> list[str | TextTable]:
        """Members, what is proved, and which team is next."""
        labels, seen = self.decisions.labels, self._seen()
        members = TextTable(
            ["member", "adds", "seen", "in the best team"],
            [
                [labels[e], f"{self.theta[e]:.4g}", f"{seen[e]:,.0f}", _WORDS[self.standing[e]]]
                for e in self._order()
            ],
            title=f"{self.scores.name}: {_scores(int(self.scores.counts.sum()))}, "
            f"{self.decisions.name}",
        )
        return [members, *self.proof_lines(), *self.next_lines()]

    def proof_lines(self) -> list[str]:
        """What is proved, and on what that rests, a sentence a line."""
        sigma = f"sigma of a score: {self.sigma:.4g}, as given"
        if not self.sigma_given:
            sigma = (
                f"sigma of a score: at most {self.sigma:.4g} by what members do not explain; "
                "--sigma gives another"
            )
        who = self.decisions.describe(self.best)
        if self.proved:
            proved = f"{who} is the best team"
        elif math.isinf(self.loss):
            proved = f"nothing yet of {who}, which is ahead"
        else:
            proved = f"no team is better by more than {self.loss:.3g} than {who}, which is ahead"
        confidence = f"{100.0 * (1.0 - self.delta):.4g} %"
        way = "" if self.planned else ", however teams were chosen"
        shown = self.assumes if self.planned or not self.sigma_given else ()
        way += f", if {', and '.join(shown)}" if shown else ""
        warnings = [each.warning("scores") for each in self.scores.clusters]
        return [sigma, f"proved at {confidence}{way}: {proved}", *warnings]

    def next_lines(self) -> list[str | TextTable]:
        """Which teams to see next; nothing where the best one is proved."""
        if not self.next:
            return []
        describe = self.decisions.describe
        about = ""
        if math.isfinite(self.missing):
            further = _scores(max(1, round(self.missing)), "further ")
            about = f"; about {further} to a proof, if estimates stay"
        teams = TextTable(
            ["team", "times"],
            [[describe(chosen), times] for chosen, times in self.next[:_LISTED]],
            title=f"the next {_scores(sum(times for _, times in self.next))}"
            + (f", the first {_LISTED} of {len(self.next):,} teams" * (len(self.next) > _LISTED)),
        )
        return [f"next: {describe(self.next[0][0])}{about}", teams]

    def _seen(self) -> FloatArray:
        """How often each element was in a team."""
        seen = np.zeros(self.decisions.size)
        for chosen, times, _ in self.scores.totals(self.decisions):
            seen[list(chosen)] += times
        return seen

    def _order(self) -> list[int]:
        return [int(e) for e in np.argsort(-self.theta, kind="stable")]


def _scores(count: int, more: str = "") -> str:
    """Such as ``1 further score``."""
    return f"{count:,} {more}score{'s' * (count != 1)}"


@checked_types
def team_evidence(
    scores: TeamScores,
    decisions: DecisionClass | None = None,
    *,
    delta: float = 0.05,
    sigma: float | None = None,
    planned: bool = False,
    seed: int = 0,
) -> TeamEvidence:
    """What scores of teams prove, and which team to try next.

    Parameters
    ----------
    scores : TeamScores
    decisions : DecisionClass, optional
        Which teams may be chosen; by default all of as many members as those that were seen. A
        matroid, or a class of at most 20,000 sets.
    delta : float
        The probability that anything said is wrong.
    sigma : float, optional
        Of one score; where it is not given, the largest that the residuals allow
        (:func:`cpe_opt.proofs.subsets.noise_bound.largest_sigma`, on assumptions).
    planned : bool
        Whether teams were chosen before any score was seen; then the scores prove more.
    seed : int
        Of the search for teams to see next.

    Raises
    ------
    InputError
        Where a team is not in the class, or the scores tell no sigma.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> pairs = [["ann", "bob"], ["ann", "cleo"], ["bob", "cleo"]]
    >>> log = cpe.TeamScores(pairs, [5.0, 4.0, 3.0], [40, 40, 40])
    >>> found = cpe.team_evidence(log, sigma=1.0)
    >>> found.decisions.describe(found.best), found.proved, found.standing
    ('{ann, bob}', True, ('in', 'in', 'out'))
    """
    checked_probability("delta", delta)
    decisions = scores.decisions() if decisions is None else decisions
    totals = scores.totals(decisions)
    given, share = sigma is not None, delta
    if sigma is None:
        sigma = largest_sigma(scores, SIGMA_SHARE * delta, planned=planned)
        share = (1.0 - SIGMA_SHARE) * delta
    sigma = checked_number("sigma", sigma, above=0.0)
    vectors = indicators([chosen for chosen, _, _ in totals], decisions.size)
    times = np.array([count for _, count, _ in totals], dtype=np.int64)
    sums = np.array([total for _, _, total in totals]) / sigma
    theta = shortest_estimate(vectors, times, sums)
    oracle = SubsetOracle(decisions)
    best = best_on_grid(oracle, theta)
    rivals = Rivals(decisions, best)
    rows = rivals.rows(best)
    if planned:
        bounds = BlockBounds(rivals, share)
        bounds.add(*block_estimate(vectors, times, sums))
        with np.errstate(divide="ignore"):  # of what was not seen
            lower = bounds.lower(rows, *bounds.sums(rows))
    else:
        lower = SelfNormalizedBound(vectors, times, sums).lower(rows, math.log(1.0 / share))
    loss = rivals.loss(best, lower) if np.isfinite(lower).all() else math.inf
    following, missing = [], 0.0
    if loss > 0.0:
        design = BlockDesign.of_sets(decisions, np.random.default_rng(seed))
        tracker = BlockTracker(oracle, rivals, design, share, 0.0, 1)
        tracker.recall(vectors, times, sums, planned=planned)
        block = tracker.plan()
        missing = tracker.missing
        following = [
            (tuple(np.flatnonzero(design.vectors[place] > 0.5).tolist()), int(block[place]))
            for place in np.argsort(-block, kind="stable")
            if block[place]
        ]
    return TeamEvidence(
        scores=scores,
        decisions=decisions,
        delta=delta,
        sigma=sigma,
        sigma_given=given,
        planned=planned,
        theta=theta * sigma,
        best=best,
        loss=loss * sigma,
        standing=standings(decisions, rivals, best, lower),
        missing=missing,
        next=tuple(following),
    )


# Who is in the best team, by bounds on differences of sets.
#
# Of a class that is listed, a member is in the best team where every set without it is proved to be
# worse, and not in it where every set with it is. Of a matroid, a member e of the base is in the
# best one where it is proved to be better than all that it may be exchanged for, for it is the only
# best one of a cocircuit then; and f is not where it is proved to be worse than all that may be
# exchanged for it, the only worst one of a circuit.


Standing: TypeAlias = Literal["in", "possible", "out"]


def shortest_estimate(vectors: FloatArray, times: IntArray, sums: FloatArray) -> FloatArray:
    """Least squares; the smallest numbers where several do."""
    root = np.sqrt(times)
    return np.asarray(np.linalg.lstsq(root[:, None] * vectors, sums / root, rcond=1e-9)[0])


def block_estimate(
    vectors: FloatArray, times: IntArray, sums: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Least squares of a block, its inverse on the span, and the projection on all else."""
    information = vectors.T @ (times[:, None] * vectors)
    inverse = np.asarray(np.linalg.pinv(information, rcond=1e-9, hermitian=True), np.float64)
    hidden = np.eye(len(information)) - information @ inverse
    return inverse @ (vectors.T @ sums), inverse, (hidden + hidden.T) / 2.0


def standings(
    decisions: DecisionClass, rivals: Rivals, best: tuple[int, ...], lower: FloatArray
) -> tuple[Standing, ...]:
    """Of each element, where ``lower`` are the bounds of the rows of the best set."""
    rows, inside = rivals.rows(best), np.zeros(decisions.size, dtype=bool)
    inside[list(best)] = True
    found: list[Standing] = []
    for element in range(decisions.size):
        against = lower[rows[:, element] != 0.0]
        sure = bool((against > 0.0).all())
        word: Standing = "in" if inside[element] else "out"
        found.append(word if sure else "possible")
    return tuple(found)
