"""PDO: the pairs of the authors' program, rounds of so many pairs, and its ranking."""

import math

import numpy as np

import cpe_opt as cpe
from cpe_opt.learners.dueling.pdo import _first_of_ranking, _pair
from cpe_opt.problems.queries import Batch


def plain_pair(wins, alpha, t, rng):
    """The same steps pair by pair."""
    arms, draws = len(wins), wins + wins.T
    upper, lower = np.full((2, arms, arms), 0.5)
    for i in range(arms):
        for j in range(i + 1, arms):
            upper[i, j], lower[i, j] = 1.0, 0.0
            if draws[i, j]:
                radius = math.sqrt(alpha * math.log(max(t, 2)) / draws[i, j])
                upper[i, j] = wins[i, j] / draws[i, j] + radius
                lower[i, j] = wins[i, j] / draws[i, j] - radius
            upper[j, i], lower[j, i] = 1.0 - lower[i, j], 1.0 - upper[i, j]
    counts = (upper > 0.5).sum(axis=1)
    one = rng.standard_gamma(wins + 1.0)
    sampled = [
        sum(one[i, j] > one[j, i] for j in range(arms)) if counts[i] == counts.max() else -1
        for i in range(arms)
    ]
    best = [i for i in range(arms) if sampled[i] == max(sampled)]
    first = best[0] if len(best) == 1 else best[int(len(best) * rng.random())]
    mine, theirs = rng.standard_gamma(np.array([wins[:, first], wins[first]]) + 1.0)
    others = [k for k in range(arms) if k != first]
    others = [k for k in others if lower[k, first] <= 0.5] or others
    return first, max(others, key=lambda k: mine[k] / (mine[k] + theirs[k]))


def test_pairs_are_those_of_the_plain_program():
    rng = np.random.default_rng(4)
    for seed in range(400):
        mu = rng.random((5, 5))
        draws = np.triu(rng.integers(0, rng.choice([3, 40, 400]), (5, 5)), 1)
        first = rng.binomial(draws, mu)
        wins = (first + (draws - first).T).astype(float)
        if not wins.any():
            continue
        alpha, t = 1.2, int(rng.integers(1, 3000))
        ours = _pair(wins, alpha * math.log(max(t, 2)), np.random.default_rng(seed))
        assert ours == plain_pair(wins, alpha, t, np.random.default_rng(seed))


def test_a_round_chooses_its_pairs_by_earlier_rounds_and_t_counts_pairs(monkeypatch):
    from cpe_opt.learners.dueling import pdo as module

    seen = []

    def noted(wins, width, rng):
        seen.append((int(wins.sum()), round(math.exp(width / 2.0))))
        return 0, 1

    monkeypatch.setattr(module, "_pair", noted)
    exchange = cpe.learners.Exchange(module.pdo, 3, budget=23, alpha=2.0, pairs=4, times=2)
    sizes = []
    while not exchange.finished:
        queries = exchange.query.queries if isinstance(exchange.query, Batch) else [exchange.query]
        sizes.append([duel.times for duel in queries])
        exchange.tell([1] * len(queries) if len(queries) > 1 else 1)
    assert sizes == [[2] * 4, [2] * 4, [2, 2, 2, 1]]
    assert seen == [*[(0, 2)] * 4, *[(8, 5)] * 4, *[(16, 9)] * 4]


def test_the_ranking_is_by_leads_then_by_shares():
    wins = np.array([[0, 5, 2], [3, 0, 9], [4, 1, 0]])  # a cycle
    assert _first_of_ranking(wins.astype(float)) == 1
    assert _first_of_ranking(np.array([[0.0, 1, 1], [3, 0, 0], [0, 0, 0]])) == 1  # 2 met 0 alone
