"""What a learner declares next to its code: for which problems it is, and what it promises.

Every learner of this package carries a declaration; one of a user may. Without one, nothing is
known of a learner but its parameters: it may face any problem, and is taken to stop by itself.

Docstrings of learners leave out what they share. The first argument is what a learner may know:
``arms``, K, at least 2; ``graph``, ``decisions`` or ``model``. All random choices are made by
``rng``, which is optional where there are none. ``delta`` is as :data:`SHARED_PARAMETERS` says.
On a fixed test set ``cells`` says how many cells each pair has, each to be asked at most once, and
``answered`` what each arm got against each other in further cells of the table; the answer is about
the full table; ``hints`` are guesses of a cheap judge, of all cells that can be asked. A session
keeps a learner's state in ``checkpoint``.
"""

from __future__ import annotations

import functools
import inspect
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.validation import checked_types

Goal: TypeAlias = Literal["regret", "identification", "PAC"]
Winner: TypeAlias = Literal["Copeland", "Condorcet", "Borda", ""]
Declared = TypeVar("Declared", bound=Callable[..., Any])
EndlessOn: TypeAlias = Callable[[Any, Mapping[str, Any]], bool]
_DECLARATION = "_cpe_opt_declaration"
Told: TypeAlias = Literal["rng", "horizon", "cells", "answered", "hints", "checkpoint"]
_TOLD: tuple[Told, ...] = ("rng", "horizon", "cells", "answered", "hints", "checkpoint")
"""What a learner is told that is no parameter of the algorithm."""
SHARED_PARAMETERS = {"delta": ("float", "The probability of a wrong answer, between 0 and 1.")}
"""Types and descriptions of parameters, for learners whose docstrings say nothing else of them."""
_signature = functools.lru_cache(inspect.signature)
BUDGET = "budget"
"""The parameter of learners that make a fixed number of duels, and stop then."""


@checked_types
@dataclass(frozen=True)
class Declaration:
    """What is known of a learner.

    Attributes
    ----------
    family : str
        Of the problems it is for: ``dueling``, ``matchings``, ``subsets``, ``separable``; empty if
        not declared.
    goal : "regret", "identification" or "PAC"
        To lose little while it learns; to find the best answer, wrongly with a small probability;
        or one within a tolerance of the best.
    guarantee : str
        What is proved of it, in a line. Empty, or beginning with "none", where nothing is: then
        no answer of it is called proved.
    paper : str
        Where, and the number of the algorithm.
    assumption : str
        What the guarantee of all its answers rests on and its queries do not show, so worded that
        it follows "proved, if"; empty if there is nothing, or where the learner says it with
        each answer (:class:`cpe_opt.learners.queries.Conditional`). Not meant is what all proofs
        rest on: that observations are as :mod:`cpe_opt.problems.queries` has them; nor noise, on
        which a learner of rewards rests by its parameters (:func:`noise_assumption`).
    endless : bool
        Whether it explores or plays on until it is told that a horizon is reached.
    endless_if : str
        Where a learner that stops by itself may not do so.
    endless_on : callable, optional
        Whether that is so of a problem without a margin, by the problem and the learner's
        parameters; without one it is not known.
    unit_rewards : bool
        Whether it is for rewards in [0, 1] alone.
    batches : str
        Which of its queries are open at once (:class:`cpe_opt.Batch`), in words; empty for a
        learner that asks one query at a time.
    starts : str
        What it can start from, by its parameter ``prior``; empty where from nothing.
    within : str
        What is proved of an answer where the parameter ``margin`` is positive, with
        ``{margin:g}`` in its place; empty for learners without one.
    winner : "Copeland", "Condorcet", "Borda" or ""
        Of arms that duel, which winner a proved answer is.
    shares : bool
        Whether it is a test of two arms by pairs of games, of which the first gets a share, with
        the parameters of :func:`cpe_opt.learners.sequential_test`.
    """

    family: str = ""
    goal: Goal | None = None
    guarantee: str = ""
    paper: str = ""
    assumption: str = ""
    endless: bool = False
    endless_if: str = ""
    endless_on: EndlessOn | None = None
    unit_rewards: bool = False
    batches: str = ""
    starts: str = ""
    within: str = ""
    winner: Winner = ""
    shares: bool = False

    def extent(self, parameters: Mapping[str, Any]) -> str:
        """What is proved of an answer with these parameters, if that is not all that was asked."""
        margin = parameters.get("margin", 0.0)
        return self.within.format(margin=margin) if margin else ""

    def endless_case(self, problem: Any, parameters: Mapping[str, Any]) -> str:
        """``endless_if``, or empty where the problem or the parameters exclude it."""
        used_up = getattr(problem, "cells", None) is not None  # each is asked once: runs end
        if used_up or (self.within and parameters.get("margin")):
            return ""
        excluded = self.endless_on is not None and not self.endless_on(problem, parameters)
        return "" if excluded else self.endless_if

    @property
    def promises(self) -> bool:
        """Whether it declares a guarantee, which "none" is not: only then an answer is proved."""
        return bool(self.guarantee) and not self.guarantee.startswith("none")

    @property
    def asks(self) -> str:
        """Whether several of its queries are open at once, in words."""
        return f"batches: {self.batches}" if self.batches else "one query at a time"

    @property
    def stops(self) -> str:
        """Whether it stops by itself, in words."""
        if self.endless:
            return "no: it needs a horizon"
        return f"yes, unless {self.endless_if}" if self.endless_if else "yes"


@checked_types
def declare(
    *,
    family: str,
    goal: Goal,
    guarantee: str,
    paper: str,
    **others: Any,
) -> Callable[[Declared], Declared]:
    """Attach a :class:`Declaration` to a learner, and check its arguments at its door.

    ``others`` are further attributes of a :class:`Declaration`, by their names.

    The door is that of :func:`cpe_opt.validation.checked_types`: what the annotations declare.

    Raises :class:`cpe_opt.errors.UnknownName` for another goal.

    Examples
    --------
    >>> @declare(family="dueling", goal="PAC", guarantee="none", paper="this docstring")
    ... def first_arm(arms):
    ...     yield from ()
    ...     return 0
    >>> declaration_of(first_arm).stops, declaration_of(first_arm).asks
    ('yes', 'one query at a time')
    """
    declaration = Declaration(family=family, goal=goal, guarantee=guarantee, paper=paper, **others)

    def attach(function: Declared) -> Declared:
        learner = checked_types(function)
        setattr(learner, _DECLARATION, declaration)
        return learner

    return attach


def declaration_of(learner: Callable[..., Any]) -> Declaration:
    """The declaration of a learner, or an empty one."""
    declaration = getattr(learner, _DECLARATION, None)
    return declaration if isinstance(declaration, Declaration) else Declaration()


@dataclass(frozen=True)
class NoiseBounds:
    """What a learner of rewards is told of noise; both numbers are sub-Gaussian bounds."""

    noise: float | None  # of the reward of an element, its parameter `noise`
    # of an observation, its parameter `sigma`. Without one it follows from `noise`: of sums by
    # `feedback="sums"` so that the noise of elements has to be independent
    sigma: float | None
    # whether sums are observed: by `feedback`, and without such a parameter where it takes a sigma
    sums: bool
    independent: bool  # whether the noise of elements has to be independent

    @classmethod
    def of(cls, learner: Callable[..., Any], parameters: Mapping[str, Any]) -> NoiseBounds:
        """By the parameters that the learner declares, with its defaults."""
        known = parameters_of(learner)
        values = {name: each.default for name, each in known.items()} | dict(parameters)
        noise, sigma = (
            float(value) if name in known and isinstance(value, numbers.Real) else None
            for name in ("noise", "sigma")
            for value in [values.get(name)]
        )
        by_feedback = "feedback" in known
        sums = values["feedback"] == "sums" if by_feedback else "sigma" in known
        return cls(noise, sigma, sums, independent=by_feedback and sums and sigma is None)


def noise_assumption(learner: Callable[..., Any], parameters: Mapping[str, Any]) -> str:
    """What the guarantee of a learner of rewards takes for granted of noise, by its parameters."""
    if not declaration_of(learner).promises:
        return ""
    bounds = NoiseBounds.of(learner, parameters)
    if bounds.sigma is not None:
        return f"the noise of an observation is at most {bounds.sigma:g}"
    if bounds.noise is None:
        return ""
    others = " and independent of that of others" * bounds.independent
    return f"the noise of an element is at most {bounds.noise:g}{others}"


def unfolded(learner: Any, parameters: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A learner and its parameters, those of a partial function included."""
    given = dict(parameters)
    while isinstance(learner, functools.partial) and not learner.args:
        learner, given = learner.func, {**learner.keywords, **given}
    return learner, given


def name_of(learner: Callable[..., Any]) -> str:
    """The name of a learner as a function; of a partial function or an object, that of its type."""
    return str(getattr(learner, "__name__", type(learner).__name__))


def signature_of(learner: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """All parameters of a learner."""
    find = _signature if inspect.isfunction(learner) else inspect.signature
    try:
        return find(learner).parameters
    except (TypeError, ValueError):
        raise InputError(
            f"the learner is {learner!r}, expected a function that returns a generator of queries"
        ) from None


def is_told(learner: Callable[..., Any], what: Told) -> bool:
    """Whether a learner takes a random generator, the horizon, or the cells of a test set."""
    parameters = signature_of(learner)
    return what in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def parameters_of(learner: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The parameters of the algorithm: neither what it may know, nor what else it is told."""
    others = list(signature_of(learner).values())[1:]
    return {
        each.name: each
        for each in others
        if each.name not in _TOLD and each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
    }


def check_takes_cells(learner: Callable[..., Any]) -> None:
    """Raise :class:`InputError` unless a learner is made for duels over a fixed test set."""
    if not is_told(learner, "cells"):
        raise InputError(
            f"{name_of(learner)} has no parameter 'cells': it would ask cells of a test set more "
            "than once, and learners with this parameter ask each once; to simulate "
            f"{name_of(learner)}, give it the full table: problem.table is a preference matrix, "
            "SubsetBandit.from_outcomes(problem.scores.T, problem.known) is one of scores"
        )


def check_parameters(learner: Callable[..., Any], parameters: Mapping[str, Any]) -> None:
    """Raise :class:`InputError` unless a learner takes these parameters and needs no other."""
    signature = signature_of(learner)
    if not signature:
        raise InputError(f"{name_of(learner)} takes no argument, expected what a learner may know")
    known = parameters_of(learner)
    open_ended = any(each.kind is each.VAR_KEYWORD for each in signature.values())
    for name in parameters:
        if name not in known and not open_ended:
            raise UnknownName(f"parameter of {name_of(learner)}", name, known)
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in parameters:
            raise InputError(f"{name_of(learner)} needs the parameter {name!r}")
