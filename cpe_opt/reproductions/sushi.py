"""Regret on sushi against that of two public C++ implementations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.problems.catalogue import load_instance
from cpe_opt.reproductions.claims import Claim
from cpe_opt.reproductions.regret import Experiment, Outcome, regret_study
from cpe_opt.reproductions.study import Settings, declared

_PUBLISHED: Mapping[str, list[list[int]]] = declared("sushi")["published"]
_THEIR_RUNS = 10
_NEAR, _FAR = 2.0, 3.0  # standard errors


def _experiments(settings: Settings) -> list[Experiment]:
    learners = [
        *(LearnerSpec(name) for name in ("ccb", "rucb", "rmed1", "rmed2fh", "ecw-rmed", "savage")),
        LearnerSpec("savage", {"target": "condorcet"}),
        *(LearnerSpec(name) for name in ("pbr", "rankel", "scb", "cw-rmed", "random-pairs")),
    ]
    fewer = settings.choose({"ccb": 50, "rucb": 50, "rmed2fh": 4, "cw-rmed": 4}, {})
    runs = settings.choose(20, 500)
    return [Experiment(load_instance("sushi"), learners, 10**5, runs, fewer=fewer)]


def regret_claim(outcome: Outcome, learner: str) -> Claim:
    """A mean regret against those of the other implementations, in standard errors."""
    finals = outcome.finals(learner)
    mean, sd, own = finals.mean(), finals.std(ddof=1), finals.std(ddof=1) / math.sqrt(len(finals))
    theirs = [(value, spread / math.sqrt(_THEIR_RUNS)) for value, spread in _PUBLISHED[learner]]
    distances = [float((mean - value) / math.hypot(own, error)) for value, error in theirs]
    away = ", ".join(f"{distance:+.1f}" for distance in distances)
    words = {
        "learner": learner,
        "means": ", ".join(f"{m:,} ± {s:,}" for m, s in _PUBLISHED[learner]),
        "errors": ", ".join(f"{error:,.0f}" for _, error in theirs),
        "near": _NEAR,
        "far": _FAR,
    }
    return Claim(
        "near",
        f"{mean:,.0f} ± {sd:,.0f} ({len(finals)} runs, standard error {own:,.0f}), {away} standard "
        "errors away",
        compared(distances),
        words,
    )


def compared(distances: Sequence[float]) -> bool | None:
    """Whether a mean agrees with the references, from its distances in standard errors."""
    if all(abs(distance) <= _NEAR for distance in distances):
        return True
    return False if all(abs(distance) > _FAR for distance in distances) else None


STUDIES = (
    regret_study(
        "sushi",
        _experiments,
        lambda outcomes: [regret_claim(outcomes[0], learner) for learner in _PUBLISHED],
    ),
)
