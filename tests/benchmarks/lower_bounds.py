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

KINDS = ("tournament", "bradley_terry", "cycle_of_blocks", "cycle_of_chains")
# Half octaves: one instance of a size tells little.
SIZES = (32, 45, 64, 91, 128, 181, 256, 362, 512)
LIMIT = 120  # processor seconds
_FIRST = 64  # arms: smaller sizes take a time of which little depends on them


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


def growth(settings):
    """How processor seconds and memory of `copeland_bound` by cuts grow with the number K of arms:
    all Copeland winners, each size in a process of its own. The instances are a random tournament,
    a Bradley–Terry instance, and three blocks that beat each other in a cycle, with random
    preferences or a chain inside. An exponent is the slope of a line through log K and log seconds,
    by least squares over sizes from 64 arms on.
    """
    for kind in KINDS[: settings.choose(1, None)]:
        yield from _grown(settings, kind)


def _grown(settings, kind):
    """A row for each size until one takes longer than the limit, and the exponent."""
    spent = {}
    what = f"C*, {kind.replace('_', ' ')}, cuts"
    for arms in settings.choose((6, 8), SIZES):
        report = settings.alone("bound", LIMIT, instance=kind, arms=arms)
        if "seconds" not in report:
            yield Row(f"{what}: {arms} arms", None, note=f"not within {LIMIT} s")
            break
        (spent[arms],) = report["seconds"]
        note = f"{report['memory']:,.0f} MB, C* {report['value']:.6g}"
        note += f", {report['cuts']:,} cuts in {report['rounds']} rounds"
        note += f", {report['winners']} winners" * (report["winners"] > 1)
        yield Row(f"{what}: {arms} arms", spent[arms], note=note)
    fitted = [arms for arms in spent if arms >= settings.choose(0, _FIRST)]
    if len(fitted) > 1:
        logs = np.log(fitted), np.log([spent[arms] for arms in fitted])
        slope = float(np.polyfit(*logs, 1)[0])
        note = f"from {fitted[0]} to {fitted[-1]} arms"
        yield Row(f"{what}: exponent of K", slope, unit="", note=note)
