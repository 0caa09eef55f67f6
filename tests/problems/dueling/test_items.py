"""Duels over a fixed test set: the array, its file, the order of cells, and who may ask them."""

import collections
import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

import cpe_opt as cpe
from cpe_opt.errors import LearnerFault
from cpe_opt.experiments.fingerprint import fingerprint
from cpe_opt.learners.exchange import Exchange
from cpe_opt.testing import check_learner, check_problem, item_problems
from tests.items import random_items, round_robin

NONE = math.nan


def two_arms(outcomes, **more):
    """Outcomes of arm 0 against arm 1."""
    empty = np.full(np.shape(outcomes), NONE)
    return cpe.ItemDuels([[empty, outcomes], [empty, empty]], **more)


def test_either_arm_s_outcomes_will_do():
    one = two_arms([1, 0.25, NONE, 0])
    other = cpe.ItemDuels([[[NONE] * 4, [NONE] * 4], [[0, 0.75, NONE, 1], [NONE] * 4]])
    both = cpe.ItemDuels([[[NONE] * 4, [1, NONE, NONE, 0]], [[0, 0.75, NONE, NONE], [0.5] * 4]])
    for duels in (one, other, both, cpe.ItemDuels(one.outcomes)):
        assert np.array_equal(duels.outcomes, one.outcomes, equal_nan=True)
        assert duels.cells.tolist() == [[0, 3], [3, 0]]
    assert one.pair(0, 1) == [1, 0.25, 0]
    assert one.pair(1, 0) == [0, 0.75, 1]


def test_the_other_arm_s_outcome_is_that_of_the_same_order():
    """What row got when it was shown first is what column leaves when it was shown second."""
    duels = two_arms([[1, 0], [0.5, NONE]])
    assert duels.orders == 2
    assert duels.outcomes[1, 0].tolist()[0] == [1, 0]
    assert duels.outcomes[1, 0, 1, 1] == 0.5
    assert np.isnan(duels.outcomes[1, 0, 1, 0])
    assert duels.cells[0, 1] == 3


def test_the_table_is_the_mean_of_each_pair_s_cells():
    duels = random_items(4, 7, missing=0.4, seed=3)
    for i, j in itertools.combinations(range(4), 2):
        cells = [
            duels.outcomes[i, j, t, order]
            for t in range(7)
            for order in range(2)
            if not np.isnan(duels.outcomes[i, j, t, order])
        ]
        assert len(cells) == duels.cells[i, j]
        assert duels.table.array[i, j] == pytest.approx(sum(cells) / len(cells), abs=1e-12)
    assert duels.copeland_winners == duels.table.copeland_winners
    assert duels.condorcet_winner == duels.table.condorcet_winner
    assert duels.borda_winners == duels.table.borda_winners
    assert duels.table.labels == duels.labels


def test_a_pair_s_cells_come_each_once_in_an_order_of_its_own():
    duels = random_items(3, 20, seed=1)
    for seed in range(5):
        one, other = (duels.environment(np.random.default_rng(seed)) for _ in range(2))
        others = [other.answer(cpe.Duel(0, 2)) for _ in range(40)]
        got = [one.answer(cpe.Duel(0, 1)) for _ in range(40)]
        assert sorted(got) == sorted(duels.pair(0, 1))
        # Of the other pair, whose cells are met after those of the first one here.
        assert others == [one.answer(cpe.Duel(0, 2)) for _ in range(40)]
        with pytest.raises(LearnerFault, match="a pair with 0 of its 40 cells left; each is asked"):
            one.check(cpe.Duel(1, 0))
        with pytest.raises(LearnerFault, match="0 of its 40 cells"):
            one.answer(cpe.Duel(0, 1))


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_both_arms_see_the_same_cells_however_a_pair_is_asked(missing):
    """One of the orders of an item may be won and the other lost, or may not be there."""
    duels = random_items(2, 30, seed=4, missing=missing)
    for seed in range(3):
        one, other = (duels.environment(np.random.default_rng(seed)) for _ in range(2))
        cells = int(duels.cells[0, 1])
        for cell in range(cells):
            seen = one.answer(cpe.Duel(0, 1))
            turned = cell % 3 == 0
            again = other.answer(cpe.Duel(1, 0) if turned else cpe.Duel(0, 1))
            assert again == (1.0 - seen if turned else seen)


def test_several_cells_at_once_are_their_sum_and_both_arms_see_the_same_ones():
    duels = random_items(2, 10, seed=4)
    assert math.fsum(duels.pair(0, 1)) > 11
    alone, many, other = (duels.environment(np.random.default_rng(9)) for _ in range(3))
    for times in (1, 3, 7, 9):
        assert many.answer(cpe.Duel(0, 1, times)) == sum(
            alone.answer(cpe.Duel(0, 1)) for _ in range(times)
        )
    theirs = sum(other.answer(cpe.Duel(1, 0)) for _ in range(20))
    assert theirs == 20 - math.fsum(duels.pair(0, 1))
    with pytest.raises(cpe.InputError, match="arms are 0 … 1"):
        alone.check(cpe.Duel(0, 2))
    with pytest.raises(LearnerFault, match="0 of its 0 cells left"):
        alone.check(cpe.Duel(1, 1))


def test_every_order_of_a_pair_is_equally_likely_and_pairs_do_not_depend_on_each_other():
    outcomes = np.full((3, 3, 3), NONE)
    outcomes[0, 1] = outcomes[0, 2] = [0, 0.5, 1]
    duels = cpe.ItemDuels(outcomes)
    orders = collections.Counter()
    for seed in range(1080):
        environment = duels.environment(np.random.default_rng(seed))
        ask = environment.answer
        orders[tuple(ask(cpe.Duel(0, j)) for j in (1, 2) for _ in range(3))] += 1
    assert len(orders) == 36
    assert chisquare(list(orders.values())).pvalue > 1e-4


@pytest.mark.parametrize("problem", item_problems(), ids=lambda problem: problem.name)
def test_they_are_problems(problem):
    check_problem(problem, [cpe.Duel(i, j) for i, j in np.argwhere(problem.cells > 1)[:3].tolist()])
    assert f"{len(problem.items)} items" in repr(problem)
    assert problem.recorder().units == ""
    with pytest.raises(cpe.InputError, match="regret is 'mean', and has no effect"):
        problem.recorder(regret="mean")


def test_a_learner_with_cells_passes_the_suite_on_items():
    check_learner(round_robin)

    def greedy(arms, *, cells=None):
        for _ in range(6):
            yield cpe.Duel(0, 1)
        return 0

    greedy.__dict__.update(round_robin.__dict__)
    with pytest.raises(AssertionError, match=r"on uneven greedy asks .* of which 0 are left"):
        check_learner(greedy)


def test_a_simulation_over_all_cells_ends_with_the_table():
    duels, heard = random_items(4, 6, missing=0.3, seed=5), []
    trace = cpe.simulate(round_robin, duels, seed=3, heard=heard)
    assert trace.answer in duels.borda_winners
    assert trace.proved
    assert trace.units == ""
    assert trace.samples == trace.draws.sum() / 2 == np.triu(duels.cells).sum()
    assert (trace.draws == duels.cells).all()
    assert all(type(each) is float for _, _, each in heard)
    for i, j in itertools.combinations(range(4), 2):
        assert sorted(each for *pair, each in heard if pair == [i, j]) == sorted(duels.pair(i, j))
    cut = cpe.simulate(round_robin, duels, seed=3, horizon=5)
    assert cut.rounds == 5
    assert not cut.proved


@pytest.mark.parametrize("learner", ["rucb", "savage", "pocowista"])
def test_learners_that_would_ask_cells_again_are_refused(learner):
    duels = random_items()
    with pytest.raises(cpe.InputError, match=r"no parameter 'cells': .* problem\.table is a"):
        cpe.simulate(learner, duels, horizon=100)
    assert cpe.simulate(learner, duels.table, horizon=100).rounds <= 100


FORMS = {
    "arena": (
        "model_a,model_b,item,winner",
        ["x,y,1,model_a", "y,x,2,model_b", "x,y,3,tie"],
        [1, 1, 0.5],
    ),
    "named": ("model_a,model_b,item,winner", ["x,y,1,x", "y,x,2,x", "y,x,3,y"], [1, 1, 0]),
    "winners": ("winner,loser,item", ["x,y,1", "y,x,2", "x,y,3"], [1, 0, 1]),
    "graded": ("model_a,model_b,item,outcome", ["x,y,1,0.25", "y,x,2,1", "x,y,3,0"], [0.25, 0, 0]),
    "unnamed": (
        "judge,winner,loser,item,count",
        ["j,x,y,1,1", "j,y,x,2,1", "k,y,x,3,1"],
        [1, 0, 0],
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_log_with_an_item_a_line(tmp_path, form):
    header, lines, outcomes = FORMS[form]
    (tmp_path / "set.csv").write_text("\n".join([header, *lines]) + "\n")
    duels = cpe.read_item_duels(tmp_path / "set.csv")
    assert (duels.name, duels.labels, duels.items) == ("set", ("x", "y"), ("1", "2", "3"))
    assert duels.orders == 1
    assert duels.outcomes[0, 1, :, 0].tolist() == outcomes
    frame = pd.read_csv(tmp_path / "set.csv")
    assert cpe.read_item_duels(frame).outcomes[0, 1, :, 0].tolist() == outcomes


@pytest.mark.parametrize("words", ["names", "places"])
def test_a_column_says_which_arm_was_shown_first(tmp_path, words):
    lines = ["x,y,1,{},x", "x,y,1,{},tie", "y,x,2,{},y"]
    firsts = ("x", "y", "x") if words == "names" else ("model_a", "Model_B", "model_b")
    text = "\n".join(["model_a,model_b,item,first,winner", *map(str.format, lines, firsts)])
    (tmp_path / "set.csv").write_text(text)
    duels = cpe.read_item_duels(tmp_path / "set.csv", name="both")
    assert duels.name == "both"
    assert duels.outcomes[0, 1, 0].tolist() == [1, 0.5]
    assert duels.outcomes[0, 1, 1, 0] == 0
    assert duels.cells[0, 1] == 3


def test_a_log_is_read_as_items_where_that_is_asked_for(tmp_path):
    """Its votes are still votes, and the fractions of wins the probabilities, where it is not."""
    path = tmp_path / "set.csv"
    path.write_text("winner,loser,item\nx,y,1\ny,x,2\nx,y,3\n")
    assert isinstance(cpe.load_problem(path, items=True), cpe.ItemDuels)
    assert isinstance(cpe.load_problem(path), cpe.PreferenceMatrix)
    assert cpe.read_observations(path).counts.wins[0, 1] == 2
    plain = tmp_path / "plain.csv"
    plain.write_text("winner,loser,prompt\nx,y,1\n")
    assert isinstance(cpe.load_problem(plain, items=True), cpe.PreferenceMatrix)
    with pytest.raises(cpe.InputError, match="--k on the command line"):
        cpe.load_problem(path, 2, items=True)


def test_hints_are_of_both_directions_and_of_all_cells():
    """A cell without a hint has the mean of those of its pair, on the grid; ½ without any."""
    outcomes = np.full((3, 3, 3, 2), NONE)
    outcomes[0, 1], outcomes[0, 2], outcomes[1, 2, 0] = 1.0, 0.5, 0.0
    given = np.full(outcomes.shape, NONE)
    given[0, 1] = [[0.1, NONE], [0.4, 0.9], [NONE, 0.25]]
    given[2, 1] = 0.75
    duels = cpe.ItemDuels(outcomes, hints=given)
    assert duels.outcomes.tobytes() == cpe.ItemDuels(outcomes).outcomes.tobytes()
    x = duels.hints
    assert np.array_equal(np.isnan(x), np.isnan(duels.outcomes))
    assert x[0, 1] == pytest.approx(np.array([[0.1, 0.4125], [0.4, 0.9], [0.4125, 0.25]]), abs=1e-6)
    assert np.nanmax(np.abs(x + x.transpose(1, 0, 2, 3)[..., ::-1] - 1.0)) == 0.0
    assert (x[~np.isnan(x)] * 2**20 % 1.0 == 0.0).all()
    assert (x[0, 2] == 0.5).all()
    told = duels.told_hints
    assert list(told) == [(0, 1), (0, 2), (1, 2)]
    assert told[0, 1].tolist() == sorted(x[0, 1].ravel().tolist())
    assert told[1, 2].tolist() == [0.25, 0.25]
    assert cpe.ItemDuels(outcomes).told_hints is None
    other = cpe.ItemDuels(outcomes, hints=np.where(given == 0.9, 0.8, given))
    prints = [fingerprint(each) for each in (duels, other, cpe.ItemDuels(outcomes))]
    assert len(set(prints)) == 3


def test_a_cell_is_told_with_its_hint_from_either_side():
    outcomes = random_items(2, 12, seed=4, missing=0.3).outcomes
    given = np.full(outcomes.shape, NONE)
    given[0, 1] = np.random.default_rng(1).random(given[0, 1].shape)
    duels = cpe.ItemDuels(outcomes, hints=given)
    there = ~np.isnan(duels.outcomes[0, 1])
    pairs = sorted(zip(duels.outcomes[0, 1][there], duels.hints[0, 1][there], strict=True))
    one, other = (duels.environment(np.random.default_rng(2)) for _ in range(2))
    seen = [one.answer(cpe.Duel(0, 1)) for _ in pairs]
    assert sorted((each.won, each.hint) for each in seen) == pairs
    for each in seen:
        turned = other.answer(cpe.Duel(1, 0))
        assert turned == (each.lost, each.won, 1.0 - each.hint)
    several = duels.environment(np.random.default_rng(2)).answer(cpe.Duel(0, 1, 3))
    assert several.won == sum(each.won for each in seen[:3])
    assert math.isnan(several.hint)


@pytest.mark.parametrize(
    ("hints", "message"),
    [
        ([0.5, 0.5], "hints: the shape is 2, expected that of the outcomes, 2 × 2 × 3 × 1"),
        (np.full((2, 2, 2), 0.5), "hints: the shape is 2 × 2 × 2 × 1, expected that of the outc"),
        (np.full((2, 2, 3), 1.5), r"item '0': the hint is 1\.5, expected a number in \[0, 1\]"),
        (np.full((2, 2, 3), [0.5, 0.5, 0.7]), "the hint of an arm against itself is 0.7, expected"),
    ],
)
def test_hints_of_another_shape_or_range_are_refused(hints, message):
    with pytest.raises(cpe.InputError, match=message):
        two_arms([1, 0.5, 0], hints=hints)


def test_observations_of_cells_with_hints_have_one_of_these():
    duels = two_arms([1, 0.5, 0], hints=[[[NONE] * 3, [0.5, 0.25, 0.25]], [[NONE] * 3] * 2])
    told = {"cells": duels.cells, "hints": duels.told_hints}
    exchange = Exchange(cpe.learners.copeland_tracking, 2, **told)
    for wrong in (1.0, cpe.CellSums(1.0, 0.0), cpe.CellSums(1.0, 0.0, 0.6)):
        with pytest.raises(cpe.InputError, match="expected CellSums with the hint of one of the c"):
            exchange.tell(wrong)
    exchange.tell(cpe.CellSums(1.0, 0.0, 0.5))
    batches = Exchange(cpe.learners.borda_tracking, 2, rng=1, parallel=3, delta=1e-9, **told)
    with pytest.raises(cpe.InputError, match="of one of the cells"):
        batches.tell([cpe.CellSums(1.0, 0.0, 0.5)] * 2 + [1.0])
    with pytest.raises(cpe.InputError, match="hints has no effect without cells"):
        Exchange(cpe.learners.copeland_tracking, 2, hints=duels.told_hints)
    assert cpe.simulate(round_robin, duels).answer == 0  # does without
