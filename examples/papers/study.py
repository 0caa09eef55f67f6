"""What the scripts of this folder share: pages of claims and measurements, and their command line.

A :class:`Study` is a function from :class:`Settings` to the values of a page, whose words are in
``pages/NAME.md``: a template with ``{placeholders}`` for tables, pictures and numbers. Sentences of
claims are in ``pages/claims.toml``, and what else is data and no code in ``pages/NAME.toml``.

A claim holds, fails, or is not shown by so few runs. Where it is judged by a 95 % interval, the
question is where the whole interval lies: inside what the claim allows (True), outside of it
(False), or across its edge (None: not shown).

Runs of learners are kept as :func:`cpe_opt.run_experiment` keeps them, so that a script that was
killed goes on with what is missing.
"""

import argparse
import math
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.figure import Figure
from scipy.stats import binomtest, t

import cpe_opt as cpe
from cpe_opt.experiments.parallel import in_parallel
from cpe_opt.experiments.results import finished_runs
from cpe_opt.files import atomic_write
from cpe_opt.reports import drawing

PAGES = Path(__file__).parent / "pages"
OUTCOMES = {True: "agrees", False: "**differs**", None: "not shown by this run"}


# What is measured, and claimed


@dataclass(frozen=True)
class Interval:
    """A value estimated from runs, with its confidence interval (infinite from a single run)."""

    value: float
    low: float
    high: float

    def within(self, low: float = -math.inf, high: float = math.inf) -> bool | None:
        """Whether it is between two numbers: True, False, or None where the runs do not tell."""
        if low <= self.low and self.high <= high:
            return True
        return False if self.high < low or self.low > high else None

    def text(self, style: str = ",.0f") -> str:
        """The value, and the interval in brackets."""
        if not math.isfinite(self.high - self.low):
            return f"{self.value:{style}} (1 run)"
        return f"{self.value:{style}} ({self.low:{style}} to {self.high:{style}})"


@dataclass(frozen=True)
class Claim:
    """What was measured of a claim, whose sentences are in ``pages/claims.toml``."""

    name: str  # there
    ours: str  # what was measured
    holds: bool | None  # whether the two agree; None: not shown
    words: Mapping[str, Any] = field(default_factory=dict)  # for placeholders of the sentences


def claim(
    name: str,
    found: Any,
    style: str = ",.0f",
    *,
    low: float = -math.inf,
    high: float = math.inf,
    here: str = "{}",
    **words: Any,
) -> Claim:
    """That intervals by their names, or numbers, all lie between two ends, with a text around."""
    if isinstance(found, Mapping):
        text = ", ".join(f"{key} {each.text(style)}".lstrip() for key, each in found.items())
    else:
        text, found = span(found, style), {each: Interval(each, each, each) for each in found}
    holds = all_hold(each.within(low, high) for each in found.values())
    return Claim(name, here.format(text), holds, {"low": low, "high": high, **words})


def errors_claim(
    found: Mapping[str, tuple[int, int]], deltas: Iterable[float], **words: Any
) -> Claim:
    """That errors are as rare as promised: failures and runs by name, and what each may reach."""
    texts = [f"{each} {errors_text(*counts)}" for each, counts in found.items()]
    each = zip(found.values(), deltas, strict=True)
    rare = (failure_interval(*counts).within(high=delta) for counts, delta in each)
    return Claim("errors", ", ".join(texts), all_hold(rare), words)


def all_hold(outcomes: Iterable[bool | None]) -> bool | None:
    """False if any is, else None if any is, else True."""
    found = list(outcomes)
    return False if False in found else None if None in found else True


def span(values: npt.ArrayLike, style: str = ",.4g") -> str:
    """From the least of some numbers to the largest."""
    low, high = f"{np.min(values):{style}}", f"{np.max(values):{style}}"
    return low if low == high else f"{low} to {high}"


def mean_interval(values: npt.ArrayLike) -> Interval:
    """The mean, by Student's t."""
    sample = np.asarray(values, dtype=float)
    mean, half = float(sample.mean()), _half_width(sample)
    return Interval(mean, mean - half, mean + half)


def ratio_interval(one: npt.ArrayLike, *other: npt.ArrayLike) -> Interval:
    """The mean of positive values, over that of others, by Welch's t for its logarithm."""
    samples = [np.asarray(values, dtype=float) for values in (one, *other)]
    means = [float(sample.mean()) for sample in samples]
    if means[0] == 0.0:
        return mean_interval(one)
    value = means[0] / math.prod(means[1:])
    half = _half_width(*(sample / mean for sample, mean in zip(samples, means, strict=True)))
    factor = math.exp(half) if half < 600.0 else math.inf
    return Interval(value, value / factor, value * factor)


def _half_width(*samples: npt.NDArray[np.float64]) -> float:
    """Half of the interval of a sum or difference of means, after Welch."""
    if min(map(len, samples)) < 2:
        return math.inf
    shares = [float(sample.var(ddof=1)) / len(sample) for sample in samples]
    parts = [share**2 / (len(s) - 1) for share, s in zip(shares, samples, strict=True)]
    total = sum(shares)
    return float(t.ppf(0.975, total**2 / sum(parts))) * math.sqrt(total) if total else 0.0


def failure_interval(failures: int, runs: int) -> Interval:
    """The probability of a failure, after Clopper and Pearson."""
    found = binomtest(failures, runs).proportion_ci()
    return Interval(failures / runs, float(found.low), float(found.high))


def errors_text(failures: int, runs: int) -> str:
    """How many of how many runs, with the interval of their probability."""
    found = failure_interval(failures, runs)
    return f"{failures} of {runs} ({found.low:.1%} to {found.high:.1%})"


# Studies and their pages


@dataclass(frozen=True)
class Settings:
    """What the command line says of a study."""

    full: bool = False
    out: Path = Path("papers")
    matrix: cpe.PreferenceMatrix | None = None
    data: Path | None = None
    seed: int = 0
    jobs: int = -1
    name: str = ""  # of the study

    def choose(self, quick: Any, full: Any) -> Any:
        """One value for a quick run and one for a full one."""
        return full if self.full else quick

    def file(self, suffix: str) -> Path:
        """A file of this study in the folder of results."""
        return self.out / f"{self.name}{suffix}"

    def needed(self, option: str) -> Any:
        """What was given by an option that the study cannot do without."""
        if getattr(self, option) is None:
            raise cpe.InputError(f"{self.name} needs --{option}, found none")
        return getattr(self, option)


@dataclass(frozen=True)
class Study:
    """A table or figure: what its template ``pages/NAME.md`` shows.

    ``values`` makes all runs and returns ``claims`` and what replaces the placeholders: tables,
    paths of pictures, numbers and texts.
    """

    name: str
    command: str  # the script with the options that choose the page
    values: Callable[[Settings], Mapping[str, Any]]
    played: bool = True  # whether a full run makes more runs than a quick one


def write_page(study: Study, settings: Settings) -> tuple[str, Mapping[str, Any]]:
    """Run the study and write its page; returns that, and what its placeholders stand for."""
    settings = replace(settings, name=study.name)
    values = {"command": _command(study, settings), **study.values(settings)}
    said, rows = declared("claims"), []
    sentences = said["shared"] | said.get(study.name, {})
    for claim in values["claims"]:
        texts = [text.format_map({**values, **claim.words}) for text in sentences[claim.name]]
        quick = study.played and not settings.full and claim.holds is not None
        rows.append([*texts, claim.ours, OUTCOMES[claim.holds] + " (quick run)" * quick])
    values["claims"] = table_of(["published", "agrees if", "here", "outcome"], rows)
    paths = {key: each.name for key, each in values.items() if isinstance(each, Path)}
    template = (PAGES / f"{study.name}.md").read_text(encoding="utf-8")
    text = template.format_map(values | paths)
    with atomic_write(settings.file(".md")) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")
    return text, values


def _command(study: Study, settings: Settings) -> str:
    """The command that makes the page again, and the version that made it."""
    options = " --full" * settings.full + " --matrix FILE" * (settings.matrix is not None)
    options += " --data FOLDER" * (settings.data is not None)
    options += f" --seed {settings.seed}" * bool(settings.seed)
    return f"`python examples/papers/{study.command}{options}` with cpe_opt {cpe.__version__}"


def declared(name: str) -> dict[str, Any]:
    """What ``pages/NAME.toml`` declares."""
    return tomllib.loads((PAGES / f"{name}.toml").read_text(encoding="utf-8"))


def built(said: Any) -> Any:
    """What a file declares: a call of ``make`` with ``of`` and keywords, which may be calls."""
    if isinstance(said, list):
        return [built(each) for each in said]
    if not isinstance(said, dict):
        return said
    given = {key: built(each) for key, each in said.items()}
    if "make" not in given:
        return given
    return resolve_name(given.pop("make"))(*given.pop("of", ()), **given)


class Table:
    """A frame of a page, whose columns the template says: ``name = column / style ; …``.

    Name and style may be left out; without any, all columns are shown as they are. What is missing
    is left empty, and what is infinite says so.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame

    def __format__(self, columns: str) -> str:
        """The table, as Markdown."""
        shown = {} if columns else {str(name): (name, "") for name in self.frame}
        for each in columns.split(";") if columns else ():
            name, _, rest = each.rpartition("=")
            column, _, style = (part.strip() for part in rest.partition(" / "))
            shown[name.strip() or column] = (column, style)
        rows = [
            [_text(row[column], style) for column, style in shown.values()]
            for row in self.frame.reset_index().to_dict("records")
        ]
        lines = ([cell.replace("|", "\\|") for cell in line] for line in [list(shown), *rows])
        head, *body = (f"| {' | '.join(line)} |" for line in lines)
        return "\n".join([head, f"|{' --- |' * len(shown)}", *body])


def table_of(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Table:
    """A table whose cells are texts."""
    return Table(pd.DataFrame([list(map(str, row)) for row in rows], columns=list(head)))


def _text(value: Any, style: str) -> str:
    number = value if isinstance(value, float) else 0.0
    if math.isnan(number):
        return ""
    return "infinite" if math.isinf(number) else f"{value:{style}}"


def main(studies: Sequence[Study], about: str) -> None:
    """The command line of a script: which of its pages to make, and how."""
    pages = {" ".join(each.command.split()[1:]): each for each in studies}
    parser = argparse.ArgumentParser(
        usage=f"%(prog)s {{{' | '.join(pages)}}} [options]" if len(pages) > 1 else None,
        description=about.partition("\n")[0],
    )
    parser.add_argument("--full", action="store_true", help="all runs, to the last horizon")
    parser.add_argument("--out", type=Path, default=Path("papers"), help="folder of results")
    parser.add_argument("--matrix", type=cpe.read_matrix, help="of many rankers")
    parser.add_argument("--data", type=Path, help="a folder of published data")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=-1, help="worker processes; -1: one a core")
    given, page = parser.parse_known_args()
    if " ".join(page) not in pages:
        parser.error(f"found the page {' '.join(page)!r}, expected one of: {', '.join(pages)}")
    study = pages[" ".join(page)]
    try:
        _, values = write_page(study, Settings(**vars(given)))
    except cpe.CpeOptError as error:
        sys.exit(f"error: {error}")
    print(f"{values['claims']:here; outcome}")
    print(f"wrote {given.out / study.name}.md")


# Runs


def experiment(
    learners: Sequence[cpe.LearnerSpec], problem: Any, settings: Settings, **options: Any
) -> dict[str, pd.DataFrame]:
    """By learner the runs on one problem, with their curves; finished ones are not run again."""
    shared: Any = {"seed": settings.seed, "jobs": settings.jobs, "out": settings.out / "runs"}
    found = cpe.run_experiment(learners, [problem], **shared, **options)
    return {learner: frame for (_, learner), frame in finished_runs(found, curves=True).items()}


def answers(
    learner: cpe.LearnerSpec, problem: Any, runs: int, settings: Settings, /, **columns: Any
) -> pd.DataFrame:
    """Runs of a learner until it stops: ``seed, samples, seconds`` and these columns.

    A column that is a function is what it makes of the answers.
    """
    (found,) = experiment([learner], problem, settings, runs=runs).values()
    named = [tuple(each) if isinstance(each, list) else each for each in found["answer"]]
    made = {n: list(map(each, named)) if callable(each) else each for n, each in columns.items()}
    return found[["seed", "samples", "seconds"]].assign(**made)


def crowd(folder: Path, k: int) -> cpe.SubsetBandit:
    """The k best workers of a folder: a reward of 1 where an answer is right, else of 0."""
    answers, truth = (
        pd.read_csv(folder / file, index_col="question_id", dtype=str, keep_default_na=False)
        for file in ("answer.csv", "truth.csv")
    )
    right = answers.eq(truth.loc[answers.index, "truth"], axis=0)
    return cpe.SubsetBandit.from_outcomes(right, k, name=folder.name)


def random_problem(kind: str, seed: int) -> cpe.SeparableProblem:
    """The best 2 of 8, a water plan of 5 sources, or the allocation of 10 samples to 4 groups."""
    rng = np.random.default_rng(seed)
    decisions: Any
    if kind == "top-k":
        decisions, arms = cpe.BestSet(cpe.TopK(8, 2)), 8
    elif kind == "water":
        # The demand is met exactly: a first unit costs more than any quality is worth.
        costs, arms = [cpe.Quadratic(a, 1.0) for a in 0.1 + 0.3 * rng.random(5)], 5
        decisions = cpe.WaterPlan(costs, [3] * arms, 6)
    else:
        decisions, arms = cpe.OpinionSampling(rng.integers(5, 50, 4).tolist(), 10), 4
    coins = [cpe.Bernoulli(p) for p in rng.beta(0.7, 0.7, arms)]
    return cpe.SeparableProblem(decisions, coins, name=f"{kind}-{seed}")


def rows_of_tasks(
    function: Callable[..., Any],
    tasks: Sequence[Any],
    settings: Settings,
    order: Sequence[str] = (),
) -> pd.DataFrame:
    """The rows that a function returns for the entries of each task, sorted by ``order``."""
    parts = in_parallel(function, tasks, jobs=settings.jobs)
    return written([pd.DataFrame(rows) for rows in parts], settings, order)


_MOST_DRAWS = 100_000


def submatrices(
    matrix: cpe.PreferenceMatrix,
    arms: int,
    count: int,
    seed: tuple[int, int],
    describe: Callable[[cpe.PreferenceMatrix], dict[str, Any]],
    least_gap: float = 0.0,
) -> list[dict[str, Any]]:
    """Random submatrices without small gaps, described."""
    rng = np.random.default_rng(np.random.SeedSequence(seed[0], spawn_key=seed[1:]))
    wide, found = matrix.gaps >= least_gap, list[dict[str, Any]]()
    np.fill_diagonal(wide, val=True)
    for _ in range(_MOST_DRAWS + count if matrix.arms >= arms else 0):
        chosen = rng.choice(matrix.arms, size=arms, replace=False)
        if wide[np.ix_(chosen, chosen)].all():
            drawn = describe(matrix.submatrix(chosen.tolist()))
            found.append({"arms": arms, "number": len(found), **drawn})
        if len(found) == count:
            return found
    raise cpe.InputError(
        f"{matrix.name} has {matrix.arms} arms, found no {arms} with gaps of at least {least_gap}"
    )


def written(
    frames: Sequence[pd.DataFrame], settings: Settings, order: Sequence[str] = ()
) -> pd.DataFrame:
    """The rows of a page, sorted, also written to ``NAME.parquet``."""
    frame = pd.concat(frames, ignore_index=True)
    if order:
        frame = frame.sort_values(list(order), ignore_index=True)
    settings.out.mkdir(parents=True, exist_ok=True)
    with atomic_write(settings.file(".parquet")) as temporary, temporary.open("wb") as data:
        frame.to_parquet(data, index=False)
    return frame


# Pictures


def draw_panels(
    path: Path, shown: Sequence[tuple[pd.DataFrame, Mapping[str, Any]]], size: tuple[float, float]
) -> Path:
    """Panels side by side: a line for each column of a frame, and what is set of the axes."""
    with drawing.picture_style():
        figure = Figure(figsize=size, layout="constrained", dpi=200)
        panels = figure.subplots(1, len(shown), squeeze=False)[0]
        for axes, (table, settings) in zip(panels, shown, strict=True):
            for name, style in drawing.styles(table.columns).items():
                table[name].dropna().plot(ax=axes, marker="o", markersize=3, **style._asdict())
            axes.set(**settings)
            axes.grid(visible=True)
            if len(table.columns) > 1:
                axes.legend(fontsize=drawing.LABEL_SIZE)
    return drawing.save_figure(figure, path)
