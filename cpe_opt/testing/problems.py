"""Small problems of every family to try a learner on, and what any problem must do."""

from __future__ import annotations

import pickle
from itertools import islice
from typing import Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.experiments.fingerprint import fingerprint
from cpe_opt.formulations.subsets.oracle import best_subset
from cpe_opt.problems.catalogue import load_instance
from cpe_opt.problems.dueling.items import ItemDuels
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.generators import planted_condorcet, planted_subsets
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.separable.model import BestSet, OpinionSampling
from cpe_opt.problems.separable.problem import Bernoulli, SeparableProblem
from cpe_opt.problems.separable.water_plan import Quadratic, WaterPlan
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.item_scores import ItemScores
from cpe_opt.problems.subsets.matroids import TopK


def standard_problems(family: str) -> list[Problem]:
    """Small problems that find faults: usual ones, two arms, one answer only, everything tied.

    Raises
    ------
    InputError
        Where the family is unknown.

    Examples
    --------
    >>> [problem.name for problem in standard_problems("dueling")]
    ['gap', 'mslr5-condorcet', 'arxiv', 'random', 'two', 'tied']
    """
    made = {
        "dueling": _dueling,
        "matchings": _matchings,
        "subsets": _subsets,
        "separable": _separable,
    }.get(family)
    if made is None:
        raise InputError(f"no problems are known of the family {family!r}, expected some of them")
    return made()


def _dueling() -> list[Problem]:
    rng = np.random.default_rng(4)
    random = np.triu(rng.uniform(size=(7, 7)), 1)
    random[[0, 1, 2, 3, 0], [1, 2, 4, 5, 6]] = 0.5
    return [
        *(load_instance(name) for name in ("gap", "mslr5-condorcet", "arxiv")),
        PreferenceMatrix(random + np.tril(1.0 - random.T, -1) + 0.5 * np.eye(7), name="random"),
        PreferenceMatrix([[0.5, 0.7], [0.3, 0.5]], name="two"),
        PreferenceMatrix(np.full((3, 3), 0.5), name="tied"),
    ]


def item_problems() -> list[ItemDuels]:
    """Small duels over items: pairs of several sizes, one without cells, all tied, one cell."""
    rng = np.random.default_rng(6)
    uneven = rng.integers(0, 3, size=(4, 4, 9, 2)) / 2.0
    uneven[rng.uniform(size=uneven.shape) < 0.3] = np.nan
    lower = np.tril(np.ones((4, 4), dtype=np.bool_))
    uneven[lower] = uneven[0, 1] = np.nan
    one = np.full((2, 2, 1), np.nan)
    one[0, 1] = 1.0
    return [
        ItemDuels(uneven, name="uneven"),
        ItemDuels(np.full((3, 3, 4), 0.5), name="tied items"),
        ItemDuels(one, name="one cell"),
    ]


def score_problems() -> list[ItemScores]:
    """Small tables of scores: some missing, hints, two of four, all tied, one item."""
    rng = np.random.default_rng(9)
    uneven = rng.integers(0, 5, size=(4, 12)) / 4.0
    uneven[rng.random(uneven.shape) < 0.2] = np.nan
    graded = np.clip(rng.normal([[0.4], [0.5], [0.6]], 0.2, (3, 30)), 0.0, 1.0)
    return [
        ItemScores(uneven, top=2, name="uneven scores"),
        ItemScores(graded, hints=np.round(graded), name="hinted"),
        ItemScores(np.full((3, 4), 0.5), name="tied scores"),
        ItemScores([[1.0], [0.0]], name="one item"),
    ]


def _matchings() -> list[Problem]:
    def tied(name: str, candidates: int, positions: int) -> MatchingDuels:
        graph = BipartiteGraph.complete(candidates, positions)
        comparable = graph.position[:, None] == graph.position[None, :]
        return MatchingDuels(graph, 0.5 * comparable, name=name)

    return [
        load_instance("figure1"),
        planted_condorcet(4, 2, gap=0.05, seed=1),
        planted_condorcet(4, 3, gap=0.1, density=0.7, seed=2),
        tied("one position", 4, 1),
        tied("one matching", 1, 1),
        tied("tied", 3, 2),
    ]


def _subsets() -> list[Problem]:
    return [
        planted_subsets(6, 3, gap=0.5, noise=0.5, seed=1),
        SubsetBandit.from_outcomes(np.eye(4)[[0, 1, 1, 2]], 2),
        SubsetBandit(TopK(4, 2), np.zeros(4), noise=0.5, name="tied"),
        SubsetBandit(TopK(3, 3), np.zeros(3), noise=0.5, name="one set"),
        SubsetBandit(TopK(2, 1), [0.0, 1.0], noise=0.5, name="two"),
    ]


def _separable() -> list[Problem]:
    coins = [Bernoulli(p) for p in (0.8, 0.2, 0.5)]
    return [
        SeparableProblem(BestSet(TopK(3, 1)), coins, name="best"),
        SeparableProblem(WaterPlan([Quadratic(0.5, 1.0)] * 3, [2, 2, 2], 3), coins, name="water"),
        SeparableProblem(OpinionSampling([1, 2, 3], 7), coins, name="opinions"),
        SeparableProblem(BestSet(TopK(3, 2)), [Bernoulli(0.5)] * 3, name="tied"),
        SeparableProblem(BestSet(TopK(3, 3)), coins, name="one set"),
    ]


def check_problem(problem: Any, queries: list[Any]) -> None:
    """Check that an object is a problem that learners can face anywhere.

    Parameters
    ----------
    problem : object
        Such as one of your own class.
    queries : list
        Some that are legal.

    Raises
    ------
    AssertionError
        With a sentence that says what is wrong.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> check_problem(cpe.load_instance("gap"), [cpe.Duel(0, 1), cpe.Duel(2, 2, 10)])
    >>> check_problem("chess", [])
    Traceback (most recent call last):
      ...
    AssertionError: 'chess' is no problem: it lacks name, family, known, labels, fingerprint, …
    """
    members = ("name", "family", "known", "labels", "fingerprint", "environment", "recorder")
    lacking = [member for member in members if not hasattr(problem, member)]
    shown = ", ".join(lacking[:5]) + (", …" if len(lacking) > 5 else "")
    expect(not lacking, f"{problem!r} is no problem: it lacks {shown}")
    name = f"the problem {problem.name!r}"
    labels = list(problem.labels)
    expect(all(isinstance(label, str) for label in labels), f"{name} has labels that are no texts")
    expect(len(set(labels)) == len(labels), f"{name} has the same label twice")
    expect(
        fingerprint(problem) == fingerprint(problem), f"{name} has another fingerprint each time"
    )
    copy = pickle.loads(pickle.dumps(problem))
    expect(fingerprint(copy) == fingerprint(problem), f"{name} has another fingerprint when sent")
    answers = [_answers(each, queries) for each in (problem, problem, copy)]
    expect(answers[0] == answers[1], f"{name} answers otherwise from the same seed")
    expect(answers[0] == answers[2], f"{name} answers otherwise after it was sent to a worker")
    recorder = problem.recorder(horizon=10**6)
    expect(isinstance(recorder.units, str), f"{name}: units of its recorder are no text")
    played = 0
    for query in queries:
        recorder.note(query, query.rounds)
        played += query.rounds
    expect(recorder.rounds == played, f"{name}: its recorder counts {recorder.rounds} of {played}")
    expect(recorder.queries == len(queries), f"{name}: its recorder miscounts queries")
    times, regret = recorder.finish()
    expect(len(times) == len(regret), f"{name}: its recorder has rounds without regret")
    expect(not played or times[-1] == played, f"{name}: its recorder does not note the last round")
    try:
        problem.environment(np.random.default_rng(0)).check(object())
    except InputError:
        return
    raise AssertionError(f"{name} takes any object for a query, expected InputError")


def _answers(problem: Problem, queries: list[Any]) -> list[Any]:
    environment = problem.environment(np.random.default_rng(3))
    return [np.asarray(environment.answer(environment.check(each))).tolist() for each in queries]


def expect(holds: object, sentence: str) -> None:
    """Raise AssertionError with the sentence unless it holds."""
    if not holds:
        raise AssertionError(sentence)


_MOST_SETS = 20_000
_ROUNDS = 20


def check_decisions(decisions: DecisionClass, *, seed: int = 0) -> None:
    """Check a decision class of at most 20,000 sets.

    Parameters
    ----------
    decisions : DecisionClass
        A small one: all of its sets are gone through.
    seed : int
        Of the random weights.

    Raises
    ------
    AssertionError
        With a sentence that says what is wrong.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> check_decisions(cpe.TopK(6, 2))
    """
    name = decisions.name
    sets = list(islice(decisions.sets(), _MOST_SETS + 1))
    expect(sets, f"{name} has no set")
    expect(len(sets) <= _MOST_SETS, f"{name} has more than {_MOST_SETS:,} sets: take a smaller one")
    expect(len(set(sets)) == len(sets), f"{name} lists a set twice")
    expect(decisions.count() == len(sets), f"{name} counts {decisions.count()} of {len(sets)} sets")
    for members in sets:
        ascending = list(members) == sorted(set(members)) and all(
            0 <= e < decisions.size for e in members
        )
        expect(ascending, f"{name} lists {members}, expected ascending elements")
        expect(decisions.contains(members), f"{name} lists {members} and does not contain it")
    sizes = tuple(sorted({len(members) for members in sets}))
    expect(
        tuple(decisions.sizes) == sizes, f"{name} has sets of {sizes} elements, not what it says"
    )
    listed = set(sets)
    rng = np.random.default_rng(seed)
    for _ in range(_ROUNDS):
        some = tuple(np.flatnonzero(rng.random(decisions.size) < 0.5).tolist())
        expect(
            decisions.contains(some) == (some in listed),
            f"{name}: contains({some}) does not agree with sets()",
        )
        weights = rng.integers(-8, 9, size=decisions.size) / 8.0
        try:
            best = best_subset(decisions, weights)
        except InputError as refused:
            raise AssertionError(str(refused)) from refused
        most = max(float(weights[list(members)].sum()) for members in sets)
        expect(best.elements in listed, f"{name}: the best set {best.elements} is not in sets()")
        expect(
            float(weights[list(best.elements)].sum()) == most,
            f"{name}: {best.elements} is no best set for the weights {weights.tolist()}",
        )
    expect(fingerprint(decisions) == fingerprint(decisions), f"{name} has another fingerprint")
