"""What votes prove within a margin, and from votes that are not independent: by brute force."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binom

import cpe_opt as cpe
from cpe_opt.proofs.dueling.copeland import weakest_truth
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.proofs.dueling.evidence import statements
from cpe_opt.proofs.dueling.winners import equal_pairs, pair_proof, statuses_within, tiers_of
from tests.proofs.dueling.definitions import sign_matrices, wealth

# Where a probability lies: by more than the margin below ½, by the margin, in between, …
FAR_BELOW, BELOW, BETWEEN, ABOVE, FAR_ABOVE = range(-2, 3)
POSSIBLE = {
    FAR_BELOW: (-1,),
    BELOW: (-1, 0),
    BETWEEN: (-1, 0, 1),
    ABOVE: (0, 1),
    FAR_ABOVE: (1,),
}
"""The signs that a pair may have if its probability is moved by the margin at most."""


def ahead(truth, j, i):
    """Whether j is ahead of i by more than the margin, by the two sets."""
    held, lost = (truth[j] >= ABOVE).sum(), (truth[i] == FAR_BELOW).sum()
    return i != j and held + lost >= len(truth)


def ahead_by_definition(truth, j, i):
    """Whether fewer arms beat j than beat i however probabilities are moved by the margin."""
    pairs = list(itertools.combinations(range(len(truth)), 2))
    for signs in itertools.product(*(POSSIBLE[int(truth[pair])] for pair in pairs)):
        losses = [0] * len(truth)
        for (a, b), sign in zip(pairs, signs, strict=True):
            losses[b] += sign > 0
            losses[a] += sign < 0
        if losses[j] >= losses[i]:
            return False
    return i != j


def test_the_two_sets_say_what_the_definition_says():
    for truth in sign_matrices(3, POSSIBLE):
        for i, j in itertools.permutations(range(3), 2):
            assert ahead(truth, j, i) == ahead_by_definition(truth, j, i)


@pytest.mark.parametrize("independent", [True, False])
@pytest.mark.parametrize(
    ("arms", "seed"),
    [
        *itertools.product((2, 3), range(6)),
        (4, 0),
        *(pytest.param(4, seed, marks=pytest.mark.slow) for seed in range(1, 6)),
    ],
)
def test_the_weakest_truth_within_a_margin_is_that_of_brute_force(arms, seed, independent):
    rng = np.random.default_rng(seed)
    log_e = rng.normal(rng.choice([-1.0, 2.0]), 4.0, (arms, arms))
    if seed % 2:  # both sides of a pair may be refuted
        log_e = np.where(rng.random((arms, arms)) < 0.5, np.abs(log_e), -1.0)
    e = np.exp(log_e)
    others, least = range(1, arms), math.inf
    found = weakest_truth(log_e, 0, independent=independent).evidence
    for truth in sign_matrices(arms, POSSIBLE):
        held, lost = truth >= ABOVE, truth == FAR_BELOW
        sizes, losses = held.sum(axis=1), lost[0].sum()
        for j in others:
            if sizes[j] + losses >= arms:  # j is ahead of 0
                least = min(least, wealth(e, held, lost, j, [0], independent=independent))
                if sizes[j] == sizes.max():
                    answers = [arm for arm in range(arms) if arm != j]
                    all_of_it = wealth(e, held, lost, j, answers, independent=independent)
                    assert found <= math.log(all_of_it) + 1e-9
    assert math.log(least) - 1e-5 <= found <= math.log(least) + 1e-9


@pytest.mark.parametrize("null", [0.47, 0.4, 0.25])
def test_another_null_is_a_fair_bet_at_its_probability_and_a_losing_one_below(null):
    for duels in (1, 3, 40):
        won = np.arange(duels + 1.0)
        e = np.exp(log_e_values(won, duels - won, null))
        assert 1 - 1e-5 <= binom.pmf(won, duels, null) @ e <= 1 + 1e-9
        assert binom.pmf(won, duels, 0.8 * null) @ e <= 1 + 1e-9
    tie = float(np.exp(log_e_values(np.array([0.5]), np.array([0.5]), null))[0])
    one, other = np.exp(log_e_values(np.array([1.0, 0.0]), np.array([0.0, 1.0]), null)).tolist()
    assert tie <= (one + other) / 2  # half a win is no better than either side of a fair coin


@pytest.mark.parametrize(("margin", "count"), [(0.05, 1), (0.32, 3)])
def test_an_arm_that_others_are_ahead_of_is_not_proved(margin, count):
    wins = np.array([[0.0, 900.0, 900.0], [300.0, 0.0, 600.0], [300.0, 600.0, 0.0]])
    log_e = log_e_values(wins, wins.T, 0.5 - margin)
    every = [weakest_truth(log_e, arm).evidence >= math.log(20) for arm in range(3)]
    estimate = cpe.Votes(wins).fractions
    found = statuses_within(estimate, log_e, margin, 0.05)
    assert [status == "proved" for status in found] == every
    assert sum(every) == count


def test_what_a_margin_says_is_paid_for_by_what_is_said_without_it():
    wins = np.array([[0.0, 60.0, 40.0], [9.0, 0.0, 20.0], [9.0, 20.0, 0.0]])
    votes = cpe.Votes(wins)
    proof = pair_proof(votes.fractions, log_e_values(wins, wins.T), 1.0)
    delta = 2 * math.exp(proof.threshold - proof.cost[0, 1])  # the pair is proved from here on
    assert statements(votes, 1.01 * delta).beats[0, 1]
    assert not statements(votes, 0.99 * delta).beats[0, 1]
    assert statements(votes, 2.02 * delta, 0.03).beats[0, 1]
    assert not statements(votes, 1.98 * delta, 0.03).beats[0, 1]
    within = float(weakest_truth(log_e_values(wins, wins.T, 0.47), 0).evidence)
    for factor, status in ((1.01, "proved"), (0.99, "possible")):
        said = statements(votes, factor * 8 * math.exp(-within), 0.03)
        assert said.within_margin["0"] == status


def test_of_two_arms_what_a_margin_says_has_all_of_its_half():
    wins = np.array([[0.0, 70.0], [50.0, 0.0]])
    log_e = log_e_values(wins, wins.T, 0.35)
    for arm, other, equal in ((0, 1, False), (1, 0, True)):
        for factor, status in ((1.01, "proved"), (0.99, "possible")):
            said = statements(cpe.Votes(wins), factor * 2 * math.exp(-log_e[arm, other]), 0.15)
            assert said.within_margin[str(arm)] == status
            assert said.equal[0, 1] == (equal and status == "proved")


@pytest.mark.parametrize("margin", [0.0, 0.1])
def test_over_all_outcomes_of_two_arms_nothing_said_is_wrong_more_often_than_delta(margin):
    duels, delta = 12, 0.3
    said = {
        (won, lost): statements(cpe.Votes([[0, won], [lost, 0]]), delta, margin)
        for won in range(duels)
        for lost in range(duels - won)
    }
    for mu in (0.5, 0.4, 0.36):
        alive, wrong = {(0, 0): 1.0}, 0.0
        for _ in range(duels):
            reached = dict(alive)
            alive = {}
            for (won, lost), chance in reached.items():
                found = said[won, lost]
                false = bool(found.beats[0, 1]) or (found.beats[1, 0] and mu == 0.5)
                false |= found.within_margin.get("0") == "proved" and mu < 0.5 - margin
                false |= bool(found.equal[0, 1]) and mu <= 0.5 - margin
                if false:
                    wrong += chance
                    continue
                for after, share in (((won + 1, lost), mu), ((won, lost + 1), 1 - mu)):
                    alive[after] = alive.get(after, 0.0) + share * chance
        assert 0.0 < wrong <= delta / (2.0 if margin and mu < 0.5 else 1.0)


def test_a_pair_is_equal_where_both_nulls_of_the_margin_are_refuted_for_all_pairs_at_once():
    log_e = np.log(np.array([[0.0, 90.0, 200.0], [60.0, 0.0, 59.0], [200.0, 500.0, 0.0]]) + 1e-9)
    for delta, pairs in (
        (0.0499, [(0, 2)]),
        (0.05, [(0, 1), (0, 2)]),
        (0.06, [(0, 1), (0, 2), (1, 2)]),
    ):
        found = equal_pairs(log_e, delta)
        assert (found == found.T).all()
        assert np.argwhere(np.triu(found)).tolist() == [list(pair) for pair in pairs]


def test_equal_pairs_have_their_share_and_make_the_tied_set():
    wins = np.array([[0, 600, 900], [600, 0, 900], [300, 300, 0]], dtype=float)
    log_e = log_e_values(wins, wins.T, 0.4)
    least = min(log_e[0, 1], log_e[1, 0])
    needed = 3 / math.exp(least)  # three pairs
    votes = cpe.Votes(wins, ["a", "b", "c"])
    for factor, equal in ((1.01, True), (0.99, False)):
        said = statements(votes, factor * needed * 4, 0.1)  # a quarter of delta
        assert said.equal[0, 1] == said.equal[1, 0] == equal
        assert said.copeland == {"a": "possible", "b": "possible", "c": "ruled out"}
        assert said.tied_set == (("a", "b") if equal else ())
        assert said.tiers == (("a", "b"), ("c",))
        assert said.some_proved
    assert not statements(votes, 0.05).equal.any()
    one = np.array([[0.0, 900.0], [100.0, 0.0]])
    assert statements(cpe.Votes(one), 0.05, 0.45).equal[0, 1]
    assert statements(cpe.Votes(one), 0.05, 0.45).tied_set == ()  # one arm is left


@pytest.mark.parametrize("seed", range(40))
def test_tiers_are_the_finest_order_of_groups_that_pairs_prove(seed):
    rng = np.random.default_rng(seed)
    arms = int(rng.integers(2, 8))
    beats = np.triu(rng.random((arms, arms)) < rng.choice([0.6, 0.9, 0.97]), 1)
    flipped = np.triu(rng.random((arms, arms)) < 0.1, 1)
    beats = (beats & ~flipped) | (beats & flipped).T
    shuffled = rng.permutation(arms)
    beats = beats[np.ix_(shuffled, shuffled)]
    tiers = tiers_of(beats)
    assert sorted(arm for tier in tiers for arm in tier) == list(range(arms))
    for better, worse in itertools.combinations(tiers, 2):
        assert beats[np.ix_(better, worse)].all()
    for tier in tiers:  # none can be cut again
        for size in range(1, len(tier)):
            for part in itertools.combinations(tier, size):
                rest = [arm for arm in tier if arm not in part]
                assert not beats[np.ix_(part, rest)].all()
