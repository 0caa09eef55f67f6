"""What a table of scores proves of new items: exactly on tiny populations, and by simulation."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from cpe_opt.errors import InputError
from cpe_opt.proofs.subsets.new_items import (
    STAKES,
    log_e_value,
    lower_bounds,
    new_item_statements,
    unit_means,
)

LABELS = tuple("abcdefgh")
POPULATIONS = [
    ((-1.0, 1.0), (0.5, 0.5)),
    ((-1.0, 0.0, 1.0), (0.2, 0.3, 0.5)),
    ((-0.7, 0.1, 0.9), (0.6, 0.3, 0.1)),
    ((-1.0, 1.0), (0.95, 0.05)),
]


@pytest.mark.parametrize(("values", "weights"), POPULATIONS)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_mean_over_all_tables_is_one_at_the_truth_and_below_it_at_most_one(values, weights, n):
    tables = np.array([*product(values, repeat=n)])
    likely = np.array([math.prod(each) for each in product(weights, repeat=n)])
    truth = float(np.dot(values, weights))
    for c, least, most in ((truth, 1.0, 1.0), (truth + 0.04, 0.0, 1.0)):
        found = np.exp(log_e_value(tables, np.full(len(tables), c)))
        assert least - 1e-9 <= likely @ found <= most + 1e-9
    below = np.exp(log_e_value(tables, np.full(len(tables), truth - 0.04)))
    assert likely @ below > 1.0


@pytest.mark.parametrize(("values", "weights"), POPULATIONS)
def test_no_bound_is_wrong_in_more_tables_than_delta_of_all(values, weights):
    tables = np.array([*product(values, repeat=6)])
    likely = np.array([math.prod(each) for each in product(weights, repeat=6)])
    truth = float(np.dot(values, weights))
    for delta in (0.05, 0.2, 0.5, 0.9):
        assert likely[lower_bounds(tables, delta) >= truth].sum() <= delta


def test_e_is_the_mean_over_stakes_by_its_definition_and_falls_in_c():
    rng = np.random.default_rng(0)
    row = rng.uniform(-1, 1, 37)
    row[[3, 30]] = np.nan
    there = row[~np.isnan(row)]
    before = np.inf
    for c in (-0.99, -0.3, 0.0, 0.2, 0.9):
        direct = np.mean([np.prod(1 - s + s * (1 + there) / (1 + c)) for s in STAKES])
        found = float(log_e_value(row[None], np.array([c]))[0])
        assert found == pytest.approx(math.log(direct))
        assert found < before
        before = found
    assert max(STAKES) <= 1.0
    assert min(STAKES) > 0.0


def test_a_bound_is_the_largest_number_of_the_grid_that_is_refuted():
    rng = np.random.default_rng(1)
    rows = rng.choice([-1.0, 0.0, 1.0], (5, 200), p=[0.2, 0.4, 0.4])
    for row, bound in zip(rows, lower_bounds(rows, 0.01), strict=True):
        here, above = log_e_value(np.array([row, row]), np.array([bound, bound + 2.0**-16]))
        assert here >= math.log(100) > above
    assert lower_bounds(np.full((1, 3), np.nan), 0.5).tolist() == [-1.0]


def equal_arms(rng, arms, n):
    """Items of different difficulty, on which all arms are equally good."""
    return (rng.random((arms, n)) < rng.random(n)).astype(float)


@pytest.mark.parametrize("delta", [0.2, 0.5])
def test_looking_after_every_item_errs_about_as_often_as_delta_and_not_more(delta):
    """Of two equal arms, whoever adds items until one is "better" is stopped by chance alone."""
    rng, wrong, runs = np.random.default_rng(7), 0, 400
    for _ in range(runs):
        y = equal_arms(rng, 2, 300)
        d = y[0] - y[1]
        steps = np.log1p(np.outer(STAKES, d)).cumsum(axis=1)
        log_e = np.logaddexp.reduce(steps, axis=0) - math.log(len(STAKES))
        steps = np.log1p(np.outer(STAKES, -d)).cumsum(axis=1)
        other = np.logaddexp.reduce(steps, axis=0) - math.log(len(STAKES))
        wrong += max(log_e.max(), other.max()) >= math.log(2 / delta)
    assert delta / 4 < wrong / runs <= delta + 2 * math.sqrt(delta / runs)


@pytest.mark.parametrize("delta", [0.2, 0.5])
def test_of_equal_arms_some_statement_is_wrong_at_most_as_often_as_delta(delta):
    rng, wrong, runs = np.random.default_rng(11), 0, 20
    for _ in range(runs):
        said = new_item_statements(equal_arms(rng, 4, 120), LABELS[:4], delta)
        wrong += said.better.any()
    assert wrong / runs <= delta / 2


def test_items_of_a_cluster_are_one_and_not_many():
    """Documents with thirty equal questions: the mean over documents is that of equal arms."""
    rng, alone, together = np.random.default_rng(3), 0, 0
    clusters = np.repeat(np.arange(20), 30)
    for _ in range(15):
        y = np.repeat(equal_arms(rng, 2, 20), 30, axis=1)
        alone += new_item_statements(y, "ab", 0.05).better.any()
        together += new_item_statements(y, "ab", 0.05, clusters=clusters).better.any()
    assert together <= 1
    assert alone > 5


def test_the_unit_is_the_mean_of_a_cluster_over_what_both_have():
    scores = np.array([[1.0, 0.0, np.nan, 1.0], [0.0, 0.0, 1.0, np.nan]])
    cluster = np.array([0, 0, 1, 1])
    units = unit_means(scores[:1] - scores[1:], cluster)
    assert units[0, 0] == 0.5
    assert np.isnan(units[0, 1])
    said = new_item_statements(scores, "ab", 0.05, clusters=["x", "x", "y", "y"])
    assert (said.clusters, said.means.tolist()) == (2, [0.75, 0.5])


def test_bounds_follow_from_bounds_along_paths():
    """Two arms that share no item are compared by way of a third."""
    y = np.full((3, 400), np.nan)
    y[0, :200], y[1, :], y[2, 200:] = 1.0, 0.5, 0.0
    said = new_item_statements(y, "abc", 0.05)
    assert said.lower[0, 2] == said.lower[0, 1] + said.lower[1, 2] > 0.8
    assert said.ranks == ((1, 1), (2, 2), (3, 3))


def test_what_is_said_follows_from_the_bounds():
    rng = np.random.default_rng(5)
    level = np.array([0.8, 0.8, 0.5, 0.2])[:, None]
    common = rng.random(3000)
    y = (common < level).astype(float)
    said = new_item_statements(y, LABELS[:4], 0.05, margin=0.05)
    assert said.ranks == ((1, 2), (1, 2), (3, 3), (4, 4))
    assert said.tied_set == (0, 1)
    assert said.equal[0, 1]
    assert not said.equal[1, 2]
    assert not new_item_statements(y, LABELS[:4], 0.05).tied_set
    assert np.allclose(said.means, level[:, 0], atol=0.05)
    assert said.order.tolist() == [0, 1, 2, 3]


def test_a_tied_set_is_equal_in_every_two():
    said = new_item_statements(np.full((3, 4), 0.5), "abc", 0.05, margin=0.05)
    chain = np.array([[0.0, -0.04, -0.2], [-0.04, 0.0, -0.04], [-0.2, -0.04, 0.0]])
    assert replace(said, lower=chain).tied_set == ()
    assert replace(said, lower=np.maximum(chain, -0.05)).tied_set == (0, 1, 2)


def test_each_pair_has_its_part_of_delta():
    rng = np.random.default_rng(9)
    y = equal_arms(rng, 6, 200)
    said = new_item_statements(y, LABELS[:6], 0.3)
    alone = lower_bounds(y[:1] - y[1:], 0.3 / 30)
    assert (said.lower[0, 1:] >= alone).all()
    assert said.lower[0, 1:].max() == alone.max()


def test_clusters_are_one_per_item():
    with pytest.raises(InputError, match="expected one per item, 3"):
        new_item_statements(np.zeros((2, 3)), "ab", 0.05, clusters=["x"])
