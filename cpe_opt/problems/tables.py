"""Tables: delimited text, lists of JSON objects, Parquet files and data frames, read strictly.

A table of text has a header line and below it one line a row, each with exactly as many cells as
the header. Cells are separated by commas, semicolons or tabs, whichever the header has; they may
be in double quotes. Where the separator is no comma, numbers may have decimal commas. Blank lines
and lines that start with ``#`` are left out. The columns of a list of JSON objects are their keys;
numbers are taken as their text, true and false as 1 and 0.

pyarrow parses whole columns, a block of lines or rows at a time, so that memory grows with the
number of rows alone. It knows no comments, takes text after a closing quote for part of the cell,
several objects for one line, guesses types, and does not say which line is wrong. What it refuses
or may read otherwise is :class:`~cpe_opt.text.NotPlain` and read again one row at a time
by Python's csv and json modules, which find the line to blame.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, counted, errors_of, listed, shortened
from cpe_opt.problems.clusters import ClusterColumn, is_cluster_name
from cpe_opt.problems.json_values import first_value, is_json, is_json_lines, json_values, kind_of
from cpe_opt.problems.times import seconds_of
from cpe_opt.progress_line import step
from cpe_opt.text import (
    MOST_COLUMNS,
    MOST_ROWS,
    NotPlain,
    check_size,
    line_blocks,
    read_text,
    require_file,
    text_lines,
)

if TYPE_CHECKING:
    import pandas as pd

HashArray: TypeAlias = npt.NDArray[np.uint64]
MISSING = frozenset({"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "None", "NULL", "null"})
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_LARGEST_COUNT = 2.0**53
_ROWS = 4096  # that are read one at a time before they are noted together
_DEEPEST = 1000  # brackets that a line of JSON may open before pyarrow's parser has no room
_BLANK = (b"\n ", b"\n\t")  # what a line of blanks starts with; pyarrow leaves out empty ones
_LEFT_OUT = re.compile(rb"^[ \t]*(?:#.*)?\n", re.MULTILINE)
_COMMENT = re.compile(rb"^[ \t]*#", re.MULTILINE)
_QUOTED = re.compile(r'"[^"]*"')
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf|infinity)", re.I)
# Cells may be texts; the limit is one of the whole process, and is but raised.
csv.field_size_limit(max(csv.field_size_limit(), 1 << 30))


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of text, each as codes into its distinct values.

    Attributes
    ----------
    columns : tuple of str
        The header: in lower case where names were asked for, else as it is written.
    coded : mapping from column to (codes, values)
        ``values[codes[row]]`` is the stripped text of a cell; values in order of first appearance.
    place : function of a row
        Its place, for messages: ``duels.csv, line 7``.
    decimal_commas : bool
        Whether a comma in a number is a decimal comma.
    comments : bool
        Whether lines that start with ``#`` were left out.
    hashed : mapping from column to array of 64-bit numbers
        Of columns that tell rows apart and whose texts nobody reads: a hash of each cell, 0 for a
        missing value. Two of a million different texts have the same one with a probability of
        3e-8.
    times : float array, or None
        Of the column of times, in seconds since 1970; NaN for what is none.
    asked : tuple of str
        The columns of hashes or times that were asked for.
    """

    source: str
    columns: tuple[str, ...]
    rows: int
    coded: Mapping[str, tuple[IntArray, list[str]]]
    place: Callable[[int], str]
    decimal_commas: bool = False
    comments: bool = False
    hashed: Mapping[str, HashArray] = field(default_factory=dict)
    times: FloatArray | None = None
    asked: tuple[str, ...] = ()

    def __contains__(self, column: str) -> bool:
        return column in self.coded

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns that were not read, without the index of a data frame."""
        return tuple(
            name
            for name in self.columns
            if name not in self
            and name not in self.asked
            and name.lower() not in ("", "unnamed: 0", "__index_level_0__")
        )

    def clusters(self, count: FloatArray, rows: IntArray | None = None) -> list[ClusterColumn]:
        """The columns that tell clusters in which values repeat.

        Parameters
        ----------
        count : float array
            How many votes or scores a row stands for.
        rows : int array, optional
            Which rows there are; by default all.
        """
        found = []
        for name, hashes in self.hashed.items():
            if not is_cluster_name(name):
                continue
            cells = hashes if rows is None else hashes[rows]
            values = len(np.unique(cells[cells > 0]))
            observations = int(count[cells > 0].sum())
            if 0 < values < observations:
                found.append(ClusterColumn(name, values, observations))
        return found

    def keys(self, column: str) -> IntArray:
        """Numbers that tell the values of a hashed column apart, in every row one."""
        hashes = self.hashed[column]
        if not hashes.all():
            raise InputError(
                f"{self.place(int(np.argmin(hashes)))}: the cell of {column!r} is empty, or stands "
                "for a missing value"
            )
        return np.unique(hashes, return_inverse=True)[1].ravel()

    def texts(self, column: str) -> list[str]:
        """The cells of a column, row by row."""
        codes, values = self.coded[column]
        return [values[code] for code in codes.tolist()]

    def names(self, column: str) -> list[str]:
        """The same of a column that names things in every row, or :class:`InputError`."""
        self.labels(column)
        return self.texts(column)

    def distinct(self, column: str) -> list[str]:
        """The same of a column in which every name is different."""
        names = self.names(column)
        first: dict[str, int] = {}
        for row, name in enumerate(names):
            if first.setdefault(name, row) < row:
                what = f"{column} {name!r}" if column else repr(name)
                raise InputError(f"{self.place(row)}: {what} stands there twice")
        return names

    def labels(self, column: str) -> tuple[IntArray, list[str]]:
        """Codes and their names, of which none may be missing."""
        codes, values = self.coded[column]
        for code, value in enumerate(values):
            if value in MISSING:
                what = f"is {value!r}, which stands for a missing value" if value else "is empty"
                cell = f"the cell of {column!r}" if column else "the first cell"
                raise InputError(f"{self._first(codes, code)}: {cell} {what}")
            if "\n" in value:
                raise InputError(
                    f"{self._first(codes, code)}: {column} is {shortened(value)!r}, with a line "
                    "break; is a quote not closed?"
                )
            if self.comments and re.search(r"\s#", value):
                raise InputError(
                    f"{self._first(codes, code)}: {column} is {value!r}; comments are on lines "
                    "of their own, and no label has a blank before #"
                )
        return codes, values

    def numbers(
        self, column: str, *, empty: float | None = None, whole: bool = False
    ) -> FloatArray:
        """A column of finite numbers, with ``empty`` for empty cells where that is given.

        ``whole`` asks for counts: whole numbers, 0 or more.
        """
        codes, values = self.coded[column]
        expected = "a whole number, 0 or more" if whole else "a number"
        commas = [code for code, value in enumerate(values) if "," in value]
        points = [code for code, value in enumerate(values) if "." in value]
        if self.decimal_commas and commas and points:
            comma, point = values[commas[0]], values[points[0]]
            elsewhere = "" if comma == point else f", and {point!r} elsewhere"
            raise InputError(
                f"{self._first(codes, commas[0])}: {column} is {comma!r}{elsewhere}; a column has "
                "either decimal commas or decimal points, and no thousands separators"
            )
        parsed = np.full(len(values), np.nan)
        for code, value in enumerate(values):
            if not value and empty is not None:
                parsed[code] = empty
                continue
            try:
                number = parse_number(value, decimal_comma=self.decimal_commas)
            except ValueError:
                number = math.nan
            good = math.isfinite(number)
            if whole:
                good = good and number.is_integer() and 0 <= number <= _LARGEST_COUNT
            if not good:
                found = f"{column} is {value!r}" if value else f"the cell of {column!r} is empty"
                raise InputError(f"{self._first(codes, code)}: {found}, expected {expected}")
            parsed[code] = number
        return parsed[codes]

    def _first(self, codes: IntArray, code: int) -> str:
        return self.place(int(np.argmax(codes == code)))


def read_table(
    source: str | os.PathLike[str] | pd.DataFrame,
    needed: Sequence[str] = (),
    optional: Sequence[str] = (),
    *,
    others: bool = False,
    apart: Sequence[str] = (),
    time: str | None = None,
    comments: bool = True,
    name: str = "table",
) -> Table:
    """Read a table.

    Parameters
    ----------
    source : path or data frame
        Of delimited text, Parquet or JSON objects. Rows of Parquet and of data frames are numbered
        from 0 in messages.
    needed, optional : sequences of str
        Names of columns, in lower case; upper case in the file is no difference. Without any, all
        columns are read by the names they have, of which the first may be empty.
    others : bool
        Whether there may be columns of other names, which are left out; the first of them may have
        none. Of those that may tell votes or scores in clusters (:mod:`cpe_opt.problems.clusters`)
        the hashes are read.
    apart : sequence of str
        Further columns that are needed, of which hashes are enough.
    time : str, optional
        A further column that is needed, of times.
    comments : bool
        Whether lines of text that start with ``#`` are left out.
    name : str
        What a data frame is called in messages.

    Raises
    ------
    InputError
        With the line concerned.
    """
    import pandas as pd

    schema = _Schema(tuple(needed), tuple(optional), others, tuple(apart), time)
    if isinstance(source, pd.DataFrame):
        return _of_frame(source, schema, name)
    path = require_file(source)
    if is_parquet(path):
        return _of_parquet(path, schema)
    return _of_json(path, schema) if is_json(path) else _of_text(path, schema, comments=comments)


def joined_tables(tables: Sequence[Table]) -> Table:
    """Rows of several tables, one after another: of the columns that all of them have."""
    starts = np.cumsum([0, *(table.rows for table in tables)])

    def place(row: int) -> str:
        which = int(np.searchsorted(starts, row, side="right")) - 1
        return tables[which].place(row - int(starts[which]))

    coded = {}
    for name in tables[0].coded:
        if all(name in table for table in tables):
            number: dict[str, int] = {}
            parts = []
            for table in tables:
                codes, values = table.coded[name]
                known = [number.setdefault(value, len(number)) for value in values]
                parts.append(np.array(known, dtype=np.int64)[codes])
            coded[name] = np.concatenate(parts), list(number)
    hashed = {
        name: np.concatenate(
            [table.hashed.get(name, np.zeros(table.rows, dtype=np.uint64)) for table in tables]
        )
        for name in dict.fromkeys(name for table in tables for name in table.hashed)
    }
    times = [table.times for table in tables if table.times is not None]
    read = {name for table in tables for name in table.coded}
    columns = dict.fromkeys(name for table in tables for name in table.columns)
    return Table(
        ", ".join(table.source for table in tables),
        tuple(name for name in columns if name in coded or name not in read),
        sum(table.rows for table in tables),
        coded,
        place,
        hashed=hashed,
        times=np.concatenate(times) if len(times) == len(tables) else None,
        asked=tuple(dict.fromkeys(name for table in tables for name in table.asked)),
    )


def header_of(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The columns of a table, or the keys of the first object of a JSON file, in lower case.

    Empty where the file has no header or object: the function that reads it then says why.
    """
    path = require_file(path)
    names: Iterable[object] = ()
    if is_parquet(path):
        names = _parquet_names(path)
    elif is_json(path):
        first = first_value(path)
        names = first if isinstance(first, dict) else ()
    else:
        _, line = first_line(read_text(path, only_start=True))
        try:
            _, names = next(records(line, separator_of(line)), (0, ()))
        except InputError:
            names = ()
    return tuple(str(name).strip().lower() for name in names)


def is_parquet(path: Path) -> bool:
    """Whether a file is Parquet, by its first bytes."""
    try:
        with path.open("rb") as file:
            return file.read(4) == b"PAR1"
    except OSError:
        return False  # whoever reads it says why


def parse_number(text: str, *, decimal_comma: bool = False) -> float:
    """The number that a cell holds, or :class:`ValueError`."""
    if decimal_comma:
        text = text.replace(",", ".")
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return float(text)


@dataclass(frozen=True)
class _Schema:
    """Which columns a table needs and may have; see :func:`read_table`."""

    needed: tuple[str, ...]
    optional: tuple[str, ...]
    others: bool
    apart: tuple[str, ...] = ()
    time: str | None = None

    def check(self, where: str, header: Iterable[str], what: str = "column") -> list[str]:
        """The names of columns, or :class:`InputError` if they are not as expected."""
        header = [name.strip() for name in header]
        check_size(where, len(header), MOST_COLUMNS, f"{what}s")
        names, wish = self.spelt(header), self.wish
        apart = what == "column" and len(header) == 1
        absent = [name for name in (*self.needed, *self.asked) if name not in names]
        if absent:
            raise InputError(
                f"{where}: no {what} {absent[0]!r}; found {listed(header, f'{what}s')}; "
                f"expected{wish}{', separated by commas, semicolons or tabs' * apart}"
            )
        before: set[str] = set()
        for place, name in enumerate(names):
            if not name and (place or (self.needed and not self.others)):
                raise InputError(f"{where}: {what} {place + 1} of the header has no name")
            if name in before and (self.reads(name) or self.tells_apart(name)):
                raise InputError(f"{where}: two {what}s are called {header[place]!r}")
            if not self.others and not self.reads(name):
                raise InputError(
                    f"{where}: unknown {what} {header[place]!r}; found "
                    f"{listed(header, f'{what}s')}; expected{wish}"
                )
            before.add(name)
        return names

    def spelt(self, header: Iterable[str]) -> list[str]:
        """The names that are compared: in lower case where some are asked for."""
        return [name.strip().lower() if self.needed else name.strip() for name in header]

    def reads(self, name: str) -> bool:
        """Whether a column is read."""
        return not self.needed or name in self.needed or name in self.optional

    @property
    def asked(self) -> tuple[str, ...]:
        """The columns of hashes and times."""
        return (*self.apart, *((self.time,) if self.time else ()))

    def tells_apart(self, name: str) -> bool:
        """Whether hashes of a column are read, or times."""
        clusters = self.others and is_cluster_name(name) and not self.reads(name)
        return clusters or name in self.asked

    def wanted(self, names: Iterable[str]) -> tuple[list[str], list[str]]:
        """The columns whose texts are read, and those of which hashes or times are enough."""
        names = list(dict.fromkeys(names))
        rest = [name for name in names if self.tells_apart(name) and not self.reads(name)]
        return list(filter(self.reads, names)), rest

    @property
    def wish(self) -> str:
        """The columns, for messages."""
        if not self.needed:
            return ""
        asked = f" {', '.join(dict.fromkeys((*self.needed, *self.asked)))}"
        return asked + f" and, optionally, {', '.join(self.optional)}" * bool(self.optional)


class _Columns:
    """The columns of a table as far as they are read."""

    def __init__(self, source: str, wanted: Iterable[str], schema: _Schema) -> None:
        self.rows = 0
        self._source, self._schema = source, schema
        self._numbers: dict[str, dict[str, int]] = {name: {} for name in wanted}
        self._codes: dict[str, list[npt.NDArray[np.int32]]] = {name: [] for name in self._numbers}
        self._hashes: dict[str, list[tuple[int, HashArray]]] = {}
        self._times: list[FloatArray] = []

    def add(self, columns: Mapping[str, Any], rows: int) -> None:
        """Note some rows: arrays of pyarrow, of pandas, or lists, by the names of columns."""
        schema = self._schema
        for name, column in columns.items():
            hashed = schema.tells_apart(name)
            if name == schema.time:
                self._times.append(seconds_of(column))
                hashed = name in schema.apart
            if name not in self._numbers and not hashed:
                continue
            codes, values = _factorized(column)
            if hashed:
                self._hashes.setdefault(name, []).append((self.rows, _hashes(codes, values)))
            if name in self._numbers:
                numbers = self._numbers[name]
                known = [numbers.setdefault(text, len(numbers)) for text in values]
                if (codes < 0).any():  # which finds the last place
                    known.append(numbers.setdefault("", len(numbers)))
                self._codes[name].append(np.array(known, dtype=np.int32)[codes])
        self.rows += rows
        check_size(self._source, self.rows, MOST_ROWS, "rows")
        step("rows read", self.rows)

    def add_all(self, rows: Iterable[Mapping[str, str]]) -> None:
        """The same one row at a time; some may lack a column of which hashes are read."""
        rows = iter(rows)
        while some := list(islice(rows, _ROWS)):
            names = dict.fromkeys(name for row in some for name in row)
            self.add({name: [row.get(name, "") for row in some] for name in names}, len(some))

    def table(self, names: Iterable[str], place: Callable[[int], str], **notes: bool) -> Table:
        coded = {}
        for name, parts in self._codes.items():
            coded[name] = np.concatenate(parts).astype(np.int64), list(self._numbers[name])
            parts.clear()
        hashed = {}
        for name, blocks in self._hashes.items():
            hashed[name] = np.zeros(self.rows, dtype=np.uint64)  # of objects that lack the key
            for start, hashes in blocks:
                hashed[name][start : start + len(hashes)] = hashes
            blocks.clear()
        times = np.concatenate(self._times) if self._times else None
        return Table(
            self._source,
            tuple(names),
            self.rows,
            coded,
            place,
            hashed=hashed,
            times=times,
            asked=self._schema.asked,
            **notes,
        )


def _whole(column: Any) -> Any:
    """A column of pyarrow as one array."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _factorized(column: Any) -> tuple[npt.NDArray[np.integer], list[str]]:
    """Codes of a column, -1 for a missing value, and the stripped texts of its values."""
    import pandas as pd
    import pyarrow as pa

    if isinstance(column, pa.Array):
        if pa.types.is_nested(column.type):
            column = pa.array([*map(str, column.to_pylist())], pa.string())
        encoded = column.dictionary_encode()
        codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        values = encoded.dictionary.to_numpy(zero_copy_only=False).tolist()
    else:
        if isinstance(column, list):
            column = np.array(column, dtype=np.object_)
        codes, unique = pd.factorize(column)
        values = unique.tolist()
    texts = [
        v if type(v) is str else str(int(v)) if isinstance(v, bool | np.bool_) else str(v)
        for v in values
    ]
    return codes, [text.strip() for text in texts]


def _hashes(codes: npt.NDArray[np.integer], values: Sequence[str]) -> HashArray:
    """The hashes of the cells of a column, 0 for missing values."""
    from pandas.util import hash_array

    texts = [value if value not in MISSING else "" for value in values]
    texts = [text if text.isascii() else text.encode("utf-8", "replace").decode() for text in texts]
    hashes = hash_array(np.array([*texts, ""], dtype=np.object_), categorize=False)
    hashes = np.where(hashes == hashes[-1], np.uint64(0), np.maximum(hashes, np.uint64(1)))
    return np.asarray(hashes[codes], dtype=np.uint64)


# Delimited text.


def _of_text(path: Path, schema: _Schema, *, comments: bool) -> Table:
    number, line = first_line(text_lines(path), comments=comments)
    if not number:
        of = " of" if schema.needed else ""
        raise InputError(f"{path.name}: the file is empty, expected a header{of}{schema.wish}")
    with errors_of(f"{path.name}, line {number}"):
        separator = separator_of(line)
        _, header = next(records(line, separator, comments=comments))
    names = schema.check(f"{path.name}, line {number}", header)
    wanted, others = schema.wanted(names)
    places = dict(zip(reversed(names), reversed(range(len(names))), strict=True))
    place = {name: places[name] for name in (*wanted, *others)}

    def rows() -> Iterator[tuple[int, list[str]]]:
        """Line number and cells below the header."""
        lines = records(text_lines(path), separator, comments=comments, source=f"{path.name}, ")
        return islice(lines, 1, None)

    def cells() -> Iterator[dict[str, str]]:
        for line, row in rows():
            if len(row) != len(header):
                raise InputError(
                    f"{path.name}, line {line}: {counted(row, 'cell')}, expected {len(header)}, "
                    f"as the header has ({listed(names)}): {shortened(separator.join(row))!r}"
                )
            yield {name: row[at] for name, at in place.items()}

    columns = _Columns(path.name, wanted, schema)
    try:
        for block in _plain_lines(path, separator, number, comments=comments):
            _add_lines(columns, block, separator, len(header), place)
    except NotPlain:
        columns = _Columns(path.name, wanted, schema)
        columns.add_all(cells())
    if not columns.rows:
        raise InputError(f"{path.name}: the file has no lines below its header")
    return columns.table(
        names,
        lambda row: f"{path.name}, line {next(islice(rows(), row, None))[0]}",
        decimal_commas=separator != ",",
        comments=comments,
    )


def first_line(text: str | Iterable[str], *, comments: bool = True) -> tuple[int, str]:
    """Number and content of the first line that says something; (0, "") where none does.

    ``text`` may be lines, each with its line end.
    """
    for number, line in enumerate(io.StringIO(text) if isinstance(text, str) else text, 1):
        if not _is_left_out(line, comments=comments):
            return number, line.removesuffix("\n")
    return 0, ""


def _is_left_out(line: str, *, comments: bool) -> bool:
    """Whether a line is blank, or a comment where there are such; as :data:`_LEFT_OUT`."""
    start = line.lstrip(" \t\n")[:1]
    return not start or (comments and start == "#")


def separator_of(line: str) -> str:
    """The separator of a header line; a comma where it has but one cell."""
    bare = _QUOTED.sub("", line)
    present = [separator for separator in SEPARATORS if separator in bare]
    if len(present) > 1:
        names = " and ".join(SEPARATORS[separator] for separator in present)
        raise InputError(
            f"the header {shortened(line)!r} has {names}: which separate its cells? Put names that "
            "contain one in double quotes"
        )
    return present[0] if present else ","


def records(
    text: str | Iterable[str], separator: str, *, comments: bool = True, source: str = ""
) -> Iterator[tuple[int, list[str]]]:
    """Line number and stripped cells of every row, the header included.

    ``text`` may be lines, each with its line end; messages start with the ``source``.
    """
    number = begun = 0

    def lines() -> Iterator[str]:
        nonlocal number, begun
        for line in io.StringIO(text) if isinstance(text, str) else text:
            number += 1
            if not begun and _is_left_out(line, comments=comments):
                continue
            begun = begun or number
            yield line

    rows = csv.reader(lines(), delimiter=separator, skipinitialspace=True, strict=True)
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise InputError(f"{source}line {begun}: {misquoted(error)}") from None
        if row is None:
            return
        yield begun, [cell.strip() for cell in row]
        begun = 0


def misquoted(error: csv.Error) -> str:
    """What is wrong with the quotes of a line."""
    return "a quote is not closed" if "end of data" in str(error) else str(error)


def _plain_lines(path: Path, separator: str, header: int, *, comments: bool) -> Iterator[bytes]:
    """Whole lines below the header, without comments and blank lines, all quotes plain."""
    mark = separator.encode()
    for lines in line_blocks(path, quotes=True):
        block = lines
        while header and block:  # up to the header, each of whose lines is one of the file
            block = block.partition(b"\n")[2]
            header -= 1
        if b'"' in block:
            if comments and b"#" in block and _COMMENT.search(block):
                raise NotPlain
            if not _plainly_quoted(block, mark):
                raise NotPlain
        elif block[:1].isspace() or b"#" in block or any(blank in block for blank in _BLANK):
            if not comments and b"#" in block:
                raise NotPlain
            block = _LEFT_OUT.sub(b"", block)
        if block:
            yield block


def _plainly_quoted(block: bytes, separator: bytes) -> bool:
    """Whether every quote is at the edge of a cell, the only place where pyarrow is strict.

    Two in a row are an empty cell, or one quote in a quoted cell; elsewhere they are text.
    """
    block = block.replace(b'""', b"") if b'""' in block else block
    opening = block.startswith(b'"') + block.count(b'\n"') + block.count(separator + b'"')
    closing = block.count(b'"\n') + block.count(b'"' + separator)
    return bool(2 * opening == 2 * closing == block.count(b'"'))


def _add_lines(
    columns: _Columns, block: bytes, separator: str, width: int, place: Mapping[str, int]
) -> None:
    """Note lines of ``width`` cells, of which the named ones are at these places."""
    import pyarrow as pa
    import pyarrow.csv as pc

    names, of_few = [str(at) for at in range(width)], pa.dictionary(pa.int32(), pa.string())
    # Blocks are in memory, so that pyarrow's threads call nothing of Python.
    try:
        table = pc.read_csv(
            pa.BufferReader(block),
            read_options=pc.ReadOptions(block_size=max(1 << 20, len(block)), column_names=names),
            parse_options=pc.ParseOptions(delimiter=separator, newlines_in_values=b'"' in block),
            convert_options=pc.ConvertOptions(
                column_types={names[at]: of_few for at in place.values()},
                include_columns=[names[at] for at in place.values()],
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        )
    except (pa.ArrowInvalid, pa.ArrowKeyError):
        raise NotPlain from None
    found = {name: _whole(table.column(names[at])) for name, at in place.items()}
    columns.add(found, table.num_rows)


# Lists of JSON objects.


def _of_json(path: Path, schema: _Schema) -> Table:
    first = first_value(path)
    shape = tuple(first) if isinstance(first, dict) else ()
    wanted = {name for name in schema.spelt(shape) if schema.reads(name)}
    names: dict[str, None] = {}

    def cells() -> Iterator[dict[str, str]]:
        layouts: dict[tuple[str, ...], tuple[dict[str, str], dict[str, str]]] = {}
        for line, value in json_values(path):
            where = f"{path.name}, line {line}"
            if not isinstance(value, dict):
                keys = f" with the keys{schema.wish}" * bool(schema.needed)
                raise InputError(f"{where}: {kind_of(value)}, expected an object{keys}")
            shape = tuple(value)
            if shape not in layouts:
                if len(layouts) == _ROWS:
                    layouts.clear()
                layouts[shape] = layout(where, shape)
            yield _object_cells(where, value, *layouts[shape])

    def layout(where: str, shape: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str]]:
        """The keys by the names of the columns that are read, and of those of hashes or times."""
        found = schema.check(where, shape, "key")
        names.update(dict.fromkeys(found))
        key = dict(zip(reversed(found), reversed(shape), strict=True))
        read, others = schema.wanted(found)
        if odd := wanted.symmetric_difference(read):
            raise InputError(f"{where}: {min(odd)!r} is a key of some objects, and not of all")
        return {name: key[name] for name in read}, {name: key[name] for name in others}

    columns = _Columns(path.name, wanted, schema)
    try:
        if not shape or not is_json_lines(path):
            raise NotPlain
        try:
            read, others = layout(path.name, shape)
        except InputError:
            raise NotPlain from None
        for block in line_blocks(path):
            for key in _add_objects(columns, block, first, read, others):
                (name,) = schema.spelt([key])
                if key in first:
                    continue
                if not schema.others or schema.reads(name) or schema.tells_apart(name):
                    raise NotPlain  # only some objects have it, or it is another spelling
                names[name] = None
    except NotPlain:
        columns = _Columns(path.name, wanted, schema)
        names.clear()
        columns.add_all(cells())
    if not columns.rows:
        keys = f", expected some with the keys{schema.wish}" * bool(schema.needed)
        raise InputError(f"{path.name}: no objects{keys}")

    def place(row: int) -> str:
        return f"{path.name}, line {next(islice(json_values(path), row, None))[0]}"

    return columns.table(names, place)


def _add_objects(
    columns: _Columns,
    block: bytes,
    first: Mapping[str, Any],
    read: Mapping[str, str],
    others: Mapping[str, str],
) -> list[str]:
    """Note objects, one a line, with values of the kinds of the first one's; returns their keys."""
    import pyarrow as pa
    import pyarrow.json as pj

    _check_depth(block)
    kinds = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}
    if not all(type(first[key]) in kinds for key in read.values()):
        raise NotPlain
    try:
        table = pj.read_json(
            pa.BufferReader(block),
            read_options=pj.ReadOptions(block_size=max(1 << 20, len(block))),
            parse_options=pj.ParseOptions(
                explicit_schema=pa.schema((key, kinds[type(first[key])]) for key in read.values()),
                unexpected_field_behavior="infer",
            ),
        )
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, UnicodeDecodeError):
        raise NotPlain from None
    lines = block.count(b"\n")
    if table.num_rows != lines:
        lines = sum(not line.isspace() for line in block.splitlines(keepends=True))
    found = {name: _whole(table.column(key)) for name, key in read.items()}
    if table.num_rows != lines or any(column.null_count for column in found.values()):
        raise NotPlain
    for name, key in others.items():
        if key in table.column_names:
            found[name] = _whole(table.column(key))
    columns.add(found, table.num_rows)
    return list(table.column_names)


def _check_depth(block: bytes) -> None:
    """Refuse lines that may be nested so deeply that pyarrow's parser has no room for them."""
    ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == 10)
    starts = np.concatenate([[0], ends[:-1] + 1])
    for line in np.flatnonzero(ends - starts > 2 * _DEEPEST).tolist():
        start, end = int(starts[line]), int(ends[line])
        if block.count(b"[", start, end) + block.count(b"{", start, end) > _DEEPEST:
            raise NotPlain


def _object_cells(
    where: str, value: Mapping[str, Any], read: Mapping[str, str], others: Mapping[str, str]
) -> dict[str, str]:
    """The values of an object as texts, those of hashes nested as they may be."""
    row = {
        name: cell if type(cell := value[key]) is str else _cell(cell, f"{where}: {key}")
        for name, key in read.items()
    }
    for name, key in others.items():
        cell = value[key]
        row[name] = json.dumps(cell) if isinstance(cell, dict | list) else _cell(cell, key)
    return row


def _cell(value: Any, what: str) -> str:
    """A value as the text of a cell, or :class:`InputError`."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int | float):
        return repr(value)
    raise InputError(f"{what} is {kind_of(value)}, expected a text or a number")


# Parquet files, and data frames.


def _of_parquet(path: Path, schema: _Schema) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    header = _parquet_names(path)
    names = schema.check(path.name, header)
    key = dict(zip(reversed(names), reversed(header), strict=True))
    wanted, others = schema.wanted(names)
    columns = _Columns(path.name, wanted, schema)
    try:
        with path.open("rb") as data, pq.ParquetFile(data) as file:
            for batch in file.iter_batches(columns=[key[name] for name in (*wanted, *others)]):
                found = {name: batch.column(key[name]) for name in (*wanted, *others)}
                for name, column in found.items():
                    if pa.types.is_dictionary(column.type):  # in another order, and not all there
                        found[name] = column.dictionary_decode()
                columns.add(found, batch.num_rows)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(path, error) from None
    if not columns.rows:
        raise InputError(f"{path.name}: the file has no rows")
    return columns.table(names, lambda row: f"{path.name}, row {row}")


def _parquet_names(path: Path) -> list[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with path.open("rb") as data:  # Arrow opens no path that is not UTF-8
            return list(pq.read_schema(data).names)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> InputError:
    reason = str(error).partition("\n")[0]
    return InputError(f"{path.name}: the Parquet file cannot be read: {reason}")


def _of_frame(frame: pd.DataFrame, schema: _Schema, source: str) -> Table:
    names = schema.check(source, map(str, frame.columns))
    wanted, others = schema.wanted(names)
    columns = _Columns(source, wanted, schema)
    places = dict(zip(reversed(names), reversed(range(len(names))), strict=True))
    for name in (*wanted, *others):
        column = frame.iloc[:, places[name]]
        try:
            columns.add({name: column}, 0)
        except TypeError as error:
            if name in wanted:
                raise InputError(f"{source}: column {name!r} cannot be read ({error})") from None
            columns.add({name: column.map(str)}, 0)
    columns.rows = len(frame)
    if not columns.rows:
        raise InputError(f"{source}: the data frame has no rows")
    return columns.table(names, lambda row: f"{source}, row {row}")
