"""Finished runs in few files: shards of a thousand runs, written once, found again after any crash.

A folder holds the runs 0, 1, … of one series (:mod:`cpe_opt.experiments.planning`), in parquet
files ``runs-FIRST-LAST.parquet``: one row per run, in order, one row group per file. Workers write
a file whenever they have made some runs of one thousand (*a part*); once all of a thousand are
there, or what the series has of it (*a shard*), its parts are merged into one file, and deleted. So
10^5 runs end as a hundred files, and a run that took an hour is on the disk when it ends.

**Crashes.** A file appears whole, under its name, or not at all (:mod:`cpe_opt.files`). Killed
while a part is written, its runs are repeated. Killed between the merged file and the deletion of
its parts, a run is in two files with the same result: readers take it from the larger one, and the
next experiment deletes parts. A temporary file, whose name starts with a dot, is left to whoever
knows that nothing is writing there.

**Two experiments at once** may make the same run, with the same result. Whoever has written a file
then deletes files whose runs another one has; a reader whose file is merged meanwhile finds its
runs in a larger one. A series that is made longer later replaces its last shard by a longer one.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cpe_opt.arrays import BoolArray
from cpe_opt.errors import InputError, WriteFailed
from cpe_opt.files import atomic_write, os_reason

if TYPE_CHECKING:
    import pyarrow as pa

SHARD = 1000
_NAME = re.compile(r"runs-(\d{6,12})-(\d{6,12})\.parquet")
# In the metadata: whose file it is; and its columns once more, as footers have no checksum.
_MARK, _COLUMNS = b"cpe_opt", b"cpe_opt_columns"
_ATTEMPTS = 3


class Span(NamedTuple):
    """The runs of a file, both ends included."""

    first: int
    last: int

    @property
    def shard(self) -> int:
        """The number of their shard."""
        return self.first // SHARD

    @property
    def size(self) -> int:
        """How many they are."""
        return self.last - self.first + 1


def shards_of(runs: int) -> int:
    """How many shards a series with so many runs has."""
    return -(-runs // SHARD)


def shard_span(shard: int, runs: int) -> Span:
    """The runs of a shard of a series with so many runs."""
    return Span(shard * SHARD, min((shard + 1) * SHARD, runs) - 1)


def save(folder: Path, results: pa.Table) -> None:
    """Write results of consecutive runs of one shard, whole or not at all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    span = Span(results["run"][0].as_py(), results["run"][-1].as_py())
    # Lists name their entries otherwise when they were read than when they were made.
    fields = [
        (name, pa.list_(each.value_type) if pa.types.is_list(each) else each)
        for name, each in zip(results.column_names, results.schema.types, strict=True)
    ]
    table = results.cast(pa.schema(fields)).combine_chunks()
    table = table.replace_schema_metadata({_MARK: b"runs", _COLUMNS: _columns_of(table.schema)})
    with atomic_write(path_of(folder, span)) as temporary, temporary.open("wb") as data:
        pq.write_table(
            table, data, row_group_size=SHARD, compression="zstd", write_page_checksum=True
        )
    tidy(folder)


def merge(folder: Path, span: Span) -> None:
    """Put the runs of a shard, all finished, into one file, and delete its parts."""
    if any(each.first <= span.first and span.last <= each.last for each in spans_in(folder)):
        tidy(folder)
        return
    results = _read_span(folder, span)
    if results is None or len(results) < span.size:
        raise InputError(
            f"not all of the runs {span.first} to {span.last} are in {str(folder)!r}: the process "
            "that made them wrote to another disk, or files were deleted meanwhile; workers need a "
            "folder that all of them share"
        )
    save(folder, results)


def tidy(folder: Path) -> None:
    """Delete the files whose runs another file has."""
    reach = -1
    for span in sorted(spans_in(folder), key=lambda span: (span.first, -span.last)):
        if span.last > reach:
            reach = span.last
            continue
        path = path_of(folder, span)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise WriteFailed(f"cannot delete {str(path)!r}: {os_reason(error)}") from error


def finished(folder: Path, runs: int) -> BoolArray:
    """Which of the first runs have results; shape (runs,)."""
    there = np.zeros(runs, dtype=bool)
    for span in spans_in(folder):
        there[span.first : span.last + 1] = True
    return there


def check(folder: Path) -> None:
    """Raise :class:`InputError` if a file is not what its name says, by its footer."""
    import pyarrow.parquet as pq

    for span in sorted(spans_in(folder)):
        path = path_of(folder, span)
        gone = contextlib.suppress(FileNotFoundError)  # as where another experiment merged it
        # Arrow opens no path that is not UTF-8.
        with _readable(path), gone, path.open("rb") as data:
            _check_footer(pq.read_metadata(data), span)


def read(folder: Path, runs: int | None = None, without: Sequence[str] = ()) -> pa.Table:
    """The results of the first runs, or of all that are there: one row per run, in order."""
    import pyarrow as pa

    spans = spans_in(folder)
    most = max((span.last + 1 for span in spans), default=0) if runs is None else runs
    found = [
        _read_span(folder, shard_span(shard, most), without)
        for shard in sorted({span.shard for span in spans if span.first < most})
    ]
    tables = [table for table in found if table is not None]
    count = sum(map(len, tables))
    if count < (1 if runs is None else runs):
        raise InputError(
            f"{count} of {'all' if runs is None else runs} finished runs are in {str(folder)!r}: "
            "files were deleted; the same experiment makes their runs again"
        )
    return pa.concat_tables(tables)


def series_folders(root: Path) -> list[Path]:
    """The folders in a folder, itself among them, that hold finished runs."""
    return sorted(
        {path.parent for path in root.rglob("runs-*.parquet") if _NAME.fullmatch(path.name)}
    )


def path_of(folder: Path, span: Span) -> Path:
    """The path of a file."""
    return folder / f"runs-{span.first:06d}-{span.last:06d}.parquet"


def spans_in(folder: Path) -> set[Span]:
    """Which files are in a folder."""
    try:
        matches = [_NAME.fullmatch(path.name) for path in folder.iterdir()]
    except FileNotFoundError:
        return set()
    except OSError as error:
        raise InputError(f"cannot read the folder {str(folder)!r}: {os_reason(error)}") from None
    found = {Span(int(each[1]), int(each[2])) for each in matches if each}
    return {span for span in found if span.shard == span.last // SHARD and span.size > 0}


def _read_span(folder: Path, wanted: Span, without: Sequence[str] = ()) -> pa.Table | None:
    """The rows of these runs that are there, each once, of the largest file; None without any."""
    import pyarrow as pa

    for attempt in range(_ATTEMPTS):
        spans = [each for each in spans_in(folder) if each.first <= wanted.last]
        spans = [each for each in spans if each.last >= wanted.first]
        spans.sort(key=lambda span: (-span.size, span))
        try:
            tables = [read_file(folder, span, without) for span in spans]
            break
        except FileNotFoundError as error:  # merged meanwhile: its runs are in a larger file
            if attempt == _ATTEMPTS - 1:
                raise InputError(f"cannot read '{error.filename}': {os_reason(error)}") from None
    if not tables:
        return None
    table = pa.concat_tables(tables)
    numbers, places = np.unique(table["run"].to_numpy(), return_index=True)
    inside = (wanted.first <= numbers) & (numbers <= wanted.last)
    return table.take(places[inside]).combine_chunks()


def read_file(folder: Path, span: Span, without: Sequence[str] = ()) -> pa.Table:
    """The rows of a file, without some columns; FileNotFoundError where it is gone."""
    import pyarrow.parquet as pq

    path = path_of(folder, span)
    with (
        _readable(path),
        path.open("rb") as data,
        pq.ParquetFile(data, page_checksum_verification=True) as file,
    ):
        _check_footer(file.metadata, span)
        if _columns_of(file.schema_arrow) != file.metadata.metadata.get(_COLUMNS):
            raise ValueError("its columns are not those that were written")
        names = [name for name in file.schema_arrow.names if name not in without]
        table = file.read(columns=names)
        if not np.array_equal(table["run"].to_numpy(), np.arange(span.first, span.last + 1)):
            raise ValueError("it holds other runs than its name says")
        return table


def _check_footer(metadata: Any, span: Span) -> None:
    """Raise ValueError unless this is the footer of such a file."""
    if (metadata.metadata or {}).get(_MARK) != b"runs":
        raise ValueError("another program wrote it")
    if metadata.num_rows != span.size:
        raise ValueError(f"it holds {metadata.num_rows} runs, and its name says {span.size}")


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Say in words why a file does not read as one of finished runs."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        raise InputError(
            f"{str(path)!r} is not a file of finished runs ({error}); delete it, and its runs are "
            "repeated"
        ) from None


def _columns_of(schema: pa.Schema) -> bytes:
    """Names and types of columns, whatever lists call their entries."""
    types = [str(getattr(each, "value_type", each)) for each in schema.types]
    return " ".join(map("=".join, zip(schema.names, types, strict=True))).encode()
