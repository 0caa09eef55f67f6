"""What pairs of games prove of two arms, for people: better than ``low``, worse than ``high``.

It is computed in :mod:`cpe_opt.proofs.dueling.two_arms`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError, listed
from cpe_opt.problems.answer_rows import AnswerRows
from cpe_opt.proofs.dueling.two_arms import (
    SCORES,
    TwoArmBets,
    checked_means,
    elo_of_share,
    expected_pairs,
    log_evidence_of_counts,
    share_of_elo,
)
from cpe_opt.reports.report import Analysis, Report, TextTable
from cpe_opt.validation import MOST_ROUNDS, ErrorBelowHalf, Finite, Numbers, Share, checked_types

if TYPE_CHECKING:
    import pandas as pd

_USUAL = np.array([0.02, 0.22, 0.52, 0.22, 0.02])
_ABOUT = (
    "A pair of games has one opening, with colours reversed. Pairs are assumed to be independent "
    "draws from one distribution, as where openings are drawn at random, and their order not to "
    "depend on results; how the two games of a pair depend on each other does not matter. “Better” "
    "and “worse” are both true between the two means.",
)
Which: TypeAlias = Literal["better", "worse"]


@checked_types
def two_arms(
    pairs: Numbers | AnswerRows,
    *,
    elo0: Finite | None = None,
    elo1: Finite | None = None,
    low: Share | None = None,
    high: Share | None = None,
    alpha: ErrorBelowHalf = 0.05,
    beta: ErrorBelowHalf = 0.05,
    labels: tuple[str, str] = ("new", "old"),
    anchor: str | None = None,
) -> TwoArms:
    """What pairs of games prove of two arms: better than ``elo0``, worse than ``elo1``, or neither.

    The question of a sequential probability ratio test (SPRT); "not worse than by 3 Elo"
    (non-inferiority) is ``elo0=-3, elo1=0``. Errors hold for every distribution of the pairs and at
    every look, if pairs are independent draws from one distribution. Rows without counts are tested
    in their order, as the learner ``sequential-test`` does, and fewer of them are enough.

    Parameters
    ----------
    pairs : array_like, shape (5,), or AnswerRows
        In how many pairs the first arm got 0, ½, 1, 1½ and 2 points. Of games or votes that are
        independent of each other: losses, 0, draws, 0, wins. Or what
        :func:`cpe_opt.read_answer_rows` gives, each row a vote, or the mean of a pair of games.
    elo0, elo1, low, high : float
        The question in Elo (400 points are a factor of ten), or as mean shares of the points.
    alpha, beta : float
        The probabilities of "better than elo0" and of "worse than elo1" where they are false.
    labels, anchor : pair of str, str
        Of counts both arms; of rows the old one, by default the one that all of them name second.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> found = cpe.two_arms([260, 1900, 4200, 2150, 330], elo0=0, elo1=5)
    >>> found.proved, round(found.elo, 1)
    ('better', 7.7)
    """
    question = means_of(elo0=elo0, elo1=elo1, low=low, high=high)
    question |= {"alpha": alpha, "beta": beta}
    if isinstance(pairs, AnswerRows):
        return tested_in_order(*_scores_and_labels(pairs, anchor), question)
    if anchor is not None:
        raise InputError(f"anchor is {anchor!r}, and has no effect on counts, which have labels")
    counts = checked_array("pairs", pairs)
    whole = (counts >= 0.0) & (counts <= MOST_ROUNDS) & (counts == np.floor(counts))
    if counts.shape != (5,) or not whole.all():
        raise InputError(f"pairs is {pairs!r:.80}, expected five counts, at least 0")
    evidence = log_evidence_of_counts(counts, question["low"], question["high"])
    return TwoArms(labels, counts, **question, evidence=evidence)


def tested_in_order(
    scores: Iterable[float], labels: Sequence[str], question: Mapping[str, float]
) -> TwoArms:
    """What the first arm's shares of pairs that were played one after the other prove."""
    bets, (new, old) = TwoArmBets(question["low"], question["high"]), labels
    for score in scores:
        bets.add(score)
    return TwoArms((new, old), bets.counts, **question, evidence=bets.evidence)


def means_of(**said: float | None) -> dict[str, float]:
    """A question in Elo or in shares as ``low`` and ``high``; :class:`InputError` if it is none."""
    given = {name: value for name, value in said.items() if value is not None}
    if set(given) == {"elo0", "elo1"}:
        elo0, elo1 = given["elo0"], given["elo1"]
        if not -2000.0 <= elo0 < elo1 <= 2000.0:
            raise InputError(
                f"elo0 is {elo0:.10g} and elo1 is {elo1:.10g}, expected -2000 <= elo0 < elo1 <= "
                "2000: to be proved is that an arm is better than elo0, or worse than elo1"
            )
        given = {"low": share_of_elo(elo0), "high": share_of_elo(elo1)}
    elif set(given) != {"low", "high"}:
        raise InputError(
            f"{' and '.join(given) or 'nothing'} is said of the means that matter, expected elo0 "
            "and elo1, or low and high"
        )
    checked_means(**given)
    return given


def claim(which: Which, label: str, low: float, high: float) -> str:
    """Such as "new is better than 0 Elo (a mean above 0.5)"."""
    mean, side = (low, "above") if which == "better" else (high, "below")
    return f"{label} is {which} than {elo_of_share(mean):.4g} Elo (a mean {side} {mean:.6g})"


def _scores_and_labels(rows: AnswerRows, anchor: str | None) -> tuple[list[float], list[str]]:
    """What the new arm got in each row of a log, and the labels of it and of the old one."""
    if len(rows.labels) != 2 or rows.unread:
        what = "; ".join(each.reason for each in rows.unread) or listed(rows.labels, "arms")
        raise InputError(f"{rows.name}: {what}, expected rows about two arms")
    if anchor is None and rows.named_first and not rows.first.any():
        anchor = rows.labels[1]
    if anchor not in rows.labels:
        raise InputError(f"anchor is {anchor!r}, expected the old arm: {' or '.join(rows.labels)}")
    new = rows.labels.index(anchor) ^ 1
    scores = np.where(rows.first == new, rows.value, 1.0 - rows.value)
    if (wrong := (4.0 * scores % 1.0 > 0.0) | (rows.count != 1.0)).any():
        raise InputError(
            f"{rows.name}: a row says {rows.count[wrong][0]:g} times {scores[wrong][0]:.6g}, "
            "expected one vote or pair of games: 0, 0.25, 0.5, 0.75 or 1; or give five counts"
        )
    order = [*range(rows.rows)]
    if {"id", "told"} <= rows.columns.keys():  # answers of a session, by when they were asked for
        ids, told = rows.columns["id"], rows.columns["told"]
        order = [row for row in order if told[row].lower() in ("true", "1")]
        order.sort(key=lambda row: (len(ids[row]), ids[row]))
    return scores[order].tolist(), [rows.labels[new], anchor]


@dataclass(frozen=True, eq=False, repr=False)
class TwoArms(Analysis):
    """What pairs of games prove of two arms; ``print`` it to read it.

    Attributes are those of :func:`two_arms`, the ``counts``, the ``evidence`` for better and for
    worse, natural logarithms, proved at ln(1/alpha) and ln(1/beta).
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
    def proved(self) -> Which | Literal[""]:
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
    def elo_interval(self) -> tuple[float, float]:
        """In large samples the Elo are in it in 95 % of all cases: an estimate, not proved."""
        error = 1.96 * math.sqrt(self.variance / max(self.counts.sum(), 1.0))
        return elo_of_share(max(self.mean - error, 0.0)), elo_of_share(min(self.mean + error, 1.0))

    def remaining(self, mean: float | None = None) -> float:
        """About how many further pairs it takes, by default if the mean stays; NaN without one."""
        if self.proved:
            return 0.0
        up, down = -math.log(self.alpha) - self.evidence[0], -math.log(self.beta) - self.evidence[1]
        mean = self.mean if mean is None else mean
        return expected_pairs(mean, self.low, self.high, self.variance, up, down)

    @property
    def variance(self) -> float:
        """Of a pair, an estimate; before the first that of games of which 70 % are draws."""
        weights = (self.counts + _USUAL) / (self.counts + _USUAL).sum()
        return float(weights @ (SCORES - weights @ SCORES) ** 2)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        names = ("proved", "mean", "elo", "elo_interval", "variance")
        said = {name: getattr(self, name) for name in names}
        more = {"remaining": self.remaining(), "counts": self.counts.tolist()}
        return vars(self) | said | more

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
        arm = self.labels[0], self.low, self.high
        error = self.alpha if self.proved == "better" else self.beta
        lines = [
            f"proved, wrongly at most in {100 * error:.6g} %: {claim(self.proved, *arm)}"
            if self.proved
            else f"not proved yet: {claim('better', *arm)}, or {claim('worse', *arm)}",
            f"evidence (natural logarithms, as an LLR): {self.evidence[0]:.2f} of "
            f"{-math.log(self.alpha):.2f} for better, {self.evidence[1]:.2f} of "
            f"{-math.log(self.beta):.2f} for worse",
        ]
        means = [self.low, (self.low + self.high) / 2.0, self.high]
        if self.counts.any():
            least, most = self.elo_interval
            lines.append(
                f"mean of {self.labels[0]}: {100.0 * self.mean:.2f} %, {self.elo:+.1f} Elo; from "
                f"{least:+.1f} to {most:+.1f} in 95 % of large samples, not proved"
            )
            means.append(self.mean)
        if not self.proved:
            pairs = (f"{self.remaining(m):,.0f} at {elo_of_share(m):.4g} Elo" for m in means)
            variance = f"if their variance is {self.variance:.3g}"
            lines.append(f"pairs that it still takes, {variance}: about {', '.join(pairs)}")
        return lines
