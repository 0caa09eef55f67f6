"""What logs with planted dependence prove of the mean over clusters is seldom false.

Each world draws a log whose votes depend on each other in one of the ways in which real ones do,
and knows the mean over clusters. Most of its pairs are even, where a false proof is the likeliest.
"""

import itertools

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.proofs.dueling.evidence import statements
from tests.proofs.test_validity import contradicts

DELTA, MARGIN = 0.05, 0.05


def even(arms):
    return np.full((arms, arms), 0.5)


def pairs_of(arms):
    return list(itertools.combinations(range(arms), 2))


# Worlds: lines of two arms, the share of the first, and the cluster; last of all the true means.


def raters_with_an_order(rng):
    """Raters have an order of the arms, and vote by it thirty times on pairs at random."""
    for rater in range(50):
        order = rng.permutation(4)
        for _ in range(30):
            i, j = rng.choice(4, 2, replace=False)
            yield i, j, float(order[i] < order[j]), rater
    yield even(4)


def one_giant_cluster(rng):
    """One user has most of the votes, and an opinion; thirty others have one vote a pair."""
    for user in range(31):
        order = rng.permutation(3)
        for i, j in pairs_of(3):
            for _ in range(2000 // 3 if user == 0 else 1):
                yield i, j, float(order[i] < order[j]), user
    yield even(3)


def sizes_that_go_with_the_outcome(rng):
    """Prompts with many votes favour the first arm, those with few the second."""
    for prompt in range(120):
        large = rng.random() < 0.5
        for _ in range(25 if large else 2):
            yield 0, 1, float(rng.random() < (0.9 if large else 0.1)), prompt
    yield even(2)


def raters_of_fixed_opinion(rng):
    """Half of them for either of two arms, thirty votes each."""
    for rater in range(100):
        share = float(rng.random() < 0.5)
        for _ in range(30):
            yield 0, 1, share, rater
    yield even(2)


def pairs_chosen_by_prompts_before(rng):
    """Each prompt is asked, four times each, about the two pairs with the largest leads so far."""
    leads = dict.fromkeys(pairs_of(4), 0.0)
    for prompt in range(120):
        first = rng.permutation(len(leads))
        for k in sorted(first, key=lambda k: -abs([*leads.values()][k]))[:2]:
            pair, share = [*leads][k], float(rng.random() < 0.5)
            leads[pair] += share - 0.5
            for _ in range(4):
                yield *pair, share, prompt
    yield even(4)


def a_knock_out_within_a_prompt(rng):
    """Half of the prompts prefer 0 to both others, half the reverse; 0 meets 2 if it beats 1."""
    for prompt in range(80):
        ahead, even_pair = rng.random() < 0.5, float(rng.random() < 0.5)
        yield 0, 1, float(ahead), prompt
        yield (0 if ahead else 1), 2, (1.0 if ahead else even_pair), prompt
    yield even(3)


def table(lines):
    """A log that names its clusters."""
    words = {1.0: "model_a", 0.0: "model_b", 0.5: "tie"}
    rows = [(f"{i}", f"{j}", words[share], cluster) for i, j, share, cluster in lines]
    return pd.DataFrame(rows, columns=["model_a", "model_b", "winner", "prompt"])


def contradicts_within(said, mu):
    """Whether anything that is said is false, also of what the margin decides."""
    off = ~np.eye(len(mu), dtype=bool)
    held = ((mu >= 0.5 + MARGIN) & off).sum(axis=1)
    lost = ((mu < 0.5 - MARGIN) & off).sum(axis=1)
    ahead = (held[:, None] + lost >= len(mu)) & off
    proved = np.array([status == "proved" for status in said.within_margin.values()])
    apart = np.abs(mu - 0.5) >= MARGIN
    return contradicts(said, mu) or (said.equal & apart).any() or (proved & ahead.any(axis=0)).any()


def wrong_logs(world, logs, seed, **how):
    """How many of some logs have a false statement, read by their clusters or in another way."""
    wrong = 0
    for log in range(logs):
        *lines, mu = world(np.random.default_rng([seed, log]))
        votes = cpe.read_votes(table(lines), **(how or {"cluster": "prompt"}))
        order = [int(label) for label in votes.labels]
        said = statements(votes, DELTA, MARGIN)
        wrong += contradicts_within(said, mu[np.ix_(order, order)])
    return wrong


@pytest.mark.parametrize(
    "world", [raters_of_fixed_opinion, sizes_that_go_with_the_outcome, raters_with_an_order]
)
def test_by_the_column_logs_are_right_that_are_wrong_without_it(world):
    assert wrong_logs(world, 6, 2) == 0
    assert wrong_logs(world, 6, 2, cluster=None) >= 2


def test_a_knock_out_within_a_cluster_proves_falsehoods_and_is_warned_of():
    """Its own votes choose the pairs, against what is assumed; the first vote of each is safe."""
    assert wrong_logs(a_knock_out_within_a_prompt, 5, 4) == 5
    assert wrong_logs(a_knock_out_within_a_prompt, 5, 4, unique="prompt") == 0
    *lines, _ = a_knock_out_within_a_prompt(np.random.default_rng(0))
    votes = cpe.read_votes(table(lines), cluster="prompt")
    assert votes.summary.clustering.pairs_differ


@pytest.mark.slow
@pytest.mark.parametrize(
    "world",
    [
        raters_with_an_order,
        one_giant_cluster,
        sizes_that_go_with_the_outcome,
        raters_of_fixed_opinion,
        pairs_chosen_by_prompts_before,
    ],
)
def test_of_a_thousand_logs_at_most_five_in_a_hundred_are_wrong(world):
    assert wrong_logs(world, 1000, 3) <= 1000 * DELTA
