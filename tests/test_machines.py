"""Seeded and published results are the same on every machine, by the rule of :mod:`cpe_opt.ties`.

Two processors differ in how BLAS blocks its sums, in numpy's vector instructions, and in whether
the C library fuses multiplications and additions; all of that can be switched off, so one machine
plays an older one. Others are played by rewriting the package as it is imported
(:class:`Rewriter`): ``a @ b`` becomes a call of :func:`product`, ``x.sum()`` one of :func:`method`,
and so on, which change the last bits as a real machine may:

- an operation gives the same numbers for the same input, whenever it is called;
- what is exact on every machine stays exact: products and sums of numbers on a grid so coarse that
  no partial sum is rounded, such as of counts, of indicators, or of what ``on_grid`` returns;
- matrices are disturbed before they are inverted or decomposed as well as afterwards;
- single operations of IEEE 754 (``+ - * /``, square roots) are exact everywhere and stay so.

``python -m tests.test_machines SEED SHARE`` prints what such a machine finds, for seed 0 what this
one does: queries, answers, sets and winners, which must agree exactly, and numbers, within 1e-9.
"""

import ast
import contextlib
import functools
import hashlib
import importlib.machinery
import inspect
import json
import math
import os
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from numpy._core import _multiarray_umath as umath

SIZE = 4.0 * np.finfo(np.float64).eps  # largest relative error of an entry
DECOMPOSED = ("inv", "pinv", "solve", "eigh", "eigvalsh", "svd", "lstsq", "det", "norm")
SUMMED = ("sum", "mean", "var", "cumsum", "dot")
TRANSCENDENTAL = ("log", "log1p", "exp", "expm1", "logaddexp", "lgamma", "xlogy", "expit")
TABLE = np.zeros(99_991)  # of the relative errors of the machine that is played

NEEDED = {
    "active-ranking": {"delta": 0.1},
    "borda-budget": {"budget": 200},
    "clucb-borda-pac": {"margin": 0.3},
    "copeland-budget": {"budget": 200},
    "copeland-identification": {"delta": 0.1},
    "noisy-tournament": {"h": 0.1},
    "sequential-test": {"low": 0.5, "high": 0.51},
    "borda-tracking": {"delta": 1e-9},
    "condorcet-tracking": {"delta": 1e-9},
    "copeland-tracking": {"delta": 1e-9},
    "matching-tracking": {"delta": 1e-9},
}
SUMS = {"growth": 1.2, "noise": 0.05, "sigma": 0.1}  # of learners of subsets, to make them quick
VARIANTS = {
    "car-cond": [{}, {"method": "subgradient"}],
    "comb-game": [{}, {"threshold": "heuristic"}],
    "eb-tc": [{"delta": 1e-9, "noise": 0.05}, {"delta": 0.1, "share": 0.5, "threshold": "glr"}],
    "exhaustive": [{"design": "uniform"}, {"design": "g"}],
    "icb": [{"design": "uniform"}, {"design": "g"}, {"design": "xy"}],
    "poly-alba": [{}, {"design": "xy"}],
    "sa-foa": [{"approximation_ratio": 0.9, "maximiser": "swap", "anchors": 1}],
    "saqm": [{}, {"maximiser": "ascent", "approximation_ratio": 0.9, "design": "xy"}],
    "subset-tracking": [{"delta": 1e-9, "feedback": feedback} for feedback in ("single", "sums")],
}


def symmetric_classes():
    """Classes whose elements are all alike, or nearly."""
    import cpe_opt as cpe

    arcs = [tuple(arc) for arc in ("sa", "sb", "ac", "bc", "cd", "ce", "dt", "et")]
    return (
        cpe.TopK(6, 3),
        cpe.SpanningTrees([(a, b) for a in "abcd" for b in "abcd" if a < b]),
        cpe.Paths(arcs, "s", "t"),
        cpe.Matchings(cpe.BipartiteGraph.complete(3, 3)),
        cpe.PartitionMatroid([0, 0, 0, 1, 1, 1], [1, 2]),
    )


def rotation(arms):
    """Every arm beats the next two by as much."""
    import cpe_opt as cpe

    steps = (np.arange(arms)[None, :] - np.arange(arms)[:, None]) % arms
    ahead = np.where((steps == 1) | (steps == 2), 0.2, 0.0)
    return cpe.PreferenceMatrix(0.5 + ahead - ahead.T, name=f"rotation {arms}")


def problems():
    """Small problems with ties by the first parameter of the learners they are for."""
    import cpe_opt as cpe

    graph = cpe.BipartiteGraph.complete(3, 3)
    good = 0.3 * (graph.position == graph.candidate)
    together = graph.position[:, None] == graph.position[None, :]
    square = np.where(together, 0.5 + good[:, None] - good[None, :], 0.0)
    later = np.triu(np.full((6, 6), 0.2), 1)
    coins = [cpe.Bernoulli(p) for p in (0.8, 0.2, 0.5)]
    flat = (
        cpe.SubsetBandit(each, 0.3 + step * (np.arange(each.size) % 2), noise=0.0, name=f"{step}")
        for each in symmetric_classes()
        for step in (0.0, 0.4)
    )
    cube = np.vstack([np.eye(6), 1.0 - np.eye(6)])
    return {
        "arms": [
            rotation(5),
            cpe.PreferenceMatrix(0.5 + later - later.T, name="ladder"),
            cpe.PreferenceMatrix(np.full((3, 3), 0.5), name="level"),
            cpe.load_instance("multisol"),
        ],
        "sequential-test": [cpe.PreferenceMatrix([[0.5, 0.55], [0.45, 0.5]], name="two")],
        "graph": [cpe.load_instance("figure1"), cpe.MatchingDuels(graph, square, name="square")],
        "decisions": [cpe.SubsetBandit.from_outcomes(cube, 3, name="cube"), *flat],
        "model": [
            cpe.SeparableProblem(cpe.BestSet(cpe.TopK(3, 2)), [coins[2]] * 3, name="level"),
            cpe.SeparableProblem(cpe.OpinionSampling([1, 2, 2], 7), coins, name="opinions"),
            cpe.load_instance("water"),
        ],
        "known": [cpe.ItemScores((np.add.outer(np.arange(3), np.arange(30)) % 4) / 4.0)],
    }


def queries(name, problem, parameters, *, most, horizon):
    """A digest of the first queries of a learner, its rounds, and its answer so far."""
    from cpe_opt.learners import get_learner
    from cpe_opt.learners.declaration import declaration_of
    from cpe_opt.learners.queries import HorizonReached
    from cpe_opt.problems.queries import CellSums
    from tests.learners.support import singly

    learner = get_learner(name)
    taken = inspect.signature(learner).parameters
    told = {"horizon": horizon} if "horizon" in taken else {}
    if hasattr(problem, "cells"):
        told["cells"] = problem.cells
    running = singly(learner(problem.known, rng=np.random.default_rng(3), **told, **parameters))
    environment = problem.environment(np.random.default_rng(4))
    digest, observation, rounds, end = hashlib.sha256(), None, 0, "goes on"
    try:
        while most > 0 and rounds <= horizon:
            query = environment.check(running.send(observation))
            most, rounds = most - 1, rounds + query.rounds
            digest.update(repr(query).encode())
            observation = environment.answer(query)
            if declaration_of(learner).shares:
                observation = CellSums(float(observation), query.times - observation)
        with contextlib.suppress(HorizonReached):
            running.throw(HorizonReached())
    except StopIteration as finished:
        end = repr(getattr(finished.value, "answer", finished.value))
    running.close()
    return f"{digest.hexdigest()[:12]} {rounds} {end}"


def of_learners(share):
    """Every learner on every small problem it is for, or on a share of them."""
    from cpe_opt import TopK
    from cpe_opt.learners import LEARNERS, get_learner
    from cpe_opt.learners.declaration import parameters_of

    known, found = problems(), {}
    for number, (name, function) in enumerate(LEARNERS.items()):
        kind = next(iter(inspect.signature(function).parameters))
        size = {"most": 40, "horizon": 10**9} if kind == "decisions" else {}
        size = size or {"most": 120, "horizon": 10**6}
        taken = parameters_of(get_learner(name)) if kind == "decisions" else {}
        quick = {key: value for key, value in SUMS.items() if key in taken}
        for problem in known.get(name, known[kind][number % share :: share]):
            if name in ("eb-tc", "sa-foa") and not isinstance(problem.known, TopK):
                continue
            for variant in VARIANTS.get(name, [NEEDED.get(name, {})]):
                small = {"most": 12} if "subgradient" in variant.values() else {}
                said = queries(name, problem, variant | quick, **(size | small))
                found[f"{name} {problem.known} {problem.name} {variant}"] = said
    return found


def of_oracles():
    """The sets of designs and winners, exactly; weights and optima, nearly."""
    import cpe_opt as cpe

    exact, numbers = {}, {"planted": cpe.planted_subsets(8, 3, gap=0.1, seed=5).theta.tolist()}
    for decisions in symmetric_classes():
        vectors = decisions.indicator_matrix()
        for method, design in {
            "frank-wolfe": cpe.g_design(vectors, method="frank-wolfe", tolerance=1e-3),
            "g": cpe.g_design(decisions, tolerance=1e-3),
            "g columns": cpe.g_design(decisions, method="columns", tolerance=1e-3),
            "xy": cpe.xy_design(vectors, method="multiplicative", tolerance=1e-3),
            "xy columns": cpe.xy_design(decisions, method="columns", tolerance=1e-3),
        }.items():
            exact[f"{method} {decisions.name}"] = repr(design.support)
            numbers[f"{method} {decisions.name}"] = [*design.weights.tolist(), design.bound]
    for mu in (rotation(5), rotation(7), cpe.load_instance("multisol")):
        lower = cpe.copeland_bound(mu)
        exact[f"winner {mu.name}"] = [lower.winner, cpe.ecw_bound(mu).winner]
        exact[f"lottery {mu.name}"] = list(cpe.von_neumann_winner(mu).support)
        numbers[f"C* {mu.name}"] = [lower.value, *lower.exploration.ravel().tolist()]
        numbers[f"T* {mu.name}"] = [cpe.copeland_time(mu).value]
    wins = np.triu(np.rint(200 * rotation(5).array), 1)
    proof = cpe.evidence(cpe.Votes(wins + np.tril(200 - wins.T, -1)))
    flips = {label: found.pairs for label, found in proof.explanations.items()}
    exact["evidence"] = [proof.statuses(), proof.beats.tolist(), repr(flips)]
    matrix = np.eye(8) + 0.1 * (np.arange(8)[:, None] + np.arange(8)[None, :] == 7)
    for method in ("peeling", "greedy", "swap", "ascent"):
        exact[method] = cpe.ellipsoid_maximum(4, np.linalg.inv(matrix), method).elements
    return exact, numbers


def found(share):
    """What this machine finds."""
    exact, numbers = of_oracles()
    made = {"exact": {**of_learners(share), **exact}, "numbers": numbers}
    return json.loads(json.dumps(made))


def disturbed(result):
    """Floats with other last bits, whatever holds them; everything else as it is."""
    if isinstance(result, tuple):
        entries = map(disturbed, result)
        return type(result)(*entries) if hasattr(result, "_fields") else tuple(entries)
    if not isinstance(result, (float, np.ndarray)) or np.asarray(result).dtype != np.float64:
        return result
    array = np.asarray(result)
    first = zlib.crc32(np.ascontiguousarray(array).tobytes()) % len(TABLE)
    places = np.arange(first, first + array.size).reshape(array.shape)
    other = array * (1.0 + TABLE.take(places, mode="wrap"))
    return other if isinstance(result, np.ndarray) else type(result)(other)


def bits_of(array):
    """Between which powers of two the bits of all the numbers lie."""
    array = np.abs(np.asarray(array, dtype=np.float64).ravel())
    array = array[array > 0.0]
    if not np.isfinite(array).all():
        return math.inf
    if not len(array):
        return 0
    mantissas, exponents = np.frexp(array)
    whole = np.ldexp(mantissas, 53).astype(np.int64)
    trailing = np.log2((whole & -whole).astype(np.float64)).astype(int)
    return int(exponents.max()) - int((exponents - 53 + trailing).min())


def is_exact(terms, *factors):
    """Whether no order of adding so many products of entries can round anything."""
    bits = math.log2(max(1, terms))
    return all((bits := bits + bits_of(each)) <= 53 for each in factors)


def numeric(*values):
    """Whether all are arrays of numbers, one of them of floats."""
    arrays = all(isinstance(value, np.ndarray) and value.dtype.kind in "biuf" for value in values)
    return arrays and any(value.dtype == np.float64 for value in values)


def product(left, right):
    """``left @ right``."""
    result = left @ right
    plain = not numeric(left, right) or is_exact(left.shape[-1], left, right)
    return result if plain else disturbed(result)


def method(owner, name, *args, **options):
    """``owner.name(…)`` for the names of sums."""
    result = getattr(owner, name)(*args, **options)
    array = args[0] if owner is np and args else owner
    exact = name in ("sum", "cumsum") and numeric(array) and is_exact(array.size, array)
    return disturbed(result) if numeric(array) and not exact else result


def decomposition(function, matrix, *args, **options):
    """``np.linalg.function(matrix, …)``."""
    return disturbed(function(disturbed(matrix), *args, **options))


def transcendental(function, *args, **options):
    """A logarithm, an exponential or a function of the gamma family."""
    result = function(*args, **options)
    return result if options.get("out") is not None else disturbed(result)


class Rewriter(ast.NodeTransformer):
    """Calls of the functions above in place of what a module does itself."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        matrices = isinstance(node.op, ast.MatMult)
        return self.call(node, "product", [node.left, node.right]) if matrices else node

    def visit_Call(self, node):
        self.generic_visit(node)
        function = node.func
        name = getattr(function, "attr", getattr(function, "id", None))
        if isinstance(function, ast.Name) and name not in ("xlogy", "expit"):
            return node
        if name in TRANSCENDENTAL:
            return self.call(node, "transcendental", [function, *node.args], node.keywords)
        if name in DECOMPOSED and ast.unparse(function).startswith("np.linalg."):
            return self.call(node, "decomposition", [function, *node.args], node.keywords)
        if name in SUMMED:
            named = ast.copy_location(ast.Constant(name), node)
            arguments = [function.value, named, *node.args]
            return self.call(node, "method", arguments, node.keywords)
        return node

    @staticmethod
    def call(node, name, arguments, keywords=()):
        played = ast.copy_location(ast.Name("_played_rounding", ast.Load()), node)
        function = ast.copy_location(ast.Attribute(played, name, ast.Load()), node)
        return ast.copy_location(ast.Call(function, arguments, list(keywords)), node)


class Loader(importlib.machinery.SourceFileLoader):
    """Of a module of the package."""

    def get_code(self, fullname):
        """Never from a cache, and never into one."""
        path = self.get_filename(fullname)
        tree = Rewriter().visit(ast.parse(self.get_data(path)))
        return compile(tree, path, "exec", dont_inherit=True)

    def exec_module(self, module):
        module._played_rounding = sys.modules[__name__]
        super().exec_module(module)


class Finder:
    """The package's modules, with rounding of their own; ``ties`` brings it to a grid."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if not name.startswith("cpe_opt") or name == "cpe_opt.ties" or spec is None:
            return None
        if isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = Loader(name, spec.origin)
        return spec


def play(seed):
    """Another machine, for what is imported from now on."""
    assert not any(name.startswith("cpe_opt") for name in sys.modules)
    TABLE[:] = np.random.default_rng(seed).uniform(-SIZE, SIZE, size=len(TABLE))
    sys.meta_path.insert(0, Finder)


FEATURES = [name for name in umath.__cpu_dispatch__ if umath.__cpu_features__.get(name)]
AVX512 = [name for name in FEATURES if name.startswith(("AVX512", "X86_V4"))]
OLD = {
    "OPENBLAS_CORETYPE": "Prescott",
    "NPY_DISABLE_CPU_FEATURES": " ".join(FEATURES),
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA",
}
OTHERS = [
    {"OPENBLAS_CORETYPE": core, "NPY_DISABLE_CPU_FEATURES": disabled, "OPENBLAS_NUM_THREADS": "2"}
    for core in ("Nehalem", "Haswell", "Zen", "SkylakeX")
    for disabled in (" ".join(AVX512), " ".join(FEATURES))
]


@functools.cache
def found_here(share):
    return found(share)


@pytest.mark.parametrize(
    ("environment", "seed", "share"),
    [
        (OLD, 1, 20),  # both ways in which a machine is played at once
        *(pytest.param(each, 0, 1, marks=pytest.mark.slow) for each in (OLD, *OTHERS)),
        *(pytest.param({}, seed, 1, marks=pytest.mark.slow) for seed in range(1, 11)),
    ],
)
def test_every_machine_that_can_be_played_makes_the_same_choices(environment, seed, share):
    here = found_here(share)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.test_machines", str(seed), str(share)],
        cwd=Path(__file__).parents[1],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    there = json.loads(done.stdout)
    assert there["exact"] == here["exact"]
    assert there["numbers"].keys() == here["numbers"].keys()
    for key, numbers in here["numbers"].items():
        other = there["numbers"][key]
        np.testing.assert_allclose(other, numbers, rtol=1e-9, atol=1e-9, err_msg=key)


def test_rounding_that_is_played_changes_last_bits_and_no_more(monkeypatch):
    """Inexact products differ, exact ones do not, and one input has one output."""
    errors = np.random.default_rng(0).uniform(-SIZE, SIZE, size=len(TABLE))
    monkeypatch.setitem(globals(), "TABLE", errors)
    a, b = np.arange(12.0).reshape(3, 4), np.arange(8.0).reshape(4, 2)
    assert (product(a, b) == a @ b).all()
    assert (product(a / 7, b) != a / 7 @ b).any()
    assert (product(a / 7, b) == product(a / 7, b)).all()
    np.testing.assert_allclose(product(a / 7, b), a / 7 @ b, rtol=1e-14)
    assert method(a, "sum") == 66.0
    assert (method(a / 7, "cumsum") != (a / 7).cumsum()).any()
    assert 0.0 < abs(decomposition(np.linalg.inv, np.eye(2) / 3)[0, 0] - 3.0) < 1e-14


if __name__ == "__main__":
    given_seed, given_share = map(int, sys.argv[1:])
    if given_seed:
        play(given_seed)
    json.dump(found(given_share), sys.stdout)
