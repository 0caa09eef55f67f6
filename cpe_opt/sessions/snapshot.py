"""The open questions of a session, kept next to its log so that a long session opens fast.

A learner has to be led through all answers to know what it asks next, and may take long to choose
it. So whoever closes a session that took long leaves a *snapshot*, ``<log>.snapshot``: the empty
slots that the learner waits for, and which bytes of which log they follow from, by their number and
a digest. Who opens the session next needs the learner only when all of these are filled.

It counts only where

- the log begins with the very bytes that it names, as their digest says, and the package is the
  one that made it;
- no answer was taken back since, and no learner told to have another number of questions open;
- every slot is one that this session has, and the slots before it in its row are filled or open.

Any other is as good as none: the learner is led through the log, and a new snapshot replaces it.
The slots are a hint that decides which questions are asked next. An answer to a question that the
learner does not ask yet stays, and counts when it is asked for.

**The learner's state.** Some learners can write down all that they know between two blocks of
questions (:class:`cpe_opt.learners.tracking.Checkpoint`). A snapshot then has the last such state
and how many duels of each pair it follows from, and who looks at the session leads the learner
through the answers since. It is written while the session runs, every hundred answers or fiftieth
of all. It is sealed, by a digest with the key of the log's first line, so that neither damage nor
the snapshot of another session is taken for it. Who can read the log can make such a seal, and
could as well add answers to the log; there is no protection from that.

It is plain JSON, written to a temporary name and renamed. It may be deleted at any time. A file of
this name that is no snapshot is left alone.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from cpe_opt.errors import WriteFailed
from cpe_opt.files import atomic_write
from cpe_opt.fingerprint import source_digest
from cpe_opt.learners.tracking import Checkpoint
from cpe_opt.sessions.header import Header
from cpe_opt.sessions.journal import Journal, Record
from cpe_opt.sessions.question_set import QuestionSet, is_asked_about
from cpe_opt.sessions.replay import Slot

LEAST_RECORDS = 1000
"""A shorter log is read as fast as a snapshot of it, unless its learner takes long."""
LEAST_SECONDS = 0.1
"""Of processor time: what it takes to load and lead a learner that is worth a snapshot."""
_BEGIN = b'{"cpe_opt_snapshot":'
_FORMAT = 1


def snapshot_path(log: Path) -> Path:
    """Where the snapshot of a log is."""
    return Path(f"{log}.snapshot")


@dataclass(frozen=True)
class Snapshot:
    """What is taken from a snapshot."""

    # the empty slots that the learner waits for; empty if nothing tells but the log
    waiting: dict[str, Slot] = field(default_factory=dict)
    # the last state of the learner, if there is one
    checkpoint: Checkpoint = field(default_factory=Checkpoint)


def write_snapshot(
    journal: Journal, waiting: Collection[str], checkpoint: Checkpoint, key: str
) -> None:
    """Keep what the learner waits for, and its last state; a failure only costs time later."""
    path = snapshot_path(journal.path)
    with suppress(OSError):
        if path.is_symlink() or (path.exists() and not path.is_file()):
            return
        if path.exists() and not _is_ours(path.read_bytes()):
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
        if checkpoint.state is not None:
            kept = {
                "asked": [[i, j, times] for (i, j), times in checkpoint.asked.items()],
                "state": {name: _written(value) for name, value in checkpoint.state.items()},
            }
            content |= {"checkpoint": kept, "seal": _seal(kept, _digest(log), key)}
        with atomic_write(path) as temporary:
            temporary.write_text(json.dumps(content) + "\n", encoding="utf-8")


def read_snapshot(
    path: Path, log: bytes, records: Sequence[Record], header: Header, answered: Mapping[str, Any]
) -> Snapshot:
    """What a snapshot tells, nothing where it is not that of the log."""
    try:
        data = _content(snapshot_path(path))
        content = json.loads(data) if _is_ours(data) else {}
        log = log[: content["bytes"]]
        sound = (
            content["cpe_opt_snapshot"] == _FORMAT
            and content["source"] == source_digest()
            and content["digest"] == _digest(log)
            and content["bytes"] == len(log)
            and log.endswith(b"\n")
        )
        lines = log.count(b"\n")
        if not sound or lines > len(records) or _taken_back(records[lines:]):
            return Snapshot()
        slots = {str(name): Slot.of_id(str(name)) for name in content["waiting"]}
        checkpoint = _read_checkpoint(content, header.key)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError):
        return Snapshot()
    if not _are_next(slots, header.question_set, answered):
        return Snapshot()
    cells = header.cells
    if cells is not None and any(s.number > cells.remaining[s.row] for s in slots.values()):
        return Snapshot()
    return Snapshot(
        {name: slot for name, slot in slots.items() if name not in answered}, checkpoint
    )


def _read_checkpoint(content: Mapping[str, Any], key: str) -> Checkpoint:
    """The state of the learner, where it has the seal."""
    kept = content.get("checkpoint")
    if kept is None or content["seal"] != _seal(kept, content["digest"], key):
        return Checkpoint()
    asked = {(i, j): times for i, j, times in kept["asked"]}
    return Checkpoint({name: _read(value) for name, value in kept["state"].items()}, asked)


def _seal(kept: Mapping[str, Any], digest: str, key: str) -> str:
    text = json.dumps([digest, kept], sort_keys=True).encode()
    return hashlib.blake2b(text, digest_size=32, key=key.encode()).hexdigest()


def _written(value: Any) -> Any:
    """A number or a text as it is, an array by its bytes."""
    if not isinstance(value, np.ndarray):
        return value
    data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
    return {"shape": value.shape, "type": value.dtype.str, "data": data}


def _read(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    flat = np.frombuffer(base64.b64decode(value["data"]), np.dtype(value["type"]))
    return flat.reshape(value["shape"]).copy()


def _digest(log: bytes) -> str:
    return hashlib.blake2b(log, digest_size=32).hexdigest()


def _content(path: Path) -> bytes:
    """What is in a file; of what is none, such as a pipe, which never ends, it is refused."""
    if not path.is_file():
        raise OSError(f"{str(path)!r} is no ordinary file")
    return path.read_bytes()


def _is_ours(content: bytes) -> bool:
    """Whether a file is a snapshot, perhaps a damaged one, or empty."""
    return content.startswith(_BEGIN) or not content


def _taken_back(records: Sequence[Record]) -> bool:
    """Whether a record may change what was asked before it."""
    return any({"withdraw", "parallel"} & set(record) for record in records)


def _are_next(
    slots: Mapping[str, Slot], question_set: QuestionSet, answered: Mapping[str, Any]
) -> bool:
    """Whether these are slots of the session, in rows that are filled or open before them."""
    for name, slot in slots.items():
        before = Slot(slot.row, slot.number - 1, slot.duel).id
        first = slot.number == 1
        if slot.id != name or not (first or before in answered or before in slots):
            return False
        if not is_asked_about(slot, question_set):
            return False
    return True
