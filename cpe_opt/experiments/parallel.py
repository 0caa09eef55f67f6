"""Independent tasks on the cores of a machine, or on a cluster.

``loky`` runs processes on this machine; ``dask`` uses the cluster that the process is connected to,
which stays connected, or else a local one while the tasks last. joblib does the work of both.
"""

from __future__ import annotations

import importlib.util
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal, TypeVar

from cpe_opt.errors import InputError, UnknownName, WorkerDied
from cpe_opt.processes import end_with_parent
from cpe_opt.validation import checked_count

T = TypeVar("T")
Engine = Literal["loky", "dask"]
ENGINES: tuple[Engine, ...] = ("loky", "dask")
MOST_JOBS = 1024
_SHOWN = 200


def check_jobs(jobs: int) -> None:
    """Raise :class:`InputError` unless ``jobs`` is a number of processes or -1."""
    if checked_count("jobs", jobs, least=-1, most=MOST_JOBS) == 0:
        raise InputError("jobs is 0, expected a number of processes or -1 for one a core")


def chosen_engine(name: str) -> Engine:
    """The engine of this name, if it is known and installed, else an error."""
    engine = next((known for known in ENGINES if known == name), None)
    if engine is None:
        raise UnknownName("engine", name, ENGINES)
    if engine == "dask" and importlib.util.find_spec("distributed") is None:
        raise InputError(
            "engine 'dask' needs the package 'distributed', which is not installed: "
            "pip install 'cpe-opt[dask]'"
        )
    return engine


def in_parallel(
    function: Callable[..., T],
    arguments: Iterable[tuple[Any, ...]],
    *,
    jobs: int = -1,
    engine: Engine = "loky",
    batch_size: int | Literal["auto"] = "auto",
) -> Iterator[T]:
    """Call the function with each tuple of arguments; results come as they are ready.

    The tuples are taken one after another, a few more than there are workers at a time, in batches
    of joblib's choice or of ``batch_size``. :class:`WorkerDied` where a process of ``loky`` is
    ended by something else than its work.
    """
    check_jobs(jobs)
    chosen_engine(engine)
    import joblib
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    # Workers of dask look after their end by themselves. Those of loky are told with each task: an
    # initializer of our own would end a pool that the caller is using.
    called = partial(_in_worker, os.getpid(), function) if engine == "loky" else function
    tasks = (joblib.delayed(called)(*each) for each in arguments)
    with _backend(engine):
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


@contextmanager
def _backend(engine: Engine) -> Iterator[None]:
    import joblib

    if engine == "loky":
        # Callers may have chosen a backend of their own around this one.
        with joblib.parallel_config(backend="loky"):
            yield
        return
    from distributed import Client, get_client

    try:
        connected = get_client()
    except ValueError:
        with Client(), joblib.parallel_config(backend="dask"):
            yield
    else:
        with connected.as_current(), joblib.parallel_config(backend="dask"):
            yield
