"""Tables and figures of the papers, made again: one page each, claims beside measurements."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cpe_opt.errors import InputError, UnknownName, checked_count
from cpe_opt.experiments.parallel import check_jobs
from cpe_opt.experiments.reproduce import (
    cdhz,
    crowds,
    cw_rmed,
    holc,
    implementations,
    khn,
    kxmhs,
    many_arms,
    peeling,
    submatrices,
    zkwr,
)
from cpe_opt.experiments.reproduce.page import Claim, Page
from cpe_opt.experiments.reproduce.settings import Settings
from cpe_opt.problems.preferences import PreferenceMatrix
from cpe_opt.problems.readers import read_preferences
from cpe_opt.validation import checked_types


@dataclass(frozen=True)
class Reproduction:
    """One table or figure: how to make it, what it is, and whether it uses a matrix or data."""

    make: Callable[[Settings], Page]
    about: str
    needs_matrix: bool = False
    needs_data: bool = False
    takes_matrix: bool = False


REPRODUCTIONS: dict[str, Reproduction] = {
    "cdhz": Reproduction(cdhz.experiments, "CDHZ: the missing experiments on matchings from duels"),
    "holc": Reproduction(holc.experiments, "HOLC: the missing experiments on separable rewards"),
    "khn-figure1": Reproduction(
        khn.figure_1,
        "KHN figure 1: regret on sushi, gap, multisol; MSLR with --matrix",
        takes_matrix=True,
    ),
    "khn-figure2": Reproduction(khn.figure_2, "KHN figure 2: regret on the smaller matrices"),
    "khn-table1": Reproduction(
        khn.table_1, "KHN table 1: constants of the bounds on MSLR", needs_matrix=True
    ),
    "khn-cw-rmed": Reproduction(
        cw_rmed.cw_against_ecw, "CW-RMED, left unrun in its paper, beside ECW-RMED"
    ),
    "kxmhs-figure1": Reproduction(
        peeling.figure_1, "KXMHS figure 1: approximation ratios of greedy peeling"
    ),
    "kxmhs-figure2": Reproduction(kxmhs.figure_2, "KXMHS figure 2: run time of a round"),
    "kxmhs-figure3": Reproduction(kxmhs.figure_3, "KXMHS figure 3: samples against the gap"),
    "kxmhs-table2": Reproduction(
        crowds.table_2, "KXMHS table 2: teams of crowdsourcing workers", needs_data=True
    ),
    "sushi": Reproduction(implementations.sushi, "Regret on sushi beside two C++ implementations"),
    "zkwr-figure1": Reproduction(
        zkwr.figure_1, "ZKWR figure 1: five rankers without a Condorcet winner"
    ),
    "zkwr-figure2": Reproduction(
        many_arms.figure_2, "ZKWR figure 2: CCB against SCB with 500 arms"
    ),
    "zkwr-figure3": Reproduction(
        zkwr.figure_3, "ZKWR figure 3: five rankers with a Condorcet winner"
    ),
    "zkwr-table1": Reproduction(
        submatrices.table_1, "ZKWR table 1: overlap of winners", needs_matrix=True
    ),
    "zkwr-figures4-6": Reproduction(
        submatrices.figures_4_to_6,
        "ZKWR figures 4 to 6: random submatrices",
        needs_matrix=True,
    ),
}


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
    progress: Callable[[int, int], None] | None = None,
) -> Page:
    """Make a table or figure of a paper again.

    Parameters
    ----------
    name : str
        Such as ``"khn-figure2"``; see ``REPRODUCTIONS``.
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
    progress : callable, optional
        Called with (finished, all) runs.

    Returns
    -------
    Page
        Already written.

    Raises
    ------
    UnknownName, InputError
    """
    if name not in REPRODUCTIONS:
        raise UnknownName("reproduction", name, REPRODUCTIONS)
    check_jobs(jobs)
    checked_count("seed", seed, least=0)
    known = REPRODUCTIONS[name]
    for what, given, used in (
        ("matrix", matrix, known.needs_matrix or known.takes_matrix),
        ("data", data, known.needs_data),
    ):
        if given is not None and not used:
            raise InputError(f"{what} has no effect on {name}, which uses none")
    if matrix is not None and not isinstance(matrix, PreferenceMatrix):
        matrix = read_preferences(matrix)
    folder = None if data is None else Path(data)
    settings = Settings(name, quick, Path(out), matrix, seed, jobs, progress, folder)
    page = known.make(settings)
    page.write(settings.out)
    return page


__all__ = ["REPRODUCTIONS", "Claim", "Page", "Reproduction", "Settings", "reproduce"]
