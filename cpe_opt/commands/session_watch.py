"""How far a session is, computed beside what else happens.

It takes a few percent of the time, as long as a look takes less than half a second of computation.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from cpe_opt.sessions.outlook import Outlook

_REST = 20.0  # times as long as it took
_LEAST, _MOST = 0.05, 10.0  # seconds between two


class Watch:
    """Looks at a session in a thread of its own; a context manager.

    Parameters
    ----------
    look : callable
        Which may take long.

    Attributes
    ----------
    line : str
        What was seen last, in one line; empty at first.
    """

    def __init__(self, look: Callable[[], Outlook]) -> None:
        self.line = ""
        self._look = look
        self._changed, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def changed(self) -> None:
        """Say that there is something new to see."""
        self._changed.set()

    def __enter__(self) -> Self:
        self._thread.start()
        self._changed.set()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._changed.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        rest = 0.0  # after the first look, which loads what it needs
        while True:
            self._changed.wait()
            self._changed.clear()
            if self._over.is_set():
                return
            began = time.thread_time()
            try:
                self.line = self._look().line
            except Exception as error:
                self.line = f"cannot say how far it is: {error}"
                return
            if self._over.wait(min(_MOST, max(_LEAST, rest * (time.thread_time() - began)))):
                return
            rest = _REST
