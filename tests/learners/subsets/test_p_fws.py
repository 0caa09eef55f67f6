"""Perturbed Frank–Wolfe sampling: its most confusing sets, its gradients, and what it pulls."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners import p_fws
from cpe_opt.learners.subsets.p_fws import covering_sets, smoothed_gradient
from cpe_opt.learners.subsets.single_rewards import SingleEvidence
from cpe_opt.proofs.subsets import planned_blocks
from cpe_opt.ties import first_largest, on_grid
from tests.formulations.subsets.test_oracle import CLASSES
from tests.proofs.subsets.test_optimistic_gap import GRID, SQUARE


def confusion(decisions, best, mean, pulls, sigma):
    """The distance and its gradient of every set but the best, one after another."""
    for members in decisions.sets():
        apart = sorted(set(best) ^ set(members))
        if apart:
            gap = mean[list(best)].sum() - mean[list(members)].sum()
            total = (1 / pulls[apart]).sum()
            slopes = np.zeros(len(mean))
            slopes[apart] = (gap / (pulls[apart] * total * sigma)) ** 2 / 2
            yield gap**2 / (2 * sigma**2 * total), slopes, tuple(members)


@pytest.mark.parametrize("decisions", [SQUARE, GRID], ids=repr)
def test_the_most_confusing_set_is_that_of_all_sets(decisions, monkeypatch):
    """By best responses of a linear oracle: of 40 states nearly all, and never a smaller one."""
    monkeypatch.setattr(planned_blocks, "MOST_ALTERNATIVES", 1)
    exact = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        evidence = SingleEvidence(SubsetOracle(decisions), 0.5, 0.1)
        for element, mean in enumerate(rng.normal(size=decisions.size)):
            evidence.add(element, float(mean))
        pulls = np.exp(rng.normal(size=decisions.size))
        evidence._proof.found.join(evidence._oracle.maximise_other(evidence.mean, evidence.best()))
        evidence.seek_confusing(pulls)
        found = evidence.distances(evidence.gaps(), pulls).min()
        least = min(confusion(decisions, evidence.best(), evidence.mean, pulls, 0.5))[0]
        assert least * (1 - 1e-9) <= found <= 1.2 * least
        exact += found <= least * (1 + 1e-9)
    assert exact >= 36


def test_the_gradient_is_the_mean_of_those_at_perturbed_shares():
    """Early, where they are far apart; of every set, one after another."""
    rng, evidence = np.random.default_rng(2), SingleEvidence(SubsetOracle(SQUARE), 0.5, 0.1)
    for element, mean in enumerate(rng.normal(size=16)):
        evidence.add(element, 3.0 * mean, 3)
    found = smoothed_gradient(evidence, 48, np.random.default_rng(7))
    rng, slopes = np.random.default_rng(7), np.zeros(16)
    for _ in range(3):
        z = rng.normal(size=16)
        z *= rng.uniform() ** (1 / 16) / np.linalg.norm(z)
        shares = 1 / 16 + z / (4 * math.sqrt(48 * 16))
        slopes += min(confusion(SQUARE, evidence.best(), evidence.mean, shares, 0.5))[1] / 3
    assert found == pytest.approx(slopes)


def reference(decisions, rewards, sigma, rng, actions):
    """What is pulled, by the paper's lines, with every set in a loop."""
    size, sets = decisions.size, list(decisions.sets())
    played = [(e,) for e in range(size)] if actions == "elements" else sets
    cover = played
    if actions == "sets":
        oracle = SubsetOracle(decisions)
        cover = covering_sets(oracle, SingleEvidence(oracle, sigma, 0.1))
    pulls, sums, pulled, t = np.zeros(size), np.zeros(size), [], 0

    def play(action):
        for element in action:
            sums[element] += rewards[len(pulled)]
            pulls[element] += 1
            pulled.append(element)

    for action in cover:
        if not pulls[list(action)].all():
            play(action)
            t += 1
    while len(pulled) < len(rewards) - size:
        means = sums / pulls
        best = max(sets, key=lambda s: means[list(s)].sum())
        root = math.sqrt(t // len(cover))
        if root == int(root):
            play(cover[t % len(cover)])
        else:
            slopes, count = np.zeros(size), math.ceil(t ** (1 / 4))
            for _ in range(count):
                z = rng.normal(size=size)
                z *= rng.uniform() ** (1 / size) / np.linalg.norm(z)
                shares = pulls / t
                shares = np.maximum(shares / 2, shares + z / (4 * math.sqrt(t * size)))
                slopes += min(confusion(decisions, best, means, shares, sigma))[1] / count
            gains = [on_grid(slopes)[list(x)].sum() for x in played]
            play(played[int(first_largest(np.array(gains)))])
        t += 1
    return pulled


@pytest.mark.parametrize("actions", ["elements", "sets"])
def test_it_pulls_what_the_plain_reference_pulls(actions):
    decisions = CLASSES["matchings"]
    rewards = np.random.default_rng(3).normal(size=150) + np.resize([0.0, 1.0, 0.5], 150)
    told = {"noise": 1.0, "delta": 1e-300, "actions": actions}
    run = p_fws(decisions, rng=np.random.default_rng(5), **told)
    wanted = reference(decisions, rewards, 1.0, np.random.default_rng(5), actions)
    pulled, query = [], next(run)
    while len(pulled) < len(wanted):
        each = query.queries if isinstance(query, cpe.Batch) else (query,)
        seen = [[reward] for reward in rewards[len(pulled) : len(pulled) + len(each)]]
        pulled += [one.arm for one in each]
        query = run.send(seen if isinstance(query, cpe.Batch) else seen[0])
    assert pulled[: len(wanted)] == wanted


def test_sets_cover_all_elements_that_are_in_any():
    decisions = cpe.Paths([(0, 1), (1, 2), (0, 2), (0, 3)], 0, 2)
    oracle = SubsetOracle(decisions)
    evidence = SingleEvidence(oracle, 0.1, 0.1)
    sets = covering_sets(oracle, evidence)
    assert evidence.pulls.tolist() == [0.0, 0.0, 0.0, 1.0]
    assert all(decisions.contains(members) for members in sets)
    assert [element in members for element, members in enumerate(sets)] == [True] * 3
    bandit = cpe.SubsetBandit(decisions, [0.9, 0.8, 0.1, 0.7], noise=0.1)
    trace = cpe.simulate("p-fws", bandit, noise=0.1, actions="sets", seed=0)
    assert (trace.answer, trace.proved, trace.draws[3]) == ((0, 1), True, 0)
