"""Learners that track, and what votes prove: duels to a proof, and processor seconds."""

import math
from functools import partial

import numpy as np

import cpe_opt as cpe
from tests.benchmarks import instances
from tests.benchmarks.alone import mean_seconds
from tests.benchmarks.measuring import Row

# The most duels to a proof at delta = 0.05, on average.
MOST = {
    "gap": 1_100,
    "multisol": 230,
    "cyclic": 1_100,
    "mslr5-condorcet": 6_600,
    "mslr5-cycle": 105_000,
    "sushi": 65_000,
}
_DELTA = 0.05


def duels(settings):
    """Duels until copeland-tracking stops, mean of 50 runs at delta = 0.05, beside T* ln(1/delta)
    (*other*): the least of any algorithm as delta falls to 0.
    """
    runs = settings.choose(1, 50)
    for name, most in MOST.items():
        mu = cpe.load_instance(name)
        traces = [
            cpe.simulate("copeland-tracking", mu, delta=_DELTA, seed=seed) for seed in range(runs)
        ]
        samples = np.array([trace.samples for trace in traces])
        wrong = sum(trace.answer not in mu.copeland_winners for trace in traces)
        bound = cpe.copeland_time(mu).value * math.log(1 / _DELTA)
        note = f"± {samples.std() / math.sqrt(runs):,.0f}, {wrong} of {runs} wrong"
        yield Row(f"copeland-tracking, {name}", float(samples.mean()), bound, bar=most,
                  unit="duels", note=note)  # fmt: skip


def proofs(settings):
    """Processor seconds of a run of copeland-tracking at delta = 0.05."""
    problems = (cpe.load_instance("sushi"), 5.0), (with_a_margin(settings.choose(6, 64)), 60.0)
    for mu, bar in problems:
        task = f"copeland-tracking, {mu.name}, {mu.arms} arms"
        run = partial(cpe.simulate, "copeland-tracking", mu, delta=_DELTA, seed=1)
        yield Row(task, settings.seconds(run), bar=bar, note=f"{run().samples:,} duels")


def evidence(settings):
    """`cpe.evidence` of votes on random pairs of a Bradley–Terry model."""
    for arms, count, bar in (
        (25, 20_000, 2.0),
        (130, 100_000, 30.0),
        (400, 400_000, None),
        (1_000, 1_000_000, None),
    ):
        votes, found = random_votes(*settings.choose((5, 200), (arms, count))), []
        seconds = settings.seconds(lambda votes=votes, f=found: f.append(cpe.evidence(votes)))
        note = f"{list(found[0].copeland.values()).count('possible')} arms possible"
        yield Row(f"evidence, {arms:,} arms, {count:,} votes", seconds, bar=bar, note=note)


# Arms; the most duels to a proof on average; the most processor seconds and MB of a run.
NORMAL_STRENGTHS = (
    (32, 400, None, None),
    (64, 750, None, None),
    (136, 1_700, 5.0, 300.0),
    (500, None, 60.0, None),
)


def normal_strengths(settings):
    """Duels until copeland-tracking stops with normal strengths, of which fewer arms are the first
    of more, mean of 10 runs at delta = 0.05, next to those of POCOWISTA (*other*); processor
    seconds of a run; and peak memory, with that of Python and its libraries.
    """
    for arms, most, most_seconds, most_memory in NORMAL_STRENGTHS:
        few, seeds = settings.choose((4, 1), (arms, 10))
        report, other = (
            settings.alone("identify", learner=each, arms=few, seeds=seeds, delta=_DELTA)
            for each in ("copeland-tracking", "pocowista")
        )
        task = f"copeland-tracking, normal strengths, {arms} arms"
        wrong = report["right"].count(False)
        note = f"{wrong} of {len(report['right'])} wrong; at most {max(report['duels']):,}"
        yield Row(task, float(np.mean(report["duels"])), float(np.mean(other["duels"])), bar=most,
                  unit="duels", note=note)  # fmt: skip
        yield Row(f"{task}: a run", mean_seconds(report), bar=most_seconds,
                  note=f"at most {max(report['seconds']):.3g} s")  # fmt: skip
        yield Row(f"{task}: memory", report["memory"], bar=most_memory, unit="MB")


def with_a_margin(arms):
    """Random preferences between 0.3 and 0.7, and an arm that wins 0.6 to 0.8 of all its duels."""
    rng = np.random.default_rng(0)
    upper = np.triu(rng.uniform(0.3, 0.7, (arms, arms)), 1)
    upper[0, 1:] = rng.uniform(0.6, 0.8, arms - 1)
    array = upper + np.tril(1.0 - upper.T, -1)
    np.fill_diagonal(array, 0.5)
    return cpe.PreferenceMatrix(array, name="a winner by a margin")


def random_votes(arms, count):
    """Votes on random pairs of a Bradley–Terry model."""
    rng = np.random.default_rng(arms)
    mu = instances.bradley_terry(arms).array
    met = np.triu(rng.multinomial(count, np.full(arms * arms, 1 / arms**2)).reshape(arms, arms), 1)
    won = rng.binomial(met, mu)
    return cpe.Votes(won + np.tril((met - won).T, -1))
