"""Random test sets: what each argument does to the outcomes."""

import numpy as np
import pytest

import cpe_opt as cpe


def test_the_same_seed_gives_the_same_outcomes():
    one, same, other = (cpe.random_items(5, 20, seed=seed) for seed in (3, 3, 4))
    assert np.array_equal(one.outcomes, same.outcomes, equal_nan=True)
    assert not np.array_equal(one.outcomes, other.outcomes, equal_nan=True)
    assert (one.known, one.orders, one.cells[0, 1].item()) == (5, 2, 40)


def test_the_share_of_ties_is_met_and_close_cells_are_tied():
    duels = cpe.random_items(6, 100, ties=0.4)
    whole = cpe.random_items(6, 100)
    upper = np.triu_indices(6, 1)
    tied = duels.outcomes[upper] == 0.5
    assert tied.mean() == pytest.approx(0.4)
    assert (duels.outcomes[upper][~tied] == whole.outcomes[upper][~tied]).all()
    assert not (whole.outcomes == 0.5).any()


def test_the_arm_shown_first_gains_by_the_bias_alone():
    for bias, low, high in ((0.0, 0.45, 0.55), (1.0, 0.7, 0.8)):
        outcomes = cpe.random_items(8, 200, bias=bias).outcomes
        first = outcomes[~np.eye(8, dtype=bool)][..., 0].mean()
        assert low < first < high


def test_both_orders_agree_as_far_as_they_are_told():
    def agree(agreement):
        outcomes = cpe.random_items(6, 300, agreement=agreement, spread=0.01).outcomes
        upper = np.triu_indices(6, 1)
        return (outcomes[upper][..., 0] == outcomes[upper][..., 1]).mean()

    assert agree(1.0) == 1.0
    assert 0.45 < agree(0.0) < 0.55
    assert agree(0.0) < agree(0.8) < 1.0


def test_an_arm_may_dominate():
    for seed in range(3):
        duels = cpe.random_items(6, 200, ahead=1.5, seed=seed)
        winner = duels.condorcet_winner
        assert winner is not None
        assert np.delete(duels.table.array[winner], winner).min() > 0.75


@pytest.mark.parametrize("cycle", [3, 5])
def test_the_strongest_arms_may_beat_each_other_in_a_cycle(cycle):
    duels = cpe.random_items(8, 500, cycle=cycle, spread=0.8, seed=2)
    assert duels.condorcet_winner is None
    winners = duels.copeland_winners
    assert len(winners) == cycle
    ahead = duels.table.array[np.ix_(winners, winners)] > 0.5
    assert (ahead.sum(axis=1) == cycle // 2).all()


def test_pairs_may_be_tied_exactly():
    duels = cpe.random_items(6, 50, equal=2, spread=1.0)
    table = duels.table.array
    order = np.argsort(-table.sum(axis=1))
    assert {frozenset(pair) for pair in duels.table.ties} >= {
        frozenset(order[:2].tolist()),
        frozenset(order[2:4].tolist()),
    }
    assert (duels.outcomes[order[0], order[1]] != 0.5).any()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"cycle": 4}, "odd"),
        ({"cycle": 7}, "3 to 6 arms"),
        ({"equal": 4}, "equal is 4, expected a whole number, at least 0, at most 3"),
        ({"arms": 10_000, "items": 10_000}, "arms × arms"),
    ],
)
def test_what_makes_no_test_set_is_refused(wrong, words):
    with pytest.raises(cpe.InputError, match=words):
        cpe.random_items(**({"arms": 6, "items": 10} | wrong))
