"""Bets on cells drawn without replacement: their means, and exact probabilities of an error."""

import copy
import itertools
import math
from collections import Counter

import numpy as np
import pytest

from cpe_opt.proofs.dueling.borda import BordaCells
from cpe_opt.proofs.dueling.cell_hints import CellHints


def scores(table):
    """The Borda scores of a table: for each pair i < j the outcomes of i in its cells."""
    arms = max(j for _, j in table) + 1
    mean = np.full((arms, arms), 0.5)
    for (i, j), cells in table.items():
        if cells:
            mean[i, j] = np.mean(cells)
            mean[j, i] = 1.0 - mean[i, j]
    return (mean.sum(axis=1) - 0.5) / (arms - 1)


def bets_on(table, margin, delta, known=None):
    """Before the first cell; ``known`` are further cells, answered already."""
    arms = max(j for _, j in table) + 1
    left, total = np.zeros((2, arms, arms))
    for (i, j), cells in table.items():
        left[i, j] = left[j, i] = len(cells)
        for outcome in (known or {}).get((i, j), ()):
            total[i, j] += outcome
            total[j, i] += 1.0 - outcome
    return BordaCells(left, total, margin, delta)


def next_cells(bets, cells):
    """The pairs and outcomes that may come next, and how likely each is."""
    count = Counter(
        (pair, value)
        for pair, values in cells.items()
        if bets.in_play[list(pair)].any()
        for value in values
    )
    return [(each, number / count.total()) for each, number in sorted(count.items())]


def after(bets, cells, pair, value):
    bets, cells = copy.deepcopy(bets), {each: list(values) for each, values in cells.items()}
    cells[pair].remove(value)
    bets.count(*pair, value, 1.0 - value)
    return bets, cells


@pytest.mark.parametrize("margin", [0.0, 0.1])
@pytest.mark.parametrize("kind", ["the answers", "their opposites", "drawn"])
def test_with_hints_the_mean_of_the_next_factor_is_as_it_was(kind, margin):
    """One at the edge of the null, whatever the hints; and no factor is near 0."""
    rng, moved = np.random.default_rng(7), 0
    table = {(0, 1): [1.0, 0.0, 0.5], (0, 2): [0.0, 1.0, 1.0], (1, 2): [1.0, 0.0, 0.5, 1.0, 0.0]}
    say = {"the answers": lambda y: y, "their opposites": lambda y: 1 - y}
    say = say.get(kind, lambda y: round(rng.random() * 2**20) / 2**20)
    cells = {pair: [(y, say(y)) for y in values] for pair, values in table.items()}
    gaps = scores(table)[:, None] - scores(table)
    bets = bets_on(table, margin, 1e-9)
    bets._hints = CellHints({k: [x for _, x in each] for k, each in cells.items()}, bets.left)
    bets._slope.sums += (20.0, 15.0, 30.0, 90.0)
    while total := sum(map(len, cells.values())):
        mean, before = 0.0, np.exp(bets._log_e)
        for (i, j), values in cells.items():
            for y, x in values:
                child = copy.deepcopy(bets)
                child.count(
                    *((i, j, y, 1 - y, x) if rng.random() < 0.5 else (j, i, 1 - y, y, 1 - x))
                )
                assert (child._log_e - bets._log_e > math.log(0.05)).all()
                mean = mean + np.exp(child._log_e) / total
        for place, null in enumerate([margin, 0.0] if margin else [0.0]):
            true = (gaps <= -null + 1e-12) & ~np.eye(3, dtype=bool)
            assert (mean[place][true] <= before[place][true] * (1 + 1e-12)).all()
            moved += (np.exp(child._log_e[place])[true] != before[place][true]).sum()
            edge = true & (gaps >= -null - 1e-12)
            np.testing.assert_allclose(mean[place][edge], before[place][edge], rtol=2e-6)
        pair = [each for each in cells if cells[each]][
            int(rng.integers(3)) % sum(map(bool, cells.values()))
        ]
        y, x = cells[pair].pop(int(rng.integers(len(cells[pair]))))
        bets.count(*pair, y, 1 - y, x)
    assert moved > 5


def drawn(rng, possible):
    """One of them."""
    return possible[rng.choice(len(possible), p=[chance for _, chance in possible])][0]


def random_table(rng, arms, most, equal):
    pairs = itertools.combinations(range(arms), 2)
    number = int(rng.integers(1, most + 1))
    return {
        pair: rng.choice(
            [0.0, 0.5, 1.0, 1.0], number if equal else rng.integers(0, most + 1)
        ).tolist()
        for pair in pairs
    }


def test_a_cell_that_is_left_out_counts_as_the_worst_for_every_two_arms():
    """What it says between any two arms is the least that its answer could, in bets and sums."""
    rng = np.random.default_rng(5)
    bets = bets_on(random_table(rng, 4, 30, equal=True), 0.02, 0.05)
    for pair in [(0, 1), (2, 3), (0, 2), (0, 1), (1, 3)] * 2:
        bets.count(*pair, 1.0, 0.0)
    won, lost, missing = (copy.deepcopy(bets) for _ in range(3))
    won.count(0, 1, 1.0, 0.0)
    lost.count(0, 1, 0.0, 1.0)
    missing.count(0, 1, 0.0, 0.0)
    least = np.minimum(won._log_e, lost._log_e)
    assert (missing._log_e == least).all()
    assert (least < np.maximum(won._log_e, lost._log_e)).any()
    none = np.zeros((4, 4))
    assert missing._standing(none) == pytest.approx(
        np.minimum(won._standing(none), lost._standing(none)) * (1 - np.eye(4))
        + np.diag(missing._standing(none).diagonal())
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_mean_of_the_next_factor_is_one_at_the_null_and_at_most_one_below(seed):
    """Whatever came before, with arms dropped, pairs of unequal sizes and cells known before."""
    rng = np.random.default_rng([41, seed])
    arms = 2 + seed % 4
    table = random_table(rng, arms, 6, equal=seed % 2 == 0)
    if not any(table.values()):
        table[0, 1] = [1.0, 0.0]
    known = random_table(rng, arms, 2, equal=False) if seed % 3 == 0 else {}
    full = scores({pair: values + list(known.get(pair, ())) for pair, values in table.items()})
    gaps = full[:, None] - full
    margin = max(0.0, float(-gaps[0, 1])) if seed % 4 else 0.0
    bets, cells = bets_on(table, margin, 1e-9, known), table
    played, exact = 0, 0
    while possible := next_cells(bets, cells):
        before = np.exp(bets._log_e)
        mean = sum(
            chance * np.exp(after(bets, cells, *each)[0]._log_e) for each, chance in possible
        )
        for place, null in enumerate([0.0] if margin == 0.0 else [margin, 0.0]):
            true = gaps <= -null + 1e-12
            np.fill_diagonal(true, False)
            assert (mean[place][true] <= before[place][true] * (1 + 1e-12)).all()
            edge = true & (gaps >= -null - 1e-12)
            np.testing.assert_allclose(mean[place][edge], before[place][edge], rtol=2e-6)
            exact += int(edge.sum())
        bets, cells = after(bets, cells, *drawn(rng, possible))
        played += 1
        if played == 5 and arms > 3:
            bets.in_play[rng.permutation(arms)[:2]] = False
    assert played
    assert exact or margin == 0.0


def probability_of_an_error(table, margin, delta):
    """Of all orders of the cells, and how often it stops before the last cell."""
    full = scores(table)
    wrong = early = 0.0

    def follow(bets, cells, chance):
        nonlocal wrong, early
        bets.judge()
        answer = bets.answer()
        if answer is not None:
            wrong += chance * (full[answer] < full.max() - margin - 1e-12)
            early += chance * any(cells.values())
            return
        for each, share in next_cells(bets, cells):
            follow(*after(bets, cells, *each), chance * share)

    follow(bets_on(table, margin, delta), table, 1.0)
    return wrong, early


@pytest.mark.parametrize("delta", [pytest.param(0.3, marks=pytest.mark.slow), 0.6])
def test_wrong_answers_are_as_rare_as_promised_over_all_orders(delta):
    tables = [
        ({(0, 1): [0.0] * 4 + [1.0] * 3}, 0.0),
        ({(0, 1): [0.0] * 4 + [0.5, 1.0, 1.0]}, 0.1),
        ({(0, 1): [1.0, 0.0, 0.0], (0, 2): [0.5], (1, 2): [0.0, 1.0]}, 0.0),
        ({(0, 1): [1.0, 0.0], (0, 2): [0.0, 0.0], (1, 2): [1.0, 0.0]}, 0.05),
    ]
    most = 0.0
    for table, margin in tables:
        wrong, early = probability_of_an_error(table, margin, delta)
        assert wrong <= delta
        assert early > 0.0
        most = max(most, wrong)
    assert most > 0.0


def test_a_full_table_is_known_for_certain():
    """Also where all scores are equal, and where a pair has no cells."""
    rng = np.random.default_rng(7)
    tables = [
        {(0, 1): [0.5], (0, 2): [0.5], (1, 2): [0.5]},
        {(0, 1): [1.0, 0.0, 0.1], (0, 2): [0.3, 0.9], (1, 2): []},
        {(0, 1): [0.7, 0.1], (0, 2): [0.2, 0.2], (1, 2): [0.9, 0.3]},
    ]
    for table in tables:
        full = scores(table)
        bets, cells = bets_on(table, 0.0, 1e-12), table
        while bets.answer() is None:
            bets, cells = after(bets, cells, *drawn(rng, next_cells(bets, cells)))
            bets.judge()
        assert full[bets.answer()] >= full.max() - 1e-12


def test_an_arm_is_proved_as_soon_as_no_cells_left_can_change_it():
    bets = bets_on({(0, 1): [1.0] * 10}, 0.0, 1e-12)
    for number in range(1, 11):
        bets.count(0, 1, 1.0, 0.0)
        bets.judge()
        assert (bets.answer() == 0) == (number >= 5)  # five of ten are half, and no arm is above
    wide = bets_on({(0, 1): [1.0] * 10}, 0.4, 1e-12)
    for number in range(1, 5):
        wide.count(0, 1, 1.0, 0.0)
        wide.judge()
        assert (wide.answer() == 0) == (number >= 3)  # 3 to 7 is 0.4 behind


def test_the_last_arm_is_not_dropped():
    bets = bets_on({(0, 1): [1.0] * 9, (0, 2): [1.0] * 9, (1, 2): [1.0] * 9}, 0.0, 0.99)
    bets._log_e[:] = 40.0
    bets.judge()
    assert bets.in_play.sum() == 1
    assert bets.answer() is not None


def test_evidence_is_what_the_rule_adds_up():
    rng = np.random.default_rng(3)
    table = random_table(rng, 4, 9, equal=True)
    bets = bets_on(table, 0.1, 1e-9)
    bets._log_e[:] = rng.uniform(0.0, 6.0, bets._log_e.shape)
    bets.judge()
    with_margin, plain = np.exp(bets._log_e)
    both = np.minimum(with_margin, plain)
    for i in range(4):
        rivals = [
            with_margin[i, j] + sum(both[k, j] for k in range(4) if k not in (i, j))
            for j in range(4)
            if j != i
        ]
        assert bets.evidence(i) == pytest.approx(math.log(min(rivals)), abs=1e-5)


@pytest.mark.parametrize("margin", [0.0, 0.1])
def test_the_threshold_has_a_share_of_delta_for_every_other_arm(margin):
    """Evidence of one arm against another is enough where it is (K-1)/delta."""
    table = {pair: [0.0, 1.0] * 20 for pair in itertools.combinations(range(4), 2)}
    for more, settled in ((1.001, True), (0.999, False)):
        bets = bets_on(table, margin, 0.05)
        bets._log_e[:] = -60.0
        bets._log_e[:, 0, 1:] = math.log(3 / 0.05 * more)
        bets.judge()
        assert (bets.answer() == 0) == settled
        assert bets.in_play[1:].any() != settled
