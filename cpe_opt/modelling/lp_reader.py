r"""The reader of LP files, as CPLEX, Gurobi, HiGHS, SCIP, PuLP and linopy write them.

What follows a ``\`` is a comment. Keywords are in letters of any size, each alone on its line; the
objective and the rows come first, and each section is there once::

    Minimize | Maximize                     min, max, minimise, minimum, …
      [name:] terms + [factor] [ products ] / 2
    Subject To                              such that, st, s.t., st.
      [name:] terms relation number
      [name:] number relation terms relation number
    Bounds
      column relation number | number relation column [relation number] | column free, one a line
    General                                 gen, generals, integer, integers, int
      columns
    Binary                                  bin, binaries
      columns
    End

- Terms are ``3 x`` and ``x`` with signs between them, and break anywhere into lines; several signs
  before one term multiply, and a column that occurs twice in a row counts twice. A row ends with
  its number, and with it the line. The objective may have constants, too.
- Products are ``3 x ^ 2`` and ``3 x * y``, and are in the objective alone, once, in brackets of
  which the objective has one half: ``[ 2 x ^ 2 ] / 2`` is x², ``3 [ 2 x ^ 2 ] / 2`` is 3 x². Equal
  products are added up.
- A relation is ``<=``, ``=<``, ``<``, ``>=``, ``=>``, ``>`` or ``=``; a strict one is read as the
  other.
- A name has letters, digits and ``!"#$%&(),.;?@_`'{}~|``, brackets with what is between them
  (``x[0,1]``), begins with none of the digits, ``.``, ``,`` and ``;``, ends with none of ``,`` and
  ``;``, is no keyword, and closes what it opens. Rows without one are ``row_`` and their number.
- A bound, General or Binary of a column that no row and no objective has is refused; so is a bound
  of a binary column outside of 0 and 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import InputError
from cpe_opt.modelling.model_file import (
    OTHER_SECTIONS,
    FaultyFile,
    ModelText,
    column_bounds,
    program_of,
)
from cpe_opt.modelling.names import unused_name
from cpe_opt.modelling.program import LinearProgram, Sense
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.validation import checked_text

_LP_SECTIONS = {
    **dict.fromkeys(("min", "minimize", "minimise", "minimum"), "min"),
    **dict.fromkeys(("max", "maximize", "maximise", "maximum"), "max"),
    **dict.fromkeys(("subject to", "such that", "st", "s.t.", "st."), "rows"),
    **dict.fromkeys(("bounds", "bound"), "bounds"),
    **dict.fromkeys(("general", "generals", "gen", "integer", "integers", "int"), "general"),
    **dict.fromkeys(("binary", "binaries", "bin"), "binary"),
    "end": "end",
    **{keyword: keyword for keyword in OTHER_SECTIONS},
}
_RESERVED = {*_LP_SECTIONS, "free", "inf", "infinity"}
_LETTER = r"[^\s<>=:+*^/\[\]\\-]"  # of names
_NAME = rf"(?![0-9.,;]){_LETTER}++(?:\[[^][\s<>=:]*\]{_LETTER}*+)*+"
_NO_TAIL = r"(?![^\sA-DF-Za-df-z<>=:+*^/\[\]\\-])"  # 1e, 1_0 and 1.2.3 are no numbers
_NUMBER = (
    rf"(?:(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?+{_NO_TAIL}"
    rf"|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?+(?!{_LETTER}|\[))"
)
_SIGNS = r"[-+][-+\s]*+"
_SIDE, _RELATION = rf"[-+]?\s*{_NUMBER}", "[<>]=?|=[<>]?"
_LABEL = re.compile(rf"\s*({_NAME})\s*:")
_ROW = re.compile(
    rf"(?:{_LABEL.pattern})?\s*(?:({_SIDE})\s*({_RELATION}))?"
    rf"([^<>=:]*)({_RELATION})\s*({_SIDE})[ \t]*(?:\n\s*|\Z)"
)
# What is neither a sign nor a number nor a name is an item of nothing.
_TERM = re.compile(rf"(?=\S)({_SIGNS})?+({_NUMBER})?+\s*+({_NAME})?+")
_PRODUCTS = re.compile(rf"({_SIGNS}|^\s*)({_NUMBER})?\s*\[([^][]*)\]\s*/\s*2\s*(?=[-+]|\Z)")
_PRODUCT = re.compile(
    rf"(?=\S)({_SIGNS})?({_NUMBER})?\s*({_NAME})?\s*(?:(\^)\s*2(?![0-9.])|\*\s*({_NAME}))?"
)
_BOUND = re.compile(
    rf"(?:({_SIDE})\s*({_RELATION})\s*)?({_NAME})"
    rf"(?:\s*({_RELATION})\s*({_SIDE})|\s+((?i:free)))?"
)
_TURNED = {"<": ">", ">": "<", "": ""}  # without the sign of equality
_BOUND_KINDS = ([""], ["<"], [">"], ["<", ">"])
_EXPECTED = "[name:] terms relation number, with signs between terms, and then the end of the line"


def read_lp(text: ModelText, name: str) -> LinearProgram | QuadraticProgram:
    """The program of an LP file; :class:`FaultyFile` where it does not keep to the format."""
    return _LpReader(text).program(name)


def with_row_texts(program: LinearProgram, rows: Sequence[str]) -> LinearProgram:
    """The same program with rows appended, each a line of text in the grammar of LP files.

    A name may stand before the row, as in ``enough: x_0_3 + 2 x_0_1 >= 0.9``; two sides are written
    ``0.1 <= x_0_3 <= 0.9``. Without a name a row is called after its text's place among those
    given: ``extra_0``, ``extra_1``. Raises ``InputError`` where a text is no row, ``UnknownName``
    where it has a column that the program does not have.

    >>> import cpe_opt as cpe
    >>> program = cpe.copeland_bound_program(cpe.load_instance("gap"), method="compact")
    >>> with_row_texts(program, ["enough: x_0_3 >= 0.9", "x_0_1 - x_0_3 <= 0"]).row_names[-2:]
    ('enough', 'extra_1')
    """
    taken = set(program.row_names)
    for place, text in enumerate(rows):
        checked_text("row", text)
        lines = f"Minimize\nSubject To\n{text}\nEnd\n"
        try:
            read = read_lp(ModelText(Path("row"), lines.encode()), "row")
        except FaultyFile as error:
            what = str(error).partition(": ")[2]
            raise InputError(f"row {text!r}: {what}; expected such as 'x_0_1 >= 0.9'") from None
        if len(read.row_names) != 1:
            raise InputError(f"row {text!r}: expected one row, such as 'x_0_1 >= 0.9'")
        row = read.linear.matrix.tocoo()
        columns = [read.column_names[column] for column in row.coords[1]]
        program = program.with_row(
            dict(zip(columns, row.data.tolist(), strict=True)),
            lower=float(read.linear.row_lower[0]),
            upper=float(read.linear.row_upper[0]),
            name=read.row_names[0] if ":" in text else unused_name("extra", f"_{place}", taken),
        )
    return program


class _LpReader:
    """The sections of a file, without comments, and what they have said so far."""

    def __init__(self, text: ModelText) -> None:
        self.text = text
        self.columns: dict[str, int] = {}
        self.at: list[int] = []  # the columns of all terms
        self.values: list[float] = []
        self.counts: list[int] = []  # of the terms of the objective and of the rows
        self.quadratic: list[tuple[int, int, float]] = []
        self.sections = self._divided(re.sub(r"\\.*", "", text.text).split("\n"))

    def program(self, name: str) -> LinearProgram | QuadraticProgram:
        """Read all sections."""
        sense: Sense = "max" if "max" in self.sections else "min"
        constant = self._read_objective(*self.sections[sense])
        rows, sides = self._read_rows(*self.sections.get("rows", (0, "")))
        bounds, integer = self._read_bounds()
        row = np.repeat(np.arange(-1, len(rows)), self.counts)
        return program_of(
            self.text,
            name,
            sense,
            columns=list(self.columns),
            rows=rows,
            constant=constant,
            entries=(row, np.array(self.at, dtype=np.int64), np.array(self.values)),
            sides=sides,
            bounds=bounds,
            integer=integer,
            quadratic=self.quadratic,
        )

    def _unexpected(self, line: int, rest: str, expected: str) -> NoReturn:
        self.text.refuse(line, f"{' '.join(rest[:100].split())[:40]!r}, expected {expected}")

    def _divided(self, lines: list[str]) -> dict[str, tuple[int, str]]:
        """The sections of these lines: the first line, from 1, and the text."""
        words = [line.strip().lower() for line in lines]
        heads = [k for k, word in enumerate(words) if word in _LP_SECTIONS]
        texts = [k for k, word in enumerate(words) if word] or [0]
        if texts[0] not in heads:
            expected = "Minimize or Maximize first, alone on a line"
            self._unexpected(texts[0] + 1, lines[texts[0]], expected)
        sections: dict[str, tuple[int, str]] = {}
        for head, end in pairwise([*heads, len(lines)]):
            section, body = _LP_SECTIONS[words[head]], "\n".join(lines[head + 1 : end])
            if section in OTHER_SECTIONS:
                if body.strip():
                    self.text.refuse_other(head + 1, section)
                continue  # writers leave such a section empty
            late = section == "rows" and len(sections) > 1
            if late or (section in ("min", "max")) == bool(sections) or section in sections:
                expected = "the objective first, then Subject To, each section once, and End"
                self._unexpected(head + 1, lines[head], expected)
            sections[section] = head + 2, body
            if section == "end":
                break
        else:
            self.text.refuse(texts[-1] + 1, "the file ends without End, as if it had been cut off")
        if texts[-1] != head:
            self._unexpected(texts[-1] + 1, lines[texts[-1]], "nothing after End")
        return sections

    def _column(self, name: str, line: int, *, is_new: bool = False) -> int:
        """The number of a column, perhaps a new one."""
        if name not in self.columns:
            if not is_new:
                what = f"the column {name[:60]!r}, which no row and no objective has"
                self.text.refuse(line, what)
            self.columns[self._checked(name, line)] = len(self.columns)
        return self.columns[name]

    def _checked(self, name: str, line: int) -> str:
        """A name, or :class:`FaultyFile` where it is likely to be something else."""
        if (
            name.lower() in _RESERVED
            or name[-1] in ",;"
            or any(name.count(one) != name.count(other) for one, other in ("()", "{}"))
            or not all(sign.isascii() or sign.isalpha() for sign in name)
        ):
            expected = "a name of letters and digits that is no keyword, with brackets that close"
            self._unexpected(line, name, expected)
        return name

    def _read_objective(self, line: int, body: str) -> float:
        """Note the objective; its constant."""
        line += body[: len(body) - len(body.lstrip())].count("\n")
        if label := _LABEL.match(body):
            self._checked(label[1], line)
            body = body[label.end() :]
        if match := _PRODUCTS.search(body):
            signs, factor, products = match.groups()
            self._read_products(products, line, self._value(signs, factor, line))
            body = body[: match.start()] + body[match.end() :]
        return self._read_terms(line, body, constants=True)

    def _read_products(self, products: str, line: int, factor: float) -> None:
        """Terms of x'Qx, of which the objective has one half."""
        for item in _PRODUCT.finditer(products.strip()):
            signs, number, one, square, other = item.groups()
            if not one or not (square or other) or (item.start() and not signs):
                expected = "products with signs between them, such as 3 x ^ 2 - x * y"
                self._unexpected(line, item.string[item.start() :], expected)
            value = factor * self._value(signs, number, line)
            i, j = (self._column(each, line, is_new=True) for each in (one, other or one))
            # A square is on the diagonal, a product on both sides of it.
            for places in [(i, i)] if i == j else [(i, j), (j, i)]:
                self.quadratic.append((*places, value if i == j else value / 2.0))

    def _value(self, signs: str | None, word: str | None, line: int) -> float:
        value = self.text.number(word, line) if word else 1.0
        return -value if signs and signs.count("-") % 2 else value

    def _read_terms(self, line: int, body: str, *, constants: bool = False) -> float:
        """Note the terms of a row or the objective, which begins in this line; its constant."""
        constant, before = 0.0, len(self.at)
        for place, (signs, word, name) in enumerate(_TERM.findall(body)):
            if (place and not signs) or not (name or (word and constants)):
                item = list(_TERM.finditer(body))[place]
                self._unexpected(line, body[item.start() :], _EXPECTED)
            value = self._value(signs, word, line)
            if name:
                column = self.columns.get(name)
                self.at.append(self._column(name, line, is_new=True) if column is None else column)
                self.values.append(value)
            else:
                constant += value
        self.counts.append(len(self.at) - before)
        return constant

    def _read_rows(self, line: int, body: str) -> tuple[list[str], FloatArray]:
        """The names of rows, and their sides."""
        names, sides = [], []
        place = len(body) - len(body.lstrip())
        line += body.count("\n", 0, place)
        while place < len(body):
            row = _ROW.match(body, place)
            if not row or not row[4].strip():
                self._unexpected(line, body[place:], _EXPECTED)
            name, first, before, terms, relation, second = row.groups(default="")
            kind = relation.strip("=")
            if before and (not kind or before.strip("=") != kind):
                self._unexpected(line, row[0], "number <= terms <= number, or a row for each")
            names.append(name and self._checked(name, line))
            self._read_terms(line, terms)
            endless = "inf" if kind == ">" else "-inf"
            side = self.text.number(second, line)
            other = self.text.number(first or endless, line) if kind else side
            sides.append((side, other) if kind == ">" else (other, side))
            line += row[0].count("\n")
            place = row.end()
        taken = set(names)
        rows = [name or unused_name(f"row_{k}", "", taken) for k, name in enumerate(names)]
        return rows, np.array(sides).reshape(-1, 2).T

    def _lines(self, section: str) -> list[tuple[int, str]]:
        """The lines of a section that are not blank, with their numbers."""
        first, body = self.sections.get(section, (0, ""))
        lines = enumerate(body.split("\n"), first)
        return [(line, text.strip()) for line, text in lines if text.strip()]

    def _read_bounds(self) -> tuple[FloatArray, BoolArray]:
        """Bounds of columns, and which columns are whole."""
        lines = self._lines("bounds")
        bound_of = [self._bound(line, text) for line, text in lines]
        bounds, stated = column_bounds(
            self.text,
            len(self.columns),
            np.array([column for column, _, _ in bound_of], dtype=np.int64),
            np.array([both for _, *both in bound_of]).reshape(-1, 2).T,
            np.array([line for line, _ in lines], dtype=np.int64),
        )
        integer = np.zeros(len(self.columns), dtype=np.bool_)
        for section in ("general", "binary"):
            for line, text in self._lines(section):
                columns = [self._column(name, line) for name in text.split()]
                integer[columns] = True
                if section == "binary":
                    bounds[1, columns] = np.where(stated[1, columns], bounds[1, columns], 1.0)
                    if (bounds[0, columns] < 0.0).any() or (bounds[1, columns] > 1.0).any():
                        self._unexpected(line, text, "binary columns, with bounds of 0 and 1")
        return bounds, integer

    def _bound(self, line: int, text: str) -> tuple[int, float, float]:
        """The column of a bound, and the lower and upper one, or nan."""
        match = _BOUND.fullmatch(text)
        left, before, name, after, right, free = match.groups(default="") if match else [""] * 6
        sides = [(">", "-inf"), ("<", "inf")] if free else []
        sides += [(_TURNED[before.strip("=")], left)] if before else []
        sides += [(after.strip("="), right)] if after else []
        if sorted(kind for kind, _ in sides) not in _BOUND_KINDS:
            self._unexpected(line, text, "a bound such as x <= 4, 0 <= x <= 4 or x free")
        lower = upper = np.nan
        for kind, word in sides:
            value = self.text.number(word, line)
            lower = lower if kind == "<" else value
            upper = upper if kind == ">" else value
        return self._column(name, line), lower, upper
