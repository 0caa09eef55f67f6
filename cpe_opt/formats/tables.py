"""Tables: delimited text, lists of JSON objects, Parquet files and data frames, read strictly.

A table of text has a header line and below it one line a row, each with exactly as many cells as
the header. Cells are separated by commas, semicolons or tabs, whichever the header has; they may
be in double quotes. Where the separator is no comma, numbers may have decimal commas. Blank lines
and lines that start with ``#`` are left out. The columns of a list of JSON objects are their keys;
numbers are taken as their text, true and false as 1 and 0.

Text without quotes and Parquet files are parsed by pyarrow, block by block; text from the first
quote on by Python's csv module, which is strict about quotes, and JSON by its json module. Only the
columns that are asked for are kept: as numbers of different values, or as hashes, so that memory
grows with the number of rows alone.
"""

from __future__ import annotations

import csv
import datetime
import json
import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, counted, errors_of, listed, shortened
from cpe_opt.problems.clusters import ClusterColumn, is_cluster_name
from cpe_opt.progress_line import step
from cpe_opt.text import (
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

if TYPE_CHECKING:
    import pandas as pd

HashArray: TypeAlias = npt.NDArray[np.int64]
Source: TypeAlias = "str | os.PathLike[str] | pd.DataFrame"
CodeArray: TypeAlias = npt.NDArray[np.integer]
Block: TypeAlias = Mapping[str, tuple[CodeArray, Sequence[str]]]
"""Some rows: by the columns, codes into texts."""
MISSING = frozenset({"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "None", "NULL", "null"})
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
JSON_SUFFIXES = (".jsonl", ".ndjson", ".json")
_LARGEST_COUNT = 2.0**53
_ROWS = 256  # of a block: few enough not to wake the collector of garbage
_QUOTED = re.compile(r'"[^"]*"')
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf|infinity)", re.I)
_INDEX = ("", "unnamed: 0", "__index_level_0__")  # what the index of a data frame is called
# Cells may be texts; the limit is one of the whole process, and is but raised.
csv.field_size_limit(max(csv.field_size_limit(), 1 << 30))


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of text, each as codes into its distinct values: ``values[codes[row]]`` is a cell.

    Names in ``columns`` are in lower case where some were asked for. ``place`` says where a row is:
    ``duels.csv, line 7``. Of columns that tell rows apart and whose texts nobody reads, ``hashed``
    has 64-bit hashes, 0 for a missing value: two of a million different texts have the same one
    with a probability of 3e-8. Those of ``apart`` were asked for.
    """

    source: str
    columns: tuple[str, ...]
    rows: int
    coded: Mapping[str, tuple[CodeArray, list[str]]]
    place: Callable[[int], str]
    decimal_commas: bool = False
    comments: bool = False
    hashed: Mapping[str, HashArray] = field(default_factory=dict)
    apart: tuple[str, ...] = ()

    def __contains__(self, column: str) -> bool:
        return column in self.coded

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns that were not read, without the index of a data frame."""
        read = {*self.coded, *self.apart}
        return tuple(n for n in self.columns if n not in read and n.lower() not in _INDEX)

    def clusters(self, votes: FloatArray, rows: IntArray | None = None) -> list[ClusterColumn]:
        """The columns that tell clusters in which values repeat, in some rows or all."""
        found = []
        for name, hashes in self.hashed.items():
            cells = hashes if rows is None else hashes[rows]
            values = len(np.unique(cells[cells != 0]))
            observations = int(votes[cells != 0].sum())
            if is_cluster_name(name) and 0 < values < observations:
                found.append(ClusterColumn(name, values, observations))
        return found

    def keys(self, column: str) -> IntArray:
        """Numbers that tell the values of a hashed column apart, in order of appearance."""
        hashes = self.hashed[column]
        if not hashes.all():
            raise InputError(
                f"{self.place(int(np.argmax(hashes == 0)))}: the cell of {column!r} is empty, or "
                "stands for a missing value"
            )
        _, first, keys = np.unique(hashes, return_index=True, return_inverse=True)
        number = np.empty(len(first), dtype=np.int64)
        number[np.argsort(first, kind="stable")] = np.arange(len(first))
        return number[keys.ravel()]

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
        for code, value in enumerate(values):
            fault = ""
            if not value:
                fault = f"the cell of {column!r} is empty"
            elif value in MISSING:
                fault = f"the cell of {column!r} is {value!r}, which stands for a missing value"
            elif "\n" in value:
                fault = f"{column} is {shortened(value)!r}, with a line break: is a quote open?"
            elif self.comments and re.search(r"\s#", value):
                fault = f"{column} is {value!r}; comments are on lines of their own"
            if fault:
                raise InputError(f"{self._first(codes, code)}: {fault}")
        return codes, values

    def numbers(
        self, column: str, *, empty: float | None = None, whole: bool = False
    ) -> FloatArray:
        """A column of finite numbers, ``empty`` in empty cells; ``whole`` ones are 0 or more."""
        codes, values = self.coded[column]
        if self.decimal_commas and any("." in value for value in values):
            for code, value in enumerate(values):
                if "," in value:
                    raise InputError(
                        f"{self._first(codes, code)}: {column} is {value!r}; a column has either "
                        "decimal commas or decimal points, and no thousands separators"
                    )
        parsed = np.full(len(values), np.nan if empty is None else empty)
        for code, value in enumerate(values):
            if not value and empty is not None:
                continue
            number = parse_number(value, decimal_comma=self.decimal_commas)
            good = number is not None and math.isfinite(number)
            if whole and number is not None:
                good = good and number.is_integer() and 0 <= number <= _LARGEST_COUNT
            if number is None or not good:
                fault = f"{column} is {value!r}" if value else f"the cell of {column!r} is empty"
                expected = "a whole number, 0 or more" if whole else "a number"
                raise InputError(f"{self._first(codes, code)}: {fault}, expected {expected}")
            parsed[code] = number
        return parsed[codes]

    def times(self, column: str) -> FloatArray:
        """A column of times, in seconds since 1970 (:func:`seconds_of`)."""
        codes, values = self.coded[column]
        seconds = np.array([seconds_of(value) for value in values])
        if np.isnan(seconds).any():
            where = self._first(codes, int(np.argmax(np.isnan(seconds))))
            raise InputError(
                f"{where}: the time is none; expected such as 2026-01-31, 2026-01-31T12:00:00Z, "
                "or seconds or milliseconds since 1970"
            )
        return seconds[codes]

    def _first(self, codes: CodeArray, code: int) -> str:
        return self.place(int(np.argmax(codes == code)))


def read_table(
    source: Source,
    needed: Sequence[str] = (),
    optional: Sequence[str] = (),
    *,
    others: bool = False,
    apart: Sequence[str] = (),
    comments: bool = True,
    name: str = "table",
) -> Table:
    """Read a table from a file or a data frame, whose rows are numbered from 0 in messages.

    ``needed`` and ``optional`` are names of columns in lower case; without any, all are read. With
    ``others`` there may be further columns, of which hashes are read where they may tell clusters.
    Of the columns ``apart``, which are needed, hashes are enough.
    """
    schema = _Schema(tuple(needed), tuple(optional), others, tuple(apart))
    if hasattr(source, "columns"):
        return _of_frame(source, schema, name)  # type: ignore[arg-type]
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
            parts = [table.coded[name] for table in tables]
            number = {
                text: k for k, text in enumerate(dict.fromkeys(chain(*(t for _, t in parts))))
            }
            codes = [np.array([number[text] for text in texts])[code] for code, texts in parts]
            coded[name] = np.concatenate(codes), list(number)
    hashed = {
        name: np.concatenate(
            [table.hashed.get(name, np.zeros(table.rows, dtype=np.int64)) for table in tables]
        )
        for name in dict.fromkeys(name for table in tables for name in table.hashed)
    }
    read = {name for table in tables for name in table.coded}
    columns = dict.fromkeys(name for table in tables for name in table.columns)
    return Table(
        ", ".join(table.source for table in tables),
        tuple(name for name in columns if name in coded or name not in read),
        int(starts[-1]),
        coded,
        place,
        hashed=hashed,
        apart=tables[0].apart,
    )


def header_of(source: Source) -> tuple[str, ...]:
    """The columns or keys in lower case; none where the reader will say what is wrong."""
    names: Iterable[object] = ()
    if hasattr(source, "columns"):
        names = source.columns
    elif is_parquet(path := require_file(source)):
        names = _parquet_names(path)
    elif is_json(path):
        first = first_value(path)
        names = first if isinstance(first, dict) else ()
    else:
        start = read_text(path, only_start=True).split("\n")
        try:
            for line in islice(filter(_says_something, start), 1):
                _, names = next(records([line], separator_of(line)))
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


def parse_number(text: str, *, decimal_comma: bool = False) -> float | None:
    """The number that a cell holds, if any."""
    if decimal_comma:
        text = text.replace(",", ".")
    return float(text) if _NUMBER.fullmatch(text) else None


def seconds_of(text: str) -> float:
    """A time in seconds since 1970 (UTC); NaN for what is none.

    A time is a date, ``2026-01-31``, a date and a time of day as in ISO 8601,
    ``2026-01-31T12:00:00+01:00``, or a number since 1970-01-01: of seconds below 1e11, of
    milliseconds below 1e14, of microseconds below 1e17, else of nanoseconds. Without an offset it
    is one of UTC.
    """
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
    others: bool
    apart: tuple[str, ...] = ()

    def check(self, where: str, header: Iterable[str]) -> list[str]:
        """The names of columns, or :class:`InputError` if they are not as expected."""
        header = [name.strip() for name in header]
        check_size(where, len(header), MOST_COLUMNS, "columns")
        names = [name.lower() if self.needed else name for name in header]
        absent = [name for name in (*self.needed, *self.apart) if name not in names]
        if absent:
            raise InputError(
                f"{where}: no column {absent[0]!r}; found {listed(header)}; expected{self.wish}"
            )
        before: set[str] = set()
        for place, name in enumerate(names):
            if not name and (place or (self.needed and not self.others)):
                raise InputError(f"{where}: column {place + 1} of the header has no name")
            if name in before and (self.reads(name) or self.tells_apart(name)):
                raise InputError(f"{where}: two columns are called {header[place]!r}")
            if not self.others and not self.reads(name):
                raise InputError(
                    f"{where}: unknown column {header[place]!r}; found {listed(header)}; "
                    f"expected{self.wish}"
                )
            before.add(name)
        return names

    def reads(self, name: str) -> bool:
        """Whether the texts of a column are read."""
        return not self.needed or name in self.needed or name in self.optional

    def tells_apart(self, name: str) -> bool:
        """Whether hashes of a column are read."""
        clusters = self.others and is_cluster_name(name) and not self.reads(name)
        return clusters or name in self.apart

    def wanted(self, names: Iterable[str]) -> list[str]:
        """The columns of which anything is read."""
        return [n for n in dict.fromkeys(names) if self.reads(n) or self.tells_apart(n)]

    @property
    def wish(self) -> str:
        """The columns, for messages."""
        asked = f" {', '.join(dict.fromkeys((*self.needed, *self.apart)))}" * bool(self.needed)
        return asked + f" and, optionally, {', '.join(self.optional)}" * bool(self.optional)

    def table(
        self,
        source: str,
        blocks: Iterable[Block],
        names: Iterable[str],
        place: Callable[[int], str],
        **notes: bool,
    ) -> Table:
        """The table of blocks, or :class:`InputError` where they have no row."""
        numbers: defaultdict[str, defaultdict[str, int]] = defaultdict(
            lambda: defaultdict(count().__next__)
        )
        coded: defaultdict[str, list[CodeArray]] = defaultdict(list)
        hashes: defaultdict[str, list[tuple[int, HashArray]]] = defaultdict(list)
        rows = 0
        for block in blocks:
            size = 0
            for name, (codes, texts) in block.items():
                size, stripped = len(codes), map(str.strip, texts)
                if self.reads(name):
                    number = numbers[name].__getitem__
                    known = np.fromiter(map(number, stripped), np.int32, len(texts))
                    coded[name].append(known[codes])
                else:
                    hashed = np.fromiter(map(hash, stripped), np.int64, len(texts))
                    hashes[name].append((rows, hashed[codes]))
            rows += size
            check_size(source, rows, MOST_ROWS, "rows")
            step("rows read", rows)
        if not rows:
            raise InputError(f"{source}: no rows, expected some of{self.wish}")
        missing = [hash(text) for text in MISSING]
        columns = {}
        for name, parts in hashes.items():
            column = columns[name] = np.zeros(rows, dtype=np.int64)  # also of objects without it
            for start, part in parts:
                column[start : start + len(part)] = part
            column[np.isin(column, missing)] = 0
        cells = {name: (np.concatenate(coded.pop(name)), list(numbers[name])) for name in [*coded]}
        return Table(
            source, tuple(names), rows, cells, place, hashed=columns, apart=self.apart, **notes
        )


def _coded(cells: Sequence[str]) -> tuple[IntArray, list[str]]:
    """Cells as codes into their distinct texts."""
    number: defaultdict[str, int] = defaultdict(count().__next__)
    codes = np.fromiter(map(number.__getitem__, cells), np.int64, len(cells))
    return codes, list(number)


# Delimited text.


def _of_text(path: Path, schema: _Schema, *, comments: bool) -> Table:
    source = path.name
    said = (each for each in enumerate(text_lines(path), 1) if _says_something(each[1], comments))
    number, first = next(said, (0, ""))
    if not number:
        of = " of" if schema.needed else ""
        raise InputError(f"{source}: the file is empty, expected a header{of}{schema.wish}")
    with errors_of(f"{source}, line {number}"):
        separator = separator_of(first)

    def rows(lines: Iterable[str], read: int = 0) -> Iterator[tuple[int, list[str]]]:
        return records(lines, separator, comments=comments, source=f"{source}, ", read=read)

    def place(row: int) -> str:
        return f"{source}, line {next(islice(rows(text_lines(path)), row + 1, None))[0]}"

    _, header = next(rows(text_lines(path)))
    names = schema.check(f"{source}, line {number}", header)
    at = {name: names.index(name) for name in schema.wanted(names)}
    skipped = re.compile(rf"^[ \t]*{'(?:#.*)?' if comments else ''}(?:\n|\Z)", re.MULTILINE)

    def blocks() -> Iterator[Block]:
        chunks, read, head = text_chunks(path), 0, 1
        for chunk in chunks:
            block, text = None, skipped.sub("", chunk)
            if '"' not in chunk:
                below = text.partition("\n")[2] if head else text
                block = _arrow_block(below, separator, len(header), at)
            if block is None:
                chunks = chain([chunk], chunks)
                break
            yield block
            read += chunk.count("\n")
            head = 0 if text else head
        rest = islice(rows(chain.from_iterable(map(split_lines, chunks)), read), head, None)
        while some := [*islice(rest, _ROWS)]:
            for line, row in some:
                if len(row) != len(header):
                    raise InputError(
                        f"{source}, line {line}: {counted(row, 'cell')}, expected {len(header)}, "
                        f"as the header has ({listed(names)}): {shortened(separator.join(row))!r}"
                    )
            yield {name: _coded([row[k] for _, row in some]) for name, k in at.items()}

    return schema.table(
        source, blocks(), names, place, decimal_commas=separator != ",", comments=comments
    )


def _arrow_block(text: str, separator: str, width: int, at: Mapping[str, int]) -> Block | None:
    """The rows of lines without quotes, comments or blank lines; None where one has other cells."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    if not text:
        return {}
    if text.startswith("\ufeff"):
        return None  # which pyarrow would leave out
    places, text_type = [str(k) for k in range(width)], pa.dictionary(pa.int32(), pa.string())
    data = text.encode()
    try:
        table = arrow_csv.read_csv(
            pa.py_buffer(data),
            arrow_csv.ReadOptions(
                use_threads=False, column_names=places, block_size=min(len(data) + 1, 1 << 30)
            ),
            arrow_csv.ParseOptions(delimiter=separator, quote_char=False, ignore_empty_lines=False),
            arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(places, text_type),
                include_columns=[str(k) for k in at.values()],
                null_values=[],
            ),
        )
    except pa.ArrowException:
        return None
    return {name: _dictionary(table.column(str(k)).chunk(0)) for name, k in at.items()}


def _dictionary(column: Any) -> tuple[CodeArray, list[str]]:
    """Codes into texts of a dictionary of Arrow."""
    return column.indices.to_numpy(), column.dictionary.to_pylist()


def separator_of(line: str) -> str:
    """The separator of a header line; a comma where it has but one cell."""
    bare = _QUOTED.sub("", line)
    present = [separator for separator in SEPARATORS if separator in bare]
    if len(present) > 1:
        names = " and ".join(SEPARATORS[separator] for separator in present)
        raise InputError(
            f"the header {shortened(line.rstrip())!r} has {names}: which separate its cells? Put "
            "names that contain one in double quotes"
        )
    return present[0] if present else ","


def records(
    lines: Iterable[str],
    separator: str,
    *,
    comments: bool = True,
    source: str = "",
    read: int = 0,
) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of every row; ``read`` lines came before, and messages start so."""
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


_STARTS = re.compile(r'\s*(?:\{\s*(?:["}]|\Z)|\[\s*(?:[\[{\]]|[0-9]+\s*,))')
_ARRAY = re.compile(r"\s*\[(?=\s*(?:[\[{\]]|\Z))")
_ANY_ARRAY = re.compile(r"\s*\[")
_BLANKS = re.compile(r"\s*")


def is_json(path: str | os.PathLike[str]) -> bool:
    """Whether a file is JSON, by its suffix or its first characters."""
    path = require_file(path)
    if suffix_of(path) in JSON_SUFFIXES:
        return True
    return _STARTS.match(read_text(path, only_start=True)) is not None


def json_values(path: str | os.PathLike[str]) -> Iterator[tuple[str, Any]]:
    """Values, each with where it is: its line, or in an array its row, counted from 0."""
    path = require_file(path)
    decoder = json.JSONDecoder(object_pairs_hook=unique_keys)
    in_array = _ANY_ARRAY if suffix_of(path) == ".json" else _ARRAY
    if not in_array.match(read_text(path, only_start=True)):
        for number, line in enumerate(text_lines(path), 1):
            if not line.isspace():
                try:
                    value = decoder.decode(line)
                except (ValueError, RecursionError) as error:
                    raise _no_json(f"{path.name}, line {number}", error) from None
                yield f"line {number}", value
        return
    text = read_text(path)
    row, (mark, at) = 0, _next_mark(text, _ANY_ARRAY.match(text).end())  # type: ignore[union-attr]
    while mark != "]":
        where = f"{path.name}, row {row}"
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise _no_json(where, error) from None
        yield f"row {row}", value
        row += 1
        mark, at = _next_mark(text, at)
        if mark == ",":
            at = _next_mark(text, at + 1)[1]
        elif mark != "]":
            fault = repr(mark) if mark else "the end of the file: is it complete?"
            raise InputError(f"{where}: expected ',' or ']' after it, found {fault}")
    if rest := text[at + 1 :].strip():
        raise InputError(f"{path.name}: {shortened(rest, 30)!r} after the end of the array")


def _next_mark(text: str, at: int) -> tuple[str, int]:
    """The next character that is no blank, and where it is."""
    at = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
    return text[at : at + 1], at


def first_value(path: str | os.PathLike[str]) -> Any:
    """The first value; None if there is none: whoever reads the file says why."""
    try:
        return next(json_values(path), ("", None))[1]
    except InputError:
        return None


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, or :class:`ValueError` where a key occurs twice and would hide an entry."""
    content = dict(pairs)
    if len(content) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"an object has the key {shortened(twice, 30)!r} twice")
    return content


def kind_of(value: Any) -> str:
    """What a value is, for messages."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    return shortened(json.dumps(value), 30)


def _no_json(where: str, error: Exception) -> InputError:
    why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
    why = why.replace(": line 1 column", " at column")
    return InputError(f"{where}: no JSON: {why}")


def _of_json(path: Path, schema: _Schema) -> Table:
    source = path.name
    names: dict[str, None] = {}
    read: set[str] = set()  # names that all objects have

    @lru_cache(_ROWS)
    def layout(shape: tuple[str, ...]) -> dict[str, str]:
        """The keys by the names of the columns of which anything is read."""
        columns = schema.check("keys", shape)
        key = dict(zip(reversed(columns), reversed(shape), strict=True))
        wanted = {name: key[name] for name in schema.wanted(columns)}
        texts = {name for name in wanted if schema.reads(name)}
        if names and (odd := read ^ texts):
            raise InputError(f"{min(odd)!r} is a key of some objects, and not of all")
        read.update(texts)
        names.update(dict.fromkeys(columns))
        return wanted

    def cells(place: str, value: Any) -> dict[str, str]:
        if not isinstance(value, dict):
            found = kind_of(value)
            raise InputError(f"{source}, {place}: {found}, expected an object of{schema.wish}")
        try:
            return {
                name: value[key] if type(value[key]) is str else _cell(key, value[key], name, read)
                for name, key in layout(tuple(value)).items()
            }
        except InputError as error:
            raise InputError(f"{source}, {place}: {error}") from None

    def blocks() -> Iterator[Block]:
        values = json_values(path)
        while some := [cells(*each) for each in islice(values, _ROWS)]:
            columns = dict.fromkeys(name for row in some for name in row)
            yield {name: _coded([row.get(name, "") for row in some]) for name in columns}

    def place(row: int) -> str:
        return f"{source}, {next(islice(json_values(path), row, None))[0]}"

    return schema.table(source, blocks(), names, place)


def _cell(key: str, value: Any, name: str, read: Container[str]) -> str:
    """A value as the text of a cell, or :class:`InputError` where the text of no value is read."""
    if value is None:
        return "null"
    if isinstance(value, int | float):
        return str(int(value)) if isinstance(value, bool) else str(value)
    if name in read:
        raise InputError(f"{key} is {kind_of(value)}, expected a text or a number")
    return json.dumps(value)


# Parquet files, and data frames.


def _of_parquet(path: Path, schema: _Schema) -> Table:
    header = _parquet_names(path)
    names = schema.check(path.name, header)
    key = dict(zip(reversed(names), reversed(header), strict=True))
    wanted = schema.wanted(names)

    def blocks() -> Iterator[Block]:
        with _parquet(path) as file:
            for batch in file.iter_batches(columns=[key[name] for name in wanted]):
                yield {n: _coded(_texts(batch.column(key[n]).to_pylist())) for n in wanted}

    return schema.table(path.name, blocks(), names, lambda row: f"{path.name}, row {row}")


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


def _of_frame(frame: pd.DataFrame, schema: _Schema, source: str) -> Table:
    names = schema.check(source, map(str, frame.columns))
    block = {}
    for name in schema.wanted(names):
        column = frame.iloc[:, names.index(name)].astype(object)
        block[name] = _coded(_texts(column.where(column.notna(), None).tolist()))
    return schema.table(source, [block], names, lambda row: f"{source}, row {row}")


def _texts(values: Iterable[Any]) -> list[str]:
    """The texts of values, empty where one is missing."""
    return [value if type(value) is str else _text_of(value) for value in values]


def _text_of(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(int(value)) if isinstance(value, bool | np.bool_) else str(value)
