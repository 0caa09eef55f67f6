"""What every learner must do, whatever it learns.

With the same seed it asks the same queries, and its answers are its state: replayed from a log of
answers it asks the same again. It asks only what is legal, and several queries at once only where
it declares so. It survives ties, and answers that no world gives: all duels won, all lost. Where
its rounds end it answers with its best guess.

Legal is what the problem's environment takes, in plain ints, so that a log of queries can be
written and read back. A batch is legal if each of its queries is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from cpe_opt.errors import InputError, LearnerFault
from cpe_opt.learners.declaration import Declaration, declaration_of, name_of, signature_of
from cpe_opt.learners.exchange import AT_HORIZON, NO_ANSWER, Exchange, checked_answer
from cpe_opt.learners.queries import Learner
from cpe_opt.learners.registry import get_learner
from cpe_opt.problems.problem import Environment, Problem
from cpe_opt.problems.queries import (
    MOST_TIMES,
    Batch,
    CellScores,
    Duel,
    Pull,
    PullSets,
    Window,
    single_queries,
)
from cpe_opt.problems.subsets.item_scores import ItemScores
from cpe_opt.simulation.driver import simulate
from cpe_opt.testing.problems import expect, item_problems, score_problems, standard_problems

_WRONG_ONES = 20  # queries at which wrong observations are tried
_EXTREME_ROUNDS = 200


def check_learner(
    learner: str | Callable[..., Learner],
    problems: Sequence[Problem] | None = None,
    parameters: Mapping[str, Any] | None = None,
    *,
    horizon: int = 1000,
) -> None:
    """Check a learner on every problem, by every check of :class:`LearnerConformance`.

    Parameters
    ----------
    learner : name or callable
    problems : sequence of problems, optional
        By default :func:`standard_problems` of the family that the learner declares
        (:func:`cpe_opt.learners.declare`).
    parameters : mapping, optional
        Of the learner.
    horizon : int
        How many rounds are played.

    Raises
    ------
    AssertionError
        With a sentence that says what is wrong.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> def first_arm(arms):
    ...     try:
    ...         yield cpe.Duel(0, arms - 1)
    ...     except cpe.learners.HorizonReached:
    ...         pass
    ...     return 0
    >>> gap = cpe.load_instance("gap")
    >>> check_learner(first_arm, [gap])
    >>> def beyond(arms):
    ...     yield cpe.Duel(0, arms)
    >>> check_learner(beyond, [gap])
    Traceback (most recent call last):
      ...
    AssertionError: beyond on gap asks Duel(i=0, j=5, times=1), which is not legal there
    """
    attributes = {
        "learner": learner if isinstance(learner, str) else staticmethod(learner),
        "problems": problems,
        "parameters": dict(parameters or {}),
        "horizon": horizon,
    }
    suite = type("Suite", (LearnerConformance,), attributes)()
    for name in vars(LearnerConformance):
        if name.startswith("test_"):
            getattr(suite, name)()


class LearnerConformance:
    """A suite of tests, for pytest or by hand: subclass it, name the learner, and run.

    Attributes
    ----------
    learner : name or function
        A function as ``staticmethod(f)``.
    parameters : dict
        Of the learner.
    horizon : int
        How many rounds are played.
    problems : sequence of problems, or None
        By default those of the family that the learner declares, and duels over items where it has
        a parameter ``cells``; of sets then scores on items alone.
    may_abstain : bool
        Whether it may stop by itself without an answer, as CAR-Cond does where there is no winner.

    Examples
    --------
    >>> class TestRucb(LearnerConformance):
    ...     learner = "rucb"
    ...     horizon = 300
    >>> TestRucb().test_where_its_rounds_end_it_answers()
    """

    learner: ClassVar[Any] = None
    parameters: ClassVar[dict[str, Any]] = {}
    horizon: ClassVar[int] = 1000
    problems: ClassVar[Sequence[Problem] | None] = None
    may_abstain: ClassVar[bool] = False

    def test_same_seed_same_queries_and_answers_alone_decide(self) -> None:
        """The same once more from the log; wrong observations count for nothing."""
        self._on_each(self.check_replay)

    def test_it_asks_what_is_legal_and_answers_so(self) -> None:
        """In a simulation to the horizon."""
        self._on_each(self.check_simulation)

    def test_it_survives_extreme_answers(self) -> None:
        """Everything won, everything lost, in turn."""
        self._on_each(self.check_extremes)

    def test_where_its_rounds_end_it_answers(self) -> None:
        """At once, and after some rounds."""
        for rounds in (0, self.horizon // 10, self.horizon // 2):
            self._on_each(partial(self.check_cut_off, rounds=rounds))

    def cases(self) -> Sequence[Problem]:
        """The problems it is tried on."""
        if self.problems is not None:
            return self.problems
        family = declaration_of(self.function).family
        expect(family, f"{self.name} declares no family: name the problems that it is for")
        signature = signature_of(self.function)
        if "cells" not in signature:
            every = standard_problems(family)
            shares = declaration_of(self.function).shares
            return [each for each in every if each.known == 2] if shares else every
        if family == "subsets":
            return score_problems()
        return [*standard_problems(family), *item_problems()]

    @cached_property
    def function(self) -> Callable[..., Learner]:
        """The learner itself."""
        expect(self.learner is not None, f"{type(self).__name__} names no learner")
        found: Callable[..., Learner] = (
            get_learner(self.learner) if isinstance(self.learner, str) else self.learner
        )
        return found

    @cached_property
    def name(self) -> str:
        """Its name, for messages."""
        return name_of(self.function)

    def start(self, known: Any, seed: int, **parameters: Any) -> Exchange:
        """A fresh exchange with the learner, with parameters in addition to its own."""
        parameters = {**self.parameters, **parameters}
        return Exchange(self.function, known, seed, horizon=self.horizon, **parameters)

    def face(self, problem: Problem, seed: int, **parameters: Any) -> Exchange:
        """The same with what it may know of a problem, and with the cells that this may have."""
        if hasattr(problem, "cells"):
            parameters["cells"] = problem.cells
            parameters["hints"] = getattr(problem, "told_hints", None)
        return self.start(problem.known, seed, **parameters)

    def check_replay(self, problem: Problem) -> None:
        """The same from the same seed and a log of answers, as numbers of numpy."""
        exchange = self.face(problem, 7)
        items = hasattr(problem, "cells") or exchange.takes_sums
        where = f"{self.name} on {problem.name}"
        for number, (query, given) in enumerate(self._transcript(problem, 7)):
            asked = "answer" if exchange.finished else exchange.query
            same = f"{where}: with the same seed record {number} is"
            expect(asked == query, f"{same} {query}, replayed {asked}")
            if query == "answer":
                answer = exchange.answer
                expect(bool(np.all(answer == given)), f"{same} {given}, replayed {answer}")
                break
            for wrong in wrong_observations(query, items) if number < _WRONG_ONES else ():
                expect(
                    _refuses(exchange, wrong) and exchange.query == query,
                    f"{where} takes {wrong!r} for an observation of {query}",
                )
            exchange.tell(as_numpy(query, given))

    def check_simulation(self, problem: Problem) -> None:
        """Legal queries (its transcript sees to it), and a legal answer of what is simulated."""
        trace = simulate(self.function, problem, horizon=self.horizon, seed=1, **self.parameters)
        where = f"{self.name} on {problem.name}"
        expect(trace.rounds <= self.horizon, f"{where} plays {trace.rounds} rounds")
        self._check_answer(problem, trace.answer, trace.doubt)

    def check_extremes(self, problem: Problem) -> None:
        """Legal queries whatever it hears."""
        for share_of in (lambda n: 1, lambda n: 0, lambda n: n % 2):
            exchange, rounds = self.face(problem, 0), 0
            environment = problem.environment(np.random.default_rng(0))
            while rounds < min(_EXTREME_ROUNDS, self.horizon) and not exchange.finished:
                query = exchange.query
                self._check_query(query, problem)
                rounds += query.rounds
                extreme = share_of_all(query, share_of(rounds))
                if isinstance(problem, ItemScores):
                    extreme = CellScores(extreme, observe(environment, query).items)
                exchange.tell(extreme)

    def check_cut_off(self, problem: Problem, rounds: int) -> None:
        """A legal answer, and a doubt, where nobody answers after so many rounds."""
        environment = problem.environment(np.random.default_rng(5))
        exchange, played = self.face(problem, 5), 0
        while not exchange.finished and played + exchange.query.rounds <= rounds:
            played += exchange.query.rounds
            exchange.tell(observe(environment, exchange.query))
        exchange.stop()
        self._check_answer(problem, exchange.answer, exchange.doubt)

    def _on_each(self, check: Callable[[Problem], None]) -> None:
        """Check on every problem; fails, too, where the learner asks or answers what it may not."""
        for problem in self.cases():
            try:
                check(problem)
            except LearnerFault as fault:
                raise AssertionError(f"on {problem.name} {fault}") from fault

    def _transcript(self, problem: Problem, seed: int) -> list[tuple[Any, Any]]:
        """Queries and answers until the horizon, or until the learner stops."""
        environment = problem.environment(np.random.default_rng(seed))
        exchange, rounds = self.face(problem, seed), 0
        records: list[tuple[Any, Any]] = []
        while rounds < self.horizon and not exchange.finished:
            query = exchange.query
            self._check_query(query, problem)
            given = observe(environment, query)
            records.append((query, as_logged(query, given)))
            rounds += query.rounds
            exchange.tell(given)
        return [*records, ("answer", exchange.answer)] if exchange.finished else records

    def _check_query(self, query: Any, problem: Problem) -> None:
        where = f"{self.name} on {problem.name}"
        expect(is_legal_query(query, problem), f"{where} asks {query}, which is not legal there")
        several = isinstance(query, Batch | Window)
        says, asked = declaration_of(self.function), len(query.queries) if several else 1
        expect(
            asked == 1 or says.batches or says == Declaration(),
            f"{where} asks {asked} queries at once, and declares no batches",
        )

    def _check_answer(self, problem: Problem, answer: Any, doubt: str) -> None:
        where = f"{self.name} on {problem.name}"
        if answer is None and doubt == AT_HORIZON:
            raise AssertionError(
                f"{where} has no answer where its rounds end, expected its best guess: "
                "it should catch HorizonReached"
            )
        if answer is None and self.may_abstain:
            expect(doubt != NO_ANSWER, f"{where} has no answer, and does not say why")
            return
        expect(is_legal_answer(answer, problem), f"{where} answers {answer!r}, which is not legal")


def _refuses(exchange: Exchange, observation: Any) -> bool:
    try:
        exchange.tell(observation)
    except InputError:
        return True
    return False


def is_legal_query(query: object, problem: Problem) -> bool:
    """Whether a learner may ask this of the problem."""
    check = problem.environment(np.random.default_rng(0)).check
    try:
        return all(_is_plain(check(each), problem) for each in single_queries(query))
    except InputError:
        return False


def is_legal_answer(answer: Any, problem: Problem) -> bool:
    """Whether a learner may return this: an arm or a ranking of all, a matching, a set, a decision.

    In the form in which it is kept (:mod:`cpe_opt.learners.exchange`). Of problems of another
    family any answer but None is legal.
    """
    try:
        kept = checked_answer(problem.family, problem.known, answer, "it")
    except LearnerFault:
        return False
    return kept is not None and type(kept) is type(answer) and bool(np.all(kept == answer))


def _is_plain(query: Any, problem: Problem) -> bool:
    """Whether a query that an environment takes can be logged: in plain ints, sets in order."""
    if isinstance(query, Duel):
        numbers = [query.i, query.j, query.times]
        if problem.family == "matchings" and query.i == query.j:
            return False
    elif isinstance(query, Pull):
        numbers = [query.arm, query.times]
    elif isinstance(query, PullSets):
        numbers = [*query.times, *(element for members in query.sets for element in members)]
        if any(list(members) != sorted(set(members)) for members in query.sets):
            return False
    else:
        return True
    return all(type(each) is int and each <= MOST_TIMES for each in numbers)


def observe(environment: Environment, query: Any) -> Any:
    """What is observed of a query; of a batch the list for its queries, one after the other."""
    if isinstance(query, Batch):
        return [observe(environment, each) for each in query.queries]
    [query] = single_queries(query)
    return environment.answer(environment.check(query))


def share_of_all(query: Any, share: float) -> Any:
    """The observation where every duel is won by this share, or every element gives it."""
    if isinstance(query, Batch):
        return [share_of_all(each, share) for each in query.queries]
    [query] = single_queries(query)
    if isinstance(query, Pull):
        return np.full(query.times, float(share))
    if isinstance(query, PullSets):
        return share * np.array(query.times) * np.array([len(members) for members in query.sets])
    return share * query.times


def as_logged(query: Any, observation: Any) -> Any:
    """An observation as a log has it, in plain numbers and lists."""
    if isinstance(query, Batch):
        return [as_logged(*pair) for pair in zip(query.queries, observation, strict=True)]
    if isinstance(observation, CellScores):
        return CellScores(*(each.tolist() for each in observation))
    return np.asarray(observation).tolist()


def as_numpy(query: Any, logged: Any) -> Any:
    """An observation from a log, its whole numbers as those of numpy."""
    if isinstance(query, Batch):
        return tuple(as_numpy(*pair) for pair in zip(query.queries, logged, strict=True))
    return np.int64(logged) if isinstance(logged, int) else logged


def wrong_observations(query: Any, items: bool = False) -> list[Any]:
    """What no learner may take for an observation of the query, or of one over items."""
    if isinstance(query, Window):
        query = query.queries[0]
    if isinstance(query, Duel):
        half = query.times + 0.5 if items else 0.5
        wrong = [query.times + 1, -1, half, np.nan, "1", [0]]
        return [*wrong, True] if query.times > 1 else wrong
    if isinstance(query, Batch):
        right = share_of_all(query, 0)
        inside = [[*right[:-1], wrong] for wrong in wrong_observations(query.queries[-1], items)]
        return [*inside, right[1:], [*right, 0], None, 0, "0" * len(right), dict(enumerate(right))]
    if not isinstance(query, Pull | PullSets):
        return []
    count = query.times if isinstance(query, Pull) else len(query.sets)
    wrong = [0.5, None, np.zeros(count + 1), np.zeros((count, 1)), np.full(count, np.inf)]
    if not items:
        wrong.append(np.full(count, np.nan))
    if isinstance(query, PullSets) and 0 in query.times:
        wrong.append(np.ones(count))
    return wrong
