"""Votes that are there when a session begins, in its first record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import declaration_of, parameters_of
from cpe_opt.learners.queries import Learner
from cpe_opt.learners.registry import LEARNERS, learners_of
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.sessions.subject import Subject


def votes_before(
    name: str, function: Callable[..., Learner], subject: Subject, votes: Votes
) -> Votes:
    """Old votes in the order of the session's arms; pairs that never met have none."""
    family = declaration_of(function).family or "dueling"
    if family != "dueling" or "counts" not in parameters_of(function):
        able = [
            each for each in learners_of("dueling") if "counts" in parameters_of(LEARNERS[each])
        ]
        raise InputError(
            f"counts: {name} cannot start from votes that are there; {', '.join(able)} can"
        )
    place = {label: arm for arm, label in enumerate(subject.labels)}
    for label in votes.labels:
        if label not in place:
            raise InputError(
                f"counts: votes on {label!r}, which is none of {some_labels(list(subject.labels))}"
            )
    order = [place[label] for label in votes.labels]
    wins, tied = np.zeros((2, len(place), len(place)))
    wins[np.ix_(order, order)], tied[np.ix_(order, order)] = votes.wins, votes.tied
    return Votes(wins, subject.labels, name=votes.name, tied=tied, independent=votes.independent)


def votes_as_json(votes: Votes) -> dict[str, Any]:
    """Plain values of votes."""
    return {
        "wins": votes.wins.tolist(),
        "tied": votes.tied.tolist(),
        "labels": list(votes.labels),
        "independent": votes.independent,
    }


def votes_of_json(content: dict[str, Any]) -> Votes:
    """The votes of such values."""
    return Votes(
        content["wins"],
        content["labels"],
        tied=content["tied"],
        independent=content["independent"],
    )


def some_labels(labels: list[str]) -> str:
    """The first labels, for messages."""
    more = f" and {len(labels) - 3} more" if len(labels) > 3 else ""
    return ", ".join(labels[:3]) + more
