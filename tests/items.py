"""Duels over items for tests: random ones, and a learner that asks every cell once."""

import itertools

import numpy as np

import cpe_opt as cpe
from cpe_opt.learners.declaration import declare


def batched(values, size):
    """Lists of so many, the last one perhaps shorter."""
    values = iter(values)
    while some := list(itertools.islice(values, size)):
        yield some


def random_items(arms=3, items=5, orders=2, *, seed=0, ties=0.2, missing=0.0):
    """Outcomes 0, ½, 1 in random cells, or in all."""
    rng = np.random.default_rng(seed)
    shape = (arms, arms, items, orders)
    outcomes = (rng.random(shape) < 0.6).astype(float)
    outcomes[rng.random(shape) < ties] = 0.5
    outcomes[rng.random(shape) < missing] = np.nan
    outcomes[np.tril(np.ones((arms, arms), dtype=bool))] = np.nan
    labels = [f"arm {arm}" for arm in range(arms)]
    ids = [f"q{item}" for item in range(items)]
    return cpe.ItemDuels(outcomes if orders == 2 else outcomes[..., 0], labels, ids)


@declare(
    family="dueling",
    goal="identification",
    guarantee="the arm with the largest Borda score of the full table, which it asks for",
    paper="tests",
    batches="``parallel`` cells, of one pair after the other",
)
def round_robin(arms, *, cells=None, answered=None, delta=0.05, parallel=3, heard=None):
    """Ask a cell of every pair in turn, ``parallel`` at once, until none is left."""
    cells = np.full((arms, arms), 10) - 10 * np.eye(arms, dtype=int) if cells is None else cells
    sums = np.zeros((arms, arms))
    counts = cells.copy()
    if answered is not None:
        sums += answered
        counts = counts + answered + answered.T
    try:
        turns = (np.argwhere(np.triu(cells) > turn).tolist() for turn in range(int(cells.max())))
        for pairs in batched(itertools.chain.from_iterable(turns), parallel):
            duels = [cpe.Duel(i, j) for i, j in pairs]
            given = yield cpe.Batch(tuple(duels)) if len(duels) > 1 else duels[0]
            for duel, each in zip(duels, given if len(duels) > 1 else [given], strict=True):
                won, lost = each[:2] if isinstance(each, cpe.CellSums) else (each, 1 - each)
                if heard is not None:
                    heard.append((duel.i, duel.j, won))
                sums[duel.i, duel.j] += won
                sums[duel.j, duel.i] += lost
    except cpe.learners.HorizonReached:
        return int(np.argmax(sums.sum(axis=1)))
    means = np.where(counts > 0, sums / np.maximum(counts, 1), 0.5)
    return int(np.argmax(means.sum(axis=1).round(9)))
