r"""Semi-continuous columns, special ordered sets and indicators as whole columns and linear rows.

Files of other hands have them; a :class:`~cpe_opt.modelling.program.LinearProgram` says the same by
columns that are 0 or 1, without a loss: the points are the same, up to the added columns.

- A *semi-continuous* column x is 0, or lies between its bounds :math:`\ell \le x \le \upsilon`.
  Where these do not include 0, with a column z in {0, 1}: :math:`\ell z \le x \le \upsilon z`.
- Of a *special ordered set* of type 1 at most one column is not 0: :math:`\ell_j z_j \le x_j \le
  \upsilon_j z_j` and :math:`\sum_j z_j \le 1`. Of type 2 at most two are, and they are neighbours
  in the order of their weights: each pair of neighbours has a column :math:`z_k`, at most one of
  which is 1, and :math:`\ell_j (z_{j-1} + z_j) \le x_j \le \upsilon_j (z_{j-1} + z_j)`.
- An *indicator* b = 1 asks for a row :math:`l \le a^\top x \le u`. With the least and the largest
  value m and M that its terms can have within the bounds of their columns: :math:`a^\top x \ge m +
  (l - m) b` and :math:`a^\top x \le M + (u - M) b`; and with 1 - b for b where b = 0 asks for it.

This takes finite bounds, and what is without them is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import scipy.sparse as sp

from cpe_opt.errors import InputError
from cpe_opt.modelling.names import unused_name
from cpe_opt.modelling.program import LinearProgram, RowBlock

Refuse = Callable[[int, str], InputError]


@dataclass(frozen=True)
class OrderedSet:
    """A special ordered set: its type, 1 or 2, and its columns by weight."""

    type: int
    columns: Mapping[int, float]
    line: int


@dataclass(frozen=True)
class Indicator:
    """The column and its value, 0 or 1, at which a row is asked for."""

    column: int
    value: int
    line: int


@dataclass
class Conditions:
    """What a file says besides columns and rows, each with its line.

    ``semicontinuous`` are numbers of columns with their lines, ``indicators`` are those of rows.
    """

    semicontinuous: dict[int, int] = field(default_factory=dict)
    sets: dict[str, OrderedSet] = field(default_factory=dict)
    indicators: dict[int, Indicator] = field(default_factory=dict)

    def applied(self, program: LinearProgram, refuse: Refuse) -> LinearProgram:
        """The program with these conditions; ``refuse`` makes the error of a line and a reason."""
        if not (self.semicontinuous or self.sets or self.indicators):
            return program
        growing = _Growing(program, refuse)
        for column, line in self.semicontinuous.items():
            growing.add_semicontinuous(column, line)
        for name, ordered in self.sets.items():
            growing.add_set(name, ordered)
        for row, indicator in self.indicators.items():
            growing.add_indicator(row, indicator)
        return growing.program(list(self.indicators))


class _Growing:
    """A program with columns and rows that are added one by one."""

    def __init__(self, program: LinearProgram, refuse: Refuse) -> None:
        self._program, self._refuse = program, refuse
        self._lower, self._upper = program.column_lower.copy(), program.column_upper.copy()
        self._taken = {*program.column_names}
        self._taken_rows = {*program.row_names}
        self._columns: list[str] = []
        self._rows: list[tuple[str, dict[int, float], float, float]] = []

    def program(self, replaced: list[int]) -> LinearProgram:
        """The program with all that was added, and without the rows that were replaced."""
        base, added = self._program, len(self._columns)
        keep = np.ones(base.shape[0], dtype=np.bool_)
        keep[replaced] = False
        rest = base.row_block.select(keep)
        wider = sp.csr_array((len(rest), added))
        program = replace(
            base,
            costs=np.append(base.costs, np.zeros(added)),
            column_lower=np.append(self._lower, np.zeros(added)),
            column_upper=np.append(self._upper, np.ones(added)),
            integer=np.append(base.integer, np.ones(added, dtype=np.bool_)),
            matrix=sp.csr_array(sp.hstack([rest.matrix, wider], format="csr")),
            row_lower=rest.lower,
            row_upper=rest.upper,
            column_names=(*base.column_names, *self._columns),
            row_names=rest.names,
        )
        matrix = sp.lil_array((len(self._rows), program.shape[1]))
        for row, (_, entries, _, _) in enumerate(self._rows):
            for column, value in entries.items():
                matrix[row, column] = value
        names, _, lower, upper = zip(*self._rows, strict=True) if self._rows else ((),) * 4
        block = RowBlock(sp.csr_array(matrix), np.array(lower), np.array(upper), tuple(names))
        return program.with_rows(block) if self._rows else program

    def add_semicontinuous(self, column: int, line: int) -> None:
        """Let a column be 0, too."""
        name = self._program.column_names[column]
        lower, upper = self._finite(column, line, f"the semi-continuous column {name!r}")
        if lower <= 0.0 <= upper:
            return
        switch = self._switch(f"{name}_on")
        self._between(column, [switch], lower, upper)
        self._lower[column], self._upper[column] = min(lower, 0.0), max(upper, 0.0)

    def add_set(self, name: str, ordered: OrderedSet) -> None:
        """At most one column, or two neighbours, other than 0."""
        columns = sorted(ordered.columns, key=lambda column: ordered.columns[column])
        count = len(columns) + 1 - ordered.type  # of switches
        if count <= 1:
            return
        bounds = {}
        for column in columns:
            what = f"the column {self._program.column_names[column]!r} of the set {name!r}"
            lower, upper = self._finite(column, ordered.line, what)
            if not lower <= 0.0 <= upper:
                raise self._refuse(
                    ordered.line,
                    f"{what}, which cannot be 0: it has the bounds [{lower:g}, {upper:g}]",
                )
            bounds[column] = lower, upper
        switches = [self._switch(f"{name}_{place}") for place in range(count)]
        for place, column in enumerate(columns):
            near = switches[max(0, place + 1 - ordered.type) : place + 1]
            self._between(column, near, *bounds[column])
        self._add_row(name, dict.fromkeys(switches, 1.0), -math.inf, 1.0)

    def add_indicator(self, row: int, indicator: Indicator) -> None:
        """Ask for a row where a column has a value."""
        program, column = self._program, indicator.column
        name, switch = program.row_names[row], program.column_names[column]
        within = self._lower[column] >= 0.0 and self._upper[column] <= 1.0
        if not (program.integer[column] and within):
            raise self._refuse(
                indicator.line, f"the indicator {switch!r} of {name!r}, which is not 0 or 1"
            )
        entries = slice(program.matrix.indptr[row], program.matrix.indptr[row + 1])
        places = program.matrix.indices[entries].tolist()
        terms = dict(zip(places, program.matrix.data[entries].tolist(), strict=True))
        if column in terms:
            raise self._refuse(
                indicator.line, f"the indicator {switch!r} in the row {name!r} that it asks for"
            )
        two_sided = np.isfinite(program.row_lower[row]) and np.isfinite(program.row_upper[row])
        for sign, side, end in (
            (1.0, program.row_lower[row], "_lo"),
            (-1.0, -program.row_upper[row], "_up"),
        ):
            if not np.isfinite(side):
                continue
            least = self._least({place: sign * value for place, value in terms.items()})
            if not math.isfinite(least):
                raise self._refuse(
                    indicator.line,
                    f"the indicator row {name!r}, whose terms have no finite "
                    f"{'lower' if sign > 0 else 'upper'} bound within the bounds of its columns",
                )
            # sign a'x >= least + (side - least) b, and b may be 1 - b.
            rise = max(0.0, side - least)
            asked = {place: sign * value for place, value in terms.items()}
            asked[column] = -rise if indicator.value else rise
            floor = least if indicator.value else least + rise
            own = name + end if two_sided else name
            signed = {place: sign * value for place, value in asked.items()}
            ends = (floor, math.inf) if sign > 0 else (-math.inf, -floor)
            self._taken_rows.discard(name)
            self._add_row(own, signed, *ends)

    def _least(self, terms: Mapping[int, float]) -> float:
        """The least value of the terms within the bounds of their columns, rounded down."""
        ends = [
            value * (self._lower[place] if value > 0.0 else self._upper[place])
            for place, value in terms.items()
            if value
        ]
        least = math.fsum(ends)
        exact = all(float(each).is_integer() and abs(each) < 2.0**40 for each in ends)
        return least if exact else math.nextafter(least, -math.inf)

    def _finite(self, column: int, line: int, what: str) -> tuple[float, float]:
        """The bounds of a column."""
        lower, upper = float(self._lower[column]), float(self._upper[column])
        for bound, end in ((lower, "lower"), (upper, "upper")):
            if not math.isfinite(bound):
                raise self._refuse(line, f"{what} has no {end} bound, expected a finite one")
        return lower, upper

    def _switch(self, name: str) -> int:
        """The number of a new column of 0 or 1."""
        self._columns.append(unused_name(name, "", self._taken))
        return self._program.shape[1] + len(self._columns) - 1

    def _between(self, column: int, switches: list[int], lower: float, upper: float) -> None:
        """The column lies between its bounds times the sum of the switches."""
        name = self._program.column_names[column]
        for bound, end in ((lower, "_lo"), (upper, "_up")):
            if bound == 0.0:  # the column's own bound says it
                continue
            entries = {column: 1.0, **dict.fromkeys(switches, -bound)}
            sides = (0.0, math.inf) if end == "_lo" else (-math.inf, 0.0)
            self._add_row(f"{name}{end}", entries, *sides)

    def _add_row(self, name: str, entries: dict[int, float], lower: float, upper: float) -> None:
        row = unused_name(name, "", self._taken_rows)
        self._rows.append((row, {k: v for k, v in entries.items() if v}, lower, upper))
