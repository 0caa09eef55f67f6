"""The registry of models: every oracle by its noun, its builder of programs, and how to ask both.

A noun is a function that answers, ``copeland_bound``; next to it, in the same module, is a function
that builds its program and never solves it, ``copeland_bound_program``. An entry of :data:`MODELS`
says where both are, of which problems, and how their arguments are read off a problem. The commands
``solve``, ``export`` and ``models``, the pages in ``models/`` and their tests are loops over it.
"""

from __future__ import annotations

import inspect
import math
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from cpe_opt.errors import InputError, UnknownName

if TYPE_CHECKING:
    from cpe_opt.formulations.answer import Answer


_NAME = re.compile(r"([a-z_]+?)_([0-9].*)")


@dataclass(frozen=True)
class Model:
    """An oracle: its noun, its module, and how it is asked about a problem."""

    name: str  # the noun with dashes, such as `copeland-bound`
    family: str  # of the problems it is asked about
    about: str  # what it answers, in a line
    module: str  # where the noun is
    # from a problem to the positional arguments of both
    arguments: Callable[[Any], tuple[Any, ...]] = lambda problem: (problem,)
    # An option that the answer settles where it is not given, and that may leave no program
    choice: str = ""
    method: str = ""  # the one asked for where none is named, if that is not the noun's own
    # the method that solves its program, where there is one program and several methods
    program: str = ""
    # for blocks of columns and rows what the numbers in their names are, such as `{"x": "arm
    # arm"}`; see names
    legend: Mapping[str, str] = field(default_factory=dict)

    @property
    def noun(self) -> str:
        """The name of the function that answers."""
        return self.name.replace("-", "_")

    @property
    def answers(self) -> Callable[..., Answer]:
        """The function that answers."""
        function: Callable[..., Answer] = getattr(import_module(self.module), self.noun)
        return function

    @property
    def builds(self) -> Callable[..., Any]:
        """The function that builds the program."""
        function: Callable[..., Any] = getattr(import_module(self.module), f"{self.noun}_program")
        return function

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that can answer; empty if there is one and it needs no name."""
        return _methods(self.answers)

    @property
    def formulations(self) -> tuple[str, ...]:
        """The methods that are programs; empty if there is one and it needs no name."""
        return (self.program,) if self.program else _methods(self.builds)

    @property
    def options(self) -> tuple[str, ...]:
        """What else can be asked for, such as ``winner``."""
        return tuple(_options(self.builds))

    def solve(self, problem: Any, method: str | None = None, **arguments: Any) -> Answer:
        """Answer for a problem; arguments are options, and those of :func:`cpe_opt.solve`."""
        chosen = self._checked(problem, method or self.method or None, self.methods)
        return self.answers(*self.arguments(problem), **chosen, **arguments)

    def build(self, problem: Any, method: str | None = None, **options: Any) -> Any:
        """The program of a problem; where the answer settles a choice, it is asked first."""
        if options.get("rows") and method is None:
            method = "compact"  # as that of the answer: the columns of "cuts" are others
        chosen = self._checked(problem, method, self.formulations)
        if self.choice:
            answer = self.answers(*self.arguments(problem), **chosen, **options)
            if not math.isfinite(answer.value):
                printed = "; --ties literal gives the rows as printed" * ("ties" in self.options)
                raise InputError(
                    f"the program of {self.name} for {problem.name} has no solution: a tie may "
                    f"cost the winner its rank{printed}"
                )
            options = {**options, self.choice: getattr(answer, self.choice)}
        if self.program:
            chosen = {}  # there is one program, which the builder need not be told
        return self.builds(*self.arguments(problem), **chosen, **options)

    def decode(self, problem: Any, answer: Answer) -> dict[str, Any]:
        """The answer for people: what it is by, how good, and what is its own, with labels."""
        named = {"method": answer.method} if self.methods else {}
        numbers = {"value": answer.value, "bound": answer.bound, "gap": answer.gap}
        return {**named, **numbers, **answer.report(problem)}

    def names(self, problem: Any, columns_and_rows: Sequence[str]) -> dict[str, str]:
        """A legend: what the names of columns and rows stand for, with the problem's labels."""
        legend = {}
        for name in columns_and_rows:
            match = _NAME.fullmatch(name)
            kinds = self.legend.get(match[1], "").split() if match else []
            numbers = match[2].split("_") if match else []
            if kinds and len(kinds) == len(numbers):
                words = [_label(problem, *pair) for pair in zip(kinds, numbers, strict=True)]
                legend[name] = " - ".join(words)
        return legend

    def _checked(self, problem: Any, method: str | None, methods: Sequence[str]) -> dict[str, str]:
        if problem.family != self.family:
            raise InputError(
                f"{self.name} is a model of {self.family}, and {problem.name} is a problem of "
                f"{problem.family}"
            )
        if method is None:
            return {}
        if not self.methods:
            raise InputError(f"--method has no effect on {self.name}, which has one")
        if method not in self.methods:
            raise UnknownName("method", method, self.methods)
        if method not in methods:
            raise InputError(
                f"{self.name} by {method!r} solves no program; its programs are "
                f"{', '.join(methods)}"
            )
        return {"method": method}


def legend_for(problem: Any, program: Any) -> dict[str, str]:
    """The legend of the model of the problem's family that has a word for the most names."""
    names = (*program.column_names, *program.row_names)
    models = [model for model in MODELS.values() if model.family == problem.family and model.legend]
    try:
        legends = [model.names(problem, names) for model in models]
    except (LookupError, ValueError, AttributeError):
        return {}  # of another problem, such as one that a learner makes of its own
    return max(legends, key=len, default={})


def _class_and_ellipsoid(bandit: Any) -> tuple[Any, ...]:
    """The confidence ellipsoid of the uniform design over 2n random sets, seed 0."""
    import numpy as np

    from cpe_opt.formulations.designs.uniform import uniform_design

    design = uniform_design(bandit.decisions, seed=0)
    return bandit.decisions, np.linalg.pinv(design.information, hermitian=True)


def _parameters_sizes_and_budget(problem: Any) -> tuple[Any, ...]:
    model = problem.model
    if not (hasattr(model, "sizes") and hasattr(model, "budget")):
        raise InputError(f"sample-allocation is a model of OpinionSampling, not of {model!r}")
    return problem.theta, model.sizes, model.budget


_AT = "cpe_opt.formulations"
_PAIRS = {"x": "arm arm", "prefix": "arm number", "fixed": "arm"}
_EDGES = {"x": "candidate position", "position": "position", "candidate": "candidate"}

MODELS: dict[str, Model] = {
    model.name: model
    for model in (
        # dueling
        Model(
            "copeland-bound",
            "dueling",
            "C*: the least regret of any algorithm, and the exploration that attains it",
            f"{_AT}.dueling.lower_bound",
            choice="winner",
            legend=_PAIRS,
        ),
        Model(
            "ecw-bound",
            "dueling",
            "C^E*: the same with the evidence of the winner's pairs fixed, in closed form, too",
            f"{_AT}.dueling.lower_bound",
            choice="winner",
            legend=_PAIRS,
        ),
        Model(
            "copeland-time",
            "dueling",
            "T*: the least cost of identifying a Copeland winner, and the duels that attain it",
            f"{_AT}.dueling.copeland_time",
            choice="winner",
            legend=_PAIRS,
        ),
        Model(
            "condorcet-time",
            "dueling",
            "T* of a Condorcet winner that is known to exist, in closed form too",
            f"{_AT}.dueling.condorcet_time",
            legend={"x": "arm arm", "loses": "arm"},
        ),
        Model(
            "borda-time",
            "dueling",
            "T* of a Borda winner by squared errors, a second-order cone program",
            f"{_AT}.dueling.borda_time",
            program="cone",
        ),
        Model(
            "cheapest-flips",
            "dueling",
            "the cheapest pairs whose flips make an arm a Copeland winner, an integer program",
            f"{_AT}.dueling.cheapest_flips",
            choice="arm",
            program="program",
            legend={"flip": "arm arm", "tie": "arm arm", "losses": "arm"},
        ),
        Model(
            "von-neumann-winner",
            "dueling",
            "the lottery that no arm beats, a matrix game",
            f"{_AT}.dueling.voting",
            legend={"p": "arm", "arm": "arm"},
        ),
        # matchings
        Model(
            "condorcet-value",
            "matchings",
            "the minimax value over two matching polytopes, a saddle LP",
            f"{_AT}.matchings.condorcet_value",
            attrgetter("graph", "array"),
            program="saddle",
            legend={**_EDGES, "u": "position", "v": "candidate", "reply": "candidate position"},
        ),
        Model(
            "best-matching",
            "matchings",
            "the matching of the largest weight; asked about a problem, of the Borda weights",
            f"{_AT}.matchings.assignment",
            attrgetter("graph", "borda_weights"),
            program="program",
            legend=_EDGES,
        ),
        Model(
            "matching-time",
            "matchings",
            "T*: the least cost of proving the Condorcet matching, and the duels that attain it",
            f"{_AT}.matchings.matching_time",
            program="cone",
        ),
        # subsets
        Model(
            "best-subset",
            "subsets",
            "the set of the largest weight in a decision class",
            f"{_AT}.subsets.oracle",
            attrgetter("decisions", "theta"),
            program="program",
            legend={"x": "element"},
        ),
        Model(
            "subset-time",
            "subsets",
            "T*: the least cost of identifying the best set, and the pulls that attain it",
            f"{_AT}.subsets.subset_time",
            program="cone",
        ),
        Model(
            "ellipsoid-maximum",
            "subsets",
            "the set with the largest uncertainty in a confidence ellipsoid, an integer program",
            f"{_AT}.quadratic.maximise",
            _class_and_ellipsoid,
            method="exact",
            program="exact",
            legend={"x": "element", "y": "element element"},
        ),
        Model(
            "g-design",
            "subsets",
            "how often to pull which set, so that the largest variance of a set is least",
            f"{_AT}.designs.optimal",
            lambda bandit: (bandit.decisions,),
            program="cvxpy",
        ),
        Model(
            "xy-design",
            "subsets",
            "how often to pull which set, so that the largest variance of a difference is least",
            f"{_AT}.designs.optimal",
            lambda bandit: (bandit.decisions,),
            program="cvxpy",
        ),
        # separable
        Model(
            "sample-allocation",
            "separable",
            "how many samples of which group",
            f"{_AT}.separable.sample_allocation",
            _parameters_sizes_and_budget,
        ),
        Model(
            "water-plan",
            "separable",
            "how much to purify where",
            f"{_AT}.separable.water_plan",
            attrgetter("model", "theta"),
        ),
    )
}


def get_model(name: str) -> Model:
    """The model of this name; ``copeland-bound`` and ``copeland_bound`` are the same."""
    key = name.replace("_", "-")
    if key not in MODELS:
        raise UnknownName("model", name, MODELS)
    return MODELS[key]


def _methods(function: Callable[..., Any]) -> tuple[str, ...]:
    """The words of the annotation of ``method``."""
    hint = typing.get_type_hints(inspect.unwrap(function)).get("method")
    alternatives = typing.get_origin(hint) in (typing.Union, types.UnionType)
    kinds = typing.get_args(hint) if alternatives else (hint,)
    literals = [kind for kind in kinds if typing.get_origin(kind) is typing.Literal]
    return tuple(word for kind in literals for word in typing.get_args(kind))


def _options(function: Callable[..., Any]) -> list[str]:
    """The optional parameters of a function that builds, ``method`` left out."""
    return [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is not parameter.empty and name != "method"
    ]


def _label(problem: Any, kind: str, number: str) -> str:
    """The word for a number in a name: an arm's label, say."""
    if kind == "number":
        return number
    graph = getattr(problem, "graph", None)
    labels = problem.labels if graph is None else getattr(graph, f"{kind}_labels")
    return str(labels[int(number)])
