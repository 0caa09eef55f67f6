r"""What votes prove, for people: sentences that an editor of a leaderboard could print, and tables.

What is proved, and by which theorems, is computed in :mod:`cpe_opt.proofs.dueling.evidence`.

*Group by group*, such as a board for each language, all boards are right at once. Groups are those
of a column (:func:`cpe_opt.read_votes_by`). The probability :math:`\delta` of an error is divided
equally: with G groups each board is right with probability at least :math:`1 - \delta/G`, and all
of them together with at least :math:`1 - \delta`, by a union bound. So one may look at all boards
and report any. A group of few votes has the same part as others. How many groups there are has to
be settled apart from what the votes say: looking again at a growing log is covered as long as no
group is added. Which group a vote is in may not depend on who won it. Groups may depend on each
other in any way, as where votes of one cluster (:mod:`cpe_opt.problems.clusters`) are in several.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

import numpy as np
from scipy.sparse.csgraph import connected_components

from cpe_opt.arrays import BoolArray
from cpe_opt.errors import InputError
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.pairs import Margin
from cpe_opt.problems.subsets.item_scores import ItemScores
from cpe_opt.progress_line import ShowProgress, shows_progress, step
from cpe_opt.proofs.dueling.evidence import Statements, delta_without_margin, statements
from cpe_opt.proofs.dueling.model_ranks import (
    ONE_WAY,
    UNDER_MODEL,
    ModelRanks,
    StrengthTable,
    model_ranks,
)
from cpe_opt.proofs.dueling.remaining_duels import RemainingDuels, remaining_duels
from cpe_opt.proofs.dueling.winners import WinnerStatus
from cpe_opt.reports.item_evidence import ItemScoreEvidence, item_score_evidence
from cpe_opt.reports.report import (
    Analysis,
    Part,
    Report,
    TextTable,
    listed,
    listed_pairs,
    vote_lines,
    votes_of,
)
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.validation import ErrorProbability, Numbers, checked_count, checked_types

if TYPE_CHECKING:
    import pandas as pd

_T = TypeVar("_T")
_FLIPS = 2  # of an arm
_SHOWN = 5  # arms with their flips, groups, and the strongest arms of each
_MOST_ROWS = 10  # pairs, tiers
FEW_ARMS = 10
"""Of so many all is said, also what is open."""
MODEL = "under a model of strengths, in large samples"
"""What is said so is not proved."""


@overload
def evidence(
    votes: Votes,
    *,
    delta: ErrorProbability = 0.05,
    margin: Margin = 0.0,
    top: int | None = None,
    prices: Numbers | None = None,
    anchor: str | None = None,
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> Evidence: ...


@overload
def evidence(
    votes: ItemScores,
    *,
    delta: ErrorProbability = 0.05,
    margin: Margin = 0.0,
    clusters: Sequence[object] | None = None,
    progress: ShowProgress = None,
) -> ItemScoreEvidence: ...


@checked_types
@shows_progress("what votes prove")
def evidence(
    votes: Votes | ItemScores,
    *,
    delta: ErrorProbability = 0.05,
    margin: Margin = 0.0,
    top: int | None = None,
    prices: Numbers | None = None,
    clusters: Sequence[object] | None = None,
    anchor: str | None = None,
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> Evidence | ItemScoreEvidence:
    """What votes, or scores on items, prove, and what would settle the rest.

    Everything that is said is right at once with probability at least ``1 - delta``, for any rule
    that chooses each pair by the votes before it, and whenever one looks, if a vote is a win with
    its pair's probability whatever was answered before. Votes of one judge, user or prompt may
    depend on each other: columns of such names with values that repeat are listed in a warning.
    Votes that were read with ``cluster=`` prove something of the mean over clusters, which have to
    be independent of each other, and whole when one looks; which pairs a cluster votes on, and how
    often, may not depend on its own votes. Looking again is covered for the same list of arms:
    where arms join, what is said of the longer list does not hold together with what was said of
    the shorter one. Where probabilities drift across ½ nothing is claimed about averages; see
    :class:`cpe_opt.Votes`.

    Of a table of scores the means are known; what is proved is of new items, drawn independently
    like these (:mod:`cpe_opt.proofs.subsets.new_items`).

    Parameters
    ----------
    votes : Votes or ItemScores
    delta : float
        The probability that anything said is wrong.
    margin : float
        If above 0, what is said as well: of which arms nothing is ahead by more than that, and
        which are equal within it. It makes ties decidable, and leaves less of delta to what is said
        without it.
    top : int, optional
        k, from 1 to K - 1: say of each arm whether it is one of the k best as well, by Borda and by
        Copeland scores: with fewer than k arms that are better. It costs nothing of delta.
    prices : array_like, optional
        What a further duel of each pair costs, as for :func:`cpe_opt.copeland_time`; 1 by default.
    clusters : sequence, optional
        For scores: what each item belongs to, such as its document. Clusters are then drawn
        independently, not items, and what is proved is of the mean over new clusters.
    anchor : str, optional
        The label of the arm that has 1,000 points on Elo's scale, which is under a model; by
        default arms have them on average.
    progress : bool or callable, optional
        Whether a line says how far it is: by default at a terminal or in a notebook, after a
        second. A function is told each step in words.
    **solving
        ``solver``, ``time_limit``, … of the program that says which duels remain, as for
        :func:`cpe_opt.copeland_time`.

    Returns
    -------
    Evidence, or ItemScoreEvidence of scores

    Raises
    ------
    InputError
        Where the votes are something else, such as probabilities, or the margin, top or prices are
        wrong.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> wins = [[0, 35, 30, 70], [20, 0, 60, 65], [28, 20, 0, 62], [10, 15, 18, 0]]
    >>> found = cpe.evidence(cpe.Votes(wins, ["salmon", "tuna", "squid", "egg"]))
    >>> found.copeland["salmon"], found.condorcet["squid"], found.borda["egg"]
    ('possible', 'ruled out', 'ruled out')
    >>> found.ranks["egg"], found.ranks["tuna"], found.copeland_ranks["tuna"]
    ((4, 4), (1, 3), (1, 2))
    >>> found.explanations["tuna"].pairs, bool(found.beats[1, 2])
    (((2, 0),), True)
    >>> found.remaining.duels[0].tolist(), found.remaining.cost
    ([0, 190, 0, 0], 190.0)
    >>> even = cpe.evidence(cpe.Votes([[0, 900], [910, 0]]), margin=0.1)
    >>> even.copeland["0"], even.within_margin["0"]
    ('possible', 'proved')
    >>> scores = cpe.ItemScores([[1] * 40, [1, 0] * 20], labels=["terse", "plain"])
    >>> cpe.evidence(scores).best
    {'terse': 'proved', 'plain': 'ruled out'}
    """
    if isinstance(votes, ItemScores):
        for option in {"top": top, "prices": prices, "anchor": anchor, **solving}.items():
            if option[1] is not None:
                raise InputError(f"{option[0]} has no effect on scores")
        return item_score_evidence(votes, delta=delta, margin=float(margin), clusters=clusters)
    if clusters is not None:
        raise InputError(
            "clusters has no effect on votes: read them by a column, cpe.read_votes(…, cluster=)"
        )
    if top is not None:
        checked_count("top", top, most=votes.arms - 1)
    if anchor is not None and anchor not in votes.labels:
        raise InputError(f"anchor is {anchor!r}, expected one of {listed(votes.labels, 'arms')}")
    said = statements(votes, delta, float(margin), top)
    winner = next(
        (arm for arm, label in enumerate(votes.labels) if said.copeland[label] == "proved"), None
    )
    step("the duels that remain")
    part = delta_without_margin(delta, margin)
    remaining = remaining_duels(votes, said.estimate, part, winner, prices=prices, **solving)
    return Evidence(**vars(said), remaining=remaining, anchor=anchor)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Evidence(Statements, Analysis):
    """What votes prove, and how many duels would prove more; ``print`` it to read it.

    Attributes
    ----------
    remaining : RemainingDuels
        Further duels that would prove a Copeland winner, if estimates stay; none where one is
        proved.
    anchor : str or None
        The arm that has 1,000 points on Elo's scale.
    model_ranks : ModelRanks
        Strengths and ranks of all arms at once under a model, in large samples: not proved. Found
        when they are asked for; see :mod:`cpe_opt.proofs.dueling.model_ranks`.
    """

    remaining: RemainingDuels
    anchor: str | None = None

    def __repr__(self) -> str:
        votes, summary = self.votes, self.votes.summary
        return (
            f"Evidence({votes.name!r}, {votes.arms} arms, {summary.duels:,} votes, delta "
            f"{self.delta:.10g}: {int(self.beats.sum()):,} of {summary.pairs:,} pairs proved)"
        )

    @property
    def name(self) -> str:
        """That of the votes."""
        return self.votes.name

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; the page "JSON of evidence" of the documentation has every key."""
        labels, remaining = self.votes.labels, self.remaining
        named = [labels[arm] for arm in self.ranking]

        def pairs(found: Iterable[Sequence[int]]) -> list[list[str]]:
            return [[labels[i], labels[j]] for i, j in found]

        def ranked(found: Mapping[str, _T]) -> dict[str, _T]:
            return {label: found[label] for label in named}

        top, duels = None, None
        if self.top is not None:
            best = {"borda": ranked(self.top_borda), "copeland": ranked(self.top_copeland)}
            top = {"k": self.top, **best}
        if remaining.duels is not None:
            duels = [
                {"pair": [labels[i], labels[j]], "duels": int(remaining.duels[i, j])}
                for i, j in np.argwhere(np.triu(remaining.duels)).tolist()
            ]
        return {
            "name": self.votes.name,
            "delta": self.delta,
            "labels": list(labels),
            "independent": self.votes.independent,
            "votes": votes_of(self.votes.summary),
            "wins": self.votes.wins.tolist(),
            "margin": self.margin,
            **{name: ranked(found) for name, found in self.statuses().items()},
            "ranks": {label: list(self.ranks[label]) for label in named},
            "copeland_ranks": {label: list(self.copeland_ranks[label]) for label in named},
            "top": top,
            "beats": pairs(np.argwhere(self.beats).tolist()),
            "equal": pairs(np.argwhere(np.triu(self.equal)).tolist()),
            "tied_set": list(self.tied_set),
            "tiers": [list(tier) for tier in self.tiers],
            "explanations": {
                label: pairs(self._pairs_to_flip(label))
                for label in named
                if label in self.explanations
            },
            "remaining_duels": duels,
            "remaining_cost": remaining.cost,
            "undecided_pairs": pairs(remaining.undecided),
            "model_ranks": _model_as_dict(self.model_ranks),
        }

    def table(self) -> pd.DataFrame:
        """One row per arm, the best first: ranks, wins, whom it beats, which winner it may be.

        Arms are sorted by estimated Borda scores, which no proved rank contradicts. With a margin
        there is a column ``within_margin``, with a k the columns ``top_borda`` and
        ``top_copeland``. Columns whose names begin with ``model_`` hold under a model of strengths.
        """
        import pandas as pd

        columns = self._columns(self.ranking)
        by_model = _model_columns(self.model_ranks, columns["label"])
        flips = [self._flips(label) for label in columns["label"]]
        return pd.DataFrame({**columns, **by_model, "flips": flips})

    def _columns(self, arms: Sequence[int]) -> dict[str, Any]:
        """Those of the table for arms in an order; no flips, each of which is a program."""
        order, wins = list(arms), self.votes.wins
        labels = [self.votes.labels[arm] for arm in order]
        statuses = dict(self.statuses())
        if self.top is not None:
            statuses |= {"top_borda": self.top_borda, "top_copeland": self.top_copeland}
        return {
            "arm": order,
            "label": labels,
            "best_rank": [self.ranks[label][0] for label in labels],
            "worst_rank": [self.ranks[label][1] for label in labels],
            "best_copeland_rank": [self.copeland_ranks[label][0] for label in labels],
            "worst_copeland_rank": [self.copeland_ranks[label][1] for label in labels],
            "wins": wins.sum(axis=1)[order],
            "losses": wins.sum(axis=0)[order],
            "beats_proved": self.beats.sum(axis=1)[order],
            "beats": self.estimate.copeland_scores[order],
            "beaten_by_proved": self.beats.sum(axis=0)[order],
            "beaten_by": self.estimate.losses[order],
            "borda_score": self.estimate.borda_scores[order],
            **{name: [found[label] for label in labels] for name, found in statuses.items()},
        }

    def _pairs_to_flip(self, label: str) -> list[tuple[int, int]]:
        """The pairs that would have to be the other way round, the winner first."""
        return [*self.explanations[label].pairs, *self.explanations[label].undecided]

    def _flips(self, label: str) -> str:
        """These pairs in words, the first of many."""
        if label not in self.explanations:
            return ""
        named = self.votes.labels
        pairs = [f"{named[i]} > {named[j]}" for i, j in self._pairs_to_flip(label)]
        return listed(pairs, "pairs", _FLIPS) or "nothing"

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The arms as they are shown: many by strength under the model, few by Borda score."""
        many = self.votes.arms > FEW_ARMS
        return tuple(map(self.votes.labels.index, self.model_ranks.order)) if many else self.ranking

    def report(self) -> Report:
        """Arms, what is proved, and which further duels would prove a Copeland winner."""
        return Report(
            arms=self.arms_table(),
            votes=tuple(self.vote_lines()),
            lines=tuple(proof_lines(self)),
            open=(*self.explanation_lines(), *self.remaining_lines(), *next_vote_lines(self)),
            reports=model_reports(self),
        )

    @cached_property
    def model_ranks(self) -> ModelRanks:
        """Strengths and ranks under a model, which are not proved."""
        return model_ranks(self.votes, self.delta, self.anchor)

    def explanation_lines(self) -> list[str]:
        """The flips that would make arms Copeland winners which are none as voted, best first."""
        if self.votes.arms > FEW_ARMS:
            return []
        ranked = [self.votes.labels[arm] for arm in self.ranking]
        possible = (label for label in ranked if label in self.explanations)
        others = (label for label in possible if self.explanations[label].pairs)
        lines = [f"  {label}: {self._flips(label)}" for label in islice(others, _SHOWN)]
        head = "each of these would be a Copeland winner if its pairs were the other way round:"
        return [head, *lines] if lines else []

    def vote_lines(self) -> list[str]:
        """How many votes there are, and how they were read."""
        return vote_lines(self.votes.summary, self.votes.labels)

    def proof_lines(self) -> list[str]:
        """The same, and what they prove, one sentence per line."""
        return [*self.vote_lines(), *proof_lines(self)]

    def remaining_lines(self) -> list[Part]:
        """Further duels that would prove a Copeland winner; nothing where one is proved."""
        remaining, votes, labels = self.remaining, self.votes, self.votes.labels
        if remaining.duels is None:
            if votes.arms > FEW_ARMS:
                return []
            if not remaining.undecided:
                return ["at the present estimates no number of duels proves a Copeland winner"]
            pairs = listed_pairs(remaining.undecided, labels)
            return [
                "how many further duels would prove a Copeland winner is open; to be asked about "
                f"first, undecided or never met: {pairs}"
            ]
        upper = np.triu(remaining.duels)
        total = int(upper.sum())
        if not total:
            return []
        busiest = np.argsort(-upper, axis=None, kind="stable")[:_MOST_ROWS].tolist()
        rows = [
            [f"{labels[i]} – {labels[j]}", f"{votes.duels[i, j]:,.0f}", f"{upper[i, j]:,}"]
            for i, j in (divmod(place, votes.arms) for place in busiest)
            if upper[i, j]
        ]
        several = int((upper > 0).sum())
        apart = ", each in a cluster of its own" if votes.summary.clustering else ""
        cost = "" if remaining.cost == total else f", which cost {remaining.cost:,.10g}"
        first = "" if remaining.winner == self.ranking[0] else ", the nearest to a proof"
        return [
            f"to prove that {labels[remaining.winner]} is a Copeland winner{first}, if estimates "
            f"stay: {total:,} further duels of {several:,} pair{'s' * (several > 1)}{apart}{cost}",
            TextTable(["pair", "votes", "further duels"], rows, title="most of them on"),
        ]

    def arms_table(self, *, in_words: bool = False, model: bool = True) -> TextTable:
        """One row per arm, the best first; flips by their number, or in words.

        Of many arms flips are left out, and what is open is blank; they come in the order of a
        model of strengths, with ranks by it, if that is asked for.
        """
        many = self.votes.arms > FEW_ARMS
        model = model and many
        frame = self._columns(self.order if model else self.ranking)
        statuses = {"Copeland": frame["copeland"], "Condorcet": frame["condorcet"]}
        if self.top is None:
            statuses["Borda"] = frame["borda"]
        else:
            statuses[f"top {self.top}"] = frame["top_borda"]
        if self.margin:
            statuses[within_words(self.margin)] = frame["within_margin"]
        duels, unknown = frame["wins"] + frame["losses"], (1, self.votes.arms)
        ends = list(zip(frame["best_rank"], frame["worst_rank"], strict=True))
        columns: dict[str, list[str]] = {
            "rank": ["" if many and each == unknown else rank_words(each) for each in ends],
            "won": [
                f"{100.0 * score:.0f} %" if some else "–"
                for score, some in zip(frame["borda_score"], duels, strict=True)
            ],
            "proved": [
                "" if many and not proved else f"{proved} / {led}"
                for proved, led in zip(frame["beats_proved"], frame["beats"], strict=True)
            ],
            **statuses,
        }
        title = f"{self.votes.name}: {self.votes.arms} arms"
        if many:
            for name, column in statuses.items():
                columns[name] = ["" if each == "possible" else each for each in column]
            columns = {name: column for name, column in columns.items() if any(column)}
            blank = any("" in column for column in columns.values())
            title += "; blank: neither proved nor ruled out" * blank
        else:
            flips = self._flips if in_words else self._number_of_flips
            columns["would need" if in_words else "flips"] = [*map(flips, frame["label"])]
        if model:
            columns = {**_model_cells(self.model_ranks), **columns}
            title += "; model: of strengths, in large samples, not proved"
        return TextTable.of({"arm": frame["label"], **columns}, title)

    def _number_of_flips(self, label: str) -> str:
        return str(len(self._pairs_to_flip(label))) if label in self.explanations else ""


def proof_lines(said: Statements) -> list[str]:
    """What is proved, and at which confidence."""
    votes, pairs = said.votes, said.votes.summary.pairs
    looks = "however often one looks"
    if votes.summary.clustering is not None:
        looks = "of the mean over clusters, however often one looks at whole ones"
    lines = [
        f"proved at {100.0 * (1.0 - said.delta):.6g} %, all of it at once, {looks}:",
        f"who beats whom: proved for {int(said.beats.sum()):,} of {pairs:,} pairs",
        *_winner_lines(said),
    ]
    if len(said.tiers) > 1:
        shown = [listed(tier, "arms") for tier in said.tiers[:_MOST_ROWS]]
        shown += ["…"] * (len(said.tiers) > _MOST_ROWS)
        lines.append(f"tiers, each arm proved to beat all of later ones: {' | '.join(shown)}")
    if said.margin:
        equal = [(i, j) for i, j in np.argwhere(np.triu(said.equal)).tolist()]
        which = f": {listed_pairs(equal, votes.labels)}" if equal else ""
        lines.append(
            f"equal within {said.margin:.10g}: proved for {len(equal):,} of {pairs:,} pairs{which}"
        )
        if said.tied_set:
            all_equal = "all that may be a Copeland winner are equal, every two of them"
            lines.append(f"{all_equal}: {listed(said.tied_set, 'arms')}")
        within = f"nothing is ahead of it by more than {said.margin:.10g}"
        lines.append(_winners(said, within, said.within_margin))
    if not votes.independent:
        lines.append(
            "votes on several pairs are not independent: what these say is averaged and not "
            "multiplied, which proves less"
        )
    return lines


# What holds under the model.


def _model_as_dict(model: ModelRanks) -> dict[str, Any]:
    """Plain values for JSON."""
    tables = [
        {
            "strengths": dict(zip(table.labels, table.strengths.tolist(), strict=True)),
            "elo": {label: list(each) for label, each in table.elo.items()},
            "ranks": {label: list(each) for label, each in table.ranks.items()},
            "tiers": [list(tier) for tier in table.tiers],
            "critical": table.critical,
            "ties": table.ties,
            "prior": table.prior,
            "no_intervals": table.no_intervals,
            "without_interval": list(table.without_interval),
            "misfit": table.misfit,
            "misfits": [asdict(each) for each in table.misfits],
            "next_pairs": [list(pair) for pair in table.next_pairs()],
        }
        for table in model.tables
    ]
    note = {"note": UNDER_MODEL, "anchor": model.anchor}
    return {**note, "tables": tables, "unrated": list(model.unrated)}


def _model_columns(model: ModelRanks, labels: Sequence[str]) -> dict[str, list[Any]]:
    """Columns of a table: the group of each arm, its points and its ranks; None without votes."""
    found: dict[str, tuple[float, ...]] = {}
    for number, table in enumerate(model.tables, 1):
        for label, ranks in table.ranks.items():
            found[label] = number, *table.elo[label], *ranks
    names = "group", "elo", "elo_low", "elo_high", "best_rank", "worst_rank"
    return {
        f"model_{name}": [found[label][k] if label in found else None for label in labels]
        for k, name in enumerate(names)
    }


def _model_cells(model: ModelRanks) -> dict[str, list[str]]:
    """Columns for people, in the order of the model."""
    groups, ranks, points = list[str](), list[str](), list[str]()
    for number, table in enumerate(model.tables, 1):
        for label in table.labels:
            elo, _, high = table.elo[label]
            known = label not in table.without_interval
            groups.append(f"{number:,}")
            ranks.append(rank_words(table.ranks[label]) if known else "")
            half = f" ± {high - elo:,.0f}" if known and math.isfinite(high) else ""
            points.append(f"{elo:,.0f}{half}")
    blank = [""] * len(model.unrated)
    columns = {"model rank": ranks + blank, "model Elo": points + blank}
    several = {"group": groups + blank} if len(model.tables) > 1 else {}
    return {**several, **{name: each for name, each in columns.items() if any(each)}}


def model_reports(said: Evidence) -> tuple[Report, ...]:
    """What a model of strengths says, which is not proved; nothing without votes."""
    model, parts = said.model_ranks, list[Part]()
    right = f"{100.0 * (1.0 - said.delta):.6g} %"
    if said.votes.arms <= FEW_ARMS and model.tables:
        cells = {"arm": model.order, **_model_cells(model)}
        parts.append(TextTable.of(cells))
    if not all(table.no_intervals for table in model.tables):
        parts.append(
            f"intervals of ranks and strengths are right about {right} of the time, all of them at "
            "once, where the model is right and votes are many; Elo's points are ± at once, too"
        )
    for number, table in enumerate(model.tables, 1):
        of = f"group {number:,} of {len(model.tables):,}: " * (len(model.tables) > 1)
        parts += [f"{of}{line}" for line in _table_lines(said, table)]
    if len(model.tables) > 1:
        parts.append(
            "no votes connect the arms of one group with those of another: their strengths and "
            "ranks cannot be compared"
        )
    if model.unrated:
        parts.append(f"without votes, and so without a strength: {listed(model.unrated, 'arms')}")
    title = f"{MODEL.capitalize()}; not proved"
    return (Report(title=title, parts=tuple(parts)),) if model.tables else ()


def _table_lines(said: Evidence, table: StrengthTable) -> Iterator[str]:
    """What is to be known of one table."""
    if table.no_intervals:
        yield f"no intervals: {table.no_intervals}"
    elif table.without_interval:
        yield f"no intervals for {listed(table.without_interval, 'arms')}: {ONE_WAY}"
    if said.anchor is not None and said.anchor not in table.ranks:
        yield f"{said.anchor} is none of these arms, which have 1,000 points on average"
    if said.top is not None and not table.no_intervals:
        best = table.top(said.top)
        sure, open_ = ([label for label in best if best[label] == each] for each in ("in", "open"))
        yield (
            f"one of the {said.top:,} strongest: {listed(sure, 'arms') or 'none for sure'}; open: "
            f"{listed(open_, 'arms') or 'none'}"
        )
    if len(table.tiers) > 1:
        shown = [listed(tier, "arms") for tier in table.tiers[:_MOST_ROWS]]
        shown += ["…"] * (len(table.tiers) > _MOST_ROWS)
        yield f"tiers, each arm stronger than all of later ones: {' | '.join(shown)}"
    yield from _fit_lines(said, table)


def next_vote_lines(said: Evidence) -> list[str]:
    """The votes that narrow ranks most under the model."""
    lines = []
    for table in said.model_ranks.tables:
        shown = [f"{i} – {j}" for i, j in table.next_pairs()]
        if shown:
            lines.append(f"votes that narrow ranks most, {MODEL}: {', '.join(shown)}")
    return lines


def _fit_lines(said: Evidence, table: StrengthTable) -> Iterator[str]:
    """How well the model fits, where that can be seen."""
    if math.isfinite(table.misfit) and table.freedom:
        worst = [
            f"{' – '.join(each.pair)} {100.0 * each.share:.0f} % instead of "
            f"{100.0 * each.expected:.0f} %"
            for each in table.misfits[:_SHOWN]
        ]
        against = (
            f"; {len(table.misfits):,} contradict it, and what it says of their arms may be wrong: "
            f"{', '.join(worst)}"
        ) * bool(worst)
        yield (
            f"fit of the model: residuals of pairs have a mean square of {table.misfit:.3g}, 1 "
            f"where it is right{against}"
        )
    cycle = max(proved_cycles(said.beats), key=len, default=[])
    names = [said.votes.labels[arm] for arm in cycle]
    if names and names[0] in table.ranks:
        yield (
            "the model is wrong of these arms, which are proved to beat each other in a cycle: "
            f"{listed(names, 'arms')}"
        )


def proved_cycles(beats: BoolArray) -> list[list[int]]:
    """The groups of arms that are proved to beat each other in cycles."""
    number, cycle = connected_components(beats, connection="strong")
    members = [np.flatnonzero(cycle == each).tolist() for each in range(number)]
    return [each for each in members if len(each) > 1]


def rank_words(rank: tuple[int, int]) -> str:
    """Such as ``2–5``."""
    best, worst = rank
    return str(best) if best == worst else f"{best}–{worst}"


def _winner_lines(said: Statements) -> list[str]:
    """What is proved of winners and ranks; of many arms in one sentence what is all open."""
    lines, all_open, arms = [], list[str](), said.votes.arms
    for kind in ("copeland", "condorcet", "borda"):
        of_arms, what = said.statuses()[kind], f"{kind.capitalize()} winner"
        if arms > FEW_ARMS and set(of_arms.values()) == {"possible"}:
            all_open.append(f"the {what}")
        else:
            lines.append(_winners(said, what, of_arms))
    for score, ranks, best in (
        ("Borda", said.ranks, said.top_borda),
        ("Copeland", said.copeland_ranks, said.top_copeland),
    ):
        widths = [worst - first + 1 for first, worst in ranks.values()]
        if arms > FEW_ARMS and set(widths) == {arms}:
            all_open.append(f"ranks by {score} score")
            continue
        lines.append(
            f"ranks by {score} score: known for {widths.count(1):,} of {arms:,} arms; "
            f"{sum(widths) / len(widths):.3g} are possible for an arm on average"
        )
        if said.top is not None:
            lines.append(_winners(said, f"one of the {said.top:,} best by {score} score", best))
    nothing = f"the votes prove nothing yet about {', '.join(all_open)}"
    return [*lines, nothing] if all_open else lines


def within_words(margin: float) -> str:
    """The heading of what is said of arms with a margin."""
    return f"within {margin:.10g}"


def proved_winners(said: Statements) -> str:
    """Who is proved to be which winner, such as ``tuna is the Copeland and Borda winner``."""
    found: dict[str, list[str]] = {}
    for kind in ("Copeland", "Condorcet", "Borda"):
        for label in having(said.statuses()[kind.lower()], "proved"):
            found.setdefault(label, []).append(kind)
    return "; ".join(f"{label} is {winner_words(kinds)}" for label, kinds in found.items())


def winner_words(kinds: Sequence[str]) -> str:
    """Such as ``the Copeland and Borda winner``; of Copeland winners there may be several."""
    article = "a" if list(kinds) == ["Copeland"] else "the"
    *several, last = kinds
    return f"{article} {', '.join(several)}{' and ' * bool(several)}{last} winner"


def having(statuses: Mapping[str, WinnerStatus], status: WinnerStatus) -> list[str]:
    """The labels of a status, in the order of all."""
    return [label for label, each in statuses.items() if each == status]


def _winners(said: Statements, what: str, of_arms: Mapping[str, WinnerStatus]) -> str:
    """Who is proved to be what, who may be, and how many are not, the best arms first."""
    ranked = [said.votes.labels[arm] for arm in said.ranking]
    statuses = {label: of_arms[label] for label in ranked}
    proved, possible = having(statuses, "proved"), having(statuses, "possible")
    if not proved and not possible:
        return f"{what}: it is proved that there is none"
    parts = [f"proved for {listed(proved, 'arms')}"] if proved else []
    if len(possible) == len(statuses):
        parts.append(f"possible for all {len(possible):,} arms")
    elif len(possible) > FEW_ARMS:
        parts.append(f"possible for {len(possible):,} arms")
    elif possible:
        parts.append(f"possible for {listed(possible, 'arms')}")
    out = len(statuses) - len(proved) - len(possible)
    parts += [f"ruled out for {out:,} arm{'s' * (out > 1)}"] if out else []
    return f"{what}: {'; '.join(parts)}"


@checked_types
@shows_progress("what the votes of each group prove")
def evidence_by(
    groups: Mapping[str, Votes],
    *,
    by: str = "group",
    delta: ErrorProbability = 0.05,
    margin: float = 0.0,
    top: int | None = None,
    prices: Numbers | None = None,
    anchor: str | None = None,
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> EvidenceByGroup:
    """What the votes of each group prove, all of it at once.

    Parameters
    ----------
    groups : mapping from str to Votes
        Such as :func:`cpe_opt.read_votes_by` returns; groups may have different arms.
    by : str
        What the groups are called, such as "language".
    delta : float
        The probability that anything said of any group is wrong; each has an equal part of it.
    margin, top, prices, progress, **solving
        As for :func:`cpe_opt.evidence`, for every group.
    anchor : str, optional
        The arm that has 1,000 points in each group that has votes on it; one at least has.

    Returns
    -------
    EvidenceByGroup
        A mapping from each group to its :class:`Evidence`.

    Raises
    ------
    InputError
        Where there are no groups, or one of them is wrong, with its name.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> groups = {"en": cpe.Votes([[0, 60], [20, 0]]), "de": cpe.Votes([[0, 6], [3, 0]])}
    >>> found = cpe.evidence_by(groups, by="language")
    >>> found["en"].copeland["0"], found["de"].copeland["0"], found["de"].delta
    ('proved', 'possible', 0.025)
    """
    if not groups:
        raise InputError("groups: there are none, expected the votes of at least one")
    if anchor is not None and not any(anchor in votes.labels for votes in groups.values()):
        raise InputError(f"anchor is {anchor!r}, expected an arm of a group; none has it")
    boards = {}
    for place, (name, votes) in enumerate(groups.items(), 1):
        step(f"{by} {name}, {place:,} of {len(groups):,}")
        try:
            board = evidence(
                votes, delta=delta / len(groups), margin=margin, top=top, prices=prices, **solving
            )
        except InputError as error:
            raise InputError(f"group {name!r}: {error}") from None
        boards[str(name)] = replace(board, anchor=anchor)
    return EvidenceByGroup(by, delta, boards)


@dataclass(frozen=True, eq=False, repr=False)
class EvidenceByGroup(Analysis, Mapping[str, Evidence]):
    """What the votes of each group prove; ``print`` it to read it."""

    by: str  # what the groups are called
    delta: float  # the probability that anything said of any group is wrong
    boards: dict[str, Evidence]

    @property
    def name(self) -> str:
        """What the groups are called."""
        return self.by

    def __getitem__(self, group: str) -> Evidence:
        return self.boards[group]

    def __iter__(self) -> Iterator[str]:
        return iter(self.boards)

    def __len__(self) -> int:
        return len(self.boards)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON: those of each board, below ``by``, ``delta`` and ``groups``."""
        groups = {group: board.as_dict() for group, board in self.items()}
        return {"by": self.by, "delta": self.delta, "groups": groups}

    def table(self) -> pd.DataFrame:
        """One row per group: votes, arms, who leads, who is proved to win, how many pairs are."""
        import pandas as pd

        rows = [
            {
                self.by: group,
                "votes": board.votes.summary.duels,
                "arms": board.votes.arms,
                "leader": board.votes.labels[board.ranking[0]],
                **{
                    kind: ", ".join(having(found, "proved"))
                    for kind, found in board.statuses().items()
                },
                "pairs_proved": int(board.beats.sum()),
                "pairs": board.votes.summary.pairs,
            }
            for group, board in self.items()
        ]
        return pd.DataFrame(rows)

    def summary_lines(self) -> list[str]:
        """How delta is divided, and what is right at once."""
        number = len(self)
        lines = [
            f"proved at {100.0 * (1.0 - self.delta):.10g} %, all boards at once: each of the "
            f"{number:,} groups has {self.delta / number:.4g} of the {self.delta:.10g} that "
            "anything may be wrong with",
        ]
        if number > 1:
            lines += [
                f"it assumes that which {self.by} a vote has does not depend on who won it; a "
                "cluster of votes may be in several groups",
                "looking again as votes come in is covered while no group is added: one more makes "
                "the parts of all smaller",
            ]
        return lines

    def summary_table(self) -> TextTable:
        """The table of groups, for people."""
        frame = self.table()
        pairs = zip(frame["pairs_proved"], frame["pairs"], strict=True)
        columns = {
            self.by: frame[self.by],
            "votes": map("{:,}".format, frame["votes"]),
            "arms": map("{:,}".format, frame["arms"]),
            "most won": frame["leader"],
            "Copeland: proved": map(_few, frame["copeland"]),
            "Borda: proved": map(_few, frame["borda"]),
            "pairs": (f"{proved:,} of {every:,}" for proved, every in pairs),
        }
        return TextTable.of(columns, title=f"{len(self):,} boards, by {self.by}")

    def report(self) -> Report:
        """The table of groups, and then each board."""
        return Report(
            parts=(self.summary_table(), *self.summary_lines()),
            reports=tuple(board.report() for board in self.values()),
        )


def _few(labels: str) -> str:
    """The winners of a group, as far as there is room."""
    names = labels.split(", ")
    return f"{len(names):,} arms" if len(names) > 2 else labels or "nobody"
