"""What a session is begun with stays with it; what does not fit is refused, and changes nothing."""

import math

import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError
from tests.items import random_items, round_robin
from tests.sessions.support import GRAPH, begin, log_of, open_questions, records_of
from tests.support import all_of

LABELS = ("ant", "bee", "cow")
BEGUN = {"learner": "copeland-tracking", "labels": LABELS, "delta": 0.1, "seed": 3}
RUCB = {"learner": "rucb", "labels": LABELS}
VOTES = cpe.Votes([[0, 1], [0, 0]], LABELS[:2])


@pytest.fixture
def answered(path):
    """A session with an answer, and its log."""
    with cpe.Session.open(path, **BEGUN, prices=2.0) as session:
        session.tell(session.ask()[0].id, 1)
    return path


@all_of(
    ("given", "message"),
    [
        ({"learner": "rucb"}, "learner is 'rucb', and the session was begun with"),
        ({"seed": 4}, "seed is 4, and the session was begun with 3"),
        ({"delta": 0.2}, r"delta is 0\.2, and the session was begun with 0\.1"),
        ({"labels": LABELS[::-1]}, "asks about ant, bee, cow, and cow, bee, ant is given"),
        ({"problem": cpe.TopK(3, 1)}, "copeland-tracking is for problems of the family 'dueling'"),
        ({"prices": 3.0}, "prices: not those that the session was begun with"),
        ({"prior": VOTES}, "prior: not those"),
        ({"horizon": 10}, "horizon is 10, and the session was begun with None"),
        ({"items": 3}, "items or orders: not those"),
    ],
)
def test_what_does_not_match_the_log_is_refused(answered, given, message):
    before = answered.read_bytes()
    with pytest.raises(InputError, match=message):
        cpe.Session.open(answered, **given)
    assert answered.read_bytes() == before
    with cpe.Session.open(answered, **BEGUN, prices=2.0) as session:  # all of it is as it was
        assert session.status().answers == 1


CLUCB = {"learner": "clucb", "problem": cpe.TopK(3, 1)}
TEAMS = cpe.TeamScores([["a", "b"], ["b", "c"], ["a", "c"]], [3.0, 1.0, 2.5])
TEAMED = {"learner": "subset-tracking", "prior": TEAMS, "noise": 0.1}
SELECTED = cpe.Votes([[0, 3], [2, 0]], selected=[[0, 1], [1, 0]])
MATCHINGS = cpe.planted_condorcet(3, 2, gap=0.2, seed=1)
CELLS = random_items(2, 2)
OVER = {"learner": round_robin, "labels": ["arm 0", "arm 1"], "items": ["q0", "q1"], "prior": CELLS}
ONE_ORDER = random_items(2, 2, 1)


def unaware(arms, *, cells):
    yield cpe.Duel(0, 1)


@all_of(
    ("given", "message"),
    [
        ({**RUCB, "labels": ["a", "a"]}, "'a'"),
        ({**CLUCB, "items": 3}, "clucb has no parameter 'cells'"),
        ({"learner": "matching-tracking", "problem": GRAPH, "items": 3}, "items are for arms that"),
        ({**BEGUN, "delta": 5e-324}, "delta is 5e-324, too small a number to be shared"),
        ({**BEGUN, "delta": 1.1}, r"delta is 1\.1"),  # as it was given, not the learner's part
        # items
        ({**BEGUN, "items": [1, "1"]}, "items: 0 and 1 are both called '1'"),
        ({**BEGUN, "items": ["a", None]}, r"items\[1\]: found None, expected an id, or an object"),
        ({**BEGUN, "items": ["a", {"item": "b", "t": ["\ud800"]}]}, "half of a surrogate pair"),
        # earlier observations
        ({**RUCB, "prior": VOTES}, "rucb cannot start from earlier observations; borda-budget"),
        ({**TEAMED, "problem": cpe.TopK(2, 2, [*"ab"])}, "prior: scores of 'c', which is none of"),
        ({**TEAMED, "feedback": "single"}, "feedback is 'single', and scores of teams"),
        ({**TEAMED, "problem": cpe.TopK(2, 1), "prior": VOTES}, "prior: observations of the fam"),
        ({**BEGUN, "prior": SELECTED}, "votes has pairs that are selected by what"),
        ({"learner": "matching-tracking", "prior": MATCHINGS}, "probabilities, which prove noth"),
        ({**OVER, "items": None}, "the session asks about none; expected items="),
        ({**OVER, "items": ["q0"]}, "prior: the item 'q1' is none of the session's"),
        ({**OVER, "prior": ONE_ORDER}, "does not say which arm was shown first"),
        ({**OVER, "orders": "random"}, "which arm was shown first, and orders is 'random'; 'both'"),
        ({**OVER, "learner": unaware}, "no parameter 'answered'"),
    ],
)
def test_a_session_that_cannot_begin_leaves_no_file(tmp_path, given, message):
    with pytest.raises(InputError, match=message):
        cpe.Session.open(tmp_path / "new.jsonl", **given)
    assert list(tmp_path.iterdir()) == []


@all_of(
    ("kind", "act", "values", "message"),
    [
        ("plain", lambda s, q, v: s.tell(v, 1), ("0-1.3", "x", "0-1.1~2", "1-0.1"), "no open q"),
        ("plain", lambda s, q, v: s.tell(v, 1), (["0-1.1"], None), "the id of a question is .*, e"),
        ("plain", lambda s, q, v: getattr(s, v)([q]), ("skip", "withdraw", "hand_back"), "the id"),
        ("plain", lambda s, q, v: s.withdraw(v), ("0-1.1",), "has no answer that could be taken"),
        ("plain", lambda s, q, v: s.leave_out(q), (1,), "only cells of a test set can be left"),
        ("plain", lambda s, q, v: s.scores(), (1,), "about dueling: scores are those of sets"),
        ("items", lambda s, q, v: s.votes(), (1,), r"no independent votes: see Session\.item_du"),
        ("plain", lambda s, q, v: s.ask(v), (0, 1.5), "n is .*, expected a whole number, at least"),
        ("plain", lambda s, q, v: s.ask(lease=v), (math.inf, 1e308, "60"), "lease"),
        ("plain", lambda s, q, v: s.ask(rater=v), ("", 7, "=1", "\u202ean", "x" * 61), "rater i"),
        ("plain", lambda s, q, v: s.run("true", **{v: -1}), ("workers", "budget"), "is -1, expe"),
        ("plain", lambda s, q, v: s.run("a\0b"), (1,), "cannot start 'a.*b': embedded null byte"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(tmp_path, kind, act, values, message):
    path = tmp_path / kind
    with begin(path, kind) as session:
        before, asked = path.read_bytes(), open_questions(session)
        for value in values:
            with pytest.raises(InputError, match=message):
                act(session, asked[0].id, value)
        assert path.read_bytes() == before
        assert open_questions(session) == asked


def test_a_log_of_another_version_is_refused_and_its_answers_are_read(answered):
    first, *others = records_of(answered)
    answered.write_bytes(log_of([{**first, "version": "9.9"}, *others]))
    before = answered.read_bytes()
    for opened in (cpe.Session.open, cpe.Session.read):
        with pytest.raises(InputError, match=r"begun by version 9\.9 of cpe_opt, and this is"):
            opened(answered)
    assert answered.read_bytes() == before
    assert len(cpe.Session.read_answers(answered).answers()) == 1


def test_a_learner_of_ones_own_is_given_again(path):
    def first_wins(arms):
        return 1 - (yield cpe.Duel(0, 1))

    with cpe.Session.open(path, first_wins, labels=LABELS) as session:
        session.tell(session.ask()[0].id, "ant")
    with pytest.raises(InputError, match="'first_wins' is not one of this package: give it again"):
        cpe.Session.open(path)
    with pytest.raises(InputError, match="'unaware' is not the one that the session was begun"):
        cpe.Session.open(path, unaware)
    with cpe.Session.open(path, first_wins) as session:
        assert session.status().answer == "ant"
        assert session.best().doubt  # it promises nothing


@pytest.mark.parametrize("learner", ["clucb", "coci"])
def test_a_class_that_the_log_cannot_hold_is_given_again(path, learner):
    def trees(last):
        edges = cpe.SpanningTrees([("a", "b"), ("b", "c"), ("c", last)])
        return edges if learner == "clucb" else cpe.BestSet(edges)

    with cpe.Session.open(path, learner, problem=trees("a"), delta=0.1) as session:
        session.tell(session.ask()[0].id, 0.5)
        asked = open_questions(session)
    with pytest.raises(InputError, match="the log cannot hold what this session asks about"):
        cpe.Session.open(path)
    with pytest.raises(InputError, match="not the one that the session was begun with"):
        cpe.Session.open(path, problem=trees("d"))
    with cpe.Session.open(path, problem=trees("a")) as session:
        assert open_questions(session) == asked
        assert session.status().answers == 1
        if learner == "coci":
            with pytest.raises(InputError, match=r"is 1\.5, expected a number in \[0, 1\]"):
                session.tell(asked[0].id, 1.5)


SCRIPT = """import cpe_opt as cpe
trees = cpe.SubsetBandit(cpe.SpanningTrees([("a", "b"), ("b", "c"), ("c", "LAST")]), [1, 1, 1])
"""


def test_a_session_remembers_the_file_of_its_problem(tmp_path):
    """It is read again when the session is opened, wherever the log is then."""
    script, folder = tmp_path / "trees.py", tmp_path / "later"
    script.write_text(SCRIPT.replace("LAST", "a"), encoding="utf-8")
    path = tmp_path / "trees.jsonl"
    with cpe.Session.open(path, "clucb", problem=f"{script}:trees", delta=0.1) as session:
        session.tell(session.ask()[0].id, 1.0)
        asked = open_questions(session)
    folder.mkdir()
    path = path.rename(folder / path.name)
    with cpe.Session.open(path) as session:
        assert open_questions(session) == asked
    script.write_text(SCRIPT.replace("LAST", "d"), encoding="utf-8")
    with pytest.raises(InputError, match=r"trees\.py:trees has changed since the session was"):
        cpe.Session.read(path).status()
    script.unlink()
    with pytest.raises(InputError, match=r"no file .*trees.py.*; give the problem"):
        cpe.Session.read(path).status()
    assert len(cpe.Session.read_answers(path).answers()) == 1


def test_changed_contents_and_another_judge_are_refused(answered):
    """What is given first is compared from then on."""
    contents = {"ant": {"role": "kind", "shots": [1, 2.5]}, "bee": b"1", "cow": {1: len, "t": "x"}}
    with cpe.Session.open(answered) as session:
        session.check_unchanged({"ant": contents["ant"]})
        session.check_unchanged(contents, judge_id="large of May")
        log = answered.read_bytes()
    same = {"ant": {"shots": [1, 2.5], "role": "kind"}, "cow": {1: max, "t": "x"}}
    with cpe.Session.open(answered) as session:
        session.check_unchanged(same, judge_id="large of May")
        for label, other in (
            ("ant", {"role": "kind", "shots": [1, 2.25]}),
            ("bee", "1"),
            ("cow", {2: len, "t": "x"}),
        ):
            with pytest.raises(InputError, match=f"^'{label}' is not what it was when .*prior"):
                session.check_unchanged({label: other})
        with pytest.raises(InputError, match=r"judge is 'large of June', .* 'large of May'"):
            session.run(lambda question: "tie", judge_id="large of June")
    assert answered.read_bytes() == log
