"""Finished runs: one parquet file each, read back, and summarised."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cpe_opt import __version__
from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.experiments.runs import RegretCurve, summarise
from cpe_opt.files import atomic_write, json_default
from cpe_opt.simulation.driver import Trace

if TYPE_CHECKING:
    import pandas as pd

FILES = "cpe_opt_files"  # the attribute of a table that lists the files of its runs
_METADATA = b"cpe_opt"
_CONFIDENCE = 1.959963984540054  # 97.5 % quantile of the normal distribution


@dataclass(frozen=True, eq=False)
class RunResult:
    """A finished run: its facts, the rounds noted, and its regret there."""

    metadata: dict[str, Any]
    time: IntArray
    regret: FloatArray


Groups: TypeAlias = dict[tuple[str, str], list[RunResult]]


def write_run(path: Path, trace: Trace, extra: Mapping[str, Any]) -> None:
    """Write a finished run: its trace as columns, everything else as metadata."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    metadata = {
        **extra,
        "learner": trace.learner,
        "parameters": trace.parameters,
        "problem": trace.problem,
        "seed": trace.seed,
        "units": trace.units,
        "answer": trace.answer,
        "doubt": trace.doubt,
        "rounds": trace.rounds,
        "samples": trace.samples,
        "queries": trace.queries,
        "seconds": trace.seconds,
        "version": __version__,
    }
    table = pa.table({"time": trace.time, "regret": trace.regret})
    table = table.replace_schema_metadata({_METADATA: json.dumps(metadata, default=json_default)})
    with atomic_write(path) as temporary:
        pq.write_table(table, temporary)


def read_run(path: Path) -> RunResult:
    """Read the file of a finished run.

    Raises
    ------
    InputError
        Where the file is missing or something else.
    """
    import pyarrow.parquet as pq

    with _finished_run(path):
        table = pq.read_table(path)
        metadata = json.loads(table.schema.metadata[_METADATA])
        return RunResult(metadata, table["time"].to_numpy(), table["regret"].to_numpy())


def check_run(path: Path) -> None:
    """Raise :class:`InputError` where a file is not that of a finished run, by its last bytes."""
    import pyarrow.parquet as pq

    with _finished_run(path):
        json.loads(pq.read_schema(path).metadata[_METADATA])


@contextmanager
def _finished_run(path: Path) -> Iterator[None]:
    """Say in words why a file does not read as that of a finished run."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(
            f"no file {str(path)!r}: the process that made the run wrote to another disk; workers "
            "need a folder that all of them share"
        ) from None
    except (OSError, KeyError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{str(path)!r} is not the file of a finished run ({reason}); delete it, and the run "
            "is made again"
        ) from None


def read_runs(paths: Sequence[Path]) -> Groups:
    """Read finished runs, by problem and learner."""
    groups: Groups = {}
    for path in paths:
        run = read_run(path)
        groups.setdefault((run.metadata["problem"], run.metadata["label"]), []).append(run)
    return groups


def summary_frame(groups: Groups) -> pd.DataFrame:
    """Summarise finished runs, one row an instance and learner.

    Columns: ``problem, learner, runs, horizon, units``; final regret (for matchings, samples: then
    ``units`` says so) as ``mean, sd, q10, median, q90`` and the 95 % confidence band of the mean
    ``low, high``; ``samples`` duels and
    ``seconds`` of wall-clock time, means over runs; ``answers``, the answers given and how often.
    """
    import pandas as pd

    rows = []
    for (problem, label), runs in groups.items():
        final, units = finals(runs)
        sd = float(final.std(ddof=1)) if len(final) > 1 else 0.0
        band = _CONFIDENCE * sd / np.sqrt(len(final))
        q10, median, q90 = np.quantile(final, [0.1, 0.5, 0.9])
        answers = [str(run.metadata["answer"]) for run in runs]
        rows.append(
            {
                "problem": problem,
                "learner": label,
                "runs": len(runs),
                "horizon": max(int(run.metadata["rounds"]) for run in runs),
                "units": units,
                "mean": float(final.mean()),
                "sd": sd,
                "q10": float(q10),
                "median": float(median),
                "q90": float(q90),
                "low": float(final.mean() - band),
                "high": float(final.mean() + band),
                "samples": float(np.mean([run.metadata["samples"] for run in runs])),
                "seconds": float(np.mean([run.metadata["seconds"] for run in runs])),
                "answers": {answer: answers.count(answer) for answer in sorted(set(answers))},
            }
        )
    return pd.DataFrame(rows)


def finals(runs: Sequence[RunResult]) -> tuple[FloatArray, str]:
    """Regret at the end of each run and its units; samples where a problem has no regret."""
    units = str(runs[0].metadata["units"])
    if not units:
        return np.array([float(run.metadata["samples"]) for run in runs]), "samples"
    # A learner that answers without a question has played no round.
    return np.array([run.regret[-1] if len(run.regret) else 0.0 for run in runs]), units


def finished_runs(table: pd.DataFrame) -> Groups:
    """The runs that a table of :func:`cpe_opt.run_experiment` summarises.

    Raises
    ------
    InputError
        Where it is another table, or a file is gone.
    """
    files = getattr(table, "attrs", {}).get(FILES)
    if files is None:
        raise InputError("the table names no files of runs, expected that of run_experiment")
    return read_runs([Path(file) for file in files])


def regret_curves(table: pd.DataFrame) -> dict[str, dict[str, RegretCurve]]:
    """Regret over time of the runs of an experiment, for :func:`cpe_opt.plot_regret`.

    Parameters
    ----------
    table : DataFrame
        What :func:`cpe_opt.run_experiment` returned.

    Returns
    -------
    dict
        By problem, then by learner; problems without regret are left out.

    Raises
    ------
    InputError
        Where it is another table, or a file is gone.
    """
    return curves(finished_runs(table))


def run_samples(table: pd.DataFrame) -> dict[str, dict[str, list[int]]]:
    """What each run of an experiment has sampled, as :func:`plot_samples` draws it.

    Parameters
    ----------
    table : DataFrame
        What :func:`cpe_opt.run_experiment` returned.

    Returns
    -------
    dict
        By problem, then by learner: duels or pulls of each run.

    Raises
    ------
    InputError
        Where it is another table, or a file is gone.
    """
    found: dict[str, dict[str, list[int]]] = {}
    for (problem, label), runs in finished_runs(table).items():
        found.setdefault(problem, {})[label] = [int(run.metadata["samples"]) for run in runs]
    return found


def curves(groups: Groups) -> dict[str, dict[str, RegretCurve]]:
    """Regret curves of finished runs: by problem, then by learner, where there is regret."""
    found: dict[str, dict[str, RegretCurve]] = {}
    for (problem, label), runs in groups.items():
        if runs[0].metadata["units"]:
            curve = summarise([run.time for run in runs], [run.regret for run in runs])
            found.setdefault(problem, {})[label] = curve
    return found
