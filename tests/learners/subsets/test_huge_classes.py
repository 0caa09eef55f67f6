"""Classes that are too large to list: what all three learners of single rewards prove of them."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.designs.block_designs import ElementDesign
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.subsets import single_rewards, subset_tracking
from cpe_opt.learners.subsets.single_rewards import ProofSchedule, SingleEvidence
from cpe_opt.learners.subsets.subset_tracking import OracleBlocks
from cpe_opt.problems.subsets.decisions import indicators
from cpe_opt.proofs.subsets import planned_blocks as block_bounds
from cpe_opt.proofs.subsets.planned_blocks import missing_precision

SQUARE = cpe.Matchings(cpe.BipartiteGraph.complete(4, 4))


@pytest.fixture
def unlisted(monkeypatch):
    """No class is small enough to be listed."""
    monkeypatch.setattr(block_bounds, "MOST_ALTERNATIVES", 1)


def planted(decisions, gap, noise, seed=0):
    """A random set is ahead of all others by ``gap`` an element and more."""
    rng = np.random.default_rng(seed)
    best = SubsetOracle(decisions).maximise(rng.normal(size=decisions.size))
    theta = 0.3 * rng.uniform(size=decisions.size)
    theta[list(best)] += gap
    return cpe.SubsetBandit(decisions, theta, noise=noise)


def run(name, bandit, seed=0, delta=0.05, **parameters):
    told = {"delta": delta, "noise": bandit.noise, "seed": seed, **parameters}
    return cpe.simulate(name, bandit, **told)


# Evidence


@pytest.mark.parametrize("threshold", ["proved", "heuristic"])
def test_evidence_rests_on_the_proof_and_not_on_what_is_found(threshold, monkeypatch):
    """Nothing is looked for: only the proof asks the oracle; it has the list's thresholds."""
    monkeypatch.setattr(ProofSchedule, "seek", lambda *told: None)
    for seed in range(2):
        listed = evidence_of(SQUARE, seed, threshold, monkeypatch, 20_000)
        start, ends = listed.pulls.copy(), []
        for step in range(1, 400):
            listed.pulls[:] = start * 1.04**step
            implicit = evidence_of(SQUARE, seed, threshold, monkeypatch, 1)
            implicit.pulls[:] = listed.pulls
            enough = [each.enough() for each in (listed, implicit)]
            assert enough[0] or not enough[1]
            ends += [step] * (len(ends) < sum(enough))
            if enough[1]:
                break
        assert ends[-1] - ends[0] <= 2


def test_a_proof_that_is_left_open_is_none(unlisted, monkeypatch):
    evidence = evidence_of(SQUARE, 0, "proved", monkeypatch, 1)
    told = (evidence.best(), evidence.mean, evidence._terms(), 1.0, 0.1)
    for beyond, proved in ((1e-3, False), (-1e-3, True)):
        monkeypatch.setattr(
            single_rewards.OptimisticGap,
            "at_most",
            lambda _, enough, beyond=beyond: enough + beyond,
        )
        assert ProofSchedule(SubsetOracle(SQUARE)).proves(*told) == proved


def evidence_of(decisions, seed, threshold, monkeypatch, most):
    with monkeypatch.context() as patch:
        patch.setattr(block_bounds, "MOST_ALTERNATIVES", most)
        found = SingleEvidence(SubsetOracle(decisions), 0.7, 0.1, threshold)
    rng = np.random.default_rng(seed)
    for element in range(decisions.size):
        times = int(rng.integers(1, 10))
        found.add(element, float(rng.normal(size=times).sum()), times)
    return found


# Plans


def tracked(decisions, margin=0.0, parallel=1, blocks=0, gap=0.5, seed=0):
    """A tracker after some blocks, and the problem."""
    bandit, rng = planted(decisions, gap, 1.0), np.random.default_rng(seed)
    state = OracleBlocks(SubsetOracle(decisions), np.ones(decisions.size), 0.1, margin)
    for _ in range(blocks):
        block = state.plan()
        state.count(block, rng.normal(block * bandit.theta, np.sqrt(block)))
    return state, bandit


def test_a_block_has_the_variances_of_its_means():
    state, _ = tracked(SQUARE, blocks=1)
    different = np.zeros((1, 16))
    different[0, :4] = 1.0, -1.0, 1.0, -1.0
    inverse = 1.0 / state._pulls
    assert state._common.variances == pytest.approx(state._common.weight**2 * inverse)
    assert state._own.sums(different)[1][0] == pytest.approx(1.0 / inverse[:4].sum())


def test_what_is_missing_tells_all_sets_by_the_cheapest_pulls():
    """Of all sets, most of which nobody has found; none that is far from it is left out."""
    state, _ = tracked(SQUARE, blocks=5, gap=0.2)
    missing, shares = state._missing(), state._design.shares
    rows = indicators([state.best], 16) - SQUARE.indicator_matrix()
    rows = rows[rows.any(axis=1)]
    different, gaps = np.abs(rows), rows @ state._mean
    sums, precisions = state._own.sums(rows)
    slopes = np.sqrt(gaps**2 + different @ (1.0 / state._pulls))
    level = 2.0 * (state._own.needed + 3.0)
    needs = missing_precision(slopes, sums, precisions, level)
    fresh = missing / (different @ (1.0 / shares))
    reached = (sums + slopes * fresh) / np.sqrt(level * (precisions + fresh))
    binding = needs > 0.06 * level / slopes**2
    assert reached[binding].min() == pytest.approx(1.0, abs=0.02)
    least = ElementDesign(np.arange(16), np.ones(16)).balance(np.sqrt(needs)[:, None] * rows)
    assert 0.9 * least <= missing <= 1.05 * least


def test_old_pulls_that_were_planned_are_a_block_and_others_take_half_of_delta(unlisted):
    state, bandit = tracked(SQUARE)
    alone, own = state._needed, state._own.needed
    assert math.exp(-alone) + math.exp(-own) == pytest.approx(0.1 / 24.0)
    times = np.full(16, 9)
    state.recall(np.eye(16), times, times * bandit.theta, planned=True)
    assert state._common.weight > 0.0
    assert state._before is None
    assert (state._needed, state._own.needed) == (alone, own)
    for planned, elements in ((False, np.eye(16)), (True, np.eye(16)[:9])):
        other, _ = tracked(SQUARE)
        count = times[: len(elements)]
        sums = (count * bandit.theta[: len(elements)]).astype(float)
        other.recall(elements, count, sums, planned=planned)
        assert other._common.weight == 0.0
        assert other._needed == pytest.approx(alone + math.log(2.0))
        assert other._own.needed == pytest.approx(own + math.log(2.0))
        assert other._before._threshold._log == pytest.approx(math.log(24.0 / 0.05))
        assert other._before.pulls[:9].tolist() == [9.0] * 9


def test_no_answer_is_given_while_a_proof_is_open(monkeypatch):
    for beyond, finished in ((1e-3, False), (0.0, True)):
        monkeypatch.setattr(
            subset_tracking.OptimisticGap,
            "at_most",
            lambda _, enough, beyond=beyond: enough + beyond,
        )
        assert tracked(SQUARE, blocks=15, gap=2.0)[0].finished == finished


def test_an_answer_is_given_only_where_all_sets_are_told():
    """Each set by one of the two bounds; some by weights of its own alone."""
    sets, alone = SQUARE.indicator_matrix(), 0
    for seed in range(2):
        state, bandit = tracked(SQUARE, gap=0.4, seed=seed)
        rng = np.random.default_rng(seed)
        while not state.finished:
            block = state.plan()
            state.count(block, rng.normal(block * bandit.theta, np.sqrt(block)))
            rows = -sets
            rows[:, list(state.best)] += 1.0
            rows = rows[rows.any(axis=1)]
            radius = state._common.radius(state._needed)
            radii = radius.radii(np.abs(rows) @ radius.features)
            by_one_weight = rows @ state._common.sums >= radii
            by_its_own = state._own.lower(*state._own.sums(rows)) >= 0.0
            assert state.finished == (by_one_weight | by_its_own).all()
        alone += (by_its_own & ~by_one_weight).any()
    assert alone > 0


# Learners


@pytest.mark.slow
@pytest.mark.parametrize("name", ["subset-tracking", "fws", "comb-game"])
def test_large_classes_are_learned_with_a_proof(name):
    decisions = cpe.Matchings(cpe.BipartiteGraph.complete(9, 9))
    bandit = planted(decisions, 1.0, 0.2)
    trace = run(name, bandit)
    assert trace.proved
    assert trace.answer == cpe.best_subset(decisions, bandit.theta).elements
    assert trace.samples < 40 * decisions.size
