"""Blocks of duels: what they add up to, and that on average they prove nothing false."""

import itertools
import math

import numpy as np
import pytest

from cpe_opt.proofs.dueling.borda import BordaBlocks


def borda_difference(mean, i, j):
    arms = len(mean)
    of = [sum(mean[a][k] for k in range(arms) if k != a) / (arms - 1) for a in (i, j)]
    return of[0] - of[1]


@pytest.mark.parametrize("seed", range(2))
def test_blocks_add_up_as_they_are_described(seed):
    rng = np.random.default_rng(seed)
    arms = int(rng.integers(2, 6))
    blocks = BordaBlocks(arms)
    sums, information = np.zeros((arms, arms)), np.zeros((arms, arms))
    for _ in range(3):
        planned = np.triu(rng.integers(1, 9, (arms, arms)), 1)
        planned = planned + planned.T
        won = np.triu(rng.binomial(planned, 0.6), 1).astype(float)
        won += np.tril(planned - won.T, -1)
        blocks.add(won, planned)
        mean = np.divide(won, planned, out=np.zeros_like(won), where=planned > 0)
        for i, j in itertools.permutations(range(arms), 2):
            variance = 0.0
            for a, b in itertools.combinations(range(arms), 2):
                unit = np.zeros((arms, arms))
                unit[a, b], unit[b, a] = 1.0, -1.0
                variance += borda_difference(unit, i, j) ** 2 / (4 * planned[a, b])
            sums[i, j] += borda_difference(mean, i, j) / variance
            information[i, j] += 1 / variance
    apart = ~np.eye(arms, dtype=bool)
    np.testing.assert_allclose(blocks.sums[apart], sums[apart], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(blocks.information[apart], information[apart], rtol=1e-9)
    log_e = blocks.log_e_values()
    rho = 1.15 ** -np.arange(83.0)
    weights = np.minimum(1, rho / 0.002)
    weights /= weights.sum()
    for i, j in itertools.permutations(range(arms), 2):
        stakes = np.exp(rho * sums[i, j] - rho**2 * information[i, j] / 2)
        exact = math.log(weights @ stakes)
        assert exact - 3e-6 <= log_e[i, j] <= exact + 1e-9


@pytest.mark.parametrize("sizes", [(1, 1, 1), (1, 2, 2)])
def test_a_block_of_even_duels_proves_nothing_on_average(sizes):
    """The exact mean over all outcomes of two blocks, the second planned by the first."""
    pairs = [(0, 1), (0, 2), (1, 2)]

    def outcomes(plan):
        for won in itertools.product(*(range(size + 1) for size in plan)):
            chance = math.prod(math.comb(n, w) / 2**n for n, w in zip(plan, won, strict=True))
            wins, planned = np.zeros((3, 3)), np.zeros((3, 3), dtype=int)
            for (i, j), n, w in zip(pairs, plan, won, strict=True):
                wins[i, j], wins[j, i] = w, n - w
                planned[i, j] = planned[j, i] = n
            yield chance, wins, planned, won

    total = np.zeros((3, 3))
    for chance, wins, planned, won in outcomes(sizes):
        second = (3, 1, 1) if won[0] else (1, 1, 2)
        for more, wins2, planned2, _ in outcomes(second):
            blocks = BordaBlocks(3)
            blocks.add(wins, planned)
            blocks.add(wins2, planned2)
            total += chance * more * np.exp(np.minimum(blocks.log_e_values(), 50))
    apart = ~np.eye(3, dtype=bool)
    assert (total[apart] <= 1 + 1e-9).all()
    assert (total[apart] > 0.5).all()


@pytest.mark.parametrize("margin", [0, 1])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_wrong_set_refutes_one_of_the_true_nulls_that_are_counted(size, margin):
    """For all scores of four arms with ties: the nulls that the theorem on the k best adds up."""
    for scores in itertools.product(range(4), repeat=4):
        best = sorted(range(4), key=lambda arm: (-scores[arm], arm))
        inside, outside, last = best[:size], best[size:], best[size - 1]
        if margin:
            nulls = [(i, j) for i in outside for j in inside]
            assert len(nulls) == size * (4 - size)
        else:
            nulls = [(i, last) for i in outside] + [(last, j) for j in inside[:-1]]
            assert len(nulls) == 3
        true = {(i, j) for i, j in nulls if scores[i] <= scores[j] - margin}
        assert margin or len(true) == len(nulls)
        for answer in itertools.combinations(range(4), size):
            others = [arm for arm in range(4) if arm not in answer]
            refuted = set(itertools.product(answer, others))
            if any(scores[i] < scores[j] - margin for i, j in refuted):
                assert refuted & true
