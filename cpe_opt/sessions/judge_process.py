"""A program that answers questions, in a process of its own: lines out, lines in.

Three threads stand between: one writes, one reads lines, one reads what the program says on its
standard error, of which the end is kept. So no full pipe stops anything, whatever the program does
with its ends; and what is waited for is a queue, with a limit of time.

A process leads a group of its own (where the system has these), so that Ctrl-C at the terminal is
not sent to it, and whatever it has started dies with it when it is killed.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.files import os_reason

MOST = 1 << 20
"""Bytes of a line that a program may write."""
GRACE = 2.0
"""Seconds that a program has to end, before it is told more firmly."""
_STDERR = 2000
_WAITING = 8  # lines that were read and not yet asked for


class JudgeFailed(CpeOptError):
    """A program gave no answer that can be used.

    Attributes
    ----------
    ended_well : bool
        Whether it just ended, with the status 0.
    """

    def __init__(self, reason: str, *, ended_well: bool = False) -> None:
        super().__init__(reason)
        self.ended_well = ended_well


class _Broken:
    """In place of a line: why there is none."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


class JudgeProcess:
    """A program that runs.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments; no shell reads them.

    Attributes
    ----------
    answered : int
        How many lines it has given.

    Raises
    ------
    InputError
        Where there is no such program, or it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = os_reason(error) if isinstance(error, OSError) else str(error)
            raise InputError(f"cannot start {command[0]!r}: {reason}") from None
        self.answered = 0
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._incoming: queue.Queue[bytes | _Broken] = queue.Queue(_WAITING)
        self._over = threading.Event()
        self._stderr = bytearray()
        self._threads = [
            threading.Thread(target=self._write, args=(self._process.stdin,), daemon=True),
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._drain, args=(self._process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def ended(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def exchange(self, line: bytes, timeout: float) -> bytes:
        """Send a line, and wait for one.

        Raises
        ------
        JudgeFailed
            Where none comes in time, or the program ends, or the line is too long.
        """
        self._outgoing.put(line)
        try:
            got = self._incoming.get(timeout=timeout)
        except queue.Empty:
            raise JudgeFailed(f"gave no answer in {timeout:g} s{self._saying()}") from None
        if isinstance(got, bytes):
            self.answered += 1
            return got
        if got.reason:
            raise JudgeFailed(got.reason)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        raise JudgeFailed(self._ending(), ended_well=self._process.returncode == 0)

    def stop(self, *, patient: bool) -> None:
        """End the program: by the end of its input where there is time, by signals where not."""
        self._outgoing.put(None)
        if not (patient and self._gone(GRACE)):
            self._signal("SIGTERM")
            if not self._gone(GRACE):
                self.kill()
        self._let_go()

    def kill(self) -> None:
        """End the program at once, and all that it has started."""
        self._signal("SIGKILL")
        self._outgoing.put(None)
        self._gone(GRACE)
        self._let_go()

    def wake(self) -> None:
        """Let go whoever waits for a line: there will be none."""
        with suppress(queue.Empty):
            while True:
                self._incoming.get_nowait()
        with suppress(queue.Full):
            self._incoming.put_nowait(_Broken("was stopped"))

    def _gone(self, seconds: float) -> bool:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self.ended

    def _signal(self, name: str) -> None:
        if self.ended:
            return
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, getattr(signal, name))
            else:
                self._process.terminate()

    def _let_go(self) -> None:
        """Free whoever waits for a line, and the thread that has one to give."""
        self._over.set()
        self.wake()

    def _ending(self) -> str:
        """How it ended, with the last line that it said."""
        status = self._process.returncode
        if status is None:
            how = "closed its output"
        elif status < 0:
            how = f"was ended by signal {-status}"
        else:
            how = f"ended with status {status}"
        self._threads[2].join(0.2)  # what it says last
        return f"{how}{self._saying()}"

    def _saying(self) -> str:
        """The last line on its standard error."""
        said = bytes(self._stderr).decode("utf-8", "replace").strip().splitlines()
        return f", saying {said[-1][-300:]!r}" if said else ""

    def _write(self, pipe: IO[bytes]) -> None:
        with suppress(OSError):
            while (line := self._outgoing.get()) is not None:
                pipe.write(line)
                pipe.flush()
        with suppress(OSError):
            pipe.close()

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            while not self._over.is_set():
                line = pipe.readline(MOST + 1)
                if line.endswith(b"\n"):
                    self._incoming.put(line)
                    continue
                reason = ""
                if len(line) > MOST:
                    reason = f"wrote a line of more than {MOST:,} bytes: {_start(line)!r}"
                elif line:
                    reason = f"ended in the middle of a line: {_start(line)!r}"
                self._incoming.put(_Broken(reason))
                return

    def _drain(self, pipe: IO[bytes]) -> None:
        with pipe:
            while part := pipe.read1(1 << 16):  # type: ignore[attr-defined]
                self._stderr += part
                del self._stderr[:-_STDERR]


def _start(line: bytes) -> str:
    """The start of a line, for messages."""
    return line[:80].decode("utf-8", "replace").rstrip()
