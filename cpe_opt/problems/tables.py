"""Tables: delimited text, lists of JSON objects, Parquet files and data frames, read strictly.

A table of text has a header line and below it one line a row, each with exactly as many cells as
the header. Cells are separated by commas, semicolons or tabs, whichever the header has; they may
be in double quotes. Where the separator is no comma, numbers may have decimal commas. Blank lines
and lines that start with ``#`` are left out. The columns of a list of JSON objects are their keys;
numbers are taken as their text, true and false as 1 and 0.

pyarrow parses whole columns, a block of lines or rows at a time, so that memory grows with the
number of rows alone. It knows no comments, takes text after a closing quote for part of the cell,
several objects for one line, guesses types, and does not say which line is wrong. What it refuses
or may read otherwise is :class:`~cpe_opt.problems.text.NotPlain` and read again one row at a time
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
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.clusters import ClusterColumn, is_cluster_name
from cpe_opt.problems.json_values import first_value, is_json, is_json_lines, json_values, kind_of
from cpe_opt.problems.text import (
    NotPlain,
    counted,
    errors_of,
    line_blocks,
    listed,
    read_text,
    require_file,
    shortened,
    text_lines,
)

if TYPE_CHECKING:
    import pandas as pd

MISSING = frozenset({"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "None", "NULL", "null"})
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_LARGEST_COUNT = 2.0**53
_ROWS = 4096  # that are read one at a time before they are noted together
_UNSORTED = 1 << 20
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
    counted : mapping from column to (int, int)
        Of columns that were not read but counted: how many different values they have, and how
        many rows have one.
    """

    source: str
    columns: tuple[str, ...]
    rows: int
    coded: Mapping[str, tuple[IntArray, list[str]]]
    place: Callable[[int], str]
    decimal_commas: bool = False
    comments: bool = False
    counted: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def __contains__(self, column: str) -> bool:
        return column in self.coded

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns that were not read, without the index of a data frame."""
        return tuple(
            name
            for name in self.columns
            if name not in self and name.lower() not in ("", "unnamed: 0", "__index_level_0__")
        )

    def clusters(self, observations: int) -> tuple[ClusterColumn, ...]:
        """The counted columns in which values repeat; ``observations`` are votes or scores."""
        columns = [
            ClusterColumn(name, values, observations - (self.rows - filled))
            for name, (values, filled) in self.counted.items()
        ]
        return tuple(each for each in columns if 0 < each.values < each.observations)

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
                    f"{self._first(codes, code)}: {column} is {value!r}; comments stand on lines "
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
        the different values are counted.
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

    schema = _Schema(tuple(needed), tuple(optional), others)
    if isinstance(source, pd.DataFrame):
        return _of_frame(source, schema, name)
    path = require_file(source)
    if is_parquet(path):
        return _of_parquet(path, schema)
    return _of_json(path, schema) if is_json(path) else _of_text(path, schema, comments=comments)


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

    def check(self, where: str, header: Iterable[str], what: str = "column") -> list[str]:
        """The names of columns, or :class:`InputError` where they are not as expected."""
        header = [name.strip() for name in header]
        names, wish = self.spelt(header), self.wish
        apart = what == "column" and len(header) == 1
        absent = [name for name in self.needed if name not in names]
        if absent:
            raise InputError(
                f"{where}: no {what} {absent[0]!r}; found {listed(header, f'{what}s')}; "
                f"expected{wish}{', separated by commas, semicolons or tabs' * apart}"
            )
        for place, name in enumerate(names):
            if not name and (place or (self.needed and not self.others)):
                raise InputError(f"{where}: {what} {place + 1} of the header has no name")
            if name in names[:place] and (self.reads(name) or is_cluster_name(name)):
                raise InputError(f"{where}: two {what}s are called {header[place]!r}")
            if not self.others and not self.reads(name):
                raise InputError(
                    f"{where}: unknown {what} {header[place]!r}; found "
                    f"{listed(header, f'{what}s')}; expected{wish}"
                )
        return names

    def spelt(self, header: Iterable[str]) -> list[str]:
        """The names that are compared: in lower case where some are asked for."""
        return [name.strip().lower() if self.needed else name.strip() for name in header]

    def reads(self, name: str) -> bool:
        """Whether a column is read."""
        return not self.needed or name in self.needed or name in self.optional

    def wanted(self, names: Iterable[str]) -> tuple[list[str], list[str]]:
        """The columns to read, and those of which the different values are counted."""
        names = list(dict.fromkeys(names))
        return [name for name in names if self.reads(name)], [
            name for name in names if not self.reads(name) and is_cluster_name(name)
        ]

    @property
    def wish(self) -> str:
        """The columns, for messages."""
        if not self.needed:
            return ""
        asked = f" {', '.join(self.needed)}"
        return asked + f" and, optionally, {', '.join(self.optional)}" * bool(self.optional)


class _Columns:
    """The columns of a table as far as they are read, and how many values others have."""

    def __init__(self, wanted: Iterable[str]) -> None:
        self.rows = 0
        self._numbers: dict[str, dict[str, int]] = {name: {} for name in wanted}
        self._codes: dict[str, list[npt.NDArray[np.int32]]] = {name: [] for name in self._numbers}
        self._distinct: dict[str, _DistinctValues] = {}

    def add(self, columns: Mapping[str, Any], rows: int) -> None:
        """Note some rows: arrays of pyarrow, of pandas, or lists, by the names of columns."""
        self.rows += rows
        for name, column in columns.items():
            codes, values = _factorized(column)
            if name not in self._numbers:
                self._distinct.setdefault(name, _DistinctValues()).add(codes, values)
                continue
            numbers = self._numbers[name]
            known = [numbers.setdefault(text, len(numbers)) for text in values]
            if (codes < 0).any():  # which finds the last place
                known.append(numbers.setdefault("", len(numbers)))
            self._codes[name].append(np.array(known, dtype=np.int32)[codes])

    def add_all(self, rows: Iterable[Mapping[str, str]]) -> None:
        """The same one row at a time, all with the columns that are read."""
        rows = iter(rows)
        while some := list(islice(rows, _ROWS)):
            cells: dict[str, list[str]] = {}
            for row in some:
                for name, cell in row.items():
                    cells.setdefault(name, []).append(cell)
            self.add(cells, len(some))

    def table(
        self, source: str, names: Iterable[str], place: Callable[[int], str], **notes: bool
    ) -> Table:
        coded = {}
        for name, parts in self._codes.items():
            coded[name] = np.concatenate(parts).astype(np.int64), list(self._numbers[name])
            parts.clear()
        told = {name: (values.count, values.rows) for name, values in self._distinct.items()}
        return Table(source, tuple(names), self.rows, coded, place, counted=told, **notes)


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
        values = encoded.dictionary.to_pylist()
    else:
        if isinstance(column, list):
            column = np.array(column, dtype=np.object_)
        codes, unique = pd.factorize(column)
        values = unique.tolist()
    texts = (str(int(v)) if isinstance(v, bool | np.bool_) else str(v) for v in values)
    return codes, [text.strip() for text in texts]


class _DistinctValues:
    """How many different values a column has, those for missing ones left out.

    They are counted by 64-bit hashes, so that a column of long texts takes no more memory than one
    of numbers; two of a million different texts have the same hash with a probability of 3e-8.
    """

    def __init__(self) -> None:
        self.rows = 0  # that have a value
        self._hashes: list[npt.NDArray[np.uint64]] = [np.zeros(0, dtype=np.uint64)]

    @property
    def count(self) -> int:
        """The number of different values."""
        self._hashes = [np.unique(np.concatenate(self._hashes))]
        return len(self._hashes[0])

    def add(self, codes: npt.NDArray[np.integer], values: Sequence[str]) -> None:
        """Note the values of some rows; the code -1 is a missing one."""
        from pandas.util import hash_array

        known = np.array([value not in MISSING for value in values] + [False])
        self.rows += int(known[codes].sum())
        texts = [value for value, good in zip(values, known, strict=False) if good]
        texts = [text.encode("utf-8", "replace").decode() for text in texts]
        self._hashes.append(hash_array(np.array(texts, dtype=np.object_), categorize=False))
        if sum(map(len, self._hashes[1:])) > len(self._hashes[0]) + _UNSORTED:
            _ = self.count


# Delimited text.


def _of_text(path: Path, schema: _Schema, *, comments: bool) -> Table:
    text = read_text(path, only_start=True)
    number, line = first_line(text, comments=comments)
    if "\n" not in text:  # the header goes on, or is all there is
        number, line = first_line(read_text(path), comments=comments)
    if not number:
        of = " of" if schema.needed else ""
        raise InputError(f"{path.name}: the file is empty, expected a header{of}{schema.wish}")
    with errors_of(f"{path.name}, line {number}"):
        separator = separator_of(line)
        _, header = next(records(line, separator, comments=comments))
    names = schema.check(f"{path.name}, line {number}", header)
    wanted, others = schema.wanted(names)
    place = {name: names.index(name) for name in (*wanted, *others)}

    def rows() -> Iterator[tuple[int, list[str]]]:
        """Line number and cells below the header."""
        return islice(records(text_lines(path), separator, comments=comments), 1, None)

    def cells() -> Iterator[dict[str, str]]:
        for line, row in rows():
            if len(row) != len(header):
                raise InputError(
                    f"line {line}: {counted(row, 'cell')}, expected {len(header)}, as the "
                    f"header has ({listed(names)}): {shortened(separator.join(row))!r}"
                )
            yield {name: row[at] for name, at in place.items()}

    columns = _Columns(wanted)
    try:
        for block in _plain_lines(path, separator, number, comments=comments):
            _add_lines(columns, block, separator, len(header), place)
    except NotPlain:
        columns = _Columns(wanted)
        try:
            columns.add_all(cells())
        except InputError as error:
            raise InputError(f"{path.name}, {error}") from None
    if not columns.rows:
        raise InputError(f"{path.name}: the file has no lines below its header")
    return columns.table(
        path.name,
        names,
        lambda row: f"{path.name}, line {next(islice(rows(), row, None))[0]}",
        decimal_commas=separator != ",",
        comments=comments,
    )


def first_line(text: str, *, comments: bool = True) -> tuple[int, str]:
    """Number and content of the first line that says something; (0, "") where none does."""
    for number, line in enumerate(io.StringIO(text), 1):
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
    text: str | Iterable[str], separator: str, *, comments: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Line number and stripped cells of every row, the header included.

    ``text`` may be lines, each with its line end.
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
            raise InputError(f"line {begun}: {misquoted(error)}") from None
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
            read, others = layouts[shape]
            row = {
                name: cell if type(cell := value[key]) is str else _cell(cell, f"{where}: {key}")
                for name, key in read.items()
            }
            for name, key in others.items():
                cell = value[key]
                row[name] = cell if type(cell) is str else json.dumps(cell)
            yield row

    def layout(where: str, shape: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str]]:
        """The keys by the names of the columns that are read, and of those that are counted."""
        found = schema.check(where, shape, "key")
        names.update(dict.fromkeys(found))
        key = dict(zip(reversed(found), reversed(shape), strict=True))
        read, others = schema.wanted(found)
        if odd := wanted.symmetric_difference(read):
            raise InputError(f"{where}: {min(odd)!r} is a key of some objects, and not of all")
        return {name: key[name] for name in read}, {name: key[name] for name in others}

    columns = _Columns(wanted)
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
                if not schema.others or schema.reads(name) or is_cluster_name(name):
                    raise NotPlain  # only some objects have it, or it is another spelling
                names[name] = None
    except NotPlain:
        columns = _Columns(wanted)
        names.clear()
        columns.add_all(cells())
    if not columns.rows:
        keys = f", expected some with the keys{schema.wish}" * bool(schema.needed)
        raise InputError(f"{path.name}: no objects{keys}")

    def place(row: int) -> str:
        return f"{path.name}, line {next(islice(json_values(path), row, None))[0]}"

    return columns.table(path.name, names, place)


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


def _cell(value: Any, what: str) -> str:
    """A value as the text of a cell, or :class:`InputError`."""
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
    columns = _Columns(wanted)
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
    return columns.table(path.name, names, lambda row: f"{path.name}, row {row}")


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
    columns = _Columns(wanted)
    for name in (*wanted, *others):
        column = frame.iloc[:, names.index(name)]
        try:
            columns.add({name: column}, 0)
        except TypeError as error:
            if name in wanted:
                raise InputError(f"{source}: column {name!r} cannot be read ({error})") from None
            columns.add({name: column.map(str)}, 0)
    columns.rows = len(frame)
    if not columns.rows:
        raise InputError(f"{source}: the data frame has no rows")
    return columns.table(source, names, lambda row: f"{source}, row {row}")
