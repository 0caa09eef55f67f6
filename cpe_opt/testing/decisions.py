"""What a decision class must do: consistent sets, and the optima of an enumeration."""

from __future__ import annotations

from itertools import islice

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.fingerprint import fingerprint
from cpe_opt.formulations.subsets.best_subset import best_subset
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.testing.expectation import expect

_MOST_SETS = 20_000
_ROUNDS = 20


def check_decisions(decisions: DecisionClass, *, seed: int = 0) -> None:
    """Check a decision class of at most 20,000 sets.

    Parameters
    ----------
    decisions : DecisionClass
        A small one: all of its sets are gone through.
    seed : int
        Of the random weights.

    Raises
    ------
    AssertionError
        With a sentence that says what is wrong.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> check_decisions(cpe.TopK(6, 2))
    """
    name = decisions.name
    sets = list(islice(decisions.sets(), _MOST_SETS + 1))
    expect(sets, f"{name} has no set")
    expect(len(sets) <= _MOST_SETS, f"{name} has more than {_MOST_SETS:,} sets: take a smaller one")
    expect(len(set(sets)) == len(sets), f"{name} lists a set twice")
    expect(decisions.count() == len(sets), f"{name} counts {decisions.count()} of {len(sets)} sets")
    for members in sets:
        ascending = list(members) == sorted(set(members)) and all(
            0 <= e < decisions.size for e in members
        )
        expect(ascending, f"{name} lists {members}, expected ascending elements")
        expect(decisions.contains(members), f"{name} lists {members} and does not contain it")
    sizes = tuple(sorted({len(members) for members in sets}))
    expect(
        tuple(decisions.sizes) == sizes, f"{name} has sets of {sizes} elements, not what it says"
    )
    listed = set(sets)
    rng = np.random.default_rng(seed)
    for _ in range(_ROUNDS):
        some = tuple(np.flatnonzero(rng.random(decisions.size) < 0.5).tolist())
        expect(
            decisions.contains(some) == (some in listed),
            f"{name}: contains({some}) does not agree with sets()",
        )
        weights = rng.integers(-8, 9, size=decisions.size) / 8.0
        try:
            best = best_subset(decisions, weights)
        except InputError as refused:
            raise AssertionError(str(refused)) from refused
        most = max(float(weights[list(members)].sum()) for members in sets)
        expect(best.elements in listed, f"{name}: the best set {best.elements} is not in sets()")
        expect(
            float(weights[list(best.elements)].sum()) == most,
            f"{name}: {best.elements} is no best set for the weights {weights.tolist()}",
        )
    expect(fingerprint(decisions) == fingerprint(decisions), f"{name} has another fingerprint")
