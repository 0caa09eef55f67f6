"""The minimax problem: against a matrix game over enumerated matchings, and between solvers."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

import cpe_opt as cpe
from cpe_opt.formulations.matchings import condorcet_value
from cpe_opt.formulations.matchings.assignment import constrained
from cpe_opt.formulations.matchings.condorcet_value import SaddlePrograms
from tests.support import random_constraints, random_graph, random_matchings


def matching_game(graph, matrix, include_x=(), exclude_x=(), include_y=(), exclude_y=()):
    """The value of the zero-sum game whose pure strategies are all matchings allowed."""

    def allowed(include, exclude):
        return [
            m for m in graph.matchings() if set(include) <= set(m) and not set(exclude) & set(m)
        ]

    of_x, of_y = allowed(include_x, exclude_x), allowed(include_y, exclude_y)
    if not of_x or not of_y:
        return None
    payoff = np.array([[matrix[np.ix_(a, b)].sum() for b in of_y] for a in of_x]) / graph.positions
    rows = len(of_x)
    game = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.column_stack([-payoff.T, np.ones(len(of_y))]),
        b_ub=np.zeros(len(of_y)),
        A_eq=[np.append(np.ones(rows), 0.0)],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -game.fun


def random_bounds(rng, graph):
    """A matrix like a learner's: nothing adds up to 1."""
    comparable = graph.position[:, None] == graph.position[None, :]
    return np.where(comparable, rng.uniform(size=comparable.shape), 0.0)


@pytest.mark.parametrize("seed", range(20))
def test_the_saddle_lp_has_the_value_of_the_game(seed):
    rng = np.random.default_rng(seed)
    density = 1.0 if seed % 4 == 0 else 0.6
    graph = random_graph(rng, most=4, density=density)
    matrix = random_bounds(rng, graph)
    sides = {}
    for player in "xy":
        sides[f"include_{player}"], sides[f"exclude_{player}"] = random_constraints(rng, graph)
    expected = matching_game(graph, matrix, **sides)
    for solver in ("highs", "glop", "clarabel", "scip") if seed < 8 else ("highs", "glop"):
        if expected is None:
            with pytest.raises(cpe.InputError, match=r"no matching of player [xy]"):
                cpe.condorcet_value(graph, matrix, solver=solver, **sides)
            continue
        point = cpe.condorcet_value(graph, matrix, solver=solver, **sides)
        tolerance = 1e-6 if solver == "clarabel" else 1e-8
        assert point.value == pytest.approx(expected, abs=tolerance)
        assert point.bound == pytest.approx(expected, abs=tolerance)
        assert point.result.objective == pytest.approx(expected, abs=tolerance)
        check_strategy(graph, point.x, sides["include_x"], sides["exclude_x"])
        check_strategy(graph, point.y, sides["include_y"], sides["exclude_y"])
        assert point.x @ matrix @ point.y / graph.positions == pytest.approx(expected, abs=1e-5)


def test_without_duals_the_other_player_has_a_program_of_its_own(monkeypatch):
    def without_duals(*args, **solving):
        return replace(cpe.solve(*args, **solving), row_duals=None)

    monkeypatch.setattr(condorcet_value, "solve", without_duals)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        graph = random_graph(rng, most=4)
        matrix = random_bounds(rng, graph)
        point = cpe.condorcet_value(graph, matrix)
        assert point.value == pytest.approx(matching_game(graph, matrix), abs=1e-8)
        assert point.bound == pytest.approx(point.value, abs=1e-8)


def check_strategy(graph, strategy, include, exclude):
    assert (strategy >= 0).all()
    totals = np.bincount(graph.position, weights=strategy)
    assert np.allclose(totals, 1.0, atol=1e-9)
    assert (np.bincount(graph.candidate, weights=strategy) <= 1 + 1e-6).all()
    assert np.allclose(strategy[include], 1.0, atol=1e-9)
    assert (strategy[exclude] == 0).all()


@pytest.mark.parametrize(("seed", "accuracy"), [*((s, 0.05) for s in range(8)), (1, 0.02)])
def test_the_subgradient_oracle_keeps_its_accuracy(seed, accuracy):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, most=4)
    matrix = random_bounds(rng, graph)
    include, exclude = random_constraints(rng, graph)
    sides = {"include_x": include, "exclude_x": exclude}
    expected = matching_game(graph, matrix, **sides)
    if expected is None:
        return
    point = cpe.condorcet_value(graph, matrix, method="subgradient", accuracy=accuracy, **sides)
    assert expected - accuracy <= point.value <= expected + 1e-9
    assert expected - 1e-9 <= point.bound <= expected + accuracy
    assert point.bound - point.value <= accuracy
    check_strategy(graph, point.y, [], [])


@pytest.mark.parametrize("seed", range(15))
def test_winners_are_those_of_enumeration(seed):
    """A random problem mostly has no Condorcet winner; planted ones have theirs."""
    rng = np.random.default_rng(seed)
    duels = (
        random_matchings(rng, most=4)
        if seed % 2
        else cpe.planted_condorcet(4, 2 + seed % 3, gap=0.02, seed=seed)
    )
    every = list(duels.graph.matchings())
    winners = [m for m in every if all(duels.preference(m, o) > 0.5 for o in every if o != m)]
    assert cpe.condorcet_winner(duels) == (winners[0] if winners else None)
    scores = {m: duels.borda_score(m) for m in every}
    best = cpe.borda_winner(duels)
    assert best.value / duels.graph.positions == pytest.approx(max(scores.values()))


def test_programs_of_the_same_replies_are_those_built_alone():
    """Some entries of the matrices are 0, and constraints of x change: nothing is left over."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        graph = random_graph(rng, most=4)
        every = list(graph.matchings())
        matching = every[int(rng.integers(len(every)))]
        kept = [edge for edge in matching if rng.random() < 0.4]
        programs = SaddlePrograms(cpe.Matchings(graph), constrained(graph, kept))
        for share in (0.0, 0.5, 0.0):
            comparable = graph.position[:, None] == graph.position
            matrix = rng.random(comparable.shape) * comparable
            matrix[rng.random(comparable.shape) < share] = 0.0
            forced = [edge for edge in matching if rng.random() < 0.4]
            left_out = [edge for edge in range(graph.size) if edge not in matching]
            ours = programs.program(matrix, constrained(graph, forced, left_out))
            options = {"include_x": forced, "exclude_x": left_out, "include_y": kept}
            alone = cpe.condorcet_value_program(graph, matrix, **options)
            assert (ours.matrix != alone.matrix).nnz == 0
            assert (ours.matrix.data != 0.0).all()
            for part in ("costs", "column_lower", "column_upper", "row_lower", "row_upper"):
                assert (getattr(ours, part) == getattr(alone, part)).all()
            assert np.flatnonzero(ours.column_lower == 1.0).tolist() == forced
