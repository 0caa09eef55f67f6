"""Finished runs as tables: written as one row per run, read as one frame, and summarised."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.experiments import shards
from cpe_opt.experiments.planning import Series
from cpe_opt.files import json_default
from cpe_opt.learners.declaration import name_of
from cpe_opt.simulation.driver import Trace
from cpe_opt.validation import checked_types
import contextlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
import numpy as np
from cpe_opt.arrays import BoolArray
from cpe_opt.errors import InputError, WriteFailed
from cpe_opt.files import atomic_write, os_reason
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
import numpy as np
from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write
from cpe_opt.simulation.driver import Trace

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

SERIES = "cpe_opt_series"  # the attribute of a table that lists the series it summarises
CURVES = ("times", "regrets")
_UPPER = 0.975  # the quantile at the upper end of a 95 % interval

Groups: TypeAlias = "dict[tuple[str, str], pd.DataFrame]"


def results_table(series: Series, first: int, traces: Sequence[Trace[Any]]) -> pa.Table:
    """The results of consecutive runs of a series as they are kept, see :func:`read_results`."""
    import pyarrow as pa

    def lists(arrays: Sequence[Any], kind: pa.DataType) -> pa.Array:
        ends = np.cumsum([0, *map(len, arrays)], dtype=np.int32)
        return pa.ListArray.from_arrays(pa.array(ends), pa.array(np.concatenate(arrays), kind))

    def texts(values: Sequence[Any]) -> pa.Array:
        return pa.array([json.dumps(each, default=_plain) for each in values], pa.string())

    count = len(traces)
    return pa.table(
        {
            "problem": pa.repeat(series.problem.name, count),
            "learner": pa.repeat(series.spec.name, count),
            "parameters": texts([trace.parameters for trace in traces]),
            "horizon": pa.array([series.horizon] * count, pa.int64()),
            "digest": pa.repeat(series.digest, count),
            "run": pa.array(range(first, first + count), pa.int64()),
            "seed": pa.array([trace.seed for trace in traces], pa.int64()),
            "units": pa.array([trace.units for trace in traces], pa.string()),
            "regret": pa.array(
                [t.regret[-1] if len(t.regret) else 0.0 for t in traces], pa.float64()
            ),
            "answer": texts([trace.answer for trace in traces]),
            "doubt": pa.array([trace.doubt for trace in traces], pa.string()),
            "assumption": pa.array([trace.assumption for trace in traces], pa.string()),
            "rounds": pa.array([trace.rounds for trace in traces], pa.int64()),
            "samples": pa.array([trace.samples for trace in traces], pa.int64()),
            "queries": pa.array([trace.queries for trace in traces], pa.int64()),
            "seconds": pa.array([trace.seconds for trace in traces], pa.float64()),
            "times": lists([trace.time for trace in traces], pa.int64()),
            "regrets": lists([trace.regret for trace in traces], pa.float64()),
        }
    )


def _plain(value: Any) -> Any:
    """A value that JSON lacks, as one that it has and that is the same in every process."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    return name_of(value) if callable(value) else json_default(value)


@checked_types
def read_results(folder: str | os.PathLike[str], *, curves: bool = False) -> pd.DataFrame:
    """All finished runs in a folder as one frame.

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = cpe.run_experiment(["rucb"], ["gap"], runs=3, horizon=100, jobs=1, out=folder)
    ...     frame = read_results(folder)
    >>> frame[["learner", "run", "rounds"]].values.tolist()
    [['rucb', 0, 100], ['rucb', 1, 100], ['rucb', 2, 100]]
    """
    import pandas as pd

    folders = shards.series_folders(Path(folder))
    if not folders:
        raise InputError(
            f"no finished runs in {os.fspath(folder)!r}, expected the folder of an experiment"
        )
    frames = [read_series(each, curves=curves) for each in folders]
    return pd.concat(frames, ignore_index=True)


def read_series(folder: Path, runs: int | None = None, *, curves: bool = False) -> pd.DataFrame:
    """The first runs of a series, or all that are there; a frame as of :func:`read_results`."""
    table = shards.read(folder, runs, without=() if curves else CURVES)
    frame: pd.DataFrame = table.to_pandas()
    frame["answer"] = [json.loads(text) for text in frame["answer"]]
    frame["parameters"] = [json.loads(text) for text in frame["parameters"]]
    return frame


def read_groups(planned: Sequence[Series], *, curves: bool = False) -> Groups:
    """The finished runs of series, by problem and learner."""
    return {
        (series.problem.name, series.spec.name): read_series(
            series.folder, series.runs, curves=curves
        )
        for series in planned
        if series.folder is not None
    }


def summary_frame(groups: Groups) -> pd.DataFrame:
    """Summarise finished runs, one row an instance and learner.

    Columns: ``problem, learner, runs, horizon, units``; final regret (or samples, where ``units``
    says so) as ``mean, sd, q10, median, q90`` and the 95 % interval of the mean by Student's t,
    ``low, high``; ``samples`` and ``seconds`` of wall-clock time, means over runs; ``answers``, the
    answers given and how often.
    """
    import pandas as pd
    from scipy.special import stdtrit

    rows = []
    for (problem, label), runs in groups.items():
        final, units = finals(runs)
        sd = float(final.std(ddof=1)) if len(final) > 1 else 0.0
        band = float(stdtrit(max(1, len(final) - 1), _UPPER)) * sd / math.sqrt(len(final))
        q10, median, q90 = np.quantile(final, [0.1, 0.5, 0.9])
        answers = runs["answer"].map(str).value_counts()
        rows.append(
            {
                "problem": problem,
                "learner": label,
                "runs": len(runs),
                "horizon": int(runs["rounds"].max()),
                "units": units,
                "mean": float(final.mean()),
                "sd": sd,
                "q10": float(q10),
                "median": float(median),
                "q90": float(q90),
                "low": float(final.mean() - band),
                "high": float(final.mean() + band),
                "samples": float(runs["samples"].mean()),
                "seconds": float(runs["seconds"].mean()),
                "answers": {str(answer): int(answers[answer]) for answer in sorted(answers.index)},
            }
        )
    return pd.DataFrame(rows)


def finals(runs: pd.DataFrame) -> tuple[FloatArray, str]:
    """Regret at the end of each run and its units; samples where a problem has no regret."""
    units = str(runs["units"].iloc[0])
    if not units:
        return runs["samples"].to_numpy(dtype=np.float64), "samples"
    return runs["regret"].to_numpy(dtype=np.float64), units


def finished_runs(table: pd.DataFrame, *, curves: bool = False) -> Groups:
    """The runs that a table of ``run_experiment`` summarises, by problem and learner."""
    listed = getattr(table, "attrs", {}).get(SERIES)
    if listed is None:
        raise InputError("the table names no files of runs, expected that of run_experiment")
    return {
        (problem, label): read_series(Path(folder), runs, curves=curves)
        for problem, label, folder, runs in listed
    }


def regret_curves(table: pd.DataFrame) -> dict[str, dict[str, RegretCurve]]:
    """Regret over time by problem, then by learner, for :func:`cpe_opt.plot_regret`.

    The table is that of :func:`cpe_opt.run_experiment`; problems without regret are left out.
    """
    found: dict[str, dict[str, RegretCurve]] = {}
    for (problem, label), runs in finished_runs(table, curves=True).items():
        if runs["units"].iloc[0]:
            found.setdefault(problem, {})[label] = curve_of(runs)
    return found


def curve_of(runs: pd.DataFrame) -> RegretCurve:
    """Regret over time, summarised over runs that were read with their curves."""
    return summarise(list(runs["times"]), list(runs["regrets"]))


def run_samples(table: pd.DataFrame) -> dict[str, dict[str, list[int]]]:
    """Duels or pulls of each run, by problem and learner."""
    found: dict[str, dict[str, list[int]]] = {}
    for (problem, label), runs in finished_runs(table).items():
        found.setdefault(problem, {})[label] = runs["samples"].tolist()
    return found




# Finished runs in few files: shards of a thousand runs, written once, found again after any crash.
#
# A folder holds the runs 0, 1, … of one series (:mod:`cpe_opt.experiments.planning`), in parquet
# files ``runs-FIRST-LAST.parquet``: one row per run, in order, one row group per file. Workers write
# a file whenever they have made some runs of one thousand (*a part*); once all of a thousand are
# there, or what the series has of it (*a shard*), its parts are merged into one file, and deleted. So
# 10^5 runs end as a hundred files, and a run that took an hour is on the disk when it ends.
#
# **Crashes.** A file appears whole, under its name, or not at all (:mod:`cpe_opt.files`). Killed
# while a part is written, its runs are repeated. Killed between the merged file and the deletion of
# its parts, a run is in two files with the same result: readers take it from the larger one, and the
# next experiment deletes parts. A temporary file, whose name starts with a dot, is left to whoever
# knows that nothing is writing there.
#
# **Two experiments at once** may make the same run, with the same result. Whoever has written a file
# then deletes files whose runs another one has; a reader whose file is merged meanwhile finds its
# runs in a larger one. A series that is made longer later replaces its last shard by a longer one.


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




# Seeds of runs, their regret over time, and tables of their traces.


if TYPE_CHECKING:
    import pandas as pd

TABLES = (".parquet", ".csv")
_MOST_POINTS = 1000  # of a curve; runs that stop by themselves note as many rounds as they are


def run_seeds(seed: int, runs: int) -> list[int]:
    """One seed a run; the first ones do not depend on how many there are."""
    return [run_seed(seed, number) for number in range(runs)]


def run_seed(seed: int, number: int) -> int:
    """The seed of run ``number``, from 0 on."""
    return int(np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(1)[0])


@dataclass(frozen=True, eq=False)
class RegretCurve:
    """Regret over time: at some rounds the mean, and the 10 % and 90 % quantiles over runs."""

    time: IntArray
    mean: FloatArray
    low: FloatArray
    high: FloatArray
    runs: int


def regret_curve(traces: Sequence[Trace[Any]]) -> RegretCurve:
    """Summarise traces, see :func:`summarise`."""
    return summarise([trace.time for trace in traces], [trace.regret for trace in traces])


def summarise(times: Sequence[IntArray], regrets: Sequence[FloatArray]) -> RegretCurve:
    """Summarise regrets over runs, one array of rounds and one of regrets a run.

    Where the rounds noted differ, as they do when learners stop by themselves, all rounds noted by
    any run count, some thousand of them where they are more, and regret in between is interpolated;
    a run that has stopped has no more regret.
    """
    if not times:
        raise InputError("no traces to summarise")
    if any(not np.array_equal(time, times[0]) for time in times):
        grid = np.unique(np.concatenate(times))
        if len(grid) > _MOST_POINTS:
            grid = grid[np.linspace(0, len(grid) - 1, _MOST_POINTS).astype(np.int64)]
        pairs = zip(times, regrets, strict=True)
        return summarise([grid] * len(times), [np.interp(grid, *pair) for pair in pairs])
    values = np.array(regrets)
    mean = values.mean(axis=0)
    low, high = np.quantile(values, [0.1, 0.9], axis=0, overwrite_input=True)
    return RegretCurve(times[0], mean, low, high, len(values))


def traces_frame(traces: Sequence[Trace[Any]]) -> pd.DataFrame:
    """One row a run and round noted: learner, problem, run, seed, time, regret, units."""
    import pandas as pd

    return pd.concat(
        [
            pd.DataFrame(
                {
                    "learner": trace.learner,
                    "problem": trace.problem,
                    "run": run,
                    "seed": trace.seed,
                    "time": trace.time,
                    "regret": trace.regret,
                    "units": trace.units,
                }
            )
            for run, trace in enumerate(traces)
        ],
        ignore_index=True,
    )


def write_table(frame: pd.DataFrame, path: str | os.PathLike[str]) -> Path:
    """Write a frame as its suffix says, one of ``TABLES``, whole or not at all."""
    path = Path(path)
    if path.suffix.lower() not in TABLES:
        raise InputError(f"cannot write {path.name!r}: expected one of {', '.join(TABLES)}")
    with atomic_write(path) as temporary, temporary.open("wb") as data:
        if path.suffix.lower() == ".parquet":
            frame.to_parquet(data, index=False)
        else:
            frame.to_csv(data, index=False)
    return path
