"""All pages within a number of hours: which of them are run in full, which quick, in which order.

**Cost.** A page costs what ``pages/costs.toml`` declares, in hours of one processor. Of that only
the runs are left that are not kept in the folder of results. Where every series of runs with a gap
has a kept run, they take the mean of the kept ones; else their share of the runs times the declared
cost. The longest runs are made first, so that this is too much rather than too little.

**Plan.** With h hours on j processors there are h·j processor hours. First every page gets its
quick run, the cheapest first, while they last; then the full run in place of the quick one, in the
order of their costs. Pages are made in this order, too, the cheapest first.

**Correction.** Other machines are faster or slower. After every page the rest is planned again, for
the time that is left, with costs times what the finished pages took over what they should have
taken. A page that was begun is finished, even if the time is over meanwhile.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.experiments.parallel import check_jobs
from cpe_opt.files import check_folder
from cpe_opt.formats.problems import read_preference_file
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.progress_line import progress_line, step
from cpe_opt.reproductions.registry import REPRODUCTIONS
from cpe_opt.reproductions.study import OUTCOMES, Page, Settings, Study, hours_text
from cpe_opt.validation import Positive, Seed, checked_types

Mode: TypeAlias = Literal["full", "quick", ""]
Costs: TypeAlias = Mapping[str, Mapping[Mode, float]]
_MODES: tuple[Literal["quick", "full"], ...] = ("quick", "full")
_ENOUGH = 0.02  # processor hours from which on finished pages say how fast the machine is
_now = time.monotonic


@dataclass(frozen=True)
class PlannedPage:
    """What is planned for a page.

    Attributes
    ----------
    name : str
    run : str
        ``"full"`` or ``"quick"``; empty if it is left out.
    hours : float
        What is left of this run, in hours of one processor; of the quick one if it is left out, NaN
        where that is not known.
    why : str
        Why it is not run in full, or not at all; empty for a full run.
    """

    name: str
    run: Mode
    hours: float
    why: str


@dataclass(frozen=True)
class MadePage:
    """A page that was made, or the reason why it was not.

    Attributes
    ----------
    name : str
    run : str
        ``"full"`` or ``"quick"``; empty if it was left out.
    page : Page or None
    why : str
        The error of a page that failed, or why it was left out; empty for one that was made.
    failed : bool
        Whether it failed.
    """

    name: str
    run: Mode
    page: Page | None = None
    why: str = ""
    failed: bool = False

    def __str__(self) -> str:
        """Outcomes in words.

        Examples
        --------
        >>> print(MadePage("league", "", why="needs a matrix"))
        needs a matrix
        """
        if self.page is None:
            return self.why
        held = [claim.holds for claim in self.page.claims]
        words = {True: "agree", False: "differ", None: "not shown"}
        counts = [f"{held.count(holds)} {words[holds]}" for holds in OUTCOMES if holds in held]
        return ", ".join(counts)


@checked_types
def plan_reproductions(
    *,
    hours: Positive,
    quick: bool = False,
    out: str | os.PathLike[str] = "reproduced",
    matrix: PreferenceMatrix | str | os.PathLike[str] | None = None,
    data: str | os.PathLike[str] | None = None,
    seed: Seed = 0,
    jobs: int = -1,
    force: bool = False,
) -> list[PlannedPage]:
    """Which pages :func:`reproduce_all` makes with the same arguments, and what they cost.

    Nothing is run and nothing is written.

    Returns
    -------
    list of PlannedPage
        In the order in which they are made; then those that are left out.

    Raises
    ------
    InputError

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> plan = cpe.plan_reproductions(hours=0.1, jobs=1)
    >>> sum(page.hours for page in plan if page.run) <= 0.1
    True
    >>> [page.why for page in plan if page.name == "zoghi2015-table1"]  # doctest: +ELLIPSIS
    ['zoghi2015-table1 needs a preference matrix of many rankers: --matrix FILE, such as ...']
    """
    plan = _Plan.of(quick, out, matrix, data, seed, jobs, force)
    return plan.pages(hours * plan.processors)


@checked_types
def reproduce_all(
    *,
    hours: Positive,
    quick: bool = False,
    out: str | os.PathLike[str] = "reproduced",
    matrix: PreferenceMatrix | str | os.PathLike[str] | None = None,
    data: str | os.PathLike[str] | None = None,
    seed: Seed = 0,
    jobs: int = -1,
    force: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
) -> list[MadePage]:
    """Reproduce all tables and figures for which some hours suffice, the cheapest first.

    Pages are run in full where that fits and quick otherwise, see
    :mod:`cpe_opt.reproductions.within_hours`. One that fails does not end the others. What was
    finished is kept: the same call goes on with the rest.

    Parameters
    ----------
    hours : float
        How long it may take, by the clock.
    quick : bool
        Quick runs alone.
    out : path
        As for :func:`cpe_opt.reproduce`.
    matrix : PreferenceMatrix or path, optional
        For the pages that draw submatrices of a large preference matrix, which are left out
        without one.
    data : path, optional
        The folder with published data. Pages that find none are left out.
    seed, jobs
        As for :func:`cpe_opt.run_experiment`.
    force : bool
        Whether pages that are there already are made anew, from the runs that are kept.
    progress : callable, optional
        Is told the page, how many of its runs are finished, and of how many.

    Returns
    -------
    list of MadePage
        In the order in which they were made; then those that were left out.

    Raises
    ------
    InputError
        Where an argument is wrong, or ``out`` cannot be written to; errors of pages are in what is
        returned.

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = cpe.reproduce_all(hours=1e-6, out=folder, jobs=1)
    >>> [str(page) for page in made if page.run]
    []
    """
    check_folder(out)
    plan = _Plan.of(quick, out, matrix, data, seed, jobs, force)
    started, made = _now(), list[MadePage]()
    took = expected = 0.0
    while True:
        speed = took / expected if expected > _ENOUGH else 1.0
        left = hours - (_now() - started) / 3600.0
        planned = plan.pages(left * plan.processors, speed)
        following = next((page for page in planned if page.run), None)
        if following is None:
            break
        begun = _now()
        made.append(plan.make(following, progress))
        if not made[-1].failed:
            took += (_now() - begun) / 3600.0 * plan.processors
            expected += following.hours / speed
        plan = plan.without(following.name)
    return made + [MadePage(page.name, "", why=page.why) for page in planned]


@dataclass(frozen=True)
class _Plan:
    """The pages that are to be made: what their runs cost; and those that cannot be made."""

    settings: Settings
    costs: Costs
    barred: Mapping[str, str]  # and why
    processors: int
    only_quick: bool

    @classmethod
    def of(
        cls,
        quick: bool,
        out: str | os.PathLike[str],
        matrix: PreferenceMatrix | str | os.PathLike[str] | None,
        data: str | os.PathLike[str] | None,
        seed: int,
        jobs: int,
        force: bool,
    ) -> _Plan:
        """Look at what is there and what is kept."""
        from joblib import effective_n_jobs

        check_jobs(jobs)
        if matrix is not None and isinstance(matrix, str | os.PathLike):
            matrix = read_preference_file(matrix)
        folder = None if data is None else Path(data)
        settings = Settings("", quick, Path(out), matrix, seed, jobs, None, folder)
        costs, barred = dict[str, Mapping[Mode, float]](), dict[str, str]()
        with progress_line("looking for finished runs"):
            for name, study in REPRODUCTIONS.items():
                step(name)
                own = _settings_of(study, settings)
                if own.file(".md").exists() and not force:
                    barred[name] = f"{own.file('.md')} is there already; --force makes it anew"
                    continue
                try:
                    each: dict[Mode, float] = {
                        mode: _hours_left(study, replace(own, quick=mode == "quick"))
                        for mode in _MODES
                    }
                except InputError as error:
                    barred[name] = str(error)
                    continue
                if any(map(math.isnan, each.values())):
                    barred[name] = "pages/costs.toml does not say what it costs"
                else:
                    costs[name] = each
        return cls(settings, costs, barred, effective_n_jobs(jobs), quick)

    def without(self, name: str) -> _Plan:
        """The others."""
        return replace(self, costs={n: cost for n, cost in self.costs.items() if n != name})

    def pages(self, hours: float, speed: float = 1.0) -> list[PlannedPage]:
        """What is made within some processor hours, where costs are so many times as large."""
        costs = {n: {mode: speed * c for mode, c in cost.items()} for n, cost in self.costs.items()}
        if self.only_quick:
            costs = {name: {**cost, "full": math.inf} for name, cost in costs.items()}
        runs = runs_within(costs, hours)
        planned, left_out = list[PlannedPage](), list[PlannedPage]()
        for name, cost in costs.items():
            full = f"a full run takes {hours_text(self.costs[name]['full'] * speed)}"
            if name in runs:
                run = runs[name]
                why = "" if run == "full" else "asked for" if self.only_quick else full
                planned.append(PlannedPage(name, run, cost[run], why))
            else:
                why = f"a quick run takes {hours_text(cost['quick'])}, more than is left"
                left_out.append(PlannedPage(name, "", cost["quick"], why))
        left_out += [PlannedPage(name, "", math.nan, why) for name, why in self.barred.items()]
        return sorted(planned, key=lambda page: page.hours) + left_out

    def make(
        self, planned: PlannedPage, progress: Callable[[str, int, int], None] | None
    ) -> MadePage:
        """Run a study; its error, if it fails."""
        name, study = planned.name, REPRODUCTIONS[planned.name]

        def note(finished: int, every: int) -> None:
            if progress is not None:
                progress(name, finished, every)

        own = replace(_settings_of(study, self.settings), quick=planned.run == "quick")
        note(0, 1)
        try:
            return MadePage(name, planned.run, study.page(replace(own, progress=note)))
        except Exception as error:
            kind = "" if isinstance(error, CpeOptError) else f"{type(error).__name__}: "
            return MadePage(name, planned.run, why=f"{kind}{error}", failed=True)


def runs_within(costs: Costs, hours: float) -> dict[str, Mode]:
    """The pages that fit into some hours, and whether in full.

    Examples
    --------
    >>> costs = {"a": {"quick": 1.0, "full": 9.0}, "b": {"quick": 2.0, "full": 4.0}}
    >>> runs_within(costs, 2.5)
    {'a': 'quick'}
    >>> runs_within(costs, 5.0)
    {'a': 'quick', 'b': 'full'}
    """
    found, left = dict[str, Mode](), hours
    # A full run whose runs are kept may cost less than a quick one.
    least = {name: min(cost["quick"], cost["full"]) for name, cost in costs.items()}
    for name in sorted(costs, key=lambda name: least[name]):
        if least[name] <= left:
            found[name] = "full" if costs[name]["full"] <= costs[name]["quick"] else "quick"
            left -= least[name]
    for name in sorted(found, key=lambda name: costs[name]["full"]):
        more = costs[name]["full"] - least[name]
        if more <= left:
            found[name] = "full"
            left -= more
    return found


def _settings_of(study: Study, settings: Settings) -> Settings:
    """Those of one page: it has no matrix if it needs none."""
    matrix = settings.matrix if study.needs == "matrix" else None
    data = settings.data if study.needs == "data" else None
    return replace(settings, name=study.name, matrix=matrix, data=data)


def _hours_left(study: Study, settings: Settings) -> float:
    """Of the runs that are not kept, in hours of one processor; NaN where no cost is declared."""
    hours, kept = study.hours(quick=settings.quick), (settings.out / "runs", settings.file("-rows"))
    # To list the runs of a league takes seconds.
    if not study.needs and not any(folder.exists() for folder in kept):
        return hours
    work = study.work_left(settings)
    if not work.missing:
        return 0.0
    if math.isfinite(work.seconds):
        return work.seconds / 3600.0
    return hours * work.missing / work.every
