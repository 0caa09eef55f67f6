"""Random problems, real data where there is some, margins of error, and tables of cases."""

import functools
import inspect
import os
import time
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

import cpe_opt as cpe
from tests import A_HANG

# Real data, where this machine has some.
DATA = Path(os.environ.get("CPE_OPT_DATA", Path(__file__).parents[2] / "shared" / "data"))

# Solvers that ask for a licence; all but MOSEK solve small programs without a licence file.
LICENSED = ("gurobi", "copt", "xpress", "cplex", "mosek")
# Another solver that tests do without, as it needs a GPU.
OPTIONAL = ("cuopt",)


def waited_for(holds):
    """What a function returns, once that is true; by then something has happened elsewhere."""
    end = time.monotonic() + A_HANG
    while not (value := holds()):
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.01)
    return value


def random_preferences(arms, rng, *, spread=0.5, ties=0):
    """Uniform entries within ``spread`` of ½; ``ties`` random pairs are exactly ½."""
    matrix = np.full((arms, arms), 0.5)
    rows, columns = np.triu_indices(arms, 1)
    values = 0.5 + spread * rng.uniform(-1, 1, size=len(rows))
    values[rng.permutation(len(rows))[:ties]] = 0.5
    matrix[rows, columns] = values
    matrix[columns, rows] = 1 - values
    return cpe.PreferenceMatrix(matrix, name=f"random-{arms}")


def with_gaps(mu, least):
    """The same tournament with every gap at least this."""
    return cpe.PreferenceMatrix(
        0.5 + np.sign(mu.array - 0.5) * np.maximum(np.abs(mu.array - 0.5), least)
    )


def random_program(rng, *, sense="min", integer=False, columns=6, rows=4, name="random"):
    """A bounded, feasible program with one-sided, two-sided and equality rows."""
    builder = cpe.ProgramBuilder(name, sense=sense, offset=float(rng.normal()))
    inside = rng.integers(0, 3, size=columns).astype(float)
    x = builder.columns(
        "x",
        np.array([(k, k + 1) for k in range(columns)]),
        cost=rng.normal(size=columns).round(3),
        lower=-1,
        upper=3,
        integer=integer,
    )
    matrix = rng.integers(-3, 4, size=(rows, columns)).astype(float)
    row, column = np.nonzero(matrix)
    activity = matrix @ inside
    lower, upper = activity - 1.5, activity + 2.0
    lower[0] = -np.inf
    upper[1 % rows] = np.inf
    if not integer:
        lower[-1] = upper[-1] = activity[-1]
    builder.rows("r", rows, row, x[column], matrix[row, column], lower=lower, upper=upper)
    return builder.build()


def random_graph(rng, *, most=5, density=0.6):
    """A random bipartite graph with at least one matching, up to ``most`` candidates."""
    candidates = int(rng.integers(1, most + 1))
    positions = int(rng.integers(1, candidates + 1))
    kept = set(zip(rng.permutation(candidates)[:positions].tolist(), range(positions), strict=True))
    kept |= {(i, j) for i in range(candidates) for j in range(positions) if rng.random() < density}
    return cpe.BipartiteGraph(candidates, positions, sorted(kept))


def random_matchings(rng, **shape):
    """A random graph with uniform probabilities."""
    graph = random_graph(rng, **shape)
    array = np.zeros((graph.size, graph.size))
    for edges in graph.edges_at:
        upper = np.triu(rng.uniform(size=(len(edges), len(edges))), 1)
        block = upper + np.tril(1 - upper.T, -1) + 0.5 * np.eye(len(edges))
        array[np.ix_(edges, edges)] = block
    return cpe.MatchingDuels(graph, array)


def random_constraints(rng, graph):
    """Some edges to include (a part of a matching) and others to exclude."""
    matchings = list(graph.matchings())
    chosen = matchings[int(rng.integers(len(matchings)))]
    include = [edge for edge in chosen if rng.random() < 0.3]
    exclude = [edge for edge in range(graph.size) if edge not in include and rng.random() < 0.25]
    return include, exclude


def binomial_margin(seeds, delta):
    """More failures than this, and the claim is false (error 0.001)."""
    return binom.ppf(0.999, seeds, delta)


def some_quick(quick, every):
    """Cases of a parameter: those that are not among the quick ones are slow."""
    marked = [pytest.param(each, marks=pytest.mark.slow) for each in every if each not in quick]
    return [*quick, *marked]


def all_of(names, cases):
    """A test that takes all cases and names those that fail, in place of a test a case.

    Like ``pytest.mark.parametrize``, for checks that take no time; the cases share the fixtures.
    """
    names, cases = [names] if isinstance(names, str) else list(names), list(cases)

    def taking_all(check):
        def test(**fixtures):
            faults = []
            for case in cases:
                given = dict(zip(names, case if len(names) > 1 else [case], strict=True))
                try:
                    check(**fixtures, **given)
                except (Exception, pytest.fail.Exception) as error:
                    faults.append(f"{str(case)[:200]}: {type(error).__name__}: {error}")
            assert not faults, "\n\n".join(faults)

        signature = inspect.signature(check)
        kept = [each for name, each in signature.parameters.items() if name not in names]
        functools.update_wrapper(test, check)
        test.__signature__ = signature.replace(parameters=kept)
        return test

    return taking_all
