"""Processes that end with the one that started them, however that one ends."""

from __future__ import annotations

import os
import threading
import time

_ENDING: set[int] = set()  # this process, once it is to end; one that is forked begins anew
_LOOK = 0.5  # seconds between two looks for the parent


def end_with_parent(parent: int) -> None:
    """End this process soon after the process ``parent``, which started it, has ended.

    A thread looks for the parent, and ends this process without any clean-up. (Linux's signal at
    the parent's death comes when the *thread* that started this process ends, and workers outlive
    the thread that was the first to need them.)
    """
    if os.getpid() in (parent, *_ENDING):
        return
    _ENDING.add(os.getpid())
    threading.Thread(target=_wait_for_end, args=(parent,), daemon=True).start()


def _wait_for_end(parent: int) -> None:
    while _is_there(parent):
        time.sleep(_LOOK)
    os._exit(1)


def _is_there(parent: int) -> bool:
    """Whether the parent lives; where it has died, POSIX gives its children to another process."""
    if os.name == "posix":
        return os.getppid() == parent
    import psutil

    return bool(psutil.pid_exists(parent))
