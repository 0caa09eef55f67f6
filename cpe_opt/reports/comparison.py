"""Learners side by side on one instance or several: who is best, who cannot be told from it.

What is compared is regret at the end, or samples where an instance has no regret. On each instance
the smallest mean is the best; another learner is not told from it where the paired test of the two
(:mod:`cpe_opt.experiments.significance`) does not reject after Holm's correction over all pairs of
learners. Runs of the same seed are paired.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.experiments.results import Groups, finals, summary_frame
from cpe_opt.experiments.significance import LEVEL, fewest_runs, paired_tests
from cpe_opt.files import atomic_write, check_output
from cpe_opt.reports.report import Analysis, Report, TextTable

if TYPE_CHECKING:
    import pandas as pd

Bounds: TypeAlias = Mapping[str, Mapping[str, float]]
TABLE_FILES = (".tex", ".md", ".csv", ".txt")
_BEST, _EVEN = "*", "="
_TYPICAL = "× best"
_ROUNDING = 1e-9  # of a mean
_BOUND_ROWS = {"LB": "C* ln T", "ECWB": "C^E* ln T"}


class LearnerComparison(Analysis):
    """What learners needed on each instance, with paired tests; ``print`` it to read it.

    ``runs`` are finished runs by problem and learner, as of
    :func:`cpe_opt.experiments.results.finished_runs`; ``bounds`` are bounds of the same quantity by
    problem and name, such as ``{"gap": {"LB": 101.5}}``: extra rows.
    """

    def __init__(self, runs: Groups, *, bounds: Bounds | None = None) -> None:
        import pandas as pd

        if not runs:
            raise InputError("no runs to compare")
        self._bounds = dict(bounds or {})
        self.problems = list(dict.fromkeys(problem for problem, _ in runs))
        frame = summary_frame(runs)
        frame["best"] = frame.index.isin(frame.groupby("problem")["mean"].idxmin())
        best = frame[frame["best"]].set_index("problem")["learner"]
        tests, self.runs = [], {}
        for problem in self.problems:
            here = {label: each for (of, label), each in runs.items() if of == problem}
            found, self.runs[problem] = _tests(here, str(best[problem]))
            tests.append(found.assign(problem=problem))
        frame = frame.merge(pd.concat(tests), how="left", on=["problem", "learner"])
        frame["even"] = frame["even"].eq(True)
        half = (frame["high"] - frame["low"]) / 2.0
        # Runs that are equal up to rounding have no spread.
        frame["half"] = half.where(half > _ROUNDING * frame["mean"].abs(), 0.0)
        least = frame.groupby("problem")["mean"].transform("min")
        with np.errstate(divide="ignore", invalid="ignore"):
            times = (frame["mean"] / least).transform(np.log).fillna(0.0)
        means = times.groupby(frame["learner"]).mean()
        self._typical = {str(who): math.exp(mean) for who, mean in means.items()}
        frame["typical"] = frame["learner"].map(self._typical)
        frame["place"] = [self.problems.index(each) for each in frame["problem"]]
        frame = frame.sort_values(["typical", "learner", "place"], ignore_index=True)
        self._frame = frame.drop(columns=["typical", "place"])

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
        return TextTable(head, rows, self._caption())

    def _caption(self) -> str:
        """What the numbers are."""
        units, horizons = set(self._frame["units"]), set(self._frame["horizon"])
        runs = sorted(set(self._frame["runs"]))
        counted = f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"
        what = "samples" if units == {"samples"} else f"regret ({', '.join(sorted(units))} units)"
        at = f" at T = {max(horizons):,}" if len(horizons) == 1 and "samples" not in units else ""
        return f"{what}{at}, mean ± half of the 95 % interval over {counted} runs"

    def notes(self) -> list[str]:
        """What the marks say, and where runs are too few for any."""
        count = len(self.learners)
        if count < 2:
            return []
        lines = [
            f"{_BEST} the smallest mean; {_EVEN} not told from it at {100 * LEVEL:g} %: paired "
            "tests over runs of the same seed, corrected by Holm for all pairs on an instance"
        ]
        needed = fewest_runs(count * (count - 1) // 2)
        few = [problem for problem, runs in self.runs.items() if runs < needed]
        if few:
            lines.append(
                f"with fewer than {needed} runs of the same seeds nothing can be told apart among "
                f"{count} algorithms: {', '.join(few)}"
            )
        return lines

    def latex(self) -> str:
        """The table as LaTeX, for the package booktabs."""
        import pandas as pd

        table = self.cross_table()
        packages = r"needs \usepackage{booktabs}"
        notes = [f"% {line}\n" for line in (self._caption(), *self.notes(), packages)]
        columns = "l" + "r" * (len(table.columns) - 1)
        frame = pd.DataFrame(table.rows, columns=list(table.columns))
        return "".join(notes) + frame.to_latex(index=False, escape=True, column_format=columns)

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the table as the suffix says: .tex, .md, .csv (:meth:`table`) or .txt."""
        check_output(path, TABLE_FILES, force=True)
        writers: dict[str, Callable[[], str]] = {
            ".tex": self.latex,
            ".md": self.markdown,
            ".csv": lambda: self._frame.to_csv(index=False),
            ".txt": lambda: f"{self}\n",
        }
        text = writers[Path(path).suffix.lower()]()
        with atomic_write(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
        return Path(path)


def _tests(runs: Mapping[str, pd.DataFrame], best: str) -> tuple[pd.DataFrame, int]:
    """Every learner against the best in the runs whose seeds all have, and how many these are."""
    import pandas as pd

    common = set.intersection(*(set(each["seed"]) for each in runs.values()))
    values = {}
    for label in sorted(runs, key=best.__eq__):  # the best last
        paired = runs[label][runs[label]["seed"].isin(common)].sort_values("seed", kind="stable")
        values[label] = finals(paired)[0] if common else np.empty(0)
    count = min(map(len, values.values()))
    columns = ["learner", "ratio", "ratio_low", "ratio_high", "corrected", "even"]
    if len(values) < 2 or count < 2:
        return pd.DataFrame([{"learner": best}], columns=columns), count
    tests = paired_tests(values)
    tests = tests[tests["second"] == best].assign(even=~tests["different"])
    tests = tests.rename(columns={"first": "learner", "low": "ratio_low", "high": "ratio_high"})
    alone = {"learner": best, "ratio": 1.0, "ratio_low": 1.0, "ratio_high": 1.0}
    return pd.concat([tests, pd.DataFrame([alone])])[columns], count


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
