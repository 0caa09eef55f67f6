"""The Copeland lower bound by cutting planes, beside the program with all rows listed."""

import statistics
import time

import numpy as np

import cpe_opt as cpe
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows
from cpe_opt.formulations.dueling.lower_bound import evidence_costs
from cpe_opt.formulations.dueling.nested_columns import NestedColumns
from cpe_opt.solvers.cutting_planes import CuttingPlanes
from tests.benchmarks import instances
from tests.benchmarks.measuring import Row


def bounds(settings):
    """`copeland_bound(mu, winner)` by cuts, and beside it (*other*) `method="compact"`, by HiGHS
    with its defaults, building included.
    """
    for arms in settings.choose([6], [16, 32, 64, 128]):
        mu = cpe.load_instance("sushi") if arms == 16 else instances.tournament(arms)
        winner = mu.copeland_winners[0]
        bound = cpe.copeland_bound(mu, winner)
        cuts = settings.seconds(lambda m=mu, w=winner: cpe.copeland_bound(m, w), 5)
        compact = settings.seconds(
            lambda m=mu, w=winner: cpe.copeland_bound(m, w, method="compact"), 1 + (arms < 64)
        )
        note = f"{bound.result.cuts:,} cuts in {len(bound.result.cut_rounds)} rounds, "
        note += f"L1 {mu.losses.min()}, C* {bound.value:.4f}"
        name = "sushi" if arms == 16 else "tournament"
        yield Row(f"C*, {name}, {arms} arms", cuts, compact, note=note)


def resolves(settings):
    """CW-RMED's step on sushi: one estimate moves, and the kept loop of cutting planes solves
    again, beside a solve from scratch (*other*). Medians of 60 steps.
    """
    mu = cpe.load_instance("sushi")
    nested = NestedColumns.lasting(copeland_rows(mu.array, 0), mu.losses.min())
    loop = CuttingPlanes.open(nested.program(evidence_costs(mu), "sushi"))
    loop.solve()
    first, before = len(loop.pool), len(loop.log)
    rng = np.random.default_rng(0)
    kept, fresh = [], []
    array = mu.array.copy()
    steps = settings.choose(2, 60)
    for _ in range(steps):
        i, j = sorted(rng.permutation(16)[:2].tolist())
        array[i, j] = 0.5 + (array[i, j] - 0.5) * rng.uniform(0.98, 1.02)
        array[j, i] = 1 - array[i, j]
        costs = evidence_costs(cpe.PreferenceMatrix(array))
        started = time.process_time()
        objective = nested.column_costs(costs)
        loop.set_costs(np.arange(len(objective)), objective)
        loop.solve()
        kept.append(time.process_time() - started)
        started = time.process_time()
        columns = NestedColumns.lasting(copeland_rows(array, 0), mu.losses.min())
        CuttingPlanes.open(columns.program(costs, "sushi")).solve()
        fresh.append(time.process_time() - started)
    added = sum(entry.added for entry in loop.log[before:])
    note = f"{first} cuts first, {added} added in {steps} re-solves"
    medians = statistics.median(kept), statistics.median(fresh)
    yield Row("re-solve after one estimate moved: kept, from scratch", *medians, note=note)
