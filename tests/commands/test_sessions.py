"""``cpe-opt session``: a file, questions out, answers in."""

import json
import re

import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.sessions.journal import Journal, read_journal
from tests.commands.test_cli import run


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "taste.jsonl"
    assert run("session", "new", path, "--labels", "tuna, salmon,squid").exit_code == 0
    return path


def asked(file, *options):
    """The open questions."""
    return json.loads(run("session", "next", file, "--json", *options).stdout)


def stands(file):
    return json.loads(run("session", "status", file, "--json").stdout)


@pytest.mark.parametrize("labels", ["a,b", "labels.txt"])
def test_a_new_session_needs_nothing_but_labels(tmp_path, labels):
    (tmp_path / "labels.txt").write_text("a\n b \n\n")
    done = run("session", "new", "a file.jsonl", "--labels", labels, cwd=tmp_path)
    assert "session run 'a file.jsonl'" in done.stdout
    with cpe.Session.open(tmp_path / "a file.jsonl", "copeland-tracking", delta=0.05) as session:
        assert session.question_set.labels == ("a", "b")


def test_what_new_takes_is_what_the_session_has(tmp_path):
    (tmp_path / "votes.csv").write_text("winner,loser,count\nb,a,7\na,c,2\n", encoding="utf-8")
    (tmp_path / "prices.csv").write_text(
        "first,second,price\na,b,2\nb,c,3\na,c,4\n", encoding="utf-8"
    )
    done = run(
        *("session", "new", "s.jsonl", "condorcet-tracking", "--prior", "votes.csv"),
        *("--prices", "prices.csv", "--seed", 7, "-p", "delta=0.01", "--labels", "a,b,c"),
        cwd=tmp_path,
    )
    assert done.exit_code == 0, done.stderr
    header = cpe.Session.read(tmp_path / "s.jsonl").header
    assert (header.name, header.seed) == ("condorcet-tracking", 7)
    assert header.parameters == {"delta": 0.01}
    assert header.prior.votes.wins[1].tolist() == [7, 0, 0]
    assert header.prices[0].tolist() == [0, 2, 4]
    options = ("--labels", "a,b", "--horizon", "1e3", "--prices", 2.5)
    run("session", "new", "r.jsonl", "rucb", *options, cwd=tmp_path)
    header = cpe.Session.read(tmp_path / "r.jsonl").header
    assert (header.horizon, header.prices[0, 1]) == (1000, 2.5)


def test_a_question_is_answered_by_words_labels_and_numbers(file):
    for said, outcome in [("first", 1), ("TIE", 0.5), ("0", 0), ("1", 1), ("second", 0)]:
        [question] = asked(file)
        assert question["kind"] == "duel"
        done = run("session", "answer", file, question["id"], said)
        assert done.exit_code == 0, done.stderr
        wins = "a tie" if outcome == 0.5 else f"{question['labels'][1 - outcome]} wins"
        assert done.stdout == f"{question['id']}: {wins}\n"
    [question] = asked(file)
    label = question["labels"][1]
    done = run("session", "answer", file, question["id"], label.upper(), "--rater", "ann")
    assert done.stdout == f"{question['id']}: {label} wins\n"
    frame = cpe.Session.read(file).answers()
    assert frame["outcome"].tolist() == [1, 0.5, 0, 1, 0, 0]
    assert frame["rater"].tolist() == [""] * 5 + ["ann"]


def test_skipped_and_withdrawn(file):
    [question] = asked(file)
    assert "skipped" in run("session", "answer", file, question["id"], "skip").stdout
    assert run("session", "answer", file, question["id"], "first").exit_code == 0
    assert run("session", "withdraw", file, question["id"]).exit_code == 0
    status = stands(file)
    assert (status["answers"], status["skips"], status["withdrawn"]) == (0, 1, 1)
    assert asked(file) == [question]


def test_raters_keep_their_questions_and_may_repeat_others(file):
    [question] = asked(file, "--rater", "ann", "--lease", 100)
    assert asked(file, "--rater", "bob") == []
    assert asked(file, "--rater", "ann") == [question]
    run("session", "answer", file, question["id"], "first", "--rater", "ann")
    [again] = asked(file, "--rater", "bob", "--repeat")
    assert again["id"] == f"{question['id']}~2"
    run("session", "answer", file, again["id"], question["labels"][0], "--rater", "bob")
    assert [each["agree"] for each in stands(file)["raters"]] == [1, 1]
    done = run("session", "next", file, "--rater", "bob", "--repeat")
    assert done.stdout == "nothing to repeat\n"


def test_status_says_who_is_ahead_what_is_proved_and_what_remains(file):
    assert "Nothing was answered yet." in run("session", "status", file).stdout
    with cpe.Session.open(file) as session:
        for _ in range(12):
            for question in session.ask():
                session.tell(question.id, sorted(question.labels) == list(question.labels))
        # While it is open here:
        done = run("session", "status", file)
        status = stands(file)
    assert "ahead" in done.stdout
    assert "Copeland winner: possible for" in done.stdout
    assert status["answers"] == 12
    assert status["favourite"] == "salmon"  # before squid and tuna in the alphabet
    assert status["evidence"]["copeland"]["salmon"] in ("possible", "proved")
    assert status["remaining"] > 0 or status["proved"]


def test_a_finished_session_says_so(tmp_path):
    file = tmp_path / "two.jsonl"
    run("session", "new", file, "--labels", "a,b", "-p", "delta=0.3")
    said = ""
    while "finished" not in said:
        [question] = asked(file)
        said = run("session", "answer", file, question["id"], "a").stdout
    answer, words = said.splitlines()[-2:]
    assert answer == "finished: a, proved"
    assert words.startswith("what is proved assumes that answers of one rater do not depend on")
    assert run("session", "next", file).stdout == f"{answer}\n{words}\n"
    status = stands(file)
    assert (status["finished"], status["favourite"], status["remaining"]) == (True, "a", 0)


def test_after_the_learner_s_proof_no_further_duels_are_listed(tmp_path):
    """Also where the votes alone prove less, as of a proof that rests on a condition."""
    file = tmp_path / "three.jsonl"
    run("session", "new", file, "condorcet-tracking", "--labels", "a,b,c", "-p", "delta=0.3")
    assert "further duels" in run("session", "status", file).stdout
    with cpe.Session.open(file) as session:
        session.run(lambda question: min(question.labels))
        assert "proved" not in session.best().evidence.copeland.values()
    said = run("session", "status", file).stdout
    assert "Proved at 70 %, if there is a Condorcet winner: a is the Condorcet winner." in said
    assert "further duels" not in said


def test_answers_are_exported(file, tmp_path):
    for said in ("first", "tie"):
        run("session", "answer", file, asked(file)[0]["id"], said, "--rater", "zoë")
    table, lines = tmp_path / "answers.csv", tmp_path / "answers.jsonl"
    for out in (table, lines):
        assert f"wrote {out}: 2 answers" in run("session", "export", file, out).stdout.replace(
            "\n", ""
        )
        assert run("session", "export", file, out).exit_code == 2  # it exists
    frame = pd.read_csv(table)
    expected = cpe.Session.read(file).answers()
    assert frame["id"].tolist() == expected["id"].tolist()
    assert frame["outcome"].tolist() == [1, 0.5]
    assert frame["rater"].tolist() == ["zoë", "zoë"]
    rows = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    assert [row["first"] for row in rows] == expected["first"].tolist()
    assert [row["time"] for row in rows] == frame["time"].tolist()


def test_votes_are_exported_in_the_forms_that_are_read(file, tmp_path):
    for said in ("first", "tie", "second"):
        run("session", "answer", file, asked(file)[0]["id"], said)
    out = tmp_path / "battles.csv"
    done = run("session", "export", file, out, "--votes")
    assert done.exit_code == 0, done.stderr
    assert cpe.read_votes(out).wins.sum() == 3
    assert run("session", "export", file, out, "--votes").exit_code == 2  # it exists


def written_anew(file, records):
    """The same file, with these records."""
    file.unlink()
    journal = Journal(file)
    for record in records:
        journal.append(record)
    journal.close()


def test_names_that_are_there_are_shown_by_their_numbers(file, tmp_path):
    names = ["\udcff", "a\x00b", "\u202eann", "fine"]
    answers = [
        {"answer": f"0-1.{k}", "outcome": 1.0, "shown": [0, 1], "rater": name, "at": 1.0}
        for k, name in enumerate(names, 1)
    ]
    written_anew(file, [*read_journal(file), *answers])
    shown = ["\\udcff", "a\\x00b", "\\u202eann", "fine"]
    done = run("session", "status", file)
    assert all(name in done.stdout for name in shown)
    assert run("session", "export", file, tmp_path / "answers.csv").exit_code == 0
    assert list(pd.read_csv(tmp_path / "answers.csv")["rater"]) == shown


def links(file):
    """The same file, by other names."""
    (file.parent / "folder").mkdir()
    (file.parent / "link.csv").symlink_to(file)
    (file.parent / "hard.csv").hardlink_to(file)
    return [file, file.parent / "folder" / ".." / file.name, file.parent / "link.csv",
            file.parent / "hard.csv"]  # fmt: skip


@pytest.mark.parametrize("options", [(), ("--votes",), ("--scores",)])
def test_a_session_is_not_exported_into_itself(file, options):
    content = file.read_bytes()
    for out in links(file):
        done = run("session", "export", file, out, "--force", *options)
        assert done.exit_code == 2
        assert "is the file that is read" in " ".join(done.stderr.split())
        assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        (("evidence", "votes.csv", "--report"), "votes.html"),
        (("evidence", "votes.csv", "--plot"), "votes.png"),
        (("run", "rucb", "votes.csv", "--horizon", "9", "--plot"), "votes.png"),
        (("compare", "rucb", "--on", "votes.csv", "--horizon", "9", "--plot"), "votes.png"),
        (("export", "copeland-bound", "votes.csv"), "votes.lp"),
    ],
    ids=lambda value: " ".join(value[:1]) if isinstance(value, tuple) else value,
)
def test_no_command_writes_over_what_it_reads(tmp_path, arguments, written):
    votes = tmp_path / "votes.csv"
    votes.write_text("winner,loser,count\na,b,3\nb,a,1\n", encoding="utf-8")
    content = votes.read_bytes()
    (tmp_path / written).symlink_to(votes)
    done = run(*arguments, written, "--force", cwd=tmp_path)
    assert done.exit_code == 2
    assert "is the file that is read" in " ".join(done.stderr.split())
    assert (tmp_path / written).is_symlink()
    assert votes.read_bytes() == content


def test_of_another_version_all_answers_can_be_exported_but_nothing_that_proves(file, tmp_path):
    with cpe.Session.open(file) as session:
        for number in range(8):
            [question] = session.ask()
            session.tell(question.id, (1, 0, 0.5)[number % 3])
    first, *others = read_journal(file)
    written_anew(file, [{**first, "version": "0.0.9"}, *others])
    content = file.read_bytes()
    done = run("session", "next", file)
    assert done.exit_code == 2
    told = " ".join(done.stderr.split())
    assert "begun by version 0.0.9" in told
    [export] = re.findall("`cpe-opt (session export [^`]*)`", told)
    arguments = export.replace("FILE", str(file)).split()
    assert run(*arguments, cwd=tmp_path).exit_code == 0
    assert len(pd.read_csv(tmp_path / "answers.csv")) == 8
    votes = run("session", "export", file, tmp_path / "votes.csv", "--votes")
    assert votes.exit_code == 2
    assert "the others prove nothing" in " ".join(votes.stderr.split())
    assert not (tmp_path / "votes.csv").exists()
    assert file.read_bytes() == content


@pytest.mark.parametrize("content", [b"", b'{"cpe_opt_s', b"\n"], ids=["empty", "torn", "blank"])
def test_no_command_deletes_a_file_without_a_session(tmp_path, content):
    file = tmp_path / "taste.jsonl"
    file.write_bytes(content)
    for arguments in (
        *(("next", file), ("status", file), ("export", file, tmp_path / "a.csv")),
        *(("answer", file, "0-1.1", "first"), ("withdraw", file, "0-1.1"), ("run", file)),
        ("new", file, "--labels", "a,b"),
    ):
        done = run("session", *arguments)
        assert done.exit_code == 2
        assert "error: " in done.stderr
        assert file.read_bytes() == content
    assert [each.name for each in tmp_path.iterdir()] == ["taste.jsonl"]
