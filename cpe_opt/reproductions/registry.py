"""Tables and figures of the papers, reproduced: one page each, claims against measurements."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.experiments.parallel import check_jobs
from cpe_opt.formats.problems import read_preference_file
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.progress_line import CountProgress, counted_progress
from cpe_opt.reproductions.study import Page, Settings, Study
from cpe_opt.validation import checked_count, checked_types

_FILES = (
    "chen2020",
    "fixed_budget",
    "huang2018",
    "komiyama2016",
    "kuroki2020",
    "league_dueling",
    "league_families",
    "league_items",
    "league_margins",
    "numbers",
    "regret",
    "zoghi2015",
)
REPRODUCTIONS: dict[str, Study] = {
    study.name: study
    for file in _FILES
    for study in import_module(f"cpe_opt.reproductions.{file}").STUDIES
}
"""Every study by its name."""


@checked_types
def reproduce(
    name: str,
    *,
    quick: bool = False,
    out: str | os.PathLike[str] = "reproduced",
    matrix: PreferenceMatrix | str | os.PathLike[str] | None = None,
    data: str | os.PathLike[str] | None = None,
    seed: int = 0,
    jobs: int = -1,
    progress: CountProgress = None,
) -> Page:
    """Reproduce a table or figure of a paper.

    Parameters
    ----------
    name : str
        Such as ``"komiyama2016-figure2"``; see ``REPRODUCTIONS``.
    quick : bool
        Minutes instead of hours: fewer runs, shorter horizons.
    out : path
        A folder for ``NAME.md``, its pictures and ``NAME.parquet``; finished runs go to ``runs``
        in it and are never run again.
    matrix : PreferenceMatrix or path, optional
        For those that draw submatrices of a large preference matrix.
    data : path, optional
        A folder for those that need published data.
    seed, jobs
        As for :func:`cpe_opt.run_experiment`.
    progress : bool or callable, optional
        As for :func:`cpe_opt.run_experiment`.

    Returns
    -------
    Page
        Already written.

    Raises
    ------
    UnknownName, InputError

    Examples
    --------
    >>> reproduce("figure 2")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    cpe_opt.errors.UnknownName: unknown reproduction 'figure 2'; did you mean ...
    """
    if name not in REPRODUCTIONS:
        raise UnknownName("reproduction", name, REPRODUCTIONS)
    check_jobs(jobs)
    checked_count("seed", seed, least=0)
    study = REPRODUCTIONS[name]
    for what, given, used in (
        ("matrix", matrix, study.needs == "matrix" or study.takes_matrix),
        ("data", data, study.needs == "data"),
    ):
        if given is not None and not used:
            raise InputError(f"{what} has no effect on {name}, which uses none")
    if matrix is not None and isinstance(matrix, str | os.PathLike):
        matrix = read_preference_file(matrix)
    folder = None if data is None else Path(data)
    with counted_progress("runs", progress) as note:
        return study.page(Settings(name, quick, Path(out), matrix, seed, jobs, note, folder))
