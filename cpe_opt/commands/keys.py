"""Single keys from a terminal, and lines where there is none."""

from __future__ import annotations

import os
import select
import sys
from types import TracebackType
from typing import Any, Self

_ARROWS = {b"\x1b[D": "left", b"\x1b[C": "right", b"\x1bOD": "left", b"\x1bOC": "right"}
_ON_WINDOWS = {"K": "left", "M": "right"}


def at_terminal() -> bool:
    """Whether a person can press keys and see what happens."""
    return sys.stdin.isatty() and sys.stdout.isatty()


class Keys:
    """Keys as they are pressed, without Enter and without being shown; a context manager.

    Ctrl-C stays what it is. Where the terminal cannot do this, :class:`OSError` is raised.
    """

    def __init__(self) -> None:
        self._before: Any = None

    def __enter__(self) -> Self:
        if sys.platform != "win32":
            import termios
            import tty

            try:
                self._before = termios.tcgetattr(sys.stdin)
                tty.setcbreak(sys.stdin, termios.TCSADRAIN)
            except termios.error as error:
                raise OSError(*error.args) from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if sys.platform != "win32" and self._before is not None:
            import termios

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)

    def read(self, seconds: float) -> str | None:
        """The next key: a letter, ``left`` or ``right``; empty at the end, None if none came."""
        if sys.platform == "win32":
            return _read_windows(seconds)
        handle = sys.stdin.fileno()
        if not select.select([handle], [], [], seconds)[0]:
            return None
        try:
            pressed = os.read(handle, 1)
        except OSError:  # the terminal is gone
            return ""
        if pressed == b"\x1b":
            while len(pressed) < 3 and select.select([handle], [], [], 0.02)[0]:
                pressed += os.read(handle, 1)
            return _ARROWS.get(pressed, "escape")
        return "" if pressed in (b"", b"\x04") else pressed.decode("utf-8", "replace").lower()


def _read_windows(seconds: float) -> str | None:
    import msvcrt
    import time

    keyboard: Any = msvcrt
    until = time.monotonic() + seconds
    while not keyboard.kbhit():
        if time.monotonic() > until:
            return None
        time.sleep(0.01)
    pressed = str(keyboard.getwch())
    if pressed in ("\x00", "\xe0"):
        return _ON_WINDOWS.get(str(keyboard.getwch()), "escape")
    if pressed == "\x03":
        raise KeyboardInterrupt
    return "" if pressed == "\x1a" else pressed.lower()
