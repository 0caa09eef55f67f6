"""Finished runs in files: written once, never changed, found again after any crash.

A folder holds the runs 0, 1, … of one series (:mod:`cpe_opt.experiments.planning`), in parquet
files ``runs-FIRST-LAST.parquet``: *shards* of consecutive runs, one row per run, in order. Workers
write a shard whenever they have made runs for about a second, and of one run where it takes longer.

**Crashes.** A file appears whole, under its name, or not at all (:mod:`cpe_opt.files`). Killed
while one is written, its runs are repeated. A temporary file, whose name starts with a dot, is left
to whoever knows that nothing is writing there.

**Two experiments at once** may make the same run, with the same result: it is in two files then,
and read once. A series that is made longer later has more files.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cpe_opt.arrays import BoolArray
from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write, os_reason

if TYPE_CHECKING:
    import pyarrow as pa

_NAME = re.compile(r"runs-(\d{6,12})-(\d{6,12})\.parquet")
_MARK = b"cpe_opt"  # in the metadata: whose file it is


class Span(NamedTuple):
    """The runs of a file, both ends included."""

    first: int
    last: int

    @property
    def size(self) -> int:
        """How many they are."""
        return self.last - self.first + 1


def save(folder: Path, results: pa.Table) -> None:
    """Write results of consecutive runs, whole or not at all."""
    import pyarrow.parquet as pq

    span = Span(results["run"][0].as_py(), results["run"][-1].as_py())
    table = results.replace_schema_metadata({_MARK: b"runs"})
    with atomic_write(path_of(folder, span)) as temporary, temporary.open("wb") as data:
        pq.write_table(table, data, compression="zstd", write_page_checksum=True)


def finished(folder: Path, runs: int) -> BoolArray:
    """Which of the first runs have results; shape (runs,)."""
    there = np.zeros(runs, dtype=bool)
    for span in spans_in(folder):
        there[span.first : span.last + 1] = True
    return there


def check(folder: Path) -> None:
    """Raise :class:`InputError` if a file is not what its name says, by its footer."""
    import pyarrow.parquet as pq

    for span in spans_in(folder):
        path = path_of(folder, span)
        # Arrow opens no path that is not UTF-8.
        with _readable(path), path.open("rb") as data:
            _check_footer(pq.read_metadata(data), span)


def read(folder: Path, runs: int | None = None, without: Sequence[str] = ()) -> pa.Table:
    """The results of the first runs, or of all that are there: one row per run, in order."""
    import pyarrow as pa

    spans = [span for span in spans_in(folder) if runs is None or span.first < runs]
    count = 0
    if spans:
        table = pa.concat_tables([_read_file(folder, span, without) for span in spans])
        numbers, places = np.unique(table["run"].to_numpy(), return_index=True)
        places = places if runs is None else places[numbers < runs]
        count = len(places)
    if count < (1 if runs is None else runs):
        raise InputError(
            f"{count} of {'all' if runs is None else runs} finished runs are in {str(folder)!r}: "
            "files were deleted, or workers wrote to another disk, and need a folder that all of "
            "them share; the same experiment makes their runs again"
        )
    return table.take(places).combine_chunks()


def series_folders(root: Path) -> list[Path]:
    """The folders in a folder, itself among them, that hold finished runs."""
    return sorted(
        {path.parent for path in root.rglob("runs-*.parquet") if _NAME.fullmatch(path.name)}
    )


def path_of(folder: Path, span: Span) -> Path:
    """The path of a file."""
    return folder / f"runs-{span.first:06d}-{span.last:06d}.parquet"


def spans_in(folder: Path) -> list[Span]:
    """Which files are in a folder, in order."""
    try:
        matches = [_NAME.fullmatch(path.name) for path in folder.iterdir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"cannot read the folder {str(folder)!r}: {os_reason(error)}") from None
    found = [Span(int(each[1]), int(each[2])) for each in matches if each]
    return sorted(span for span in found if span.size > 0)


def _read_file(folder: Path, span: Span, without: Sequence[str]) -> pa.Table:
    """The rows of a file, without some columns."""
    import pyarrow.parquet as pq

    path = path_of(folder, span)
    with (
        _readable(path),
        path.open("rb") as data,
        pq.ParquetFile(data, page_checksum_verification=True) as file,
    ):
        _check_footer(file.metadata, span)
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
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        raise InputError(
            f"{str(path)!r} is not a file of finished runs ({error}); delete it, and its runs are "
            "repeated"
        ) from None
