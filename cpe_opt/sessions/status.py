"""What can be said of a session: how it stands, the best answer so far, what is proved.

How far it is (:class:`Progress`) comes, for arms that duel, from the votes alone, of which
:func:`cpe_opt.evidence` says what they prove and how many further duels would prove a Copeland
winner if estimates stay. For other problems, and over the items of a test set, the learner is led
through all answers; what remains is not known.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.errors import InputError, listed
from cpe_opt.formats.text import stem_of
from cpe_opt.learners.declaration import BUDGET, declaration_of
from cpe_opt.learners.queries import claim, condition
from cpe_opt.learners.tracking import PROVED_BY_THEN
from cpe_opt.sessions.answers import CountedAnswer, SessionAnswers, State
from cpe_opt.sessions.header import DELTA, Header
from cpe_opt.sessions.journal import Journal, Record
from cpe_opt.sessions.new_items import NewItems, of_answer
from cpe_opt.sessions.questions import Question, Slot, question_of, slot_of
from cpe_opt.sessions.replay import ReplayedLearner, read_snapshot

if TYPE_CHECKING:
    import pandas as pd

    from cpe_opt.problems.dueling.votes import Votes
    from cpe_opt.problems.subsets.team_scores import TeamScores
    from cpe_opt.reports.evidence import Evidence
    from cpe_opt.reports.two_arms import TwoArms

SO_FAR = "the session is not finished"


class SessionView(SessionAnswers):
    """A session that can be looked at; made by :meth:`cpe_opt.Session.read`.

    ``header`` has the learner, its parameters, seed and prices, and what was observed before.
    """

    def __init__(
        self,
        header: Header,
        records: list[Record],
        path: Path,
        clock: Callable[[], float],
        log: bytes,
        journal: Journal | None = None,
    ) -> None:
        super().__init__(header.question_set, header.prior, records[1:], path)
        self.header, self._clock = header, clock
        snapshot = read_snapshot(path, log, records, header, self._state.values)
        self._learner = ReplayedLearner(header, self._state, snapshot, journal)
        self._best: tuple[int, Best] | None = None  # and after how many changes

    def status(self) -> SessionStatus:
        """How the session stands."""
        with self._lock:
            replay, state, header = self._learner.replay(), self._state, self.header
            answers, exchange, now = state.answers.values(), replay.exchange, self._clock()
            first = [each for each in answers if not each.repeat]
            sure = exchange.finished and not exchange.doubt
            return SessionStatus(
                learner=header.name,
                family=header.question_set.family,
                labels=header.question_set.labels,
                answers=len(first),
                told=len(self._told()),
                ties=sum(each.shown is not None and each.outcome == 0.5 for each in first),
                repeats=len(answers) - len(first),
                withdrawn=state.withdrawn,
                cells=0 if header.cells is None else header.cells.count,
                left_out=len(state.left_out),
                position="" if header.cells is None else self.position_bias().line,
                cheap=self._cheap(),
                skips=state.skipped.total(),
                raters=dict(sorted(Counter(each.rater or "" for each in answers).items())),
                waiting=len(replay.waiting),
                leased=sum(state.leased(each, now) for each in replay.waiting),
                spent=total_cost(self._price(each.slot) for each in answers),
                finished=exchange.finished,
                answer=header.question_set.describe(exchange.answer) if exchange.finished else "",
                doubt=exchange.doubt,
                assumption=exchange.assumption or header.assumption,
                extent=self._extent(exchange.answer if sure else None),
                budget=int(header.parameters.get(BUDGET, 0)),
                warnings=self.warnings(
                    proved=sure, new_items=self._on_new_items(exchange.answer) if sure else None
                ),
            )

    def votes(self) -> Votes:
        """The duels of arms that count, and the votes from before, as :class:`Votes`.

        Answers count in the order of asking, up to the first that is missing; ties as half a win
        for each. By what has arrived nothing is proved, for it may have arrived because of what it
        says.
        """
        from cpe_opt.problems.dueling.votes import Votes

        self._check_family("dueling", "votes are of duels of arms")
        if self.question_set.shares:
            raise InputError(
                "pairs of games are no votes: see Session.two_arms; without --votes "
                "`session export` writes what `evidence --elo0 … --elo1 …` reads"
            )
        if self.question_set.items is not None:
            raise InputError(
                "this session asks the cells of a test set, which are no independent votes: see "
                "Session.item_duels (`session export --items` on the command line)"
            )
        with self._lock:
            answers, prior = self._told(), None if self._prior is None else self._prior.votes
        size = len(self.question_set.labels)
        wins, tied = np.zeros((2, size, size))
        if prior is not None:
            wins, tied = prior.wins.copy(), prior.tied.copy()
        for answer in answers:
            i, j = answer.slot.members
            wins[i, j] += answer.value
            wins[j, i] += 1.0 - answer.value
            tied[[i, j], [j, i]] += answer.outcome == 0.5
        return Votes(
            wins,
            self.question_set.labels,
            name=stem_of(self.path),
            tied=tied,
            notes=None if prior is None else prior.counts.notes,
            independent=prior is None or prior.independent,
        )

    def two_arms(self) -> TwoArms:
        """What the pairs of games that count prove of two arms, by the learner sequential-test."""
        from cpe_opt.reports.two_arms import tested_in_order

        if not self.question_set.shares:
            raise InputError("this session asks for no pairs of games: see Session.evidence")
        names = ("low", "high", "alpha", "beta")
        question = {name: self.header.parameters.get(name, DELTA) for name in names}
        with self._lock:
            scores = [answer.value for answer in self._told()]
        return tested_in_order(scores, self.question_set.labels, question)

    def scores(self) -> TeamScores:
        """The pulls of sets that count, as for :meth:`votes`, after earlier scores."""
        from cpe_opt.problems.subsets.team_scores import TeamScores

        self._check_family("subsets", "scores are those of sets")
        if self.question_set.is_scores:
            raise InputError("this session scores outputs on items: see Session.item_scores")
        with self._lock:
            answers, prior = self._told(), None if self._prior is None else self._prior.scores
        labels, clusters = self.question_set.labels, () if prior is None else prior.clusters
        rows: list[tuple[list[str], float, float]] = []
        if prior is not None:
            old_teams = [[prior.members[member] for member in team] for team in prior.teams]
            rows += zip(old_teams, prior.scores.tolist(), prior.counts.tolist(), strict=True)
        for answer in answers:
            rows.append(([labels[each] for each in answer.slot.members], answer.outcome, 1.0))
        if not rows:
            raise InputError("no set was answered in its turn yet, so that there are no scores")
        teams, scores, counts = zip(*rows, strict=True)
        return TeamScores(teams, scores, counts, name=stem_of(self.path), clusters=clusters)

    def _check_family(self, family: str, why: str) -> None:
        if self.question_set.family != family:
            raise InputError(f"this session asks about {self.question_set.family}: {why}")

    def answers(self) -> pd.DataFrame:
        """One row per answer, with a column ``told``: whether it counts, as for :meth:`votes`.

        The others prove nothing: those that came before their turn, do not matter any more, or are
        second answers. See :meth:`cpe_opt.sessions.answers.SessionAnswers.answers`.
        """
        with self._lock:
            frame = super().answers()
            frame["told"] = frame["id"].isin({answer.id for answer in self._told()})
            return frame

    def _told(self) -> list[CountedAnswer]:
        """The answers that count, in the order of asking."""
        answers = self._state.answers
        return [answers[slot] for slot in self._learner.replay().told() if slot in answers]

    def _on_new_items(self, answer: Any) -> NewItems | None:
        """What the answers that count prove of an answer on new items."""
        with self._lock:
            values = self._state.values
            told = {slot: values[slot] for slot in self._learner.replay().told()}
        return of_answer(self.header, told, answer)

    def _cheap(self) -> str:
        """How well hints foretold the answers, and about what they saved; "" without either."""
        hints, answers, cells = self.header.hints, self.cells_answered(), self.header.cells
        if hints is None or answers is None or cells is None:
            return ""
        return hints.agreement(answers, cells.count - len(self._state.values))

    def _extent(self, winner: Any) -> str:
        """What is proved with a margin, and over items, which arms may be as good as a winner."""
        if self.question_set.shares and winner is not None:
            from cpe_opt.reports.two_arms import claim as pairs_show

            label, asked = self.question_set.labels[0], self.header.parameters
            return pairs_show("worse" if winner else "better", label, asked["low"], asked["high"])
        header, declared = self.header, declaration_of(self.header.learner)
        extent, cells = declared.extent(header.parameters), header.cells
        if not extent or cells is None or winner is None or declared.winner in ("", "Borda"):
            return extent
        arms = len(header.question_set.labels)
        gets = np.nansum(self.item_duels().outcomes[winner], axis=(1, 2))
        half = cells.count / (arms * (arms - 1))
        equal = [j for j in range(arms) if j != winner and gets[j] <= half]
        if not equal:
            return extent
        if len(equal) == arms - 1:
            return f"{extent}; the answers leave open which others are as good"
        names = listed([header.question_set.labels[j] for j in equal], "arms")
        return f"{extent}; {names} may be as good"

    @property
    def finished(self) -> bool:
        """Whether the learner has its answer, so that nothing is open."""
        with self._lock:
            return not self._learner.waiting() and self._learner.replay().exchange.finished

    def best(self) -> Best:
        """The best answer so far, and what the votes prove.

        Together they are right with probability at least 1 - delta, the session's: the learner has
        ``header.shares.learner`` of it, and the evidence ``header.shares.evidence``, by the same
        answers, in the order of asking. At any other delta, :func:`cpe_opt.evidence` of
        :meth:`votes` says what these prove alone. A learner that has not finished is led through
        all answers once more, to the point where it is stopped.
        """
        with self._lock:
            key = self._state.changes
            if self._best is not None and self._best[0] == key:
                return self._best[1]
            exchange = None if self._learner.waiting() else self._learner.replay().exchange
            answers, found = dict(self._state.values), self.evidence()
        if exchange is None or not exchange.finished:
            exchange = self._learner.begun(answers).exchange  # others may answer meanwhile
            exchange.stop(SO_FAR)
        new_items = self._on_new_items(exchange.answer)
        best = Best(
            answer=exchange.answer,
            description=self.question_set.describe(exchange.answer),
            doubt=exchange.doubt,
            assumption=exchange.assumption or self.header.assumption,
            warnings=self.warnings(
                proved=not exchange.doubt or (found is not None and found.some_proved),
                new_items=new_items,
            ),
            evidence=found,
            new_items=new_items,
        )
        self._best = key, best
        return best

    def evidence(self) -> Evidence | None:
        """What the votes of arms prove at their share of delta; None of anything else."""
        if not self.question_set.is_votes:
            return None
        from cpe_opt.reports.evidence import evidence

        header = self.header
        return evidence(self.votes(), delta=header.shares.evidence, prices=header.prices)

    def warnings(self, *, proved: bool, new_items: NewItems | None = None) -> tuple[str, ...]:
        """What :attr:`SessionStatus.warnings` has, where something is ``proved`` or nothing is.

        ``new_items`` is what is proved of the answer on these.
        """
        with self._lock:
            bias, items = self.position_bias().warning, self.question_set.items
            said = [*self.prior_warnings]
            if items is not None and proved:
                count = len(items.ids)
                these = f"these {count:,} items" if count > 1 else "this item"
                said.append(_left_out(len(self._state.left_out)))
                of_new = ", not on new ones" if new_items is None else new_items.clause
                said.append(f"what is proved holds on {these}{of_new}")
            elif items is None and not self.question_set.shares:
                said += [_several_answers(self._state.answers.values())] if proved else []
                bias += "; it is drawn for each duel, and favours no arm" if bias else ""
            return tuple(each for each in (*said, bias) if each)

    def question(self, id: str) -> Question:  # noqa: A002
        """A question that can be answered."""
        with self._lock:
            self._state.check_open(id, self._learner.waiting())
            return self._asked(id)

    @property
    def rounds(self) -> int | None:
        """In about how many rounds the learner asks; None where it asks one by one."""
        with self._lock:
            begun: int | None = self.header.parameters.get("rounds")
            return self._state.rounds if begun is None else begun

    def open_questions(self) -> list[Question]:
        """All that the learner waits for, in its order, whoever has been asked."""
        with self._lock:
            return [self._asked(each) for each in self._learner.waiting()]

    def price(self, question: Question) -> float:
        """What an answer to a question costs; 1 where no prices were given."""
        return self._price(Slot.of_id(slot_of(question.id)))

    def _price(self, slot: Slot) -> float:
        """What an answer costs: by pair, or one price for all, or 1."""
        prices = self.header.prices
        return 1.0 if prices is None else float(prices[slot.row] if prices.ndim else prices)

    def last_of(self, rater: str | None) -> str | None:
        """The question that a rater answered last, of the answers that count."""
        with self._lock:
            given = reversed(self._state.answers.values())
            return next((answer.id for answer in given if answer.rater == rater), None)

    def questions_of(self, rater: str) -> Iterator[str]:
        """The questions that were handed to a rater and are open, and those that they answered."""
        with self._lock:
            leases, answers = list(self._state.leases.items()), list(self._state.answers.values())
        yield from (each for each, lease in leases if lease.rater == rater)
        yield from (each.id for each in answers if each.rater == rater)

    def held(self, rater: str) -> list[Question]:
        """The open questions that a rater has, the first handed out first."""
        with self._lock:
            waiting, answers = self._learner.waiting(), self._state.answers
            return [
                self._asked(each)
                for each in self._state.held(rater, self._clock())
                if each in waiting or (slot_of(each) != each and each not in answers)
            ]

    def free(self) -> int:
        """How many open questions nobody has."""
        with self._lock:
            waiting, now = self._learner.waiting(), self._clock()
            return sum(not self._state.leased(each, now) for each in waiting)

    def answer_of(self, question: str) -> CountedAnswer | None:
        """The answer of a question that counts."""
        with self._lock:
            return self._state.answers.get(question)

    @property
    def state(self) -> State:
        """Which answers count, who has what question, who has skipped what."""
        with self._lock:
            return self._state

    def _asked(self, identity: str) -> Question:
        header = self.header
        return question_of(identity, header.question_set, header.seed, header.cells)


@dataclass(frozen=True, kw_only=True)
class SessionStatus:
    """How a session stands; all that is stated goes by the answers that count, as ``told``."""

    learner: str
    family: str
    labels: tuple[str, ...]
    answers: int  #: that count; repeats are not among them
    told: int  #: how many of these count, as all that were asked before them are answered
    ties: int
    repeats: int  #: answers of second raters
    withdrawn: int  #: answers taken back
    skips: int
    raters: dict[str, int]  #: answers by rater, repeats included; "" for those without a name
    waiting: int  #: questions that the learner waits for, which may all be answered at once
    leased: int  #: how many of these somebody has
    spent: float  #: what answers cost, repeats included; without prices how many they are
    finished: bool  #: whether the learner has its answer
    answer: str  #: in words, by labels; empty before it has finished
    doubt: str  #: why the answer of a learner that has finished is not proved; empty if it is
    #: What a proof of it rests on and the answers do not show, such as "there is a Condorcet
    #: winner", or what the noise of earlier scores is like; empty if there is nothing.
    assumption: str
    #: By what answers, or earlier observations, may depend on each other, a sentence each: what is
    #: proved assumes that they do not. Of raters with several answers only where ``answer`` is
    #: proved.
    warnings: tuple[str, ...]
    cells: int  #: of the test set, in all, those from before included; 0 without one
    left_out: int  #: of these nobody answers: they count as the worst for whatever is proved
    position: str  #: how often the arm shown first wins, and swaps disagree; "" without a test set
    cheap: str  #: how well hints foretold the answers, and what they saved; "" without either
    extent: str  #: what is proved, where that is not all that was asked; empty without a margin
    budget: int  #: how many duels the learner has in all; 0 where it has no fixed number

    @property
    def saved(self) -> int | None:
        """Cells of a test set that were neither answered nor left out; None without one."""
        return self.cells - self.answers - self.left_out if self.cells else None

    @property
    def claim(self) -> str:
        """What is said of the answer: "proved", "proved, if …", or "not proved: …"."""
        return claim(self.doubt, self.assumption, self.extent)


@dataclass(frozen=True, kw_only=True, eq=False)
class Best:
    """The best answer so far, and what is proved."""

    answer: Any  #: as the learner gives it: an arm, a matching, a set; None if it has none yet
    description: str  #: the same by labels
    doubt: str  #: why it is not proved; empty where the learner has finished with its guarantee
    assumption: str  #: as in :class:`SessionStatus`
    warnings: tuple[str, ...]  #: the same, where ``answer`` or anything of ``evidence`` is proved
    evidence: Evidence | None  #: what the votes prove of arms that duel
    new_items: NewItems | None  #: what is proved of it on new items; None if nothing is said

    @property
    def proved(self) -> bool:
        """Whether the learner's guarantee holds for the answer, under its ``assumption``."""
        return not self.doubt


def total_cost(costs: Iterable[float]) -> float:
    """The sum of costs, infinite where no float is as large."""
    try:
        return math.fsum(costs)
    except OverflowError:
        return math.inf


def within_budget(costs: Iterable[float], budget: float) -> bool:
    """Whether costs come to no more than a budget, up to rounding."""
    return total_cost(costs) <= budget * (1.0 + 1e-9)


def _left_out(count: int) -> str:
    """What is proved where cells were left out; empty where none was."""
    cells, they = ("cell", "it counts") if count == 1 else ("cells", "they count")
    return (
        f"what is proved holds whatever the {count:,} {cells} that nobody answered would say: "
        f"{they} as the worst for it"
    ) * bool(count)


def _several_answers(answers: Collection[CountedAnswer]) -> str:
    """Who has answered more than once; empty if nobody has."""
    counts = Counter(each.rater or "" for each in answers if not each.repeat)
    nameless = counts.pop("", 0)
    several = sum(count > 1 for count in counts.values())
    parts = []
    if several:
        parts.append(f"{several:,} rater{'s' * (several != 1)} answered more than once")
    if nameless > 1:
        parts.append(f"{nameless:,} answers name no rater")
    if not parts:
        return ""
    return (
        "what is proved assumes that answers of one rater do not depend on each other; "
        f"{' and '.join(parts)}"
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Progress:
    """How far a session is."""

    favourite: str  # who or what is ahead, by labels; empty if there is no answer yet
    proved: str  # what is proved of winners; empty if nothing is
    # how many further duels would prove a winner, if estimates stay; infinite where no number
    # would, as where two tie, and NaN if it is not known
    remaining: float
    cost: float  # what these cost
    confidence: str  # that all of it is right, and which part of delta is whose
    # what `proved` and `so_far` rest on and the answers do not show; empty for nothing
    assumption: str = ""
    # what the learner can say of its answer before it has finished, if anything; of arms that duel
    # the evidence says it
    so_far: str = ""
    warnings: tuple[str, ...]  # as in SessionStatus, where anything is proved
    evidence: Evidence | None  # of arms that duel
    new_items: NewItems | None = None  # over items, what is proved of the answer on new ones


def progress_of(view: SessionView) -> Progress:
    """How far a session is."""
    status, shares, shown = view.status(), view.header.shares, view.evidence()
    sure = status.finished and not status.doubt
    of_what = " on the full table" if status.cells else ""
    within = f" ({status.extent})" if status.extent else ""
    answer = status.extent if view.question_set.shares else f"{status.answer}{of_what}{within}"
    promised = f"{answer}, as {status.learner} promises" if sure else ""
    remaining, cost, so_far, winners = math.nan, math.nan, "", ""
    assumption, new_items = status.assumption, None
    if shown is None:
        best = view.best()
        new_items = best.new_items
        assumption = best.assumption
        favourite = "" if best.answer is None else best.description
        so_far = best.doubt.partition(f"{SO_FAR}; {PROVED_BY_THEN}")[2]
        some = sure or bool(so_far)
    else:
        from cpe_opt.reports.evidence import proved_winners

        duels, winners = shown.remaining.duels, proved_winners(shown)
        remaining = math.inf if duels is None else float(duels.sum()) / 2.0
        cost, some = shown.remaining.cost, sure or shown.some_proved
        favourite = shown.votes.labels[shown.favourite] if shown.votes.wins.any() else ""
        if sure or (status.finished and status.budget > 0):
            favourite = status.answer
    return Progress(
        favourite=favourite,
        proved=winners or promised,
        remaining=0.0 if sure else remaining,
        cost=0.0 if sure else cost,
        confidence=shares.in_words(status.learner),
        assumption="" if winners else assumption,
        so_far=so_far.removesuffix(condition(assumption)),
        warnings=view.warnings(proved=some, new_items=new_items),
        evidence=shown,
        new_items=new_items,
    )


def nothing_open(session: SessionView) -> str:
    """Why there is no question."""
    status = session.status()
    if status.finished:
        return "\n".join([f"finished: {status.answer}, {status.claim}", *status.warnings])
    return (
        f"no question is free: raters have all {status.waiting:,} that are open, until their "
        "leases run out"
    )


def standing(view: SessionView, progress: Progress) -> dict[str, Any]:
    """How a session stands, as plain values; NaN or infinity where a number is not known."""
    status = view.status()
    return {
        **asdict(status),
        "saved": status.saved,
        "left": max(0, status.budget - status.answers) if status.budget else None,
        "favourite": progress.favourite,
        "proved": progress.proved,
        "warnings": list(progress.warnings),
        "so_far": progress.so_far,
        "new_items": "" if progress.new_items is None else progress.new_items.status,
        "delta": view.header.shares.delta,
        "shares": asdict(view.header.shares),
        "remaining": progress.remaining,
        "remaining_cost": progress.cost,
    }
