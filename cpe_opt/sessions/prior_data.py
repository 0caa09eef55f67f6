"""What was observed before a session begins, kept in its first record.

Each family has a form: votes of arms that duel, scores of sets, votes at positions; over the items
of a test set, which cells were answered. All of it is kept in the order of the session's arms,
edges or elements, so that the session needs no other file.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, listed
from cpe_opt.formats.observations import Observations
from cpe_opt.problems.dueling.items import ItemDuels
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.pairs import LogNotes
from cpe_opt.problems.subsets.team_scores import TeamScores
from cpe_opt.sessions.questions import ItemSet, KnownCells, QuestionSet

_CellTuple = tuple[int, int, int, bool | None, float]
"""Arms i < j, the item, whether j was shown first (None for both orders or either), what i got."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PriorData:
    """Earlier observations of the arms, edges or elements of a session; one of four is there."""

    question_set: QuestionSet
    content: dict[str, Any]  # plain values, as the log keeps them
    votes: Votes | None = None  # of arms that duel
    scores: TeamScores | None = None  # of sets
    wins: FloatArray | None = None  # (E, E); of edges
    cells: KnownCells = field(default_factory=dict)  # over items
    notes: LogNotes = field(default_factory=LogNotes)  # on the log that they came from

    @classmethod
    def of(cls, observations: Observations | ItemDuels, question_set: QuestionSet) -> Self:
        """Observations in the order of the session; what it cannot count is refused."""
        if isinstance(observations, ItemDuels):
            return cls.of_json({"cells": _cells(observations, question_set)}, question_set)
        if question_set.items is not None:
            raise InputError(
                "prior: the session asks each cell of a test set once, and earlier observations "
                "are of no cells; expected ItemDuels, or a log with a column 'item'"
            )
        if isinstance(observations, TeamScores):
            return cls.of_json(_scores(observations, question_set), question_set)
        return cls.of_json(_votes(observations, question_set), question_set)

    @classmethod
    def of_json(cls, content: dict[str, Any], question_set: QuestionSet) -> Self:
        """Observations as the log keeps them."""
        if "cells" in content:
            known: dict[tuple[int, int], dict[tuple[int, bool | None], float]] = {}
            for i, j, item, second, outcome in content["cells"]:
                known.setdefault((i, j), {})[item, second] = outcome
            return cls(question_set=question_set, content=content, cells=known)
        notes = LogNotes.of_json(content["notes"])
        said: dict[str, Any] = {"question_set": question_set, "content": content, "notes": notes}
        labels = question_set.labels
        if "scores" in content:
            teams = [[labels[element] for element in team] for team in content["teams"]]
            seen, counts = content["scores"], content["counts"]
            return cls(scores=TeamScores(teams, seen, counts, clusters=notes.clusters), **said)
        if question_set.family == "matchings":
            return cls(wins=np.array(content["wins"]), **said)
        tied, independent = content["tied"], content["independent"]
        votes = Votes(content["wins"], labels, tied=tied, notes=notes, independent=independent)
        return cls(votes=votes, **said)

    @cached_property
    def for_learner(self) -> Any:
        """In the form that the learner takes; the class of sets may be read from a file here."""
        if self.scores is not None:
            return self.scores.totals(self.question_set.known)
        return self.wins if self.votes is None else self.votes

    @property
    def warnings(self) -> tuple[str, ...]:
        """By which columns of the log its votes or scores may depend on each other."""
        noun = "votes" if self.scores is None else "scores"
        return tuple(each.warning(noun) for each in self.notes.clusters)


def _scores(scores: TeamScores, question_set: QuestionSet) -> dict[str, Any]:
    """Scores by the session's elements."""
    place = _places(question_set, scores.members, "scores of")
    return {
        "teams": [sorted(place[member] for member in team) for team in scores.teams],
        "scores": scores.scores.tolist(),
        "counts": scores.counts.tolist(),
        "notes": LogNotes(clusters=scores.clusters).as_json(),
    }


def _votes(votes: Votes | MatchingDuels, question_set: QuestionSet) -> dict[str, Any]:
    """Votes by the session's arms or edges; pairs that never met have none."""
    counts, of_arms = votes.counts, isinstance(votes, Votes)
    refused = ""
    if counts is None:
        refused = "probabilities, which prove nothing without how often each pair met"
    elif counts.selected is not None:
        refused = "pairs that are selected by what the votes say, so that they prove nothing"
    elif counts.outcomes is not None and of_arms:
        refused = "votes in clusters, and a session counts each vote by itself"
    elif not counts.independent and not of_arms:
        refused = "votes of rankings, whose pairs are not independent"
    if counts is None or refused:
        raise InputError(f"prior: {votes.name} has {refused}; expected votes on single pairs")
    order, count = _places(question_set, votes.labels, "votes on"), len(question_set.labels)
    wins, tied = np.zeros((2, count, count))
    wins[np.ix_(order, order)] = counts.wins
    tied[np.ix_(order, order)] = counts.tied
    content = {"wins": wins.tolist(), "notes": counts.notes.as_json()}
    if of_arms:
        content |= {"tied": tied.tolist(), "independent": counts.independent}
    return content


def _cells(duels: ItemDuels, question_set: QuestionSet) -> list[list[Any]]:
    """Cells by the session's arms and items."""
    items = question_set.items
    if items is None:
        raise InputError(
            f"prior: {duels.name} has duels over items, and the session asks about none; "
            "expected items= (--items on the command line), or Votes"
        )
    arms, places = _places(question_set, duels.labels, "duels of"), items.places
    unknown = next((name for name in duels.items if name not in places), None)
    if unknown is not None:
        raise InputError(f"prior: the item {unknown!r} is none of the session's")
    if items.orders == "both" and duels.orders == 1:
        raise InputError(
            f"prior: {duels.name} does not say which arm was shown first, and the session asks "
            "both orders; expected a column 'first', or orders 'random'"
        )
    cells: list[_CellTuple] = []
    for one, other, item, order in np.argwhere(~np.isnan(duels.outcomes)).tolist():
        if (i := arms[one]) < (j := arms[other]):
            second = bool(order) if duels.orders == 2 else None
            outcome = float(duels.outcomes[one, other, item, order])
            cells.append((i, j, places[duels.items[item]], second, outcome))
    if items.orders != "both" and duels.orders == 2:
        cells = _single_cells(cells, question_set, items)
    return [list(cell) for cell in sorted(cells, key=lambda cell: (*cell[:3], bool(cell[3])))]


def _single_cells(
    cells: list[_CellTuple], question_set: QuestionSet, items: ItemSet
) -> list[_CellTuple]:
    """Cells of known order, one of a pair an item: of either order, or the mean of both."""
    single: dict[tuple[int, int, int], list[float]] = {}
    for i, j, item, _, outcome in cells:
        single.setdefault((i, j, item), []).append(outcome)
    for (i, j, item), outcomes in single.items():
        if len(outcomes) != (2 if items.paired else 1):
            raise InputError(
                f"prior: {question_set.labels[i]!r} against {question_set.labels[j]!r} on item "
                f"{items.ids[item]!r} was asked in {'one order' if items.paired else 'both orders'}"
                f", and orders is {items.orders!r}; 'both' takes it"
            )
    return [(*key, None, math.fsum(outcomes) / len(outcomes)) for key, outcomes in single.items()]


def _places(question_set: QuestionSet, labels: tuple[str, ...], what: str) -> list[int]:
    """Where labels are in the order of a session."""
    place = {label: number for number, label in enumerate(question_set.labels)}
    for label in labels:
        if label not in place:
            raise InputError(
                f"prior: {what} {label!r}, which is none of {listed(question_set.labels, 'labels')}"
            )
    return [place[label] for label in labels]


def question_set_of(prior: object) -> QuestionSet:
    """What earlier observations are about, where nothing else says what a session asks about."""
    family_of(prior)
    if isinstance(prior, ItemDuels):
        items = ItemSet.of(list(prior.items), "both" if prior.orders == 2 else "random")
        return QuestionSet.of_labels(prior.labels).over(items)
    if isinstance(prior, Votes):
        return QuestionSet.of_labels(prior.labels)
    if isinstance(prior, TeamScores):
        if prior.size is None:
            raise InputError(
                f"{prior.name}: teams of different sizes do not say which sets may be chosen: give "
                "problem, such as TopK (--problem, or --k, on the command line)"
            )
        return QuestionSet.of_problem(prior.decisions())
    return QuestionSet.of_problem(prior)


def family_of(prior: object) -> str:
    """The family of earlier observations; :class:`InputError` if they are none."""
    if isinstance(prior, Votes | TeamScores | ItemDuels):
        return prior.family
    if getattr(prior, "family", "") == "matchings":
        return "matchings"
    raise InputError(
        f"prior is of the kind {type(prior).__name__}, expected Votes, TeamScores, or "
        "MatchingDuels from a log"
    )
