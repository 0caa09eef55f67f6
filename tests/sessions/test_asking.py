"""Who is asked what, and until when; second answers; what raters have in common."""

import math
import re
from itertools import combinations, starmap

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError

LABELS = ["ant", "bee", "cow", "dog"]
N_PAIRS = 6


def all_pairs(arms):
    """Each pair twice, all at once; then the arm with the most wins."""
    pairs = [(i, j) for i in range(arms) for j in range(i + 1, arms)]
    won = np.zeros(arms)
    for _ in range(2):
        wins = yield cpe.Batch(tuple(cpe.Duel(i, j, 2) for i, j in pairs))
        for (i, j), times in zip(pairs, wins, strict=True):
            won[i] += times
            won[j] += 2 - times
    return int(won.argmax())


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def open_again(tmp_path, clock):
    opened = []

    def open_session():
        if opened:
            opened.pop().close()
        path = tmp_path / "session.jsonl"
        opened.append(cpe.Session.open(path, all_pairs, labels=LABELS, clock=clock))
        return opened[0]

    yield open_session
    opened[0].close()


def ids(questions):
    return [question.id for question in questions]


def test_everybody_is_asked_something_else(open_again):
    session = open_again()
    asked = [*session.ask(3, rater="ann"), *session.ask(2), *session.ask(20, rater="bob")]
    assert len(set(ids(asked))) == len(asked) == 2 * N_PAIRS
    assert session.ask(rater="cleo") == session.ask() == []
    status = session.status()
    assert (status.waiting, status.leased) == (12, 12)


def test_a_rater_with_a_name_gets_the_same_question_again(open_again, clock):
    first = open_again().ask(2, rater="ann")
    clock.now += 5
    session = open_again()
    assert session.ask(2, rater="ann") == first
    assert session.ask(1, rater="ann") == first[:1]
    assert ids(session.ask(3, rater="ann"))[:2] == ids(first)


def test_without_a_name_a_question_is_free_again_when_the_process_ends(open_again):
    session = open_again()
    first = session.ask()
    assert session.ask() != first
    assert open_again().ask() == first


def test_a_lease_runs_out(open_again, clock):
    session = open_again()
    first = session.ask(rater="ann", lease=60)
    clock.now += 59
    assert first[0].id not in ids(session.ask(20, rater="bob", lease=1))
    clock.now += 1
    assert session.ask(rater="cleo") == first
    # Who answers first, answers; the other one is told.
    session.tell(first[0].id, 1, rater="ann")
    with pytest.raises(InputError, match="was answered already by ann"):
        session.tell(first[0].id, 0, rater="cleo")
    assert open_again().status().raters == {"ann": 1}


def test_a_clock_that_was_ahead_holds_no_question_once_it_is_set_right(open_again, clock):
    clock.now += 1e8
    session = open_again()
    [named], [other] = session.ask(rater="ann"), session.ask()
    assert session.status().leased == 2
    clock.now -= 1e8
    assert session.status().leased == 0
    assert ids(session.ask(2)) == [named.id, other.id]
    clock.now += 1e8 + 1e4
    session.tell(named.id, 1)
    session.withdraw(named.id)
    clock.now -= 2e8
    assert open_again().ask() == [named]


@pytest.mark.parametrize("now", [float("nan"), float("inf"), 1e300, None])
def test_a_clock_that_says_no_time_writes_nothing(open_again, clock, now):
    session = open_again()
    [question], before = session.ask(), session.path.read_bytes()
    clock.now = now
    with pytest.raises(InputError, match=r"at is .*, expected a time in seconds since 1970"):
        session.tell(question.id, 1)
    assert session.path.read_bytes() == before
    clock.now = 1.0
    session.tell(question.id, 1)
    assert open_again().status().answers == 1


def test_who_answers_is_who_was_asked(open_again):
    session = open_again()
    [one], [two] = session.ask(rater="ann"), session.ask()
    session.tell(one.id, "first")
    session.tell(two.id, "second", rater="bob")
    frame = session.answers()
    assert frame["rater"].tolist() == ["ann", "bob"]
    assert frame["outcome"].tolist() == [1.0, 0.0]
    assert frame["first"].tolist() == [one.labels[0], two.labels[0]]
    assert frame["second"].tolist() == [one.labels[1], two.labels[1]]
    assert frame["time"].iloc[0].timestamp() == 1000.0
    assert not frame["repeat"].any()


def test_what_was_skipped_is_asked_last_and_of_others_first(open_again):
    session = open_again()
    [skipped] = session.ask(rater="ann")
    session.skip(skipped.id)
    assert session.ask(rater="ann") != [skipped]
    assert session.status().skips == 1
    session = open_again()
    order = ids(session.ask(20, rater="bob"))
    assert order[-1] == skipped.id
    session.skip(order[3])
    session.skip(skipped.id, rater="bob")
    # Two are left, of which ann has skipped one.
    assert ids(session.ask(20, rater="ann"))[-2:] == [order[3], skipped.id]


def test_a_rater_alone_is_asked_again_what_was_skipped(tmp_path):
    with cpe.Session.open(tmp_path / "s", "savage", labels=LABELS[:2], delta=0.1) as session:
        for _ in range(3):
            [question] = session.ask(rater="ann")
            session.skip(question.id)
            assert session.ask(rater="ann") == [question]


def test_an_answer_that_comes_late_is_welcome(open_again, clock):
    session = open_again()
    [question] = session.ask(rater="ann", lease=10)
    clock.now += 1000
    session = open_again()
    session.tell(question.id, 1, rater="ann")
    assert session.status().answers == 1


@pytest.mark.parametrize(
    "unknown", ["0-1.3", "0-9.1", "nonsense", "", "0-1", "0-1.1~2", "0-1.1~x", "1-0.1"]
)
def test_questions_that_are_not_open(open_again, unknown):
    session = open_again()
    with pytest.raises(InputError, match=re.escape(f"{unknown!r} is no open question; those that")):
        session.tell(unknown, 1)
    with pytest.raises(InputError, match="has no answer that could be taken back"):
        session.withdraw(unknown)


@pytest.mark.parametrize(
    "outcome", [2, -1, 0.4, "left", "", None, math.nan, [1], np.array([1.0, 0.0]), b"1", 1j]
)
def test_what_is_no_outcome_of_a_duel(open_again, outcome):
    session = open_again()
    [question] = session.ask()
    with pytest.raises(InputError, match="expected 1 where the first of the two won"):
        session.tell(question.id, outcome)
    assert session.status().answers == 0
    session.tell(question.id, np.float64(0.5))


@pytest.mark.parametrize("outcome", [math.inf, math.nan, "1", None, [1.0], True])
def test_what_is_no_outcome_of_a_pull(tmp_path, outcome):
    with cpe.Session.open(tmp_path / "s", "clucb", problem=cpe.TopK(3, 1), delta=0.1) as session:
        [question] = session.ask()
        with pytest.raises(InputError, match=r"the outcome is .*, expected a"):
            session.tell(question.id, outcome)
        session.tell(question.id, np.int64(3))


def test_rewards_of_learners_for_the_unit_interval(tmp_path):
    model = cpe.BestSet(cpe.TopK(3, 1))
    with cpe.Session.open(tmp_path / "s", "coci", problem=model, delta=0.1) as session:
        [question] = session.ask()
        with pytest.raises(InputError, match=r"is 1\.5, expected a number in \[0, 1\]"):
            session.tell(question.id, 1.5)


@pytest.mark.parametrize(
    ("name", "value"),
    [("n", 0), ("n", 1.5), ("lease", 0), ("lease", -1), ("lease", "60")]
    + [("rater", name) for name in ("", 7, "a\nb", "x" * 101)],
)
def test_bad_arguments_of_ask(open_again, name, value):
    with pytest.raises(InputError, match=name):
        open_again().ask(**{name: value})


def test_second_answers_count_for_agreement_alone(open_again):
    session = open_again()
    for question in session.ask(4, rater="ann"):
        session.tell(question.id, question.query.i < question.query.j)
    assert session.ask(1, rater="ann", repeat=True) == []  # nobody else has answered anything
    again = session.ask(3, rater="bob", repeat=True)
    assert len(again) == 3
    assert all(question.id.endswith("~2") for question in again)
    assert session.ask(3, rater="bob", repeat=True) == again
    left = session.ask(3, rater="cleo", repeat=True)
    assert len(left) == 1
    votes, told = session.votes(), dict(session._state.answers.values)
    for k, question in enumerate(again):
        smaller_first = question.query.i < question.query.j
        session.tell(question.id, smaller_first if k else not smaller_first)
    status = open_again().status()
    assert (status.answers, status.repeats, status.spent) == (4, 3, 7.0)
    session = open_again()
    assert session.votes() == votes
    assert session._state.answers.values == told  # what the learner is told
    raters = session.raters().set_index("rater")
    assert raters.loc["ann", ["answers", "compared"]].tolist() == [4, 3]
    assert raters.loc["bob", "agree"] == pytest.approx(2 / 3)
    assert raters.loc["ann", "agree"] == pytest.approx(2 / 3)
    session.withdraw(again[0].id)
    assert open_again().raters().set_index("rater").loc["ann", "agree"] == 1.0


def test_nobody_agrees_with_himself(open_again):
    session = open_again()
    session.tell(session.ask()[0].id, 1)
    [again] = session.ask(repeat=True)
    session.tell(again.id, 1)
    raters = session.raters()
    assert raters["answers"].tolist() == [2]
    assert raters["compared"].tolist() == [0]


def test_the_share_of_answers_for_the_first_shows_a_bias(open_again):
    session = open_again()
    for question in session.ask(6, rater="ann"):
        session.tell(question.id, 1)
    for place, question in enumerate(session.ask(6, rater="bob")):
        session.tell(question.id, (0.5, 0, 1)[place % 3])
    raters = session.raters().set_index("rater")
    assert raters.loc["ann", ["first", "ties"]].tolist() == [1.0, 0]
    assert raters.loc["bob", ["first", "ties"]].tolist() == [0.5, 2]
    assert math.isnan(raters.loc["ann", "agree"])


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


def test_an_answer_to_what_is_not_asked_for_any_more_is_kept(tmp_path):
    path = tmp_path / "s"
    with cpe.Session.open(path, "savage", labels=LABELS[:2], delta=0.1) as session:
        early = session.ask()[0].id
        session.tell(early, 1)
        [late] = session.ask(rater="ann")
        session.withdraw(early)
    with cpe.Session.open(path) as session:
        assert late.id not in session._replayed().waiting
        session.tell(late.id, 0, rater="ann")
        session.tell(early, 1)
        assert session.status().answers == 2
        assert session.ask()[0].id not in (early, late.id)


def test_what_answers_cost(tmp_path):
    prices = np.arange(16.0).reshape(4, 4)
    prices = prices + prices.T + 1.0
    with cpe.Session.open(tmp_path / "s", all_pairs, labels=LABELS, prices=prices) as session:
        questions = session.ask(5)
        for question in questions:
            session.tell(question.id, 1)
        spent = sum(prices[question.query.i, question.query.j] for question in questions)
        assert session.status().spent == spent


def test_a_horizon_ends_the_session(tmp_path):
    path = tmp_path / "s"
    with cpe.Session.open(path, "rucb", labels=LABELS, horizon=30) as session:
        while questions := session.ask():
            session.tell(questions[0].id, questions[0].query.i < questions[0].query.j)
        status = session.status()
    assert status.answers < 30
    assert "horizon was reached" in status.doubt
    assert status.answer == "ant"


def test_a_learner_that_has_nothing_left_to_ask_is_stopped(tmp_path):
    def content(arms):
        from cpe_opt.learners.queries import HorizonReached

        yield cpe.Duel(0, 1)
        try:
            while True:
                yield cpe.Duel(0, 0)
        except HorizonReached:
            return 0

    with cpe.Session.open(tmp_path / "s", content, labels=LABELS) as session:
        session.tell(session.ask()[0].id, 1)
        assert session.ask() == []
        assert session.status().doubt.startswith("it has nothing left to ask")


def test_a_session_is_shared_by_threads(open_again):
    from concurrent.futures import ThreadPoolExecutor

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


@pytest.fixture
def priced(tmp_path):
    """Six questions at once: a duel of each pair."""
    prices = np.arange(16.0).reshape(4, 4)
    prices = prices + prices.T + 1.0

    def all_pairs(arms):
        while True:
            yield cpe.Batch(tuple(starmap(cpe.Duel, combinations(range(arms), 2))))

    with cpe.Session.open(
        tmp_path / "s.jsonl", all_pairs, labels=list("abcd"), prices=prices
    ) as session:
        yield session


def test_only_some_of_the_open_questions(priced):
    assert [q.id for q in priced.ask(9, only=lambda q: "a" in q.labels)] == [
        *("0-1.1", "0-2.1", "0-3.1"),
    ]
    assert [q.id for q in priced.ask(9, only=lambda q: "d" in q.labels)] == ["1-3.1", "2-3.1"]
    assert [q.id for q in priced.ask(9, rater="ann")] == ["1-2.1"]
    assert priced.ask(9, rater="ann", only=lambda q: False) == []
    assert [q.id for q in priced.ask(9, rater="ann")] == ["1-2.1"]


def test_what_is_handed_back_keeps_its_place_and_is_not_noted(priced):
    before = priced.path.read_bytes()
    asked = [q.id for q in priced.ask(3)]
    priced.hand_back(asked[1])
    assert priced.path.read_bytes() == before
    assert [q.id for q in priced.ask(2)] == [asked[1], "1-2.1"]
    [kept] = priced.ask(1, rater="ann")
    priced.hand_back(kept.id)
    assert [q.id for q in priced.ask(9)] == ["2-3.1"]


def test_an_answer_has_the_price_of_its_pair(priced):
    spent = 0.0
    for question in priced.ask(6):
        i, j = question.query.i, question.query.j
        assert priced.price(question) == priced.header.prices[i, j]
        spent += priced.price(question)
        priced.tell(question.id, 1)
        assert priced.status().spent == spent
    assert priced.best().evidence.remaining.cost != priced.best().evidence.remaining.duels.sum() / 2


def test_without_prices_each_costs_one(tmp_path):
    with cpe.Session.open(tmp_path / "t.jsonl", "rucb", labels=["a", "b"]) as priced:
        [question] = priced.ask()
        assert priced.price(question) == 1.0
