"""A study: what is run, and the page of claims and measurements that is made of it.

A study is a function from :class:`Settings` to the values of a page, whose words are in
``pages/NAME.md``: a template with ``{placeholders}`` for tables, pictures and numbers, and a table
of its claims by their names. Claims that several pages make are in ``pages/claims.md``.
What else is data and no code, such as who plays in a league, is declared in ``pages/NAME.toml``.

Runs of learners are kept as those of every experiment (:mod:`cpe_opt.experiments.planning`).
Another computation is a list of tasks: each is a function call that returns rows, and a file in the
folder ``NAME-rows``, so that a study that was killed goes on with the tasks that have none. A file
is named by a digest of the task's arguments, of its function and of this package.

What a study costs is declared in ``pages/costs.toml``. Before it makes a run it can say how much of
its work is left (:meth:`Study.work_left`).
"""

from __future__ import annotations

import json
import math
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from pkgutil import resolve_name
from string import Formatter
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from cpe_opt import __version__
from cpe_opt.errors import InputError
from cpe_opt.experiments import shards
from cpe_opt.experiments.engine import play
from cpe_opt.experiments.parallel import in_parallel
from cpe_opt.experiments.planning import LearnerSpec, Series, plan_series
from cpe_opt.experiments.results import read_series
from cpe_opt.experiments.runs import write_parquet
from cpe_opt.files import atomic_write, json_default
from cpe_opt.fingerprint import fingerprint, source_digest
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.problem import Problem
from cpe_opt.reproductions.claims import Claim

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")
PAGES = Path(__file__).parent / "pages"
_SHARED = "claims"  # the template whose claims every page may make
_CLAIMS = "<claims>"
_CLAIMS_TABLE = re.compile(r"^\| claim \|.*\n(?:\|.*\n)*", re.M)
_PIPE = re.compile(r"(?<!\\)\|")
OUTCOMES = {True: "agrees", False: "**differs**", None: "not shown by this run"}


@dataclass(frozen=True)
class Settings:
    """The arguments of :func:`cpe_opt.reproduce`, checked."""

    name: str
    quick: bool
    out: Path
    matrix: PreferenceMatrix | None
    seed: int
    jobs: int
    progress: Callable[[int, int], None] | None
    data: Path | None = None
    survey: bool = False  # whether to count the work that is left, and do none of it

    def choose(self, quick: T, full: T) -> T:
        """One value for a quick run and one for a full one."""
        return quick if self.quick else full

    def file(self, suffix: str) -> Path:
        """A file of this study in the folder of results."""
        return self.out / f"{self.name}{suffix}"

    @property
    def command(self) -> str:
        """The command that makes the page again, and the version that made it."""
        said = {
            "--quick": self.quick,
            "--matrix FILE": self.matrix is not None,
            "--data FOLDER": self.data is not None,
            f"--seed {self.seed}": self.seed,
        }
        command = " ".join([self.name, *(flag for flag, given in said.items() if given)])
        return f"`cpe-opt reproduce {command}` with cpe_opt {__version__}"

    def needed_folder(self, name: str, files: Sequence[str]) -> Path:
        """A folder with these files: the one given, or ``name`` in ``CPE_OPT_DATA`` or ``data``.

        Raises
        ------
        InputError
            With the folders in which they are not.
        """
        here, known = self.data, os.environ.get("CPE_OPT_DATA")
        places = [here, here / name] if here else [Path("data") / name]
        if known and not here:
            places.insert(0, Path(known) / name)
        for place in places:
            if all((place / file).is_file() for file in files):
                return place
        raise InputError(
            f"{self.name} needs {files[0]} and others like it; looked in "
            f"{', '.join(map(str, places))}. Give the folder by --data"
        )

    def needed_matrix(self) -> PreferenceMatrix:
        """The matrix, or :class:`InputError` with what is expected."""
        if self.matrix is None:
            raise InputError(
                f"{self.name} needs a preference matrix of many rankers: --matrix FILE, such as "
                "that of the 136 MSLR rankers under the informational click model"
            )
        return self.matrix


@dataclass(frozen=True)
class PageTable:
    """A table of a page; as a text it is Markdown."""

    head: Sequence[object]
    rows: Sequence[Sequence[object]]

    def __str__(self) -> str:
        lines = [self.head, ["---"] * len(self.head), *self.rows]
        texts = ([str(cell).replace("|", "\\|") for cell in line] for line in lines)
        return "\n".join(f"| {' | '.join(line)} |" for line in texts)


class FrameTable:
    """A frame of a page, whose columns the template says: ``name = column / style ; …``.

    Name and style may be left out. What is missing is left empty, and what is infinite says so.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"set": ["a", "b"], "mean": [2.5, float("nan")]})
    >>> print(f"{FrameTable(frame):set; samples = mean / .2f}")
    | set | samples |
    | --- | --- |
    | a | 2.50 |
    | b |  |
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def __format__(self, columns: str) -> str:
        """The table, as Markdown."""
        shown: dict[str, tuple[str, str]] = {}
        for each in columns.split(";"):
            name, given, rest = each.rpartition("=")
            column, _, style = rest.partition(" / ")
            shown[name.strip() if given else column.strip()] = (column.strip(), style.strip())
        rows = [
            [_shown(row[c], style) for c, style in shown.values()]
            for row in self._frame.reset_index().to_dict("records")
        ]
        return str(PageTable(list(shown), rows))


def _shown(value: Any, style: str) -> str:
    number = value if isinstance(value, float) else 0.0
    if math.isnan(number):
        return ""
    return "infinite" if math.isinf(number) else f"{value:{style}}"


@dataclass(frozen=True)
class Page:
    """The page of a study that was run: its text, its claims, and what else its template shows."""

    name: str
    title: str
    text: str
    claims: Sequence[Claim]
    values: Mapping[str, Any]
    quick: bool = False

    def outcome(self, claim: Claim) -> str:
        """The outcome of a claim, in words; that of a quick run says that it is one."""
        return OUTCOMES[claim.holds] + " (quick run)" * (self.quick and claim.holds is not None)

    def markdown(self) -> str:
        """The page, with the table of its claims."""
        rows = [[c.published, c.criterion, c.ours, self.outcome(c)] for c in self.claims]
        table = PageTable(["published", "agrees if", "here", "outcome"], rows)
        return self.text.replace(_CLAIMS, str(table))


@dataclass(frozen=True)
class WorkLeft:
    """How much of a study is not finished in its folder of results.

    Attributes
    ----------
    every, missing : int
        Runs or tasks in all, and those to be made.
    seconds : float
        That the missing ones will take by the mean of the kept runs of the same learner and
        problem; NaN where there is none.
    """

    every: int = 0
    missing: int = 0
    seconds: float = 0.0


class _Surveyed(Exception):
    """Raised in place of the first run, where only the work that is left is asked for."""

    def __init__(self, work: WorkLeft) -> None:
        super().__init__(work)
        self.work = work


def declared(name: str) -> dict[str, Any]:
    """What ``pages/NAME.toml`` declares."""
    return tomllib.loads((PAGES / f"{name}.toml").read_text(encoding="utf-8"))


def built(said: Any) -> Any:
    """What a file declares: a call of ``make`` with ``of`` and keywords, which may be such calls.

    Examples
    --------
    >>> built({"make": "problems.generators.cycle_and_chain", "of": [6]}).name
    'cycle-6'
    """
    if isinstance(said, list):
        return [built(each) for each in said]
    if not isinstance(said, dict):
        return said
    given = {key: built(each) for key, each in said.items()}
    if "make" not in given:
        return given
    make = resolve_name(f"cpe_opt.{given.pop('make')}")
    return make(*given.pop("of", ()), **given)


def hours_text(hours: float) -> str:
    """A time to two digits, in minutes or seconds where it is below an hour.

    Examples
    --------
    >>> hours_text(0.001), hours_text(0.123), hours_text(1.0), hours_text(123.4)
    ('3.6 seconds', '7.4 minutes', '1 hour', '120 hours')
    """
    units = {"hours": 1.0, "minutes": 60.0, "seconds": 3600.0}
    unit = next((unit for unit, times in units.items() if hours * times >= 1.0), "seconds")
    shown = float(f"{hours * units[unit]:.2g}")
    return f"{shown:,g} {unit.removesuffix('s') if shown == 1.0 else unit}"


def _template(name: str) -> tuple[str, dict[str, list[str]]]:
    """A file of ``pages``, and the claims of its table by their names, taken out of it."""
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    table = _CLAIMS_TABLE.search(text)
    rows = table.group().splitlines()[2:] if table else []
    cells = [[c.strip().replace("\\|", "|") for c in _PIPE.split(row)[1:-1]] for row in rows]
    return _CLAIMS_TABLE.sub(_CLAIMS + "\n", text), {name: texts for name, *texts in cells}


def _names(text: str) -> set[str]:
    """The values that a text names."""
    return {re.split(r"[.\[]", name)[0] for _, name, *_ in Formatter().parse(text) if name}


@dataclass(frozen=True)
class Study:
    """A table or figure of a paper: what its template ``pages/NAME.md`` shows.

    ``values`` makes all runs and returns ``claims`` and what replaces the placeholders: tables,
    paths of pictures, numbers and texts. A section with one that is None is left out.
    """

    name: str
    values: Callable[[Settings], Mapping[str, Any]]
    needs: str = ""  # what must be given: "matrix", "data" or nothing
    takes_matrix: bool = False  # whether a matrix may be given

    @property
    def title(self) -> str:
        """Of its page."""
        return _template(self.name)[0].partition("\n")[0].removeprefix("# ")

    def hours(self, *, quick: bool) -> float:
        """What all runs take on one processor, as ``pages/costs.toml`` says; NaN: not known."""
        hours = declared("costs").get(self.name, {}).get("quick" if quick else "full", math.nan)
        return float(hours)

    def work_left(self, settings: Settings) -> WorkLeft:
        """What is to be run yet; nothing, where everything is computed when the page is made."""
        try:
            self.values(replace(settings, survey=True))
        except _Surveyed as found:
            return found.work
        return WorkLeft()

    def page(self, settings: Settings) -> Page:
        """Run the study and write its page; that of a quick run says what a full one costs."""
        command = settings.command
        if settings.quick and (hours := self.hours(quick=False)) > 0.0:
            command += f"; a full run takes about {hours_text(hours)} of one processor"
        values = {"command": command, **self.values(settings)}
        (template, own), (_, shared) = _template(self.name), _template(_SHARED)
        known, found = shared | own, []
        for claim in values.pop("claims"):
            words = {**values, **claim.words}
            published, criterion = (text.format_map(words) for text in known[claim.name])
            found.append(replace(claim, published=published, criterion=criterion))
        opening, *sections = template.split("\n## ")
        shown = [each for each in sections if all(values[n] is not None for n in _names(each))]
        paths = {key: each.name for key, each in values.items() if isinstance(each, Path)}
        text = "\n## ".join([opening, *shown]).format_map(values | paths)
        page = Page(settings.name, self.title, text, found, values, settings.quick)
        with atomic_write(settings.file(".md")) as temporary:
            temporary.write_text(page.markdown(), encoding="utf-8", errors="backslashreplace")
        return page


# Rows

Rows: TypeAlias = list[dict[str, Any]]


@dataclass(frozen=True, eq=False)
class LearnerRuns:
    """A learner on a problem: one row per run."""

    columns: Mapping[str, Any]  # that all of its rows share
    learner: LearnerSpec
    problem: Problem
    runs: int
    judge: Callable[[Any], Mapping[str, Any]]  # the columns that depend on the answer


def rows_of_runs(
    lines: Sequence[LearnerRuns], settings: Settings, order: list[str]
) -> pd.DataFrame:
    """Every run of every line, with ``seed, samples, seconds``; also written to ``NAME.parquet``.

    Runs end when their learner stops. ``order`` lists the columns to sort by.
    """
    planned = [
        planned_series(line.learner, line.problem, line.runs, None, settings) for line in lines
    ]
    play_longest_first(planned, settings)
    rows: Rows = []
    for line, series in zip(lines, planned, strict=True):
        for run in read_runs(series).to_dict("records"):
            answer = tuple(run["answer"]) if isinstance(run["answer"], list) else run["answer"]
            measured = {name: run[name] for name in ("seed", "samples", "seconds")}
            rows.append({**line.columns, **measured, **line.judge(answer)})
    return _written(rows, settings, order)


def planned_series(
    learner: LearnerSpec,
    problem: Problem,
    runs: int,
    horizon: int | None,
    settings: Settings,
    regret: str | None = None,
) -> Series:
    """The runs of one learner on one problem, kept in the folder of results."""
    (series,) = plan_series(
        [learner],
        [problem],
        runs=runs,
        horizon=horizon,
        seed=settings.seed,
        out=settings.out / "runs",
        regret=regret,
    )
    return series


def play_longest_first(planned: Iterable[Series], settings: Settings) -> None:
    """Make all runs, the longest first, so that no worker is left with one at the end."""
    # Tables may share a series; the one with the most runs has those of the others.
    by_folder = {each.folder: each for each in sorted(planned, key=lambda each: each.runs)}
    ordered = sorted(
        by_folder.values(),
        key=lambda each: (each.horizon or 0, len(each.problem.labels)),
        reverse=True,
    )
    if settings.survey:
        raise _Surveyed(_runs_left(ordered))
    play(ordered, jobs=settings.jobs, progress=settings.progress)


def _runs_left(planned: Sequence[Series]) -> WorkLeft:
    """Which runs are not in the folders of their series."""
    missing, seconds = 0, 0.0
    for series in planned:
        assert series.folder is not None
        finished = shards.finished(series.folder, series.runs)
        if finished.all():
            continue
        kept = np.array(shards.read_seconds(series.folder, np.flatnonzero(finished)))
        known = kept[np.isfinite(kept)]
        lacking = int((~finished).sum())
        missing += lacking
        seconds += lacking * float(known.mean() if len(known) else math.nan)
    return WorkLeft(sum(series.runs for series in planned), missing, seconds)


def read_runs(series: Series, *, curves: bool = False) -> pd.DataFrame:
    """One row per run, as of :func:`cpe_opt.experiments.results.read_series`."""
    assert series.folder is not None
    return read_series(series.folder, series.runs, curves=curves)


def rows_in_parallel(
    function: Callable[..., Rows],
    tasks: Sequence[tuple[Any, ...]],
    settings: Settings,
    order: list[str],
) -> pd.DataFrame:
    """The rows of all tasks as a frame, also written to ``NAME.parquet``.

    ``function`` takes a task's entries, which are all that decides its rows, and returns these:
    numbers and texts alone. ``order`` lists the columns to sort by.
    """
    folder, code = settings.file("-rows"), fingerprint((source_digest(), function))
    files = {folder / f"{fingerprint((code, task))}.json": task for task in tasks}
    calls = [(file, function, task) for file, task in files.items() if not file.exists()]
    if settings.survey:
        raise _Surveyed(WorkLeft(len(files), len(calls), math.nan if calls else 0.0))
    folder.mkdir(parents=True, exist_ok=True)
    ended = len(files) - len(calls)
    for _ in in_parallel(_write_rows, calls, jobs=settings.jobs):
        ended += 1
        if settings.progress is not None:
            settings.progress(ended, len(files))
    return _written([row for file in files for row in _read_rows(file)], settings, order)


def _write_rows(file: Path, function: Callable[..., Rows], task: tuple[Any, ...]) -> None:
    with atomic_write(file) as temporary:
        temporary.write_text(json.dumps(function(*task), default=json_default), encoding="utf-8")


def _read_rows(file: Path) -> Rows:
    try:
        return [dict(row) for row in json.loads(file.read_bytes())]
    except (TypeError, ValueError):
        raise InputError(
            f"{file} holds no rows of results; delete it, and its task is run again"
        ) from None


def _written(rows: Rows, settings: Settings, order: list[str]) -> pd.DataFrame:
    import pandas as pd

    frame = pd.DataFrame(rows).sort_values(order, ignore_index=True)
    write_parquet(frame, settings.file(".parquet"))
    return frame
