r"""The reader of LP files, as CPLEX, Gurobi, HiGHS, glpsol and cbc write them.

What follows a ``\`` is a comment. Keywords begin a line, in letters of any size; the objective and
the rows come first, and each section is there once::

    Minimize | Maximize                     min, max, minimise, minimum, …
      [name:] terms + [factor] [ products ] / 2
    Subject To                              such that, st, s.t., st.
      [name:] terms relation terms          c1: 2 x + 3 >= y, which is 2 x - y >= -3
      [name:] number relation terms relation number
    Bounds
      column relation number | number relation column [relation number] | column free, one a line
    General                                 gen, generals, integer, integers, int
      columns
    Binary                                  bin, binaries
      columns
    End

- Terms are ``3 x``, ``x`` and constants, with signs between them; several signs before one term
  multiply. ``3x`` is ``3 x``, but not behind a relation: ``<= 1O`` ends with a letter by mistake. A
  column that occurs twice in a row counts twice.
- Products are ``3 x ^ 2`` and ``3 x * y``, and are in the objective alone, once, in brackets of
  which the objective has one half: ``[ 2 x ^ 2 ] / 2`` is x², ``3 [ 2 x ^ 2 ] / 2`` is 3 x². Equal
  products are added up.
- A relation is ``<=``, ``=<``, ``<``, ``>=``, ``=>``, ``>`` or ``=``; a strict one is read as the
  other.
- Lines of the objective and of rows break anywhere, with one exception: a number that ends its line
  right after a relation ends the row, and what follows begins another.
- A name has letters, digits and ``!"#$%&(),.;?@_`'{}~|``, brackets with what is between them
  (``x[0,1]``), begins with none of the digits, ``.``, ``,`` and ``;``, ends with none of ``,`` and
  ``;``, is no keyword, and closes what it opens.
- A bound, General or Binary of a column that no row and no objective has is refused; so is a bound
  of a binary column outside of 0 and 1, and an upper bound below a lower one, the usual 0, too.
- Rows without a name are ``row_`` and their number.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NoReturn

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.modelling.model_file import (
    OTHER_PROGRAMS,
    ModelText,
    ProgramParts,
    column_bounds,
    number_of,
)
from cpe_opt.modelling.names import unused_name
from cpe_opt.modelling.program import LinearProgram, Sense
from cpe_opt.modelling.quadratic import QuadraticProgram

_SECTIONS = {
    **dict.fromkeys(("min", "minimize", "minimise", "minimum"), "min"),
    **dict.fromkeys(("max", "maximize", "maximise", "maximum"), "max"),
    **dict.fromkeys(("subject to", "such that", "st", "s.t.", "st."), "rows"),
    **dict.fromkeys(("bounds", "bound"), "bounds"),
    **dict.fromkeys(("general", "generals", "gen", "integer", "integers", "int"), "general"),
    **dict.fromkeys(("binary", "binaries", "bin"), "binary"),
    "end": "end",
    **{keyword: keyword for keyword in OTHER_PROGRAMS},
}
_RELATIONS = {"<=": "<", "=<": "<", "<": "<", ">=": ">", "=>": ">", ">": ">", "=": "="}
_TURNED = {word: {"<": ">", ">": "<", "=": "="}[kind] for word, kind in _RELATIONS.items()}
_RESERVED = {*_SECTIONS, "free", "inf", "infinity"}
_RANGES = (["<", "<"], [">", ">"])
_BOUND_FORMS = (["<"], [">"], ["="], ["<", ">"], [">", "<"])
_EXPECTED = "a sign and a term, a relation of a row, or [ products ] / 2 in the objective"
_LETTER = r"[^\s<>=:+*^/\[\]\\-]"  # of names
_NAME = rf"(?![0-9.,;]){_LETTER}++(?:\[[^][\s]*\]{_LETTER}*+)*+"
_NO_TAIL = r"(?![^\sA-DF-Za-df-z<>=:+*^/\[\]\\-])"  # 1e, 1_0 and 1.2.3 are no numbers
_NUMBER = (
    rf"(?:(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?+{_NO_TAIL}"
    rf"|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?+(?!{_LETTER}|\[))"
)
_WORDS = "|".join(
    re.escape(words).replace(r"\ ", r"[ \t]+") for words in sorted(_SECTIONS, reverse=True)
)
_HEAD = re.compile(rf"[ \t]*({_WORDS})(?!{_LETTER}|[\[-]|[ \t]*:)")
# Of each item of a row perhaps signs, a number, a name, a colon and a relation; none is a fault.
_ITEM = re.compile(
    rf"(?=\S)([-+][-+ \t]*+)?+({_NUMBER})?+[ \t]*+({_NAME})?+[ \t]*+(:)?+[ \t]*+([<>=]++)?+"
)
_GLUED = re.compile(rf"[<>=][-+ \t]*{_NUMBER}(?![0-9.]){_LETTER}.*")
_AROUND = re.compile(r"[ \t]*([<>=]+)[ \t]*")
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LABEL = re.compile(rf"\s*({_NAME})\s*:")
_PRODUCTS = re.compile(
    rf"(?P<signs>^\s*|[-+][-+\s]*)(?P<factor>{_NUMBER})?\s*"
    r"\[(?P<products>[^][]*)\]\s*/\s*2\s*(?=[-+]|\Z)"
)
_PRODUCT = re.compile(
    rf"(?=\S)([-+][-+\s]*)?({_NUMBER})?\s*({_NAME})?\s*(?:(\^)\s*2(?![0-9.])|\*\s*({_NAME}))?"
)


def read_lp(text: ModelText, name: str) -> LinearProgram | QuadraticProgram:
    """The program of an LP file, under this name.

    Raises :class:`FaultyFile` where the file does not keep to the format, with the line.
    """
    return _LpReader(text).parts().program(text, name)


class _Row:
    """A row that has begun, or the objective: of sides between relations, constants and begins."""

    def __init__(self, begin: int, line: int, *, in_rows: bool = True) -> None:
        self.line, self.in_rows = line, in_rows
        self.fresh = True  # no term on this side yet
        self.relations: list[str] = []
        self.constants = [0.0]
        self.begins = [begin]  # the numbers of first entries


class _LpReader:
    """The lines of a file, from 0 and without comments, and what they have said so far."""

    def __init__(self, text: ModelText) -> None:
        self.text = text
        code = re.sub(r"\\[^\n]*", "", text.text) if "\\" in text.text else text.text
        self.lines = code.split("\n")
        self.sections = self._divided(code.lower().split("\n"))
        self.columns: dict[str, int] = {}
        self.rows: list[str] = []  # "" for one without a name
        self.row_names: dict[str, int] = {}  # with their lines
        self.sides: list[tuple[float, float]] = []
        self.at: list[int] = []  # the columns of all terms
        self.values: list[float] = []
        self.constant = 0.0
        self.quadratic: list[tuple[int, int, float, int]] = []

    def parts(self) -> ProgramParts:
        """Read all sections."""
        sense: Sense = "max" if "max" in self.sections else "min"
        self._read_objective(*self.sections[sense])
        self._read_terms(*self.sections.get("rows", (0, 0)), None)
        taken = set(self.row_names)
        bounds, bound_lines, integer = self._read_bounds()
        return ProgramParts(
            sense=sense,
            columns=list(self.columns),
            rows=[name or unused_name(f"row_{k}", "", taken) for k, name in enumerate(self.rows)],
            row_lines=self.row_lines[1:],
            constant=self.constant,
            sides=np.array(self.sides).reshape(-1, 2).T,
            entries=(
                np.repeat(np.arange(-1, len(self.rows)), self.counts),
                np.array(self.at, dtype=np.int64),
                np.array(self.values),
                np.repeat(self.row_lines, self.counts),
            ),
            bounds=bounds,
            bound_lines=bound_lines,
            integer=integer,
            quadratic=self.quadratic,
        )

    def _refuse(self, line: int, what: str) -> NoReturn:
        self.text.refuse(line + 1, what)

    def _unexpected(self, line: int, rest: str, expected: str) -> NoReturn:
        self._refuse(line, f"{rest.strip()[:40]!r}, expected {expected}")

    def _divided(self, lower: list[str]) -> dict[str, tuple[int, int]]:
        """The sections of these lines in small letters; the keywords become blank."""
        sections: dict[str, tuple[int, int]] = {}
        section, first = "", 0
        for k, line in enumerate(lower):
            if head := _HEAD.match(line):
                if section:
                    sections[section] = first, k
                section, first = _SECTIONS[" ".join(head[1].split())], k
                late = section == "rows" and len(sections) > 1
                if late or (section in ("min", "max")) != (not sections) or section in sections:
                    expected = "the objective first, then Subject To, each section once"
                    self._unexpected(k, self.lines[k], expected)
                self.lines[k] = " " * head.end() + self.lines[k][head.end() :]
            rest = self.lines[k].strip()
            if rest and {section, rest.lower()} & OTHER_PROGRAMS.keys():
                self.text.refuse_other(k + 1, section if section in OTHER_PROGRAMS else rest)
            if rest and section in ("", "end"):
                self._unexpected(k, rest, "Minimize or Maximize first and nothing after End")
        if section != "end":
            end = len("\n".join(lower).rstrip().split("\n"))
            self._refuse(end - 1, "the file ends without End, as if it had been cut off")
        return sections

    def _number(self, word: str, line: int) -> float:
        try:
            return number_of(word)
        except ValueError as error:
            self._refuse(line, str(error))

    def _checked(self, name: str, line: int) -> str:
        """A name, or :class:`FaultyFile` where it is likely to be something else."""
        odd = not _PLAIN_NAME.fullmatch(name) and (
            any(name.count(one) != name.count(other) for one, other in ("()", "{}", "[]"))
            or name[-1] in ",;"
            or not all(sign.isascii() or sign.isalpha() for sign in name)
        )
        if odd or name.lower() in _RESERVED:
            expected = "a name of letters and digits that is no keyword, with brackets that close"
            self._unexpected(line, name, expected)
        return name

    def _column(self, name: str, line: int) -> int:
        """The number of a column, perhaps a new one."""
        if name not in self.columns:
            self.columns[self._checked(name, line)] = len(self.columns)
        return self.columns[name]

    def _known(self, name: str, line: int) -> int:
        """The number of a column that the objective or a row has."""
        column = self.columns.get(name)
        if column is None:
            self._refuse(line, f"the column {name[:60]!r}, which no row and no objective has")
        return column

    def _read_objective(self, first: int, end: int) -> None:
        """The costs, the constant and the quadratic part."""
        objective = "\n".join(self.lines[first:end])
        if label := _LABEL.match(objective):
            self._checked(label[1], first)
            objective = _blank(objective, label.start(), label.end())
        if match := _PRODUCTS.search(objective):
            place = match.start("products")
            line = first + objective.count("\n", 0, place)
            factor = self._number(match["factor"] or "1", line)
            factor *= (-1.0) ** match["signs"].count("-")
            self._read_products(match["products"], line, factor)
            objective = _blank(objective, match.start(), match.end())
        self.lines[first:end] = objective.split("\n")
        row = _Row(0, first, in_rows=False)
        self._read_terms(first, end, row)
        self.constant = row.constants[0]
        begin = first + (not self.lines[first].strip())
        self.row_lines, self.counts = [begin + 1], [len(self.at)]

    def _read_products(self, products: str, first: int, factor: float) -> None:
        """Terms of x'Qx, which begin in this line."""
        for place, item in enumerate(_PRODUCT.finditer(products)):
            line = first + products.count("\n", 0, item.start())
            signs, number, one, square, other = item.groups(default="")
            if not one or not (square or other) or (place and not signs):
                expected = "products with signs between them, such as 3 x ^ 2 - x * y"
                self._unexpected(line, products[item.start() :], expected)
            value = factor * self._number(number or "1", line) * (-1.0) ** signs.count("-")
            i, j = self._column(one, line), self._column(other or one, line)
            # ½ x'Qx has a square once and a product twice.
            for places in [(i, i)] if i == j else [(i, j), (j, i)]:
                self.quadratic.append((*places, value if i == j else value / 2.0, line + 1))

    def _read_terms(self, first: int, end: int, row: _Row | None) -> None:
        """The terms of the objective, or those of all rows, of which None has begun yet."""
        known, at, values = self.columns.get, self.at, self.values
        in_rows, rest = row is None, ""
        for number in range(first, end + 1):
            line = self.lines[number] if number < end else ""
            if rest:
                line = f"{rest}\n{line}" if _LABEL.match(line) else f"{rest} {line}"
            self.number, self.line = min(number, end - 1), line
            items = _ITEM.findall(line)
            # A sign or a number that ends its line belongs to what follows, or ends its row.
            last = ("", "")
            if number < end and items and any(items[-1][:2]) and not any(items[-1][2:]):
                last = items.pop()[:2]
            for place, (sign, word, name, colon, relation) in enumerate(items):
                if not sign or colon or row is None:
                    row = self._begun(row, items, place, continued=bool(rest))
                if name and not colon:
                    column = known(name)
                    at.append(self._column(name, number) if column is None else column)
                    value = float(word) if word else 1.0
                    if sign and sign.count("-") % 2:
                        value = -value
                    values.append(value or 0.0 * self._number(word, number))
                    row.fresh = False
                elif word:
                    self._add_constant(row, sign, word)
                elif sign:
                    self._unexpected_item(place, _EXPECTED)
                if relation:
                    self._relate(row, relation)
            rest = "".join(last)
            if last[1] and row and row.relations and row.fresh:
                self._add_constant(row, *last)
                self._close(row)
                row, rest = None, ""
        self._close(row if in_rows else None)

    def _unexpected_item(self, place: int, expected: str) -> NoReturn:
        """Refuse the items of this line from a place on."""
        item = list(_ITEM.finditer(self.line))[place]
        self._unexpected(self.number, self.line[item.start() :], expected)

    def _begun(
        self, row: _Row | None, items: list[tuple[str, ...]], place: int, *, continued: bool
    ) -> _Row:
        """The row, or the next one, where an item has no sign or is a label."""
        (sign, word, name, colon, relation), line = items[place], self.number
        operand = bool(word or name) and not sign
        if colon and (sign or word or not name or (row and not row.in_rows)):
            self._unexpected_item(place, "one name before the ':'")
        first = not place and not continued
        if row is None or colon or (operand and row.relations and not row.fresh and first):
            self._close(row)
            label = name if colon else ""
            if label and self._checked(label, line) in self.row_names:
                before = self.row_names[label]
                self._refuse(line, f"a second row {label!r}; the first is in line {before}")
            if label:
                self.row_names[label] = line + 1
            self.rows.append(label)
            row = _Row(len(self.at), line)
        if not (sign or operand or relation) or (operand and not colon and not row.fresh):
            self._unexpected_item(place, _EXPECTED)
        return row

    def _add_constant(self, row: _Row, sign: str, word: str) -> None:
        value = self._number(word, self.number)
        row.constants[-1] += -value if sign.count("-") % 2 else value
        row.fresh = False

    def _relate(self, row: _Row, relation: str) -> None:
        """Begin the next side of a row."""
        if not row.in_rows or row.fresh or relation not in _RELATIONS:
            self._unexpected(self.number, relation, f"{_EXPECTED}; relations are <=, >= and =")
        if glued := _GLUED.search(self.line):
            self._unexpected(self.number, glued[0], "a number without letters")
        row.relations.append(_RELATIONS[relation])
        row.constants.append(0.0)
        row.begins.append(len(self.at))
        row.fresh = True

    def _close(self, row: _Row | None) -> None:
        """The sides of a row: all columns go to one side, the constants to the other."""
        if not row:
            return
        if not row.relations or row.fresh:
            self._refuse(row.line, "a row without end, expected a relation and terms behind it")
        begins = [*row.begins, len(self.at)]
        has_columns = [end > begin for begin, end in pairwise(begins)]
        if not any(has_columns):
            self._refuse(row.line, "a row without columns")
        relation, (first, second, *third) = row.relations[0], row.constants
        if has_columns[0]:
            moved, lower = begins[1], second - first
        else:
            moved, lower, relation = len(self.at), first - second, _TURNED[relation]
        self.values[moved:] = [-value for value in self.values[moved:]]
        upper = lower
        if third:
            if has_columns != [False, True, False] or row.relations not in _RANGES:
                expected = "number <= terms <= number, or a row for each"
                self._refuse(row.line, f"a row with more than one relation, expected {expected}")
            other = third[0] - second
            lower, upper = (other, upper) if relation == "<" else (lower, other)
        elif relation != "=":
            lower, upper = (-np.inf, upper) if relation == "<" else (lower, np.inf)
        self.sides.append((lower, upper))
        self.row_lines.append(row.line + 1)
        self.counts.append(begins[-1] - begins[0])

    def _read_bounds(self) -> tuple[FloatArray, IntArray, BoolArray]:
        """Bounds of columns, the lines that state them, and which columns are whole."""
        first, end = self.sections.get("bounds", (0, 0))
        lines = np.array([k for k in range(first, end) if self.lines[k].strip()], dtype=np.int64)
        stated = [self._bound(self.lines[k].strip(), k) for k in lines.tolist()]
        bounds, where = column_bounds(
            self.text,
            list(self.columns),
            np.array([column for column, _, _ in stated], dtype=np.int64),
            np.array([each[1:] for each in stated]).reshape(-1, 2).T,
            lines + 1,
        )
        integer = np.zeros(len(self.columns), dtype=np.bool_)
        for section in ("general", "binary"):
            for k in range(*self.sections.get(section, (0, 0))):
                for name in self.lines[k].split():
                    column = self._known(name, k)
                    integer[column] = True
                    if section == "binary":
                        self._make_binary(name, k, bounds[:, column], where[:, column])
        return bounds, where, integer

    def _bound(self, text: str, line: int) -> tuple[int, float, float]:
        """The column of a bound, and the lower and upper one, or nan."""
        pieces = _AROUND.split(text)
        if len(pieces) == 3 and pieces[2] not in self.columns:
            name, relation, number = pieces
            sides = [(_RELATIONS.get(relation), number)]
        elif len(pieces) in (3, 5):
            number, relation, name, *rest = pieces
            sides = [(_TURNED.get(relation), number)]
            sides += [(_RELATIONS.get(rest[0]), rest[1])] if rest else []
        else:
            name, _, word = text.partition(" ")
            sides = [("<", "inf"), (">", "-inf")] if word.strip().lower() == "free" else []
        relations = [relation for relation, _ in sides]
        if relations not in _BOUND_FORMS or not all(word for _, word in sides):
            self._unexpected(line, text, "a bound such as x <= 4, 0 <= x <= 4 or x free")
        lower = upper = np.nan
        for relation, word in sides:
            value = self._number(word.replace(" ", ""), line)
            lower = lower if relation == "<" else value
            upper = upper if relation == ">" else value
        return self._known(name, line), lower, upper

    def _make_binary(self, name: str, line: int, bounds: FloatArray, where: IntArray) -> None:
        """Write 0 and 1 where no bound is stated."""
        bounds[:] = np.where(where == 0, [0.0, 1.0], bounds)
        where[:] = np.where(where == 0, line + 1, where)
        for bound, stated in zip(bounds.tolist(), where.tolist(), strict=True):
            if not 0.0 <= bound <= 1.0:
                self._refuse(
                    line,
                    f"the binary column {name!r} has the bound {bound:g} in line {stated}, "
                    "expected 0 or 1",
                )


def _blank(text: str, start: int, end: int) -> str:
    """The text with blanks from start to end, but the same lines."""
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
