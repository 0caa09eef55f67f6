"""What must hold: processor seconds and memory of learners, each row with its bar."""

import tempfile
import zlib
from functools import partial

import cpe_opt as cpe
from tests.benchmarks.alone import mean_seconds
from tests.benchmarks.measuring import Row, processor_seconds

SMALL = {"rucb": 0.5, "rmed1": 0.5, "ccb": 0.8, "ecw-rmed": 1.0, "cw-rmed": 4.0}
_MOST_GROWTH = 1.5
_MOST_MEMORY = 400.0  # MB
_LIMIT = 60  # processor seconds


def small(settings):
    """Sushi and the 16-arm instance without a Condorcet winner to T = 1e5, mean of 5 seeds, which
    are ended after 60 s.
    """
    for name, instance, arms in (
        ("sushi", "sushi", None),
        ("no Condorcet winner, 16 arms", "no_condorcet_winner", 16),
    ):
        for learner, bar in SMALL.items():
            report = _played(settings, learner, instance, arms, 10**5, _LIMIT, seeds=5)
            task = f"{learner}, {name}, T = 1e5"
            yield Row(task, mean_seconds(report), bar=bar, note=_said(report))


def horizons(settings):
    """T = 1e7 over T = 1e6, processor seconds of 10 seeds: where idle stretches exist, a run costs
    what it explores and not its horizon. On the 16-arm instance above two arms differ by 1e-4, and
    no learner idles before T = 1e8. All runs of a horizon are ended after 60 s.
    """
    for name in ("sushi", "cyclic"):
        for learner in SMALL:
            near, far = (
                _played(settings, learner, name, None, horizon, _LIMIT, seeds=10)
                for horizon in (10**6, 10**7)
            )
            both = mean_seconds(near), mean_seconds(far)
            ratio = None if None in both else both[1] / both[0]
            note = _said(far) if ratio is None else f"{both[1]:.3g} s over {both[0]:.3g} s"
            yield Row(f"{learner}, {name}: T = 1e7 over T = 1e6", ratio, bar=_MOST_GROWTH,
                      unit="times", note=note)  # fmt: skip


LARGE = (
    ("ecw-rmed", 64, 20.0),
    ("ecw-rmed", 136, 120.0),
    ("cw-rmed", 32, 60.0),
    ("cw-rmed", 64, 300.0),
    ("ccb", 136, 20.0),
    ("rucb", 136, 20.0),
    ("rmed1", 136, 20.0),
)


def large(settings):
    """T = 1e6 on a Bradley–Terry instance and on a random tournament, one seed. A run is ended
    after twice its bar. Peak memory, with that of Python and its libraries, has a row where it has
    a bar.
    """
    for learner, arms, bar in LARGE:
        for instance in ("bradley_terry", "tournament"):
            report = _played(settings, learner, instance, arms, 10**6, 2 * bar)
            task = f"{learner}, {instance.replace('_', ' ')}, {arms} arms, T = 1e6"
            yield Row(task, mean_seconds(report), bar=bar, note=_said(report))
            if learner == "cw-rmed":
                yield Row(f"{task}: memory", report.get("memory"), bar=_MOST_MEMORY, unit="MB")


def experiments(settings):
    """What a run of an experiment costs beside its learner, which computes nothing, in processor
    time of one process.
    """
    runs = settings.choose(2, 10_000)
    with tempfile.TemporaryDirectory() as folder:
        options = {"runs": runs, "jobs": 1, "out": folder, "horizon": 1000, "seed": 0}
        spent = processor_seconds(lambda: cpe.run_experiment([two_duels], ["gap"], **options))
    yield Row("a run beside its learner", 1e3 * spent / runs, bar=1.0, unit="ms")


def calls(settings):
    """What a call of `best_of` costs beside its judge, who answers at once, in processor time: 6
    arms, 300 items in both orders, 5 seeds after a first one, which loads libraries.
    """
    items, seeds = settings.choose((20, 1), (300, 5))
    for workers, bar in ((1, None), (64, 2.5)):
        ask = partial(cpe.best_of, [*"abcdef"], _instant, items=items, workers=workers, path=None)
        ask(seed=0)
        asked = []
        spent = processor_seconds(
            lambda ask=ask, asked=asked: asked.extend(ask(seed=1 + k).calls for k in range(seeds))
        )
        note = f"{sum(asked) / seeds:,.0f} calls"
        yield Row(f"a call, {workers} at once", 1e3 * spent / sum(asked), bar=bar, unit="ms",
                  note=note)  # fmt: skip


def _instant(question):
    """Whom each next letter beats by 6 % more, whatever was asked before."""
    first, second = (ord(label) for label in question.labels)
    drawn = zlib.crc32(f"{question.item_id} {question.labels}".encode()) / 2**32
    return "first" if drawn < 0.5 + 0.06 * (first - second) else "second"


def two_duels(arms, *, rng):
    """Ask two queries of many rounds."""
    won = yield cpe.Duel(0, 1, 400)
    yield cpe.Duel(0, 1, 400)
    return int(won < 200)


def _played(settings, learner, instance, arms, horizon, limit, seeds=1):
    instance, arms = settings.choose(("gap", None), (instance, arms))
    horizon, seeds = settings.choose((30, 1), (horizon, seeds))
    told = {"instance": instance, "arms": arms, "horizon": horizon, "seeds": seeds}
    return settings.alone("play", limit, learner=learner, **told)


def _said(report):
    """The regret of the runs that were done, and peak memory."""
    done = report.get("regret", ())
    memory = f"{report.get('memory', 0.0):,.0f} MB"
    return f"regret {sum(done) / len(done):,.0f}, {memory}" if done else "ended in its first run"
