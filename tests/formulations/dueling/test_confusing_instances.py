"""The rows as families: sorted evidence against every row, listed."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows, ecw_rows, free_ties
from tests.learners.dueling.reference_rmed import region_evidence
from tests.support import random_preferences

sizes = st.integers(2, 7)
seeds = st.integers(0, 10**6)


@given(arms=sizes, seed=seeds, ties=st.integers(0, 4))
@settings(max_examples=20)
def test_evidence_is_the_least_row(arms, seed, ties):
    rng = np.random.default_rng(seed)
    mu = random_preferences(arms, rng, ties=ties)
    x = rng.uniform(size=(arms, arms)) * (rng.uniform(size=(arms, arms)) < 0.8)
    x = np.maximum(x, x.T)
    for winner in mu.copeland_winners:
        for way in ("free", "literal"):
            families = copeland_rows(mu.array, winner, way)
            listed = [x[tuple(row.T)].sum() for row in families.rows()]
            assert len(listed) == families.row_count()
            assert families.evidence(x) == pytest.approx(min(listed, default=math.inf))
        assert copeland_rows(mu.array, winner, "literal").evidence(x) == pytest.approx(
            region_evidence(winner, mu.array.tolist(), x.tolist())
        )


@given(arms=sizes, seed=seeds, ties=st.integers(0, 2))
@settings(max_examples=20)
def test_full_evidence_is_enough(arms, seed, ties):
    """q = 1/d is feasible (after equation 2), for both regions, unless ties are free."""
    mu = random_preferences(arms, np.random.default_rng(seed), ties=ties)
    for winner in mu.copeland_winners:
        for families_of in (copeland_rows, ecw_rows):
            for way in ("free", "literal"):
                families = families_of(mu.array, winner, way)
                enough = families.evidence(np.ones((arms, arms))) >= 1
                assert enough == families.is_feasible
                assert enough or (way == "free" and len(free_ties(mu.array, winner)))


def test_the_rows_of_gap_by_hand():
    """Arm 0 loses to 4; L = (1, 2, 2, 3, 2): levels 0, 1, 2, heads of 0, 1, 2 pairs."""
    families = copeland_rows(cpe.load_instance("gap").array, 0)
    rows = {frozenset(map(tuple, row.tolist())) for row in families.rows()}
    # challenger 4 (beaten by 1 and 2) at level 0: no head, |O| = 2
    assert frozenset({(1, 4), (2, 4)}) in rows
    # level 1: one head and |O| = 1; 4 is not among the winner's inferiors
    assert frozenset({(0, 3), (1, 4)}) in rows
    # challenger 3 (beaten by 0, 1, 4), level 2, with itself in the head: |O| = 3 - 2 - 1
    assert frozenset({(0, 3), (0, 1)}) in rows
