"""Who is asked what, and until when; what people and programs say; what raters have in common."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import cpe_opt as cpe
from tests.sessions.support import all_pairs, begin, open_questions
from tests.support import all_of

LABELS = ["ant", "bee", "cow", "dog"]


@pytest.fixture
def now():
    """The time by which sessions go, in a list."""
    return [1000.0]


@pytest.fixture
def open_again(path, now):
    """Opens the session, which twelve questions are open of, or closes it and opens it again."""
    opened = []

    def open_session():
        if opened:
            opened.pop().close()
        given = {"labels": LABELS, "times": 2, "clock": lambda: now[0]}
        opened.append(cpe.Session.open(path, all_pairs, **given))
        return opened[0]

    yield open_session
    opened[0].close()


def ids(questions):
    return [question.id for question in questions]


def test_everybody_is_asked_something_else_and_the_same_again(open_again, now):
    session = open_again()
    first = session.ask(3, rater="ann")
    asked = [*first, *session.ask(2), *session.ask(20, rater="bob")]
    assert len(set(ids(asked))) == len(asked) == 12
    assert session.ask(rater="cleo") == session.ask() == []
    assert (session.status().waiting, session.status().leased) == (12, 12)
    now[0] += 5
    session = open_again()
    assert session.ask(3, rater="ann") == first == session.held("ann")
    assert session.ask(1, rater="ann") == first[:1]
    assert ids(session.ask()) == ids(asked[3:4])  # who had it had no name, and has ended
    session.tell(first[0].id, "first")
    session.tell(asked[3].id, "second", rater="dan")
    frame = session.answers()
    assert frame["rater"].tolist() == ["ann", "dan"]  # who was asked, or says so
    assert frame["outcome"].tolist() == [1.0, 0.0]
    assert frame["time"].iloc[0].timestamp() == 1005.0


def test_a_lease_runs_out_and_the_first_answer_counts(open_again, now):
    session = open_again()
    [first], [late] = session.ask(rater="ann", lease=60), session.ask(rater="eve", lease=60)
    now[0] += 59
    assert first.id not in ids(session.ask(20, rater="bob", lease=1))
    now[0] += 1
    assert session.ask(2, rater="cleo") == [first, late]
    session.tell(first.id, 1, rater="ann")
    for again in (session, open_again()):
        with pytest.raises(cpe.InputError, match="was answered already by ann"):
            again.tell(first.id, 0, rater="cleo")
    now[0] += 10**4
    session = open_again()
    session.tell(late.id, 1, rater="eve")  # which is late, and welcome
    assert session.status().raters == {"ann": 1, "eve": 1}


def test_a_clock_that_was_ahead_holds_no_question_once_it_is_set_right(open_again, now):
    now[0] += 1e8
    session = open_again()
    [named], [other] = session.ask(rater="ann"), session.ask()
    assert session.status().leased == 2
    now[0] -= 1e8
    assert session.status().leased == 0
    assert ids(session.ask(2)) == [named.id, other.id]
    now[0] += 1e8 + 1e4
    session.tell(named.id, 1)
    session.withdraw(named.id)
    now[0] -= 2e8
    assert open_again().ask() == [named]


def test_what_was_skipped_is_asked_last_and_of_others_first(open_again):
    session = open_again()
    [skipped] = session.ask(rater="ann")
    session.skip(skipped.id)
    assert session.ask(rater="ann") != [skipped]
    session = open_again()
    assert session.status().skips == 1
    order = ids(session.ask(20, rater="bob"))
    assert order[-1] == skipped.id
    session.skip(order[3])
    session.skip(order[3], rater="cleo")
    session.skip(skipped.id, rater="bob")
    # Two are left, of which ann has skipped one.
    assert ids(session.ask(20, rater="ann"))[-2:] == [order[3], skipped.id]


def test_what_was_taken_back_is_asked_of_the_same_rater_first(open_again):
    session = open_again()
    asked = session.ask(3, rater="ann")
    for question in asked:
        session.tell(question.id, 1)
    assert session.last_of("ann") == asked[-1].id
    session.withdraw(asked[-1].id)
    assert session.last_of("ann") == asked[1].id
    session = open_again()
    assert asked[-1].id not in ids(session.ask(3, rater="bob"))
    assert session.ask(rater="ann") == [asked[-1]]
    session.tell(asked[-1].id, 0)
    assert session.answers()["outcome"].tolist() == [1.0, 1.0, 0.0]


# Second answers, and what is said of raters


def test_second_answers_count_for_agreement_alone(open_again):
    def smaller_first(question):
        return question.query.i < question.query.j

    session = open_again()
    assert session.ask(1, rater="ann", repeat=True) == []  # nobody has answered anything
    for rater in ("ann", "eve"):
        for question in session.ask(12, rater=rater):
            session.tell(question.id, smaller_first(question))
        assert session.ask(1, rater=rater, repeat=True) == []  # nobody else has
        again = session.ask(12, rater="bob", repeat=True)
        assert session.ask(12, rater="bob", repeat=True) == again
        assert session.ask(1, rater="cleo", repeat=True) == []
        votes, waiting = session.votes(), open_questions(session)
        for k, question in enumerate(again):
            session.tell(question.id, smaller_first(question) == (k < 3))
        session = open_again()
        assert (session.votes(), open_questions(session)) == (votes, waiting)
    status = session.status()
    assert (status.answers, status.repeats, status.told, status.spent) == (24, 24, 24, 48.0)
    assert status.answer == "ant"  # as the first answers say
    session.withdraw(again[0].id)
    found = session.raters().set_index("rater")[["answers", "compared", "agree"]]
    assert found.loc["eve"].tolist() == [12, 11, 2 / 11]
    assert found.loc["bob"].tolist() == [23, 23, 5 / 23]


def test_raters_are_compared_with_places(open_again):
    session = open_again()
    for place, question in enumerate(session.ask(6, rater="ann")):
        session.tell(question.id, (0.5, 0, 1, 1)[place % 4])
    [again] = session.ask(repeat=True)
    session.tell(again.id, 1, rater="ann")
    [ann] = session.raters().to_dict("records")
    assert (ann["answers"], ann["first"], ann["ties"]) == (7, 0.6, 2)
    assert ann["compared"] == 0  # nobody agrees with himself


# The end, and threads


def test_a_horizon_or_nothing_left_to_ask_ends_the_session(tmp_path, monkeypatch):
    monkeypatch.setattr("cpe_opt.sessions.replay._IDLE_QUERIES", 1000)

    def content(arms):
        while True:
            yield cpe.Duel(0, 0)

    for learner, horizon, answers, said in (
        (all_pairs, 7, 6, "horizon was reached"),
        (content, None, 0, "it has nothing left to ask"),
    ):
        path = tmp_path / learner.__name__
        with cpe.Session.open(path, learner, labels=LABELS, horizon=horizon) as session:
            session.run(lambda question: min(question.labels))
            assert session.status().answers == answers
            assert said in session.status().doubt


def test_a_session_is_shared_by_threads(open_again):
    session = open_again()

    def rate(rater):
        told = 0
        while questions := session.ask(rater=rater):
            session.tell(questions[0].id, 1)
            told += 1
        return told

    with ThreadPoolExecutor(8) as pool:
        told = sum(pool.map(rate, map(str, range(8))))
    assert told == session.status().answers == 24
    assert session.finished


# Outcomes as people and programs say them


FOOD = ("Tuna", "salmon")
TWO = "could mean two things"
NONE = "is no outcome, expected"


@all_of(
    ("what", "said", "outcome"),
    [
        *[(FOOD, *each) for each in (
            ("first", 1), (" Second ", 0), ("tie", 0.5), ("1", 1), (0.5, 0.5), (np.True_, 1),
            ("SALMON", 0), *((each, NONE) for each in ("third", "", "nan", 2, 0.4, None, [1])),
            ("skip", "Session.skip hands"),
        )],
        # labels in capitals and small letters, and labels that are other words
        (("c", "C"), "C", 0), (("Aa", "aA"), "aa", TWO), (("1", "2"), "2", 0), (("2", "1"), 1, 1),
        (("2", "1"), "1", TWO), (("0", "1"), "0", TWO), (("tie", "x"), "tie", TWO),
        (("second", "first"), "first", TWO), (("x", "Skip"), "skip", TWO),
        # a letter that may be a place is no label, whichever is shown first
        *[(tuple(labels), said, TWO) for *labels, said in ("acA", "caA", "abB", "ABA", "ABB")],
        (("a", "A"), "a", 1), (("c", "a"), "a", 0), (("c", "d"), "D", 0),
        ("teams", "2.5", 2.5), ("teams", -7, -7),
        *[("teams", each, NONE) for each in ("inf", "1,5", "first", True)],
        *[("items", *each) for each in (("first", 1.0), (0.7, 0.7), ("0.25", 0.25))],
        *[("items", each, "or a number from 0 to 1") for each in (1.5, [1, 0])],
    ],
)  # fmt: skip
def test_what_is_said_means_one_thing_or_nothing(tmp_path, what, said, outcome):
    """The first of two labels is shown first; what is no outcome is not noted."""
    path = tmp_path / str(len([*tmp_path.iterdir()]))
    if isinstance(what, str):
        opened = begin(path, what)
    else:
        opened = cpe.Session.open(path, all_pairs, labels=what, seed=1)  # which keeps the order
    with opened as session:
        [question] = session.ask()
        assert question.labels == what or isinstance(what, str)
        if isinstance(said, str):
            said = said.format(*question.labels)
        if isinstance(outcome, str):
            with pytest.raises(cpe.InputError, match=outcome):
                session.tell(question.id, said)
            assert session.answer_of(question.id) is None
        else:
            session.tell(question.id, said)
            assert session.answer_of(question.id).outcome == outcome
