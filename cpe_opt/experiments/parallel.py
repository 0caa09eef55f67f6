"""Independent tasks on the cores of a machine, or on a Dask cluster, by joblib.

Processes of ``loky`` run on this machine. Inside ``joblib.parallel_config(backend="dask")`` it is
the cluster that the process is connected to.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from functools import partial
from typing import Any, Literal, TypeVar

from cpe_opt.errors import InputError, WorkerDied
from cpe_opt.processes import end_with_parent
from cpe_opt.validation import checked_count

T = TypeVar("T")
MOST_JOBS = 1024
_SHOWN = 200


def check_jobs(jobs: int) -> None:
    """Raise :class:`InputError` unless ``jobs`` is a number of processes or -1."""
    if checked_count("jobs", jobs, least=-1, most=MOST_JOBS) == 0:
        raise InputError("jobs is 0, expected a number of processes or -1 for one a core")


def in_parallel(
    function: Callable[..., T],
    arguments: Iterable[tuple[Any, ...]],
    *,
    jobs: int = -1,
    batch_size: int | Literal["auto"] = "auto",
) -> Iterator[T]:
    """Call the function with each tuple of arguments; results come as they are ready.

    The tuples are taken one after another, a few more than there are workers at a time, in batches
    of joblib's choice or of ``batch_size``. :class:`WorkerDied` where a process of ``loky`` is
    ended by something else than its work.
    """
    check_jobs(jobs)
    import joblib
    from joblib.externals.loky.process_executor import TerminatedWorkerError
    from joblib.parallel import get_active_backend

    on_dask = type(get_active_backend()[0]).__name__ == "DaskDistributedBackend"
    # Workers of dask look after their end by themselves. Those of loky are told with each task: an
    # initializer of our own would end a pool that the caller is using.
    called = function if on_dask else partial(_in_worker, os.getpid(), function)
    tasks = (joblib.delayed(called)(*each) for each in arguments)
    # Any other backend that callers have chosen around this one is for their own tasks.
    with nullcontext() if on_dask else joblib.parallel_config(backend="loky"):
        parallel = joblib.Parallel(
            n_jobs=jobs, return_as="generator_unordered", batch_size=batch_size
        )
        results = parallel(tasks)
        try:
            # Not `yield from`, which would close the results with joblib's warning.
            for result in results:  # noqa: UP028
                yield result
        except TerminatedWorkerError as error:
            raise WorkerDied(
                "a worker process was ended from outside or crashed, as where memory is full; what "
                f"it was working on is lost ({' '.join(str(error).split())[:_SHOWN]})"
            ) from error
        finally:
            # A caller who stops early knows that tasks are cancelled.
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", ".* have been cancelled", UserWarning)
                results.close()


def _in_worker(parent: int, function: Callable[..., T], *arguments: Any) -> T:
    """A call in a process that ends with the one that started it."""
    end_with_parent(parent)
    return function(*arguments)
