"""The report of a session, for whoever decides: its own proof first, then what answers show.

It is what ``session status`` prints, and the page. An arm that the learner has proved to win is
called proved in the table of arms as well, and nothing is listed that would have to be asked to
prove it again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formats.text import stem_of
from cpe_opt.learners.declaration import declaration_of
from cpe_opt.learners.queries import condition
from cpe_opt.problems.dueling.items import ItemDuels
from cpe_opt.problems.subsets.item_scores import ItemScores
from cpe_opt.proofs.dueling.remaining_duels import RemainingDuels
from cpe_opt.proofs.dueling.winners import WinnerStatus
from cpe_opt.reports.decision import (
    ORDER,
    costs,
    evidence_parts,
    leading,
    meaning,
    open_points,
    pair_matrix,
    ranks_picture,
)
from cpe_opt.reports.evidence import Evidence, proof_lines, winner_words
from cpe_opt.reports.report import DeltaPart, PairMatrix, Part, Report, TextTable
from cpe_opt.sessions.status import Progress, SessionStatus, SessionView, progress_of

if TYPE_CHECKING:
    import pandas as pd

_DRAWN_TO_HALF = 4.0
_ITEM_RANKING = (
    "Who is ahead comes first, then the score decides: an estimate, the mean share of cells that "
    "an arm gets against another, drawn to 50 % where few were asked"
)
_OF_TABLE = (
    "The answers are those to the items of a test set, and what is proved is about the full table: "
    "the results if every arm were compared with every other on every item. It is right with a "
    "probability of at least {right:.10g} %. Only the order in which items were asked is random: "
    "nothing is assumed of the judge except that an answer does not depend on "
    "when it is asked. A cell that nobody answers counts as the worst for what is proved.",
    "A Copeland winner is an arm that no more arms beat than any other; one arm beats another "
    "where it gets more than half of what their comparisons give.",
)
_SCORE_RANKING = (
    "Who is ahead comes first, then the mean score of the items that were asked, which is an "
    "estimate"
)
_OF_SCORES = (
    "The answers are scores of outputs on the items of a test set, and what is proved is about the "
    "mean of each arm over all of these items. It is right with a probability of at least "
    "{right:.10g} %. Only the order of the items, one for all arms, is random: nothing is assumed "
    "of the scores except that a score does not depend on when it is asked. An output that nobody "
    "scores counts as the worst for what is proved.",
)
_OF_NEW_ITEMS = (
    "What is proved of new items assumes that the items of the test set, each with its answers, "
    "were drawn independently from one source, as new ones will be, and that no arm was made or "
    "chosen by what it does on them. Nothing is ahead of an arm if it gets no less than half "
    "against each other arm in the mean over new items, or if no other arm has a higher mean score."
)
_OF_HINTS = (
    "What a cheap judge said was there before the first question. It decides what is asked and how "
    "soon it is enough, and nothing that is proved rests on it, if it was made without knowledge "
    "of the order in which cells are asked. How many calls it saved is an estimate."
)
_AS_A_WHOLE = (
    "the answer is proved as a whole, by all of its pairs together, and takes fewer duels than to "
    "prove each pair or rank"
)
_IN_ORDER = (
    "Answers count in the order in which the questions were asked for, up to the first that is "
    "missing, whichever came sooner. It is assumed that nobody skips a question, lets its time run "
    "out or takes an answer back because of what was to be said."
)
_OF_ANSWERS = (
    "What is proved is right with a probability of at least {right:.10g} %, however often one "
    "looks. It assumes that the noise of an answer does not depend on the answers before it.",
    _IN_ORDER,
)


def session_report(session: SessionView, title: str | None = None) -> Report:
    """What is known of a session when somebody has to decide."""
    shares, status, progress = session.header.shares, session.status(), progress_of(session)
    sure, found = status.finished and not status.doubt, progress.evidence
    told = None if found is None else _with_answer(session, status, found)
    stated = (
        ("the answer", status.learner, shares.learner),
        ("the bound on sigma", "earlier scores", shares.sigma),
        ("what is proved of new items", "bets pair by pair", shares.new_items),
    )
    bias = session.position_bias().warning
    order = f" {bias[0].upper()}{bias[1:]}." if bias else ""
    report = Report(
        title=stem_of(session.path) if title is None else title,
        summary=_standing(session, status, progress) + _of_new_items(progress) + order,
        proved=sure or bool(progress.proved),
        facts=tuple(_facts(session, status, told, sure=sure)),
        parts=tuple(_raters_table(session.raters())),
        warnings=progress.warnings,
        delta_parts=tuple(DeltaPart(what=w, by=by, delta=d) for w, by, d in stated if d),
        open=() if sure else tuple(_open(status, progress)),
    )
    if told is None:
        right = 100.0 * (1.0 - shares.delta)
        words: tuple[str, ...] = _OF_TABLE if status.cells else _OF_ANSWERS
        arms, pairs = _item_tables(session, status, progress.favourite, sure=sure)
        if session.question_set.is_scores:
            words, arms = _OF_SCORES, _score_table(session, status, sure=sure)
        words = (*words, *([_OF_NEW_ITEMS] if shares.new_items else []))
        words = (*words, *([_OF_HINTS] if session.header.hints is not None else []))
        about = tuple(text.format(right=right) for text in words)
        if session.question_set.shares:
            games = session.two_arms().report()
            return replace(report, arms=games.arms, lines=games.lines, about=games.about)
        return replace(report, arms=arms, pairs=pairs, about=about)
    return replace(
        report,
        votes=tuple(line for line in told.vote_lines() if line not in progress.warnings),
        lines=(*proof_lines(told), *([_AS_A_WHOLE] if sure else [])),
        delta_parts=(*report.delta_parts, *evidence_parts(told)),
        arms=told.arms_table(in_words=True, model=False),
        order=ORDER,
        ranks=ranks_picture(told, report.title, model=False),
        pairs=pair_matrix(told, told.ranking),
        open=(*report.open, *(() if sure else open_points(told))),
        about=(*meaning(shares.delta, clusters=False), _IN_ORDER),
    )


def things(status: SessionStatus) -> str:
    """What is asked about, such as ``3 arms``."""
    kind = {"dueling": "arms", "matchings": "edges"}.get(status.family, "elements")
    cells = f" in {status.cells:,} cells of a test set" if status.cells else ""
    if status.family == "subsets" and cells:
        kind, cells = "arms", f", scored{cells}"
    return f"{len(status.labels):,} {kind}{cells}"


def _standing(session: SessionView, status: SessionStatus, progress: Progress) -> str:
    """What is proved, or who is ahead."""
    right = f"{100.0 * (1.0 - session.header.shares.delta):.10g} %"
    if status.finished and not status.doubt:
        winner = declaration_of(session.header.learner).winner
        items = session.question_set.items
        proved, of_table = f"Proved at {right}{condition(status.assumption)}", ""
        if items is not None:
            known = "" if progress.new_items is None else progress.new_items.status
            of_new = {"": ", not of new ones", "not yet": ", not yet of new ones"}.get(known, "")
            of_table = f" on the full table of these {len(items.ids):,} items{of_new}"
        if status.extent:
            whose = "" if session.question_set.shares else f"{status.answer} \u2013 "
            return f"{proved}{of_table}: {whose}{status.extent}."
        what = winner_words([winner]) if winner else f"the answer of {status.learner}"
        if session.question_set.is_scores:
            several = "have the highest means" if ", " in status.answer else "has the highest mean"
            return f"{proved}: {status.answer} {several}{of_table}."
        return f"{proved}: {status.answer} is {what}{of_table}."
    if progress.proved:
        return f"Proved at {right}{condition(progress.assumption)}: {progress.proved}."
    if not status.answers and session.header.prior is None:
        return "Nothing was answered yet."
    if status.finished and status.budget:
        return f"Most likely: {status.answer}. Not proved: {status.doubt}."
    ahead = f" Ahead: {progress.favourite}." if progress.favourite else ""
    if progress.evidence is not None and ahead:
        ahead = f" {leading(progress.evidence)}."
    return f"Not proved: {status.doubt}.{ahead}" if status.finished else f"Not proved yet.{ahead}"


def _of_new_items(progress: Progress) -> str:
    """What is proved of new items; empty for nothing."""
    found = progress.new_items
    if found is None or found.status == "not yet":
        return ""
    said = str(found)
    return f" {said[0].upper()}{said[1:]}."


def _facts(
    session: SessionView, status: SessionStatus, told: Evidence | None, *, sure: bool
) -> Iterator[tuple[str, str]]:
    """What was asked, what it cost, and how the answers look."""
    yield "asked by", status.learner
    yield "asks about", things(status)
    yield "answers", _answers(status)
    prices, raters = session.header.prices, session.raters()
    if prices is not None:
        cost = f"{status.spent:,.10g}"
        if status.cells and prices.ndim:
            arms = len(status.labels)
            of_pair = np.triu(np.broadcast_to(prices, (arms, arms)), 1)
            cost += f"; the full table {status.cells * of_pair.sum() / comb(arms, 2):,.10g}"
        yield "cost", cost
    if told is not None and status.answers and (not sure or "proved" in told.copeland.values()):
        yield from costs(told)
    if status.family != "subsets" and status.answers and not session.question_set.shares:
        yield "ties", f"{status.ties:,} ({100.0 * status.ties / status.answers:.0f} %)"
    if position := session.position_bias().line:
        yield "position", position
    if status.cheap:
        yield "cheap judge", status.cheap
    if compared := raters["compared"].sum():
        same = (raters["agree"] * raters["compared"]).sum()
        yield "agreement", f"{100.0 * same / compared:.0f} % of questions answered by two raters"
    yield "confidence", session.header.shares.in_words(status.learner)


def _answers(status: SessionStatus) -> str:
    """How many there are, of how many."""
    notes = {
        "repeats": status.repeats,
        "withdrawn": status.withdrawn,
        "skipped": status.skips,
        "left out": status.left_out,
    }
    shown = ", ".join(f"{number:,} {what}" for what, number in notes.items() if number)
    answers = f"{status.answers:,}{f' ({shown})' * bool(shown)}"
    if status.cells:
        saved = 1.0 - (status.answers + status.left_out) / status.cells
        answers += f" of the {status.cells:,} cells of the full table"
        answers += f", {100.0 * saved:.0f} % saved" if status.finished else ""
    elif status.budget:
        answers += f" of the {status.budget:,} duels of the budget"
    if status.told < status.answers:
        why = "were not needed" if status.finished else "wait for answers asked for before them"
        answers += f"; {status.answers - status.told:,} of them {why}"
    return answers


def _with_answer(session: SessionView, status: SessionStatus, evidence: Evidence) -> Evidence:
    """What the votes prove, and of the winner what the learner has proved, too."""
    winner = declaration_of(session.header.learner).winner
    held = status.finished and not status.doubt and not status.assumption and not status.extent
    if not held or not winner or status.answer not in status.labels:
        return evidence
    proved: dict[str, WinnerStatus] = {status.answer: "proved"}
    if len(status.labels) == 2 and winner != "Condorcet":
        # No arm is better: that is one statement, and leaves open whether the two tie.
        first = {status.answer: (1, 1)}
        evidence = replace(
            evidence,
            copeland=evidence.copeland | proved,
            borda=evidence.borda | proved,
            ranks=evidence.ranks | first,
            copeland_ranks=evidence.copeland_ranks | first,
        )
    if winner == "Borda":
        return replace(evidence, borda=evidence.borda | proved)
    if winner == "Condorcet":
        return replace(evidence, condorcet=evidence.condorcet | proved)
    arms, arm = len(status.labels), status.labels.index(status.answer)
    others = {key: each for key, each in evidence.explanations.items() if key != status.answer}
    return replace(
        evidence,
        copeland=evidence.copeland | proved,
        explanations=others,
        remaining=RemainingDuels(arm, np.zeros((arms, arms), dtype=np.int64), 0.0),
    )


def _open(status: SessionStatus, progress: Progress) -> list[Part]:
    """Why there is no proof yet, in words."""
    lines: list[Part] = []
    if status.doubt:
        lines.append(f"the learner has ended without a proof: {status.doubt}")
    elif not status.finished:
        leased = f", of which raters have {status.leased:,}" if status.leased else ""
        are = "question is" if status.waiting == 1 else "questions are"
        lines.append(f"{status.learner} has not finished: {status.waiting:,} {are} open{leased}")
    if progress.so_far:
        rests_on = condition(progress.assumption)
        lines.append(f"so far it is proved that {progress.so_far}{rests_on}")
    if status.cells and not status.finished:
        rest = status.cells - status.answers - status.left_out
        decided = "mean is known" if status.family == "subsets" else "comparison is decided"
        lines.append(
            f"{rest:,} cells were not asked; with all of them every {decided}, and few of them are "
            "needed as a rule"
        )
    return lines


def _item_tables(
    session: SessionView, status: SessionStatus, leader: str, *, sure: bool
) -> tuple[TextTable | None, PairMatrix | None]:
    """The arms and the pairs of a test set by the cells that were answered."""
    duels = session.cells_answered() if status.cells else None
    if not isinstance(duels, ItemDuels):  # nothing was answered, or outputs are scored
        return None, None
    answered = ~np.isnan(duels.outcomes)
    count: FloatArray = answered.sum(axis=(2, 3)).astype(np.float64)
    np.fill_diagonal(count, 0.0)
    total = np.where(answered, duels.outcomes, 0.0).sum(axis=(2, 3))
    np.fill_diagonal(total, 0.0)
    share = np.divide(total, count, out=np.full_like(count, np.nan), where=count > 0.0)
    each = status.cells / comb(len(count), 2)
    ahead, behind = (count > 0.0) & (share > 0.5), (count > 0.0) & (share < 0.5)
    # Drawn to a half, so that a few answers make no rank; who is ahead for the learner comes first.
    shrunk = (total + _DRAWN_TO_HALF / 2.0) / (count + _DRAWN_TO_HALF)
    mean = (shrunk.sum(axis=1) - shrunk.diagonal()) / (len(shrunk) - 1)
    score = np.rint(mean * 2.0**30) / 2.0**30
    first = np.array([label != leader for label in duels.labels])
    order = np.lexsort((-score, first)).tolist()
    # Certain: what is left cannot turn it.
    certain = ahead & (total > (each / 2.0))
    rows = [
        [
            place,
            duels.labels[arm],
            *(["proved" if not first[arm] else ""] if sure else []),
            f"{100.0 * score[arm]:.0f} %" if count[arm].any() else "\u2013",
            f"{ahead[arm].sum()} / {behind[arm].sum()}",
            f"{count[arm].sum():,.0f} of {each * (len(count) - 1):,.0f}",
        ]
        for place, arm in enumerate(order, 1)
    ]
    head = ["", "arm", *(["winner"] if sure else []), "score", "ahead of / behind", "cells asked"]
    table = TextTable(head, rows, title=_ITEM_RANKING)
    grid = np.ix_(order, order)
    return table, PairMatrix(
        labels=tuple(duels.labels[arm] for arm in order),
        share=share[grid],
        count=count[grid],
        sure=certain[grid],
    )


def _score_table(session: SessionView, status: SessionStatus, *, sure: bool) -> TextTable | None:
    """The arms by the mean of their scores on the items that were asked."""
    scores = session.cells_answered()
    if not isinstance(scores, ItemScores):
        return None
    best = session.best().answer or ()
    count, means = (~np.isnan(scores.scores)).sum(axis=1), np.nan_to_num(scores.means, nan=-1.0)
    behind = np.array([arm not in best for arm in range(len(means))])
    order = np.lexsort((-np.rint(means * 2.0**30), behind)).tolist()
    rows = [
        [
            place,
            scores.labels[arm],
            *(["proved" if not behind[arm] else ""] if sure else []),
            f"{means[arm]:.3f}" if count[arm] else "\u2013",
            f"{count[arm]:,} of {scores.cells:,}",
        ]
        for place, arm in enumerate(order, 1)
    ]
    head = ["", "arm", *(["best"] if sure else []), "mean score", "cells asked"]
    return TextTable(head, rows, title=_SCORE_RANKING)


def _raters_table(raters: pd.DataFrame) -> list[TextTable]:
    """What each rater did, where there are several or they have names."""
    if not raters["rater"].any():
        return []
    shown = raters.assign(
        rater=raters["rater"].replace("", "(no name)"),
        first=raters["first"].map(_percent),
        agree=raters["agree"].map(_percent),
    )
    head = ["rater", "answers", "ties", "first shown wins", "compared", "agree"]
    return [TextTable(head, shown.values.tolist(), title="raters")]


def _percent(share: float) -> str:
    return "\u2013" if np.isnan(share) else f"{100.0 * share:.0f} %"
