"""The workers of HiGHS, which every thread of a process has for itself.

A thread that solves starts workers of its own, once, for one number of threads; a later solve of
the same thread that asks for another number fails, whatever other threads do. So a thread ends its
workers before it asks for another number. And a process that is forked by a thread with workers
inherits a scheduler without them, and would wait for them for ever: they are ended before a fork.
"""

from __future__ import annotations

import os
import threading
from typing import Any


class Scheduler(threading.local):
    """With how many threads the workers of this thread were started.

    Attributes
    ----------
    threads : int or None
        None where there are none.
    """

    def __init__(self) -> None:
        self.threads: int | None = None
        self._module: Any = None

    def prepare(self, module: Any, threads: int) -> None:
        """Let HiGHS, the module ``highspy``, solve with this number of threads in this thread."""
        if self.threads != threads:
            self.end_workers()
        self._module, self.threads = module, threads

    def end_workers(self) -> None:
        """End the workers of this thread, if it has any."""
        if self.threads is not None:
            self._module.Highs.resetGlobalScheduler(True)
            self.threads = None


SCHEDULER = Scheduler()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=SCHEDULER.end_workers)
