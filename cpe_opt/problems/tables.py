"""Text files and tables of text, read strictly.

A table has a header line and below it one line a row, each with exactly as many cells as the
header. Cells are separated by commas, semicolons or tabs, whichever the header has; they may stand
in double quotes. Where the separator is no comma, numbers may have decimal commas. Blank lines and
lines that start with ``#`` are left out.

Files are UTF-8, or UTF-16 and UTF-32 with a byte order mark. Other encodings are refused rather
than guessed: one byte means different letters in different ones, and labels would change silently.

Whole columns are parsed at once by pyarrow. What it refuses is read again line by line, which finds
the line to blame.
"""

from __future__ import annotations

import codecs
import csv
import io
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
MISSING = frozenset({"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "None", "NULL", "null"})
_LARGEST_COUNT = 2.0**53
_LISTED = 12
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SIGNATURES = (
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive, as Excel workbooks are"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"SQLite format", "an SQLite database"),
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf|infinity)", re.I)
_QUOTED = re.compile(r'"[^"]*"')
_LEFT_OUT = re.compile(r"^[ \t]*(?:#.*)?\n", re.MULTILINE)


def require_file(path: str | os.PathLike[str]) -> Path:
    """The path of a file, or :class:`InputError` where there is none."""
    try:
        path = Path(path)
        if path.is_file():
            return path
        folder = path.is_dir()
    except TypeError:
        raise InputError(f"path is {path!r}, expected the path of a file") from None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    if folder:
        raise InputError(f"{str(path)!r} is a folder, expected a file")
    raise InputError(f"no file {str(path)!r}")


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether there is a folder of this name."""
    try:
        return Path(path).is_dir()
    except (TypeError, OSError):
        return False


def read_text(path: str | os.PathLike[str], *, only_start: bool = False) -> str:
    r"""The text of a file with ``\n`` for line ends; of its first lines alone where that will do.

    Raises
    ------
    InputError
        Where the file cannot be read, is no text, or in an encoding that can only be guessed.
    """
    path = require_file(path)
    try:
        with path.open("rb") as file:
            data = file.read(1 << 16) if only_start else file.read()
    except OSError as error:
        raise _unreadable(path, error) from None
    for signature, what in _SIGNATURES:
        if data.startswith(signature):
            raise InputError(f"{path.name} is {what}, expected a text file")
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    if encoding.startswith("utf-8") and b"\0" in data:
        raise InputError(
            f"{path.name} has NUL bytes: it is a binary file, or UTF-16 without a byte order mark; "
            "expected text in UTF-8"
        )
    try:
        # A decoder that is not told to be final keeps a character that is cut off to itself.
        text = codecs.getincrementaldecoder(encoding)().decode(data, final=not only_start)
    except UnicodeDecodeError as error:
        raise _undecodable(path.name, data, encoding, error) from None
    if "\0" in text:
        raise InputError(f"{path.name} has NUL characters, expected text")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_header(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The cells of the first line that is neither blank nor a comment, in lower case.

    There are none where that line is no header: whoever reads the file says why.
    """
    text = read_text(path, only_start=True)
    try:
        _, line = first_line(text)
        _, cells = next(records(line, separator_of(line)))
    except (InputError, StopIteration):
        return ()
    return tuple(cell.lower() for cell in cells)


def first_line(text: str, *, comments: bool = True) -> tuple[int, str]:
    """Number and content of the first line that says something; (0, "") where none does."""
    number = start = 0
    while start < len(text):
        end = text.find("\n", start)
        line = text[start:end] if end >= 0 else text[start:]
        number, start = number + 1, start + len(line) + 1
        if line.strip() and not (comments and line.lstrip().startswith("#")):
            return number, line
    return 0, ""


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


def records(text: str, separator: str, *, comments: bool = True) -> Iterator[tuple[int, list[str]]]:
    """Line number and stripped cells of every row, the header included."""
    number = begun = 0

    def lines() -> Iterator[str]:
        nonlocal number, begun
        for line in io.StringIO(text):
            number += 1
            if not begun and (not line.strip() or (comments and line.lstrip()[0] == "#")):
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


def parse_number(text: str, *, decimal_comma: bool = False) -> float:
    """The number that a cell holds, or :class:`ValueError`."""
    if decimal_comma:
        text = text.replace(",", ".")
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return float(text)


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of text, each as codes into its distinct values.

    Attributes
    ----------
    source : str
        The file's name, for messages.
    columns : tuple of str
        The header: in lower case where names were asked for, else as it is written.
    rows : int
    coded : mapping from column to (codes, values)
        ``values[codes[row]]`` is the stripped text of a cell.
    place : function of a row
        Where it stands, for messages: ``duels.csv, line 7``.
    decimal_commas : bool
        Whether a comma in a number is a decimal comma.
    comments : bool
        Whether lines that start with ``#`` were left out.
    """

    source: str
    columns: tuple[str, ...]
    rows: int
    coded: Mapping[str, tuple[IntArray, list[str]]]
    place: Callable[[int], str]
    decimal_commas: bool = False
    comments: bool = True

    def __contains__(self, column: str) -> bool:
        return column in self.coded

    def texts(self, column: str) -> list[str]:
        """The cells of a column, row by row."""
        codes, values = self.coded[column]
        return [values[code] for code in codes.tolist()]

    def names(self, column: str) -> list[str]:
        """The same of a column that names things in every row, or :class:`InputError`."""
        self.labels(column)
        return self.texts(column)

    def distinct(self, column: str) -> list[str]:
        """The same of a column in which no name stands twice."""
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
    path: str | os.PathLike[str],
    needed: Sequence[str] = (),
    optional: Sequence[str] = (),
    *,
    others: bool = False,
    comments: bool = True,
) -> Table:
    """Read a table.

    Parameters
    ----------
    path : path
    needed, optional : sequences of str
        Names of columns, in lower case; upper case in the file is no difference. Without any, all
        columns are read by the names they have, of which the first may be empty.
    others : bool
        Whether the file may have columns of other names, which are left out.
    comments : bool
        Whether lines that start with ``#`` are left out.

    Raises
    ------
    InputError
        With the line concerned.
    """
    source = require_file(path).name
    text = read_text(path)
    number, line = first_line(text, comments=comments)
    expected = _expected(needed, optional)
    if not number:
        of = " of" if expected else ""
        raise InputError(f"{source}: the file is empty, expected a header{of}{expected}")
    try:
        separator = separator_of(line)
        _, header = next(records(line, separator, comments=comments))
    except InputError as error:
        raise InputError(f"{source}, line {number}: {error}") from None
    header = _checked_header(f"{source}, line {number}", header, needed, optional, others=others)
    wanted = [name for name in header if not needed or name in needed or name in optional]
    coded = _coded_by_arrow(text, separator, header, wanted, comments=comments)
    if coded is None:
        coded = _coded_by_line(source, text, separator, header, wanted, comments=comments)
    rows = len(coded[wanted[0]][0])
    if not rows:
        raise InputError(f"{source}: the file has no lines below its header")

    def place(row: int) -> str:
        lines = (line for line, _ in records(text, separator, comments=comments))
        return f"{source}, line {next(line for r, line in enumerate(lines, -1) if r == row)}"

    return Table(source, tuple(header), rows, coded, place, separator != ",", comments)


def frame_table(
    frame: pd.DataFrame,
    source: str,
    needed: Sequence[str] = (),
    optional: Sequence[str] = (),
    *,
    others: bool = False,
) -> Table:
    """A data frame as :func:`read_table` gives a file; rows are numbered from 0."""
    import pandas as pd

    header = [str(column).strip() for column in frame.columns]
    header = _checked_header(source, header, needed, optional, others=others)
    coded = {}
    for place, name in enumerate(header):
        if not needed or name in needed or name in optional:
            try:
                codes, values = pd.factorize(frame.iloc[:, place], use_na_sentinel=True)
            except TypeError as error:
                raise InputError(f"{source}: column {name!r} cannot be read ({error})") from None
            # Missing entries have the code -1, which finds the empty text at the end.
            coded[name] = _merged(np.asarray(codes), [*(str(value) for value in values), ""])
    if not len(frame):
        raise InputError(f"{source}: the data frame has no rows")
    rows = len(frame)
    return Table(
        source, tuple(header), rows, coded, lambda row: f"{source}, row {row}", comments=False
    )


def shortened(text: str, most: int = 60) -> str:
    """The start of a long text."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def counted(things: Sequence[object], name: str) -> str:
    """``1 cell``, ``2 cells``."""
    return f"{len(things):,} {name}{'' if len(things) == 1 else 's'}"


@contextmanager
def errors_of(source: str) -> Iterator[None]:
    """Put the name of a file before what is wrong with its content."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{source}: {error}") from None


def listed(names: Sequence[str]) -> str:
    """Names of columns for a message, the first of many."""
    shown = [shortened(name, 30) or "(no name)" for name in names[:_LISTED]]
    if not shown:
        return "none"
    return ", ".join(shown) + (f", … ({len(names)} columns)" if len(names) > _LISTED else "")


def _checked_header(
    where: str, header: list[str], needed: Sequence[str], optional: Sequence[str], *, others: bool
) -> list[str]:
    names = [name.lower() for name in header] if needed else list(header)
    wish = _expected(needed, optional)
    absent = [name for name in needed if name not in names]
    apart = ", separated by commas, semicolons or tabs" if len(header) == 1 else ""
    if absent:
        raise InputError(
            f"{where}: no column {absent[0]!r}; found {listed(header)}; expected{wish}{apart}"
        )
    for place, name in enumerate(names):
        if not name and (needed or place):
            raise InputError(f"{where}: column {place + 1} of the header has no name")
        if name in names[:place]:
            raise InputError(f"{where}: two columns are called {header[place]!r}")
        if needed and not others and name not in needed and name not in optional:
            raise InputError(
                f"{where}: unknown column {header[place]!r}; found {listed(header)}; expected{wish}"
            )
    return names


def _expected(needed: Sequence[str], optional: Sequence[str]) -> str:
    if not needed:
        return ""
    asked = f" {', '.join(needed)}"
    return f"{asked} and, optionally, {', '.join(optional)}" if optional else asked


def _coded_by_arrow(
    text: str, separator: str, header: Sequence[str], wanted: Sequence[str], *, comments: bool
) -> dict[str, tuple[IntArray, list[str]]] | None:
    """The columns, or None where something asks for a closer look."""
    import pyarrow as pa
    import pyarrow.csv as pc

    quoted = '"' in text
    if quoted and ((comments and "#" in text) or not _plainly_quoted(text, separator)):
        return None
    if not quoted and (text[:1] in "# \t\n" or re.search(r"\n[#\s]", text)):
        if not comments and "#" in text:
            return None
        text = _LEFT_OUT.sub("", text if text.endswith("\n") else f"{text}\n")
    kind = pa.dictionary(pa.int32(), pa.string())
    names = [str(place) for place in range(len(header))]
    places = [names[header.index(name)] for name in wanted]
    try:
        columns = pc.read_csv(
            pa.BufferReader(text.encode()),
            read_options=pc.ReadOptions(block_size=1 << 24, column_names=names, skip_rows=0),
            parse_options=pc.ParseOptions(delimiter=separator, newlines_in_values=quoted),
            convert_options=pc.ConvertOptions(
                column_types=dict.fromkeys(places, kind),
                include_columns=places,
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        ).unify_dictionaries()
    except pa.ArrowInvalid:
        return None
    coded = {}
    for name, place in zip(wanted, places, strict=True):
        parts = columns.column(place).chunks
        codes = np.concatenate([part.indices.to_numpy() for part in parts])
        coded[name] = _merged(codes[1:], parts[0].dictionary.to_pylist())
    return coded


def _plainly_quoted(text: str, separator: str) -> bool:
    """Whether every quote stands at the edge of a cell, the only place where pyarrow is strict."""
    opening = text.startswith('"') + text.count('\n"') + text.count(f'{separator}"')
    closing = text.endswith('"') + text.count('"\n') + text.count(f'"{separator}')
    return 2 * opening == 2 * closing == text.count('"')


def _coded_by_line(
    source: str,
    text: str,
    separator: str,
    header: Sequence[str],
    wanted: Sequence[str],
    *,
    comments: bool,
) -> dict[str, tuple[IntArray, list[str]]]:
    """The same one line at a time, or :class:`InputError` with the line."""
    places = [header.index(name) for name in wanted]
    codes: list[list[int]] = [[] for _ in wanted]
    numbers: list[dict[str, int]] = [{} for _ in wanted]
    rows = records(text, separator, comments=comments)
    try:
        next(rows)
        for line, cells in rows:
            if len(cells) != len(header):
                raise InputError(
                    f"line {line}: {counted(cells, 'cell')}, expected {len(header)}, as the header "
                    f"has ({listed(header)}): {shortened(separator.join(cells))!r}"
                )
            for place, column, number in zip(places, codes, numbers, strict=True):
                column.append(number.setdefault(cells[place], len(number)))
    except InputError as error:
        raise InputError(f"{source}, {error}") from None
    return {
        name: (np.array(column, dtype=np.int64), list(number))
        for name, column, number in zip(wanted, codes, numbers, strict=True)
    }


def _merged(codes: Any, values: Sequence[str]) -> tuple[IntArray, list[str]]:
    """Codes into the distinct stripped values that occur, in order of first appearance."""
    number: dict[str, int] = {}
    merge = np.array([number.setdefault(value.strip(), len(number)) for value in values], dtype=int)
    merged = merge[codes] if len(values) else np.zeros(0, dtype=np.int64)
    order, renamed = first_appearances(merged, len(number))
    names = list(number)
    return renamed, [names[code] for code in order.tolist()]


def first_appearances(codes: IntArray, count: int) -> tuple[IntArray, IntArray]:
    """The codes that occur, in order of first appearance, and all codes as places in that order."""
    first = np.full(count, len(codes), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    order = np.argsort(first, kind="stable")[: int((first < len(codes)).sum())]
    place = np.zeros(count, dtype=np.int64)
    place[order] = np.arange(len(order))
    return order, place[codes]


def _unreadable(path: object, error: Exception) -> InputError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(f"cannot read {shortened(str(path))!r}: {reason}")


def _undecodable(source: str, data: bytes, encoding: str, error: UnicodeDecodeError) -> InputError:
    if not encoding.startswith("utf-8"):
        name = encoding.upper()
        return InputError(f"{source}: its byte order mark says {name}, and it is no {name}")
    control = sum(byte < 9 or 13 < byte < 32 for byte in data[:1000])
    if control > len(data[:1000]) / 100:
        return InputError(f"{source} is a binary file, expected text in UTF-8")
    start = data.rfind(b"\n", 0, error.start) + 1
    line = data[start:].partition(b"\n")[0].decode("cp1252", errors="replace").strip()
    return InputError(
        f"{source}, line {data.count(bytes([10]), 0, error.start) + 1}: the byte "
        f"0x{data[error.start]:02X} is not UTF-8. The file seems to be in Latin-1 (Windows-1252), "
        f"where this line reads {shortened(line)!r}; save it as UTF-8"
    )
