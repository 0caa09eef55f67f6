r"""The reader of LP files, as CPLEX, Gurobi, HiGHS, glpsol and cbc write them.

What follows a ``\`` is a comment. Keywords begin a line, in letters of any size; the objective and
the rows come first, and each section is there once::

    Minimize | Maximize                     min, max, minimise, minimum, …
      [name:] terms + [factor] [ products ] / 2
    Subject To                              such that, st, s.t., st.
      [name:] terms relation terms          c1: 2 x + 3 >= y, which is 2 x - y >= -3
      [name:] number relation terms relation number
    Bounds
      column relation number | number relation column [relation number] | column free
    General                                 gen, generals, integer, integers, int
      columns
    Binary                                  bin, binaries
      columns
    End

- Terms are ``3 x``, ``x`` and constants, with signs between them; several signs before one term
  multiply. ``3x`` is ``3 x``, but not behind a relation: ``<= 1O`` ends with a letter by mistake. A
  column that occurs twice in a row counts twice. A rational ``1/2`` is a number.
- Products are ``3 x ^ 2`` and ``3 x * y``, and are in the objective alone, once, in brackets of
  which the objective has one half: ``[ 2 x ^ 2 ] / 2`` is x², ``3 [ 2 x ^ 2 ] / 2`` is 3 x². Equal
  products are added up.
- A relation is ``<=``, ``=<``, ``<``, ``>=``, ``=>``, ``>`` or ``=``; a strict one is read as the
  other.
- Lines may break anywhere, with one exception: a number that ends its line after a relation ends
  the row, and what follows begins another.
- A name has letters, digits and ``!"#$%&(),.;?@_`'{}~|``, brackets with what is between them
  (``x[0,1]``), begins with none of the digits, ``.``, ``,`` and ``;``, ends with none of ``,`` and
  ``;``, is no keyword, and closes what it opens.
- A bound, General or Binary of a column that no row and no objective has is refused; so is a bound
  of a binary column outside of 0 and 1, and an upper bound below a lower one, the usual 0, too.
- Rows without a name are ``row_`` and their number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.modelling.model_file import (
    EXPECTED,
    OTHER_PROGRAMS,
    PLAIN,
    UNSIGNED,
    Entries,
    ModelText,
    Places,
    assembled,
    column_bounds,
    numbers_of,
)
from cpe_opt.modelling.names import unused_name
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram

_LETTER = r"[^\s<>=:+*^/\[\]\\-]"  # of words
_TAIL = rf"{_LETTER}*(?:\[[^][\s]*\]{_LETTER}*)*"
_NUMBER = r"[0-9.]+(?:[eE][-+]?[0-9]+)?"
_TOKEN = re.compile(rf"{_NUMBER}(?:/{_NUMBER})?{_TAIL}|{_LETTER}{_TAIL}|[<>=]+|\S|\n")
_GLUED = re.compile(rf"({UNSIGNED})([A-DF-Za-df-z]{_TAIL})")
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RELATIONS = {"<=": "<", "=<": "<", "<": "<", ">=": ">", "=>": ">", ">": ">", "=": "="}
_N, _NAME, _SIGN, _RELATION, _COLON, _FREE, _OTHER, _BREAK, _END = range(9)  # kinds of tokens
_KINDS = np.full(256, _NAME, dtype=np.int8)  # by the first character
for _kind, _signs in {
    _N: "0123456789.",
    _SIGN: "+-",
    _RELATION: "<>=",
    _COLON: ":",
    _OTHER: "[]^*/\\",
    _BREAK: "\n",
}.items():
    _KINDS[list(_signs.encode())] = _kind
_SECTIONS = {
    **dict.fromkeys(("min", "minimize", "minimise", "minimum"), "min"),
    **dict.fromkeys(("max", "maximize", "maximise", "maximum"), "max"),
    **dict.fromkeys(("subject to", "such that", "st", "s.t.", "st."), "rows"),
    **dict.fromkeys(("bounds", "bound"), "bounds"),
    **dict.fromkeys(("general", "generals", "gen", "integer", "integers", "int"), "general"),
    **dict.fromkeys(("binary", "binaries", "bin"), "binary"),
    "end": "end",
    **{keyword.replace("-", " - "): keyword for keyword in OTHER_PROGRAMS},
}
_BEGINNINGS = {words.split()[0] for words in _SECTIONS}
_RELATING = "one of <=, >=, ="
_SEVERAL = ["multi", "-", "objectives"]
_BRACKETS = "a quadratic part; only an objective may have one"
_HINTS = {
    "[": _BRACKETS,
    "]": _BRACKETS,
    "^": "a power; those of an objective are in brackets, as in [ 2 x ^ 2 ] / 2",
    "*": "a product; the coefficient stands before its column, as in 2 x",
}


def read_lp(text: ModelText, name: str) -> LinearProgram | QuadraticProgram:
    """The program of an LP file, under this name.

    Raises :class:`FaultyFile` where the file does not keep to the format, with the line.
    """
    return _LpReader(text).program(name)


class _Statements(NamedTuple):
    """Rows, bounds or an objective: first tokens, at most two relations, and terms.

    Of each term: its token, statement, side (0 before the first relation), column (-1 for a
    constant), value, and whether a column stands there without a sign and a number.
    """

    firsts: Places
    relations: npt.NDArray[np.str_]
    at: Places
    of: Places
    side: Places
    column: Places
    value: FloatArray
    bare: BoolArray


class _LpReader:
    """The tokens of a file with their kinds, lines, values and columns, and its sections."""

    def __init__(self, text: ModelText) -> None:
        self.text = text
        code = re.sub(r"\\[^\n]*", "", text.text) if "\\" in text.text else text.text
        if (arrow := code.find("->")) >= 0:
            line = code.count("\n", 0, arrow) + 1
            text.refuse(line, f"'->': the program has indicator constraints, {EXPECTED}")
        tokens = _TOKEN.findall(code)
        signs = _signs_of(tokens)
        numbers = [tokens[k] for k in np.flatnonzero(_KINDS[signs] == _N).tolist()]
        glued: list[int] = []  # columns right behind their numbers
        if "".join(numbers).encode().translate(None, PLAIN):
            tokens = _unglued(tokens, glued)
            signs = _signs_of(tokens)
        kept = signs != ord("\n")
        self.lines = (1 + np.cumsum(~kept, dtype=np.int32))[kept]
        self.begins = np.diff(self.lines, prepend=0) > 0
        self.tokens = [token for token in tokens if token != "\n"]
        self.kinds, self.minus = _KINDS[signs[kept]], signs[kept] == ord("-")
        self.glued = (np.cumsum(kept) - 1)[np.array(glued, dtype=np.int64)]
        for at in np.flatnonzero(self.kinds == _RELATION).tolist():
            if self.tokens[at] not in _RELATIONS:
                self.kinds[at] = _OTHER
        self.sections = self._divided()
        self.columns = self._name_columns()
        self.quadratic: list[tuple[int, int, float, int]] = []

    def program(self, name: str) -> LinearProgram | QuadraticProgram:
        """Read all sections."""
        costs, constant = self._read_objective()
        rows, sides, entries = self._read_rows()
        bounds, bound_lines, integer = self._read_bounds()
        return assembled(
            self.text,
            name,
            "max" if "max" in self.sections else "min",
            columns=self.columns,
            rows=rows,
            constant=constant,
            sides=sides,
            entries=_joined([costs, entries]),
            bounds=bounds,
            bound_lines=bound_lines,
            integer=integer,
            quadratic=self.quadratic,
        )

    def refuse(self, at: int, what: str) -> NoReturn:
        """Raise that the line of a token, of an end the line before it, has ``what``."""
        self.text.refuse(self.lines[at - (at > 0 and self.kinds[at] == _END)], what)

    def _unexpected(self, at: int, expected: str) -> NoReturn:
        token = self.tokens[at]
        hint = f" ({_HINTS[token]})" if token in _HINTS else ""
        shown = "the end of the section" if self.kinds[at] == _END else repr(token[:40])
        self.refuse(at, f"{shown}{hint}, expected {expected}")

    def _refuse_glued(self, at: int) -> NoReturn:
        self.refuse(at, f"{self.tokens[at - 1] + self.tokens[at]!r} is no number, expected one")

    def _heads(self) -> list[tuple[int, int, str, str]]:
        """Of each keyword that begins a line the first token, the next one, section and words."""
        tokens, heads = self.tokens, []
        for at in np.flatnonzero(self.begins).tolist():
            if tokens[at].lower() in _BEGINNINGS:
                for count in (3, 2, 1):
                    word = " ".join(tokens[at : at + count]).lower()
                    if word in _SECTIONS and not self.begins[at + 1 : at + count].any():
                        heads.append((at, at + count, _SECTIONS[word], word))
                        break
        if not tokens:
            self.text.refuse(1, "no word in the whole file, expected Minimize first")
        if not heads or heads[0][0]:
            self._unexpected(0, "Minimize or Maximize first")
        return heads

    def _divided(self) -> dict[str, tuple[int, int]]:
        """Of each section the first token, and the one of the next keyword, which ends it."""
        tokens, heads = self.tokens, self._heads()
        sections: dict[str, tuple[int, int]] = {}
        for number, (at, start, section, word) in enumerate(heads):
            if (section in ("min", "max")) != (not number):
                expected = "one objective alone" if number else "Minimize or Maximize first"
                self.refuse(at, f"the keyword {word!r}, expected {expected}")
            if tokens[start : start + 1] == [":"]:
                self.refuse(at, f"':' behind the keyword {word!r}")
            if [token.lower() for token in tokens[start : start + 3]] == _SEVERAL:
                self.refuse(at, "several objectives, expected one")
            if section == "rows" and number > 1 and "rows" not in sections:
                self.refuse(at, f"{word!r} after {heads[number - 1][3]!r}, expected before it")
            if section in sections:
                self.refuse(at, f"a second section {word!r}")
            end = heads[number + 1][0] if heads[number + 1 :] else len(tokens)
            if section in OTHER_PROGRAMS and start < end:
                what = OTHER_PROGRAMS[section]
                self.refuse(start, f"the section {word!r}: the program has {what}, {EXPECTED}")
            sections[section] = start, end
            self.kinds[at:start] = _END
            if section == "end" and start < len(tokens):
                self.refuse(start, "text after End, expected none")
        if "end" not in sections:
            self.refuse(len(tokens) - 1, "the file ends without End, as if it had been cut off")
        return sections

    def _name_columns(self) -> list[str]:
        """The values of numbers, and the columns by their first places in objective and rows."""
        numbers = np.flatnonzero(self.kinds == _N)
        words = [self.tokens[k] for k in numbers.tolist()]
        self.values = np.ones(len(self.tokens))
        self.values[numbers] = numbers_of(words, lambda k, why: self.refuse(numbers[k], why))
        label = (self.kinds == _NAME) & (np.append(self.kinds[1:], _END) == _COLON)
        places = np.flatnonzero((self.kinds == _NAME) & ~label)
        words = [self.tokens[k] for k in places.tolist()]
        known = {word: k for k, word in enumerate(dict.fromkeys(words))}
        codes = np.array(list(map(known.__getitem__, words)), dtype=np.int64)
        special = [word for word in known if word.lower() in ("free", "inf", "infinity")]
        for word in special:
            there = places[codes == known[word]]
            self.kinds[there] = _FREE if word.lower() == "free" else _N
            self.values[there] = np.inf
        if special:
            named = self.kinds[places] == _NAME
            places, codes = places[named], np.unique(codes[named], return_inverse=True)[1]
        self.column = np.full(len(self.tokens), -1)
        self.column[places] = codes
        names = [word for word in known if word not in special]
        for k, word in enumerate(names):
            if fault := _fault(word):
                self.refuse(places[np.argmax(codes == k)], f"the column {word[:60]!r}{fault}")
        for k in np.flatnonzero(label).tolist():
            if fault := _fault(self.tokens[k]):
                self.refuse(k, f"the row {self.tokens[k][:60]!r}{fault}")
        _, behind = self.sections.get("rows", next(iter(self.sections.values())))
        count = int(self.column[:behind].max(initial=-1)) + 1
        for k in np.flatnonzero(self.column >= count)[:1]:
            if k in self.glued:
                self._refuse_glued(k)
            self.refuse(k, f"the column {self.tokens[k][:60]!r}, which no row and no objective has")
        return names[:count]

    def _statements(self, start: int, end: int, what: str) -> _Statements:
        """The rows, bounds or objective from a token up to an end, or what is wrong with them."""
        if start == end:
            nothing = np.zeros(0, dtype=np.int64)
            none = np.zeros(0), np.zeros(0, dtype=np.bool_)
            relations = np.zeros((0, 2), dtype="U1")
            return _Statements(nothing, relations, nothing, nothing, nothing, nothing, *none)
        kinds = np.append(self.kinds[start:end], np.int8(_END))
        if what != "bounds":
            kinds[kinds == _FREE] = _OTHER
        if what == "objective":
            kinds[kinds == _RELATION] = _OTHER
        values = np.append(self.values[start:end], 0.0)
        relation, number, name = kinds == _RELATION, kinds == _N, kinds == _NAME
        label = name & (np.append(kinds[1:], _END) == _COLON)
        # The first number behind a relation and before any column ends its line and the row.
        last = number & (_latest(relation) > _latest(name))
        if what == "rows":
            last[:-1] &= np.append(self.begins[start + 1 : end], True)
        last &= _latest(relation) > np.append(np.int32(-1), _latest(last)[:-1])
        factor = number & np.isfinite(values) & np.append((name & ~label)[1:], False) & ~last
        operand = number | (name & ~label)
        first = label | _behind(last | (kinds == _FREE)) | (operand & _behind(operand & ~factor))
        first[0], first[-1] = True, False
        statement, firsts = np.cumsum(first, dtype=np.int32) - 1, np.flatnonzero(first)
        side = np.cumsum(relation, dtype=np.int32)
        side -= side[firsts][statement]
        complete = np.bincount(statement[relation | (kinds == _FREE)], minlength=len(firsts)) > 0
        free = (kinds == _FREE) & _behind(first & name)
        hungry = _behind(np.isin(kinds, (_SIGN, _RELATION, _COLON)))
        wanting = (hungry | first) & ~operand & (kinds != _SIGN) & (hungry | ~label)
        if what == "objective":
            wanting[-1] &= kinds[-2] != _COLON
        lacking = np.zeros(len(kinds), dtype=np.bool_)
        lacking[np.append(firsts[1:], end - start)[~complete]] = what != "objective"
        more = first & (np.cumsum(first) > 1)
        colon = (kinds == _COLON) & (~_behind(label) | (what == "bounds"))
        midline = ~np.append(self.begins[start:end], True)
        relation_or = "a sign and a term, or Subject To" if what == "objective" else _RELATING
        faults = (
            (colon, "a name before the ':'"),
            (wanting, "a column or a number"),
            (lacking | (kinds == _OTHER) | ((kinds == _FREE) & ~free), relation_or),
            (more & (what == "objective"), relation_or),
            (more & ~label & midline & (what == "rows"), "the end of the row and of the line"),
        )
        self._check(start, faults, side, what)
        related = np.full((len(firsts), 2), "", dtype="U1")
        marks = np.flatnonzero(relation)
        words = [_RELATIONS[self.tokens[k]] for k in (start + marks).tolist()]
        related[statement[marks], side[marks] - 1] = words
        at = np.flatnonzero(operand & ~factor)
        minus = np.append(np.int32(0), np.cumsum(self.minus[start:end], dtype=np.int32)[at])
        scaled = factor[at - 1] & (at > 0)
        value = np.where(scaled, values[at - 1], np.where(number[at], values[at], 1.0))
        value = np.where(np.diff(minus) % 2, -value, value)
        column = np.where(number[at], -1, self.column[start:end][at])
        bare = ~scaled & ~_behind(kinds == _SIGN)[at]
        of, side = statement[at], side[at]
        return _Statements(start + firsts, related, start + at, of, side, column, value, bare)

    def _check(
        self, start: int, faults: Sequence[tuple[BoolArray, str]], side: Places, what: str
    ) -> None:
        """Refuse the first token under a mask, with what was expected there."""
        for k in np.flatnonzero(np.any([mask for mask, _ in faults], axis=0))[:1].tolist():
            expected = next(expected for mask, expected in faults if mask[k])
            self._unexpected(start + k - bool(faults[0][0][k]), expected)
        right = self.glued[(self.glued >= start) & (self.glued < start + len(side))] - start
        for k in right[(side[right] > 0) | (what == "bounds")][:1].tolist():
            self._refuse_glued(start + k)
        for k in np.flatnonzero(side > 2)[:1].tolist():
            self.refuse(start + k, "a third relation, expected two at most")

    def _sides(self, all_of: _Statements, what: str) -> tuple[FloatArray, FloatArray]:
        """What bounds the columns of each statement, (2, statements), and the signs of its terms.

        All columns go to one side, the constants to the other; nan where there is no relation.
        """
        count, constant = len(all_of.firsts), all_of.column < 0
        key = 3 * all_of.of + all_of.side
        sums = np.bincount(key[constant], all_of.value[constant], 3 * count).reshape(-1, 3).T
        columns = np.bincount(key[~constant], minlength=3 * count).reshape(-1, 3).T
        one, other = all_of.relations.T
        two = other != ""
        for k in np.flatnonzero(
            two & ((columns[0] > 0) | (columns[2] > 0) | (one != other) | (one == "="))
        )[:1]:
            self.refuse(
                all_of.firsts[k],
                f"a {what} with two relations, expected number <= terms <= number, or number >= "
                "terms >= number, or a line for each",
            )
        turned = columns[0] == 0  # all columns are behind the first relation
        with np.errstate(invalid="ignore"):
            side = np.where(turned, sums[0] - sums[1], sums[1] - sums[0])
            second = np.where(two, sums[2] - sums[1], np.nan)
        least = (one == "=") | (one == np.where(turned, "<", ">"))
        most = (one == "=") | (one == np.where(turned, ">", "<"))
        bounds = np.array([np.where(least, side, second), np.where(most, side, second)])
        return bounds, np.where((all_of.side > 0) == turned[all_of.of], 1.0, -1.0)

    def _entries(self, terms: _Statements, value: FloatArray) -> Entries:
        """The entries of the columns among terms."""
        named = terms.column >= 0
        return terms.of[named], terms.column[named], value[named], self.lines[terms.at[named]]

    def _read_objective(self) -> tuple[Entries, float | None]:
        """The costs, as entries of the row -1, and the constant if there is one."""
        start, end = next(iter(self.sections.values()))
        labelled = 2 * (self.kinds[start + 1 : start + 2].tolist() == [_COLON])
        pieces = [(start, end)]
        if "[" in self.tokens[start:end]:
            opening = self.tokens.index("[", start)
            factor, before = 1.0, opening
            if before > start + labelled and self.kinds[before - 1] == _N:
                before -= 1
                factor = float(self.values[before])
            signed = before
            while signed > start + labelled and self.kinds[signed - 1] == _SIGN:
                signed -= 1
                factor = -factor if self.minus[signed] else factor
            if signed == before > start + labelled:
                self._unexpected(before, "a sign and a term")
            behind = self._read_products(opening + 1, factor)
            if behind < end and self.kinds[behind] != _SIGN:
                self._unexpected(behind, "a sign and a term, or Subject To")
            if "[" in self.tokens[behind:end]:
                second = self.tokens.index("[", behind)
                self.refuse(second, "a second quadratic part, expected one")
            pieces = [(start, signed), (behind, end)]
        parts = [self._statements(*piece, "objective") for piece in pieces]
        entries = _joined([self._entries(part, part.value) for part in parts])
        constants = [value for part in parts for value in part.value[part.column < 0].tolist()]
        return (np.full_like(entries[0], -1), *entries[1:]), sum(constants) if constants else None

    def _read_products(self, at: int, factor: float) -> int:
        """The quadratic terms in brackets, from this token on; returns the one behind ``/ 2``."""
        tokens, kinds, opening = self.tokens, self.kinds, at
        while tokens[at] != "]":
            value, begin = factor, at
            while kinds[at] == _SIGN:
                value = -value if self.minus[at] else value
                at += 1
            if begin == at > opening:
                self._unexpected(at, "a sign and a product, or ]")
            if kinds[at] == _N:
                value *= float(self.values[at])
                at += 1
            if kinds[at] != _NAME:
                self._unexpected(at, "a column in a quadratic part")
            one = other = int(self.column[at])
            if tokens[at + 1] == "*" and kinds[at + 2] == _NAME:
                other = int(self.column[at + 2])
            elif tokens[at + 1 : at + 3] != ["^", "2"]:
                self._unexpected(at + 1, "^ 2, or * and a column, in a quadratic part")
            # ½ x'Qx has a square once and a product twice.
            line = int(self.lines[at])
            for places in [(one, one)] if one == other else [(one, other), (other, one)]:
                self.quadratic.append((*places, value if one == other else value / 2.0, line))
            at += 3
        if tokens[at + 1 : at + 3] != ["/", "2"]:
            self._unexpected(
                at + 1, "/ 2 after the ] of a quadratic part, which some readers halve without"
            )
        return at + 3

    def _read_rows(self) -> tuple[dict[str, int], FloatArray, Entries]:
        """The names of rows with their lines, their sides and their entries."""
        start, end = self.sections.get("rows", (0, 0))
        rows = self._statements(start, end, "rows")
        sides, signs = self._sides(rows, "row")
        empty = np.bincount(rows.of[rows.column >= 0], minlength=len(rows.firsts)) == 0
        for k in np.flatnonzero(empty)[:1]:
            self.refuse(rows.firsts[k], "a row without columns")
        lines: dict[str, int] = {}
        taken = {
            self.tokens[k] for k in rows.firsts[self.kinds[rows.firsts + 1] == _COLON].tolist()
        }
        for number, first in enumerate(rows.firsts.tolist()):
            named = self.kinds[first + 1] == _COLON
            name = self.tokens[first] if named else unused_name(f"row_{number}", "", taken)
            if name in lines:
                self.refuse(first, f"a second row {name!r}; the first is in line {lines[name]}")
            lines[name] = int(self.lines[first])
        open_sides = np.array([[-np.inf], [np.inf]])
        sides = np.where(np.isnan(sides) & (rows.relations[:, 0] != ""), open_sides, sides)
        return lines, sides, self._entries(rows, rows.value * signs)

    def _read_bounds(self) -> tuple[FloatArray, IntArray, BoolArray]:
        """Bounds of columns, the lines that state them, and which columns are whole."""
        start, end = self.sections.get("bounds", (0, 0))
        each = self._statements(start, end, "bounds")
        stated, _ = self._sides(each, "bound")
        named, count = each.column >= 0, len(each.firsts)
        relations = np.count_nonzero(each.relations != "", axis=1)
        single = np.bincount(each.of[named & each.bare], minlength=count) == 1
        single &= np.bincount(each.of, minlength=count) == relations + 1
        for k in np.flatnonzero(~single)[:1]:
            self.refuse(
                each.firsts[k],
                "a bound of another form than column relation number, number relation column "
                "relation number, or column free",
            )
        columns, lines = each.column[named], self.lines[each.firsts]
        stated[:, relations == 0] = [[-np.inf], [np.inf]]
        bounds, where = column_bounds(self.text, self.columns, columns, stated, lines)
        integer = np.zeros(len(self.columns), dtype=np.bool_)
        for section in ("general", "binary"):
            for at in range(*self.sections.get(section, (0, 0))):
                if self.kinds[at] != _NAME:
                    self._unexpected(at, "a column")
                column = self.column[at]
                integer[column] = True
                if section == "binary":
                    for side, usual in enumerate((0.0, 1.0)):
                        if not where[side, column]:
                            bounds[side, column], where[side, column] = usual, self.lines[at]
                        if not 0.0 <= (bound := bounds[side, column]) <= 1.0:
                            self.refuse(
                                at,
                                f"the binary column {self.tokens[at]!r} has the bound {bound:g} in "
                                f"line {where[side, column]}, expected 0 or 1",
                            )
        return bounds, where, integer


def _joined(parts: list[Entries]) -> Entries:
    """All entries one after another."""
    rows, columns, values, lines = zip(*parts, strict=True)
    return np.hstack(rows), np.hstack(columns), np.hstack(values), np.hstack(lines)


def _signs_of(tokens: list[str]) -> npt.NDArray[np.uint8]:
    """The first characters of tokens."""
    firsts = "".join([token[0] for token in tokens]).encode("latin-1", "replace")
    return np.frombuffer(firsts, dtype=np.uint8)


def _unglued(tokens: list[str], glued: list[int]) -> list[str]:
    """The tokens with ``3x`` as two; ``glued`` takes the places of the second ones."""
    pieces: list[str] = []
    for token in tokens:
        match = _GLUED.fullmatch(token)
        if match:
            glued.append(len(pieces) + 1)
        pieces += match.groups() if match else [token]
    return pieces


def _latest(mask: BoolArray) -> Places:
    """At each place the last one up to there under the mask; -1 before all."""
    return np.maximum.accumulate(np.where(mask, np.arange(len(mask), dtype=np.int32), np.int32(-1)))


def _behind(mask: BoolArray) -> BoolArray:
    """The places behind those under the mask."""
    return np.append(False, mask[:-1])


def _fault(name: str) -> str:
    """Why a name is likely to be something else, or nothing."""
    if name.lower() in _SECTIONS:
        return " is a keyword, and no name; sections begin a line"
    if _PLAIN_NAME.fullmatch(name):
        return ""
    for opening, closing in ("()", "{}", "[]"):
        if name.count(opening) != name.count(closing):
            return (
                f" has {opening!r} and {closing!r} that do not match; terms in brackets are not of "
                "this format"
            )
    if name[0] in ",;" or name[-1] in ",;":
        return f" begins or ends with {',' if ',' in (name[0], name[-1]) else ';'!r}"
    if not all(sign.isascii() or sign.isalpha() for sign in name):
        return " has other characters than letters"
    return ""
