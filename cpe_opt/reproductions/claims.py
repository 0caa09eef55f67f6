"""Claims against measurements, and their statistics.

A claim holds, fails, or is not shown by so few runs. Where it is judged by a 95 % interval, the
question is where the whole interval lies: inside what the claim allows (True), outside of it
(False), or across its edge (None: not shown).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas as pd

CONFIDENCE, _TAIL = 0.95, 0.025
_RARE = (
    "is at most delta with confidence 95 % (Clopper and Pearson); differs where so many errors are "
    "less than 5 % likely"
)


@dataclass(frozen=True)
class ConfidenceInterval:
    """A value estimated from runs, with its confidence interval (infinite from a single run)."""

    value: float
    low: float
    high: float

    def within(self, low: float = -math.inf, high: float = math.inf) -> bool | None:
        """Whether it is between two numbers: True, False, or None where the runs do not tell."""
        if low <= self.low and self.high <= high:
            return True
        return False if self.high < low or self.low > high else None

    def text(self, style: str = ",.0f") -> str:
        """The value, and the interval in brackets."""
        if not math.isfinite(self.high - self.low):
            return f"{self.value:{style}} (1 run)"
        return f"{self.value:{style}} ({self.low:{style}} to {self.high:{style}})"


@dataclass(frozen=True)
class Claim:
    """What was measured of a claim, whose sentences are in a table of the page's template."""

    name: str  # of its row there
    ours: str  # what was measured
    holds: bool | None  # whether the two agree; None: not shown
    words: Mapping[str, Any] = field(default_factory=dict)  # for placeholders of that row
    published: str = ""  # the sentences, filled by the page
    criterion: str = ""


def interval_claim(
    name: str,
    found: Mapping[str, ConfidenceInterval],
    style: str = ",.0f",
    *,
    low: float = -math.inf,
    high: float = math.inf,
    here: str = "{}",
    between: str = ", ",
    **words: Any,
) -> Claim:
    """That each of these intervals lies between two numbers; ``here`` is the text around them."""
    texts = between.join(f"{name} {each.text(style)}".lstrip() for name, each in found.items())
    verdict = all_hold(each.within(low, high) for each in found.values())
    return Claim(name, here.format(texts), verdict, {"low": low, "high": high, **words})


def range_claim(
    name: str,
    values: npt.ArrayLike,
    style: str = ".1f",
    *,
    low: float = -math.inf,
    high: float = math.inf,
    here: str = "{} times fewer",
    **words: Any,
) -> Claim:
    """That all of these numbers lie between two others; ``here`` is the text around their span."""
    found = np.asarray(values, dtype=float)
    holds = bool(((low <= found) & (found <= high)).all())
    return Claim(name, here.format(span(found, style)), holds, {"low": low, "high": high, **words})


def ratio_claim(table: pd.DataFrame, said: Mapping[str, Any]) -> Claim:
    """That a column is a number of times another one, within two ends, in every row of a table.

    ``said`` has the ``claim``, the columns ``of`` and ``over``, the ends ``low`` and ``high``, and
    words of the claim's row.
    """
    words = dict(said)
    name, of, over = (words.pop(each) for each in ("claim", "of", "over"))
    here = f"{of} over {over} {{}}"
    return range_claim(name, table[of] / table[over], "#.3g", here=here, **words)


def span(values: npt.ArrayLike, style: str = ",.4g") -> str:
    """From the least of some numbers to the largest."""
    low, high = f"{np.min(values):{style}}", f"{np.max(values):{style}}"
    return low if low == high else f"{low} to {high}"


def mean_interval(values: npt.ArrayLike) -> ConfidenceInterval:
    """The mean, by Student's t."""
    mean, variance, runs = _moments(values)
    return _welch(mean, [(variance, runs)])


def positive_mean_interval(values: npt.ArrayLike) -> ConfidenceInterval:
    """The mean of values that are not negative, by Student's t for its logarithm."""
    mean, variance, runs = _moments(values)
    if mean == 0.0:
        return mean_interval(values)
    return _exponential(_welch(math.log(mean), [(variance / mean**2, runs)]))


def ratio_interval(one: npt.ArrayLike, two: npt.ArrayLike) -> ConfidenceInterval:
    """The ratio of two positive means of independent runs, by Welch's t for its logarithm."""
    parts, logs = [], []
    for mean, variance, runs in (_moments(one), _moments(two)):
        logs.append(math.log(mean))
        parts.append((variance / mean**2, runs))
    return _exponential(_welch(logs[0] - logs[1], parts))


def failure_interval(failures: int, runs: int) -> ConfidenceInterval:
    """The probability of a failure, after Clopper and Pearson."""
    from scipy.stats import binomtest

    found = binomtest(failures, runs).proportion_ci(CONFIDENCE)
    return ConfidenceInterval(failures / runs, float(found.low), float(found.high))


def errs_at_most(failures: int, runs: int, delta: float) -> bool | None:
    """Whether failures are shown to have a probability of at most delta.

    False where so many would be less than 5 % likely at delta, None where the runs are too few.
    """
    from scipy.stats import binomtest

    # Clopper and Pearson, one-sided: about 3/runs where nothing failed.
    most = binomtest(failures, runs, alternative="less").proportion_ci(CONFIDENCE).high
    if most <= delta:
        return True
    likely = binomtest(failures, runs, delta, alternative="greater").pvalue
    return False if likely < 1.0 - CONFIDENCE else None


def errors_text(failures: int, runs: int) -> str:
    """How many of how many runs, with the interval of their probability."""
    found = failure_interval(failures, runs)
    return f"{failures} of {runs} ({found.low:.1%} to {found.high:.1%})"


def errors_claim(
    name: str, found: Mapping[str, tuple[int, int]], deltas: Sequence[float], **words: Any
) -> Claim:
    """That errors are as rare as promised: failures and runs by name, and what each may reach."""
    return Claim(
        name,
        ", ".join(f"{each} {errors_text(*counts)}" for each, counts in found.items()),
        all_hold(errs_at_most(*c, delta) for c, delta in zip(found.values(), deltas, strict=True)),
        {"errors_are_rare": _RARE, **words},
    )


def all_hold(outcomes: Iterable[bool | None]) -> bool | None:
    """False if any is, else None if any is, else True."""
    found = list(outcomes)
    return False if False in found else None if None in found else True


def _moments(values: npt.ArrayLike) -> tuple[float, float, int]:
    """Mean, variance (infinite from a single run) and number of runs."""
    sample = np.asarray(values, dtype=float)
    variance = float(sample.var(ddof=1)) if len(sample) > 1 else math.inf
    return float(sample.mean()), variance, len(sample)


def _welch(value: float, parts: Sequence[tuple[float, int]]) -> ConfidenceInterval:
    """A mean, or a difference of means, from the variance and the runs of each."""
    from scipy.stats import t

    shares = [variance / runs for variance, runs in parts]
    total = sum(shares)
    if not math.isfinite(total):
        return ConfidenceInterval(value, -math.inf, math.inf)
    if total == 0.0:
        return ConfidenceInterval(value, value, value)
    weights = [(s / total) ** 2 / (n - 1) for s, (_, n) in zip(shares, parts, strict=True)]
    half = float(t.ppf(1.0 - _TAIL, 1.0 / sum(weights))) * math.sqrt(total)
    return ConfidenceInterval(value, value - half, value + half)


def _exponential(log: ConfidenceInterval) -> ConfidenceInterval:
    """The interval of a positive value, from that of its logarithm."""
    # Beyond this a ratio says nothing, and its exponential overflows.
    low, high = (math.exp(min(end, 700.0)) if end > -700.0 else 0.0 for end in (log.low, log.high))
    if not math.isfinite(log.high):
        low, high = -math.inf, math.inf
    return ConfidenceInterval(math.exp(log.value), low, high)
