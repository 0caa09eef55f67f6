"""Processes that end with the one that started them, however that one ends."""

from __future__ import annotations

import os
import threading
import time

_ENDING: set[int] = set()  # this process, once it is to end; one that is forked begins anew
_LOOK = 0.5  # seconds between two looks for the parent


def end_with_parent(parent: int) -> None:
    """End this process, without any clean-up, soon after the one that started it has ended.

    (Linux's signal at the parent's death comes when the *thread* that started this process ends,
    and workers outlive the thread that was the first to need them.)
    """
    if os.getpid() not in (parent, *_ENDING):
        _ENDING.add(os.getpid())
        threading.Thread(target=_wait_for_end, args=(parent,), daemon=True).start()


def _wait_for_end(parent: int) -> None:
    import psutil

    # POSIX gives the children of a process that has died to another one; Windows does not.
    while os.getppid() == parent and psutil.pid_exists(parent):
        time.sleep(_LOOK)
    os._exit(1)
