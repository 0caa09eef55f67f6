"""Sessions: what is asked, what is told, and what is there after a restart."""

import itertools
import random
from pathlib import Path

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.sessions.answers import KINDS
from cpe_opt.sessions.journal import Journal

LABELS = ["ant", "bee", "cow", "dog", "eel"]


def answering(session, mu, seed=0, most=10**6, n=1):
    """Answer by the probabilities of a matrix, slot by slot the same whoever asks."""
    told = 0
    while told < most and (questions := session.ask(min(n, most - told))):
        random.Random(seed + told).shuffle(questions)
        for question in questions:
            session.tell(question.id, outcome(question, mu, seed))
            told += 1
    return told


def outcome(question, mu, seed=0):
    """Of a slot always the same, however its two are shown."""
    i, j = sorted((question.query.i, question.query.j))
    won = random.Random(f"{seed}/{question.id}").random() < mu.array[i, j]
    return float(won) if question.query.i == i else 1.0 - won


@pytest.fixture
def path(tmp_path):
    return tmp_path / "session.jsonl"


@pytest.mark.parametrize("learner", ["copeland-tracking", "rucb", "savage", "dkwt", "ecw-rmed"])
def test_a_session_asks_what_a_simulation_does(path, learner):
    """The learner sees the same duels, whether it is simulated or led through answers."""
    from cpe_opt.learners.exchange import Exchange
    from cpe_opt.learners.registry import get_learner

    mu = cpe.load_instance("cyclic")
    parameters = {} if learner in ("rucb", "ecw-rmed") else {"delta": 0.1}
    with cpe.Session.open(path, learner, labels=mu.labels, seed=5, **parameters) as session:
        answering(session, mu, most=300)
        answers = session.answers()
        if parameters:
            parameters["delta"] = session.header.shares.learner
    exchange = Exchange(get_learner(learner), mu.arms, 5, **parameters)
    numbers, slots = {}, []
    while len(slots) < len(answers) and not exchange.finished:
        query, observed = exchange.query, []
        for duel in getattr(query, "queries", (query,)):
            won = 0
            for _ in range(duel.times if duel.i != duel.j else 0):
                i, j = sorted((duel.i, duel.j))
                number = numbers[i, j] = numbers.get((i, j), 0) + 1
                slots.append(f"{i}-{j}.{number}")
                first = random.Random(f"0/{slots[-1]}").random() < mu.array[i, j]
                won += first if duel.i == i else not first
            observed.append(won)
        exchange.tell(observed if isinstance(query, cpe.Batch) else observed[0])
    assert sorted(slots[: len(answers)]) == sorted(answers["id"]) or set(answers["id"]) <= set(
        slots
    )
    assert len(answers) > 50


def test_a_session_that_is_opened_again_asks_on_where_it_was(path, tmp_path):
    mu = cpe.load_instance("gap")
    once = tmp_path / "once.jsonl"
    options = {"labels": LABELS, "delta": 0.3, "seed": 2}
    with cpe.Session.open(once, "copeland-tracking", **options) as session:
        answering(session, mu)
        there = session.answers()["id"].tolist()
        answer = session.status().answer
    for _ in itertools.count():
        with cpe.Session.open(path, "copeland-tracking", **options) as session:
            if not answering(session, mu, most=37):
                assert session.answers()["id"].tolist() == there
                assert session.status().answer == answer
                break


def test_the_order_of_answers_does_not_matter(path, tmp_path):
    """Slots decide: batches answered in any order lead to the same questions."""
    mu = cpe.load_instance("cyclic")
    ways = []
    for n in (1, 3, 100):
        log = tmp_path / f"{n}.jsonl"
        with cpe.Session.open(log, "savage", labels=mu.labels, delta=0.5) as session:
            answering(session, mu, n=n)
            ways.append(sorted(session.answers()["id"]))
    assert ways[0] == ways[1] == ways[2]


def test_labels_are_shown_in_an_order_that_the_seed_draws(path, tmp_path):
    first = []
    for seed in range(40):
        with cpe.Session.open(tmp_path / f"{seed}", "rucb", labels=LABELS, seed=seed) as session:
            [question] = session.ask()
            assert question.labels == tuple(
                LABELS[arm] for arm in (question.query.i, question.query.j)
            )
            first.append(question.query.i < question.query.j)
    assert 8 < sum(first) < 32


def test_the_first_of_the_labels_wins_with_the_outcome_1(path):
    with cpe.Session.open(path, "random-pairs", labels=LABELS, seed=1) as session:
        for _ in range(40):
            [question] = session.ask()
            session.tell(question.id, 1 if min(question.labels) == question.labels[0] else 0)
        wins = session.votes().wins
    assert np.triu(wins).sum() == 40  # labels are in the order of the alphabet
    assert np.tril(wins).sum() == 0


def test_a_tie_is_half_a_vote_and_a_coin_for_the_learner(path):
    with cpe.Session.open(path, "random-pairs", labels=LABELS[:2], seed=1) as session:
        for _ in range(60):
            session.tell(session.ask()[0].id, "tie")
        votes, status = session.votes(), session.status()
        replay = session._replayed()
        coins = [replay._valued(answer.slot) for answer in session._state.answers.by_id.values()]
    assert status.ties == 60
    assert votes.wins.tolist() == [[0, 30], [30, 0]]
    assert votes.tied[0, 1] == 60
    assert 15 < sum(coins) < 45
    assert set(coins) == {0.0, 1.0}


def test_withdrawing_takes_the_learner_back(path):
    mu = cpe.load_instance("gap")
    with cpe.Session.open(path, "copeland-tracking", labels=LABELS, delta=0.1) as session:
        answering(session, mu, most=60)
        before = [question.id for question in session.ask(5)]
        last = session.last_of(None)
        value = session._state.answers.by_id[last].outcome
        session.withdraw(last)
        assert session.status().withdrawn == 1
        assert last in session._replayed().waiting
        session.tell(last, value)
        assert list(session._replayed().waiting) == before
    with cpe.Session.open(path) as session:
        assert list(session._replayed().waiting) == before
        assert session.status().answers == 60


def test_another_answer_to_an_early_question_leads_elsewhere_and_back(path):
    """Answers that are not asked for now stay, and serve when they are asked for again."""
    mu = cpe.load_instance("gap")
    with cpe.Session.open(path, "copeland-tracking", labels=LABELS, delta=0.1) as session:
        answering(session, mu, most=200)
        early, waiting = "0-1.2", list(session._replayed().waiting)
        value = session._state.answers.by_id[early].outcome
        session.withdraw(early)
        session.tell(early, 1.0 - value)
        answering(session, mu, most=20)
        session.withdraw(early)
        session.tell(early, value)
        left = [each for each in waiting if each not in session._state.answers.by_id]
        assert list(session._replayed().waiting)[: len(left)] == left
        assert session.status().answers >= 200


def test_best_is_the_answer_of_now_with_what_is_proved(path):
    mu = cpe.load_instance("gap")
    with cpe.Session.open(path, "copeland-tracking", labels=LABELS, delta=0.3) as session:
        answering(session, mu, most=40)
        early = session.best()
        answering(session, mu)
        late = session.best()
        assert session.finished
    assert not early.proved
    assert "the session is not finished" in early.doubt
    assert late.proved
    assert late.answer == 0
    assert late.description == "ant"
    assert late.evidence.votes.wins.sum() == session.status().answers


def test_a_session_of_pulls_and_one_of_sets(path, tmp_path):
    rng = np.random.default_rng(0)
    with cpe.Session.open(path, "clucb", problem=cpe.TopK(4, 2), delta=0.1) as session:
        for _ in range(400):
            questions = session.ask(2)
            if not questions:
                break
            for question in questions:
                assert question.kind == "pull"
                session.tell(question.id, float(question.query.arm) + 0.1 * rng.normal())
        assert session.status().answer == "2, 3" or session.best().answer == (2, 3)
    sets = tmp_path / "sets.jsonl"
    with cpe.Session.open(sets, "icb", problem=cpe.TopK(4, 2), delta=0.1, noise=0.1) as session:
        questions = session.ask(3)
        assert {question.kind for question in questions} == {"set"}
        for question in questions:
            session.tell(question.id, sum(question.query.sets[0]))
    with cpe.Session.open(sets) as session:
        assert session.status().answers == len(questions)


def test_a_session_of_matchings_says_for_which_position(path):
    graph = cpe.BipartiteGraph.from_labels(
        [(who, where) for where in ("lead", "cook") for who in ("ann", "bob", "eve")]
    )
    with cpe.Session.open(path, "car-cond", problem=graph, delta=0.1) as session:
        questions = []
        while len(questions) < 6:
            questions += session.ask()
            session.tell(questions[-1].id, 1)
    assert {question.about for question in questions} == {"lead", "cook"}
    assert all(set(question.labels) <= {"ann", "bob", "eve"} for question in questions)
    with cpe.Session.open(path) as session:
        assert session.answers()["about"].tolist() == [each.about for each in questions]


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda session: session.ask(lease=float("inf")), "lease is inf, expected a finite number"),
        (
            lambda session: session.ask(lease=1e308),
            r"lease is 1e\+308, expected at most 1,000,000,000",
        ),
        (
            lambda session: session.ask(lease=float("nan")),
            "lease is nan, expected a number above 0",
        ),
        (lambda session: session.tell(["0-1.1"], 1), r"the id of a question is \['0-1.1'\]"),
        (lambda session: session.tell(None, 1), "the id of a question is None, expected a text"),
        (lambda session: session.skip({}), "the id of a question is {}, expected a text"),
        (lambda session: session.withdraw(b"0-1.1"), "the id of a question is b'0-1.1'"),
        (lambda session: session.hand_back([]), r"the id of a question is \[\], expected a text"),
    ],
)
def test_arguments_of_other_kinds_change_nothing(path, act, message):
    with cpe.Session.open(path, "rucb", labels=LABELS, horizon=100) as session:
        before = path.read_bytes()
        with pytest.raises(InputError, match=message):
            act(session)
        assert path.read_bytes() == before
        assert session.ask()


def test_the_page_names_every_kind_of_record():
    page = (Path(__file__).parents[2] / "docs" / "sessions.md").read_text(encoding="utf-8")
    assert all(f"| `{kind}` |" in page for kind in KINDS)


def test_what_is_interrupted_and_closed_can_be_looked_at(tmp_path, monkeypatch):
    path = tmp_path / "taste.jsonl"
    append = Journal.append

    def interrupted(journal, record, **options):
        append(journal, record, **options)
        raise KeyboardInterrupt

    with cpe.Session.open(path, "copeland-tracking", labels=["a", "b"], delta=0.1) as session:
        [question] = session.ask()
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "append", interrupted)
            with pytest.raises(KeyboardInterrupt):
                session.tell(question.id, 1)
    assert session.status().answers == len(session.answers()) == 1
