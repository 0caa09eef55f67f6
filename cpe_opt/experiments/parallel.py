"""Independent tasks on the cores of a machine, or on a cluster.

joblib does the work: ``loky`` runs processes on this machine; ``dask`` and ``ray`` use the cluster
that the process is connected to, which stays connected, or else a local one while the tasks last.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeVar

from cpe_opt.errors import InputError, UnknownName

T = TypeVar("T")
Engine = Literal["loky", "dask", "ray"]
ENGINES: tuple[Engine, ...] = ("loky", "dask", "ray")
_PACKAGES = {"dask": "distributed", "ray": "ray"}


def check_jobs(jobs: int) -> None:
    """Raise :class:`InputError` unless ``jobs`` is a number of processes or -1."""
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs == 0 or jobs < -1:
        raise InputError(f"jobs is {jobs!r}, expected a number of processes or -1 for one a core")


def chosen_engine(name: str) -> Engine:
    """The engine of this name, known and installed.

    Raises
    ------
    UnknownName, InputError
    """
    engine = next((known for known in ENGINES if known == name), None)
    if engine is None:
        raise UnknownName("engine", name, ENGINES)
    package = _PACKAGES.get(engine)
    if package is not None and importlib.util.find_spec(package) is None:
        raise InputError(
            f"engine {engine!r} needs the package {package!r}, which is not installed: "
            f"pip install 'cpe-opt[{engine}]'"
        )
    return engine


def in_parallel(
    function: Callable[..., T],
    arguments: Sequence[tuple[Any, ...]],
    *,
    jobs: int = -1,
    engine: Engine = "loky",
) -> Iterator[T]:
    """Call the function with each tuple of arguments; results come as they are ready."""
    import joblib

    check_jobs(jobs)
    chosen_engine(engine)
    tasks = (joblib.delayed(function)(*each) for each in arguments)
    with _backend(engine):
        if engine == "ray":  # whose backend of joblib gives its results all at once
            yield from joblib.Parallel(n_jobs=jobs)(tasks)
            return
        results = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")(tasks)
        try:
            # Not `yield from`, which would close the results with joblib's warning.
            for result in results:  # noqa: UP028
                yield result
        finally:
            # Whoever stops early knows that tasks are cancelled.
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", ".* have been cancelled", UserWarning)
                results.close()


@contextmanager
def _backend(engine: Engine) -> Iterator[None]:
    import joblib

    if engine == "loky":
        # Callers may have chosen a backend of their own around this one.
        with joblib.parallel_config(backend="loky"):
            yield
    elif engine == "dask":
        from distributed import Client, get_client

        try:
            connected = get_client()
        except ValueError:
            with Client(), joblib.parallel_config(backend="dask"):
                yield
        else:
            with connected.as_current(), joblib.parallel_config(backend="dask"):
                yield
    else:
        import ray
        from ray.util.joblib import register_ray

        connected_before = ray.is_initialized()
        register_ray()
        try:
            with joblib.parallel_config(backend="ray"):
                yield
        finally:
            if not connected_before:
                ray.shutdown()
