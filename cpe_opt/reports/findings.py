"""What would make a proof false, found in answers: one list of checks, and one table of words.

:func:`cpe_opt.evidence` warns of what the sums of a log show, in the same words. Every check has a
level of 0.001, divided among what it tests: of clean files about one in a hundred has a finding
that is not there.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import networkx as nx
import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import shortened
from cpe_opt.problems.answer_rows import AnswerRows
from cpe_opt.problems.clusters import (
    ClusterColumn,
    Clustering,
    clustering_of,
    has_several,
    is_cluster_name,
)
from cpe_opt.proofs.exchangeable_answers import MarkTest, always_the_same, mark_test

Level: TypeAlias = Literal["false", "note"]
LEVEL = 0.001
"""The probability of a finding in clean data, of each check."""
_MOST_VERSIONS = 5  # values of a column that says which judge answered
_FEWEST_ANSWERS = 10  # of a rater
_MOST_ANSWERS = 5_000_000  # that are tested one by one
_NAMED = 3
_WITHOUT_CLUSTERS = ("a log of teams and their scores", "a log of duels at positions")
_VERSION = re.compile(
    r"(?:.*[ _-])?(?:judge|grader|evaluator|scorer|version|rubric)(?:[ _-].*)?", re.I
)
_RATER = re.compile(
    r"(?:judge|rater|annotator|evaluator|labell?er|grader|assessor|reviewer|worker|voter|user|"
    r"expert|participant|scorer)s?(?:[ _-]?(?:id|name))?"
)
_TEXT = re.compile(r"item|prompt|question|query|text|input|instruction|task|content", re.I)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Something that a check found."""

    check: str  # its name
    level: Level  # "false": what is called proved may be; "note": nothing proved is false by it
    what: str
    do: str  # about it
    p_value: float | None = None

    @property
    def warning(self) -> str:
        """In one line."""
        return f"warning: {self.what}; {self.do}"


Findings: TypeAlias = "list[Finding] | str"
"""Or why a check cannot be made."""

_ORDERS = "position: an arm gets {percent:.0f} % of a win more where it is named {side} ({p}); "
_TEXTS = "{texts:,} of the texts in {name!r} more than once, {how}, such as {text!r}: "
_ONE_OF_EACH = "keep one of each, or name a column by which they are one cluster (--cluster)"
_WORDS: Mapping[str, tuple[Level, str, str]] = {
    "clusters": (
        "false",
        "{words}",
        "--cluster {column} takes together the {noun} that share a value",
    ),
    "clusters: no option": (
        "false",
        "{words}",
        "take one of those that share a value, or their mean as one, or ask more of them",
    ),
    "clusters: different pairs": (
        "false",
        "clusters have votes on different pairs; where their own votes chose these, as in a "
        "knock-out, what is called proved may be false",
        "the vote of each that was cast first is safe alone (--unique {column}, of a log in that "
        "order)",
    ),
    "clusters: crossed": (
        "false",
        "some values of {crossed} are in several clusters; votes that share one may depend on each "
        "other, too, and {column!r} alone does not cover that",
        "name the coarser column, or take one vote of each combination (--unique {columns},pair)",
    ),
    "repeated items": ("false", _TEXTS + "it counts as several independent ones", _ONE_OF_EACH),
    "repeated items: of a test set": ("note", _TEXTS + "it weighs more in the table", _ONE_OF_EACH),
    "swapped columns": (
        "note",
        "{arms:,} arms and {items:,} items",
        "if prompts or models are named in the column item, exchange the two headings",
    ),
    "position": (
        "false",
        _ORDERS + "where one arm of a pair is named first more often, what is proved is of the "
        "position",
        "ask each pair equally often in both orders, or draw the order anew for each vote",
    ),
    "position: balanced": (
        "note",
        _ORDERS + "all pairs are there equally often in both orders, which takes that out",
        "it costs answers: tell the judge to weigh both alike",
    ),
    "constant raters": (
        "false",
        "all {answers:,.0f} answers of {name} {label!r} are {said} ({p} by what others say): they "
        "say nothing of the arms, and depend on each other",
        "leave this {name} out, whoever wins then, and say so",
    ),
    "a judge that changed": (
        "false",
        "answers of {words} differ from the others on the same {about} ({p}): what is proved is of "
        "no one judge",
        "read one part alone (--where, --since), chosen before looking at who wins",
    ),
    "groups that never met": (
        "note",
        "{groups:,} groups of arms never met each other: {shown}; nothing is proved between them, "
        "and strengths of different groups share no scale",
        "ask about a pair with an arm of each, or read each group alone",
    ),
}
"""By check, and of some by its case: the level, what is found, and what to do about it."""


def _finding(case: str, p_value: float | None = None, /, **values: object) -> Finding:
    """A finding in the words of a case."""
    small = p_value is not None and p_value < 1e-6
    values["p"] = "p < 1e-6" if small else f"p = {p_value:.1g}" if p_value is not None else ""
    level, what, do = _WORDS[case]
    return Finding(
        check=case.partition(":")[0],
        level=level,
        what=what.format(**values),
        do=do.format(**values),
        p_value=p_value,
    )


# Clusters: what the sums of a log show, too.


def clustering_findings(by: Clustering) -> list[Finding]:
    """Of a named cluster: pairs that its own votes may have chosen, and columns that cross it."""
    crossed, columns = " and ".join(map(repr, by.crossed)), ",".join((*by.crossed, by.column))
    cases = ["clusters: different pairs"] * by.pairs_differ + ["clusters: crossed"] * bool(crossed)
    return [_finding(each, column=by.column, crossed=crossed, columns=columns) for each in cases]


def unnamed_clusters(
    columns: Iterable[ClusterColumn], noun: str, case: str = "clusters"
) -> list[Finding]:
    """Columns whose values repeat, where no cluster is named."""
    return [
        _finding(case, words=each.words(noun), column=shlex.quote(each.column), noun=noun)
        for each in columns
    ]


# Checks of rows.


def _cluster_columns(rows: AnswerRows) -> list[str]:
    """Columns that say whose an answer is or what it is about; items are that in a test set."""
    apart = rows.item if rows.over_items else None
    return [name for name in rows.columns if is_cluster_name(name) and name != apart]


def _clusters(rows: AnswerRows, cluster: str) -> Findings:
    """Answers that may depend on each other."""
    names, duels = [name for name in _cluster_columns(rows) if name != cluster], rows.duels
    if cluster and duels:
        named = rows.codes(cluster)
        if (named < 0).any():
            return f"the column {cluster!r} has empty cells"
        others = {name: rows.codes(name) for name in names}
        return clustering_findings(clustering_of(cluster, named, rows.pair, rows.count, others))
    if rows.over_items and duels:
        return "each cell of a test set is asked once, and cells may depend on each other"
    found = []
    for name in names:
        codes = rows.codes(name)
        values, observations = len({*codes} - {-1}), int(rows.count[codes >= 0].sum())
        # A score stands for its item: of one row per arm and item, items do not repeat.
        if 0 < values < observations and (duels or not _one_per_item(rows, codes)):
            found.append(ClusterColumn(name, values, observations))
    alone = rows.adaptive or rows.what in _WITHOUT_CLUSTERS
    case = "clusters: no option" if alone else "clusters"
    return unnamed_clusters(found, "votes" if duels else "scores", case)


def _one_per_item(rows: AnswerRows, codes: IntArray) -> bool:
    """Whether a column has another value for each item, or one for all."""
    if not rows.item:
        return False
    items = rows.codes(rows.item)
    same = not has_several(codes + 1, items) and not has_several(items, codes + 1)
    return same or len({*codes}) == 1


def _repeated_texts(rows: AnswerRows, _cluster: str) -> Findings:
    """Texts that are the same in other letters or blanks, or under several items."""
    import pandas as pd

    names = [name for name in rows.columns if _TEXT.fullmatch(name)]
    case = "repeated items" + ": of a test set" * (rows.over_items and rows.duels)
    found = []
    for name in names:
        of_items = rows.item not in ("", name)
        cells = pd.Series(rows.columns[name], dtype=object).replace("", None)
        items = pd.Series(rows.columns[rows.item]) if of_items else cells
        if of_items and cells.nunique() <= items.nunique() / 2:
            continue  # a column that groups items, as a task does
        plain = cells.str.casefold().str.split().str.join(" ")
        times = items.groupby(plain, sort=False).nunique()
        twice = times.index[times > 1].tolist()
        if twice:
            how = "under several items" if of_items else "in other letters or blanks"
            text = shortened(twice[0], 40)
            found.append(_finding(case, texts=len(twice), name=name, how=how, text=text))
    arms, different = len(rows.labels), len({*rows.columns.get(rows.item, ())})
    if different < arms and rows.over_items and not rows.duels:
        found.append(_finding("swapped columns", arms=arms, items=different))
    return found if names else "no column has items or prompts"


def _position(rows: AnswerRows, _cluster: str) -> Findings:
    """Whether the arm that is shown first gets more than the same arm when it is second."""
    if not rows.named_first:
        return "rows name the winner first, and not the arm that was shown first"
    first = (rows.first < rows.second).astype(np.float64)
    test = _weighted(rows, first, rows.of_low)
    if isinstance(test, str):
        return test
    if not test.strata:
        return "no pair is there in both orders"
    if test.direction >= LEVEL:
        return []
    by_pair = np.unique(rows.pair, return_inverse=True)[1].ravel()
    lead = np.bincount(by_pair, rows.count * (2.0 * first - 1.0))
    even = bool((np.abs(lead) <= 1.0).all())
    side, percent = "first" if test.effect > 0 else "second", 100.0 * abs(test.effect)
    case = "position: balanced" if even else "position"
    return [_finding(case, test.direction, side=side, percent=percent)]


def _constant_raters(rows: AnswerRows, _cluster: str) -> Findings:
    """Raters whose answers are always the same, first, second or tie, or the same score."""
    if rows.duels and not rows.named_first:
        return "rows name the winner first, so that no side is known"
    names = [name for name in rows.columns if _RATER.fullmatch(name)]
    sides = {1.0: "for the arm named first", 0.0: "for the arm named second", 0.5: "a tie"}
    found = []
    for name in names:
        raters = rows.codes(name)
        level = LEVEL / max(1, len({*raters} - {-1}))
        p_values = always_the_same(rows.value, rows.count, raters)
        for rater, p_value in ((each, p) for each, p in p_values.items() if p < level):
            own = raters == rater
            answers, value = rows.count[own].sum(), float(rows.value[own][0])
            if answers >= _FEWEST_ANSWERS:
                said = sides.get(value, f"{value:g}") if rows.duels else f"{value:g}"
                who = {"name": name, "label": rows.columns[name][int(np.argmax(own))]}
                found.append(
                    _finding("constant raters", p_value, answers=answers, said=said, **who)
                )
    return found if names else "no column says who answered"


def _changed_judge(rows: AnswerRows, _cluster: str) -> Findings:
    """Whether answers on the same pair, or about the same arm, differ from time to time."""
    found: list[Finding] = []
    marks: dict[str, BoolArray] = {}
    if rows.times is not None:
        marks["the second half of the time"] = rows.times > np.median(rows.times)
    for name in filter(_VERSION.fullmatch, rows.columns):
        cells = np.array(rows.columns[name])
        values = [*dict.fromkeys(filter(None, rows.columns[name]))]
        if 1 < len(values) <= _MOST_VERSIONS:
            some = values[: len(values) - (len(values) == 2)]
            marks |= {f"{name} {value!r}": cells == value for value in some}
    for words, mark in marks.items():
        test = _weighted(rows, mark.astype(np.float64), rows.of_low)
        if isinstance(test, str):
            return test
        p_value = min(1.0, 2.0 * min(test.direction, test.any_direction))
        if p_value < LEVEL / len(marks):
            about = "pair" if rows.duels else "arm"
            found.append(_finding("a judge that changed", p_value, words=words, about=about))
    return found if marks else "no column says when, or by which version of the judge"


def _never_met(rows: AnswerRows, _cluster: str) -> Findings:
    """Groups of arms that no answers connect, where all could."""
    graph = nx.Graph()
    graph.add_nodes_from(range(len(rows.labels)))
    graph.add_edges_from({*zip(rows.first.tolist(), rows.second.tolist(), strict=True)})
    groups = sorted(nx.connected_components(graph), key=lambda group: (-len(group), min(group)))
    if len(groups) < 2 or "positions" in rows.what:
        return []
    names = [[rows.labels[arm] for arm in sorted(group)] for group in groups]
    shown = " | ".join(_some(each) for each in names[:_NAMED]) + " | …" * (len(names) > _NAMED)
    return [_finding("groups that never met", groups=len(groups), shown=shown)]


def _some(labels: Sequence[str]) -> str:
    return ", ".join(labels[:_NAMED]) + ", …" * (len(labels) > _NAMED)


def _weighted(rows: AnswerRows, mark: FloatArray, answer: FloatArray) -> MarkTest | str:
    """The test of single answers, where a row may stand for several."""
    if rows.count.sum() > _MOST_ANSWERS:
        return f"more than {_MOST_ANSWERS:,} answers"
    each = np.repeat(np.arange(rows.rows), rows.count.astype(np.int64))
    return mark_test(rows.pair[each], mark[each], answer[each])


CHECKS: Mapping[str, Callable[[AnswerRows, str], Findings]] = {
    "clusters": _clusters,
    "repeated items": _repeated_texts,
    "position": _position,
    "constant raters": _constant_raters,
    "a judge that changed": _changed_judge,
    "groups that never met": _never_met,
}
"""By name; each is told the column of clusters that is named, or the empty text."""
OF_DUELS = ("position", "groups that never met")
"""Those that scores of single arms have nothing for."""
