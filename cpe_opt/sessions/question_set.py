"""What a session asks about: arms, candidates for positions, the elements of sets.

A session knows of a problem what its learner may know, and labels; nothing else. Arms, bipartite
graphs and the class of all sets of k elements are written into its log, which then says all that is
needed; so are the items of a test set on which arms are compared (:mod:`cpe_opt.sessions.items`).
Of other problems the log has the fingerprint, and whoever opens it gives the problem again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cpe_opt.errors import InputError
from cpe_opt.fingerprint import fingerprint
from cpe_opt.problems.dueling.checks import checked_labels

if TYPE_CHECKING:
    from cpe_opt.problems.matchings.bipartite import BipartiteGraph
    from cpe_opt.sessions.items import ItemSet


@dataclass(frozen=True, eq=False)
class QuestionSet:
    """What is asked about.

    Attributes
    ----------
    family : str
        That of the learners it is for.
    known
        What a learner may know; its first argument.
    labels : tuple of str
        One for each arm, edge or element, by the numbers of queries.
    items : ItemSet or None
        The items that arms are compared on, each cell once; None where duels have no items.
    """

    family: str
    known: Any
    labels: tuple[str, ...]
    items: ItemSet | None = None

    @classmethod
    def of_labels(cls, labels: Sequence[str]) -> QuestionSet:
        """Arms that duel each other."""
        if isinstance(labels, str) or len(labels) < 2:
            raise InputError(f"labels is {labels!r}, expected at least two, one for each arm")
        return cls("dueling", len(labels), checked_labels(labels, len(labels)))

    @classmethod
    def of_problem(cls, problem: object) -> QuestionSet:
        """A problem, or what a learner may know of one: a graph, a class of sets, a model.

        Raises
        ------
        InputError
            Where it is neither.
        """
        from cpe_opt.problems.dueling.items import ItemDuels
        from cpe_opt.problems.matchings.bipartite import BipartiteGraph
        from cpe_opt.problems.problem import Problem
        from cpe_opt.problems.separable.model import SeparableModel
        from cpe_opt.problems.subsets.decisions import DecisionClass

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
    def of_json(cls, content: dict[str, Any]) -> QuestionSet | None:
        """Read what :meth:`as_json` made; None where the log does not hold the problem."""
        family, known = content["family"], content["known"]
        labels = tuple(content["labels"])
        if known is None:
            return None
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
            "fingerprint": self.fingerprint,
        }

    @property
    def fingerprint(self) -> str:
        """What tells it from any other, its labels included."""
        known = self._known_as_json()
        items = () if self.items is None else (self.items.as_json(),)
        known = self.known if known is None else known
        return fingerprint((self.family, self.labels, known, *items))

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

    @property
    def _graph(self) -> BipartiteGraph | None:
        """The graph of candidates and positions, where it is about them."""
        if self.family != "matchings":
            return None
        from cpe_opt.problems.matchings.bipartite import BipartiteGraph

        return self.known if isinstance(self.known, BipartiteGraph) else None


def _items_of(content: dict[str, Any]) -> ItemSet:
    from cpe_opt.sessions.items import ItemSet

    return ItemSet.of_json(content)


def some_labels(labels: Sequence[str]) -> str:
    """The first labels, for messages."""
    more = f" and {len(labels) - 3} more" if len(labels) > 3 else ""
    return ", ".join(labels[:3]) + more
