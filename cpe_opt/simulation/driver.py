"""One run of a learner against a simulated problem."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, LearnerFault
from cpe_opt.formulations.models import legend_for
from cpe_opt.learners.declaration import (
    NoiseBounds,
    check_parameters,
    check_takes_cells,
    declaration_of,
    name_of,
    signature_of,
    unfolded,
)
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.queries import Learner, claim
from cpe_opt.learners.registry import get_learner
from cpe_opt.problems.problem import FAMILIES, Environment, Problem, Recorder
from cpe_opt.problems.queries import Batch, Duel, Window
from cpe_opt.progress_line import ShowProgress, own_steps, shows_progress
from cpe_opt.solvers.recording import rounds_counted
from cpe_opt.validation import Rounds, Seed, checked_types

if TYPE_CHECKING:
    from cpe_opt.problems.dueling.items import ItemDuels
    from cpe_opt.problems.dueling.preferences import PreferenceMatrix
    from cpe_opt.problems.matchings.duels import MatchingDuels
    from cpe_opt.problems.separable.problem import SeparableProblem
    from cpe_opt.problems.subsets.bandit import SubsetBandit
    from cpe_opt.problems.subsets.item_scores import ItemScores

Answer_co = TypeVar("Answer_co", covariant=True)
_SILENCE = 60.0  # seconds
_ROUNDING = 1e-9
_OF_RECORDERS = ("units", "rounds", "samples", "queries", "note", "finish", "draw_counts")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False, repr=False)
class Trace(Generic[Answer_co]):
    """What happened in one run.

    Attributes
    ----------
    answer
        What the learner returned, checked and in plain numbers
        (:mod:`cpe_opt.learners.exchange`); None if it has no answer. Type checkers take it for
        that of the problem's family: an arm, the elements of a matching or a set, or a decision;
        of a learner of your own for anything.
    rounds : int
        Rounds played, self-duels included.
    samples : int
        Duels of two different arms, or pulls.
    time : int array
        Rounds at which the regret was noted, about evenly spaced on a log scale; the last is the
        last round.
    regret : float array
        Cumulative regret at those rounds, in the units ``units``; NaN for identification.
    units : str
        "mean" or "sum" where the problem is a preference matrix; empty if there is no regret.
    draws : int array
        Duels of each pair, shape (K, K), symmetric, self-duels on the diagonal; pulls of sets that
        hold each element, shape (n,).
    queries : int
        How many queries the learner made, each of a batch counted, each of a window once.
    seconds : float
        Wall-clock time.
    learner, problem, seed, parameters
        What was run.
    doubt : str
        Why the answer is not proved, such as that the horizon was reached; empty if it is.
    assumption : str
        What the proof assumes, such as "there is a Condorcet winner", or "the noise of an element
        is at most 1" of a learner of rewards, which goes by its own number whatever the problem's
        is; empty if nothing.
    extent : str
        What is proved, where that is not all that was asked, such as "no arm is ahead of it by more
        than 0.05"; empty without a margin.
    error_estimate : float
        Of a learner with a fixed budget: an estimate of the probability that the answer is wrong,
        which bounds nothing; NaN for others.
    p_value : float
        Of a learner with a fixed budget: at most alpha, for a wrong answer, with probability at
        most alpha, for every alpha; NaN for others.
    """

    answer: Answer_co
    rounds: int
    samples: int
    time: IntArray
    regret: FloatArray
    units: str
    draws: IntArray
    queries: int
    seconds: float
    learner: str
    problem: str
    seed: int
    parameters: dict[str, Any] = field(default_factory=dict)
    doubt: str = ""
    assumption: str = ""
    extent: str = ""
    error_estimate: float = math.nan
    p_value: float = math.nan

    def __repr__(self) -> str:
        return (
            f"Trace({self.learner!r} on {self.problem!r}, seed {self.seed}: "
            f"answer {self.answer!r}, {self.claim}, {self.samples:,} samples, {self.seconds:.2g} s)"
        )

    @property
    def proved(self) -> bool:
        """Whether the learner stopped by itself with its guarantee, under ``assumption``."""
        return not self.doubt

    @property
    def claim(self) -> str:
        """The answer is "proved", "proved, if …", or "not proved: …"."""
        return claim(self.doubt, self.assumption, self.extent)


@overload
def simulate(
    learner: Literal["rankel"],
    problem: PreferenceMatrix | ItemDuels,
    *,
    horizon: int | None = None,
    **options: Any,
) -> Trace[tuple[int, ...]]: ...


@overload
def simulate(
    learner: str,
    problem: PreferenceMatrix | ItemDuels,
    *,
    horizon: int | None = None,
    **options: Any,
) -> Trace[int]: ...


@overload
def simulate(
    learner: str,
    problem: MatchingDuels | SubsetBandit | ItemScores,
    *,
    horizon: int | None = None,
    **options: Any,
) -> Trace[tuple[int, ...]]: ...


@overload
def simulate(
    learner: str,
    problem: SeparableProblem,
    *,
    horizon: int | None = None,
    **options: Any,
) -> Trace[tuple[float, ...]]: ...


@overload
def simulate(
    learner: str | Callable[..., Learner],
    problem: Problem,
    *,
    horizon: int | None = None,
    **options: Any,
) -> Trace[Any]: ...


@checked_types
@shows_progress("simulating")
def simulate(
    learner: str | Callable[..., Learner],
    problem: Problem,
    *,
    horizon: Rounds | None = None,
    seed: Seed = 0,
    regret: str | None = None,
    points: int | None = None,
    max_samples: Rounds | None = None,
    progress: ShowProgress = None,
    **parameters: Any,
) -> Trace[Any]:
    """Run a learner on a simulated problem.

    Parameters
    ----------
    learner : callable or name
        Such as ``cpe_opt.learners.dueling.ecw_rmed`` or ``"ecw-rmed"``; it gets ``problem.known``
        and a random generator of its own, never the truth. Type checkers know the parameters of
        ``functools.partial(cpe_opt.learners.copeland_tracking, delta=0.1)``.
    problem : PreferenceMatrix, ItemDuels, MatchingDuels, SubsetBandit, ItemScores
        Or a SeparableProblem, or one of your own class: see :class:`cpe_opt.Problem`.
    horizon : int, optional
        Rounds to play, at most 2^53; without one the learner runs until it stops by itself. Where
        that takes more than a minute, the logger ``cpe_opt.simulation.driver`` warns of it. A batch
        is played as far as the horizon allows; what was observed of it by then never reaches the
        learner, which is stopped.
    seed : int
        Same seed, same run, on any machine (:mod:`cpe_opt.ties`).
    regret : "mean" or "sum", optional
        Units of the trace, "mean" by default; refused where a problem has no regret.
    points : int, optional
        About how many rounds the trace notes, 200 by default; refused for pulls, of which only
        the last round is noted.
    max_samples : int, optional
        The learner is stopped, as at a horizon, before a query, or a batch of them, that would make
        more than these samples.
    progress : bool or callable, optional
        Whether a line counts samples: by default at a terminal or in a notebook, after a second. A
        function is told the count in words, ten times a second at most.
    **parameters
        Passed on to the learner; one that has a parameter ``horizon`` is told the horizon.

    Returns
    -------
    Trace

    Raises
    ------
    InputError, UnknownName
        Where an argument is wrong, or the learner asks or answers what it may not.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate(cpe.learners.ecw_rmed, mu, horizon=10**12, seed=1)
    >>> trace.answer, int(trace.time[-1]) == 10**12
    (0, True)
    """
    learner, parameters = unfolded(learner, parameters)
    function = checked_learner(learner, problem, parameters, horizon)
    ours, theirs = np.random.SeedSequence(seed).spawn(2)
    environment = problem.environment(np.random.default_rng(theirs))
    _check_members(problem, "environment", environment, ("check", "answer"))
    recorder = problem.recorder(horizon=horizon, regret=regret, points=points)
    _check_members(problem, "recorder", recorder, _OF_RECORDERS)
    started = time.perf_counter()
    counted = rounds_counted(lambda: recorder.rounds, partial(legend_for, problem))
    with own_steps() as tell, counted:
        heeded = horizon is None or tell is not None
        patience = _Patience(function, problem, parameters, horizon, tell) if heeded else None
        exchange = Exchange(
            function,
            problem.known,
            np.random.default_rng(ours),
            max_samples=max_samples,
            horizon=horizon,
            family=problem.family,
            cells=getattr(problem, "cells", None),
            hints=getattr(problem, "told_hints", None),
            **parameters,
        )
        try:
            _play(exchange, environment, recorder, horizon, patience)
        finally:
            exchange.close()
    given = parameters if max_samples is None else {**parameters, "max_samples": max_samples}
    spent = time.perf_counter() - started
    return _trace(exchange, recorder, function, problem, seed, given, spent)


def _trace(
    exchange: Exchange,
    recorder: Recorder,
    function: Callable[..., Learner],
    problem: Problem,
    seed: int,
    parameters: dict[str, Any],
    seconds: float,
) -> Trace[Any]:
    """What a run has left."""
    times, values = recorder.finish()
    return Trace(
        answer=exchange.answer,
        rounds=recorder.rounds,
        samples=recorder.samples,
        time=times,
        regret=values,
        units=recorder.units,
        draws=recorder.draw_counts(),
        queries=recorder.queries,
        seconds=seconds,
        learner=name_of(function),
        problem=problem.name,
        seed=seed,
        parameters=parameters,
        doubt=exchange.doubt,
        assumption=exchange.assumption,
        extent=declaration_of(function).extent(parameters),
        error_estimate=exchange.error_estimate,
        p_value=exchange.p_value,
    )


@checked_types
def checked_learner(
    learner: str | Callable[..., Learner],
    problem: Problem,
    parameters: Mapping[str, Any],
    horizon: Rounds | None,
) -> Callable[..., Learner]:
    """The learner as a function that can face the problem, or :class:`InputError`."""
    function = get_learner(learner) if isinstance(learner, str) else learner
    family = declaration_of(function).family or problem.family
    if family != problem.family:
        raise InputError(
            f"{name_of(function)} is for a {FAMILIES.get(family, family)}, and {problem.name} is a "
            f"{type(problem).__name__}"
        )
    if getattr(problem, "cells", None) is not None:
        check_takes_cells(function)
    told = signature_of(function).get("horizon")
    needed = told is not None and told.default is told.empty
    if horizon is None and (needed or declaration_of(function).endless):
        raise InputError(
            f"{name_of(function)} needs a horizon, such as 100000: it does not stop by itself"
        )
    check_parameters(function, {k: v for k, v in parameters.items() if k != "max_samples"})
    _check_noise(function, problem, parameters)
    return function


def _check_noise(
    learner: Callable[..., Learner], problem: Problem, parameters: Mapping[str, Any]
) -> None:
    """Raise :class:`InputError` where a promise rests on less noise than the problem has."""
    of_problem = getattr(problem, "noise_of", None)
    if of_problem is None or not declaration_of(learner).promises:
        return
    bounds = NoiseBounds.of(learner, parameters)
    if bounds.sigma is not None:
        name, bound, least = "sigma", bounds.sigma, of_problem("sums" if bounds.sums else "single")
    elif bounds.noise is not None:
        name, bound, least = "noise", bounds.noise, of_problem("single")
    else:
        return
    if 0.0 < bound < least * (1.0 - _ROUNDING):
        by_default = "" if name in parameters else ", its default"
        what = "an observation" if name == "sigma" else "an element"
        raise InputError(
            f"{name} is {bound:g}{by_default}, and the noise of {what} of {problem.name} is "
            f"{least:.10g}: what {name_of(learner)} proves would be false; expected {name} of at "
            f"least {least:.10g}"
        )


def _check_members(problem: Problem, what: str, value: object, members: Sequence[str]) -> None:
    """Raise :class:`InputError` if a part of a user's own problem lacks a member."""
    lacking = [member for member in members if not hasattr(value, member)]
    if lacking:
        raise InputError(
            f"the {what} of {problem.name} is {value!r}, which lacks {', '.join(lacking)}"
        )


def _play(
    exchange: Exchange,
    environment: Environment,
    recorder: Recorder,
    horizon: int | None,
    patience: _Patience | None,
) -> None:
    """Answer the learner until it has finished, or the horizon is reached."""
    check, answer, note, tell = environment.check, environment.answer, recorder.note, exchange.tell
    left = horizon
    while not exchange.finished:
        query = exchange.query
        if type(query) is Batch:
            observed, left = _observe(query, environment, recorder, left)
            if left == 0:
                exchange.stop()
                return
            if patience is not None:
                patience.note(recorder.samples)
            tell(observed)
            continue
        if type(query) is Window:
            query = query.queries[0]
        query = check(query)
        times = query.times if type(query) is Duel else _rounds_of(query)
        if left is not None:
            if times >= left:
                # The last query: played as far as the horizon allows, its answer comes too late.
                note(query, left)
                exchange.stop()
                return
            left -= times
        observation = answer(query)
        note(query, times)
        if patience is not None:
            patience.note(recorder.samples)
        tell(observation)


def _rounds_of(query: Any) -> int:
    """How many rounds a query takes, or :class:`LearnerFault` where it does not say so."""
    try:
        rounds: int = query.rounds
    except AttributeError:
        raise LearnerFault(
            f"the query {query!r} has no rounds, expected how many rounds it takes"
        ) from None
    return rounds


def _observe(
    batch: Batch, environment: Environment, recorder: Recorder, left: int | None
) -> tuple[list[Any], int | None]:
    """What is observed of a batch, one query after the other, and how many rounds are left."""
    observed: list[Any] = []
    for query in [environment.check(each) for each in batch.queries]:
        times = _rounds_of(query)
        if left is not None:
            if times >= left:
                recorder.note(query, left)
                return observed, 0
            left -= times
        observed.append(environment.answer(query))
        recorder.note(query, times)
    return observed, left


class _Patience:
    """Counts samples, and warns after a minute, two, four, … of a learner without a horizon."""

    def __init__(
        self,
        function: Callable[..., Learner],
        problem: Problem,
        parameters: Mapping[str, Any],
        horizon: int | None,
        tell: Callable[[str, int | None], None] | None,
    ) -> None:
        self._tell = tell
        self._what = f"{name_of(function)} on {problem.name}"
        self._case = partial(declaration_of(function).endless_case, problem, parameters)
        self._started, self._due = time.monotonic(), _SILENCE if horizon is None else math.inf

    def note(self, samples: int) -> None:
        """After a query."""
        if self._tell is not None:
            self._tell("samples", samples)
        spent = time.monotonic() - self._started
        if spent >= self._due:
            self._due = 2.0 * spent
            case = self._case()
            _LOG.warning(
                "%s has not stopped after %s samples and %.0f seconds; %sa horizon or the "
                "parameter max_samples ends it",
                self._what,
                f"{samples:,}",
                spent,
                f"it does not stop if {case}; " if case else "",
            )
