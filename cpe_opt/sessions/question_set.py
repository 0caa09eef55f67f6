"""What a session asks about: arms, candidates for positions, the elements of sets.

A session knows of a problem what its learner may know, and labels; nothing else. Arms, bipartite
graphs and the class of all sets of k elements are written into its log, which then says all that is
needed; so are the items of a test set on which arms are compared (:mod:`cpe_opt.sessions.items`).
Of other problems the log has the fingerprint, and the file that they were read from, which is read
again when the learner is needed; whoever began a session with an object gives it again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from cpe_opt.errors import InputError
from cpe_opt.fingerprint import fingerprint, json_digest
from cpe_opt.validation import checked_labels

if TYPE_CHECKING:
    from cpe_opt.problems.matchings.bipartite import BipartiteGraph
    from cpe_opt.sessions.items import ItemSet
    from cpe_opt.sessions.replay import Slot


@dataclass(frozen=True)
class ProblemFile:
    """Where a problem is read from, so that a session can read it again."""

    path: str  # a file, `script.py:name`, or the name of a built-in instance
    k: int | None = None  # as for load_problem

    @classmethod
    def of_json(cls, content: dict[str, Any], folder: Path | None) -> Self:
        """That of a log; where the file has moved, the one of this name next to the log."""
        file, name = _parted(content["path"])
        if folder is not None and not Path(file).exists() and (folder / Path(file).name).exists():
            file = str(folder / Path(file).name)
        return cls(file + name, content["k"])

    def as_json(self) -> dict[str, Any]:
        """Plain values, with the whole path."""
        file, name = _parted(self.path)
        return {"path": f"{Path(file).resolve()}{name}" if Path(file).exists() else self.path,
                "k": self.k}  # fmt: skip

    def load(self) -> object:
        """The problem; a script is run."""
        from cpe_opt.formats.problems import load_problem

        return load_problem(self.path, self.k)


def _parted(path: str) -> tuple[str, str]:
    """A file, and what of a script is meant, with its colon."""
    from cpe_opt.scripts import is_script

    if not is_script(path):
        return path, ""
    file, _, name = path.rpartition(":")
    return file, f":{name}"


@dataclass(frozen=True, eq=False)
class QuestionSet:
    """What is asked about."""

    family: str  # that of the learners it is for
    known: Any  # what a learner may know; its first argument
    labels: tuple[str, ...]  # one for each arm, edge or element, by the numbers of queries
    # the items that arms are compared on, each cell once; None where duels have no items
    items: ItemSet | None = None
    source: ProblemFile | None = None  # where the problem was read from, if that is known

    @classmethod
    def of_labels(cls, labels: Sequence[str]) -> QuestionSet:
        """Arms that duel each other."""
        if isinstance(labels, str) or len(labels) < 2:
            raise InputError(f"labels is {labels!r}, expected at least two, one for each arm")
        return cls("dueling", len(labels), checked_labels(labels, len(labels)))

    @classmethod
    def of_problem(cls, problem: object) -> QuestionSet:
        """A problem, its file, or what a learner may know: a graph, a class of sets, a model."""
        from cpe_opt.problems.dueling.items import ItemDuels
        from cpe_opt.problems.matchings.bipartite import BipartiteGraph
        from cpe_opt.problems.problem import Problem
        from cpe_opt.problems.separable.model import SeparableModel
        from cpe_opt.problems.subsets.decisions import DecisionClass

        if isinstance(problem, str | os.PathLike):
            problem = ProblemFile(os.fspath(problem))
        if isinstance(problem, ProblemFile):
            return replace(cls.of_problem(problem.load()), source=problem)
        if isinstance(problem, ItemDuels):
            raise InputError(
                "problem has duels over items: a session asks about labels= and items= "
                "(--labels and --items on the command line), and may start from prior="
            )
        if isinstance(problem, Problem):
            return cls(problem.family, problem.known, tuple(problem.labels))
        if isinstance(problem, BipartiteGraph):
            return cls("matchings", problem, problem.edge_labels)
        if isinstance(problem, DecisionClass):
            return cls("subsets", problem, problem.labels)
        if isinstance(problem, SeparableModel):
            return cls("separable", problem, problem.labels)
        raise InputError(
            f"problem is of the kind {type(problem).__name__}, expected a problem, a "
            "BipartiteGraph, a DecisionClass or a SeparableModel; arms that duel each other are "
            "given by labels"
        )

    @classmethod
    def of_json(cls, content: dict[str, Any], folder: Path | None = None) -> QuestionSet | None:
        """Read what :meth:`as_json` made; None where the log in ``folder`` lacks the problem."""
        family, known = content["family"], content["known"]
        labels = tuple(content["labels"])
        if known is None:
            source = content.get("source")
            return None if source is None else FiledQuestionSet(content, folder)
        if family == "dueling":
            items = content.get("items")
            return cls(family, len(labels), labels, None if items is None else _items_of(items))
        if family == "matchings":
            from cpe_opt.problems.matchings.bipartite import BipartiteGraph

            who, where = known["candidates"], known["positions"]
            edges = [(int(candidate), int(position)) for candidate, position in known["edges"]]
            graph = BipartiteGraph(
                len(who), len(where), edges, candidate_labels=who, position_labels=where
            )
            return cls(family, graph, labels)
        from cpe_opt.problems.subsets.matroids import TopK

        return cls(family, TopK(len(labels), known["k"], labels), labels)

    def as_json(self) -> dict[str, Any]:
        """Family, labels, what is known where that can be written, and the fingerprint."""
        return {
            "family": self.family,
            "labels": list(self.labels),
            "known": self._known_as_json(),
            **({} if self.items is None else {"items": self.items.as_json()}),
            **self._source_as_json(),
            "fingerprint": self.fingerprint,
        }

    @property
    def fingerprint(self) -> str:
        """What tells it from any other, its labels included."""
        known = self._known_as_json()
        if known is None:
            return fingerprint((self.family, self.labels, self.known))
        items = None if self.items is None else self.items.as_json()
        return json_digest([self.family, list(self.labels), known, items])

    def over(self, items: ItemSet) -> QuestionSet:
        """The same arms, compared on items; :class:`InputError` for anything else than arms."""
        if self.family != "dueling" or type(self.known) is not int:
            raise InputError("items are for arms that duel each other, which labels are given of")
        return replace(self, items=items)

    @property
    def is_votes(self) -> bool:
        """Whether answers are votes: duels of arms that may be asked time and again."""
        return self.family == "dueling" and self.items is None

    @property
    def things(self) -> tuple[str, ...]:
        """What is shown: the labels of arms or elements, of a graph those of candidates."""
        graph = self._graph
        return self.labels if graph is None else graph.candidate_labels

    def duel(self, i: int, j: int) -> tuple[tuple[str, str], str]:
        """The labels of two that duel, and what they duel for; empty if it is just which."""
        graph = self._graph
        if graph is not None:
            names = [graph.candidate_labels[graph.edges[edge][0]] for edge in (i, j)]
            return (names[0], names[1]), graph.position_labels[graph.edges[i][1]]
        return (self.labels[i], self.labels[j]), ""

    def describe(self, answer: Any) -> str:
        """An answer of a learner by labels."""
        if answer is None:
            return "none"
        if self.family in ("subsets", "separable"):
            return str(self.known.describe(answer))
        chosen = [answer] if isinstance(answer, int) else answer
        ranking = self.family == "dueling" and len(chosen) == len(self.labels)
        return (" > " if ranking else ", ").join(self.labels[number] for number in chosen)

    def _known_as_json(self) -> dict[str, Any] | None:
        if self.family == "dueling" and type(self.known) is int:
            return {}
        from cpe_opt.problems.matchings.bipartite import BipartiteGraph
        from cpe_opt.problems.subsets.matroids import TopK

        if type(self.known) is BipartiteGraph:
            return {
                "candidates": list(self.known.candidate_labels),
                "positions": list(self.known.position_labels),
                "edges": [list(edge) for edge in self.known.edges],
            }
        return {"k": self.known.k} if type(self.known) is TopK else None

    def _source_as_json(self) -> dict[str, Any]:
        """The file, where the problem itself cannot be written."""
        if self.source is None or self._known_as_json() is not None:
            return {}
        return {"source": self.source.as_json()}

    @property
    def _graph(self) -> BipartiteGraph | None:
        """The graph of candidates and positions, where it is about them."""
        if self.family != "matchings":
            return None
        from cpe_opt.problems.matchings.bipartite import BipartiteGraph

        return self.known if isinstance(self.known, BipartiteGraph) else None


class FiledQuestionSet(QuestionSet):
    """What a log knows the file of: the problem is read from it when its learner needs it."""

    def __init__(self, content: dict[str, Any], folder: Path | None) -> None:
        kept = {
            "family": content["family"],
            "labels": tuple(content["labels"]),
            "items": None,
            "source": ProblemFile.of_json(content["source"], folder),
            "_fingerprint": content["fingerprint"],
        }
        vars(self).update(kept)

    @cached_property
    def known(self) -> Any:
        """What a learner may know."""
        assert self.source is not None
        path = self.source.path
        give = "give the problem that it was begun with by problem= (--problem on the command line)"
        try:
            read = QuestionSet.of_problem(self.source)
        except InputError as error:
            raise InputError(
                f"the problem that the session was begun with cannot be read again: {error}; {give}"
            ) from None
        if read.fingerprint != self.fingerprint:
            raise InputError(f"{path} has changed since the session was begun with it: {give}")
        return read.known

    @property
    def fingerprint(self) -> str:
        """What the log says; the file is compared when it is read."""
        return str(vars(self)["_fingerprint"])

    def _known_as_json(self) -> dict[str, Any] | None:
        return None


def _items_of(content: dict[str, Any]) -> ItemSet:
    from cpe_opt.sessions.items import ItemSet

    return ItemSet.of_json(content)


def is_asked_about(slot: Slot, question_set: QuestionSet) -> bool:
    """Whether a session about this may ask for a slot; of a graph's file edges are not compared."""
    numbers = (slot.row,) if isinstance(slot.row, int) else slot.row
    if not all(0 <= number < len(question_set.labels) for number in numbers):
        return False
    if slot.duel != (question_set.family in ("dueling", "matchings")):
        return False
    filed = isinstance(question_set, FiledQuestionSet)
    if question_set.family == "matchings" and not filed and question_set.known is not None:
        first, second = (question_set.known.edges[number] for number in numbers)
        return numbers[0] < numbers[1] and bool(first[1] == second[1])
    return not slot.duel or numbers[0] < numbers[1]


def some_labels(labels: Sequence[str]) -> str:
    """The first labels, for messages."""
    more = f" and {len(labels) - 3} more" if len(labels) > 3 else ""
    return ", ".join(labels[:3]) + more
