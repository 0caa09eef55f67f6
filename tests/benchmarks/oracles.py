"""Oracles and learners of the other families."""

import numpy as np

import cpe_opt as cpe
from cpe_opt.formulations.separable.oracle import oracle_of
from tests.benchmarks.measuring import Row, processor_seconds, rounds_text


def matchings(settings):
    """Saddle LPs by HiGHS, building included, beside GLOP (*other*); the linear programs that
    CAR-Cond solves, beside those of its paper's pseudo-code (*other*); duels of CLUCB-Borda.
    """
    for candidates, positions in settings.choose([(4, 2)], [(40, 20), (200, 10)]):
        duels = cpe.planted_condorcet(candidates, positions, gap=0.005, seed=1)
        noise = 0.1 * np.random.default_rng(0).random(duels.array.shape) * (duels.array > 0)
        upper = np.minimum(1.0, duels.array + noise)
        seconds = [
            settings.seconds(
                lambda d=duels, u=upper, s=solver: cpe.condorcet_value(d.graph, u, solver=s), 3
            )
            for solver in (("highs", "glop") if candidates < 100 else ("highs",))
        ]
        task = f"saddle LP, {candidates} candidates, {positions} positions: highs, glop"
        yield Row(task, *seconds, note=f"{duels.graph.size} edges")
    duels = cpe.planted_condorcet(*settings.choose((2, 2), (5, 3)), gap=0.05, seed=0)
    for slack in ("paper", "none"):
        counts = {}
        rounds = settings.choose({"horizon": 2000}, {})
        spent = processor_seconds(
            lambda s=slack, c=counts, r=rounds: cpe.simulate(
                "car-cond", duels, seed=0, slack=s, counts=c, **r
            )
        )
        note = f"{counts['rounds']:,} rounds, {spent:.1f} s"
        task = f"car-cond, {duels.graph.size} edges, slack {slack}: LPs, as printed"
        yield Row(task, counts["lps"], counts["values"], unit="LPs", note=note)
    duels = cpe.planted_condorcet(*settings.choose((3, 2), (20, 10)), gap=0.005, seed=0)
    horizon = settings.choose(100, 50_000)
    seconds = processor_seconds(
        lambda: cpe.simulate("clucb-borda-pac", duels, seed=1, margin=0.2, horizon=horizon)
    )
    task = f"clucb-borda-pac, {duels.graph.size} edges, {horizon:,} duels"
    yield Row(task, seconds, note=f"{horizon / seconds:,.0f} duels/s")


def subsets(settings):
    """Designs over sets that cannot be listed, by columns, beside the cyclic design (*other*);
    Frank–Wolfe beside CVXPY; quadratic maximisation by swaps beside the integer program; learners.
    """
    for n, k, tolerance in settings.choose([(6, 3, 1e-2)], [(36, 10, 1e-6), (111, 10, 1e-2)]):
        sets = cpe.TopK(n, k)
        design = cpe.g_design(sets, method="columns", tolerance=tolerance)
        seconds = settings.seconds(
            lambda s=sets, t=tolerance: cpe.g_design(s, method="columns", tolerance=t), 3
        )
        cyclic = settings.seconds(lambda s=sets: cpe.g_design(s), 3)
        note = f"gap {design.gap:.1e} with {len(design.weights)} sets; "
        note += f"cyclic {cpe.g_design(sets).gap:.0e}"
        yield Row(f"G design, {k} of {n}: columns, cyclic", seconds, cyclic, note=note)
    n, k = settings.choose((5, 2), (10, 5))
    actions = cpe.TopK(n, k).indicator_matrix()
    ours = settings.seconds(lambda: cpe.g_design(actions), 5)
    conic = settings.seconds(lambda: cpe.g_design(actions, method="cvxpy"), 3)
    yield Row(f"G design, {len(actions)} listed sets: Frank-Wolfe, CVXPY", ours, conic)
    n, k = settings.choose((6, 2), (20, 6))
    square = np.random.default_rng(0).normal(size=(n, n))
    matrix = square + square.T
    ours = settings.seconds(lambda: cpe.ellipsoid_maximum(k, matrix, "swap"), 9)
    exact = settings.seconds(lambda: cpe.ellipsoid_maximum(k, matrix, "exact"), 3)
    yield Row(f"quadratic maximum, {k} of {n}: swaps, integer program", ours, exact)
    n, k, horizon = settings.choose((6, 2, 10**3), (111, 10, 10**8))
    crowd = cpe.planted_subsets(n, k, gap=0.05, seed=0)
    for learner in ("icb", "saqm", "sa-foa"):
        traces = []
        seconds = processor_seconds(
            lambda name=learner, kept=traces: kept.append(
                cpe.simulate(name, crowd, margin=0.5, seed=0, horizon=horizon)
            )
        )
        note = f"{traces[0].samples:,} pulls, {traces[0].queries} queries"
        yield Row(f"{learner}, {k} of {n}, to {rounds_text(horizon)} pulls", seconds, note=note)


def separable(settings):
    """Sample allocations of many groups, and beside the integer program (*other*); rounds of
    COCI, and how often it calls its oracle.
    """
    groups, budget = settings.choose((50, 10**4), (10_000, 10**9))
    rng = np.random.default_rng(0)
    theta, sizes = rng.random(groups), rng.integers(1, 1000, groups)
    seconds = settings.seconds(lambda: cpe.sample_allocation(theta, sizes, budget), 5)
    yield Row(f"sample allocation, {groups:,} groups, budget {rounds_text(budget)}", seconds)
    few = settings.choose(3, 20)
    small = theta[:few], sizes[:few], 50 * few
    ours = settings.seconds(lambda: cpe.sample_allocation(*small), 9)
    milp = settings.seconds(lambda: cpe.sample_allocation(*small, "milp"), 3)
    yield Row(f"sample allocation, {few} groups: greedy, integer program", ours, milp)
    arms = [cpe.Bernoulli(p) for p in np.linspace(0.1, 0.9, 20)]
    horizon = settings.choose(200, 10**6)
    for learner, means in (
        ("coci-uniform", arms),
        ("coci", [*arms[:14], *arms[14:15] * 6]),
    ):
        problem = cpe.SeparableProblem(cpe.BestSet(cpe.TopK(20, 5)), means)
        seconds = processor_seconds(
            lambda name=learner, p=problem: cpe.simulate(name, p, seed=0, horizon=horizon)
        )
        ties = ", six tied" if learner == "coci" else ""
        note = f"{horizon / seconds:,.0f} rounds/s"
        yield Row(f"{learner}, best 5 of 20{ties}, T = {rounds_text(horizon)}", seconds, note=note)
    water = cpe.load_instance("water")
    decide, calls = oracle_of(water.model), []
    counted = cpe.CustomModel(4, lambda theta: calls.append(0) or decide(theta), bi_monotone=True)
    problem = cpe.SeparableProblem(counted, water.arms)
    limit = settings.choose({"horizon": 200}, {})
    seconds = processor_seconds(lambda: cpe.simulate("coci", problem, seed=0, **limit))
    yield Row("coci, water plan of 4 sources", seconds, note=f"{len(calls):,} calls of the oracle")
