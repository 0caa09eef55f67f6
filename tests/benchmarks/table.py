"""Rows of the table, and their lines."""

import sys
from dataclasses import dataclass

_WIDTHS = (60, 10, 10, 8, 8, 7)


@dataclass(frozen=True)
class Row:
    """One task.

    ``ours`` and ``alternative`` are in ``unit`` (None where a limit ended the task), ``bar`` is the
    most that ``ours`` may be. The ratio is that of the alternative to ours.
    """

    task: str
    ours: float | None
    alternative: float | None = None
    bar: float | None = None
    unit: str = "s"
    note: str = ""

    @property
    def ratio(self):
        if self.ours is None or self.alternative is None:
            return None
        return self.alternative / self.ours

    @property
    def is_met(self):
        """Whether ours is within the bar; None without one."""
        if self.bar is None:
            return None
        return self.ours is not None and self.ours <= self.bar

    def as_dict(self):
        return {
            "task": self.task,
            "ours": self.ours,
            "alternative": self.alternative,
            "ratio": self.ratio,
            "bar": self.bar,
            "met": self.is_met,
            "unit": self.unit,
            "note": self.note,
        }


def cells(row):
    """What a line of the table shows of a row, as text."""
    met = {None: "", True: "met", False: "missed"}[row["met"]]
    ratio = "" if row["ratio"] is None else f"{row['ratio']:.1f}x"
    ours = "not done" if row["ours"] is None else number(row["ours"])
    return [row["task"], ours, number(row["alternative"]), ratio, number(row["bar"]), met]


def number(value):
    """Four digits; nothing for None."""
    return "" if value is None else f"{value:.4g}"


def rounds_text(rounds):
    """A power of ten as 1e6."""
    return f"{rounds:.0e}".replace("e+0", "e").replace("e+", "e")


def print_line(entries, unit, note):
    first, *others = (f"{entry:{width}}" for entry, width in zip(entries, _WIDTHS, strict=True))
    print(first, *(text.rstrip().rjust(len(text)) for text in others), unit, note, file=sys.stderr)


def print_head():
    print_line(["task", "ours", "other", "ratio", "bar", ""], "unit", "note")


def print_row(row):
    print_line(cells(row.as_dict()), row.unit, row.note)
