"""What would make a proof false, found in answers: one list of checks, each data in, findings out.

:func:`cpe_opt.evidence` warns of what the sums of a log show, which is said by the same functions.
Every check has a level of 0.001, divided among what it tests: of clean files about one in a hundred
has a finding that is not there.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import networkx as nx
import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import shortened
from cpe_opt.problems.answer_rows import AnswerRows
from cpe_opt.problems.clusters import (
    ClusterColumn,
    Clustering,
    clustering_of,
    is_cluster_name,
)
from cpe_opt.proofs.exchangeable_answers import MarkTest, always_the_same, mark_test

Level: TypeAlias = Literal["false", "note"]
LEVEL = 0.001
"""The probability of a finding in clean data, of each check."""
_MOST_VERSIONS = 5  # values of a column that says which judge answered
_FEWEST_STEPS = 10  # from one vote of a cluster to the next
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


@dataclass(frozen=True)
class Check:
    """A check of rows, with the column of clusters that is named or the empty text."""

    name: str
    find: Callable[[AnswerRows, str], Findings]


# Clusters: what the sums of a log show, too.


def pairs_of_clusters(by: Clustering) -> list[Finding]:
    """Clusters that vote on several pairs, and not all on the same."""
    if not by.pairs_differ:
        return []
    return [
        Finding(
            check="clusters of different pairs",
            level="false",
            what="clusters have votes on different pairs; where their own votes chose these, as in "
            "a knock-out, what is called proved may be false",
            do=f"the vote of each that was cast first is safe alone (--unique {by.column}, of a "
            "log in that order)",
        )
    ]


def crossed_clusters(by: Clustering) -> list[Finding]:
    """Values of other columns that are in several clusters."""
    if not by.crossed:
        return []
    columns = " and ".join(map(repr, by.crossed))
    return [
        Finding(
            check="clusters",
            level="false",
            what=f"some values of {columns} are in several clusters; votes that share one may "
            f"depend on each other, too, and {by.column!r} alone does not cover that",
            do="name the coarser column, or take one vote of each combination "
            f"(--unique {','.join((*by.crossed, by.column))},pair)",
        )
    ]


def unnamed_clusters(columns: Iterable[ClusterColumn], noun: str, do: str = "") -> list[Finding]:
    """Columns whose values repeat, where no cluster is named."""
    named = "--cluster {column} takes together the {noun} that share a value"
    return [
        Finding(
            check="clusters",
            level="false",
            what=each.words(noun),
            do=do or named.format(column=shlex.quote(each.column), noun=noun),
        )
        for each in columns
    ]


# Checks of rows.


def _noun(rows: AnswerRows) -> str:
    return "votes" if rows.second is not None else "scores"


def _cluster_columns(rows: AnswerRows) -> list[str]:
    """Columns that say whose an answer is or what it is about; items are that in a test set."""
    apart = {rows.item} if rows.over_items else set()
    return [name for name in rows.columns if is_cluster_name(name) and name not in apart]


def _clusters(rows: AnswerRows, cluster: str) -> Findings:
    """Answers that may depend on each other."""
    names = _cluster_columns(rows)
    if cluster and rows.second is not None:
        others = {name: rows.codes(name) for name in names if name != cluster}
        named = rows.codes(cluster)
        if (named < 0).any():
            return f"the column {cluster!r} has empty cells"
        by = clustering_of(cluster, named, rows.pair, rows.count, others)
        return crossed_clusters(by) + pairs_of_clusters(by)
    if rows.over_items and rows.second is not None:
        return "each cell of a test set is asked once, and cells may depend on each other"
    found = []
    for name in names:
        codes = rows.codes(name)
        values = len(np.unique(codes[codes >= 0]))
        observations = int(rows.count[codes >= 0].sum())
        # A score stands for its item: of one row per arm and item, items do not repeat.
        once = rows.second is None and _one_per_item(rows, codes)
        if name != cluster and 0 < values < observations and not once:
            found.append(ClusterColumn(name, values, observations))
    do = ""
    if rows.adaptive:
        do = (
            "ask more raters, or over the items of a test set, whose cells may depend on each other"
        )
    elif rows.what in _WITHOUT_CLUSTERS:
        do = "take one of those that share a value, or their mean as one"
    return unnamed_clusters(found, _noun(rows), do)


def _one_per_item(rows: AnswerRows, codes: IntArray) -> bool:
    """Whether a column has another value for each item, or one for all."""
    if not rows.item:
        return False
    values, items = len(np.unique(codes)), len(np.unique(rows.codes(rows.item)))
    pairs = len(np.unique(codes * np.int64(items) + rows.codes(rows.item)))
    return values == 1 or (values == items and pairs == items)


def _knock_outs(rows: AnswerRows, cluster: str) -> Findings:
    """Whether who won a vote of a cluster decides whom its next vote is about."""
    if rows.second is None:
        return "scores are of one arm each"
    if rows.adaptive:
        return "a learner chose the pairs by all answers before, which its proof allows"
    found = []
    names = [cluster] if cluster else _cluster_columns(rows)
    for name in names:
        codes = rows.codes(name)
        order = np.argsort(codes, kind="stable")
        now, then = order[:-1], order[1:]
        step = (codes[now] == codes[then]) & (codes[now] >= 0) & (rows.value[now] != 0.5)
        now, then = now[step], then[step]
        stays = [
            (rows.first[then] == arms) | (rows.second[then] == arms)
            for arms in (
                np.minimum(rows.first, rows.second)[now],
                np.maximum(rows.first, rows.second)[now],
            )
        ]
        one = stays[0] != stays[1]  # one of the two is in the next vote, with another arm
        if one.sum() < _FEWEST_STEPS:
            continue
        won = (rows.of_low[now[one]] > 0.5).astype(np.float64)
        test = mark_test(rows.pair[now[one]], won, stays[0][one].astype(np.float64))
        if test.direction < LEVEL / len(names):
            who = "winner" if test.effect > 0 else "loser"
            found.append(
                Finding(
                    check="knock-outs",
                    level="false",
                    what=f"the {who} of a vote is in the next one of the same {name!r} more often "
                    f"than the other arm ({_p(test.direction)}): votes choose the pairs after "
                    "them, as in a knock-out, and what is called proved may be false",
                    do=f"take the first vote of each alone (--unique {shlex.quote(name)}, of a log "
                    "in the order of the votes), or choose pairs before anything is asked",
                    p_value=test.direction,
                )
            )
    return found if names else "no column says what votes belong together"


def _repeated_texts(rows: AnswerRows, _cluster: str) -> Findings:
    """Items whose texts are the same, by other names or in other letters."""
    found = []
    for name in rows.columns:
        if _TEXT.fullmatch(name):
            cells = dict.fromkeys(filter(None, rows.columns[name]))
            plain = Counter(" ".join(cell.casefold().split()) for cell in cells)
            twice = [text for text, times in plain.items() if times > 1]
            if twice:
                found.append(_repeats(rows, name, twice, "in other letters or blanks"))
            if rows.item and name != rows.item:
                both = rows.columns[name], rows.columns[rows.item]
                pairs = dict.fromkeys(zip(*both, strict=True))
                by_text = Counter(" ".join(text.casefold().split()) for text, _ in pairs if text)
                twice = [text for text, times in by_text.items() if times > 1]
                if twice and not _few_values(rows, name):
                    found.append(_repeats(rows, name, twice, "under several items"))
    named = any(_TEXT.fullmatch(name) for name in rows.columns)
    return found if named else "no column has items or prompts"


def _few_values(rows: AnswerRows, name: str) -> bool:
    """Whether a column groups items, as a task does, rather than being the text of each."""
    texts, items = (len({*rows.columns[each]}) for each in (name, rows.item))
    return texts <= items / 2


def _repeats(rows: AnswerRows, name: str, texts: Sequence[str], how: str) -> Finding:
    fixed = rows.over_items and rows.second is not None
    weight = "it weighs more in the table" if fixed else "it counts as several independent ones"
    verb = "texts" if len(texts) > 1 else "text"
    return Finding(
        check="repeated items",
        level="note" if fixed else "false",
        what=f"{len(texts):,} {verb} of {name!r} more than once, {how}, such as "
        f"{shortened(texts[0], 40)!r}: {weight}",
        do="keep one of each, or name a column by which they are one cluster (--cluster)",
    )


def _position(rows: AnswerRows, _cluster: str) -> Findings:
    """Whether the arm that is shown first gets more than the same arm when it is second."""
    if rows.second is None:
        return "scores are of one arm each"
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
    where = "first" if test.effect > 0 else "second"
    what = (
        f"position: an arm gets {100.0 * abs(test.effect):.0f} % of a win more where it is named "
        f"{where} ({_p(test.direction)})"
    )
    if even:
        what += "; all pairs are there equally often in both orders, which takes that out"
        do = "it costs answers: tell the judge to weigh both alike"
        return [_position_finding("note", what, do, test.direction)]
    what += "; where one arm of a pair is named first more often, what is proved is of the position"
    do = "ask each pair equally often in both orders, or draw the order anew for each vote"
    return [_position_finding("false", what, do, test.direction)]


def _position_finding(level: Level, what: str, do: str, p_value: float) -> Finding:
    return Finding(check="position", level=level, what=what, do=do, p_value=p_value)


def _constant_raters(rows: AnswerRows, _cluster: str) -> Findings:
    """Raters whose answers are always the same, first, second or tie, or the same score."""
    if rows.second is not None and not rows.named_first:
        return "rows name the winner first, so that no side is known"
    names = [name for name in rows.columns if _RATER.fullmatch(name)]
    if not names:
        return "no column says who answered"
    found = []
    kinds = np.unique(rows.value, return_inverse=True)[1].ravel()
    for name in names:
        raters = rows.codes(name)
        p_values = always_the_same(kinds, rows.count, raters)
        several = max(1, len(np.unique(raters[raters >= 0])))
        for rater, p_value in p_values.items():
            own = raters == rater
            if rows.count[own].sum() < _FEWEST_ANSWERS or p_value >= LEVEL / several:
                continue
            value = float(rows.value[own][0])
            side = {1.0: "for the arm named first", 0.0: "for the arm named second", 0.5: "a tie"}
            said = side.get(value, f"{value:g}") if rows.second is not None else f"{value:g}"
            label = rows.columns[name][int(np.argmax(own))]
            found.append(
                Finding(
                    check="constant raters",
                    level="false",
                    what=f"all {rows.count[own].sum():,.0f} answers of {name} {label!r} are {said} "
                    f"({_p(p_value)} by what others say): they say nothing of the arms, and depend "
                    "on each other",
                    do=f"leave this {name} out, whoever wins then, and say so",
                    p_value=p_value,
                )
            )
    return found


def _changed_judge(rows: AnswerRows, _cluster: str) -> Findings:
    """Whether answers on the same pair, or about the same arm, differ from time to time."""
    found: list[Finding] = []
    marks: list[tuple[str, FloatArray, Level]] = []
    if rows.times is not None:
        half = (rows.times > np.median(rows.times)).astype(np.float64)
        marks.append(("the second half of the time", half, "false"))
    elif rows.second is not None and (rows.count == 1.0).all():
        half = (np.arange(rows.rows) >= rows.rows // 2).astype(np.float64)
        marks.append(("the second half of the rows", half, "note"))
    for name in rows.columns:
        codes = rows.codes(name)
        values = np.unique(codes[codes >= 0]).tolist()
        if _VERSION.fullmatch(name) and 1 < len(values) <= _MOST_VERSIONS:
            for value in values[: len(values) - (len(values) == 2)]:
                label = rows.columns[name][int(np.argmax(codes == value))]
                marks.append((f"{name} {label!r}", (codes == value).astype(np.float64), "false"))
    for words, mark, level in marks:
        test = _weighted(rows, mark, rows.of_low)
        if isinstance(test, str):
            return test
        p_value = min(1.0, 2.0 * min(test.direction, test.any_direction))
        if p_value < LEVEL / len(marks):
            about = "pair" if rows.second is not None else "arm"
            sure = ":" if level == "false" else "; if rows are in the order of time,"
            found.append(
                Finding(
                    check="a judge that changed",
                    level=level,
                    what=f"answers of {words} differ from the others on the same {about} "
                    f"({_p(p_value)}){sure} what is proved is of no one judge",
                    do="read one part alone (--where, --since), chosen before looking at who wins",
                    p_value=p_value,
                )
            )
    return found if marks else "no column says when, or by which version of the judge"


def _never_met(rows: AnswerRows, _cluster: str) -> Findings:
    """Groups of arms that no answers connect."""
    if rows.second is None:
        return "scores are of one arm each"
    graph = nx.Graph()
    graph.add_nodes_from(range(len(rows.labels)))
    graph.add_edges_from({*zip(rows.first.tolist(), rows.second.tolist(), strict=True)})
    groups = sorted(nx.connected_components(graph), key=lambda group: (-len(group), min(group)))
    if len(groups) < 2 or "positions" in rows.what:
        return []
    names = [[rows.labels[arm] for arm in sorted(group)] for group in groups]
    shown = " | ".join(_some(each) for each in names[:_NAMED]) + " | …" * (len(names) > _NAMED)
    return [
        Finding(
            check="groups that never met",
            level="note",
            what=f"{len(groups):,} groups of arms never met each other: {shown}; nothing is proved "
            "between them, and strengths of different groups share no scale",
            do="ask about a pair with an arm of each, or read each group alone",
        )
    ]


def _some(labels: Sequence[str]) -> str:
    return ", ".join(labels[:_NAMED]) + ", …" * (len(labels) > _NAMED)


def _p(value: float) -> str:
    return "p < 1e-6" if value < 1e-6 else f"p = {value:.1g}"


def _weighted(rows: AnswerRows, mark: FloatArray, answer: FloatArray) -> MarkTest | str:
    """The test of single answers, where a row may stand for several."""
    if rows.count.sum() > _MOST_ANSWERS:
        return f"more than {_MOST_ANSWERS:,} answers"
    each = np.repeat(np.arange(rows.rows), rows.count.astype(np.int64))
    return mark_test(rows.pair[each], mark[each], answer[each])


CHECKS = (
    Check("clusters", _clusters),
    Check("knock-outs", _knock_outs),
    Check("repeated items", _repeated_texts),
    Check("position", _position),
    Check("constant raters", _constant_raters),
    Check("a judge that changed", _changed_judge),
    Check("groups that never met", _never_met),
)
