"""Random preference matrices are what their module says, and the same every time."""

import numpy as np
import pytest

from cpe_opt.problems.generators import bradley_terry, mslr_like, random_cycle

KINDS = (bradley_terry, random_cycle, mslr_like)


@pytest.mark.parametrize("kind", KINDS)
def test_a_matrix_is_a_function_of_its_size_and_seed(kind):
    one, again, other = kind(9, seed=3), kind(9, seed=3), kind(9, seed=4)
    assert one == again
    assert one != other
    assert one.arms == 9
    assert np.array_equal(one.array + one.array.T, np.ones((9, 9)))
    assert not one.ties


@pytest.mark.parametrize("seed", range(5))
def test_strengths_explain_all_of_bradley_and_terry(seed):
    """Logits of a pair are the difference of those with any third arm."""
    mu = bradley_terry(12, spread=0.7, seed=seed)
    logits = np.log(mu.array / mu.array.T)
    assert logits == pytest.approx(logits[:, :1] + logits[:1, :])
    assert mu.condorcet_winner == int(np.argmax(logits[:, 0]))


def test_strengths_have_the_spread():
    """1000 strengths: the standard deviation of each is within 7 % of the spread (3 errors)."""
    for spread in (0.3, 1.0):
        logits = np.log(1.0 / bradley_terry(1000, spread=spread, seed=1).array[0, 1:] - 1.0)
        assert logits.std() == pytest.approx(spread, rel=0.07)


@pytest.mark.parametrize("arms", [4, 5, 16])
def test_three_winners_are_in_a_cycle_above_the_rest(arms):
    for seed in range(5):
        mu = random_cycle(arms, seed=seed)
        assert mu.condorcet_winner is None
        assert mu.copeland_winners == (0, 1, 2)
        assert mu.copeland_scores[:3].tolist() == [arms - 2] * 3
        assert min(mu.array[0, 1], mu.array[1, 2], mu.array[2, 0]) > 0.5
        assert (mu.array[:3, 3:] > 0.5).all()
        assert mu.copeland_scores[3:].max() <= arms - 4
        gaps = mu.gaps[np.triu_indices(arms, 1)]
        assert 0.05 <= gaps.min() <= gaps.max() <= 0.4


def test_rankers_are_as_those_of_mslr():
    mu = mslr_like(600, seed=1)
    logits = np.log(mu.array / mu.array.T)
    strength = logits.mean(axis=1)
    i, j = np.triu_indices(600, 1)
    centred = strength - strength.mean()
    assert centred.std() == pytest.approx(0.54, rel=0.1)
    assert (centred**3).mean() / centred.std() ** 3 == pytest.approx(-1.66, abs=0.35)
    against = (logits[i, j] > 0) != (strength[i] > strength[j])
    assert against.mean() == pytest.approx(0.03, abs=0.01)
    assert mu.gaps[i, j].min() == pytest.approx(0.005)
