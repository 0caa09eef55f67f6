"""What was seen before a session begins, in its first record: votes, or scores of teams.

Each family has a form: :class:`Votes` of arms that duel, :class:`TeamScores` of sets whose sums are
seen, votes at positions as :class:`MatchingDuels` read them from a log. All of it is kept, in the
order of the session's arms, edges or elements, with the notes on the log that it came from, so that
the session needs no other file.

Scores come without their noise. Where neither ``sigma`` nor ``noise`` is given, ``sigma`` is a
bound on a score's standard deviation that fails with a probability of at most a tenth of delta,
from the residuals of least squares (:mod:`cpe_opt.proofs.subsets.noise_bound` says what that
takes for granted); the learner gets the rest (:mod:`cpe_opt.sessions.shares`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import declaration_of, parameters_of
from cpe_opt.learners.queries import Learner
from cpe_opt.learners.registry import LEARNERS
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.json_tables import header_of
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.matchings.files import is_matchings_header
from cpe_opt.problems.pairs import LogNotes
from cpe_opt.problems.subsets.files import is_subsets_header
from cpe_opt.problems.subsets.team_scores import TeamScores, is_team_header
from cpe_opt.proofs.subsets.noise_bound import SIGMA_SHARE, largest_sigma
from cpe_opt.sessions.question_set import Subject
from cpe_opt.sessions.shares import promises_answer, session_delta

Seen: TypeAlias = Votes | MatchingDuels | TeamScores


@dataclass(frozen=True, eq=False)
class Before:
    """What was seen before, of the arms, edges or elements of a session.

    Attributes
    ----------
    told
        The learner's argument ``counts``; None where the log does not hold what is asked about.
    content : dict
        Plain values, as the log keeps them.
    votes : Votes or None
        Of arms that duel.
    scores : TeamScores or None
        Of sets.
    notes : LogNotes
        On the log that it came from.
    """

    told: Any
    content: dict[str, Any]
    votes: Votes | None = None
    scores: TeamScores | None = None
    notes: LogNotes = field(default_factory=LogNotes)

    @property
    def warnings(self) -> tuple[str, ...]:
        """By which columns of the log its votes or scores may depend on each other."""
        noun = "votes" if self.scores is None else "scores"
        return tuple(each.warning(noun) for each in self.notes.clusters)


def read_before(counts: object) -> Seen | None:
    """What is given as ``counts``: itself, or what a file has.

    Raises
    ------
    InputError
        Where it is neither.
    """
    if isinstance(counts, str | os.PathLike):
        header = header_of(counts)
        if is_team_header(header):
            return TeamScores.read(counts)
        if is_subsets_header(header):
            raise InputError(
                f"counts: {str(counts)!r} has the columns {', '.join(header[:5])}, expected votes, "
                "or a log of teams with the columns team, score"
            )
        return MatchingDuels.from_csv(counts) if is_matchings_header(header) else Votes.read(counts)
    if counts is not None and not _family(counts):
        raise InputError(
            f"counts is of the kind {type(counts).__name__}, expected Votes, TeamScores, "
            "MatchingDuels from a log, or the path of a file"
        )
    return cast("Seen | None", counts)


def subject_of(seen: Seen) -> Subject:
    """What it is about, where nothing else says so.

    Raises
    ------
    InputError
        Where teams have different sizes.
    """
    if isinstance(seen, Votes):
        return Subject.of_labels(seen.labels)
    if isinstance(seen, TeamScores):
        if seen.size is None:
            raise InputError(
                f"{seen.name}: teams of different sizes do not say which sets may be chosen: give "
                "problem, such as TopK (--problem, or --k, on the command line)"
            )
        return Subject.of_problem(seen.decisions())
    return Subject.of_problem(seen)


def before(
    name: str,
    function: Callable[..., Learner],
    subject: Subject,
    seen: Seen,
    parameters: Mapping[str, Any],
) -> tuple[Before, dict[str, Any]]:
    """What was seen in the order of the session, and the learner's parameters, completed by it.

    Raises
    ------
    InputError
        Where the learner cannot start from it, or it is about something else.
    """
    declared = declaration_of(function)
    if not (declared.starts or (not declared.family and "counts" in parameters_of(function))):
        raise InputError(f"counts: {name} cannot start from what was seen; {_able(subject.family)}")
    family = _family(seen)
    if family != subject.family:
        raise InputError(
            f"counts: {_NOUNS[family]}, and the session asks about one of {subject.family!r}, "
            f"which start from {_NOUNS[subject.family]}"
        )
    if isinstance(seen, TeamScores):
        found, completed = _of_scores(subject, seen), _with_feedback(seen, function, parameters)
        sigma = _estimated_sigma(seen, function, completed)
        if sigma is None:
            return found, completed
        return found, {**completed, "sigma": sigma}
    votes = _of_votes(subject, seen) if isinstance(seen, Votes) else _of_edges(subject, seen)
    return votes, dict(parameters)


def before_of_json(content: dict[str, Any], subject: Subject) -> Before:
    """What :attr:`Before.content` has."""
    stored = content.get("notes")  # which logs of other versions may not have
    notes = LogNotes() if stored is None else LogNotes.of_json(stored)
    if "scores" in content:
        teams = [[subject.labels[element] for element in team] for team in content["teams"]]
        scores = TeamScores(teams, content["scores"], content["counts"], clusters=notes.clusters)
        if subject.known is None:
            return Before(None, content, scores=scores, notes=notes)
        return _of_scores(subject, scores)
    if subject.family == "matchings":
        return Before(np.array(content["wins"]), content, notes=notes)
    votes = Votes(
        content["wins"],
        content["labels"],
        tied=content["tied"],
        notes=notes,
        independent=content["independent"],
    )
    return Before(votes, content, votes=votes, notes=notes)


def some_labels(labels: list[str]) -> str:
    """The first labels, for messages."""
    more = f" and {len(labels) - 3} more" if len(labels) > 3 else ""
    return ", ".join(labels[:3]) + more


_NOUNS = {
    "dueling": "votes on arms that duel",
    "matchings": "votes at positions",
    "subsets": "scores of teams",
    "separable": "nothing",
}


def _family(seen: object) -> str:
    """Whose arms, edges or elements something seen before is about; empty where it is none."""
    if isinstance(seen, Votes | TeamScores):
        return seen.family
    return "matchings" if getattr(seen, "family", "") == "matchings" else ""


def _able(family: str) -> str:
    """The learners of a family that can start from something."""
    starts = {each: declaration_of(function) for each, function in LEARNERS.items()}
    able = [each for each, says in starts.items() if says.starts and says.family == family]
    return f"{', '.join(able) or f'no learner of {family}'} can"


def _of_votes(subject: Subject, votes: Votes) -> Before:
    """Old votes in the order of the session's arms; pairs that never met have none."""
    order = _places(subject, votes.labels, "votes on")
    wins, tied = _spread(votes.wins, order, subject), _spread(votes.tied, order, subject)
    if votes.counts.selected is not None:
        raise InputError(
            f"counts: {votes.name} has pairs that are selected by what the votes say, so that they "
            "prove nothing; expected votes that do not depend on what they say"
        )
    ordered = Votes(
        wins,
        subject.labels,
        name=votes.name,
        tied=tied,
        notes=votes.counts.notes,
        independent=votes.independent,
    )
    content = {
        "wins": wins.tolist(),
        "tied": tied.tolist(),
        "labels": list(subject.labels),
        "independent": votes.independent,
        "notes": votes.counts.notes.as_json(),
    }
    return Before(ordered, content, votes=ordered, notes=votes.counts.notes)


def _of_edges(subject: Subject, duels: MatchingDuels) -> Before:
    """Votes at positions in the order of the session's edges."""
    if duels.counts is None:
        raise InputError(
            f"counts: {duels.name} has probabilities, which prove nothing without how often each "
            "pair met; expected a log with the columns position, winner, loser"
        )
    if not duels.counts.independent:
        raise InputError(
            f"counts: {duels.name} has votes of rankings, whose pairs are not independent, so that "
            "they prove nothing together; expected votes on single pairs"
        )
    order = _places(subject, duels.labels, "votes on")
    wins, notes = _spread(duels.counts.wins, order, subject), duels.counts.notes
    return Before(wins, {"wins": wins.tolist(), "notes": notes.as_json()}, notes=notes)


def _of_scores(subject: Subject, scores: TeamScores) -> Before:
    """Scores of teams in the order of the session's elements."""
    place = _places(subject, scores.members, "scores of")
    teams = [sorted(place[member] for member in team) for team in scores.teams]
    notes = LogNotes(clusters=scores.clusters)
    content = {
        "teams": teams,
        "scores": scores.scores.tolist(),
        "counts": scores.counts.tolist(),
        "notes": notes.as_json(),
    }
    return Before(scores.totals(subject.known), content, scores=scores, notes=notes)


def _with_feedback(
    scores: TeamScores, function: Callable[..., Learner], parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """Parameters with ``feedback``, where the learner has it and it is not given."""
    completed = dict(parameters)
    of_sets = "feedback" in parameters_of(function) and any(len(team) > 1 for team in scores.teams)
    if of_sets and completed.setdefault("feedback", "sums") != "sums":
        raise InputError(
            f"feedback is {completed['feedback']!r}, and scores of teams are seen: expected 'sums'"
        )
    return completed


def _estimated_sigma(
    scores: TeamScores, function: Callable[..., Learner], parameters: Mapping[str, Any]
) -> float | None:
    """A bound on the noise of scores, where the learner needs one and none is given."""
    if "sigma" not in parameters_of(function) or {"sigma", "noise"} & set(parameters):
        return None
    if not promises_answer(function, parameters):
        return None
    error = SIGMA_SHARE * session_delta(function, parameters)
    return largest_sigma(scores, error, planned=parameters.get("planned") is True)


def _places(subject: Subject, labels: tuple[str, ...], what: str) -> list[int]:
    place = {label: number for number, label in enumerate(subject.labels)}
    for label in labels:
        if label not in place:
            raise InputError(
                f"counts: {what} {label!r}, which is none of {some_labels(list(subject.labels))}"
            )
    return [place[label] for label in labels]


def _spread(matrix: FloatArray, order: list[int], subject: Subject) -> FloatArray:
    """A matrix of pairs with rows and columns for all labels of a session."""
    found = np.zeros((len(subject.labels), len(subject.labels)))
    found[np.ix_(order, order)] = matrix
    return found
