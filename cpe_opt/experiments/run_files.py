"""One file of finished runs: its name, which says what it holds, and what is in it.

``runs-FIRST-LAST.parquet`` holds the results of these runs, a row each in their order, and
``_seconds-FIRST-LAST.parquet`` how long each took. No file goes beyond a shard
(:mod:`cpe_opt.experiments.shards`). What holds the same rows has the same bytes, so long as the
same version of Arrow writes it.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write, os_reason

if TYPE_CHECKING:
    import pyarrow as pa

SHARD = 1000
Kind: TypeAlias = Literal["runs", "_seconds"]
KINDS: tuple[Kind, ...] = ("runs", "_seconds")
_NAME = re.compile(r"(runs|_seconds)-(\d{6}|[1-9]\d{6,11})-(\d{6}|[1-9]\d{6,11})\.parquet")
# In the metadata: whose file it is; and its columns once more, as footers have no checksum.
_MARK, _COLUMNS = b"cpe_opt", b"cpe_opt_columns"


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


def is_file_of_runs(name: str) -> bool:
    """Whether a file is called so."""
    match = _NAME.fullmatch(name)
    return match is not None and match[1] == "runs"


def check_file(folder: Path, kind: Kind, span: Span) -> None:
    """Raise :class:`InputError` where a file is not what its name says, by its footer.

    One that is gone, because another experiment merged it, is in order.
    """
    import pyarrow.parquet as pq

    path = path_of(folder, kind, span)
    with (
        _readable(path),
        contextlib.suppress(FileNotFoundError),
        path.open("rb") as data,  # Arrow opens no path that is not UTF-8
    ):
        _check_footer(pq.read_metadata(data), span, kind)


def read_file(folder: Path, kind: Kind, span: Span, without: Sequence[str] = ()) -> pa.Table:
    """The rows of a file, without some columns.

    Raises
    ------
    InputError
        Where it is damaged.
    FileNotFoundError
        Where it is gone.
    """
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
    """Write a file, whole or not at all.

    Raises
    ------
    WriteFailed
    """
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
