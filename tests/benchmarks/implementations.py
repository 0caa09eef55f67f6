"""Runs of learners beside those of two C++ implementations."""

import statistics
from dataclasses import dataclass

from tests.benchmarks.alone import mean_seconds
from tests.benchmarks.table import Row, rounds_text

AUTHORS = ("Wu", "Komiyama")
COMMIT = "e77a025"
LEARNERS = ("ecw-rmed", "ccb", "rucb", "rmed1")
_LIMIT = 600  # processor seconds


@dataclass(frozen=True)
class Case:
    """An instance and a horizon, and processor seconds of a run for each of ``LEARNERS``.

    ``then`` holds ours and those of ``AUTHORS`` (None: not measured) in one script, November 2026,
    on two shared cores; ``here`` what ``COMMIT``, ours of then, needed on 22 November 2026 on an
    AMD EPYC, two shared cores, mean of 5 seeds. Only sushi is the same instance in both.
    """

    name: str
    instance: str
    arms: int | None
    horizon: int
    then: tuple[tuple[float, float, float | None], ...]
    here: tuple[float, ...]


CASES = (
    Case("sushi", "sushi", None, 10**5,
         ((2.2, 2.9, None), (1.7, 1.6, None), (1.2, 0.5, 0.3), (1.5, 0.3, 0.7)),
         (0.83, 0.554, 0.485, 0.448)),
    Case("no Condorcet winner, 16 arms", "no_condorcet_winner", 16, 10**5,
         ((1.6, 5.8, None), (0.6, 1.9, None), (2.8, 0.5, None), (2.2, 0.5, None)),
         (3.21, 1.24, 0.886, 0.789)),
    Case("tournament, 32 arms", "tournament", 32, 10**5,
         ((3.2, 19.8, None), (0.45, 6.4, None), (0.4, 2.7, 0.8), (0.1, 1.6, 2.5)),
         (14.2, 1.74, 1.04, 0.821)),
    Case("sushi", "sushi", None, 10**6,
         ((1.3, 27.7, None), (1.3, 18.8, None), (1.9, 6.0, 4.0), (1.2, 5.5, 6.1)),
         (1.14, 0.654, 0.609, 0.58)),
)  # fmt: skip


@dataclass(frozen=True)
class Later:
    """A learner on an instance, and what Wu's program takes for it.

    ``multiple``: in runs of Wu's RUCB on 16 arms to 1e5, both on one machine in turns, compiled
    with ``g++ -O2``, least of three, 26 November 2026.
    """

    learner: str
    name: str
    instance: str
    arms: int | None
    multiple: float


LATER = (
    Later("d-ts", "no Condorcet winner, 16 arms", "no_condorcet_winner", 16, 11.2),
    Later("d-ts-plus", "no Condorcet winner, 16 arms", "no_condorcet_winner", 16, 7.7),
    Later("d-ts", "sushi", "sushi", None, 11.2),
    Later("d-ts-plus", "sushi", "sushi", None, 7.8),
    Later("ecw-rmed", "tournament, 136 arms", "tournament", 136, 39.0),
)
_RUCB = 0.5  # seconds of Wu's RUCB on 16 arms on the machine of then


def speed():
    """Seconds here for a second on the machine of then: the geometric mean over sushi's runs."""
    return statistics.geometric_mean(
        here / then
        for case in CASES
        if case.instance == "sushi"
        for here, (then, *_) in zip(case.here, case.then, strict=True)
    )


def implementations(settings):
    """A run of ours, mean of 5 seeds, beside the faster of two C++ implementations (*other*): Wu's,
    of H. Wu and X. Liu, "Double Thompson sampling for dueling bandits", NIPS 2016, and Komiyama's,
    of RMED (COLT 2015, ICML 2016). The C++ figures were taken once, in November 2026, processor
    seconds beside ours of that day (commit e77a025) in one script, on two shared cores. That commit
    was run again on the machine of this page, and the C++ figures are multiplied by what it needs
    here over what it needed then, the geometric mean over its runs on sushi. The other two
    instances are not those of then, but have as many arms: C++, which skips no rounds, needs about
    as long for any instance of a size, while ours does not, so that these rows are rough. *Then*
    in a note is what commit e77a025 needs here, on the row's instance.
    """
    scale = speed()
    for case in CASES:
        instance, arms = settings.choose(("gap", None), (case.instance, case.arms))
        for learner, (_, *theirs), before in zip(LEARNERS, case.then, case.here, strict=True):
            run = (learner, instance, arms, settings.choose(30, case.horizon))
            seconds = _mean_seconds(settings, *run, seeds=5)
            scaled = {
                author: scale * figure
                for author, figure in zip(AUTHORS, theirs, strict=True)
                if figure is not None
            }
            others = ", ".join(f"{author} {figure:.2g}" for author, figure in scaled.items())
            task = f"{learner}, {case.name}, T = {rounds_text(case.horizon)}"
            note = f"{others}; then {before:.2g}"
            yield Row(task, seconds, min(scaled.values()), note=note)
    for later in LATER:
        instance, arms = settings.choose(("gap", None), (later.instance, later.arms))
        seeds = 5 if later.learner != "ecw-rmed" else 1
        run = (later.learner, instance, arms, settings.choose(30, 10**5))
        task = f"{later.learner}, {later.name}, T = 1e5"
        other = scale * _RUCB * later.multiple
        yield Row(task, _mean_seconds(settings, *run, seeds), other, note=f"Wu {other:.2g}")


def _mean_seconds(settings, learner, instance, arms, horizon, seeds):
    arguments = {
        "learner": learner,
        "instance": instance,
        "arms": arms,
        "horizon": horizon,
        "seeds": settings.choose(1, seeds),
    }
    return mean_seconds(settings.alone("play", arguments, _LIMIT))
