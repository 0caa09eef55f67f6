"""Opening sessions: what a log holds, and what is refused, in words and without a trace."""

import re

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError, UnknownName, WriteFailed
from cpe_opt.learners.exchange import NO_GUARANTEE
from cpe_opt.sessions import header, journal

LABELS = ("ant", "bee", "cow")
VOTES = cpe.Votes([[0, 1], [0, 0]])
BEGUN = {"learner": "copeland-tracking", "labels": LABELS, "delta": 0.1, "seed": 3}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "session.jsonl"
    with cpe.Session.open(path, **BEGUN, prices=2.0) as session:
        session.tell(session.ask()[0].id, 1)
    return path


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"learner": "rucb"}, "learner is 'rucb', and the session was begun with"),
        ({"seed": 4}, "seed is 4, and the session was begun with 3"),
        ({"delta": 0.2}, "delta is 0.2, and the session was begun with 0.1"),
        ({"method": "cuts"}, "method is 'cuts', and the session was begun with its default"),
        ({"labels": LABELS[::-1]}, "asks about ant, bee, cow, and cow, bee, ant is given"),
        ({"labels": ["a", "b"]}, "asks about ant, bee, cow, and a, b is given"),
        ({"problem": cpe.TopK(3, 1)}, "copeland-tracking is for problems of the family 'dueling'"),
        ({"prices": 3.0}, "prices: not those that the session was begun with"),
        ({"prior": cpe.Votes([[0, 1], [0, 0]], LABELS[:2])}, "prior: not those"),
        ({"horizon": 10}, "horizon is 10, and the session was begun with None"),
        ({"labels": LABELS, "problem": cpe.TopK(3, 1)}, "labels and problem are both given"),
    ],
)  # fmt: skip
def test_what_does_not_match_the_log_is_refused(path, given, said):
    before = path.read_bytes()
    with pytest.raises(InputError, match=re.escape(said)):
        cpe.Session.open(path, **given)
    assert path.read_bytes() == before
    with cpe.Session.open(path, **BEGUN, prices=2.0) as session:  # all of it is as it was
        assert session.status().answers == 1


def test_a_log_of_another_version_is_refused(path, monkeypatch):
    before = path.read_bytes()
    monkeypatch.setattr(header, "__version__", "9.9")
    with pytest.raises(InputError, match=r"begun by version .* of cpe_opt, and this is 9\.9"):
        cpe.Session.open(path)
    assert path.read_bytes() == before


def test_a_log_that_cannot_be_written_is_refused(path, monkeypatch):
    def full(*_):
        raise OSError(28, "")

    before = path.read_bytes()
    with cpe.Session.open(path) as session:
        [question] = session.ask()
        with monkeypatch.context() as patched:
            patched.setattr(journal, "_write", full)
            with pytest.raises(WriteFailed, match="No space left on device; nothing was added"):
                session.tell(question.id, 1)
        assert session.status().answers == 1
        session.tell(question.id, 1)
        assert session.status().answers == 2
    assert path.read_bytes().startswith(before)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "needs a learner"),
        ({"learner": "rucb"}, "expected labels, of arms that duel each other, or problem"),
        ({"learner": "rucbb", "labels": LABELS}, "did you mean 'rucb'"),
        ({"learner": "rucb", "labels": "ab"}, "expected at least two"),
        ({"learner": "rucb", "labels": ["a"]}, "expected at least two"),
        ({"learner": "rucb", "labels": ["a", "a"]}, "'a'"),
        ({"learner": "rucb", "labels": LABELS, "alhpa": 1}, "alpha"),
        ({"learner": "rucb", "labels": LABELS, "alpha": 0.1}, "alpha"),
        ({"learner": "rucb", "labels": LABELS, "seed": -1}, "seed is -1"),
        ({"learner": "rucb", "labels": LABELS, "horizon": 0}, "horizon is 0"),
        ({"learner": "rucb", "labels": LABELS, "prices": -1}, "price"),
        ({"learner": "clucb", "problem": cpe.TopK(3, 1), "prices": [[1]]}, "expected one number"),
        ({"learner": "rucb", "labels": LABELS, "alpha": object()}, "cannot write down"),
        ({"learner": "rucb", "problem": 7}, "problem is of the kind int"),
        ({"learner": "clucb", "labels": LABELS}, "one of 'dueling': active-ranking, "),
        ({"learner": "rucb", "prior": VOTES}, "cannot start from earlier observations; borda-"),
        ({**BEGUN, "prior": VOTES}, "votes on '0', which is none of ant, bee, cow"),
        ({**BEGUN, "prior": [[0, 1], [0, 0]]}, "prior is of the kind list"),
        ({"learner": "copeland-budget", "labels": LABELS}, "needs the parameter 'budget'"),
    ],
)  # fmt: skip
def test_a_session_that_cannot_begin_leaves_no_file(tmp_path, arguments, said):
    with pytest.raises((InputError, UnknownName), match=re.escape(said)):
        cpe.Session.open(tmp_path / "new.jsonl", **arguments)
    assert list(tmp_path.iterdir()) == []


def test_old_votes_count_by_their_labels(tmp_path):
    votes = cpe.Votes([[0, 30.5], [2.5, 0]], ["cow", "ant"], tied=[[0, 3], [3, 0]])
    path = tmp_path / "session.jsonl"
    options = {"labels": LABELS, "delta": 0.1, "prior": votes}
    with cpe.Session.open(path, "copeland-tracking", **options) as session:
        # The pairs that never met are asked first.
        assert {tuple(sorted(session.ask()[0].labels))} <= {("ant", "bee"), ("bee", "cow")}
        assert session.votes().tied[2, 0] == 3
    with cpe.Session.open(path, prior=votes) as session:
        assert session.votes().wins.tolist() == [[0, 0, 2.5], [0, 0, 0], [30.5, 0, 0]]
        assert session.votes().tied[0, 2] == 3
        assert session.best().evidence.votes == session.votes()


def test_old_votes_alone_say_which_arms_there_are(tmp_path):
    log = cpe.Votes([[0, 3, 0], [1, 0, 2], [0, 2, 0]], ["a", "b", "c"])
    with cpe.Session.open(tmp_path / "s", "copeland-tracking", prior=log, delta=0.1) as session:
        assert session.question_set.labels == ("a", "b", "c")


def test_a_learner_of_ones_own_is_given_again(tmp_path):
    def favourite_first(arms):
        won = [0] * arms
        for _ in range(3):
            for other in range(1, arms):
                won[0] += yield cpe.Duel(0, other)
        return int(np.argmax(won))

    def another(arms):
        yield cpe.Duel(0, 1)
        return 0

    path = tmp_path / "own.jsonl"
    with cpe.Session.open(path, favourite_first, labels=LABELS) as session:
        session.tell(session.ask()[0].id, 0)
    with pytest.raises(InputError, match="'favourite_first' is not one of this package: give it"):
        cpe.Session.open(path)
    with pytest.raises(
        InputError, match="'another' is not the one that the session was begun with"
    ):
        cpe.Session.open(path, another)
    with cpe.Session.open(path, favourite_first) as session:
        while questions := session.ask():
            session.tell(questions[0].id, questions[0].query.i == 0)
        assert session.status().answer == "ant"
        assert session.best().doubt == NO_GUARANTEE


def test_problems_that_a_log_cannot_hold_are_given_again(tmp_path):
    trees = cpe.SpanningTrees([("a", "b"), ("b", "c"), ("c", "a")])
    path = tmp_path / "trees.jsonl"
    with cpe.Session.open(path, "clucb", problem=trees, delta=0.1) as session:
        [question] = session.ask()
        session.tell(question.id, 0.5)
    with pytest.raises(InputError, match="the log cannot hold what this session asks about"):
        cpe.Session.open(path)
    other = cpe.SpanningTrees([("a", "b"), ("b", "c"), ("c", "d")])
    with pytest.raises(InputError, match="not the one that the session was begun with"):
        cpe.Session.open(path, problem=other)
    with cpe.Session.open(path, problem=trees) as session:
        assert session.status().answers == 1
    assert cpe.Session.read(path, problem=trees).status().answers == 1


@pytest.mark.parametrize(
    ("learner", "problem"),
    [
        ("clucb", cpe.TopK(4, 2, ["a", "b", "c", "d"])),
        ("car-cond", cpe.BipartiteGraph(3, 2, [(0, 0), (1, 0), (1, 1), (2, 1)], name="other")),
        ("copeland-tracking", cpe.load_instance("gap")),
        ("car-cond", cpe.planted_condorcet(3, 2, gap=0.2, seed=1)),
        ("clucb", cpe.planted_subsets(5, 2, gap=0.3, seed=0)),
        ("coci", cpe.BestSet(cpe.TopK(3, 1))),
    ],
)
def test_what_is_known_of_a_problem_comes_back(tmp_path, learner, problem):
    path = tmp_path / "session.jsonl"
    with cpe.Session.open(path, learner, problem=problem, delta=0.1) as session:
        asked, question_set = session.ask(3), session.question_set
    again = None if session.question_set.as_json()["known"] is not None else problem
    with cpe.Session.open(path, problem=again) as session:
        assert session.ask(3) == asked
        assert session.question_set.fingerprint == question_set.fingerprint


def test_a_session_can_be_read_while_it_is_open(path):
    with cpe.Session.open(path) as session:
        view = cpe.Session.read(path)
        assert view.status().answers == 1
        assert not hasattr(view, "tell")
        session.tell(session.ask()[0].id, 0)
        assert view.status().answers == 1  # as it was when it was read
        assert cpe.Session.read(path).status().answers == 2
    with pytest.raises(InputError, match="cannot read"):
        cpe.Session.read(path.with_name("missing"))
    path.write_bytes(b"")
    with pytest.raises(InputError, match="is empty, no session was begun in it"):
        cpe.Session.read(path)


def rewritten(path, **first):
    """A log whose first record has other entries, or lacks them where they are ``...``."""
    begun, *others = journal.read_journal(path)
    path.unlink()
    changed = journal.Journal(path)
    for record in ({k: v for k, v in {**begun, **first}.items() if v is not ...}, *others):
        changed.append(record)
    changed.close()


def test_a_log_of_another_form_says_what_to_do(path):
    rewritten(path, cpe_opt_session=1)
    for read in (cpe.Session.open, cpe.Session.read, cpe.Session.read_answers):
        with pytest.raises(InputError, match=r"of form 1, .* go on with the version that began it"):
            read(path)


@pytest.mark.parametrize("lost", ["key", "learner", "question_set", "parameters", "prior"])
def test_a_first_line_that_lacks_something_is_refused_in_words(path, lost):
    rewritten(path, **{lost: ...})
    for read in (cpe.Session.open, cpe.Session.read):
        with pytest.raises(InputError, match=r"session\.jsonl: the first line is none that this"):
            read(path)


BUDGET_CLASS = '''"""Pairs of four people within a budget."""
import cpe_opt as cpe


class Pairs(cpe.DecisionClass):
    """Two of four."""

    sizes = (2,)

    def program_rows(self, builder, columns, *, integer=False, prefix=""):
        builder.row(f"{prefix}size", columns, lower=2, upper=2)
        builder.row(f"{prefix}pay", columns, [3, 2, 2, 1], upper=BUDGET)


staff = cpe.SubsetBandit(Pairs(4, ["ann", "bob", "cy", "dan"]), [1, 1, 1, 1])
'''


def test_a_session_remembers_the_file_of_its_problem(tmp_path):
    """It is read again when the learner is needed, next to the log where it has moved."""
    script, folder = tmp_path / "staff.py", tmp_path / "later"
    script.write_text(BUDGET_CLASS.replace("BUDGET", "4"), encoding="utf-8")
    path = tmp_path / "staff.jsonl"
    given = {"problem": f"{script}:staff", "delta": 0.1, "feedback": "sums"}
    with cpe.Session.open(path, "subset-tracking", **given) as session:
        asked = [question.id for question in session.ask(5)]
        session.tell(asked[0], 1.0)
    with cpe.Session.open(path) as session:
        assert [question.id for question in session.ask(4)] == asked[1:]
        assert not session.question_set.known.contains((0, 1))
    folder.mkdir()
    path = path.rename(folder / path.name)
    script = script.rename(folder / script.name)
    assert cpe.Session.read(path).status().answers == 1
    script.write_text(BUDGET_CLASS.replace("BUDGET", "5"), encoding="utf-8")
    with pytest.raises(
        InputError, match=r"staff\.py:staff has changed since the session was begun"
    ):
        cpe.Session.read(path).status()
    script.unlink()
    with pytest.raises(InputError, match=r"no file .*staff.py.*; give the problem"):
        cpe.Session.read(path).status()
    kept = tmp_path / "kept.py"
    kept.write_text(BUDGET_CLASS.replace("BUDGET", "4"), encoding="utf-8")
    assert cpe.Session.read(path, problem=f"{kept}:staff").status().answers == 1
    assert len(cpe.Session.read_answers(path).answers()) == 1


def test_a_learner_that_takes_long_leaves_a_snapshot_that_spares_its_problem(tmp_path, monkeypatch):
    monkeypatch.setattr("cpe_opt.sessions.session.LEAST_SECONDS", 0.0)
    script = tmp_path / "staff.py"
    script.write_text(BUDGET_CLASS.replace("BUDGET", "4"), encoding="utf-8")
    path = tmp_path / "staff.jsonl"
    given = {"problem": f"{script}:staff", "delta": 0.1, "feedback": "sums"}
    with cpe.Session.open(path, "subset-tracking", **given) as session:
        asked = [question.id for question in session.ask(3)]
    script.unlink()
    with cpe.Session.open(path) as session:
        assert [question.id for question in session.ask(3)] == asked
        session.tell(asked[0], 1.0)
    with cpe.Session.open(path) as session:
        assert [question.id for question in session.ask(2)] == asked[1:]
