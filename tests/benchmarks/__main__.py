"""``make bench``: each row a task, ours, the alternative in the same run, and their ratio.

    python -m tests.benchmarks [--json] [--only WORD]

Times are medians of wall-clock seconds on this machine, in this process unless the task says so.
"""

import argparse
import inspect
import json
import statistics
import subprocess
import sys
import time

import numpy as np

import cpe_opt as cpe
from cpe_opt.formulations.dueling.cutting_planes import MonotoneColumns
from cpe_opt.formulations.dueling.lower_bound import evidence_costs
from cpe_opt.formulations.dueling.rows import copeland_rows
from cpe_opt.formulations.separable.oracle import oracle_of
from cpe_opt.learners import LEARNERS
from cpe_opt.problems.generators import cycle_and_chain
from cpe_opt.solvers.cutting_planes import CuttingPlanes
from tests.learners.reference_races import hoeffding, reference_savage
from tests.learners.support import OutcomesByPair, run_to_the_end
from tests.support import random_preferences

ROWS = []


def median_seconds(task, repeats):
    spent = []
    for _ in range(repeats):
        started = time.perf_counter()
        task()
        spent.append(time.perf_counter() - started)
    return statistics.median(spent)


def row(task, ours, alternative, note="", *, what="s"):
    ratio = None if alternative is None else alternative / ours
    ROWS.append({"task": task, "ours": ours, "alternative": alternative, "ratio": ratio,
                 "unit": what, "note": note})  # fmt: skip
    other = "" if alternative is None else f"{alternative:.4g}"
    shown = "" if ratio is None else f"{ratio:.1f}x"
    print(f"{task:58} {ours:>10.4g} {other:>10} {shown:>8} {what:6} {note}", file=sys.stderr)


def tournament(arms, seed):
    return random_preferences(arms, np.random.default_rng(seed))


def lower_bounds():
    """Cutting planes against the compact program by the same HiGHS, building included."""
    sushi = cpe.load_instance("sushi")
    cpe.copeland_bound(sushi)
    cases = [("sushi, 16 arms", sushi, 25), ("tournament, 32 arms", tournament(32, 1), 9)]
    # the seed with L1 about 23
    cases += [("tournament, 64 arms", hard_tournament(64, 23), 7)]
    for name, mu, repeats in cases:
        winner = mu.copeland_winners[0]
        cuts = median_seconds(lambda m=mu, w=winner: cpe.copeland_bound(m, w), repeats)
        compact = median_seconds(
            lambda m=mu, w=winner: cpe.copeland_bound(m, w, method="compact"), repeats
        )
        bound = cpe.copeland_bound(mu, winner)
        note = f"cuts {bound.result.cuts}, rounds {len(bound.result.cut_rounds)}, "
        note += f"L1 {mu.losses.min()}, C* {bound.value:.4f}"
        row(f"C*, cuts vs compact: {name}", cuts, compact, note)
    mu = tournament(128, 0)
    winner = mu.copeland_winners[0]
    cuts = median_seconds(lambda: cpe.copeland_bound(mu, winner), 3)
    compact = median_seconds(lambda: cpe.copeland_bound(mu, winner, method="compact"), 1)
    row("C*, cuts vs compact: tournament, 128 arms", cuts, compact, f"L1 {mu.losses.min()}")


def hard_tournament(arms, losses):
    """The first uniform tournament whose winner loses this often."""
    seed = 0
    while tournament(arms, seed).losses.min() != losses:
        seed += 1
    return tournament(arms, seed)


def resolves():
    """One estimate moves: the kept loop against a solve from scratch."""
    mu = cpe.load_instance("sushi")
    nested = MonotoneColumns(copeland_rows(mu.array, 0))
    loop = CuttingPlanes.open(nested.program(evidence_costs(mu), "sushi"))
    loop.solve()
    first = loop.pool_size
    rng = np.random.default_rng(0)
    kept, fresh = [], []
    array = mu.array.copy()
    before = len(loop.log)
    for _ in range(60):
        i, j = sorted(rng.permutation(16)[:2].tolist())
        array[i, j] = 0.5 + (array[i, j] - 0.5) * rng.uniform(0.98, 1.02)
        array[j, i] = 1 - array[i, j]
        costs = evidence_costs(cpe.PreferenceMatrix(array))
        started = time.perf_counter()
        objective = nested.column_costs(costs)
        loop.set_costs(np.arange(len(objective)), objective)
        loop.solve()
        kept.append(time.perf_counter() - started)
        started = time.perf_counter()
        CuttingPlanes.open(MonotoneColumns(copeland_rows(array, 0)).program(costs, "s")).solve()
        fresh.append(time.perf_counter() - started)
    added = sum(entry.added for entry in loop.log[before:])
    row("CW-RMED re-solve after one draw, sushi: kept vs scratch", statistics.median(kept),
        statistics.median(fresh), f"{first} cuts first, {added} added in 60 re-solves")  # fmt: skip


def runs():
    """Wall-clock of a run, one process; medians and means over seeds."""
    sushi = cpe.load_instance("sushi")
    plans = [("ecw-rmed", 10**9, 10)]
    for learner, function in LEARNERS.items():
        duels = next(iter(inspect.signature(function).parameters)) == "arms"
        # these two stop, or never idle
        if duels and learner not in ("copeland-identification", "random-pairs"):
            plans += [(learner, horizon, 10) for horizon in (10**6, 10**7)]
    plans += [("random-pairs", 10**6, 2)]
    seconds = {}
    for learner, horizon, seeds in plans:
        traces = [cpe.simulate(learner, sushi, horizon=horizon, seed=s) for s in range(seeds)]
        seconds[learner, horizon] = statistics.mean(t.seconds for t in traces)
        regret = statistics.mean(float(t.regret[-1]) for t in traces)
        rate = statistics.mean(t.rounds / t.seconds for t in traces)
        note = f"mean of {seeds} seeds; regret {regret:.0f}, {rate:,.0f} rounds/s"
        row(f"{learner} on sushi to T = {horizon:.0e}", seconds[learner, horizon], None, note)
    for learner, horizon, _ in plans:
        if horizon > 10**6:
            ratio = seconds[learner, horizon] / seconds[learner, 10**6]
            task = f"{learner} on sushi: T = {horizon:.0e} over T = 1e6"
            row(task, ratio, None, "mean over seeds", what="x")


def many_arms():
    """CCB and SCB on 500 arms, one process."""
    mu = cycle_and_chain(500)
    for learner, horizon in (("ccb", 10**6), ("scb", 10**7)):
        trace = cpe.simulate(learner, mu, horizon=horizon, seed=0)
        note = f"{trace.rounds / trace.seconds:,.0f} rounds/s"
        row(f"{learner} on 500 arms to T = {horizon:.0e}", trace.seconds, None, note)


def idle_stretches():
    """The generator against the plain round-by-round reference of the tests."""
    from cpe_opt.problems.queries import Duel
    from tests.learners.reference_rmed import reference_ecw_rmed

    mu = cpe.load_instance("gap")
    environment = mu.environment(np.random.default_rng(0))
    started = time.perf_counter()
    reference_ecw_rmed(mu.arms, lambda i, j: environment.answer(Duel(i, j)), 10_000)
    plain = time.perf_counter() - started
    ours = median_seconds(lambda: cpe.simulate("ecw-rmed", mu, horizon=10_000, seed=0), 5)
    row("ecw-rmed on gap to T = 1e4: idle stretches vs plain", ours, plain)


def races():
    """SAVAGE in batches against duel by duel."""
    mu = cpe.load_instance("cyclic")
    pairs = mu.arms * (mu.arms - 1) / 2
    radius = hoeffding(lambda n: np.pi**2 * pairs * n**2 / 3, 0.05)
    started = time.perf_counter()
    _, duels = reference_savage(mu.arms, OutcomesByPair(mu, 0).duel, radius)
    plain = time.perf_counter() - started

    def batches():
        run_to_the_end(cpe.learners.savage(mu.arms), OutcomesByPair(mu, 0))

    row("savage on cyclic: batches vs duel by duel", median_seconds(batches, 5), plain,
        f"{duels:,} duels")  # fmt: skip


def matchings():
    """Saddle LPs, built and solved; CAR-Cond's LPs; CLUCB-Borda's rounds."""
    for candidates, positions, gap in ((40, 20, 0.005), (200, 10, 0.005)):
        duels = cpe.planted_condorcet(candidates, positions, gap=gap, seed=1)
        noise = 0.1 * np.random.default_rng(0).random(duels.array.shape) * (duels.array > 0)
        bounds = np.minimum(1.0, duels.array + noise)
        seconds = median_seconds(lambda d=duels, b=bounds: cpe.condorcet_value(d.graph, b), 3)
        task = f"saddle LP, {candidates} candidates, {positions} positions: highs vs glop"
        other = None
        if candidates < 100:
            other = median_seconds(
                lambda d=duels, b=bounds: cpe.condorcet_value(d.graph, b, solver="glop"), 3
            )
        row(task, seconds, other, f"{duels.graph.size} edges")
    duels = cpe.planted_condorcet(5, 3, gap=0.05, seed=0)
    for slack in ("paper", "none"):
        counts = {}
        trace = cpe.simulate("car-cond", duels, seed=0, slack=slack, counts=counts)
        row(f"car-cond, 5 candidates, 3 positions, slack {slack}: LPs vs as printed",
            counts["lps"], counts["values"],
            f"{counts['rounds']:,} rounds, {trace.seconds:.1f} s", what="LPs")  # fmt: skip
    duels = cpe.planted_condorcet(20, 10, gap=0.005, seed=0)
    trace = cpe.simulate("clucb-borda-pac", duels, seed=1, epsilon=0.2, horizon=50_000)
    row("clucb-borda-pac, 20 candidates, 10 positions, 50,000 duels", trace.seconds, None,
        f"{trace.rounds / trace.seconds:,.0f} rounds/s")  # fmt: skip


def subsets():
    """Designs over sets that cannot be listed, quadratic maximisation, rounds of the learners."""
    for n, k, tolerance in ((36, 10, 1e-6), (111, 10, 1e-2)):
        sets = cpe.TopK(n, k)
        design = cpe.g_design(sets, method="columns", tolerance=tolerance)
        seconds = median_seconds(
            lambda s=sets, t=tolerance: cpe.g_design(s, method="columns", tolerance=t), 3
        )
        cyclic = median_seconds(lambda s=sets: cpe.g_design(s), 3)
        note = f"gap {design.gap:.1e} with {len(design.weights)} sets; "
        note += f"cyclic {cpe.g_design(sets).gap:.0e}"
        row(f"G design, {k} of {n}: columns vs cyclic", seconds, cyclic, note)
    actions = cpe.TopK(10, 5).indicator_matrix()
    ours = median_seconds(lambda: cpe.g_design(actions), 5)
    conic = median_seconds(lambda: cpe.g_design(actions, method="cvxpy"), 3)
    row("G design of 252 listed sets: Frank-Wolfe vs CVXPY", ours, conic)
    square = np.random.default_rng(0).normal(size=(20, 20))
    matrix = square + square.T
    ours = median_seconds(lambda: cpe.ellipsoid_maximum(6, matrix, "swap"), 9)
    exact = median_seconds(lambda: cpe.ellipsoid_maximum(6, matrix, "exact"), 3)
    row("quadratic maximum, 6 of 20: swap search vs MILP", ours, exact)
    crowd = cpe.planted_subsets(111, 10, gap=0.05, seed=0)
    for learner in ("icb", "saqm", "sa-foa"):
        trace = cpe.simulate(learner, crowd, epsilon=0.5, seed=0, horizon=10**8)
        row(f"{learner}, 10 of 111, to 1e8 pulls", trace.seconds, None,
            f"{trace.samples:,} pulls, {trace.queries} looks")  # fmt: skip


def separable():
    """Sample allocations of many groups; rounds of COCI."""
    rng = np.random.default_rng(0)
    theta, sizes = rng.random(10_000), rng.integers(1, 1000, 10_000)
    seconds = median_seconds(lambda: cpe.sample_allocation(theta, sizes, 10**9), 5)
    row("sample allocation, 10,000 groups, budget 1e9", seconds, None)
    small, few = theta[:20], sizes[:20]
    ours = median_seconds(lambda: cpe.sample_allocation(small, few, 1000), 9)
    milp = median_seconds(lambda: cpe.sample_allocation(small, few, 1000, "milp"), 3)
    row("sample allocation, 20 groups, budget 1,000: greedy vs MILP", ours, milp)
    arms = [cpe.Bernoulli(p) for p in np.linspace(0.1, 0.9, 20)]
    problem = cpe.SeparableProblem(cpe.BestSet(cpe.TopK(20, 5)), arms)
    trace = cpe.simulate("coci-uniform", problem, seed=0, horizon=10**6)
    row("coci-uniform, best 5 of 20, 1e6 rounds", trace.seconds, None,
        f"{trace.rounds / trace.seconds:,.0f} rounds/s")  # fmt: skip
    hard = cpe.SeparableProblem(cpe.BestSet(cpe.TopK(20, 5)), [*arms[:14], *arms[14:15] * 6])
    trace = cpe.simulate("coci", hard, seed=0, horizon=10**6)
    row("coci, best 5 of 20 with ties, 1e6 rounds", trace.seconds, None,
        f"{trace.rounds / trace.seconds:,.0f} rounds/s")  # fmt: skip

    water = cpe.load_instance("water")
    decide, calls = oracle_of(water.model), []
    counted = cpe.CustomModel(4, lambda theta: calls.append(0) or decide(theta), bi_monotone=True)
    trace = cpe.simulate("coci", cpe.SeparableProblem(counted, water.arms), seed=0)
    row("coci, water plan of 4 sources", trace.seconds, None,
        f"{len(calls):,} calls of the oracle in {trace.rounds:,} rounds")  # fmt: skip


def command_line():
    """Start-up of the command line, in a process of its own."""
    command = [sys.executable, "-m", "cpe_opt", "--help"]
    seconds = median_seconds(lambda: subprocess.run(command, capture_output=True, check=True), 9)
    row("cpe-opt --help", seconds, None, "process start to exit")


GROUPS = [
    lower_bounds, resolves, runs, many_arms, idle_stretches, races, matchings, subsets,
    separable, command_line,
]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print the table as JSON")
    parser.add_argument("--only", default="", help="groups whose name contains this")
    arguments = parser.parse_args()
    head = f"{'task':58} {'ours':>10} {'other':>10} {'ratio':>8} {'unit':6} note"
    print(head, file=sys.stderr)
    for group in GROUPS:
        if arguments.only in group.__name__:
            group()
    if arguments.json:
        print(json.dumps(ROWS, indent=2))


if __name__ == "__main__":
    main()
