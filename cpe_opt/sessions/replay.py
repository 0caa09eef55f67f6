r"""A learner led through the answers given so far, what it waits for, and a snapshot of both.

A learner that asks for duels of a pair, or pulls, gets the next slots of its row
(:mod:`cpe_opt.sessions.questions`), and where such a slot is empty, it waits. Of a window
(:class:`cpe_opt.problems.queries.Window`) it waits for the oldest query alone, and the slots of the
others may be filled meanwhile. So what the learner does is a function of the answers in the slots
alone, not of the order in which they came.

This is the model in which learners are analysed: the outcomes of a pair are independent and
identically distributed, and the k-th time that the pair is asked for the k-th of them is seen. All
that is stated goes by the answers in the order of asking, up to the first that is missing
(:meth:`Replay.told`). A tie of a duel is a win for one of the two with probability ½ each, by a
coin that the seed and the slot decide: so a learner sees :math:`P(\text{win}) + P(\text{tie})/2`.
Over items outcomes are told as they are, with the hint of the cell if there are hints; a cell that
is left out, NaN, gives nothing to either arm. Scores are told with the numbers of their items.

**Snapshots.** ``<log>.snapshot`` has the empty slots that the learner waits for, and the last state
of a learner that can write down all that it knows (:class:`cpe_opt.learners.tracking.Checkpoint`).
It counts only where no record since takes anything back, and its seal is right: a digest, with the
key of the log's first line, of the snapshot, of the log that it follows from, and of the package
that made it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np

from cpe_opt.errors import InputError, WriteFailed
from cpe_opt.experiments.fingerprint import source_digest
from cpe_opt.files import atomic_write
from cpe_opt.learners.exchange import AT_HORIZON, Exchange
from cpe_opt.learners.tracking import Checkpoint
from cpe_opt.problems.queries import (
    Batch,
    CellScores,
    CellSums,
    Duel,
    Pull,
    PullSets,
    Window,
    single_queries,
)
from cpe_opt.progress_line import step
from cpe_opt.sessions.answers import State
from cpe_opt.sessions.header import Header
from cpe_opt.sessions.journal import Journal, Record
from cpe_opt.sessions.questions import AnyCells, Cells, OutputCells, RowKey, Slot, drawn
from cpe_opt.validation import MOST_ROUNDS

IDLE = "it has nothing left to ask: it would go on with its favourite alone"
_IDLE_QUERIES = 10**5
_EVERY = 100  # answers
LEAST_RECORDS = 1000
"""A shorter log is read about as fast as a snapshot of it."""
_BEGIN = '{"cpe_opt_snapshot":'
_FORMAT = 4


class ReplayedLearner:
    """The learner of a log, led through its answers once it is needed, and the log's snapshot.

    With a ``journal`` that is open for writing a snapshot is kept, too.
    """

    def __init__(
        self,
        header: Header,
        state: State,
        snapshot: tuple[dict[str, None], Checkpoint] | None = None,
        journal: Journal | None = None,
    ) -> None:
        self._header, self._state, self._journal = header, state, journal
        self._open, self._checkpoint = snapshot or ({}, Checkpoint())
        self._replay: Replay | None = None

    def waiting(self) -> dict[str, None]:
        """The empty slots that the learner waits for; by a snapshot without the learner."""
        by_snapshot = self._replay is None and self._open and self._journal is not None
        return self._open if by_snapshot else self.replay().waiting

    def replay(self) -> Replay:
        """The learner, as far as the answers reach; its state is kept as it comes."""
        replay, self._replay = self._replay, None  # lost, if the learner fails
        if replay is None:
            replay = self.begun(self._state.values)
        else:
            replay.advance()
        self._replay = replay
        if self._journal is not None and replay.checkpoint.state is not self._checkpoint.state:
            self._checkpoint = replay.checkpoint.copy()
            write_snapshot(self._journal, replay, self._header.key)
        return replay

    def begun(self, answers: Mapping[str, float]) -> Replay:
        """The learner from its beginning, as far as some answers reach."""
        header = self._header
        try:
            return Replay(
                partial(header.exchange, self._state.parallel(-1), self._state.rounds),
                answers,
                header.seed,
                cells=header.cells,
                shares=header.question_set.shares,
                checkpoint=self._checkpoint,
                horizon=header.horizon,
                parallel=self._state.parallel,
            )
        except Exception:
            if self._checkpoint.state is None:
                raise
            self._checkpoint = Checkpoint()  # it was another learner's
            return self.begun(answers)

    def filled(self, slot: str) -> None:
        """Wait for a slot no more."""
        self._open.pop(slot, None)
        if self._replay is not None:
            self._replay.waiting.pop(slot, None)

    def restart(self) -> None:
        """Begin anew: an answer was taken back, or how it asks was said before the first one."""
        self._replay, self._open, self._checkpoint = None, {}, Checkpoint()

    def close(self) -> None:
        """Leave a snapshot of a long session."""
        replay, self._replay = self._replay, None
        long = self._state.records >= LEAST_RECORDS
        if self._journal is None or replay is None or not long:
            return
        with suppress(Exception):  # of a learner; it is raised when something is asked
            replay.advance()
        if replay.waiting or replay.checkpoint.state is not None:
            write_snapshot(self._journal, replay, self._header.key)


class Replay:
    """A learner, led through slots as far as answers reach, from a checkpoint on.

    It is stopped after ``horizon`` rounds, where it would not ask again within 2^53, and with 10^5
    queries in a row that ask for nothing.
    """

    def __init__(
        self,
        start: Callable[[Checkpoint], Exchange],
        answers: Mapping[str, float],
        seed: int,
        *,
        cells: AnyCells | None = None,
        shares: bool = False,
        checkpoint: Checkpoint | None = None,
        horizon: int | None = None,
        parallel: Callable[[int], int | None] = lambda told: None,
    ) -> None:
        # the last state of the learner that was kept, every hundred answers or fiftieth of all,
        # where it has such states
        self.checkpoint = Checkpoint() if checkpoint is None else checkpoint.copy()
        self.exchange = start(self.checkpoint)
        # the empty slots of the learner's open queries, by id, in its order; empty once it has
        # finished; whoever fills one takes it out
        self.waiting: dict[str, None] = {}
        self._answers, self._seed, self._cells = answers, seed, cells
        self._parallel = parallel  # how many questions it asks at once after so many answers
        self._coins = cells is None and not shares
        rounds, self._doubt = (MOST_ROUNDS, IDLE) if horizon is None else (horizon, AT_HORIZON)
        # slots by row: of the queries that were told or are told next, and of all that are open
        self._taken: dict[Any, int] = dict(self.checkpoint.asked)
        self._opened = dict(self._taken)
        self._told = [
            Slot(row, number, duel=isinstance(row, tuple)).id
            for row, times in self.checkpoint.asked.items()
            for number in range(1, times + 1)
        ]
        self._kept = len(self._told)
        self._left = rounds - self._kept
        self._slots: dict[str, Slot] | None = None  # of the query that is told next
        self._ahead: deque[dict[str, Slot]] = deque()  # of the others of its window
        self._idle = 0  # queries in a row without a slot
        self.advance()

    def advance(self) -> None:
        """Go on as far as the answers reach."""
        exchange = self.exchange
        while not exchange.finished:
            if self._slots is None:
                self._slots = self._begin()
                if self._slots is None:
                    break
            if next(iter(self.waiting), None) in self._slots:
                return
            observed = [(slot, self._valued(slot)) for slot in self._slots.values()]
            self._tell(_observation(exchange.query, iter(observed), self._cells))
            self._slots = None
        self.waiting = {}

    def _tell(self, observation: Any) -> None:
        """Answer the open query, and note what has been asked where the learner keeps its state."""
        checkpoint = self.checkpoint
        checkpoint.parallel = self._parallel(len(self._told))
        self._told += self._slots or ()
        step("answers", len(self._told))
        checkpoint.wanted = len(self._told) >= self._kept + max(_EVERY, self._kept // 50)
        before = checkpoint.state
        self.exchange.tell(observation)
        if checkpoint.state is not before:
            self._kept = len(self._told)
            checkpoint.asked = dict(self._taken)

    @property
    def count(self) -> int:
        """How many answers the learner was told."""
        return len(self._told)

    def told(self) -> list[str]:
        """The slots that count: up to the first without an answer, in the order of asking."""
        answered = takewhile(self._answers.__contains__, self._slots or ())
        return [*self._told, *answered]

    def _begin(self) -> dict[str, Slot] | None:
        """The slots of a new query; None where the horizon ends the learner."""
        query = self.exchange.query
        if query.rounds >= self._left or self._idle > _IDLE_QUERIES:
            self.exchange.stop(self._doubt if query.rounds >= self._left else IDLE)
            return None
        self._left -= query.rounds
        open_ = query.queries if isinstance(query, Window) else (query,)
        for each in open_[len(self._ahead) :]:  # the others stay as they were
            slots = {slot.id: slot for slot in _next_slots(single_queries(each), self._opened)}
            self._ahead.append(slots)
            self.waiting |= dict.fromkeys(key for key in slots if key not in self._answers)
        slots = self._ahead.popleft()
        self._taken |= {slot.row: slot.number for slot in slots.values()}
        self._idle = 0 if slots else self._idle + 1
        return slots

    def _valued(self, slot: Slot) -> float:
        """What the learner is told of a slot: its outcome, where a coin has decided a tie."""
        outcome = self._answers[slot.id]
        if slot.duel and outcome == 0.5 and self._coins:
            return float(drawn(self._seed, f"{slot.id}/tie"))
        return outcome


def _next_slots(queries: Sequence[Any], taken: dict[Any, int]) -> Iterator[Slot]:
    """The next slots of all that queries ask for, in their order; they are taken by this."""
    for query in queries:
        rows: list[tuple[RowKey, int]] = []
        if isinstance(query, Duel):
            pair = (min(query.i, query.j), max(query.i, query.j))
            rows = [(pair, query.times)] if query.i != query.j else []
        elif isinstance(query, Pull):
            rows = [(query.arm, query.times)]
        elif isinstance(query, PullSets):
            rows = [*zip(map(tuple, query.sets), query.times, strict=True)]
        else:
            raise InputError(
                f"the learner asked {query!r}, which a session cannot ask: expected Duel, "
                "Pull, PullSets, or a Batch or Window of these"
            )
        for row, times in rows:
            before = taken.get(row, 0)
            taken[row] = before + times
            for number in range(before + 1, before + times + 1):
                yield Slot(row, number, duel=isinstance(query, Duel))


def _observation(query: Any, answers: Iterator[tuple[Slot, float]], cells: AnyCells | None) -> Any:
    """The observation of a query, of its slots and their values in their order."""
    if isinstance(query, Window):
        query = query.queries[0]
    if isinstance(query, Batch):
        return [_observation(single, answers, cells) for single in query.queries]
    if isinstance(query, Duel):
        if query.i == query.j:
            return 0
        asked = [next(answers) for _ in range(query.times)]
        if isinstance(cells, Cells):
            answered = [outcome for _, outcome in asked if not math.isnan(outcome)]
            hint = cells.hint(asked[0][0]) if query.times == 1 else math.nan
            won = math.fsum(answered)
            sums = CellSums(won, len(answered) - won, hint)
            return sums if query.i < query.j else CellSums(sums.lost, won, 1.0 - hint)
        total = sum(outcome for _, outcome in asked)
        wins = int(total) if total == int(total) else total
        return wins if query.i < query.j else query.times - wins
    if isinstance(query, Pull):
        asked = [next(answers) for _ in range(query.times)]
        values = np.array([value for _, value in asked])
        if isinstance(cells, OutputCells):
            return CellScores(values, np.array([cells.cell(slot).item for slot, _ in asked]))
        return values
    return np.array([float(sum(next(answers)[1] for _ in range(times))) for times in query.times])


def write_snapshot(journal: Journal, replay: Replay, key: str) -> None:
    """Keep what the learner waits for, and its last state; a failure only costs time later."""
    checkpoint = replay.checkpoint
    path, state = Path(f"{journal.path}.snapshot"), checkpoint.state
    with suppress(WriteFailed, OSError):
        before = _content(path) if path.exists() else ""
        if path.is_symlink() or (before and not before.startswith(_BEGIN)):
            return
        log = journal.whole()
        asked = [[row, times] for row, times in checkpoint.asked.items()]
        kept = state and {name: _as_json(value) for name, value in state.items()}
        snapshot: dict[str, Any] = {
            "cpe_opt_snapshot": _FORMAT,
            "bytes": len(log),
            "waiting": list(replay.waiting),
            "checkpoint": kept and {"asked": asked, "state": kept},
        }
        sealed = snapshot | {"seal": _seal(snapshot, log, key)}
        with atomic_write(path) as temporary:
            temporary.write_text(json.dumps(sealed) + "\n", encoding="utf-8")


def read_snapshot(
    path: Path, log: bytes, records: Sequence[Record], header: Header, answered: Collection[str]
) -> tuple[dict[str, None], Checkpoint]:
    """What a snapshot says that the learner waits for, and its last state; of another log none."""
    try:
        snapshot = json.loads(_content(Path(f"{path}.snapshot")))
        seal, log = snapshot.pop("seal"), log[: snapshot["bytes"]]
        sound = seal == _seal(snapshot, log, header.key)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}, Checkpoint()
    since = records[log.count(b"\n") :]
    if not sound or any({"withdraw", "rounds"} & set(record) for record in since):
        return {}, Checkpoint()
    kept, checkpoint = snapshot["checkpoint"], Checkpoint()
    if kept is not None:
        state = {name: _value(each) for name, each in kept["state"].items()}
        rows = ((tuple(row) if isinstance(row, list) else row, n) for row, n in kept["asked"])
        checkpoint = Checkpoint(state, dict(rows))
    waiting = (name for name in snapshot["waiting"] if name not in answered)
    return dict.fromkeys(waiting), checkpoint


def _content(path: Path) -> str:
    """The text of a file; not of a pipe, which never ends."""
    if not path.is_file():
        raise OSError(f"{str(path)!r} is no ordinary file")
    return path.read_text(encoding="utf-8", errors="replace")


def _seal(snapshot: Mapping[str, Any], log: bytes, key: str) -> str:
    """What only this package can say of a snapshot and the log that it follows from."""
    text = json.dumps([source_digest(), snapshot], sort_keys=True).encode()
    return hashlib.blake2b(text + log, digest_size=32, key=key.encode()).hexdigest()


def _as_json(value: Any) -> Any:
    """A number or a text as it is, an array by its bytes."""
    if not isinstance(value, np.ndarray):
        return value
    data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
    return {"shape": value.shape, "type": value.dtype.str, "data": data}


def _value(written: Any) -> Any:
    if not isinstance(written, dict):
        return written
    flat = np.frombuffer(base64.b64decode(written["data"]), np.dtype(written["type"]))
    return flat.reshape(written["shape"]).copy()
