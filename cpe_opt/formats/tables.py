"""Tables: delimited text, lists of JSON objects, Parquet files and data frames, read strictly.

A table of text has a header line and below it one line a row, each with exactly as many cells as
the header. Cells are separated by semicolons, tabs or commas, the first of these in the header;
they may be in double quotes. Blank lines and lines that start with ``#`` are left out. The columns
of JSON objects are their keys; numbers are taken as their text, true and false as 1 and 0.

Text without quotes is parsed by pyarrow, block by block; from the first quote on by Python's csv
module, which is strict about quotes. Of the columns that are asked for, the numbers of different
values are kept, or hashes, so that memory grows with the number of rows alone.
"""

from __future__ import annotations

import csv
import datetime
import json
import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError, counted, listed, shortened
from cpe_opt.formats.preflib import PREFLIB_SUFFIXES
from cpe_opt.formats.text import (
    MOST_COLUMNS,
    MOST_ROWS,
    check_size,
    read_text,
    require_file,
    split_lines,
    suffix_of,
    text_chunks,
    text_lines,
)
from cpe_opt.problems.clusters import ClusterColumn, is_cluster_name
from cpe_opt.progress_line import step

if TYPE_CHECKING:
    import pandas as pd

Source: TypeAlias = "str | os.PathLike[str] | pd.DataFrame"
CodeArray: TypeAlias = npt.NDArray[np.integer]
Unread: TypeAlias = "dict[int, tuple[str, str]]"
"""Rows that cannot be read, with the first reason and, where no line is one, the place."""
Block: TypeAlias = "Mapping[str, tuple[CodeArray | slice, Sequence[str]]]"
"""Some rows: by the columns, codes into texts, or all of these."""
_ALL = slice(None)
MISSING = frozenset({"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "None", "NULL", "null"})
JSON_SUFFIXES = (".jsonl", ".ndjson", ".json")
_LARGEST_COUNT = 2.0**53
_ROWS = 256  # of a block: few enough not to wake the collector of garbage
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf|infinity)", re.I)
_INDEX = ("", "unnamed: 0", "__index_level_0__")  # what the index of a data frame is called
# Cells may be texts; the limit is one of the whole process, and is but raised.
csv.field_size_limit(max(csv.field_size_limit(), 1 << 30))


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of text, each as codes into its distinct values: ``values[codes[row]]`` is a cell.

    ``hashed`` has 64-bit hashes, 0 for a missing value, of columns whose texts nobody reads: two of
    a million different texts have the same one with a probability of 3e-8. Where ``unread`` rows
    are put together, these are not refused, and texts of all ``others`` are read.
    """

    parts: Sequence[_TablePart]
    columns: tuple[str, ...]
    coded: Mapping[str, tuple[CodeArray, list[str]]]
    hashed: Mapping[str, IntArray]
    apart: tuple[str, ...]
    comments: bool
    unread: Unread | None = None
    others: Mapping[str, tuple[CodeArray, list[str]]] = field(default_factory=dict)

    def __contains__(self, column: str) -> bool:
        return column in self.coded

    @property
    def source(self) -> str:
        """What the rows were read from."""
        return ", ".join(part.source for part in self.parts)

    @property
    def rows(self) -> int:
        """How many there are."""
        return sum(part.rows for part in self.parts)

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns that were not read, without the index of a data frame."""
        read = {*self.coded, *self.apart}
        return tuple(n for n in self.columns if n not in read and n.lower() not in _INDEX)

    def place(self, row: int) -> str:
        """Where a row is: ``duels.csv, line 7``."""
        return self.line(row)[0]

    def line(self, row: int) -> tuple[str, bool]:
        """The same, and whether it is a line of text that repeats the header."""
        for part in self.parts:
            if row < part.rows:
                break
            row -= part.rows
        place, is_header = part.line(row)
        return f"{part.source}, {place}", is_header

    def refuse(self, wrong: BoolArray, why: str | Callable[[int], str]) -> None:
        """Raise :class:`InputError` at the first row that is wrong, or note all that are."""
        if self.unread:
            wrong = wrong.copy()
            wrong[[*self.unread]] = False
        if not wrong.any():
            return
        row = int(np.argmax(wrong))
        why = why if isinstance(why, str) else why(row)
        if self.unread is None:
            raise InputError(f"{self.place(row)}: {why}")
        self.unread.update(dict.fromkeys(np.flatnonzero(wrong).tolist(), (why, "")))

    def clusters(
        self, votes: FloatArray, rows: IntArray | slice = slice(None)
    ) -> list[ClusterColumn]:
        """The columns that tell clusters in which values repeat, in some rows or all."""
        found = []
        for name in filter(is_cluster_name, self.hashed):
            cells = self.hashed[name][rows]
            observations = int(votes.sum(where=cells != 0))
            cells = cells[cells != 0]
            cells.sort()  # which takes less than np.unique
            values = int((cells[1:] != cells[:-1]).sum()) + (len(cells) > 0)
            if 0 < values < observations:
                found.append(ClusterColumn(name, values, observations))
        return found

    def keys(self, column: str) -> IntArray:
        """Numbers that tell the values of a hashed column apart, in order of appearance."""
        hashes = self.hashed[column]
        self.refuse(hashes == 0, f"the cell of {column!r} is empty, or stands for a missing value")
        _, first, keys = np.unique(hashes, return_index=True, return_inverse=True)
        return first.argsort(kind="stable").argsort(kind="stable")[keys.ravel()]

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
                raise InputError(f"{self.place(row)}: {column} {name!r} stands there twice")
        return names

    def labels(self, column: str) -> tuple[CodeArray, list[str]]:
        """Codes and their names, of which none may be missing."""
        codes, values = self.coded[column]
        faults = [self._fault(column, value) for value in values]
        wrong = np.array([fault != "" for fault in faults], dtype=np.bool_)[codes]
        self.refuse(wrong, lambda row: faults[codes[row]])
        return codes, values

    def _fault(self, column: str, value: str) -> str:
        """Why a text is no name; empty if it is one."""
        if not value:
            return f"the cell of {column!r} is empty"
        if value in MISSING:
            return f"the cell of {column!r} is {value!r}, which stands for a missing value"
        if "\n" in value:
            return f"{column} is {shortened(value)!r}, with a line break: is a quote open?"
        if self.comments and re.search(r"\s#", value):
            return f"{column} is {value!r}; comments are on lines of their own"
        return ""

    def numbers(self, column: str, *, whole: bool = False) -> FloatArray:
        """A column of finite numbers; ``whole`` ones are 0 or more."""
        codes, values = self.coded[column]
        parsed = np.array([parse_number(value) for value in values], dtype=np.float64)
        good = np.isfinite(parsed)
        if whole:
            good &= (parsed >= 0.0) & (parsed <= _LARGEST_COUNT) & (parsed == np.round(parsed))

        def why(row: int) -> str:
            value = values[codes[row]]
            expected = "a whole number, 0 or more" if whole else number_expected(value)
            fault = f"{column} is {value!r}" if value else f"the cell of {column!r} is empty"
            return f"{fault}, expected {expected}"

        self.refuse(~good[codes], why)
        return parsed[codes]

    def times(self, column: str) -> FloatArray:
        """A column of times, in seconds since 1970 (:func:`seconds_of`)."""
        codes, values = self.coded[column]
        seconds = np.array([seconds_of(value) for value in values])[codes]
        self.refuse(
            np.isnan(seconds),
            "the time is none; expected such as 2026-01-31, 2026-01-31T12:00:00Z, or seconds or "
            "milliseconds since 1970",
        )
        return seconds


def read_table(
    source: Source | Sequence[Source],
    needed: Sequence[str] = (),
    optional: Sequence[str] = (),
    *,
    perhaps: Sequence[str] = (),
    others: bool = False,
    apart: Sequence[str] = (),
    aliases: Mapping[str, str] | None = None,
    comments: bool = True,
    name: str = "table",
    unread: Unread | None = None,
) -> Table:
    """Read a table from a file or a data frame, or from several with the same columns.

    Without names of columns, in lower case, all are read. ``others`` may be there, of which hashes
    are read where they may tell clusters; of the columns ``apart``, which are needed, hashes are
    enough. An optional column that only some of several files have is 1 in the others, and one of
    ``perhaps`` is empty where it is missing; ``aliases`` are other names of columns. Of one file
    rows that cannot be read may be put into ``unread``, and are empty in the table.
    """
    columns_of = tuple(needed), tuple(optional), tuple(perhaps)
    schema = _Schema(*columns_of, others, tuple(apart), unread, aliases or {})
    sources: Any = source if isinstance(source, list) else [source]
    parts = [_opened(each, schema, comments, name) for each in sources]
    numbers: defaultdict[str, defaultdict[str, int]] = defaultdict(
        lambda: defaultdict(count().__next__)
    )
    coded: defaultdict[str, list[tuple[int, CodeArray]]] = defaultdict(list)
    hashes: defaultdict[str, list[tuple[int, CodeArray]]] = defaultdict(list)
    rows = 0
    for part in parts:
        for block in part.blocks():
            size = 0
            for column, (codes, texts) in block.items():
                kept = schema.reads(column) or unread is not None
                number, kind = numbers[column].__getitem__ if kept else hash, "i4" if kept else "i8"
                found = np.fromiter(map(number, map(str.strip, texts)), kind, len(texts))[codes]
                (coded if kept else hashes)[column].append((rows, found))
                size = len(found)
            rows += size
            part.rows += size
            check_size(part.source, rows, MOST_ROWS, "rows")
            step("rows read", rows)
        if not part.rows:
            raise InputError(f"{part.source}: no rows, expected some of{schema.wish}")
    cells = {}
    for column, blocks in coded.items():
        whole = sum(len(codes) for _, codes in blocks) == rows
        filled = "1" if schema.reads(column) and column not in perhaps else ""
        absent = 0 if whole else numbers[column][filled]
        cells[column] = _filled(rows, blocks, absent, np.int32)
    columns = {column: _filled(rows, blocks, 0, np.int64) for column, blocks in hashes.items()}
    missing = [hash(text) for text in MISSING]
    for hashed in columns.values():
        hashed[np.isin(hashed, missing)] = 0
    read = {column: (codes, list(numbers[column])) for column, codes in cells.items()}
    return Table(
        parts,
        tuple(dict.fromkeys(column for part in parts for column in part.columns)),
        {column: cell for column, cell in read.items() if schema.reads(column)},
        columns,
        tuple(apart),
        comments,
        unread,
        {column: cell for column, cell in read.items() if not schema.reads(column)},
    )


def header_of(source: Source) -> tuple[str, ...]:
    """The columns or keys in lower case; none where the reader will say what is wrong."""
    names: Iterable[object] = ()
    if hasattr(source, "columns"):
        names = source.columns
    elif is_parquet(path := require_file(source)):
        names = _parquet_names(path)
    else:
        try:
            if is_json(path):
                first = next(json_values(path), ("", None))[1]
                names = first if isinstance(first, dict) else ()
            else:
                start = read_text(path, only_start=True).split("\n")
                line = next(filter(_says_something, start), "")
                names = next(_records([line], separator_of(line)))[1] if line else ()
        except InputError:
            names = ()
    return tuple(str(name).strip().lower() for name in names)


def is_parquet(path: Path) -> bool:
    """Whether a file is Parquet, by its first bytes."""
    with suppress(OSError), path.open("rb") as file:  # whoever reads it says why
        return file.read(4) == b"PAR1"
    return False


def is_json(path: Path) -> bool:
    """Whether a file is JSON, by its suffix."""
    return suffix_of(path) in JSON_SUFFIXES


def parse_number(text: str) -> float | None:
    """The number that a cell holds, if any."""
    return float(text) if _NUMBER.fullmatch(text) else None


def number_expected(text: str) -> str:
    """What is expected in place of a cell that is no number."""
    if text.endswith("%"):
        return "a number: 0.85 for 85 %"
    if text.lower() in ("true", "false", "yes", "no"):
        return "a number: 1 or 0"
    return "a number with a decimal point" if "," in text else "a number"


def seconds_of(text: str) -> float:
    """A time of ISO 8601, or since 1970 in s, ms, μs or ns, in seconds; NaN for what is none."""
    try:
        number = float(text)
    except ValueError:
        try:
            time = datetime.datetime.fromisoformat(text)
        except ValueError:
            return math.nan
        return (time if time.tzinfo else time.replace(tzinfo=datetime.UTC)).timestamp()
    units = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (math.inf, 1e9))
    return next((number / unit for limit, unit in units if abs(number) < limit), math.nan)


@dataclass(frozen=True)
class _Schema:
    """Which columns a table needs and may have; see :func:`read_table`."""

    needed: tuple[str, ...]
    optional: tuple[str, ...]
    perhaps: tuple[str, ...]
    others: bool
    apart: tuple[str, ...]
    unread: Unread | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)

    def refuse(self, row: int, where: tuple[str, str], why: str, more: str = "") -> None:
        """Raise :class:`InputError` for a row of a source at a place, or note it."""
        if self.unread is None:
            raise InputError(f"{', '.join(where)}: {why}{more}")
        self.unread[row] = why, where[1]

    def wanted(self, where: str, header: Sequence[str]) -> dict[str, int]:
        """Where the columns are that are read, or :class:`InputError` if some are not expected."""
        check_size(where, len(header), MOST_COLUMNS, "columns")
        absent = [name for name in (*self.needed, *self.apart) if name not in header]
        if absent:
            raise InputError(
                f"{where}: no column {absent[0]!r}; found {listed(header)}; expected{self.wish}"
            )
        wanted: dict[str, int] = {}
        for place, name in enumerate(header):
            if not name and (place or (self.needed and not self.others)):
                raise InputError(f"{where}: column {place + 1} of the header has no name")
            if name in wanted:
                raise InputError(f"{where}: two columns are called {name!r}")
            if not self.others and not self.reads(name):
                raise InputError(
                    f"{where}: unknown column {name!r}; found {listed(header)}; expected{self.wish}"
                )
            asked = self.reads(name) or name in self.apart or self.unread is not None
            if asked or is_cluster_name(name):
                wanted[name] = place
        return wanted

    def names(self, header: Iterable[str]) -> list[str]:
        """Those of columns, in lower case where some are asked for."""
        if not self.needed:
            return [name.strip() for name in header]
        return [self.aliases.get(name, name) for name in map(str.lower, map(str.strip, header))]

    def reads(self, name: str) -> bool:
        """Whether the texts of a column are read."""
        return not self.needed or name in (*self.needed, *self.optional, *self.perhaps)

    @property
    def wish(self) -> str:
        """The columns, for messages."""
        asked = f" {', '.join(dict.fromkeys((*self.needed, *self.apart)))}" * bool(self.needed)
        return asked + f" and, optionally, {', '.join(self.optional)}" * bool(self.optional)


@dataclass(eq=False)
class _TablePart:
    """A file or data frame: its rows in blocks, where they are, and which repeat the header."""

    source: str
    columns: Iterable[str]  # of objects, as they are read
    blocks: Callable[[], Iterator[Block]]
    line: Callable[[int], tuple[str, bool]] = lambda row: (f"row {row}", False)
    rows: int = 0


def _opened(source: Source, schema: _Schema, comments: bool, name: str) -> _TablePart:
    if hasattr(source, "columns"):
        return _of_frame(source, schema, name)  # type: ignore[arg-type]
    path = require_file(source)
    if is_parquet(path):
        return _of_parquet(path, schema)
    return _of_json(path, schema) if is_json(path) else _of_text(path, schema, comments)


def _filled(rows: int, blocks: list[tuple[int, Any]], value: int, dtype: type) -> Any:
    """A column of blocks, each with its first row; ``value`` where there is none."""
    column: Any = np.full(rows, value, dtype=dtype)
    for start, block in blocks:
        column[start : start + len(block)] = block
    return column


# Delimited text.


_SPACES = re.compile(r"\n[\n \t#]")  # what a line that says nothing starts with, after another


def _of_text(path: Path, schema: _Schema, comments: bool) -> _TablePart:
    source = path.name
    said = (each for each in enumerate(text_lines(path), 1) if _says_something(each[1], comments))
    number, first = next(said, (0, ""))
    if not number:
        of = " of" if schema.needed else ""
        raise InputError(f"{source}: the file is empty, expected a header{of}{schema.wish}")
    separator = separator_of(first)

    def rows(lines: Iterable[str], read: int = 0) -> Iterator[tuple[int, list[str]]]:
        return _records(lines, separator, comments=comments, source=f"{source}, ", read=read)

    def line(row: int) -> tuple[str, bool]:
        number, cells = next(islice(rows(text_lines(path)), row + 1, None))
        return f"line {number}", schema.names(cells) == header

    header = schema.names(next(rows(text_lines(path)))[1])
    at = schema.wanted(f"{source}, line {number}", header)
    apart = {name for name in at if not schema.reads(name)}  # of many different texts
    skipped = re.compile(rf"^[ \t]*{'(?:#.*)?' if comments else ''}(?:\n|\Z)", re.MULTILINE)

    def blocks() -> Iterator[Block]:
        chunks, read, head = text_chunks(path), 0, 1
        for chunk in chunks:
            block, text = None, chunk
            if _SPACES.search("\n" + chunk):
                text = skipped.sub("", chunk)
            if '"' not in chunk:
                under = text.partition("\n")[2] if head else text
                block = _arrow_block(under, separator, len(header), at, apart)
            if block is None:
                chunks = chain([chunk], chunks)
                break
            yield block
            read += chunk.count("\n")
            head = 0 if text else head
        below = rows(chain.from_iterable(map(split_lines, chunks)), read)
        rest: Iterator[tuple[int, list[str]]] = islice(below, head, None)
        if schema.unread is not None:
            rest = until_fault(rest, part.rows)
        while some := [*islice(rest, _ROWS)]:
            for row, (number, found) in enumerate(some, part.rows):
                if len(found) != len(header):
                    why = f"{counted(found, 'cell')}, expected {len(header)}, as the header has"
                    more = f" ({listed(header)}): {shortened(separator.join(found))!r}"
                    schema.refuse(row, (source, f"line {number}"), why, more)
                    found[:] = [""] * len(header)
            yield {name: (_ALL, [row[k] for _, row in some]) for name, k in at.items()}

    def until_fault(records: Iterator[Any], row: int) -> Iterator[tuple[int, list[str]]]:
        try:
            for record in records:
                yield record
                row += 1
        except InputError as error:  # of quotes, after which nobody knows where rows end
            schema.refuse(
                row, (source, "the rest of the file"), str(error).removeprefix(f"{source}, ")
            )
            yield 0, [""] * len(header)

    part = _TablePart(source, header, blocks, line)
    return part


def _arrow_block(
    text: str, separator: str, width: int, at: Mapping[str, int], apart: set[str]
) -> Block | None:
    """The rows of lines without quotes, comments or blank lines; None where one has other cells."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    if not text:
        return {}
    if text.startswith("\ufeff"):
        return None  # which pyarrow would leave out
    places, text_type = [str(k) for k in range(width)], pa.dictionary(pa.int32(), pa.string())
    types = {str(k): pa.string() if name in apart else text_type for name, k in at.items()}
    data = text.encode()
    try:
        table = arrow_csv.read_csv(
            pa.py_buffer(data),
            arrow_csv.ReadOptions(
                use_threads=False, column_names=places, block_size=min(len(data) + 1, 1 << 30)
            ),
            arrow_csv.ParseOptions(delimiter=separator, quote_char=False, ignore_empty_lines=False),
            arrow_csv.ConvertOptions(
                column_types=types,
                include_columns=[str(k) for k in at.values()],
                null_values=[],
            ),
        )
    except pa.ArrowException:
        return None

    def cells(name: str, place: str) -> tuple[CodeArray | slice, Sequence[str]]:
        if name in apart:  # as lines, which Python splits in a tenth of the time of to_pylist()
            bare = {"include_header": False, "quoting_style": "none", "delimiter": separator}
            lines, options = pa.BufferOutputStream(), arrow_csv.WriteOptions(**bare)
            arrow_csv.write_csv(table.select([place]), lines, options)
            return _ALL, lines.getvalue().to_pybytes().decode().split("\n")[:-1]
        column = table.column(place).chunk(0)
        codes = column.indices.buffers()[1]  # of which to_numpy() would load pandas
        return np.frombuffer(codes, np.int32, len(column)), column.dictionary.to_pylist()

    return {name: cells(name, str(k)) for name, k in at.items()}


def separator_of(line: str, otherwise: str = ",") -> str:
    """The first of semicolons, tabs and commas that is in a line, or another where none is."""
    bare = re.sub(r'"[^"]*"', "", line)
    return next((separator for separator in ";\t," if separator in bare), otherwise)


def _records(
    lines: Iterable[str], separator: str, *, comments: bool = True, source: str = "", read: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of every row; ``read`` lines came before."""
    begun = 0

    def told() -> Iterator[str]:
        nonlocal begun
        for number, line in enumerate(lines, read + 1):
            if not begun:
                if line[0] in " \t\n#" and not _says_something(line, comments):
                    continue
                begun = number
            yield line

    try:
        for row in csv.reader(told(), delimiter=separator, skipinitialspace=True, strict=True):
            yield begun, row
            begun = 0
    except csv.Error as error:
        raise InputError(f"{source}line {begun}: {misquoted(error)}") from None


def misquoted(error: csv.Error) -> str:
    """What is wrong with the quotes of a line."""
    return "a quote is not closed" if "end of data" in str(error) else str(error)


def _says_something(line: str, comments: bool = True) -> bool:
    """Whether a line is neither blank nor a comment, where there are such."""
    start = line.lstrip(" \t\n")[:1]
    return start != "" and not (comments and start == "#")


# Lists of JSON values: one a line, or all in one array.


def json_values(path: str | os.PathLike[str], *, faults: bool = False) -> Iterator[tuple[str, Any]]:
    """Values, each with where it is: its line, or in an array its row, counted from 0.

    With ``faults`` a line that is no JSON is an :class:`InputError`, which is not raised.
    """
    path = require_file(path)
    if read_text(path, only_start=True).lstrip()[:1] == "[":
        for row, value in enumerate(_json(path.name, read_text(path))):
            yield f"row {row}", value
        return
    for number, line in enumerate(text_lines(path), 1):
        if not line.isspace():
            try:
                value = _json(f"{path.name}, line {number}", line)
            except InputError as error:
                if not faults:
                    raise
                value = error
            yield f"line {number}", value


def kind_of(value: Any) -> str:
    """What a value is, for messages."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "an array"
    return shortened(json.dumps(value), 30)


def _json(where: str, text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        why = why.replace(": line 1 column", " at column")
        raise InputError(f"{where}: no JSON: {why}") from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, or :class:`ValueError` where a key occurs twice and would hide an entry."""
    content = dict(pairs)
    if len(content) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"an object has the key {shortened(twice, 30)!r} twice")
    return content


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys)


def _of_json(path: Path, schema: _Schema) -> _TablePart:
    source = path.name
    columns: dict[str, None] = {}
    read: set[str] = set()  # names that all objects have

    @lru_cache(_ROWS)
    def layout(keys: tuple[str, ...]) -> dict[str, str]:
        """The keys by the names of the columns of which anything is read."""
        names = schema.names(keys)
        wanted = {name: keys[k] for name, k in schema.wanted("keys", names).items()}
        texts = {name for name in wanted if schema.reads(name)} - {*schema.perhaps}
        if columns and (odd := read ^ texts):
            raise InputError(f"{min(odd)!r} is a key of some objects, and not of all")
        read.update(texts)
        columns.update(dict.fromkeys(names))
        return wanted

    def cells(row: int, place: str, value: Any) -> dict[str, str]:
        try:
            if isinstance(value, InputError):
                raise InputError(
                    str(value).removeprefix(f"{source}, {place}: ").split(": line ")[0]
                )
            if not isinstance(value, dict):
                raise InputError(f"{kind_of(value)}, expected an object of{schema.wish}")
            return {
                name: value[key] if type(value[key]) is str else _cell(name, value[key], read)
                for name, key in layout(tuple(value)).items()
            }
        except InputError as error:
            schema.refuse(row, (source, place), str(error))
            return {}

    def blocks() -> Iterator[Block]:
        values = enumerate(json_values(path, faults=schema.unread is not None))
        while some := [cells(row, *each) for row, each in islice(values, _ROWS)]:
            wanted = dict.fromkeys((*schema.needed, *(name for row in some for name in row)))
            yield {name: (_ALL, [row.get(name, "") for row in some]) for name in wanted}

    def line(row: int) -> tuple[str, bool]:
        return next(islice(json_values(path, faults=True), row, None))[0], False

    return _TablePart(source, columns, blocks, line)


def _cell(name: str, value: Any, read: set[str]) -> str:
    """A value as the text of a cell, or :class:`InputError` where the text of no value is read."""
    if not isinstance(value, dict | list):
        return text_of(value)
    if name in read:
        raise InputError(f"{name} is {kind_of(value)}, expected a text or a number")
    return json.dumps(value)


# Parquet files, and data frames.


def _of_parquet(path: Path, schema: _Schema) -> _TablePart:
    header = _parquet_names(path)
    names = schema.names(header)
    key = {name: header[k] for name, k in schema.wanted(path.name, names).items()}

    def blocks() -> Iterator[Block]:
        with _parquet(path) as file:
            for batch in file.iter_batches(columns=[*key.values()]):
                yield {n: (_ALL, _texts(batch.column(k).to_pylist())) for n, k in key.items()}

    return _TablePart(path.name, names, blocks)


def _parquet_names(path: Path) -> list[str]:
    with _parquet(path) as file:
        return list(file.schema_arrow.names)


@contextmanager
def _parquet(path: Path) -> Iterator[Any]:
    """An open Parquet file; :class:`InputError` if it is damaged, also while it is read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # Arrow opens no path that is not UTF-8.
        with path.open("rb") as data, pq.ParquetFile(data) as file:
            yield file
    except (pa.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{path.name}: the Parquet file cannot be read: {reason}") from None


def _of_frame(frame: pd.DataFrame, schema: _Schema, source: str) -> _TablePart:
    names = schema.names(map(str, frame.columns))
    at = schema.wanted(source, names)

    def blocks() -> Iterator[Block]:
        columns = {name: frame.iloc[:, k].astype(object) for name, k in at.items()}
        yield {
            name: (_ALL, _texts(column.where(column.notna(), None).tolist()))
            for name, column in columns.items()
        }

    return _TablePart(source, names, blocks)


def _texts(values: Iterable[Any]) -> list[str]:
    return [value if type(value) is str else text_of(value) for value in values]


def text_of(value: Any) -> str:
    """The text of a value, empty where it is missing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(int(value)) if isinstance(value, bool | np.bool_) else str(value)


# What a file is.


class Format(Enum):
    """A format of files, with what a file of it holds and the family of that."""

    ELECTION = "a PrefLib election", "dueling"
    LOG = "a log of duels", "dueling"
    MATRIX = "a matrix", "dueling"
    POSITION_LOG = "a log of duels at positions", "matchings"
    POSITION_TABLE = "a table of probabilities at positions", "matchings"
    TEAMS = "a log of teams and their scores", "subsets"
    ELEMENTS = "a table of elements and their means", "subsets"
    EDGES = "a table of edges and their means", "subsets"
    ITEM_SCORES = "a table of scores of arms on items", "subsets"

    def __init__(self, what: str, family: str) -> None:
        self.what, self.family = what, family


COLUMNS = {
    Format.TEAMS: ("team", "score"),
    Format.ELEMENTS: ("element", "mean"),
    Format.EDGES: ("from", "to", "mean"),
    Format.POSITION_TABLE: ("position", "candidate", "opponent", "probability"),
    Format.ITEM_SCORES: ("arm", "item", "score"),
}
"""The columns of tables that are no logs of duels."""


def format_of(path: str | os.PathLike[str]) -> Format:
    """What a file is, or :class:`InputError` if there is none or it cannot be read."""
    path = require_file(path)
    if suffix_of(path) in PREFLIB_SUFFIXES:
        return Format.ELECTION
    header = header_of(path)
    names, log = set(header), form_of(header) is not None
    if is_export(header):
        of_arms = read_table(path, tuple(ANSWERS), others=True).coded["about"][1] == [""]
        return Format.LOG if of_arms else Format.POSITION_LOG
    if "position" in names:
        table = {"candidate", "opponent", "probability"} & names
        return Format.POSITION_TABLE if table and not log else Format.POSITION_LOG
    if "team" in names and not log:  # even without scores
        return Format.TEAMS
    for each in (Format.ELEMENTS, Format.EDGES, Format.ITEM_SCORES):
        if names >= {*COLUMNS[each]}:
            return each
    sides = {"model_a", "model_1", "output_1", "generator_1"} & names
    log |= bool(sides and ADVICE.keys() & names)
    return Format.LOG if log or is_parquet(path) or is_json(path) else Format.MATRIX


def has_items(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a log of duels over the items of a test set, by its column ``item``."""
    header = header_of(path)
    return ITEM in header and form_of(header) is not None


# Logs of duels.


TIES = ("tie", "tie (bothbad)", "both_bad")
BOTH_BAD = frozenset(TIES[1:])
"""Ties that say that both arms are bad."""
NO_ARMS = frozenset({*TIES, "both bad", "both-bad", "bothbad", "draw"})
"""Words that stand for ties where an arm would be named."""


@dataclass(frozen=True)
class LogForm:
    """A form of logs: columns, two that name arms, the first the winner unless a third says it.

    It says so in words, for which ``shares`` has what the first arm gets, or by name, or as a
    number between the ``ends``: the one at which the first arm has won, and that for the second.
    """

    columns: tuple[str, ...]
    shares: Mapping[str, float] = field(default_factory=dict)
    ends: tuple[float, float] | None = None

    @property
    def has_ties(self) -> bool:
        """Whether a line can be a tie."""
        return len(self.columns) > 2


WINNERS = LogForm(("winner", "loser"))
ARENA = LogForm(
    ("model_a", "model_b", "winner"),
    {
        "model_a": 1.0,
        "model_b": 0.0,
        **dict.fromkeys(TIES, 0.5),
        "a_win": 1.0,
        "b_win": 0.0,
        "draw": 0.5,
    },
)
GRADED = LogForm(("model_a", "model_b", "outcome"), ends=(1.0, 0.0))
PREFERRED = LogForm(("generator_1", "generator_2", "preference"), ends=(1.0, 2.0))
FORMS = (
    WINNERS,
    ARENA,
    GRADED,
    PREFERRED,
)
"""ARENA, if a table has its columns, or else the first whose columns it has, is its form."""
ADVICE = {
    "preference": "Which side a preference means is sure next to the names generator_1 and "
    "generator_2 alone: 1 prefers the first, 2 the second; otherwise write it as outcome, a number "
    "from 0 to 1: what model_a gets",
    "games": "Games within a line are not read: write one line per game, with model_a, model_b and "
    "winner",
    "winner_model_a": "Write who won in one column, winner: model_a, model_b or tie",
    "cpe_opt_session": "A session's file: `cpe-opt session export` writes its answers, which are "
    "read, and `cpe-opt session report` says what they prove",
}
"""What to do about a log that is none, by a column that it has."""
COUNT, ITEM, FIRST, HINT = "count", "item", "first", "hint"
ANSWERS = {"first": "model_a", "second": "model_b", "about": "position"}
"""The columns of the answers that a session exports, by the names that a log has for them."""
TOLD = "told"


def is_export(header: tuple[str, ...]) -> bool:
    """Whether a table with these columns, in lower case, has the answers of a session."""
    return {*ANSWERS, "id", "outcome", "repeat"} <= {*header}


def form_of(header: tuple[str, ...]) -> LogForm | None:
    """The form of a log with these columns, in lower case; None if it is not one."""
    if is_export(header):
        return GRADED
    fits = [form for form in FORMS if set(form.columns) <= set(header)]
    # Next to model_a and model_b a winner and a loser may be places, and not names of arms.
    return ARENA if ARENA in fits else next(iter(fits), None)
