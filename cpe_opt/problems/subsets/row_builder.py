"""What a decision class needs of a builder of programs, to write its rows."""

from __future__ import annotations

import math
from typing import Any, Protocol

from cpe_opt.arrays import IntArray


class RowBuilder(Protocol):
    """What a class needs of a builder of programs, :class:`cpe_opt.ProgramBuilder`."""

    def columns(
        self,
        block: str,
        keys: Any,
        *,
        cost: Any = 0.0,
        lower: Any = 0.0,
        upper: Any = math.inf,
        integer: bool = False,
    ) -> IntArray:
        """Add columns; returns their numbers."""

    def rows(
        self,
        block: str,
        keys: Any,
        row: Any,
        column: Any,
        value: Any = 1.0,
        *,
        lower: Any = -math.inf,
        upper: Any = math.inf,
    ) -> IntArray:
        """Add rows from entries (row within the block, column, value)."""

    def row(
        self,
        name: str,
        column: Any,
        value: Any = 1.0,
        *,
        lower: float = -math.inf,
        upper: float = math.inf,
    ) -> int:
        """Add one row."""
