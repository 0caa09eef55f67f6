"""Sessions in which two arms play pairs of games."""

import json

import pytest

import cpe_opt as cpe
from cpe_opt.proofs.dueling.two_arms import TwoArmBets
from cpe_opt.sessions.report import session_report
from tests.commands.test_cli import run
from tests.commands.test_session_run import typed
from tests.sessions.web.client import Page, served

QUESTION = {"low": 0.5, "high": 0.6}
SCORES = [0.75, 0.5, 1, 0.75, 0.5, 0.25, 1, 0.75] * 6


def begin(path, **options):
    return cpe.Session.open(
        path, "sequential-test", labels=["new", "old"], seed=3, **{**QUESTION, **options}
    )


def play(session, scores):
    """Answer with these, until it has finished; how many were taken."""
    taken = 0
    for score in scores:
        if session.finished:
            break
        [question] = session.ask()
        session.tell(question.id, score)
        taken += 1
    return taken


def test_a_pair_is_answered_by_its_mean_or_by_both_games(path):
    with begin(path) as session:
        for said in (0.75, "1.0", ("first", "tie"), "new,old", "second,tie", (0.5, 1), "0.5"):
            [question] = session.ask()
            assert (question.labels, question.kind) == (("new", "old"), "games")
            session.tell(question.id, said)
        assert session.two_arms().counts.tolist() == [0, 1, 2, 3, 1]
        assert not session.two_arms().proved
        for wrong in (0.3, "first", -0.25, "1.5"):
            with pytest.raises(cpe.InputError, match="is no outcome of a pair of games"):
                session.tell("0-1.8", wrong)
    with begin(path) as session:  # as it was begun, with what was answered
        assert session.status().answers == 7


def test_it_says_what_the_learner_proves_and_nothing_of_votes(path):
    with begin(path, alpha=0.04, beta=0.01) as session:
        taken = play(session, SCORES)
        status, found = session.status(), session.two_arms()
        assert taken < len(SCORES)
        assert status.claim == "proved: new is better than 0 Elo (a mean above 0.5)"
        assert (found.proved, found.counts.sum()) == ("better", taken)
        assert (found.alpha, found.beta, session.header.shares.delta) == (0.04, 0.01, 0.04)
        assert (session.evidence(), session.warnings(proved=True)) == (None, ())
        report = str(session_report(session))
        assert "new is better than 0 Elo" in report
        with pytest.raises(cpe.InputError, match="pairs of games are no votes"):
            session.votes()


def test_the_other_answer_is_of_the_second_arm(path):
    with begin(path) as session:
        play(session, [1 - score for score in SCORES])
        assert session.status().answer == "old"
        assert "new is worse than 70.44 Elo (a mean below 0.6)" in session.status().claim


# On the command line


def test_a_test_in_elo_from_new_to_its_end(tmp_path):
    path = tmp_path / "test.jsonl"
    done = run(
        "session", "new", path, "--arms", "new,old", "--elo0", 0, "--elo1", 50, "--beta", 0.1
    )
    assert done.exit_code == 0, done.stderr
    assert "pairs that it still takes, if their variance is 0.0375: about " in done.stdout
    with cpe.Session.open(path) as session:
        assert session.header.name == "sequential-test"
        assert session.header.parameters == {
            "low": 0.5,
            "high": pytest.approx(0.5714631),
            "beta": 0.1,
        }
        play(session, SCORES)
    assert "new gets 0.75" not in run("session", "status", path).stdout
    standing = json.loads(run("session", "status", path, "--json").stdout)
    assert (standing["answer"], standing["evidence"]["proved"]) == ("new", "better")


def test_people_say_who_won_each_game(path):
    run("session", "new", path, "--arms", "new,old", "--elo0", 0, "--elo1", 50)
    assert "0-1.1 first,tie" in run("session", "next", path).stdout
    shown = typed(path, ["1", "1,t", "2, 1", "old,old", "0.75", "q"])
    assert shown.count("who won each of the two games of a pair? Such as 1,t\n  1  new\n") == 6
    assert "'first' is no outcome of a pair of games" in shown
    assert "of 3.00 for better" in shown
    with served(path) as (session, address):  # to whom labels are not shown
        page = Page(address, "ann")
        asked = page.ask()
        assert (asked["title"], asked["question"]["kind"]) == ("Who won?", "games")
        assert page.answer(asked["question"]["id"])["error"] == "This is no answer to the question."
        page.answer(asked["question"]["id"], "first,tie")
        assert session.two_arms().counts.tolist() == [1, 0, 1, 3, 0]


def test_a_file_of_pairs_proves_what_the_session_says(path):
    """In the order of asking, whatever the order of the answers; what waits does not count."""
    out = path.with_name("answers.csv")
    with begin(path, parallel=3) as session:
        for slot, score in zip((2, 3, 1, 5, 4, 7, 6, 9, 8, 10, 12), SCORES, strict=False):
            session.tell(f"0-1.{slot}", score)
        said = session.two_arms()
        assert (said.counts.sum(), len(session.answers())) == (10, 11)
    run("session", "export", path, out)
    question = ("--low", 0.5, "--high", 0.6, "--json")
    found = json.loads(run("evidence", out, *question).stdout)
    assert found == json.loads(json.dumps(said.as_dict()))
    other = json.loads(run("evidence", out, *question, "--anchor", "new").stdout)
    assert (other["labels"], other["counts"]) == (["old", "new"], found["counts"][::-1])


def test_a_log_of_two_arms_is_tested_in_its_order(tmp_path):
    log, bets = tmp_path / "log.csv", TwoArmBets(0.5, 0.6)

    def tested(lines, anchor=None):
        log.write_text("\n".join(lines) + "\n")
        return cpe.two_arms(cpe.read_answer_rows(log), low=0.5, high=0.6, anchor=anchor)

    lines = ["winner,loser", "b,a", "b,a", "a,b", "b,a"]
    for score in (1.0, 1.0, 0.0, 1.0):
        bets.add(score)
    assert (tested(lines, "a").labels, tested(lines, "a").evidence) == (("b", "a"), bets.evidence)
    named = ["model_a,model_b,winner", "b,a,model_a", "b,a,tie", "b,a,model_b"]
    assert tested(named).labels == ("b", "a")
    for wrong, message in (
        (lines, "anchor is None, expected the old arm: b or a"),
        ([*named, "a,b,tie"], "anchor is None, expected the old arm: b or a"),
        (["model_a,model_b,winner,count", "a,b,tie,2"], "a row says 2 times 0.5"),
        (["model_a,model_b,outcome", "a,b,0.3"], "a row says 1 times 0.3"),
        ([*lines, "b,c"], "b, a, c, expected rows about two arms"),
        ([*lines, "b,"], "is empty, expected rows about two arms"),
    ):
        with pytest.raises(cpe.InputError, match=message):
            tested(wrong)


def test_counts_of_games(tmp_path):
    counts = "260,1900,4200,2150,330"
    done = run("evidence", "--pentanomial", counts, "--elo0", 0, "--elo1", 5)
    assert "new is better than 0 Elo (a mean above 0.5)" in " ".join(done.stdout.split())
    shown = run("evidence", "--pentanomial", counts, "--elo0", 0, "--elo1", 5, "--json")
    assert json.loads(shown.stdout)["counts"] == [260, 1900, 4200, 2150, 330]
    for options, message in (
        ((), "files of votes, or --pentanomial"),
        (("votes.csv", "--pentanomial", counts), "files of votes, or --pentanomial"),
        (("a.csv", "b.csv", "--elo0", 0), "--pentanomial; of two arms one file"),
        (("votes.csv", "--elo0", 0, "--by", "x"), "--by has no effect on a test of two arms"),
        (("--pentanomial", "1,b", "--elo0", 0, "--elo1", 5), "pentanomial is 'b'"),
        (("--pentanomial", counts, "--elo0", 0), "elo0 is said of the means that matter"),
    ):
        done = run("evidence", *options)
        assert (done.exit_code != 0, message in " ".join(done.stderr.split())) == (True, True)
