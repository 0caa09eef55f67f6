"""Blocks that are shown and not run, as lines of a file, are what the package reads and writes.

Every such block of the README, the site, the catalogue and the reproduced pages is in ``COMPARED``,
and a test compares it.
"""

import json
import re
import shutil

import cpe_opt as cpe
from cpe_opt.sessions.content import Content
from cpe_opt.sessions.judges import question_line, read_answer
from cpe_opt.sessions.questions import question_of
from tests.docs.blocks import ROOT, blocks_of, name_of, pages

COMPARED = {
    "docs/architecture.md": 1,
    "docs/extend.md": 5,  # tests/test_architecture_page.py
    "docs/howto/swap-a-solver.md": 1,
    "docs/programs-of-a-run.md": 3,  # tests/test_recorded_page.py
    "docs/results.md": 1,
    "docs/sessions.md": 3,
    "examples/reproduced/README.md": 2,  # tests/docs/test_commands_named.py
    "models/README.md": 1,
    "tests/benchmarks/README.md": 1,  # tests/docs/test_commands_named.py
}
LABELS = ["tuna", "salmon", "squid"]


def shown_blocks(file):
    """Blocks of a page that are neither run, nor what a run prints, nor of Sphinx alone."""
    blocks = blocks_of((ROOT / file).read_text(encoding="utf-8"))
    printed = {each.after for each in blocks if each.language == "python"}
    return [
        each
        for each in blocks
        if each.language not in ("python", "console")
        and not each.language.startswith("{")
        and not each.caption
        and each.body not in printed
    ]


def test_each_is_compared():
    counts = {name_of(path): len(shown_blocks(name_of(path))) for path in pages(ROOT)}
    assert {page: count for page, count in counts.items() if count} == COMPARED


def test_the_records_of_a_session(tmp_path, monkeypatch):
    """With the times of the page, and a key for its names: the same lines, their checksums, too."""
    monkeypatch.setattr("secrets.token_hex", lambda count: "0" * 2 * count)
    records = shown_blocks("docs/sessions.md")[0].body.splitlines()
    at = [json.loads(line).get("at") for line in records[1:]]
    clock = iter([json.loads(records[1])["until"] - 600.0, *at[1:]])  # that of a lease
    told = {"labels": LABELS, "delta": 0.05, "clock": lambda: next(clock)}
    with cpe.Session.open(tmp_path / "taste.jsonl", "copeland-tracking", **told) as session:
        (question,) = session.ask(rater="ann")
        session.tell(question.id, 1.0, rater="ann")
        session.withdraw(question.id)
        session.ask_at_once(3)
    first, *others = (tmp_path / "taste.jsonl").read_text(encoding="utf-8").splitlines()
    assert records[1:] == others
    begins, ends = records[0].split(" …")
    assert first.startswith(begins)
    assert first.endswith(ends)


def test_a_table_of_what_is_shown(tmp_path):
    table = shown_blocks("docs/sessions.md")[1].body
    (tmp_path / "items.csv").write_text(table, encoding="utf-8")
    shutil.copy(ROOT / "examples" / "leaderboard.png", tmp_path / "squid.jpg")
    content = Content.read(tmp_path / "items.csv", ["tuna", "squid"])
    assert "<strong>Tuna</strong>, from the south" in content.things["tuna"]["html"]
    assert content.things["squid"]["alt"] == "A squid on a plate"
    assert list(content.images) == [content.things["squid"]["image"]]


def test_what_is_said_to_programs(tmp_path):
    said, answered = shown_blocks("docs/sessions.md")[2].body.splitlines()
    identity = json.loads(said)["id"]
    with cpe.Session.open(tmp_path / "taste.jsonl", "dkwt", labels=LABELS) as session:
        question = question_of(identity, session.question_set, seed=0)
    assert question_line(question).decode() == f"{said}\n"
    assert read_answer(question, answered.encode()) == 1.0


def test_the_files_of_many_runs(tmp_path):
    """Names of the form on the page, in a folder of another digest, each run in one file."""
    cpe.run_experiment(["rucb"], ["gap"], runs=500, horizon=1, jobs=1, out=tmp_path / "results")
    first, *others = shown_blocks("docs/results.md")[0].body.split()
    folder, _, file = first.rpartition("/")
    place, _, digest = folder.rpartition("/")
    (made,) = (tmp_path / place).iterdir()
    assert len(made.name) == len(digest)
    kept = [path.name for path in made.iterdir() if path.name != "_series.json"]
    for names in (kept, [file, *others]):
        spans = [re.fullmatch(r"runs-(\d{6})-(\d{6})\.parquet", name).groups() for name in names]
        runs = [run for first, last in spans for run in range(int(first), int(last) + 1)]
        assert sorted(runs) == [*range(500)]
