"""Tracking of sets: designs of blocks, what they follow, when it stops, and logs of pulls."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.designs.block_designs import ElementDesign, SetDesign
from cpe_opt.formulations.designs.enumerated import xy_cvxpy
from cpe_opt.formulations.subsets.alternatives import Alternatives
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.exchange import Exchange
from cpe_opt.proofs.subsets.planned_blocks import (
    MIXTURE_COST,
    SET_MIXTURE,
    Differences,
    PlannedBlocks,
)
from tests.formulations.subsets.test_oracle import CLASSES

NAME = "subset-tracking"
FEEDBACK = ("single", "sums")
RING = cpe.SpanningTrees([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])


def run(bandit, feedback, seed=0, delta=0.05, **parameters):
    return cpe.simulate(NAME, bandit, delta=delta, feedback=feedback, seed=seed, **parameters)


# Designs


@pytest.mark.parametrize("prices", [1.0, [1.0, 4.0, 0.5, 2.0, 1.0]])
def test_blocks_of_elements_go_to_the_characteristic_time_at_their_prices(prices):
    bandit = cpe.SubsetBandit(RING, [0.9, 0.1, 0.8, 0.2, 0.6])
    time = cpe.subset_time(bandit, prices=prices)
    rows = Alternatives.of(bandit).rows
    used = np.flatnonzero(rows.any(axis=0))
    design = ElementDesign(used, np.broadcast_to(np.asarray(prices, float), 5))
    needs = np.sqrt(2.0) / (rows @ bandit.theta)
    value = design.balance(needs[:, None] * rows)
    assert time.value * (1 - 1e-6) <= value <= 1.03 * time.value
    planned = design.block(1e6, 1)
    assert planned @ design.prices == pytest.approx(1e6, rel=1e-3)
    assert 1e6 * (rows**2 @ (1.0 / planned) * needs**2).max() <= 1.03 * time.value


@pytest.mark.parametrize("kind", ["top", "trees", "dag", "matchings"])
def test_blocks_of_sets_go_to_the_best_design_for_the_gaps(kind):
    decisions = CLASSES[kind]
    theta = np.random.default_rng(3).uniform(size=decisions.size)
    alternatives = Alternatives.of(cpe.SubsetBandit(decisions, theta))
    rows = alternatives.rows / alternatives.gaps[:, None]
    design = SetDesign(decisions, np.random.default_rng(0))
    assert np.linalg.matrix_rank(design.vectors[: design.dimension]) == design.dimension
    vectors = decisions.indicator_matrix()
    best = xy_cvxpy(vectors @ design.basis, rows @ design.basis, 1e-4)[0].bound
    values = [design.balance(rows) for _ in range(20)]
    assert best * (1 - 1e-6) <= values[-1] <= 1.03 * best
    assert np.linalg.matrix_rank(design.vectors[: design.dimension]) == design.dimension


@pytest.mark.parametrize("least", [1, 500])
def test_a_block_has_what_spans_and_as_many_pulls_as_are_asked_for(least):
    design = SetDesign(cpe.TopK(8, 4), np.random.default_rng(0))
    for cost in (1.0, 20.0, 333.0):
        planned = design.block(cost, least)
        assert (planned[:8] >= 1).all()
        assert max(cost, least) - 1 <= planned.sum() <= max(cost, least) + 8
    design.shares = np.zeros(len(design.shares))
    design.shares[-1] = 1.0
    planned = design.block(10.0, least)
    assert planned.tolist() == [1] * 8 + [0] * (len(planned) - 9) + [max(10, least)]


# What is missing


def tracker(bandit, rows_of="best", blocks=3, margin=0.0, seed=0):
    decisions, rng = bandit.decisions, np.random.default_rng(seed)
    oracle = SubsetOracle(decisions)
    rivals = Differences(decisions, oracle.maximise(np.zeros(decisions.size)))
    design = SetDesign(decisions, rng)
    found = PlannedBlocks(oracle, rivals, design, 0.05, margin)
    environment = bandit.environment(rng)
    for _ in range(blocks):
        planned = found.plan()
        sets = tuple(tuple(np.flatnonzero(row).tolist()) for row in design.vectors)
        query = cpe.PullSets(sets, tuple(planned.tolist()))
        found.count(planned, environment.answer(environment.check(query)))
    return found


@pytest.mark.parametrize("margin", [0.0, 0.4])
def test_what_is_missing_is_what_the_proof_then_has(margin):
    """With so much more at the estimate, raised by its variance, a row is proved."""
    bandit = cpe.planted_subsets(6, 3, gap=0.3, noise=0.5, seed=1)
    state = tracker(bandit, margin=margin)
    rows = state._differences.rows(state.best)
    needs = state._needs(rows)
    allowed = margin / 3
    gaps = rows @ state._theta + allowed
    slope = np.sqrt(gaps**2 + np.einsum("yi,ij,yj->y", rows, state._inverse, rows))
    level = 2.0 * (state._bounds.needed + MIXTURE_COST)
    after = state._precisions + needs
    reached = state._sums + allowed * state._precisions + slope * needs
    enough = reached / np.sqrt(level * after)
    floor = needs <= 0.05 * level / slope**2 * (1 + 1e-9)
    assert not floor.all()
    assert enough[~floor] == pytest.approx(np.ones((~floor).sum()))
    assert (enough[floor] >= 1.0 - 1e-9).all()
    least = SET_MIXTURE.least_sums(after, state._bounds.needed)
    assert (reached[~floor] >= 0.9 * least[~floor]).all()


def test_the_estimate_is_that_of_all_blocks_and_the_answer_its_best_set():
    bandit = cpe.planted_subsets(6, 3, gap=0.5, noise=1e-6, seed=1)
    state = tracker(bandit, blocks=4)
    assert state._theta == pytest.approx(bandit.theta, abs=1e-5)
    assert state.best == cpe.best_subset(bandit.decisions, bandit.theta).elements


# The learner


def test_elements_in_all_sets_are_not_pulled():
    trees = cpe.SpanningTrees([(0, 1), (1, 2), (2, 0), (2, 3)])
    trace = run(cpe.SubsetBandit(trees, [0.9, 0.5, 0.2, 0.1], noise=0.1), "single", noise=0.1)
    assert trace.proved
    assert trace.answer == (0, 1, 3)
    assert trace.draws[3] == 0


@pytest.mark.parametrize("feedback", FEEDBACK)
def test_ties_end_where_the_margin_allows_them(feedback):
    bandit = cpe.SubsetBandit(cpe.TopK(5, 2), [0.9, 0.5, 0.5, 0.2, 0.1], noise=0.3)
    trace = run(bandit, feedback, margin=0.2, noise=0.3)
    assert trace.proved
    assert trace.answer in ((0, 1), (0, 2))
    more = run(bandit, feedback, margin=0.1, noise=0.3)
    assert more.samples > 1.1 * trace.samples
    endless = run(bandit, feedback, noise=0.3, horizon=5000)
    assert not endless.proved
    assert endless.answer in ((0, 1), (0, 2))


def test_an_early_end_says_what_is_proved_by_then():
    bandit = cpe.planted_subsets(6, 3, gap=0.1, seed=2)
    exchange = Exchange(cpe.learners.subset_tracking, bandit.known, delta=0.05)
    exchange.stop()
    assert exchange.doubt.endswith("nothing is proved of the answer by then")
    losses = []
    for horizon in (300, 3000):
        trace = run(bandit, "sums", horizon=horizon)
        said, _, claimed = trace.doubt.rpartition("; ")[2].partition(" by more than ")
        assert said == "by then it is proved that no set is better"
        losses.append(float(claimed.partition(",")[0]))
        best = cpe.best_subset(bandit.decisions, bandit.theta).value
        assert bandit.value(trace.answer) >= best - losses[-1]
        assert claimed.partition(", ")[2] == (
            "not 0, if the noise of an element is at most 1 and independent of that of others"
        )
    assert losses[0] > 2 * losses[1] > 0


def seen(bandit, feedback, times, seed=0):
    """Pulls of all sets, or of all elements, as they are told to a learner."""
    environment = bandit.environment(np.random.default_rng(seed))
    if feedback == "single":
        pulls = [environment.check(cpe.Pull(e, times)) for e in range(len(bandit.theta))]
        rewards = [environment.answer(pull).sum() for pull in pulls]
        return [((e,), times, float(total)) for e, total in enumerate(rewards)]
    sets = tuple(bandit.decisions.sets())
    query = environment.check(cpe.PullSets(sets, (times,) * len(sets)))
    sums = environment.answer(query)
    return [(members, times, float(total)) for members, total in zip(sets, sums, strict=True)]


@pytest.mark.parametrize("feedback", FEEDBACK)
@pytest.mark.parametrize("planned", [True, False])
def test_pulls_that_are_there_count_in_the_proof(feedback, planned):
    """Many are enough; some help if they were planned, and do no harm if they were not."""
    bandit = cpe.planted_subsets(5, 2, gap=0.5, noise=0.5, seed=0)
    best = cpe.best_subset(bandit.decisions, bandit.theta).elements
    told = {"noise": 0.5, "planned": planned}
    enough = run(bandit, feedback, prior=seen(bandit, feedback, 1000), **told)
    assert (enough.answer, enough.samples, enough.proved) == (best, 0, True)
    without, few, some = (
        np.mean([run(bandit, feedback, s, **each, noise=0.5).samples for s in range(3)])
        for each in (
            {},
            {"prior": seen(bandit, feedback, 1), "planned": planned},
            {"prior": seen(bandit, feedback, 20), "planned": planned},
        )
    )
    assert some < (0.8 if planned else 1.2) * without
    assert 0.5 * without < few < 1.5 * without


def test_logs_that_were_planned_prove_more():
    bandit = cpe.planted_subsets(8, 4, gap=0.5, seed=0)
    told = [seen(bandit, "sums", 30, seed) for seed in range(2)]
    planned, any_way = (
        np.mean([run(bandit, "sums", s, prior=told[s], planned=p).samples for s in range(2)])
        for p in (True, False)
    )
    assert planned < 0.6 * any_way


@pytest.mark.parametrize("times", [1, 300])
def test_what_is_missing_after_a_log_is_what_the_proof_then_has(times):
    """With so much more at the estimate of all, every difference is about proved."""
    bandit = cpe.planted_subsets(6, 3, gap=0.5, noise=0.1, seed=1)
    state, rng = tracker(bandit, blocks=0), np.random.default_rng(0)
    sets = bandit.decisions.indicator_matrix()
    seen = times * (sets @ bandit.theta) + math.sqrt(times) * rng.normal(size=len(sets))
    state.recall(sets, np.full(len(sets), times), seen, planned=False)
    rows, bounds = state._differences.rows(state.best), state._bounds
    assert bounds.sums(rows)[1].tolist() == [0.0] * len(rows)
    needs, gaps = state._needs(rows), rows @ state._theta
    slope = np.sqrt(gaps**2 + np.einsum("yi,ij,yj->y", rows, state._inverse, rows))
    alone = 2.0 * (bounds.needed + math.log(3.0) + MIXTURE_COST) / slope**2
    assert (needs <= alone * (1 + 1e-9)).all()
    if times == 1:  # a log that proves nothing
        assert needs.max() == pytest.approx(alone[needs.argmax()])
    else:
        assert (needs < 0.9 * alone).any()
        count = state._differences.count
        lower = state._before.lower_with(rows, gaps * needs, needs, bounds, count)
        assert (lower > -0.05 * gaps).all()


def test_earlier_sets_that_are_none_of_the_class_count_as_what_they_are():
    """Single scores of a and sums with c and d leave open whether a or b is better, as here b is.

    Along sets of the class alone a single element would be a mixture of all four.
    """
    either = cpe.PartitionMatroid([0, 0, 1, 1], [1, 1])
    theta = np.array([0.0, 1.0, 10.0, 0.0])
    told = [((0,), (1, 2), (1, 3)), ((0,), (1,), (1, 2), (1, 3))]
    for sets, enough in zip(told, (False, True), strict=True):
        prior = [(each, 10_000, 1e4 * float(theta[list(each)].sum())) for each in sets]
        learner = cpe.learners.subset_tracking(
            either, rng=np.random.default_rng(0), delta=0.05, feedback="sums", prior=prior
        )
        if enough:
            with pytest.raises(StopIteration) as end:
                next(learner)
            assert end.value.value == (1, 2)
        else:
            assert isinstance(next(learner), cpe.PullSets)
