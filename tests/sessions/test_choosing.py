"""Asking for some of the open questions, handing them back, and what they cost."""

from itertools import combinations, starmap

import numpy as np
import pytest

import cpe_opt as cpe


@pytest.fixture
def session(tmp_path):
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


def test_only_some_of_the_open_questions(session):
    assert [q.id for q in session.ask(9, only=lambda q: "a" in q.labels)] == [
        *("0-1.1", "0-2.1", "0-3.1"),
    ]
    assert [q.id for q in session.ask(9, only=lambda q: "d" in q.labels)] == ["1-3.1", "2-3.1"]
    assert [q.id for q in session.ask(9, rater="ann")] == ["1-2.1"]
    assert session.ask(9, rater="ann", only=lambda q: False) == []
    assert [q.id for q in session.ask(9, rater="ann")] == ["1-2.1"]


def test_what_is_handed_back_keeps_its_place_and_is_not_noted(session):
    before = session.path.read_bytes()
    asked = [q.id for q in session.ask(3)]
    session.hand_back(asked[1])
    assert session.path.read_bytes() == before
    assert [q.id for q in session.ask(2)] == [asked[1], "1-2.1"]
    [kept] = session.ask(1, rater="ann")
    session.hand_back(kept.id)
    assert [q.id for q in session.ask(9)] == ["2-3.1"]


def test_an_answer_has_the_price_of_its_pair(session):
    spent = 0.0
    for question in session.ask(6):
        i, j = question.query.i, question.query.j
        assert session.price(question) == session.header.prices[i, j]
        spent += session.price(question)
        session.tell(question.id, 1)
        assert session.status().spent == spent
    assert (
        session.best().evidence.remaining.cost != session.best().evidence.remaining.duels.sum() / 2
    )


def test_without_prices_each_costs_one(tmp_path):
    with cpe.Session.open(tmp_path / "t.jsonl", "rucb", labels=["a", "b"]) as session:
        [question] = session.ask()
        assert session.price(question) == 1.0
