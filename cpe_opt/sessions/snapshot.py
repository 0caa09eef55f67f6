"""The open questions of a session, kept next to its log so that a long session opens fast.

A learner has to be led through all answers to know what it asks next. So whoever closes a long
session leaves a *snapshot*, ``<log>.snapshot``: the empty slots that the learner waits for, and
which bytes of which log they follow from, by their number and a digest. Who opens the session next
needs the learner only when all of these are filled.

A snapshot is a hint, and never trusted alone. It counts only where

- the log begins with the very bytes that it names, as their digest says, and the package is the
  one that made it;
- no answer was taken back since;
- every slot is one that this session has, and the slots before it in its row are filled or open.

Any other is as good as none: the learner is led through the log, and a new snapshot replaces it.
What it can decide is which questions are asked next. What is answered, finished or proved is always
led through the log itself; and an answer to a question that the learner does not ask yet stays, and
counts when it is asked for, so that not even a forged snapshot makes a proof wrong.

It is plain JSON, written to a temporary name and renamed. It may be deleted at any time. A file of
this name that is no snapshot is left alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from cpe_opt.errors import WriteFailed
from cpe_opt.files import atomic_write
from cpe_opt.fingerprint import source_digest
from cpe_opt.sessions.items import Cells
from cpe_opt.sessions.journal import Journal, Record
from cpe_opt.sessions.question_set import QuestionSet
from cpe_opt.sessions.replay import Slot

LEAST_RECORDS = 1000
"""A shorter log is read as fast as a snapshot of it."""
_BEGIN = b'{"cpe_opt_snapshot":'
_FORMAT = 1


def snapshot_path(log: Path) -> Path:
    """Where the snapshot of a log is."""
    return Path(f"{log}.snapshot")


def write_snapshot(journal: Journal, waiting: Collection[str]) -> None:
    """Keep what the learner waits for after all that is in the journal.

    A disk or a folder that takes no snapshot is no error: it only costs time later.
    """
    path = snapshot_path(journal.path)
    with suppress(OSError):
        if path.is_symlink() or (path.exists() and not _is_ours(path.read_bytes())):
            return
    with suppress(WriteFailed, OSError):
        log = journal.beginning(journal.length)
        content = {
            "cpe_opt_snapshot": _FORMAT,
            "source": source_digest(),
            "bytes": len(log),
            "digest": _digest(log),
            "waiting": list(waiting),
        }
        with atomic_write(path) as temporary:
            temporary.write_text(json.dumps(content) + "\n", encoding="utf-8")


def read_snapshot(
    journal: Journal,
    question_set: QuestionSet,
    answered: Mapping[str, Any],
    cells: Cells | None = None,
) -> dict[str, Slot]:
    """The empty slots that the learner waits for; empty where nothing tells but the log.

    Parameters
    ----------
    journal : Journal
        As it was opened.
    question_set : QuestionSet
    answered : mapping
        The slots that have an answer, by id.
    cells : Cells, optional
        Those of a test set.
    """
    try:
        data = snapshot_path(journal.path).read_bytes()
        content = json.loads(data) if _is_ours(data) else {}
        log = journal.beginning(content["bytes"])
        sound = (
            content["cpe_opt_snapshot"] == _FORMAT
            and content["source"] == source_digest()
            and content["digest"] == _digest(log)
            and content["bytes"] == len(log)
            and log.endswith(b"\n")
        )
        if not sound or _taken_back(journal.records[log.count(b"\n") :]):
            return {}
        slots = {str(name): Slot.of_id(str(name)) for name in content["waiting"]}
    except (OSError, ValueError, LookupError, TypeError):
        return {}
    if not _are_next(slots, question_set, answered):
        return {}
    if cells is not None and any(s.number > cells.remaining[s.row] for s in slots.values()):
        return {}
    return {name: slot for name, slot in slots.items() if name not in answered}


def _digest(log: bytes) -> str:
    return hashlib.blake2b(log, digest_size=32).hexdigest()


def _is_ours(content: bytes) -> bool:
    """Whether a file is a snapshot, perhaps a damaged one, or empty."""
    return content.startswith(_BEGIN) or not content


def _taken_back(records: Sequence[Record]) -> bool:
    """Whether a record does more than to hand out, answer, skip or leave out a question."""
    return any(not {"ask", "answer", "skip", "leave_out"} & set(record) for record in records)


def _are_next(
    slots: Mapping[str, Slot], question_set: QuestionSet, answered: Mapping[str, Any]
) -> bool:
    """Whether these are slots of the session, in rows that are filled or open before them."""
    for name, slot in slots.items():
        before = Slot(slot.row, slot.number - 1, slot.duel).id
        first = slot.number == 1
        if slot.id != name or not (first or before in answered or before in slots):
            return False
        if not _is_asked_about(slot, question_set):
            return False
    return True


def _is_asked_about(slot: Slot, question_set: QuestionSet) -> bool:
    """Whether a session about this may ask for a slot."""
    numbers = (slot.row,) if isinstance(slot.row, int) else slot.row
    if not all(0 <= number < len(question_set.labels) for number in numbers):
        return False
    if slot.duel != (question_set.family in ("dueling", "matchings")):
        return False
    if question_set.family == "matchings" and question_set.known is not None:
        first, second = (question_set.known.edges[number] for number in numbers)
        return numbers[0] < numbers[1] and first[1] == second[1]
    return not slot.duel or numbers[0] < numbers[1]
