r"""What learners of duels need on random matrices that chose none of their rules.

    python examples/fresh_league.py

The instances of the kept league were known while rules were tuned. Those here have seeds from 1001
on, as they come. A cell is a geometric mean over the seeds, and the least and the largest of them;
for each seed it is the mean over runs of the duels until the proof by :math:`T^* \ln(1/\delta)`, or
of the regret by :math:`C^* \ln T`. Seeds whose exploration for C* takes more than a tenth of the T
rounds are left out of regret: that bound is about long runs. The table is Markdown.
"""

import argparse
import math

import numpy as np

import cpe_opt as cpe
from cpe_opt.experiments.engine import run_many
from cpe_opt.problems.generators import bradley_terry, mslr_like, random_cycle

DELTA, HORIZON, FIRST_SEED = 0.05, 100_000, 1001
FAMILIES = {
    "bradley-terry": bradley_terry,
    "random-cycle": random_cycle,
    "mslr-like": mslr_like,
}
PROVING = ("copeland-tracking", "pocowista")
LOSING = ("regret-tracking", "d-ts", "cw-rmed", "ecw-rmed")


def duels(learner: str, mu: cpe.PreferenceMatrix, runs: int) -> float:
    traces = run_many(learner, mu, horizon=None, runs=runs, seed=0, jobs=1, delta=DELTA)
    least = cpe.copeland_time(mu).value * math.log(1.0 / DELTA)
    return float(np.mean([trace.samples for trace in traces])) / least


def regret(learner: str, mu: cpe.PreferenceMatrix, runs: int) -> float:
    bound = cpe.copeland_bound(mu)
    if np.triu(bound.exploration, 1).sum() * math.log(HORIZON) > 0.1 * HORIZON:
        return math.nan
    traces = run_many(learner, mu, horizon=HORIZON, runs=runs, seed=0, jobs=1)
    lost = float(np.mean([trace.regret[-1] for trace in traces]))
    return lost / (bound.value * math.log(HORIZON))


def cell(multiples: list[float]) -> str:
    known = np.array([value for value in multiples if math.isfinite(value)])
    if not len(known):
        return "–"
    typical = math.exp(np.log(known).mean())
    ends = f"{short_number(known.min())} to {short_number(known.max())}"
    return f"{short_number(typical)} ({ends}; {len(known)})"


def short_number(value: float) -> str:
    """Two digits: 0.53, 1.7, 24, 1,500."""
    if value >= 9.95:
        return f"{float(f'{value:.2g}'):,.0f}"
    return f"{value:.1f}" if value >= 0.995 else f"{value:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arms", type=int, default=16)
    parser.add_argument("--seeds", type=int, default=8, help="matrices of each kind")
    parser.add_argument("--runs", type=int, default=5, help="runs of a learner on a matrix")
    parser.add_argument("--learners", nargs="+", default=[*PROVING, *LOSING])
    arguments = parser.parse_args()
    seeds = range(FIRST_SEED, FIRST_SEED + arguments.seeds)
    kinds = {
        family: [draw(arguments.arms, seed=seed) for seed in seeds]
        for family, draw in FAMILIES.items()
    }
    print(f"| learner | {' | '.join(FAMILIES)} |")
    print(f"|---|{'---|' * len(FAMILIES)}")
    for learner in arguments.learners:
        multiple = duels if learner in PROVING else regret
        cells = [cell([multiple(learner, mu, arguments.runs) for mu in kinds[f]]) for f in FAMILIES]
        print(f"| `{learner}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
