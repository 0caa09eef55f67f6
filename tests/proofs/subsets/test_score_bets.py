"""Bets on differences of scores: fair at every node of every order, and what follows."""

import itertools

import numpy as np
import pytest

from cpe_opt.proofs.subsets.score_bets import ScoreBets, ScoreProof, weights_of

NONE = np.nan


def walk(table, hints=None, margin=0.0, answered=None):
    """Check every node of the tree of orders, by the bets of the learner, and the largest E's."""
    truth, known = table
    arms, cells = truth.shape
    bets = ScoreBets(arms, cells, margin=margin, hints=hints, answered=answered)
    before = np.zeros((arms, 0)) if answered is None else answered
    means = np.hstack([truth, before]).mean(axis=1)
    null = means[:, None] - means <= -margin + 1e-12
    np.fill_diagonal(null, False)
    every = np.arange(arms)
    largest = []

    def visit(left):
        position, now, state = cells - len(left), np.exp(bets.ln_now * null), bets.state()
        if not left:
            largest.append(np.exp(bets.ln_e * null))
            return
        rest = np.zeros(arms) if hints is None else hints[:, left].sum(axis=1)
        mean = np.zeros((arms, arms))
        for item in left:
            bets.restore(state)
            bets.advance(position, every, known[:, item], item, rest)
            mean += np.exp(bets.ln_now * null) / len(left)
            visit([each for each in left if each != item])
        assert (mean[null] <= now[null] * (1 + 1e-9)).all()

    visit(list(range(cells)))
    for level in (1.5, 2.0, 4.0, 8.0):
        assert ((np.array(largest) >= level).mean(axis=0) <= 1.0 / level).all()


def hints_of(kind, table, rng):
    """Hints that know nothing, everything, its opposite, only the arm, or only the item."""
    return {
        "none": None,
        "random": rng.random(table.shape).round(2),
        "equal": table,
        "opposite": 1.0 - table,
        "by arm": np.repeat(np.arange(len(table))[:, None], table.shape[1], axis=1) / 2.0,
        "by item": np.repeat(rng.random((1, table.shape[1])), len(table), axis=0),
        "one cell": np.eye(*table.shape),
    }[kind]


HINTS = ("none", "random", "equal", "opposite", "by arm", "by item", "one cell")
LARGER = pytest.param(2, 5, marks=pytest.mark.slow)


@pytest.mark.parametrize("kind", HINTS)
@pytest.mark.parametrize(("arms", "cells"), [(2, 4), (3, 3), (3, 2), LARGER])
def test_no_bet_gains_on_average_at_any_node(arms, cells, kind):
    rng = np.random.default_rng([arms, cells, HINTS.index(kind)])
    for trial in range(5 if cells < 5 else 2):
        truth = rng.integers(0, 2 + trial % 2, (arms, cells)) / (1.0 + trial % 2)
        if trial % 2:  # the null is as true as it can be: all means are equal
            truth = np.array([rng.permutation(truth[0]) for _ in range(arms)])
        known = np.where(rng.random(truth.shape) < 0.15 * (trial > 1), NONE, truth)
        margin = (0.0, 0.1, 0.3)[trial % 3]
        walk((truth, known), hints_of(kind, truth, rng), margin)


@pytest.mark.parametrize("kind", ["none", "equal", "opposite"])
def test_scores_from_before_count_as_they_are(kind):
    rng = np.random.default_rng(3)
    truth, before = rng.integers(0, 2, (2, 4)) * 1.0, rng.integers(0, 2, (2, 3)) * 1.0
    walk((truth, truth), hints_of(kind, truth, rng), answered=before)


def test_all_tables_of_two_arms_and_three_items():
    rows = itertools.product((0.0, 1.0), repeat=3)
    for both in itertools.combinations_with_replacement(rows, 2):  # in either order the same bets
        truth = np.array(both)
        walk((truth, truth), truth[:, ::-1])


def test_all_tables_of_two_arms_and_four_items_with_equal_means():
    """Up to the order of items: there the null is as true as it can be, and a fair bet's mean 1."""
    for second in itertools.product((0.0, 1.0), repeat=4):
        truth = np.array([sorted(second), second])
        walk((truth, truth))


def test_an_arm_that_rests_and_catches_up_has_the_same_bets():
    rng = np.random.default_rng(5)
    scores, hints = rng.integers(0, 2, (3, 20)) * 1.0, rng.random((3, 20))
    rest = [hints[:, item:].sum(axis=1) for item in range(20)]
    together, apart = (ScoreBets(3, 20, hints=hints) for _ in range(2))
    for item in range(20):
        together.advance(item, np.arange(3), scores[:, item], item, rest[item])
    for some in ([0, 1], [0, 1, 2]):
        for item in range(20):
            apart.advance(item, np.array(some), scores[:, item], item, rest[item])
    np.testing.assert_array_equal(apart.ln_e, together.ln_e)
    assert (apart.time + 20 * np.eye(3) == 20).all()


def test_scores_of_other_arms_change_nothing():
    rng = np.random.default_rng(6)
    scores = rng.integers(0, 2, (3, 60)) * 1.0
    hints, found = np.where(rng.random((3, 60)) < 0.3, 1.0 - scores, scores), []
    for third in (scores[2], 1.0 - scores[2]):
        table, bets = np.vstack([scores[:2], third]), ScoreBets(3, 60, hints=hints)
        for item in range(30):
            rest = hints[:, item:].sum(axis=1)
            bets.advance(item, np.arange(3), table[:, item], item, rest)
        found.append(bets.ln_now[:2, :2])
    np.testing.assert_array_equal(*found)


def test_a_null_is_refuted_and_a_pair_held_by_sums():
    bets = ScoreBets(2, 4)
    for item in range(2):
        bets.advance(item, np.arange(2), np.array([1.0, 0.0]), item, np.zeros(2))
        assert bets.held.tolist() == [[False, item == 1], [False, False]]
    assert bets.ln_e[0, 1] < 100.0
    bets.advance(2, np.arange(2), np.array([0.5, 0.0]), 2, np.zeros(2))
    assert bets.ln_e[0, 1] > 1000.0


@pytest.mark.parametrize("arms", [2, 3, 5, 6])
def test_weights_of_wrong_pairs_add_up_to_one_at_most(arms):
    rng = np.random.default_rng(arms)
    for top in range(1, arms):
        for hints in (None, rng.random((arms, 50)) * 0.2 + np.arange(arms)[:, None] / 8):
            weights = weights_of(arms, top, 50, hints)
            for best in itertools.combinations(range(arms), top):
                others = [arm for arm in range(arms) if arm not in best]
                assert weights[np.ix_(others, best)].sum() <= 1.0 + 1e-12


def proof_of(ln_e, top, margin=0.0, estimates=None):
    """What follows from these e-values alone."""
    bets = ScoreBets(len(ln_e), 100, margin=margin)
    bets.ln_e = np.array(ln_e, dtype=np.float64)
    proof = ScoreProof(bets, top, 0.05, weights_of(len(ln_e), top, 100, None))
    proof.look(np.linspace(0.1, 0.0, len(ln_e)) if estimates is None else np.array(estimates))
    return proof


def test_an_arm_is_out_by_whatever_arm_is_over_it():
    proof = proof_of([[0, 9, 0], [0, 0, 9], [0, 0, 0]], 1)
    assert proof.answer == (0,)
    proof = proof_of([[0, 0, 0], [0, 0, 9], [0, 0, 0]], 1)
    assert (proof.answer, proof.left.tolist()) == (None, [True, True, False])


def test_with_a_margin_the_answer_itself_has_to_be_compared():
    chain = [[0, 9, 0], [0, 0, 9], [0, 0, 0]]
    proof = proof_of(chain, 1, 0.02)
    assert (proof.answer, proof.left.tolist()) == (None, [True, False, True])
    assert proof_of([[0, 9, 9], [0, 0, 0], [0, 0, 0]], 1, 0.02).answer == (0,)


def test_the_top_is_known_by_those_in_and_those_out():
    over = np.zeros((4, 4))
    over[[0, 0, 1], [2, 3, 3]] = 9.0
    proof = proof_of(over, 2)
    assert (proof.answer, proof.left.tolist()) == (None, [False, True, True, False])
    over[1, 2] = 9.0
    assert proof_of(over, 2).answer == (0, 1)


@pytest.mark.parametrize("top", [1, 2, 3])
def test_an_answer_is_given_only_where_no_other_set_is_possible(top):
    """Against all sets that no arm outside is over: what is in or out is so in each of them."""
    rng = np.random.default_rng(top)
    for _ in range(150):
        over = np.triu(rng.random((5, 5)) < 0.5, 1)
        order = rng.permutation(5)
        proof = proof_of(9.0 * over[np.ix_(order, order)], top, estimates=rng.random(5))
        relation = over[np.ix_(order, order)]
        possible = [
            set(some)
            for some in itertools.combinations(range(5), top)
            if not any(relation[i, j] for i in range(5) if i not in some for j in some)
        ]
        assert (proof.answer is not None) == (len(possible) == 1)
        assert proof.answer is None or set(proof.answer) == possible[0]


def test_contradictions_end_in_an_answer_of_the_right_size():
    for top in (1, 2, 3):
        assert len(proof_of(9.0 - 9.0 * np.eye(5), top).guess) == top
