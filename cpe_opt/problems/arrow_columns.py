"""Large files by pyarrow: a block of whole lines, or of rows, at a time.

What pyarrow does not read just as the readers of single lines do is
:class:`~cpe_opt.problems.line_blocks.NotSoPlain`: the caller reads again line by line, and finds
the line to blame. Blocks are handed over in memory, so that pyarrow's threads call nothing of
Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cpe_opt.arrays import IntArray
from cpe_opt.problems.clusters import DistinctValues
from cpe_opt.problems.columns import merged
from cpe_opt.problems.line_blocks import NotSoPlain, line_blocks

_DEEPEST = 1000  # brackets that a line of JSON may open
_BLANK = (b"\n ", b"\n\t")  # what a line of blanks starts with; empty ones are left out anyway
_LEFT_OUT = re.compile(rb"^[ \t]*(?:#.*)?\n", re.MULTILINE)
_COMMENT = re.compile(rb"^[ \t]*#", re.MULTILINE)


class ArrowColumns:
    """Columns as codes into their distinct values, and how many values others have.

    Parameters
    ----------
    wanted, counted : sequences of str
        Columns that are read, and columns of which the distinct values are counted.
    """

    def __init__(self, wanted: Sequence[str], counted: Sequence[str]) -> None:
        self.rows = 0
        self._numbers: dict[str, dict[str, int]] = {name: {} for name in wanted}
        self._codes: dict[str, list[IntArray]] = {name: [] for name in wanted}
        self.distinct = {name: DistinctValues() for name in counted}

    def add(self, columns: Mapping[str, Any], rows: int) -> None:
        """Note some rows, as arrays of pyarrow by the name of their column."""
        self.rows += rows
        for name, numbers in self._numbers.items():
            for part in columns[name].chunks:
                coded = part if hasattr(part, "dictionary") else part.dictionary_encode()
                if coded.indices.null_count:
                    raise NotSoPlain
                values = coded.dictionary.to_pylist()
                known = [numbers.setdefault(_text(value), len(numbers)) for value in values]
                places = np.array(known, dtype=np.int32)
                indices = coded.indices.to_numpy()
                self._codes[name].append(places[indices] if len(places) else indices)
        for name, distinct in self.distinct.items():
            distinct.add_all(_texts(columns[name]))

    def coded(self) -> dict[str, tuple[IntArray, list[str]]]:
        """Codes and values of each column that was wanted."""
        found = {}
        for name, parts in self._codes.items():
            codes = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)
            self._codes[name] = []
            found[name] = merged(codes, list(self._numbers[name]))
        return found


def csv_columns(
    path: Path,
    separator: str,
    header: Sequence[str],
    start: int,
    wanted: Sequence[str],
    counted: Sequence[str],
    *,
    comments: bool,
) -> ArrowColumns:
    """The columns of a table below its header, whose line is the one of this number."""
    import pyarrow as pa
    import pyarrow.csv as pc

    names = [str(place) for place in range(len(header))]
    place = {name: names[header.index(name)] for name in (*wanted, *counted)}
    of_few = pa.dictionary(pa.int32(), pa.string())
    types = {place[name]: of_few for name in wanted} | {
        place[name]: pa.string() for name in counted
    }
    found = ArrowColumns(wanted, counted)
    for block in _csv_blocks(path, separator, start, comments=comments):
        try:
            table = pc.read_csv(
                pa.BufferReader(block),
                read_options=pc.ReadOptions(
                    block_size=max(1 << 20, len(block)), column_names=names
                ),
                parse_options=pc.ParseOptions(
                    delimiter=separator, newlines_in_values=b'"' in block
                ),
                convert_options=pc.ConvertOptions(
                    column_types=types,
                    include_columns=list(types),
                    strings_can_be_null=False,
                    quoted_strings_can_be_null=False,
                ),
            )
        except (pa.ArrowInvalid, pa.ArrowKeyError):
            raise NotSoPlain from None
        found.add({name: table.column(each) for name, each in place.items()}, table.num_rows)
    return found


def json_columns(
    path: Path, keys: Mapping[str, tuple[str, type]], counted: Mapping[str, str]
) -> tuple[ArrowColumns, tuple[str, ...]]:
    """The columns of objects that stand one a line, and all of their keys.

    Parameters
    ----------
    path : path
    keys : mapping from column to the key in the file and the type of its first value
    counted : mapping from column to the key in the file
        Of which the distinct values are counted.
    """
    import pyarrow as pa
    import pyarrow.json as pj

    texts = {key for key, kind in keys.values() if kind is str}
    options = pj.ParseOptions(
        explicit_schema=pa.schema([(key, pa.string()) for key in sorted(texts)]),
        unexpected_field_behavior="infer",
    )
    found = ArrowColumns(list(keys), list(counted))
    names: dict[str, None] = {}
    for block in line_blocks(path):
        _check_depth(block)
        try:
            table = pj.read_json(
                pa.BufferReader(block),
                read_options=pj.ReadOptions(block_size=max(1 << 20, len(block))),
                parse_options=options,
            )
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, UnicodeDecodeError):
            raise NotSoPlain from None
        lines = block.count(b"\n")
        if table.num_rows != lines:
            lines = sum(not line.isspace() for line in block.splitlines(keepends=True))
        if table.num_rows != lines or not {key for key, _ in keys.values()} <= {
            *table.column_names
        }:
            raise NotSoPlain
        names.update(dict.fromkeys(table.column_names))
        none = pa.chunked_array([pa.nulls(table.num_rows, pa.string())])
        columns = {name: table.column(key) for name, (key, _) in keys.items()}
        if not all(_fits(table.schema.field(key).type, kind) for key, kind in keys.values()):
            raise NotSoPlain
        for name, key in counted.items():
            columns[name] = table.column(key) if key in table.column_names else none
        found.add(columns, table.num_rows)
    return found, tuple(names)


def parquet_columns(
    path: Path, keys: Mapping[str, str], counted: Mapping[str, str]
) -> ArrowColumns:
    """The columns of a Parquet file, by the names that they have there."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    found = ArrowColumns(list(keys), list(counted))
    wanted = {**keys, **counted}
    with path.open("rb") as data, pq.ParquetFile(data) as file:
        for batch in file.iter_batches(columns=list(dict.fromkeys(wanted.values()))):
            columns = {name: batch.column(key) for name, key in wanted.items()}
            columns |= {name: _without_nulls(columns[name]) for name in keys}
            chunks = {name: pa.chunked_array([each]) for name, each in columns.items()}
            found.add(chunks, batch.num_rows)
    return found


def _without_nulls(column: Any) -> Any:
    """A column with empty texts for missing values."""
    import pyarrow as pa

    if not column.null_count:
        return column
    return pa.array([*map(_text, column.to_pylist())], pa.string())


def _fits(kind: Any, first: type) -> bool:
    """Whether the type of a column of JSON is the one of its first value."""
    import pyarrow as pa

    wanted = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}
    return bool(kind == wanted.get(first))


def _text(value: Any) -> str:
    """A value as the text of a cell."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return str(int(value)) if isinstance(value, bool) else str(value)


def _texts(column: Any) -> Any:
    """A column of whatever kind as an array of texts."""
    import pyarrow as pa

    try:
        return column.cast(pa.string()).to_numpy()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return np.array([*map(str, column.to_pylist())], dtype=np.object_)


def _csv_blocks(path: Path, separator: str, start: int, *, comments: bool) -> Iterator[bytes]:
    """Whole lines below the header, without comments and blank lines, all quotes plain."""
    mark = separator.encode()
    left = start
    for lines in line_blocks(path, quotes=True):
        block = lines
        while left and block:  # up to the header, each of whose lines is one of the file
            block = block.partition(b"\n")[2]
            left -= 1
        if b'"' in block:
            if comments and b"#" in block and _COMMENT.search(block):
                raise NotSoPlain
            if not _plainly_quoted(block, mark):
                raise NotSoPlain
        elif block[:1].isspace() or b"#" in block or any(blank in block for blank in _BLANK):
            if not comments and b"#" in block:
                raise NotSoPlain
            block = _LEFT_OUT.sub(b"", block)
        if block:
            yield block


def _plainly_quoted(block: bytes, separator: bytes) -> bool:
    """Whether every quote stands at the edge of a cell, the only place where pyarrow is strict.

    Two in a row are an empty cell, or one quote in a quoted cell; elsewhere they are text.
    """
    block = block.replace(b'""', b"") if b'""' in block else block
    opening = block.startswith(b'"') + block.count(b'\n"') + block.count(separator + b'"')
    closing = block.count(b'"\n') + block.count(b'"' + separator)
    return bool(2 * opening == 2 * closing == block.count(b'"'))


def _check_depth(block: bytes) -> None:
    """Refuse lines that may be nested so deeply that pyarrow's parser has no room for them."""
    ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == 10)
    starts = np.concatenate([[0], ends[:-1] + 1])
    for line in np.flatnonzero(ends - starts > 2 * _DEEPEST).tolist():
        start, end = int(starts[line]), int(ends[line])
        if block.count(b"[", start, end) + block.count(b"{", start, end) > _DEEPEST:
            raise NotSoPlain
