"""Finished runs in few files: shards of a thousand runs, written once, found again after any crash.

A folder holds the runs 0, 1, … of one series (:mod:`cpe_opt.experiments.planning`), in parquet
files ``runs-FIRST-LAST.parquet``: one row per run, one row group per file. They start and end in
the same thousand. Such a thousand, or what the series has of it, is a *shard*. Workers write a file
whenever they have made some runs (*a part*); once every run of a shard is there, its parts are
merged into one file, and deleted. So 10^5 runs end as a hundred files, and a run that took an hour
is on the disk when it ends, not when a thousand are.

**Content.** A row holds what its run decides and the names it is shown under; rows are in the order
of the runs. So a merged file is the same, byte for byte, if the same version of Arrow writes it:
however many workers made it, in whatever parts, and however often they were killed. A folder that
has all its runs holds its shards and nothing else. The time that a run took is no part of a result:
for every file of results a file ``_seconds-FIRST-LAST.parquet`` holds the times. Readers of data
sets pass over names with ``_``, and nothing else is lost with these files.

**Crashes.** A file appears whole, under its name, or not at all (:mod:`cpe_opt.files`).

1. Killed while a part is written: its runs are repeated. The next experiment in the folder deletes
   the temporary file, see below.
2. Killed between seconds and results of a part: the same; the seconds are overwritten.
3. Killed when all parts of a shard are there: the next experiment merges them.
4. Killed when the merged file is there, and parts are, too: a run is then in two files with the
   same row. Readers take it from the larger one, and the next experiment deletes parts.

**Two experiments at once** may make the same run, and write the same row. A process that has
written a file then deletes files whose runs another file has; of two that write at the same time at
least one sees both files. A reader whose file is merged meanwhile finds its runs in a larger one. A
worker that has outlived its experiment does as the others do. A series that is made longer later
has parts, and in the end a longer last shard, which replaces the shorter one.

**Sweeping.** Experiments hold a lock on their folder that ends with their process. One that
finds no other lock deletes the temporary files of killed ones; where the file system has no such
locks nothing is deleted.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from cpe_opt.arrays import BoolArray, IntArray
from cpe_opt.errors import InputError, WriteFailed
from cpe_opt.files import atomic_write, lock_file, os_reason

if TYPE_CHECKING:
    import pyarrow as pa

SHARD = 1000
Kind: TypeAlias = Literal["runs", "_seconds"]
KINDS: tuple[Kind, ...] = ("runs", "_seconds")
_NAME = re.compile(r"(runs|_seconds)-(\d{6}|[1-9]\d{6,11})-(\d{6}|[1-9]\d{6,11})\.parquet")
# In the metadata: whose file it is; and its columns once more, as footers have no checksum.
_MARK, _COLUMNS = b"cpe_opt", b"cpe_opt_columns"
_ATTEMPTS = 3


class Span(NamedTuple):
    """The runs of a file, both ends included."""

    first: int
    last: int

    def covers(self, other: Span) -> bool:
        """Whether it has every run of the other."""
        return self.first <= other.first and other.last <= self.last

    @property
    def shard(self) -> int:
        """The number of their shard."""
        return self.first // SHARD

    @property
    def size(self) -> int:
        """How many they are."""
        return self.last - self.first + 1


def save(folder: Path, results: pa.Table, seconds: Sequence[float]) -> None:
    """Write results of consecutive runs of one shard, and how long each took."""
    import pyarrow as pa

    numbers = results["run"]
    span = Span(numbers[0].as_py(), numbers[-1].as_py())
    clock = pa.table({"run": numbers, "seconds": pa.array(seconds, pa.float64())})
    # Results last: where they are there, so are seconds.
    write_file(folder, "_seconds", span, clock)
    write_file(folder, "runs", span, results)
    tidy(folder)


def merge(folder: Path, span: Span) -> None:
    """Put the runs of a shard, all finished, into one file, and delete its parts.

    Raises
    ------
    InputError
        Where a run is missing, or a file is damaged.
    WriteFailed
    """
    if not any(other.covers(span) for other in spans_in(folder, "runs")):
        results = _read_span(folder, "runs", span)
        if results is None or len(results) < span.size:
            raise InputError(
                f"not all of the runs {span.first} to {span.last} are in {str(folder)!r}: the "
                "process that made them wrote to another disk, or files were deleted meanwhile; "
                "workers need a folder that all of them share"
            )
        save(folder, results, read_seconds(folder, results["run"].to_numpy()))
    tidy(folder)


def tidy(folder: Path) -> None:
    """Delete the files whose runs another file has."""
    for kind in KINDS:
        reach: dict[int, int] = {}  # of each shard, up to which run a file goes
        for span in sorted(spans_in(folder, kind), key=lambda span: (span.first, -span.last)):
            if span.last <= reach.get(span.shard, -1):
                _delete(path_of(folder, kind, span))
            else:
                reach[span.shard] = span.last


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise WriteFailed(f"cannot delete {str(path)!r}: {os_reason(error)}") from error


def finished(folder: Path, runs: int) -> BoolArray:
    """Which of the first runs have results; shape (runs,)."""
    there = np.zeros(runs, dtype=bool)
    for span in spans_in(folder, "runs"):
        there[span.first : span.last + 1] = True
    return there


def check(folder: Path) -> None:
    """Raise :class:`InputError` if a file is not what its name says, by its footer."""
    import pyarrow.parquet as pq

    for kind in KINDS:
        for span in sorted(spans_in(folder, kind)):
            path = path_of(folder, kind, span)
            gone = contextlib.suppress(FileNotFoundError)  # as where another experiment merged it
            # Arrow opens no path that is not UTF-8.
            with _readable(path), gone, path.open("rb") as data:
                _check_footer(pq.read_metadata(data), span, kind)


def read(folder: Path, runs: int | None = None, without: Sequence[str] = ()) -> pa.Table:
    """The results of the first runs, or of all that are there: one row per run, in order.

    Raises
    ------
    InputError
        Where a run is missing, or a file is damaged.
    """
    import pyarrow as pa

    spans = spans_in(folder, "runs")
    most = max((span.last + 1 for span in spans), default=0) if runs is None else runs
    tables = []
    for shard in sorted({span.shard for span in spans if span.first < most}):
        table = _read_span(folder, "runs", shard_span(shard, most), without)
        if table is not None:
            tables.append(table)
    count = sum(map(len, tables))
    if count < (1 if runs is None else runs):
        raise InputError(
            f"{count} of {'all' if runs is None else runs} finished runs are in {str(folder)!r}: "
            "files were deleted; the same experiment makes their runs again"
        )
    return pa.concat_tables(tables)


def read_seconds(folder: Path, numbers: IntArray) -> list[float]:
    """How long each of these runs, ascending, took; NaN if that is not known."""
    found = {number: float("nan") for number in numbers.tolist()}
    for shard in sorted({Span(number, number).shard for number in found}):
        table = _read_span(folder, "_seconds", shard_span(shard, max(found) + 1))
        if table is not None:
            pairs = zip(table["run"].to_pylist(), table["seconds"].to_pylist(), strict=True)
            found |= {number: value for number, value in pairs if number in found}
    return list(found.values())


def series_folders(root: Path) -> list[Path]:
    """The folders in a folder, itself among them, that hold finished runs."""
    return sorted(
        {path.parent for path in root.rglob("runs-*.parquet") if _NAME.fullmatch(path.name)}
    )


@contextlib.contextmanager
def writing(root: Path, folders: Iterable[Path]) -> Iterator[None]:
    """Hold the lock of experiments on a folder; sweep these folders in it where nobody else does.

    Raises
    ------
    WriteFailed
        Where there is no such folder and none can be made.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
        handle = _handle(root)
    except OSError as error:
        raise WriteFailed(f"cannot write to {str(root)!r}: {os_reason(error)}") from error
    if handle is None:
        yield
        return
    try:
        with contextlib.suppress(OSError):  # somebody writes, or there are no locks here
            lock_file(handle)
            _sweep(folders)
        with contextlib.suppress(OSError):
            lock_file(handle, shared=True)
        yield
    finally:
        os.close(handle)


def _handle(folder: Path) -> int | None:
    """What a lock of the folder is held by; None on Windows, where a folder cannot be opened."""
    return os.open(folder, os.O_RDONLY) if find_spec("fcntl") else None


def _sweep(folders: Iterable[Path]) -> None:
    """Delete the temporary files of processes that were killed."""
    for folder in folders:
        for kind in KINDS:
            for path in folder.glob(f".{kind}-*.parquet"):
                path.unlink(missing_ok=True)


def _read_span(
    folder: Path, kind: Kind, wanted: Span, without: Sequence[str] = ()
) -> pa.Table | None:
    """The rows of these runs of a shard that are there, each once, in order; None without any."""
    import pyarrow as pa

    tables: dict[Span, pa.Table] = {}
    gone: Counter[Span] = Counter()
    cover = _cover(spans_in(folder, kind), wanted)
    while unread := [span for span in cover if span not in tables]:
        try:
            for span in unread:
                tables[span] = read_file(folder, kind, span, without)
        except FileNotFoundError as error:  # merged meanwhile: its runs are in a larger file
            gone[span] += 1
            if gone[span] == _ATTEMPTS:
                path = str(path_of(folder, kind, span))
                raise InputError(f"cannot read {path!r}: {os_reason(error)}") from None
            cover = _cover(spans_in(folder, kind), wanted)
    if not cover:
        return None
    taken = [tables[span].take(numbers - span.first) for span, numbers in cover.items()]
    return pa.concat_tables(taken).sort_by("run").combine_chunks()


def _cover(spans: Iterable[Span], wanted: Span) -> dict[Span, IntArray]:
    """The runs to take of each file: every run once, of the largest file that has it."""
    left = np.ones(wanted.size, dtype=bool)
    cover = {}
    for span in sorted(spans, key=lambda span: (-span.size, span)):
        low, high = max(span.first, wanted.first), min(span.last, wanted.last)
        part = left[low - wanted.first : max(low, high + 1) - wanted.first]
        if part.any():
            cover[span] = low + np.flatnonzero(part)
            part[:] = False
    return cover


def shards_of(runs: int) -> int:
    """How many shards a series with so many runs has."""
    return -(-runs // SHARD)


def shard_span(shard: int, runs: int) -> Span:
    """The runs of a shard of a series with so many runs."""
    return Span(shard * SHARD, min((shard + 1) * SHARD, runs) - 1)


def path_of(folder: Path, kind: Kind, span: Span) -> Path:
    """The path of a file."""
    return folder / f"{kind}-{span.first:06d}-{span.last:06d}.parquet"


def spans_in(folder: Path, kind: Kind) -> set[Span]:
    """Which files of a kind are in a folder."""
    try:
        with os.scandir(folder) as entries:
            matches = [_NAME.fullmatch(entry.name) for entry in entries]
    except FileNotFoundError:
        return set()
    except OSError as error:
        raise InputError(f"cannot read the folder {str(folder)!r}: {os_reason(error)}") from None
    found = {Span(int(each[2]), int(each[3])) for each in matches if each and each[1] == kind}
    return {span for span in found if span.shard == span.last // SHARD and span.size > 0}


def read_file(folder: Path, kind: Kind, span: Span, without: Sequence[str] = ()) -> pa.Table:
    """The rows of a file, without some columns; FileNotFoundError where it is gone."""
    import pyarrow.parquet as pq

    path = path_of(folder, kind, span)
    with (
        _readable(path),
        path.open("rb") as data,
        pq.ParquetFile(data, page_checksum_verification=True) as file,
    ):
        _check_footer(file.metadata, span, kind)
        if _columns_of(file.schema_arrow) != file.metadata.metadata.get(_COLUMNS):
            raise ValueError("its columns are not those that were written")
        names = [name for name in file.schema_arrow.names if name not in without]
        table = file.read(columns=names)
        if not np.array_equal(table["run"].to_numpy(), np.arange(span.first, span.last + 1)):
            raise ValueError("it holds other runs than its name says")
        return table


def _check_footer(metadata: Any, span: Span, kind: Kind) -> None:
    """Raise ValueError unless this is the footer of such a file."""
    if (metadata.metadata or {}).get(_MARK) != kind.encode():
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
        reason = " ".join(str(error).split())
        raise InputError(
            f"{str(path)!r} is not a file of finished runs ({reason}); delete it, and its runs are "
            "repeated"
        ) from None


def write_file(folder: Path, kind: Kind, span: Span, table: pa.Table) -> None:
    """Write a file, whole or not at all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Lists name their entries otherwise when they were read than when they were made.
    fields = [
        (name, pa.list_(each.value_type) if pa.types.is_list(each) else each)
        for name, each in zip(table.column_names, table.schema.types, strict=True)
    ]
    table = table.cast(pa.schema(fields)).combine_chunks()
    table = table.replace_schema_metadata({_MARK: kind, _COLUMNS: _columns_of(table.schema)})
    with atomic_write(path_of(folder, kind, span)) as temporary, temporary.open("wb") as data:
        pq.write_table(
            table, data, row_group_size=SHARD, compression="zstd", write_page_checksum=True
        )


def _columns_of(schema: pa.Schema) -> bytes:
    """Names and types of columns, whatever lists call their entries."""
    types = [str(getattr(each, "value_type", each)) for each in schema.types]
    return " ".join(map("=".join, zip(schema.names, types, strict=True))).encode()
