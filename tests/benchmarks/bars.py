"""What must hold: processor seconds and memory of learners, each row with its bar."""

import os
import tempfile

from tests.benchmarks import many_runs
from tests.benchmarks.alone import mean_seconds
from tests.benchmarks.settings import processor_seconds
from tests.benchmarks.table import Row

SMALL = {"rucb": 0.5, "rmed1": 0.5, "ccb": 0.8, "ecw-rmed": 1.0, "cw-rmed": 4.0}
_MOST_GROWTH = 1.5
_MOST_MEMORY = 400.0  # MB
_MOST_SECONDS = 300.0  # of wall-clock time
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
    after twice its bar; the note says how far it came. Peak memory, with that of Python and its
    libraries, has a row where it has a bar.
    """
    for learner, arms, bar in LARGE:
        for instance in ("bradley_terry", "tournament"):
            report = _played(settings, learner, instance, arms, 10**6, 2 * bar)
            task = f"{learner}, {instance.replace('_', ' ')}, {arms} arms, T = 1e6"
            yield Row(task, mean_seconds(report), bar=bar, note=_said(report))
            if learner == "cw-rmed":
                yield Row(f"{task}: memory", report.get("memory"), bar=_MOST_MEMORY, unit="MB")


def experiments(settings):
    """An experiment of 10⁵ runs of a learner that computes for a millisecond of processor time, by
    two processes, in seconds of wall-clock time: once without interruption, and once with all its
    processes killed three times on the way, after which the files must be the same. And what a run
    costs beside its learner, in processor time of one process.
    """
    if settings.quick:
        with tempfile.TemporaryDirectory() as folder:
            spent = processor_seconds(lambda: many_runs.experiment("nothing", folder, 2, 1))
        yield Row("a run beside its learner", 1e3 * spent / 2, unit="ms")
        return
    report = many_runs.measure()
    task = f"{report['runs']:,} runs of 1 ms, wall clock"
    note = f"{os.cpu_count()} cores, {report['processor']:.0f} processor seconds"
    yield Row(task, report["wall"], bar=_MOST_SECONDS, note=note)
    same = "same content" if report["same"] else "OTHER CONTENT"
    note = f"killed at {', '.join(f'{at:,}' for at in report['killed_at'])} runs; {same}"
    yield Row(f"{task}, killed 3 times", report["killed_wall"], bar=_MOST_SECONDS, note=note)
    note = f"{report['files']} files, {report['megabytes']:.0f} MB"
    yield Row("a run beside its learner", report["overhead_ms"], bar=1.0, unit="ms", note=note)


def _played(settings, learner, instance, arms, horizon, limit, seeds=1):
    instance, arms = settings.choose(("gap", None), (instance, arms))
    arguments = {
        "learner": learner,
        "instance": instance,
        "arms": arms,
        "horizon": settings.choose(30, horizon),
        "seeds": settings.choose(1, seeds),
    }
    return settings.alone("play", arguments, limit)


def _said(report):
    """How far a run came, or its regret, and its peak memory."""
    if "seconds" not in report:
        return "ended before its first round"
    memory = f"{report['memory']:,.0f} MB"
    if "stopped_at" in report:
        seed = len(report["seconds"])
        return f"stopped at t = {report['stopped_at']:,} of seed {seed}, {memory}"
    return f"regret {sum(report['regret']) / len(report['regret']):,.0f}, {memory}"
