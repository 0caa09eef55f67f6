"""Learners side by side on one instance or several: who is best, who cannot be told from it.

What is compared is regret at the end, or samples where an instance has no regret. On each instance
the smallest mean is the best; another learner is not told from it where the paired test of the two
(:mod:`cpe_opt.experiments.significance`) does not reject after Holm's correction over all pairs of
learners. Runs of the same seed are paired.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.experiments.results import Groups, finals, summary_frame
from cpe_opt.experiments.significance import LEVEL, fewest_runs, paired_tests
from cpe_opt.files import atomic_write
from cpe_opt.reports.report import Analysis, Report, TextTable

if TYPE_CHECKING:
    import pandas as pd

Test: TypeAlias = Literal["paired", "none"]
Bounds: TypeAlias = Mapping[str, Mapping[str, float]]
TABLE_FILES = (".tex", ".md", ".csv", ".txt")
_BEST, _EVEN = "*", "="
_TYPICAL = "× best"
_ROUNDING = 1e-9  # of a mean
_BOUND_ROWS = {"LB": "C* ln T", "ECWB": "C^E* ln T"}
_LATEX = {
    _BOUND_ROWS["LB"]: r"$C^{*} \ln T$",
    _BOUND_ROWS["ECWB"]: r"$C^{E*} \ln T$",
    _TYPICAL: r"$\times$ best",
}
_NUMBER = re.compile(r"([\d,.]+)(?: ± ([\d,.]+))?(?: ([*=]))?")
_LATEX_MARKS = re.compile(r"[\\{}$&#^_~%]")


class LearnerComparison(Analysis):
    """What learners needed on each instance, with paired tests; ``print`` it to read it.

    Parameters
    ----------
    runs : mapping of (problem, learner) to DataFrame
        Finished runs, as of :func:`cpe_opt.experiments.results.finished_runs`.
    test : "paired" or "none"
    bounds : mapping of problem to mapping of name to float, optional
        Bounds of the same quantity, such as ``{"gap": {"LB": 101.5}}``: extra rows.

    Raises
    ------
    InputError
        Where there are no runs.

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> from cpe_opt.experiments.results import finished_runs
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = cpe.run_experiment(
    ...         ["d-ts", "random-pairs"], ["cyclic"], runs=8, horizon=2000, jobs=1, out=folder
    ...     )
    ...     found = LearnerComparison(finished_runs(table))
    >>> found.table()[["learner", "best", "even"]].values.tolist()
    [['d-ts', True, False], ['random-pairs', False, False]]
    """

    def __init__(
        self, runs: Groups, *, test: Test = "paired", bounds: Bounds | None = None
    ) -> None:
        if not runs:
            raise InputError("no runs to compare")
        self._bounds = dict(bounds or {})
        self._test = test
        self._frame = summary_frame(runs)
        self.problems = list(dict.fromkeys(problem for problem, _ in runs))
        paired = {
            problem: _paired({label: each for (of, label), each in runs.items() if of == problem})
            for problem in self.problems
        }
        self.runs = {problem: _pairs_of_runs(values) for problem, values in paired.items()}
        for column in ("ratio", "ratio_low", "ratio_high", "corrected"):
            self._frame[column] = math.nan
        half = (self._frame["high"] - self._frame["low"]) / 2.0
        # Runs that are equal up to rounding have no spread.
        self._frame["half"] = half.where(half > _ROUNDING * self._frame["mean"].abs(), 0.0)
        self._frame["best"] = self._frame["even"] = False
        for problem, values in paired.items():
            self._compare(problem, values)
        self._order()

    @property
    def name(self) -> str:
        """The instances."""
        return ", ".join(self.problems)

    @property
    def learners(self) -> list[str]:
        """By what they typically need: a geometric mean over instances, the least first."""
        return list(dict.fromkeys(self._frame["learner"]))

    def table(self) -> pd.DataFrame:
        """One row an instance and learner, those that typically need the least first.

        Columns: those of :func:`cpe_opt.experiments.results.summary_frame`; ``half``, the half
        width of the 95 % interval of the mean; ``best`` and ``even``, whether the mean is the
        smallest or not told from it; ``ratio``, ``ratio_low``, ``ratio_high``, times the mean of
        the best; ``corrected``, the p-value of equality with the best after Holm's correction.
        """
        return self._frame.copy()

    def as_dict(self) -> dict[str, Any]:
        """The rows of :meth:`table`, and bounds."""
        return {"rows": self._frame.to_dict("records"), "bounds": self._bounds}

    def report(self) -> Report:
        """A table, and what its marks say."""
        return Report(parts=(self.cross_table(), *self.notes()))

    def cross_table(self) -> TextTable:
        """One row per learner and bound, one column per instance."""
        cells = {
            (row["learner"], row["problem"]): _cell(row) for row in self._frame.to_dict("records")
        }
        several = len(self.problems) > 1
        rows = [
            [
                learner,
                *(cells.get((learner, problem), "") for problem in self.problems),
                *[f"{self._typical[learner]:,.2f}"] * several,
            ]
            for learner in self.learners
        ]
        for name in dict.fromkeys(name for bounds in self._bounds.values() for name in bounds):
            values = [self._bounds.get(each, {}).get(name, math.nan) for each in self.problems]
            rows.append([bound_words(name), *map(rounded, values), *[""] * several])
        head = ["algorithm", *self.problems, *[_TYPICAL] * several]
        return TextTable(head, rows, self.caption)

    @property
    def caption(self) -> str:
        """What the numbers are."""
        units, horizons = set(self._frame["units"]), set(self._frame["horizon"])
        runs = sorted(set(self._frame["runs"]))
        counted = f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"
        what = "samples" if units == {"samples"} else f"regret ({', '.join(sorted(units))} units)"
        at = f" at T = {max(horizons):,}" if len(horizons) == 1 and "samples" not in units else ""
        return f"{what}{at}, mean ± half of the 95 % interval over {counted} runs"

    def notes(self) -> list[str]:
        """What the marks say, and where runs are too few for any."""
        if self._test == "none" or len(self.learners) < 2:
            return []
        lines = [
            f"{_BEST} the smallest mean; {_EVEN} not told from it at {100 * LEVEL:g} %: paired "
            "tests over runs of the same seed, corrected by Holm for all pairs on an instance"
        ]
        count = len(self.learners)
        needed = fewest_runs(count * (count - 1) // 2)
        few = [problem for problem, runs in self.runs.items() if runs < needed]
        if few:
            lines.append(
                f"with fewer than {needed} runs of the same seeds nothing can be told apart among "
                f"{count} algorithms: {', '.join(few)}"
            )
        return lines

    def latex(self) -> str:
        """The table as LaTeX, for the package booktabs: the best bold, those as good marked."""
        table = self.cross_table()
        lines = [
            " & ".join(_latex(str(cell)) for cell in row) + r" \\"
            for row in (table.columns, *table.rows)
        ]
        lines.insert(1, r"\midrule")
        below = len(table.rows) - len(self.learners)
        if below:
            lines.insert(len(lines) - below, r"\midrule")
        packages = r"needs \usepackage{booktabs}"
        notes = [f"% {line}" for line in (self.caption, *self.notes(), packages)]
        columns = "l" + "r" * (len(table.columns) - 1)
        begin = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
        end = [r"\bottomrule", r"\end{tabular}", ""]
        return "\n".join([*notes, *begin, *lines, *end])

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the table as the suffix says: .tex, .md, .csv (:meth:`table`) or .txt."""
        path = Path(path)
        writers: dict[str, Callable[[], str]] = {
            ".tex": self.latex,
            ".md": self.markdown,
            ".csv": lambda: self._frame.to_csv(index=False),
            ".txt": lambda: f"{self}\n",
        }
        write = writers.get(path.suffix.lower())
        if write is None:
            raise InputError(
                f"cannot write {path.name!r}: expected one of {', '.join(TABLE_FILES)}"
            )
        with atomic_write(path) as temporary:
            temporary.write_text(write(), encoding="utf-8")
        return path

    def _compare(self, problem: str, values: Mapping[str, FloatArray]) -> None:
        """Mark the best learner of an instance, and those that are not told from it."""
        frame = self._frame
        here = frame.index[frame["problem"] == problem]
        best = frame.loc[frame.loc[here, "mean"].idxmin(), "learner"]
        frame.loc[here, "best"] = frame.loc[here, "learner"] == best
        if self._test == "none" or len(values) < 2 or self.runs[problem] < 2:
            return
        tests = paired_tests(values)
        for place in here:
            other = frame.loc[place, "learner"]
            if other == best:
                frame.loc[place, ["ratio", "ratio_low", "ratio_high"]] = 1.0
                continue
            pair = (tests["first"] == other) & (tests["second"] == best)
            turned = (tests["first"] == best) & (tests["second"] == other)
            (row,) = tests[pair | turned].to_dict("records")
            low, ratio, high = row["low"], row["ratio"], row["high"]
            if row["first"] == best:
                low, ratio, high = (_inverse(each) for each in (high, ratio, low))
            columns = ["ratio", "ratio_low", "ratio_high", "corrected"]
            frame.loc[place, columns] = [ratio, low, high, row["corrected"]]
            frame.loc[place, "even"] = not row["different"]

    def _order(self) -> None:
        """Learners that typically need the least first."""
        frame = self._frame
        least = frame.groupby("problem")["mean"].transform("min")
        with np.errstate(divide="ignore", invalid="ignore"):
            times = (frame["mean"] / least).transform(np.log).fillna(0.0)
        means = times.groupby(frame["learner"]).mean()
        self._typical = {str(who): math.exp(each) for who, each in means.items()}
        names = zip(frame["learner"], frame["problem"], strict=True)
        keys = [(self._typical[who], who, self.problems.index(where)) for who, where in names]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        self._frame = frame.iloc[order].reset_index(drop=True)


def _paired(runs: Mapping[str, pd.DataFrame]) -> dict[str, FloatArray]:
    """What each learner needed in the runs whose seeds all learners have, in one order."""
    seeds = [set(each["seed"].tolist()) for each in runs.values()]
    common = set.intersection(*seeds)
    found = {}
    for label, each in runs.items():
        chosen = each["seed"].isin(common).to_numpy()
        order = np.argsort(each["seed"].to_numpy()[chosen], kind="stable")
        found[label] = finals(each)[0][chosen][order]
    return found


def _pairs_of_runs(values: Mapping[str, FloatArray]) -> int:
    return min(map(len, values.values()))


def _inverse(ratio: float) -> float:
    return math.inf if ratio == 0.0 else 1.0 / ratio


def _cell(row: Mapping[Any, Any]) -> str:
    mark = _BEST if row["best"] else _EVEN if row["even"] else ""
    mean, half = (rounded(row[part], row["half"]) for part in ("mean", "half"))
    return f"{mean} ± {half} {mark}".rstrip()


def rounded(value: float, uncertainty: float = 0.0) -> str:
    """A number to two digits of its uncertainty; to three of its own where that is not known."""
    if not math.isfinite(value):
        return ""
    size = uncertainty if uncertainty > 0.0 else abs(value) / 10.0
    decimals = 0 if size == 0.0 else max(0, 1 - math.floor(math.log10(size)))
    return f"{value:,.{min(decimals, 6)}f}"


def _latex(cell: str) -> str:
    """A cell in LaTeX: a mean with its half width, a number, or a text without commands."""
    number = _NUMBER.fullmatch(cell)
    if number is None:
        names = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
        escaped = _LATEX_MARKS.sub(lambda mark: names.get(mark[0], f"\\{mark[0]}"), cell)
        return _LATEX.get(cell, escaped)
    mean, half, mark = number.groups()
    mean = rf"\mathbf{{{mean}}}" if mark == _BEST else mean
    half = "" if half is None else rf" \pm {half}"
    return f"${mean}{half}{'^{=}' * (mark == _EVEN)}$".replace(",", "{,}")


def times_the_best(row: Mapping[Any, Any]) -> str:
    """Times the mean of the best, with interval and mark, of a row of the table."""
    if row["best"]:
        return _BEST
    if math.isnan(row["ratio"]):
        return ""
    ends = (rounded(row[end]) or "∞" for end in ("ratio_low", "ratio_high"))
    mark = f" {_EVEN}" if row["even"] else ""
    return f"{rounded(row['ratio'])} ({'–'.join(ends)}){mark}"


def bound_words(name: str) -> str:
    """What a bound of :func:`cpe_opt.hardness.dueling.regret_bounds` is called in a table."""
    return _BOUND_ROWS.get(name, name)


def regret_at(bounds: Mapping[str, float], horizon: int) -> dict[str, float]:
    """Constants C of bounds as C ln T."""
    return {name: constant * math.log(horizon) for name, constant in bounds.items()}
