"""Problems of any family from files, and matrices and separable rewards to files.

What a file is, :mod:`cpe_opt.formats.kinds` says. A script ``script.py:name`` has the problem
that it calls by this name.

**Workers.** The reward of a worker for a question is 1 where the answer is right, else 0, also
where there is none (Li, Baba, Kashima, "Hyper Questions", CIKM 2017).

**Separable rewards.** A JSON file names the model, its numbers, and its arms::

    {"model": "water-plan", "demand": 6, "step": 1, "arms": [
      {"label": "lake", "cap": 4, "cost": {"quadratic": {"a": 0.1, "b": 1}},
       "distribution": {"bernoulli": {"p": 0.9}}},
      {"label": "river", "cap": 4, "cost": {"power": {"a": 1, "p": 1.3}},
       "distribution": {"beta": {"a": 3, "b": 3}}}
    ]}

==================== ===================== ====================
model                its numbers           those of an arm
==================== ===================== ====================
``best-k``           ``k``
``water-plan``       ``demand``, ``step``  ``cap``, ``cost``
``opinion-sampling`` ``budget``            ``size``
==================== ===================== ====================

Costs are ``quadratic`` (a, b), ``power`` (a, p), ``piecewise-linear`` (breaks, slopes);
distributions ``bernoulli`` (p), ``beta`` (a, b), ``empirical`` (values). In place of distributions,
``"observations": "seen.csv"`` names a CSV file next to the JSON file: one column per arm, with its
label for a header. ``k`` may be left to the caller; for ``best-k`` with observations, so may the
arms.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, UnknownName, counted, errors_of, listed
from cpe_opt.files import atomic_write, check_output
from cpe_opt.formats.kinds import (
    ANSWERS_FILE,
    COLUMNS,
    TRUTH_FILE,
    Format,
    format_of,
    has_items,
)
from cpe_opt.formats.matrices import read_square, write_square
from cpe_opt.formats.observations import read_item_duels, read_scores
from cpe_opt.formats.panels import read_panel, read_probabilities, write_panel
from cpe_opt.formats.tables import Table, read_table, unique_keys
from cpe_opt.formats.votes import read_preferences
from cpe_opt.problems.catalogue import INSTANCES, made_by_name
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.generators import GENERATORS
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.separable.model import BestSet, OpinionSampling, SeparableModel
from cpe_opt.problems.separable.problem import (
    Bernoulli,
    Beta,
    Distribution,
    Empirical,
    SeparableProblem,
)
from cpe_opt.problems.separable.water_plan import Cost, PiecewiseLinear, Power, Quadratic, WaterPlan
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.edge_sets import SpanningTrees
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.scripts import is_script, run_script
from cpe_opt.text import read_text, require_file, stem_of
from cpe_opt.validation import Name, checked_count, checked_number, checked_types

_QUESTION = "question_id"
_WORDS = {"1": 1.0, "true": 1.0, "yes": 1.0, "0": 0.0, "false": 0.0, "no": 0.0}
_OF_MODEL = {"best-k": ("k",), "water-plan": ("demand", "step"), "opinion-sampling": ("budget",)}
_OF_ARM = {"best-k": (), "water-plan": ("cap", "cost"), "opinion-sampling": ("size",)}
_OPTIONAL = ("k", "step")
_COSTS: dict[str, type[Cost]] = {
    "quadratic": Quadratic,
    "power": Power,
    "piecewise-linear": PiecewiseLinear,
}
_DISTRIBUTIONS: dict[str, type[Distribution]] = {
    "bernoulli": Bernoulli,
    "beta": Beta,
    "empirical": Empirical,
}


@checked_types
def load_problem(
    name_or_path: str | os.PathLike[str], k: int | None = None, *, items: bool = False
) -> Problem:
    """A built-in instance by name, a random problem, or the problem in a file of any format.

    Parameters
    ----------
    name_or_path : str or path
        One of ``cpe_opt.INSTANCES``, a random problem such as ``bradley-terry:64:seed=3``
        (:func:`cpe_opt.problems.generators.generated_problem`), or a file or folder of any of the
        formats of :mod:`cpe_opt.formats.problems`.
    k : int, optional
        How many elements a set has, where a file does not say; refused where it has no effect.
    items : bool
        Whether a log of duels with a column ``item`` is read as a fixed test set
        (:class:`cpe_opt.ItemDuels`), each of whose cells is asked once, rather than as votes whose
        fractions are the probabilities of wins.

    Raises
    ------
    UnknownName
        Where it is neither the name of an instance nor looks like a path.
    InputError
        With the file and the line.

    Examples
    --------
    >>> load_problem("sushi").family
    'dueling'
    """
    if isinstance(name_or_path, str):
        made = made_by_name(name_or_path)
        if made is not None and k is not None:
            raise InputError(
                f"{name_or_path}: k (--k on the command line) has no effect on a problem that is "
                "made by its name; it says how many elements the sets of a file have"
            )
        if made is not None:
            return made
        if not is_path(name_or_path):
            raise UnknownName("instance", name_or_path, (*INSTANCES, *GENERATORS))
    return read_problem(name_or_path, k, items=items)


@checked_types
def read_matrix(path: str | os.PathLike[str], *, name: Name | None = None) -> PreferenceMatrix:
    r"""Read a preference matrix from a text file.

    Parameters
    ----------
    path : path
        Cells are separated by commas, semicolons, tabs or blanks. A header row of labels is
        optional, and so is a first column that repeats them; lines starting with ``#`` are
        comments.
    name : str, optional
        The file's by default.

    Raises
    ------
    InputError
        With the line and the cell that cannot be read, or the arms whose probabilities are wrong.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "tastings.csv"
    ...     _ = path.write_text(",tuna,squid\ntuna,0.5,0.6\nsquid,0.4,0.5\n")
    ...     read_matrix(path)
    PreferenceMatrix('tastings', 2 arms, Copeland winners: tuna)
    """
    table = read_square(path)
    with errors_of(table.source):
        title = table.name if name is None else name
        return PreferenceMatrix(table.array, table.labels or None, name=title)


@checked_types
def write_problem(
    problem: PreferenceMatrix | MatchingDuels | SeparableProblem, path: str | os.PathLike[str]
) -> None:
    """Write a problem: preferences and matchings as CSV, separable rewards as JSON.

    Parameters
    ----------
    problem : PreferenceMatrix, MatchingDuels or SeparableProblem
    path : path
        From which :func:`load_problem` reads the same; overwritten where it is there.

    Raises
    ------
    InputError
        Where no file holds such a model: an oracle given in Python, sets other than all k of m;
        or a label of an arm has a line break.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_problem(PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]]), f"{folder}/m.csv")
    ...     Path(folder, "m.csv").read_text().split()
    [',0,1', '0,0.5,0.6', '1,0.4,0.5']
    """
    check_output(path, force=True)
    known: Any = problem
    if problem.family == "separable":
        _write_separable(path, known)
    elif problem.family == "matchings":
        write_panel(path, known)
    else:
        write_square(path, known.array, known.labels)


def is_path(text: str) -> bool:
    """Whether a text is rather the path of a file or folder than the name of an instance."""
    try:
        if not text.strip():
            return False
        return bool(Path(text).suffix) or "/" in text or os.sep in text or Path(text).exists()
    except (OSError, ValueError):
        return True


def read_problem(
    path: str | os.PathLike[str], k: int | None = None, *, items: bool = False
) -> Problem:
    """Read a file or folder of whatever problem; arguments as for :func:`load_problem`."""
    if is_script(path):
        if k is not None:
            raise InputError(f"{path}: k (--k on the command line) has no effect on a script")
        return _of_script(path)
    if Path(path).suffix.lower() == ".py":
        raise InputError(
            f"{str(path)!r} is a script: expected the name of a problem in it, too, such as "
            f"{Path(path).name}:problem"
        )
    kind = format_of(path)
    if items and k is None and has_items(path):
        return read_item_duels(path)
    if kind.family == "subsets":
        return _of_sets(path, kind, k)
    if kind.family == "separable":
        return _of_separable_rewards(path, k)
    if k is not None:
        what = "preferences" if kind.family == "dueling" else "matchings"
        raise InputError(
            f"{path}: k (--k on the command line) has no effect on a problem of {what}; it says "
            "how many elements the sets of a file have"
        )
    if kind is Format.POSITION_TABLE:
        return read_probabilities(path)
    return read_panel(path) if kind is Format.POSITION_LOG else _of_preferences(path)


def _of_script(text: str | os.PathLike[str]) -> Problem:
    """The problem that a script calls by this name."""
    place, _, name = os.fspath(text).rpartition(":")
    path = require_file(place)
    problem = getattr(run_script(path, read_text(path)), name, None)
    if not isinstance(problem, Problem):
        found = "it has no such name" if problem is None else f"it is a {type(problem).__name__}"
        raise InputError(
            f"{path.name}: {name!r} is no problem ({found}); expected such as "
            "`problem = cpe_opt.SubsetBandit(…)`"
        )
    return problem


def _of_preferences(path: str | os.PathLike[str]) -> PreferenceMatrix:
    """A matrix, or the estimate from a log of duels or an election."""
    table = read_preferences(path)
    with errors_of(table.source):
        votes = None if table.counts is None else Votes.of_table(table)
        return PreferenceMatrix(table.array, table.labels or None, name=table.name, votes=votes)


def _of_sets(path: str | os.PathLike[str], kind: Format, k: int | None) -> SubsetBandit:
    """Teams by least squares; all sets of k elements or workers; the spanning trees of a graph."""
    name = stem_of(path)
    if kind is Format.TEAMS:
        log = read_scores(path)
        noise = log.noise()
        return SubsetBandit(
            log.decisions(k), log.means(), noise=1.0 if noise is None else noise, name=name
        )
    if kind is Format.EDGES:
        if k is not None:
            raise InputError(
                f"{path}: k was given, and spanning trees have as many edges as the graph asks for"
            )
        table = read_table(path, COLUMNS[kind], comments=False)
        means = table.numbers("mean")
        ends = list(zip(table.names("from"), table.names("to"), strict=True))
        with errors_of(table.source):
            return SubsetBandit(SpanningTrees(ends), means, name=name)
    if k is None:
        raise InputError(f"{path}: how many are to be chosen? Give k (--k on the command line)")
    k = checked_count("k", k)
    if kind is Format.ANSWERS:
        right, workers = _answers(path)
    elif kind is Format.ANSWER_FOLDER:
        right, workers = _answer_folder(Path(path))
        name = Path(path).resolve().name
    else:
        table = read_table(path, COLUMNS[kind], comments=False)
        means = table.numbers("mean")
        return SubsetBandit(TopK(table.rows, k, table.distinct("element")), means, name=name)
    if len(workers) < 2:
        raise InputError(f"{path}: {counted(workers, 'worker')}, expected at least 2")
    return SubsetBandit.from_outcomes(right, k, labels=workers, name=name)


def _answers(path: str | os.PathLike[str]) -> tuple[FloatArray, list[str]]:
    """Which answers are right, and the workers: one line an answer."""
    table = read_table(path, COLUMNS[Format.ANSWERS], others=True)
    (questions, asked), (workers, names) = table.labels("question"), table.labels("worker")
    right = np.zeros((len(asked), len(names)))
    first: dict[tuple[int, int], int] = {}
    cells = zip(questions.tolist(), workers.tolist(), table.texts("correct"), strict=True)
    for row, (question, worker, word) in enumerate(cells):
        if word.lower() not in _WORDS:
            raise InputError(f"{table.place(row)}: correct is {word!r}, expected 1 or 0")
        before = first.setdefault((question, worker), row)
        if before < row:
            raise InputError(
                f"{table.place(row)}: {names[worker]!r} has answered {asked[question]!r} before, "
                f"in {table.place(before).rpartition(', ')[2]}"
            )
        right[question, worker] = _WORDS[word.lower()]
    return right, names


def _answer_folder(folder: Path) -> tuple[FloatArray, list[str]]:
    """Which answers are right, and the workers: one column a worker."""
    answers, truth = (
        read_table(folder / file, comments=False) for file in (ANSWERS_FILE, TRUTH_FILE)
    )
    for table, column in ((answers, _QUESTION), (truth, _QUESTION), (truth, "truth")):
        if column not in table:
            raise InputError(f"{table.source}: no column {column!r}; found {listed(table.columns)}")
    known = dict(zip(truth.distinct(_QUESTION), truth.texts("truth"), strict=True))
    questions = answers.distinct(_QUESTION)
    for row, question in enumerate(questions):
        if not known.get(question):
            raise InputError(
                f"{truth.source}: no truth of question {question!r} of {answers.place(row)}"
            )
    workers = [column for column in answers.columns if column != _QUESTION]
    right = np.zeros((len(questions), len(workers)))
    for place, worker in enumerate(workers):
        cells = zip(questions, answers.texts(worker), strict=True)
        right[:, place] = [cell == known[question] for question, cell in cells]
    return right, workers


def _write_separable(path: str | os.PathLike[str], problem: SeparableProblem) -> None:
    content: dict[str, Any]
    model = problem.model
    entries: list[dict[str, Any]] = [{"label": label} for label in model.labels]
    if isinstance(model, BestSet) and model.decisions.uniform_rank is not None:
        content = {"model": "best-k", "k": model.decisions.uniform_rank}
    elif isinstance(model, WaterPlan):
        content = {"model": "water-plan", "demand": model.demand, "step": model.step}
        for arm, cap, cost in zip(entries, model.caps.tolist(), model.costs, strict=True):
            arm.update(cap=cap, cost=_as_json(cost, _COSTS))
    elif isinstance(model, OpinionSampling):
        content = {"model": "opinion-sampling", "budget": model.budget}
        for arm, size in zip(entries, model.sizes, strict=True):
            arm["size"] = size
    else:
        raise InputError(f"{model.name} cannot be written: no file format holds such a model")
    for arm, distribution in zip(entries, problem.arms, strict=True):
        arm["distribution"] = _as_json(distribution, _DISTRIBUTIONS)
    head, arms = json.dumps(content).removesuffix("}"), ",\n  ".join(map(json.dumps, entries))
    with atomic_write(path) as temporary:
        temporary.write_text(f'{head}, "arms": [\n  {arms}\n]}}\n', encoding="utf-8")


def _of_separable_rewards(path: str | os.PathLike[str], k: int | None) -> SeparableProblem:
    path = require_file(path)
    text = read_text(path)
    try:
        content = json.loads(text, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a readable JSON file ({error})") from None
    with errors_of(str(path)):
        kind, seen = _checked_content(content, path.parent)
        arms = _checked_arms(content.get("arms"), kind, seen is not None)
        model = _model(kind, content, arms, k)
        distributions = [
            _from_json(_DISTRIBUTIONS, "distribution", label, entry)
            if seen is None
            else _observed(seen, label)
            for label, entry in arms
        ]
    return SeparableProblem(model, distributions, name=stem_of(path))


def _checked_content(content: Any, folder: Path) -> tuple[str, Table | None]:
    """The kind of model, and the table of observations where there is one."""
    if not isinstance(content, dict) or "model" not in content:
        raise InputError(f'expected {{"model": …, "arms": […]}} with one of {", ".join(_OF_MODEL)}')
    kind = content["model"]
    if not isinstance(kind, str) or kind not in _OF_MODEL:
        raise UnknownName("model", kind, _OF_MODEL)
    _check_keys("the file", content, ("model", *_OF_MODEL[kind]), ("observations", "arms"))
    if "observations" not in content:
        return kind, None
    seen = read_table(folder / str(content["observations"]), comments=False)
    if kind == "best-k":
        content.setdefault("arms", [{"label": label} for label in seen.columns])
    return kind, seen


def _checked_arms(entries: Any, kind: str, observed: bool) -> list[tuple[str, Mapping[str, Any]]]:
    """The label of each arm, its number by default, and its entries."""
    if not isinstance(entries, list) or not entries:
        raise InputError("arms: expected a list of at least one arm")
    wanted = _OF_ARM[kind] if observed else (*_OF_ARM[kind], "distribution")
    arms: list[tuple[str, Mapping[str, Any]]] = []
    for place, entry in enumerate(entries):
        if not isinstance(entry, dict):
            raise InputError(f"arm {place} is {entry!r}, expected an object with its numbers")
        label = entry.get("label", place)
        if isinstance(label, bool) or not isinstance(label, str | int | float) or label == "":
            raise InputError(f"arm {place}: label is {json.dumps(label)}, expected a name")
        _check_keys(f"arm {label}", entry, wanted, ("label",))
        arms.append((str(label), entry))
    return arms


def _observed(seen: Table, label: str) -> Empirical:
    """The observations in the column of an arm, without empty cells: columns differ in length."""
    if label not in seen:
        raise InputError(f"{seen.source}: no column {label!r}; found {listed(seen.columns)}")
    values = seen.numbers(label, empty=np.nan)
    with errors_of(f"{seen.source}, column {label}"):
        return Empirical(tuple(values[~np.isnan(values)].tolist()))


def _model(
    kind: str,
    content: Mapping[str, Any],
    arms: Sequence[tuple[str, Mapping[str, Any]]],
    k: int | None,
) -> SeparableModel:
    labels = [label for label, _ in arms]
    if kind == "best-k":
        if k is not None and content.get("k", k) != k:
            raise InputError(f"k is {content['k']} in the file, and {k} was given")
        k = content.get("k", k)
        if k is None:
            raise InputError("how many are to be chosen? Give k (--k on the command line)")
        return BestSet(TopK(len(labels), k, labels))
    if k is not None:
        raise InputError(f"k was given, and {kind} has none")
    if kind == "opinion-sampling":
        return OpinionSampling([entry["size"] for _, entry in arms], content["budget"], labels)
    caps = [checked_number(f"arm {label}: cap", entry["cap"], above=0.0) for label, entry in arms]
    costs = [_from_json(_COSTS, "cost", label, entry) for label, entry in arms]
    step = content.get("step", 1.0)
    return WaterPlan(costs, caps, content["demand"], step=step, labels=labels)


def _from_json(kinds: Mapping[str, Any], what: str, label: str, entry: Mapping[str, Any]) -> Any:
    """The cost or distribution of an arm: ``{name: {field: number}}``."""
    where, content = f"arm {label}: {what}", entry[what]
    name, numbers = next(iter(content.items()), ("", 0)) if isinstance(content, dict) else ("", 0)
    if name not in kinds or len(content) > 1 or not isinstance(numbers, dict):
        raise InputError(
            f"{where} is {json.dumps(content)}, expected an object of numbers by one of "
            f"{', '.join(kinds)}"
        )
    fields = dataclasses.fields(kinds[name])
    needed = tuple(field.name for field in fields if field.default is dataclasses.MISSING)
    _check_keys(f"{where}: {name}", numbers, needed, tuple(field.name for field in fields))
    try:
        return kinds[name](
            **{
                key: tuple(map(float, value)) if isinstance(value, list) else value
                for key, value in numbers.items()
            }
        )
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    except (TypeError, ValueError):
        raise InputError(f"{where} is {json.dumps(content)}, expected numbers in it") from None


def _as_json(value: Cost | Distribution, kinds: Mapping[str, type]) -> dict[str, Any]:
    """The inverse of :func:`_from_json`."""
    for name, kind in kinds.items():
        if type(value) is kind:
            return {name: dataclasses.asdict(value)}  # type: ignore[call-overload]
    raise InputError(f"{value!r} cannot be written: no file format holds it")


def _check_keys(
    where: str, entry: Mapping[str, Any], needed: Sequence[str], optional: Sequence[str]
) -> None:
    """Raise :class:`InputError` if an object has other keys, or lacks a needed one."""
    known = dict.fromkeys((*needed, *optional))
    for key in entry:
        if key not in known:
            raise InputError(f"{where} has {key!r}, expected {', '.join(known)}")
    for key in needed:
        if key not in entry and key not in _OPTIONAL:
            raise InputError(f"{where} has no {key!r}")
