"""Tables and figures of the papers, reproduced: one page each, claims against measurements."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.experiments.parallel import check_jobs
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.reproductions import (
    chen2020,
    huang2018,
    implementations,
    komiyama2016,
    komiyama2016 as komiyama2016_cw_rmed,
    komiyama2016 as komiyama2016_table1,
    kuroki2020,
    kuroki2020 as kuroki2020_crowds,
    kuroki2020 as kuroki2020_peeling,
    league,
    league_matchings,
    league_separable,
    league_sets,
    zoghi2015,
    zoghi2015 as zoghi2015_many_arms,
    zoghi2015 as zoghi2015_submatrices,
)
from cpe_opt.reproductions.page import Claim, Page
from cpe_opt.reproductions.settings import Settings
from cpe_opt.validation import checked_count, checked_types


@dataclass(frozen=True)
class Reproduction:
    """One table or figure: how to make it, what it is, and whether it uses a matrix or data."""

    make: Callable[[Settings], Page]
    about: str
    needs_matrix: bool = False
    needs_data: bool = False
    takes_matrix: bool = False


REPRODUCTIONS: dict[str, Reproduction] = {
    "chen2020": Reproduction(
        chen2020.experiments, "Chen et al. 2020: the missing experiments on matchings from duels"
    ),
    "huang2018": Reproduction(
        huang2018.experiments, "Huang et al. 2018: the missing experiments on separable rewards"
    ),
    "komiyama2016-figure1": Reproduction(
        komiyama2016.figure_1,
        "Komiyama et al. 2016, figure 1: regret on sushi, gap, multisol; MSLR with --matrix",
        takes_matrix=True,
    ),
    "komiyama2016-figure2": Reproduction(
        komiyama2016.figure_2, "Komiyama et al. 2016, figure 2: regret on the smaller matrices"
    ),
    "komiyama2016-table1": Reproduction(
        komiyama2016_table1.table_1,
        "Komiyama et al. 2016, table 1: constants of the bounds on MSLR",
        needs_matrix=True,
    ),
    "komiyama2016-cw-rmed": Reproduction(
        komiyama2016_cw_rmed.cw_against_ecw, "CW-RMED, left unrun in its paper, against ECW-RMED"
    ),
    "kuroki2020-figure1": Reproduction(
        kuroki2020_peeling.figure_1,
        "Kuroki et al. 2020, figure 1: approximation ratios of greedy peeling",
    ),
    "kuroki2020-figure2": Reproduction(
        kuroki2020.figure_2, "Kuroki et al. 2020, figure 2: run time of a round"
    ),
    "kuroki2020-figure3": Reproduction(
        kuroki2020.figure_3, "Kuroki et al. 2020, figure 3: samples against the gap"
    ),
    "kuroki2020-table2": Reproduction(
        kuroki2020_crowds.table_2,
        "Kuroki et al. 2020, table 2: teams of crowdsourcing workers",
        needs_data=True,
    ),
    "league": Reproduction(
        league.league,
        "Every dueling learner on every instance, by the lower bounds of regret and of duels",
    ),
    "league-matchings": Reproduction(
        league_matchings.matchings,
        "Every learner of matchings from duels, by the least number of duels",
    ),
    "league-separable": Reproduction(
        league_separable.separable,
        "Every learner of separable rewards, by the least number of samples",
    ),
    "league-single": Reproduction(
        league_sets.single,
        "Every learner of the best set from single rewards, by the least number of pulls",
    ),
    "league-sums": Reproduction(
        league_sets.sums,
        "Every learner of the best set from sums, by the least number of pulls",
    ),
    "sushi": Reproduction(implementations.sushi, "Regret on sushi against two C++ implementations"),
    "zoghi2015-figure1": Reproduction(
        zoghi2015.figure_1, "Zoghi et al. 2015, figure 1: five rankers without a Condorcet winner"
    ),
    "zoghi2015-figure2": Reproduction(
        zoghi2015_many_arms.figure_2, "Zoghi et al. 2015, figure 2: CCB against SCB with 500 arms"
    ),
    "zoghi2015-figure3": Reproduction(
        zoghi2015.figure_3, "Zoghi et al. 2015, figure 3: five rankers with a Condorcet winner"
    ),
    "zoghi2015-table1": Reproduction(
        zoghi2015_submatrices.table_1,
        "Zoghi et al. 2015, table 1: overlap of winners",
        needs_matrix=True,
    ),
    "zoghi2015-figures4-6": Reproduction(
        zoghi2015_submatrices.figures_4_to_6,
        "Zoghi et al. 2015, figures 4 to 6: random submatrices",
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
    progress : callable, optional
        Called with (finished, all) runs.

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
    known = REPRODUCTIONS[name]
    for what, given, used in (
        ("matrix", matrix, known.needs_matrix or known.takes_matrix),
        ("data", data, known.needs_data),
    ):
        if given is not None and not used:
            raise InputError(f"{what} has no effect on {name}, which uses none")
    if matrix is not None and isinstance(matrix, str | os.PathLike):
        matrix = PreferenceMatrix.from_file(matrix)
    folder = None if data is None else Path(data)
    settings = Settings(name, quick, Path(out), matrix, seed, jobs, progress, folder)
    page = known.make(settings)
    page.write(settings.out)
    return page


__all__ = ["REPRODUCTIONS", "Claim", "Page", "Reproduction", "Settings", "reproduce"]
