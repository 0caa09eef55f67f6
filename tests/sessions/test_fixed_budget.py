"""Sessions with a fixed number of duels: what is left, and how sure the answer is."""

import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.sessions.progress import progress_of
from cpe_opt.sessions.report import session_report

LABELS = ["a", "b", "c"]


def last(question):
    return max(question.labels)


def test_it_says_what_is_left_and_ends_with_an_estimate(tmp_path):
    votes = cpe.Votes([[0, 1, 1], [2, 0, 1], [2, 2, 0]], labels=LABELS)
    path = tmp_path / "abc.jsonl"
    with cpe.Session.open(
        path, "copeland-budget", labels=LABELS, prior=votes, budget=30, delta=1e-9
    ) as session:
        session.run(last, budget=12)
        status = session.status()
        assert (status.budget, status.answers, status.left) == (30, 12, 18)
        assert "12 of the 30 duels of the budget" in dict(session_report(session).facts)["answers"]
        assert session.run(last).reason == "finished"
        status = session.status()
        assert (status.answers, status.left, status.answer) == (30, 0, "c")
        assert status.doubt.startswith("after 30 duels its estimated probability of being wrong is")
        assert progress_of(session).favourite == "c"
        assert session_report(session).summary == f"Most likely: c. Not proved: {status.doubt}."


def test_best_of_asks_as_often_as_the_budget_says():
    found = cpe.best_of(LABELS, last, budget=40, learner="borda-budget")
    assert (found.best, found.proved, found.calls, found.reason) == ("c", False, 40, "finished")
    assert "estimated probability of being wrong" in str(found)
    with pytest.raises(InputError, match="prices are given, and borda-budget counts duels"):
        cpe.best_of(LABELS, last, budget=40, learner="borda-budget", prices=2.0)
    with pytest.raises(InputError, match="needs the parameter 'budget'"):
        cpe.best_of(LABELS, last, learner="copeland-budget")
