"""The rows of a study, task by task, as one frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cpe_opt.experiments.parallel import in_parallel
from cpe_opt.experiments.reproduce.settings import Settings
from cpe_opt.experiments.runs import write_parquet

if TYPE_CHECKING:
    import pandas as pd


def rows_in_parallel(
    function: Callable[..., list[dict[str, Any]]],
    tasks: Sequence[tuple[Any, ...]],
    settings: Settings,
    order: list[str],
) -> pd.DataFrame:
    """The rows of all tasks as a frame, written beside the page."""
    import pandas as pd

    rows: list[dict[str, Any]] = []
    for done, found in enumerate(in_parallel(function, tasks, jobs=settings.jobs), 1):
        rows += found
        if settings.progress is not None:
            settings.progress(done, len(tasks))
    frame = pd.DataFrame(rows).sort_values(order, ignore_index=True)
    write_parquet(frame, settings.file(".parquet"))
    return frame
