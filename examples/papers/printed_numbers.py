"""The numbers that the five papers print as results, bounds and properties of data, against ours.

    python examples/papers/printed_numbers.py

``pages/numbers.csv`` has a line for each: its paper and place, what it is, and from which value
(``low``) to which (``high``) ours agrees with it. Ours is a ``measure`` of the instance ``of``,
computed when the page is made, or it is kept: then it stands with its interval on the ``page``, in
a line with the words ``of``. ``why`` says why ours differs, or why there is none.
"""

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd
import study
from scipy.special import zeta

import cpe_opt as cpe
from cpe_opt.problems.catalogue import INSTANCES
from cpe_opt.problems.dueling.preferences import binary_divergence


def _simple_bounds(mu: Any) -> tuple[float, float]:
    """The bounds (11) and (12) of Komiyama et al. on C^E*."""
    losses, arms = np.sort(mu.losses), mu.arms
    least, others = int(losses[0]), losses[1:]
    unit = float(binary_divergence(0.5 + cpe.copeland_hardness(mu).smallest_gap))
    by_losses = float((1 + others / (others - least + 1)).sum())
    return by_losses / unit, arms * ((least + 3) / 2 + least**2 / arms) / unit


def _most_with_few_losses(mu: Any) -> float:
    """The arms with at most d losses over 2d + 1, for the d where that is the most."""
    return max(int((mu.losses <= d).sum()) / (2 * d + 1) for d in range(mu.arms))


def _constant_of_the_proof(_: str) -> float:
    """The C with C = 256 + 96 ln(2C)."""
    return reduce(lambda found, _: 256 + 96 * math.log(2 * found), range(50), 1000.0)


def _away_from_lemma_8(factor: str) -> float:
    """How far the best allocation for five groups is from (α₁ - 2, 2, 2, 2, 2), c = factor."""
    c = int(factor)
    best = cpe.sample_allocation(np.ones(5), [4 * c, 1, 1, 1, 1], 6 * (c + 1)).allocation
    return float(np.abs(best - np.array([6 * c - 2, 2, 2, 2, 2])).sum())


MEASURES: dict[str, Callable[[Any], float]] = {
    "C^E* over C*": lambda mu: cpe.ecw_bound(mu).value / cpe.copeland_bound(mu).value,
    "C^E* over (11)": lambda mu: cpe.ecw_bound(mu).value / _simple_bounds(mu)[0],
    "C^E* over (12)": lambda mu: cpe.ecw_bound(mu).value / _simple_bounds(mu)[1],
    "(12) over (11)": lambda mu: _simple_bounds(mu)[1] / _simple_bounds(mu)[0],
    "2 gap^2 over d_KL": lambda mu: (2 * mu.gaps**2 / np.maximum(mu.divergences, 1e-99)).max(),
    "arms": lambda mu: mu.arms,
    "Condorcet winners": lambda mu: mu.condorcet_winner is not None,
    "Copeland winners": lambda mu: len(mu.copeland_winners),
    "tied pairs": lambda mu: len(mu.ties),
    "largest score": lambda mu: mu.copeland_scores.max(),
    "second largest score": lambda mu: np.unique(mu.copeland_scores)[-2],
    "least score": lambda mu: mu.copeland_scores.min(),
    "largest regret": lambda mu: mu.regret("sum").max(),
    "largest regret with a winner": lambda mu: mu.regret("sum")[mu.copeland_winners[0]].max(),
    "A^(3) over its bound": lambda mu: (h := cpe.copeland_hardness(mu)).ccb_constant / h.ccb_bound,
    "arms with d losses over 2d + 1": _most_with_few_losses,
    "Borda score of the Borda winner": lambda d: d.borda_score(cpe.borda_hardness(d).winner),
    "Borda score of the Condorcet winner": lambda d: d.borda_score(
        cpe.condorcet_hardness(d).winner
    ),
    "constant of the proof": _constant_of_the_proof,
    "delta in Lemma 1": lambda first: 2.0 * zeta(2) * zeta(2, int(first)),
    "teams of ten": lambda workers: math.comb(int(workers), 10),
    "e to the power of": lambda arms: math.exp(int(arms)),
    "ratio": lambda numbers: float(numbers.split()[0]) / float(numbers.split()[1]),
    "distance to Lemma 8": _away_from_lemma_8,
}


def numbers() -> pd.DataFrame:
    """The lines of the table, as texts."""
    return pd.read_csv(study.PAGES / "numbers.csv", dtype=str, keep_default_na=False)


def measured(line: Any) -> study.Interval | None:
    """Ours, computed or kept; None where there is none."""
    if line["measure"]:
        of = line["of"]
        value = float(MEASURES[line["measure"]](cpe.load_instance(of) if of in INSTANCES else of))
        return study.Interval(value, value, value)
    if not line["ours"]:
        return None
    value, said = float(line["ours"].replace(",", "")), line["interval"]
    if said.startswith("of "):  # a percentage of so many
        share = study.failure_interval(round(value / 100 * int(said[3:])), int(said[3:]))
        return study.Interval(value, 100 * share.low, 100 * share.high)
    low, _, high = said.replace(",", "").partition(" to ")
    return study.Interval(value, *(float(e) if high else value for e in (low, high)))


def outcome(line: Any, ours: study.Interval | None) -> bool | None:
    """Whether ours agrees with what is printed; None: not shown."""
    low, high = line["low"], line["high"]
    if ours is None or not (low or high):
        return None
    return ours.within(float(low or -math.inf), float(high or math.inf))


def row(line: Any, ours: study.Interval | None) -> list[str]:
    """Ours, its interval, the outcome, and the rule by which it is judged."""
    low, high, page = line["low"], line["high"], line["page"]
    interval = line["interval"] or "exact"
    if interval.startswith("of ") and ours:
        interval = f"{ours.low:.1f} to {ours.high:.1f}"
    ends = f"from {low} " * bool(low) + f"to {high}" * bool(high)
    rule = f"agrees if {low}" if low == high else f"agrees {ends.rstrip()}"
    why = [rule * bool(ends), line["why"], f"[{page}]({page}.md)" * bool(page)]
    value = ["none"] * 2 if ours is None else [line["ours"] or f"{ours.value:,.6g}", interval]
    verdict = study.OUTCOMES[outcome(line, ours)].removesuffix(" by this run")
    return [*value, verdict, "; ".join(filter(None, why))]


def values(_: study.Settings) -> dict[str, Any]:
    """The table, and how many of its numbers agree."""
    lines = numbers()
    ours = [(line, measured(line)) for _, line in lines.iterrows()]
    outcomes = [outcome(line, value) for line, value in ours]
    counts = [outcomes.count(each) for each in (True, False, None)]
    text = "{} agree, {} differ, {} are not shown".format(*counts)
    table = pd.DataFrame({"printed in": lines["paper"] + ", " + lines["place"]})
    table[["what", "printed"]] = lines[["what", "printed"]]
    table[["ours", "95 % interval", "outcome", "rule, and why"]] = [row(*each) for each in ours]
    return {
        "claims": [study.Claim("every", text, study.all_hold(outcomes), {"count": len(outcomes)})],
        "numbers": study.Table(table),
    }


STUDIES = (study.Study("numbers", "printed_numbers.py", values, played=False),)

if __name__ == "__main__":
    study.main(STUDIES, __doc__)
