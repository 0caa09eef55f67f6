r"""The reader of LP files, as CPLEX, Gurobi, HiGHS, glpsol and cbc write them.

What follows a ``\`` is a comment. Keywords begin a line, in letters of any size; the sections from
``Bounds`` on may be in any order, each once::

    Minimize | Maximize                     min, max, minimise, minimum, …
      [name:] terms + [ products ] / 2
    Subject To                              such that, st, s.t., st.; also Lazy Constraints
      [name:] terms relation terms          c1: 2 x + 3 >= y, which is 2 x - y >= -3
      [name:] number relation terms relation number
      [name:] column = 1 -> row             asked for where a column of 0 or 1 has this value
    Bounds
      column relation number | number relation column [relation number] | column free
    General                                 gen, generals, integer, integers, int
      columns
    Binary                                  bin, binaries
      columns
    Semi-continuous                         semi, semis
      columns                               0, or between the bounds
    SOS
      [name:] S1:: column:weight ...        special ordered sets, of type S1 or S2
    End

- Terms are ``3 x``, ``x`` and constants, with signs between them; several signs before one term
  multiply. ``3x`` is ``3 x`` on the left of a row alone: ``<= 1O`` ends with a letter by mistake. A
  column that occurs twice in a row counts twice. A rational ``1/2`` is a number.
- Products are ``3 x ^ 2`` and ``3 x * y``, and are in the objective alone, once, in brackets of
  which the objective has one half: ``[ 2 x ^ 2 ] / 2`` is x². Equal products are added up.
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

Semi-continuous columns, special ordered sets and indicators become whole columns and rows
(:mod:`cpe_opt.modelling.conditional`). Quadratic rows, several objectives, and sections with
general constraints or user cuts are refused by name.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import repeat
from typing import NoReturn, cast

import numpy as np

from cpe_opt.modelling.conditional import Indicator, OrderedSet
from cpe_opt.modelling.model_file import UNSIGNED, ModelText, NumberCache, ProgramParts
from cpe_opt.modelling.names import unused_name
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram

_INSIDE = r"[\w.!\"#$%&(),;?@`'{}~|]*"  # of a name
_TOKEN = re.compile(
    rf"(?:[^\W\d]|[!\"#$%&(?@`'{{}}~|]){_INSIDE}(?:\[[^][\s]*\]{_INSIDE})*"
    rf"|{UNSIGNED}(?:/{UNSIGNED})?(?=[\s<>=:+*^\]-]|$)"
    # A number and a name right after it, which does not begin like an exponent.
    rf"|{UNSIGNED}[A-DF-Za-df-z]{_INSIDE}(?:\[[^][\s]*\]{_INSIDE})*"
    r"|<->|->|[<>=]+|[-+:]"
    r"|[.\d]\S*"  # no number
    r"|\S"
)
_SINGLE = re.compile(rf"{UNSIGNED}|[A-Za-z_]\w*|[-+:]|[<>=]+", re.ASCII)  # a word that is one token
_PLAIN_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_GLUED = re.compile(rf"({UNSIGNED})([A-DF-Za-df-z].*)", re.ASCII)
_RELATIONS = {"<=": "<", "=<": "<", "<": "<", ">=": ">", "=>": ">", ">": ">", "=": "="}
_ENDS = frozenset(("", *_RELATIONS))
_TURNED = {"<": ">", ">": "<", "=": "="}
_DIGITS = frozenset("0123456789.")
_SIGNS = frozenset("+-")
_NO_BEGINNING = {"", *_DIGITS, *",;:+-<>=[]^*/\\"}  # of a name
_SECTIONS = {
    "min": ("minimize", "minimise", "minimum", "min"),
    "max": ("maximize", "maximise", "maximum", "max"),
    "rows": ("subject to", "such that", "st", "s.t.", "st.", "lazy constraints"),
    "bounds": ("bounds", "bound"),
    "general": ("general", "generals", "gen", "integer", "integers", "int"),
    "binary": ("binary", "binaries", "bin"),
    "semi": ("semi-continuous", "semi", "semis"),
    "sos": ("sos",),
    "end": ("end",),
}
_OTHER_PROGRAMS = {
    "special ordered sets of another form": ("sos1", "sos2"),
    "semi-integer columns": ("semi-integer",),
    "user cuts": ("user cuts",),
    "general constraints": ("general constraints", "gencons"),
    "a piecewise linear objective": ("pwlobj",),
}
_READ = {word: section for section, words in _SECTIONS.items() for word in words}
_REFUSED = {word: what for what, words in _OTHER_PROGRAMS.items() for word in words}
_BEGINNINGS = {re.split("[ -]", word)[0] for word in (*_READ, *_REFUSED)}
_NO_NAMES = {*_READ, *_REFUSED, "free", "inf", "infinity"}
_HINTS = {
    "[": "a quadratic part; only an objective may have one",
    "]": "a quadratic part; only an objective may have one",
    "^": "a power; those of an objective are in brackets, as in [ 2 x ^ 2 ] / 2",
    "*": "a product; the coefficient stands before its column, as in 2 x",
    "->": "an indicator constraint; expected column = 1 -> row",
    "<->": "an indicator constraint of two ways",
}

_Terms = tuple[list[int], list[float], float]  # columns, their coefficients, a constant


def read_lp(text: ModelText, name: str) -> LinearProgram | QuadraticProgram:
    """The program of an LP file, under this name.

    Raises :class:`FaultyFile` where the file does not keep to the format, with the line.
    """
    return _LpReader(text).program(name)


class _UnsignedNumbers(NumberCache):
    """Numbers that begin with a digit or a point."""

    def __missing__(self, word: str) -> float:
        if word[:1] not in _DIGITS:
            raise ValueError(word)
        return super().__missing__(word)


class _LpReader:
    """The tokens of a file, and the place of the next one.

    Attributes
    ----------
    tokens : list of str
        All but the keywords; every section ends with the empty token.
    starts, lines : lists of int
        Of each line that has tokens, the number of its first token, and its own.
    ends : list of int
        The numbers of the tokens that end terms: relations, and the empty ones.
    """

    def __init__(self, text: ModelText) -> None:
        self.text = text
        self.parts = ProgramParts(text)
        self.number = NumberCache()
        self.unsigned = _UnsignedNumbers()
        self.tokens: list[str] = []
        self.starts: list[int] = []
        self.lines: list[int] = []
        self.ends: list[int] = []
        self.sections: list[tuple[str, int]] = []  # what it is, its first token
        self.seen: set[str] = set()
        self.binary: dict[str, int] = {}  # columns, and the line that says so
        self.at = 0
        self.in_objective = False

    def program(self, name: str) -> LinearProgram | QuadraticProgram:
        """Read all sections."""
        self._divide()
        readers = {
            "min": self._read_objective,
            "max": self._read_objective,
            "rows": self._read_rows,
            "bounds": self._read_bounds,
            "general": self._read_general,
            "binary": self._read_binary,
            "semi": self._read_semicontinuous,
            "sos": self._read_sets,
        }
        for section, start in self.sections:
            self.at = start
            if section not in _REFUSED:
                readers[section]()
            elif self.tokens[start]:
                self.refuse(
                    f"the section {section!r}: the program has {_REFUSED[section]}, expected "
                    "linear rows, a linear objective and columns that are continuous or whole"
                )
        for column, line in self.binary.items():
            self._make_binary(column, line)
        self._name_rows()
        return self.parts.program(name)

    def refuse(self, what: str, at: int | None = None) -> NoReturn:
        """Raise that the line of a token, by default of the next one, has ``what``."""
        raise self.text.refused(self._line(self.at if at is None else at), what) from None

    def _line(self, at: int) -> int:
        """The line of a token; of an empty one, the line before it."""
        return self.lines[bisect_right(self.starts, at - (not self.tokens[at])) - 1]

    def _breaks(self) -> bool:
        """Whether the next token begins a line."""
        place = bisect_left(self.starts, self.at)
        return place < len(self.starts) and self.starts[place] == self.at

    def _divide(self) -> None:
        """The file as sections, and these as tokens."""
        ended = False
        single: set[str] = set()  # words that are one token, whatever is next to them
        for number, line in enumerate(self.text.lines, start=1):
            code = line.partition("\\")[0] if "\\" in line else line
            words = code.split()
            if not words:
                continue
            if words[0][-1] == ":":
                words[:1] = words[0][:-1], ":"
            if not single.issuperset(words):
                new = set(words) - single
                if all(map(_SINGLE.fullmatch, new)):
                    single |= new
                else:
                    words = _TOKEN.findall(code)
            if ended:
                raise self.text.refused(number, "text after End, expected none")
            keyword, rest = _keyword(words)
            if keyword:
                ended = self._begin(keyword, rest, number)
            elif not self.sections:
                raise self.text.refused(
                    number, f"{words[0][:40]!r}, expected Minimize or Maximize first"
                )
            if rest:
                self.starts.append(len(self.tokens))
                self.lines.append(number)
                self.tokens += rest
        self.ends = [k for k, token in enumerate(self.tokens) if token in _ENDS]
        last = len(self.text.lines)
        if not self.sections:
            raise self.text.refused(last, "no word in the whole file, expected Minimize first")
        if not ended:
            raise self.text.refused(last, "the file ends without End, as if it had been cut off")
        self.sections.pop()

    def _begin(self, keyword: str, rest: list[str], line: int) -> bool:
        """Begin a section; returns whether it is the end."""
        section = _READ.get(keyword, keyword)
        if (section in ("min", "max")) != (not self.sections):
            expected = "one objective alone" if self.sections else "Minimize or Maximize first"
            raise self.text.refused(line, f"the keyword {keyword!r}, expected {expected}")
        if rest[:1] == [":"] or (section == "end" and rest):
            raise self.text.refused(line, f"{rest[0]!r} behind the keyword {keyword!r}")
        kind = keyword if keyword == "lazy constraints" else section
        if kind in self.seen:
            raise self.text.refused(line, f"a second section {keyword!r}")
        self.seen.add(kind)
        self.tokens.append("")
        self.sections.append((section, len(self.tokens)))
        return section == "end"

    def _read_objective(self) -> None:
        parts = self.parts
        parts.sense = "max" if self.sections[0][0] == "max" else "min"
        if self.tokens[self.at].lower() == "multi" and self.tokens[self.at + 1] == "-":
            self.refuse("several objectives, expected one")
        self._label("")
        self.in_objective = True
        columns, values, parts.offset = self._linear_terms()
        if self._at_brackets():
            self._read_brackets()
            if self.tokens[self.at] in _SIGNS:
                more, others, constant = self._linear_terms()
                columns, values = columns + more, values + others
                parts.offset += constant
            if self._at_brackets():
                self.refuse("a second quadratic part, expected one")
        self.in_objective = False
        if self.tokens[self.at]:
            self._unexpected("a sign and a term, or Subject To")
        if not np.isfinite(parts.offset):
            self.refuse(f"the constant {parts.offset} of the objective")
        for column, value in zip(columns, values, strict=True):
            parts.costs[column] += value

    def _linear_terms(self) -> _Terms:
        """Terms of the objective, up to its end or to its brackets."""
        return self._terms() if self.tokens[self.at] and not self._at_brackets() else ([], [], 0.0)

    def _at_brackets(self) -> bool:
        """Whether signs, if any, and then a bracket come next."""
        at = self.at
        while self.tokens[at] in _SIGNS:
            at += 1
        return self.tokens[at] == "["

    def _sign(self) -> tuple[float, bool]:
        """The product of the signs that come next, and whether there are any."""
        sign, signed = 1.0, False
        while (token := self.tokens[self.at]) in _SIGNS:
            sign, signed = -sign if token == "-" else sign, True
            self.at += 1
        return sign, signed

    def _read_brackets(self) -> None:
        """The quadratic terms of the objective, ``[ 2 x ^ 2 + 4 x * y ] / 2``."""
        half, _ = self._sign()
        self.at += 1
        first = True
        while self.tokens[self.at] != "]":
            value, signed = self._sign()
            if not (signed or first):
                self._unexpected("a sign and a product, or ]")
            first = False
            line = self._line(self.at)
            token = self.tokens[self.at]
            if token[:1] in _DIGITS and (glued := _GLUED.fullmatch(token)):
                value *= self._number(glued[1])
                token = glued[2]
            elif token[:1] in _DIGITS:
                value *= self._number(token)
                self.at += 1
                token = self.tokens[self.at]
            one = self._column(token)
            sign = self.tokens[self.at]
            self.at += 1
            token = self.tokens[self.at]
            if sign == "^" and token == "2":
                self.at += 1
                other = one
            elif sign == "*" and _is_name(token):
                other = self._column(token)
            else:
                self.at -= 1
                self._unexpected("^ 2, or * and a column, in a quadratic part")
            # ½ x'Qx has a square once and a product twice.
            value *= half if one == other else 0.5 * half
            self.parts.add_quadratic(one, other, value, line)
        self.at += 1
        if self.tokens[self.at] != "/" or self.tokens[self.at + 1] != "2":
            self._unexpected(
                "/ 2 after the ] of a quadratic part, which some readers halve without"
            )
        self.at += 2

    def _column(self, name: str) -> int:
        """The number of a column, a new one perhaps, which is the next token."""
        column = self.parts.columns.get(name)
        column = self._new_column(name) if column is None else column
        self.at += 1
        return column

    def _read_rows(self) -> None:
        while self.tokens[self.at]:
            start = self.at
            name = self._label(f"\n{len(self.parts.rows)}")  # no name of a file has a line break
            indicator = self._indicator()
            left = self._terms()
            relation = self._relation()
            right = self._terms(behind=True)
            if self.tokens[self.at] in _RELATIONS:
                self._add_range(name, start, left, relation, right)
            else:
                self._add_row(name, start, left, relation, right)
            if indicator is not None:
                self.parts.conditions.indicators[self.parts.rows[name]] = indicator
            if self.tokens[self.at] and not self._breaks() and self.tokens[self.at + 1] != ":":
                self._unexpected("the end of the row and of the line")

    def _indicator(self) -> Indicator | None:
        """What stands before the row and an arrow, ``b = 1 ->``."""
        tokens, line = self.tokens, self._line(self.at)
        if "->" not in tokens[self.at + 1 : self.at + 4] or tokens[self.at + 1] != "=":
            return None
        column, value = tokens[self.at], tokens[self.at + 2]
        if value not in ("0", "1") or not _is_name(column):
            self.refuse(f"the indicator {column} = {value}, expected a column = 0 or 1")
        number = self._column(column)
        self.at += 3
        return Indicator(number, int(value), line)

    def _add_row(self, name: str, start: int, left: _Terms, relation: str, right: _Terms) -> None:
        """A row with one relation: all columns go to its left, the constants to its right."""
        if not left[0]:
            left, right, relation = right, left, _TURNED[relation]
        side = right[2] - left[2]
        columns = left[0] + right[0]
        values = left[1] + [-value for value in right[1]]
        lower = -np.inf if relation == "<" else side
        upper = np.inf if relation == ">" else side
        self._add(name, start, columns, values, lower, upper)

    def _add_range(
        self, name: str, start: int, left: _Terms, relation: str, middle: _Terms
    ) -> None:
        """A row between two numbers."""
        second = self._relation()
        right = self._terms(behind=True)
        if left[0] or right[0] or relation != second or relation == "=":
            self.refuse(
                "a row with two relations, expected number <= terms <= number, or number >= terms "
                ">= number, or a line for each row",
                start,
            )
        ends = left[2] - middle[2], right[2] - middle[2]
        lower, upper = ends if relation == "<" else ends[::-1]
        self._add(name, start, middle[0], middle[1], lower, upper)

    def _add(
        self,
        name: str,
        start: int,
        columns: list[int],
        values: list[float],
        lower: float,
        upper: float,
    ) -> None:
        if not columns:
            self.refuse("a row without columns", start)
        row = self.parts.add_row(name, lower, upper, self._line(start))
        self.parts.entry_rows.extend(repeat(row, len(columns)))
        self.parts.entry_columns.extend(columns)
        self.parts.entries.extend(values)

    def _terms(self, *, behind: bool = False) -> _Terms:
        """Columns, coefficients and the constant, up to what does not belong to them.

        ``behind`` a relation, a number that ends its line is the last of the terms, unless there
        are columns among them.
        """
        if not behind and (plain := self._plain_terms()):
            return plain
        tokens, known = self.tokens, self.parts.columns
        columns: list[int] = []
        values: list[float] = []
        constant, first = 0.0, True
        while True:
            if not first and behind and not columns and self._breaks():
                break
            if self.in_objective and self._at_brackets():
                break
            value, signed = 1.0, False
            while (token := tokens[self.at]) in ("+", "-"):
                value, signed = -value if token == "-" else value, True
                self.at += 1
            if not (signed or first):
                break
            first = False
            if not behind and token[:1] in _DIGITS and (glued := _GLUED.fullmatch(token)):
                value *= self._number(glued[1])
                token = glued[2]
            elif token[:1] in _DIGITS:
                value *= self._number(token)
                self.at += 1
                token = tokens[self.at]
                ends = behind and not columns and self._breaks()
                if ends or tokens[self.at + (token != "")] == ":" or not _is_name(token):
                    constant += value
                    continue
            elif token.lower() in ("inf", "infinity"):
                self.at += 1
                constant += value * np.inf
                continue
            column = known.get(token)
            if column is None:
                column = self._new_column(token)
            self.at += 1
            columns.append(column)
            values.append(value)
        return columns, values, constant

    def _plain_terms(self) -> _Terms | None:
        """The terms up to the next relation where all are a sign, a number and a column, or None.

        These are taken from the tokens all at once. The first may be without a sign.
        """
        tokens, start = self.tokens, self.at
        end = self.ends[bisect_left(self.ends, start)]
        bare = (end - start) % 3 == 2
        if end - start < 2 + (not bare) or (end - start) % 3 == 1:
            return None
        signs, first = tokens[start + 2 * bare : end : 3], start + 1 - bare
        names = tokens[first + 1 : end : 3]
        try:
            values = list(map(self.unsigned.__getitem__, tokens[first:end:3]))
        except ValueError:
            return None
        if not (_SIGNS.issuperset(signs) and all(map(_is_name, names))):
            return None
        known = self.parts.columns
        columns = list(map(known.get, names))
        if None in columns:
            for place, name in enumerate(names):
                if name not in known:
                    self.at = first + 3 * place + 1
                    self._new_column(name)
            columns = list(map(known.get, names))
        if "-" in signs:
            signs = ["+", *signs] if bare else signs
            pairs = zip(signs, values, strict=True)
            values = [-value if sign == "-" else value for sign, value in pairs]
        self.at = end
        return cast("list[int]", columns), values, 0.0

    def _number(self, word: str) -> float:
        try:
            return self.number[word]
        except ValueError as error:
            self.refuse(str(error))

    def _new_column(self, name: str) -> int:
        if not _is_name(name) or self.tokens[self.at + (name != "")] == ":":
            self._unexpected("a column or a number")
        self._check_name("column", name)
        return self.parts.add_column(name, self._line(self.at))

    def _label(self, usual: str) -> str:
        """The name before a colon, or the usual one if there is none."""
        name = self.tokens[self.at]
        if not name or self.tokens[self.at + 1] != ":":
            return usual
        if not _is_name(name):
            self._unexpected("a name before the ':'")
        self._check_name("row", name)
        self.at += 2
        return name

    def _check_name(self, what: str, name: str) -> None:
        """Refuse names that are likely to be something else."""
        if _PLAIN_NAME.fullmatch(name) and name.lower() not in _NO_NAMES:
            return
        for opening, closing in ("()", "{}", "[]"):
            if name.count(opening) != name.count(closing):
                self.refuse(
                    f"the {what} {name[:60]!r} has {opening!r} and {closing!r} that do not match; "
                    "terms in brackets are not of this format"
                )
        if name.lower() in _NO_NAMES:
            self.refuse(f"the keyword {name!r} in place of a {what}; sections begin a line")
        if name[-1] in ",;":
            self.refuse(f"the {what} {name[:60]!r} ends with {name[-1]!r}, expected a blank there")
        if not name.isascii() and not all(sign.isascii() or sign.isalpha() for sign in name):
            self.refuse(f"the {what} {name[:60]!r} has other characters than letters")

    def _relation(self) -> str:
        token = self.tokens[self.at]
        if token not in _RELATIONS:
            self._unexpected("one of <=, >=, =")
        self.at += 1
        return _RELATIONS[token]

    def _unexpected(self, expected: str) -> NoReturn:
        token = self.tokens[self.at]
        hint = f" ({_HINTS[token]})" if token in _HINTS else ""
        shown = repr(token[:40]) if token else "the end of the section"
        self.refuse(f"{shown}{hint}, expected {expected}")

    def _read_bounds(self) -> None:
        while self.tokens[self.at]:
            line = self._line(self.at)
            first = self._operand()
            if isinstance(first, str) and self.tokens[self.at].lower() == "free":
                self.at += 1
                self.parts.bound(first, line, -np.inf, np.inf)
                continue
            relation = self._relation()
            second = self._operand()
            if isinstance(first, str) == isinstance(second, str):
                self.refuse("a bound with two columns or none, expected a column and a number")
            if isinstance(first, str):
                self._bound(first, relation, second, line)
                continue
            self._bound(second, _TURNED[relation], first, line)
            if self.tokens[self.at] in _RELATIONS and not self._breaks():
                again = self._relation()
                third = self._operand()
                if isinstance(third, str) or again != relation or relation == "=":
                    self.refuse("a bound that is not of the form number <= column <= number")
                self._bound(second, again, third, line)

    def _bound(self, name: str | float, relation: str, value: str | float, line: int) -> None:
        lower = float(value) if relation in "=>" else None
        upper = float(value) if relation in "=<" else None
        self.parts.bound(str(name), line, lower, upper)

    def _operand(self) -> str | float:
        """A column, or a number."""
        sign, signed = 1.0, False
        while (token := self.tokens[self.at]) in ("+", "-"):
            sign, signed = -sign if token == "-" else sign, True
            self.at += 1
        if token[:1] in _DIGITS or token.lower() in ("inf", "infinity"):
            value = self._number(token)
            self.at += 1
            return sign * value
        if signed or not _is_name(token):
            self._unexpected("a column or a number")
        self.at += 1
        return self._declared(token, self.at - 1)

    def _declared(self, name: str, at: int) -> str:
        if name not in self.parts.columns:
            self.refuse(f"the column {name[:60]!r}, which no row and no objective has", at)
        return name

    def _listed(self) -> list[str]:
        """The columns of the section."""
        names = []
        while name := self.tokens[self.at]:
            if not _is_name(name):
                self._unexpected("a column")
            names.append(self._declared(name, self.at))
            self.at += 1
        return names

    def _read_general(self) -> None:
        for name in self._listed():
            self.parts.integer[self.parts.columns[name]] = True

    def _read_binary(self) -> None:
        start = self.at
        for place, name in enumerate(self._listed(), start):
            self.binary[name] = self._line(place)

    def _read_semicontinuous(self) -> None:
        start = self.at
        for place, name in enumerate(self._listed(), start):
            column = self.parts.columns[name]
            self.parts.conditions.semicontinuous[column] = self._line(place)

    def _read_sets(self) -> None:
        sets = self.parts.conditions.sets
        while self.tokens[self.at]:
            line = self._line(self.at)
            name = f"set_{len(sets)}"
            if self.tokens[self.at + 2] != ":":
                name = self._label(name)
            kind = self.tokens[self.at].upper()
            if kind not in ("S1", "S2") or self.tokens[self.at + 1 : self.at + 3] != [":", ":"]:
                self._unexpected("S1:: or S2::, and columns with weights")
            if name in sets:
                self.refuse(f"a second set {name!r}")
            self.at += 3
            columns: dict[int, float] = {}
            while self._is_weighted():
                column = self.parts.columns[self._declared(self.tokens[self.at], self.at)]
                if column in columns:
                    self.refuse(f"a second weight of {self.tokens[self.at]!r} in the set {name!r}")
                self.at += 2
                weight = self._sign()[0] * self._number(self.tokens[self.at])
                if weight in columns.values():
                    self.refuse(f"a second column of the weight {weight:g} in the set {name!r}")
                columns[column] = weight
                self.at += 1
            if not columns:
                self._unexpected("a column, a colon and a weight")
            sets[name] = OrderedSet(int(kind[1]), columns, line)

    def _is_weighted(self) -> bool:
        """Whether a column and its weight come next, rather than the name or type of a set."""
        tokens, at = self.tokens, self.at
        if not _is_name(tokens[at]) or tokens[at + 1] != ":":
            return False
        return tokens[at + 2] in _SIGNS or tokens[at + 2][:1] in _DIGITS

    def _make_binary(self, name: str, line: int) -> None:
        """Whole, within 0 and 1, and within the bounds that are stated."""
        column, parts = self.parts.columns[name], self.parts
        parts.integer[column] = True
        for stated, usual in ((parts.lower, 0.0), (parts.upper, 1.0)):
            bound, there = stated.setdefault(column, (usual, line))
            if not 0.0 <= bound <= 1.0:
                raise self.text.refused(
                    line,
                    f"the binary column {name!r} has the bound {bound:g} in line {there}, expected "
                    "0 or 1",
                )

    def _name_rows(self) -> None:
        """Names for rows without one."""
        rows = self.parts.rows
        taken = set(rows)
        named: dict[str, int] = {}
        for name, number in rows.items():
            own = unused_name(f"row_{number}", "", taken) if name.startswith("\n") else name
            named[own] = number
        self.parts.rows = named


def _is_name(token: str) -> bool:
    return token[:1] not in _NO_BEGINNING


def _keyword(words: list[str]) -> tuple[str, list[str]]:
    """The keyword that begins a line, or "", and the words after it."""
    first = words[0].lower()
    if first not in _BEGINNINGS:
        return "", words
    hyphened = "".join(words[:3]).lower() if words[1:2] == ["-"] else ""  # semi-continuous
    for count, keyword in ((3, hyphened), (2, " ".join(words[:2]).lower()), (1, first)):
        if keyword in _READ or keyword in _REFUSED:
            return keyword, words[count:]
    return "", words
