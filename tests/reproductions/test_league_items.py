"""The league of fixed test sets: who plays, what others ask and when they stop, and its page."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.learners.declaration import is_told
from cpe_opt.learners.registry import get_learner, learners_of
from cpe_opt.proofs.dueling.predictable_bets import REFUTED
from cpe_opt.reproductions import league_items as items
from cpe_opt.reproductions.study import Settings
from tests.reproductions.test_pages import check_page, tables_of

SMALL = cpe.random_items(4, 10, seed=2, spread=1.0, name="small")
NO_WINNER = cpe.random_items(3, 40, cycle=3, spread=1.0, seed=1, name="cycle")


def player(name):
    return next(each for each in items.item_players() if each.name == name)


# Who plays, and on what


def test_every_learner_that_asks_cells_once_plays():
    once = {name for name in learners_of("dueling") if is_told(get_learner(name), "cells")}
    assert once <= {each.spec.learner for each in items.item_players()}


def test_every_kind_has_the_property_of_its_name():
    by_name = {each.name: each.problem for each in items.item_instances([(8, 150)])}
    assert len(by_name) == len(items.JUDGES)
    tied = {name: float((duels.outcomes == 0.5).mean()) for name, duels in by_name.items()}
    assert tied["40-ties-8-150"] == pytest.approx(0.4 * 7 / 8)
    assert tied["independent-8-150"] == 0.0
    assert by_name["a-cycle-of-3-8-150"].condorcet_winner is None
    assert by_name["equal-pairs-8-150"].table.ties
    best = by_name["one-dominates-8-150"]
    assert np.delete(best.table.array[best.condorcet_winner], best.condorcet_winner).min() > 0.7
    first = by_name["position-bias-8-150"].outcomes[~np.eye(8, dtype=bool)][..., 0]
    assert first.mean() > 0.6


def test_the_unit_is_a_hundredth_of_the_cells_and_winners_are_those_of_the_table(settings):
    goals = items.instance("any", SMALL).goals
    assert goals[items.COPELAND].unit == 6 * 20 / 100
    assert goals[items.COPELAND].right(SMALL.copeland_winners[0])
    assert not goals[items.COPELAND].right(SMALL.table.array.sum(axis=1).argmin())
    assert "no Condorcet" in items.instance("any", NO_WINNER).goals[items.CONDORCET].missing
    league = replace(
        items.simulated(settings),
        instances=[items.instance("any", NO_WINNER)],
        players=[
            player(items.TRACKER),
            player("condorcet-tracking"),
            player(items.WITH_REPLACEMENT),
        ],
    )
    whole, none, table = league.plan(settings)[0]
    assert whole.bound == 3 * 80 / 100
    assert "no Condorcet" in none.left_out
    assert isinstance(table.series.problem, cpe.PreferenceMatrix)
    assert table.series.spec.parameters["max_samples"] == 20 * 3 * 80


def test_ties_are_not_for_learners_with_replacement():
    covers = player(items.WITH_REPLACEMENT).covers
    tied = cpe.random_items(4, 20, equal=1)
    assert not covers(items.instance("any", tied))
    assert covers(items.instance("any", NO_WINNER))
    assert player(items.ROUND_ROBIN).covers(items.instance("any", tied))


# What others ask, and when they stop


def test_pairs_are_asked_in_turn():
    duels = cpe.random_items(5, 100, spread=0.2, seed=3)
    draws = cpe.simulate(items.round_robin, duels, delta=0.05, max_samples=47).draws
    met = draws[np.triu_indices(5, 1)]
    assert sorted(met) == [4] * 3 + [5] * 7


def test_pairs_without_cells_are_passed_over():
    outcomes = cpe.random_items(4, 30, spread=0.2, seed=3).outcomes.copy()
    outcomes[0, 1, 5:] = outcomes[1, 0, 5:] = np.nan
    duels = cpe.ItemDuels(outcomes)
    draws = cpe.simulate(items.round_robin, duels, delta=1e-9, max_samples=150).draws
    assert draws[0, 1] == 10
    assert sorted(draws[np.triu_indices(4, 1)]) == [10] + [28] * 5


@pytest.mark.parametrize("size", [2, 7, 10])
def test_bets_by_a_pair_alone_are_fair_in_the_mean_over_all_orders(size):
    """Half of the cells are wins: both nulls are true, and no factor may grow on average."""
    cells = [[0, size], [size, 0]]
    outcomes = [1.0] * (size // 2) + [0.0] * (size // 2) + [0.5] * (size % 2)
    orders = set(itertools.permutations(outcomes)) if size < 10 else _orders_of_coins(size)
    factors = []
    for order in orders:
        plain = items.PlainBets(cells)
        for outcome in order:
            plain.count(0, 1, cpe.CellSums(outcome, 1 - outcome))
        factors.append(np.exp([plain.bets.log_f[0, 1], plain.bets.log_f[1, 0]]))
        assert plain.bets.held[0, 1]
        assert plain.bets.held[1, 0]
    # Every factor has a mean of 1, from which only rounding down takes a little.
    assert np.mean(factors, axis=0) == pytest.approx([1.0, 1.0], abs=1e-6)
    assert size == 2 or np.std(factors) > 0.1


def _orders_of_coins(size):
    for wins in itertools.combinations(range(size), size // 2):
        yield [1.0 if cell in wins else 0.0 for cell in range(size)]


def test_a_pair_is_certain_once_no_cell_left_can_turn_it():
    plain = items.PlainBets([[0, 5], [5, 0]])
    for held in (False, False, True):
        plain.count(0, 1, cpe.CellSums(1.0, 0.0))
        assert plain.bets.held[0, 1] == held
    assert plain.bets.log_f[0, 1] == REFUTED
    assert not plain.bets.held[1, 0]
    assert plain.champion() == 0


def test_the_same_theorem_ends_with_a_winner_within_the_table():
    trace = cpe.simulate(items.round_robin, SMALL, delta=0.05)
    assert trace.proved
    assert trace.answer in SMALL.copeland_winners
    assert trace.samples <= 120


# Claims and the page


@pytest.mark.slow
def test_the_league_makes_its_page(tmp_path, monkeypatch):
    found = {each.name: each for each in items.item_instances([(4, 10)])}
    chosen = [found[f"{name}-4-10"] for name in ("independent", "a-cycle-of-3", "equal-pairs")]
    monkeypatch.setattr(items, "item_instances", lambda sizes: chosen)
    monkeypatch.setattr(Settings, "choose", lambda _, quick, full: 2)
    page = cpe.reproduce("league-items", quick=True, out=tmp_path, jobs=1)
    check_page("league-items", page, tmp_path)
    assert page.values["picture"] == tmp_path / "league-items.png"
    names = tables_of(f"{page.values['instances']:name}\n")[0][2:]
    assert [name.strip() for (name,) in names] == [each.name for each in chosen]
    needed = page.values["table"]
    frame = pd.read_parquet(tmp_path / "league-items.parquet")
    assert {row[0] for row in needed.rows} == {each.name for each in items.item_players()}
    told = frame.set_index(["learner", "instance"])
    assert ("condorcet-tracking", "independent-4-10") in told.index
    assert ("condorcet-tracking", "a-cycle-of-3-4-10") not in told.index
    once = frame[frame["learner"] != items.WITH_REPLACEMENT]
    assert (once["multiple"] <= 100.0).all()
    assert (once["unfinished"] == 0).all()
    assert not told["covered"][items.WITH_REPLACEMENT, "equal-pairs-4-10"]


def test_the_better_worker_wins_where_it_alone_is_right_and_crowds_make_a_page(
    tmp_path, monkeypatch
):
    """On small crowds of our own making, named as the published ones."""
    rng = np.random.default_rng(0)
    for name in items.CROWDS[:3]:
        folder = tmp_path / "crowdsourcing" / name
        folder.mkdir(parents=True)
        right = rng.random((8, 4)) < np.linspace(0.2, 0.9, 4)
        answers = pd.DataFrame(np.where(right, "A", "B"), columns=[f"w{i}" for i in range(4)])
        answers.insert(0, "question_id", range(8))
        answers.to_csv(folder / "answer.csv", index=False)
        truth = pd.DataFrame({"question_id": range(8), "truth": "A"})
        truth.to_csv(folder / "truth.csv", index=False)
    (made,) = items.crowd_instances(tmp_path / "crowdsourcing", [items.CROWDS[2]])
    alone = right[:, 3] & ~right[:, 0], right[:, 0] & ~right[:, 3]
    expected = 0.5 + (alone[0].sum() - alone[1].sum()) / 16.0
    assert made.problem.labels == ("w0", "w1", "w2", "w3")
    assert made.problem.table.array[3, 0] == pytest.approx(expected)
    assert made.problem.cells[3, 0] == 8
    out = tmp_path / "out"
    page = cpe.reproduce("league-items-crowds", quick=True, out=out, data=tmp_path, jobs=1)
    check_page("league-items-crowds", page, out)
    names = [f"crowd-{name}" for name in items.CROWDS[:3]]
    frame = pd.read_parquet(out / "league-items-crowds.parquet")
    assert set(frame["instance"]) == set(names)
