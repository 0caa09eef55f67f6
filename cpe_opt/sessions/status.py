"""What can be read of a session: its answers, how it stands, the best answer so far.

How far it is (:class:`Progress`) comes, for arms that duel, from the votes alone: the favourite has
the fewest losses by the estimate, and :func:`cpe_opt.evidence` says what is proved and how many
further duels would prove a Copeland winner if estimates stay. For other problems, and over the
items of a test set, the learner is led through all answers; what remains is not known.

What is proved assumes that answers do not depend on each other, and warnings say where they may: by
columns of earlier logs (:class:`cpe_opt.problems.clusters.ClusterColumn`), by raters who answered
more than once, and over the items of a test set by cells that nobody answered.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, astuple, dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpe_opt.errors import errors_of, listed
from cpe_opt.learners.declaration import BUDGET, declaration_of
from cpe_opt.learners.queries import claim, condition
from cpe_opt.learners.tracking import PROVED_BY_THEN
from cpe_opt.sessions.answers import CountedAnswer, PositionBias, RaterCounts, State
from cpe_opt.sessions.header import Header
from cpe_opt.sessions.journal import Record, tell_of_forks
from cpe_opt.sessions.questions import Question, QuestionSet, Slot, slot_of
from cpe_opt.sessions.replay import Replay, Snapshot, read_snapshot
from cpe_opt.text import stem_of

if TYPE_CHECKING:
    import pandas as pd

    from cpe_opt.problems.dueling.items import ItemDuels
    from cpe_opt.problems.dueling.votes import Votes
    from cpe_opt.problems.subsets.team_scores import TeamScores
    from cpe_opt.reports.evidence import Evidence
    from cpe_opt.sessions.prior_data import PriorData

SO_FAR = "the session is not finished"


class SessionAnswers:
    """The answers of a session; made by :meth:`cpe_opt.Session.read_answers`.

    They are those of the log alone: no learner is needed, so that another version of this package
    may have begun the session. Which of them the learner was told is not known then, and nothing
    is proved by them: ``votes`` and ``scores`` are of :class:`SessionView`.

    Attributes
    ----------
    path : Path
    question_set : QuestionSet
        What is asked about; ``known`` is None where the log does not hold it.
    """

    def __init__(
        self, question_set: QuestionSet, prior: PriorData | None, records: list[Record], path: Path
    ) -> None:
        self.path, self.question_set = path, question_set
        self._given_prior = prior
        self._lock: AbstractContextManager[Any] = threading.RLock()
        self._state = State(question_set)
        with errors_of(path.name):
            self._state.read(records)
        tell_of_forks(self)

    def forked(self) -> None:
        """Take a lock that no thread of another process holds."""
        self._lock = threading.RLock()

    @property
    def _prior(self) -> PriorData | None:
        return self._given_prior

    def answers(self) -> pd.DataFrame:
        """One row per answer; see :meth:`cpe_opt.sessions.answers.CountedAnswers.frame`."""
        with self._lock:
            return self._state.answers.frame(self.question_set)

    def item_duels(self) -> ItemDuels:
        """Answers over the items of a test set, and those from before, as :class:`ItemDuels`.

        Its table has the means of the cells that were answered.
        """
        with self._lock:
            prior = None if self._prior is None else self._prior.cells
            return self._state.answers.item_duels(self.question_set, prior, stem_of(self.path))

    def position_bias(self) -> PositionBias:
        """Whether it matters which arm is shown first."""
        with self._lock:
            return self._state.answers.position_bias()

    @property
    def prior_warnings(self) -> tuple[str, ...]:
        """By which columns of earlier logs what was observed before may depend on each other."""
        return () if self._prior is None else self._prior.warnings

    def raters(self) -> pd.DataFrame:
        """One row per rater; see :class:`cpe_opt.sessions.answers.RaterCounts` for the columns."""
        import pandas as pd

        columns = [each.name for each in fields(RaterCounts)]
        return pd.DataFrame([astuple(each) for each in self.rater_counts()], columns=columns)

    def rater_counts(self) -> list[RaterCounts]:
        """What each rater did, by name."""
        with self._lock:
            return self._state.answers.raters()


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
    ) -> None:
        super().__init__(header.question_set, None, records[1:], path)
        self.header = header
        self._clock = clock
        answered = self._state.answers.values
        self._snapshot = read_snapshot(path, log, records, header, answered)
        self._replay: Replay | None = None
        self._seconds = 0.0  # of processor time, that the learner has taken
        self._best: tuple[int, Best] | None = None  # and after how many changes

    @property
    def _prior(self) -> PriorData | None:
        return self.header.prior

    def status(self) -> SessionStatus:
        """How the session stands."""
        with self._lock:
            replay, state, header = self._replayed(), self._state, self.header
            answers, exchange = state.answers.by_id.values(), replay.exchange
            first = [each for each in answers if not each.repeat]
            raters = Counter(each.rater or "" for each in answers)
            leases, now = state.leases, self._clock()
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
                position="" if header.cells is None else state.answers.position_bias().line,
                skips=state.skips,
                raters=dict(sorted(raters.items())),
                waiting=len(replay.waiting),
                leased=sum(
                    each in replay.waiting and leases.leased(each, now)
                    for each in leases.by_question
                ),
                spent=total_cost(_price(each.slot, header) for each in answers),
                finished=exchange.finished,
                answer=header.question_set.describe(exchange.answer) if exchange.finished else "",
                doubt=exchange.doubt,
                assumption=exchange.assumption or header.assumption,
                extent=self._extent(exchange.answer if sure else None),
                budget=int(header.parameters.get(BUDGET, 0)),
                warnings=self.warnings(proved=sure),
            )

    def votes(self) -> Votes:
        """The duels of arms that count, and the votes from before, as :class:`Votes`.

        Answers count in the order of asking, up to the first that is missing. By what has arrived
        nothing is proved, for it may have arrived because of what it says.
        """
        with self._lock:
            prior = None if self._prior is None else self._prior.votes
            told = self._told() if self.question_set.is_votes else ()
            return self._state.answers.votes(self.question_set, prior, stem_of(self.path), told)

    def scores(self) -> TeamScores:
        """The pulls of sets that count, as for :meth:`votes`, after earlier scores."""
        with self._lock:
            prior = None if self._prior is None else self._prior.scores
            told = self._told() if self.question_set.family == "subsets" else ()
            return self._state.answers.scores(self.question_set, prior, stem_of(self.path), told)

    def answers(self) -> pd.DataFrame:
        """One row per answer, with a column ``told``: whether it counts, as for :meth:`votes`.

        The others prove nothing: those that came before their turn, do not matter any more, or are
        second answers. See :meth:`cpe_opt.sessions.answers.CountedAnswers.frame`.
        """
        with self._lock:
            return self._state.answers.frame(self.question_set, self._told())

    def _told(self) -> list[str]:
        """The answered questions that count, in the order of asking."""
        by_id = self._state.answers.by_id
        return [slot for slot in self._replayed().told() if slot in by_id]

    def _extent(self, winner: Any) -> str:
        """What is proved with a margin, and over items, which arms may be as good as a winner."""
        header, declared = self.header, declaration_of(self.header.learner)
        extent, cells = declared.extent(header.parameters), header.cells
        if not extent or cells is None or winner is None or declared.winner in ("", "Borda"):
            return extent
        arms = len(header.question_set.labels)
        gets = cells.answered[winner].copy()
        for answer in self._state.answers.by_id.values():
            if not answer.repeat and answer.shown is not None and winner in answer.shown:
                [other] = {*answer.shown} - {winner}
                gets[other] += answer.value if winner < other else 1.0 - answer.value
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
            return not self._waiting() and self._replayed().exchange.finished

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
            exchange = None if self._waiting() else self._replayed().exchange
            answers = dict(self._state.answers.values)
            votes = self.votes() if self.question_set.is_votes else None
        if exchange is None or not exchange.finished:
            exchange = self._begun(answers).exchange  # others may answer meanwhile
            exchange.stop(SO_FAR)
        found = None
        if votes is not None:
            from cpe_opt.reports.evidence import evidence

            prices = self.header.prices
            found = evidence(votes, delta=self.header.shares.evidence, prices=prices)
        some = not exchange.doubt or (found is not None and found.some_proved)
        best = Best(
            answer=exchange.answer,
            description=self.question_set.describe(exchange.answer),
            doubt=exchange.doubt,
            assumption=exchange.assumption or self.header.assumption,
            warnings=self.warnings(proved=some),
            evidence=found,
        )
        self._best = key, best
        return best

    def warnings(self, *, proved: bool) -> tuple[str, ...]:
        """What :attr:`SessionStatus.warnings` has, where something is ``proved`` or nothing is."""
        with self._lock:
            bias, items = self._state.answers.position_bias().warning, self.question_set.items
            said = [*self.prior_warnings]
            if items is not None:
                count = len(self._state.left_out)
                said += [_left_out(count)] if proved and count else []
                said += [_of_items(len(items.ids))] if proved else []
            else:
                said += [_several_answers(self._state.answers.by_id.values())] if proved else []
                bias += "; it is drawn for each duel, and favours no arm" if bias else ""
            return tuple(each for each in (*said, bias) if each)

    def question(self, id: str) -> Question:  # noqa: A002
        """A question that can be answered."""
        with self._lock:
            self._state.open_slot(id, self._waiting())
            return self._asked(id)

    def price(self, question: Question) -> float:
        """What an answer to a question costs; 1 where no prices were given."""
        return _price(Slot.of_id(slot_of(question.id)), self.header)

    def last_of(self, rater: str | None) -> str | None:
        """The question that a rater answered last, of the answers that count."""
        with self._lock:
            given = reversed(self._state.answers.by_id.values())
            return next((answer.id for answer in given if answer.rater == rater), None)

    def questions_of(self, rater: str) -> Iterator[str]:
        """The questions that were handed to a rater and are open, and those that they answered."""
        with self._lock:
            state = self._state
            yield from [
                each for each, lease in state.leases.by_question.items() if lease.rater == rater
            ]
            yield from [each.id for each in state.answers.by_id.values() if each.rater == rater]

    def held(self, rater: str) -> list[Question]:
        """The open questions that a rater has, the first handed out first."""
        with self._lock:
            waiting, answered = self._waiting(), self._state.answers.by_id
            return [
                self._asked(each)
                for each in self._state.leases.held(rater, self._clock())
                if each in waiting or (slot_of(each) != each and each not in answered)
            ]

    def free(self) -> int:
        """How many open questions nobody has."""
        with self._lock:
            waiting, now = self._waiting(), self._clock()
            return sum(not self._state.leases.leased(each, now) for each in waiting)

    def holder_of(self, question: str) -> str | None:
        """Who was handed an open question last, however long ago; None if that is nobody."""
        with self._lock:
            return self._state.holder(question)

    def answer_of(self, question: str) -> CountedAnswer | None:
        """The answer of a question that counts."""
        with self._lock:
            return self._state.answers.by_id.get(question)

    def turns_of(self, rater: str | None) -> tuple[int, int]:
        """How many answers of a rater count, repeats included, and how often they skipped."""
        with self._lock:
            return self._state.answered[rater], self._state.skipped[rater]

    @property
    def changes(self) -> int:
        """How often answers came or went: a number that says whether there is news."""
        with self._lock:
            return self._state.changes

    def _asked(self, identity: str) -> Question:
        return self.header.question(identity)

    def _waiting(self) -> dict[str, Slot]:
        """The empty slots that the learner waits for."""
        return self._replayed().waiting

    def _replayed(self) -> Replay:
        """The learner, as far as the answers reach."""
        replay, self._replay = self._replay, None  # lost, if the learner fails
        if replay is None:
            replay = self._begun(self._state.answers.values)
        else:
            began = time.process_time()
            replay.advance()
            self._seconds += time.process_time() - began
        self._replay = replay
        return replay

    def _begun(self, answers: Mapping[str, float]) -> Replay:
        """The learner from its beginning, as far as some answers reach."""
        header, began = self.header, time.process_time()
        checkpoint = self._snapshot.checkpoint
        try:
            replay = Replay(
                partial(header.exchange, self._state.parallel),
                answers,
                header.seed,
                items=header.cells is not None,
                checkpoint=checkpoint,
                horizon=header.horizon,
            )
        except Exception:
            if checkpoint.state is None:
                raise
            self._snapshot = Snapshot(self._snapshot.waiting)  # its state was another learner's
            return self._begun(answers)
        self._seconds += time.process_time() - began
        return replay


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
    extent: str  #: what is proved, where that is not all that was asked; empty without a margin
    budget: int  #: how many duels the learner has in all; 0 where it has no fixed number

    @property
    def left(self) -> int:
        """How many duels of the budget are not answered yet."""
        return max(0, self.budget - self.answers)

    @property
    def claim(self) -> str:
        """What is said of the answer: "proved", "proved, if …", or "not proved: …"."""
        return claim(self.doubt, self.assumption, self.extent)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True, eq=False)
class Best:
    """The best answer so far, and what is proved."""

    answer: Any  #: as the learner gives it: an arm, a matching, a set; None if it has none yet
    description: str  #: the same by labels
    doubt: str  #: why it is not proved; empty where the learner has finished with its guarantee
    assumption: str  #: as in :class:`SessionStatus`
    warnings: tuple[str, ...]  #: the same, where ``answer`` or anything of ``evidence`` is proved
    evidence: Evidence | None  #: what the votes prove of arms that duel

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


def _price(slot: Slot, header: Header) -> float:
    """What an answer costs: by pair, or one price for all, or 1."""
    if header.prices is None:
        return 1.0
    return float(header.prices[slot.row] if header.prices.ndim else header.prices)


def _left_out(count: int) -> str:
    """What is proved where cells were left out."""
    return (
        f"what is proved holds whatever the {count:,} cell{'s' * (count != 1)} that nobody "
        f"answered would say: {'they count' if count != 1 else 'it counts'} as the worst for it"
    )


def _of_items(count: int) -> str:
    """What is proved over items."""
    these = f"these {count:,} items" if count > 1 else "this item"
    return f"what is proved is about {these}, not about new ones"


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


if TYPE_CHECKING:
    from cpe_opt.reports.evidence import Evidence


@dataclass(frozen=True, kw_only=True, eq=False)
class Progress:
    """How far a session is."""

    favourite: str  # who or what is ahead, by labels; empty if there is no answer yet
    proved: str  # what is proved of winners; empty if nothing is
    # how many further duels would prove a winner, if estimates stay; infinite where no number
    # would, as where two tie, and NaN if it is not known
    remaining: float
    cost: float  # what these cost
    delta: float  # the probability that anything proved is wrong, the learner's answer included
    confidence: str  # the same in words, and which part of it is whose
    # what `proved` and `so_far` rest on and the answers do not show; empty for nothing
    assumption: str = ""
    # what the learner can say of its answer before it has finished, if anything; of arms that duel
    # the evidence says it
    so_far: str = ""
    warnings: tuple[str, ...]  # as in SessionStatus, where anything is proved
    evidence: Evidence | None  # of arms that duel

    @property
    def ahead(self) -> str:
        """The favourite, and by which measure where tables of arms begin with another."""
        if self.evidence is None or not self.favourite:
            return self.favourite
        first = self.evidence.votes.labels[self.evidence.ranking[0]]
        if first == self.favourite:
            return self.favourite
        return f"{self.favourite}, with the fewest losses; {first} by the mean share of wins"

    @property
    def line(self) -> str:
        """All of it in one line, such as ``ahead: tuna; about 190 duels to a proof``."""
        parts = [f"ahead: {self.favourite}"] if self.favourite else []
        parts += [f"proved: {self.proved}{condition(self.assumption)}"] if self.proved else []
        if self.remaining > 0 and math.isfinite(self.remaining):
            parts.append(f"about {self.remaining:,.0f} duels to a proof")
        elif math.isinf(self.remaining):
            parts.append("too early to say what remains")
        return "; ".join(parts)


def progress_of(view: SessionView) -> Progress:
    """How far a session is."""
    header, status = view.header, view.status()
    sure = status.finished and not status.doubt
    of_what = " on the full table" if status.cells else ""
    within = f" ({status.extent})" if status.extent else ""
    promised = f"{status.answer}{of_what}{within}, as {status.learner} promises" if sure else ""
    common: dict[str, Any] = {
        "delta": header.shares.delta,
        "confidence": header.shares.in_words(status.learner),
    }
    if not view.question_set.is_votes:
        best = view.best()
        so_far = best.doubt.partition(f"{SO_FAR}; {PROVED_BY_THEN}")[2]
        return Progress(
            **common,
            favourite="" if best.answer is None else best.description,
            proved=promised,
            remaining=0.0 if sure else math.nan,
            cost=0.0 if sure else math.nan,
            assumption=best.assumption,
            so_far=so_far.removesuffix(condition(best.assumption)),
            warnings=view.warnings(proved=sure or bool(so_far)),
            evidence=None,
        )
    from cpe_opt.reports.evidence import evidence, proved_winners

    shown = evidence(view.votes(), delta=header.shares.evidence, prices=header.prices)
    duels, winners = shown.remaining.duels, proved_winners(shown)
    ahead = shown.votes.labels[shown.favourite] if shown.votes.wins.any() else ""
    remaining = math.inf if duels is None else float(duels.sum()) / 2.0
    named = sure or (status.finished and status.budget > 0)
    return Progress(
        **common,
        favourite=status.answer if named else ahead,
        proved=winners or promised,
        remaining=0.0 if sure else remaining,
        cost=0.0 if sure else shown.remaining.cost,
        assumption="" if winners else status.assumption,
        warnings=view.warnings(proved=sure or shown.some_proved),
        evidence=shown,
    )
