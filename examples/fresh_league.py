r"""What learners of duels need on random matrices that chose none of their rules.

    python examples/fresh_league.py

The instances of the kept league were known while rules were tuned. Those here have seeds from 1001
on, as they come. A cell is a geometric mean over the seeds, and the least and the largest of them;
for each seed it is the mean over runs of the duels until the proof by :math:`T^* \ln(1/\delta)`, or
of the regret by :math:`C^* \ln T`. Seeds whose exploration for C* takes more than a tenth of the T
rounds are left out of regret: that bound is about long runs. The table is Markdown.

With ``--mixed`` the columns are eight matrices of eight kinds, one each, and the last their
geometric mean: random tournaments of 8, 12 and 32 arms, a random cycle, strengths with a tenth of
the pairs turned round, a chain in which neighbours hardly differ, and strengths of 8 and 64 arms.
"""

import argparse
import math
from collections.abc import Callable

import numpy as np

import cpe_opt as cpe
from cpe_opt.experiments.engine import run_many
from cpe_opt.problems.generators import bradley_terry, mslr_like, random_cycle

DELTA, HORIZON, FIRST_SEED = 0.05, 100_000, 1001
FAMILIES: dict[str, Callable[..., cpe.PreferenceMatrix]] = {
    "bradley-terry": bradley_terry,
    "random-cycle": random_cycle,
    "mslr-like": mslr_like,
}


def tournament(arms: int, *, seed: int) -> cpe.PreferenceMatrix:
    """Every pair on its own, 0.05 to 0.4 from one half."""
    rng = np.random.default_rng([seed, arms])
    return signed(rng.choice([-1.0, 1.0], (arms, arms)) * rng.uniform(0.05, 0.4, (arms, arms)))


def upsets(arms: int, *, seed: int) -> cpe.PreferenceMatrix:
    """Arms in order of their strengths, but a tenth of the pairs the other way."""
    rng = np.random.default_rng([seed, arms])
    ahead = np.asarray(bradley_terry(arms, seed=seed).array) - 0.5
    ahead = np.copysign(np.maximum(np.abs(ahead), 0.02), ahead)
    return signed(ahead * np.where(rng.random((arms, arms)) < 0.1, -1.0, 1.0))


def sparse_gaps(arms: int, *, seed: int) -> cpe.PreferenceMatrix:
    """A chain: neighbours differ by 0.02 to 0.05, others by 0.2 to 0.4."""
    rng = np.random.default_rng([seed, arms])
    near = np.abs(np.subtract.outer(np.arange(arms), np.arange(arms))) == 1
    size = (arms, arms)
    ahead = np.where(near, rng.uniform(0.02, 0.05, size), rng.uniform(0.2, 0.4, size))
    return signed(np.triu(ahead))


def signed(ahead: np.ndarray) -> cpe.PreferenceMatrix:
    """By what each arm is ahead of those after it, above the diagonal."""
    above = np.triu(ahead, 1)
    return cpe.PreferenceMatrix(0.5 + above - above.T)


MIXED: list[tuple[str, Callable[..., cpe.PreferenceMatrix], int]] = [
    ("tournament, 8", tournament, 8),
    ("tournament, 12", tournament, 12),
    ("tournament, 32", tournament, 32),
    ("random-cycle, 12", random_cycle, 12),
    ("upsets, 16", upsets, 16),
    ("sparse gaps, 12", sparse_gaps, 12),
    ("bradley-terry, 8", bradley_terry, 8),
    ("bradley-terry, 64", bradley_terry, 64),
]
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


def mixed(learners: list[str], runs: int) -> None:
    """The table of the eight kinds."""
    print(f"| learner | {' | '.join(name for name, _, _ in MIXED)} | typical |")
    print(f"|---|{'---|' * (len(MIXED) + 1)}")
    for learner in learners:
        multiple, multiples = duels if learner in PROVING else regret, list[float]()
        print(f"| `{learner}` |", end="", flush=True)
        for _, draw, arms in MIXED:
            multiples.append(multiple(learner, draw(arms, seed=FIRST_SEED), runs))
            print(f" {short_number(multiples[-1])} |", end="", flush=True)
        known = np.array([each for each in multiples if math.isfinite(each)])
        print(f" {short_number(math.exp(np.log(known).mean()))} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arms", type=int, default=16)
    parser.add_argument("--seeds", type=int, default=8, help="matrices of each kind")
    parser.add_argument("--runs", type=int, default=5, help="runs of a learner on a matrix")
    parser.add_argument("--learners", nargs="+", default=[*PROVING, *LOSING])
    parser.add_argument("--mixed", action="store_true", help="eight matrices of eight kinds")
    arguments = parser.parse_args()
    if arguments.mixed:
        mixed(arguments.learners, arguments.runs)
        return
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
