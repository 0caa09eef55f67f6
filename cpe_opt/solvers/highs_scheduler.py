"""The scheduler that all HiGHS objects of a process share, and who may use it when.

HiGHS starts its worker threads once a process, for one number of threads; a solve that asks for
another number fails, and a process forked from one that has workers inherits a scheduler without
them, and waits for them for ever. So solves with the same number of threads run side by side,
others wait for them to end; and before a fork the workers are sent home.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Scheduler:
    """Who is solving, and with how many threads the workers were started."""

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.Lock())
        self._solving = 0
        self._threads: int | None = None
        self._module: Any = None

    @contextmanager
    def solving(self, module: Any, threads: int) -> Iterator[None]:
        """Let HiGHS, the module ``highspy``, solve with this number of threads."""
        with self._changed:
            self._changed.wait_for(lambda: not self._solving or self._threads == threads)
            if self._threads not in (None, threads):
                module.Highs.resetGlobalScheduler(True)
            self._module, self._threads = module, threads
            self._solving += 1
        try:
            yield
        finally:
            with self._changed:
                self._solving -= 1
                self._changed.notify_all()

    def before_fork(self) -> None:
        """Wait until nobody solves, and end the workers; nobody starts before the fork is done."""
        self._changed.acquire()
        self._changed.wait_for(lambda: not self._solving)
        if self._threads is not None:
            self._module.Highs.resetGlobalScheduler(True)
            self._threads = None

    def after_fork(self) -> None:
        """Let solves begin again, in parent and child."""
        self._changed.release()


SCHEDULER = Scheduler()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=SCHEDULER.before_fork,
        after_in_parent=SCHEDULER.after_fork,
        after_in_child=SCHEDULER.after_fork,
    )
