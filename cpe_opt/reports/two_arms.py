"""What pairs of games prove of two arms, for people: better than ``low``, worse than ``high``.

It is computed in :mod:`cpe_opt.proofs.dueling.two_arms`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.proofs.dueling.two_arms import (
    SCORES,
    checked_means,
    elo_of_share,
    expected_pairs,
    log_evidence_of_counts,
    share_of_elo,
)
from cpe_opt.reports.report import Analysis, Report, TextTable
from cpe_opt.validation import MOST_ROUNDS, ErrorProbability, Finite, Numbers, Share, checked_types

if TYPE_CHECKING:
    import pandas as pd

_USUAL = np.array([0.02, 0.22, 0.52, 0.22, 0.02])
_ABOUT = (
    "A pair of games has one opening, with colours reversed. Pairs are assumed to be independent "
    "draws from one distribution, as where openings are drawn at random; how the two games of a "
    "pair depend on each other does not matter. “Better” and “worse” are both true between the two "
    "means.",
)


@checked_types
def two_arms(
    pentanomial: Numbers,
    *,
    elo0: Finite | None = None,
    elo1: Finite | None = None,
    low: Share | None = None,
    high: Share | None = None,
    alpha: ErrorProbability = 0.05,
    beta: ErrorProbability = 0.05,
    labels: tuple[str, str] = ("new", "old"),
) -> TwoArms:
    """What counts of pairs of games prove: better than ``elo0``, worse than ``elo1``, or neither.

    The question of a sequential probability ratio test (SPRT); "not worse than by 3 Elo"
    (non-inferiority) is ``elo0=-3, elo1=0``. Errors hold for every distribution of the pairs and at
    every look, if pairs are independent draws from one distribution. Where pairs are played one
    after the other, the learner ``sequential-test`` needs fewer of them.

    Parameters
    ----------
    pentanomial : array_like, shape (5,)
        In how many pairs the first arm got 0, ½, 1, 1½ and 2 points. Of games or votes that are
        independent of each other: losses, 0, draws, 0, wins.
    elo0, elo1, low, high : float
        The question in Elo (400 points are a factor of ten), or as mean shares of the points.
    alpha, beta : float
        The probabilities of "better than elo0" and of "worse than elo1" where they are false.
    labels : pair of str

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> found = cpe.two_arms([260, 1900, 4200, 2150, 330], elo0=0, elo1=5)
    >>> found.proved, round(found.elo, 1)
    ('better', 7.7)
    """
    question = means_of(elo0=elo0, elo1=elo1, low=low, high=high)
    counts = checked_array("pentanomial", pentanomial)
    whole = (counts >= 0.0) & (counts <= MOST_ROUNDS) & (counts == np.floor(counts))
    if counts.shape != (5,) or not whole.all():
        raise InputError(f"pentanomial is {pentanomial!r:.80}, expected five counts, at least 0")
    evidence = log_evidence_of_counts(counts, **question)
    return TwoArms(labels, counts, **question, alpha=alpha, beta=beta, evidence=evidence)


def means_of(**said: float | None) -> dict[str, float]:
    """A question in Elo or in shares as ``low`` and ``high``; :class:`InputError` if it is none."""
    given = {name: value for name, value in said.items() if value is not None}
    if set(given) == {"elo0", "elo1"}:
        given = {"low": share_of_elo(given["elo0"]), "high": share_of_elo(given["elo1"])}
    elif set(given) != {"low", "high"}:
        raise InputError(
            f"{' and '.join(given) or 'nothing'} is said of the means that matter, expected elo0 "
            "and elo1, or low and high"
        )
    checked_means(**given)
    return given


@dataclass(frozen=True, eq=False, repr=False)
class TwoArms(Analysis):
    """What pairs of games prove of two arms; ``print`` it to read it.

    Attributes are those of :func:`two_arms`, the ``counts``, and the ``evidence`` for better and
    for worse, natural logarithms; proved at ln(1/alpha) and ln(1/beta).
    """

    labels: tuple[str, str]
    counts: FloatArray
    low: float
    high: float
    alpha: float
    beta: float
    evidence: tuple[float, float]

    @property
    def name(self) -> str:
        """Both labels."""
        return f"{self.labels[0]} against {self.labels[1]}"

    @property
    def proved(self) -> Literal["better", "worse", ""]:
        """Whether the first arm is better than low, or worse than high; empty if it is open."""
        if self.evidence[0] >= -math.log(self.alpha):
            return "better"
        return "worse" if self.evidence[1] >= -math.log(self.beta) else ""

    @property
    def mean(self) -> float:
        """The share that the first arm got; NaN without pairs."""
        return float(self.counts @ SCORES / self.counts.sum()) if self.counts.any() else math.nan

    @property
    def elo(self) -> float:
        """The same in Elo, an estimate."""
        return elo_of_share(self.mean)

    @property
    def variance(self) -> float:
        """Of a pair, an estimate; before the first that of games of which 70 % are draws."""
        weights = (self.counts + _USUAL) / (self.counts + _USUAL).sum()
        return float(weights @ (SCORES - weights @ SCORES) ** 2)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        said = {name: getattr(self, name) for name in ("proved", "mean", "elo", "variance")}
        return vars(self) | said | {"counts": self.counts.tolist()}

    def table(self) -> pd.DataFrame:
        """One row per outcome of a pair."""
        import pandas as pd

        return pd.DataFrame({"points": 2.0 * SCORES, "pairs": self.counts.astype(int)})

    def report(self) -> Report:
        """The pairs, and what they prove."""
        pairs = [f"{count:,.0f}" for count in self.counts]
        columns = {f"points of {self.labels[0]}": ["0", "½", "1", "1½", "2"], "pairs": pairs}
        return Report(
            title=f"{self.name}: {self.counts.sum():,.0f} pairs",
            proved=bool(self.proved),
            arms=TextTable.of(columns),
            lines=tuple(self.proof_lines()),
            about=_ABOUT,
        )

    def proof_lines(self) -> list[str]:
        """What is proved, the evidence, and how many pairs it takes, a sentence a line."""
        verdict = f"not proved yet: {self.claim('better')}, or {self.claim('worse')}"
        if self.proved:
            error = self.alpha if self.proved == "better" else self.beta
            verdict = f"proved, wrongly at most in {100 * error:.6g} %: {self.claim(self.proved)}"
        pairs = expected_pairs(self.low, self.high, self.alpha, self.beta, self.variance)
        low, halfway, high = (f"{each:,.0f}" for each in pairs)
        return [
            verdict,
            f"mean of {self.labels[0]}: {100.0 * self.mean:.2f} %, {self.elo:+.1f} Elo",
            f"evidence (natural logarithms, as an LLR): {self.evidence[0]:.2f} of "
            f"{-math.log(self.alpha):.2f} for better, {self.evidence[1]:.2f} of "
            f"{-math.log(self.beta):.2f} for worse",
            f"pairs it takes in all, if their variance is {self.variance:.3g}, by Wald's formulas: "
            f"about {low} at {elo_of_share(self.low):.4g} Elo, {halfway} halfway, {high} at "
            f"{elo_of_share(self.high):.4g} Elo",
        ]

    def claim(self, which: Literal["better", "worse"]) -> str:
        """Such as "new is better than 0 Elo (a mean above 0.5)"."""
        mean, side = (self.low, "above") if which == "better" else (self.high, "below")
        elo = f"{elo_of_share(mean):.4g} Elo"
        return f"{self.labels[0]} is {which} than {elo} (a mean {side} {mean:.6g})"
