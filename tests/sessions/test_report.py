"""Reports of sessions, of best_of and of votes: one summary, and no number against another."""

import math
import re

import numpy as np
import pytest
from typer.testing import CliRunner

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.proofs.dueling.remaining_duels import round_robin_duels
from cpe_opt.reports.decision import evidence_report
from cpe_opt.sessions.progress import progress_of
from cpe_opt.sessions.report import session_report, write_session_page

LABELS = ["tuna", "salmon", "squid"]
TABLE = cpe.random_items(4, 40, seed=3, spread=1.5)


def taster(seed):
    """Prefers later labels, in 70 of 100 answers."""
    rng = np.random.default_rng(seed)

    def judge(question):
        best = max(question.labels, key=LABELS.index)
        return best if rng.random() < 0.7 else min(question.labels, key=LABELS.index)

    return judge


def cell(question):
    """The cell of the table that is asked."""
    i, j = (int(label[1]) for label in question.labels)
    return float(TABLE.outcomes[i, j, int(question.item["id"]), 0])


def taste(path, **settings):
    learner = {"learner": "copeland-tracking", "delta": 0.05}
    return cpe.Session.open(path, labels=LABELS, **{**learner, **settings})


def items(path):
    arms = [f"p{arm}" for arm in range(4)]
    return cpe.Session.open(
        path, "copeland-tracking", labels=arms, items=40, orders="both", delta=0.05, prices=0.5
    )


def test_an_answer_that_the_learner_proves_is_proved_in_the_whole_report(tmp_path):
    with taste(tmp_path / "taste.jsonl") as session:
        session.run(taster(1), budget=12)
        early = session_report(session)
        session.run(taster(2))
        evidence = progress_of(session).evidence
        assert evidence.copeland["squid"] == "possible"  # the votes alone have a fifth of delta
        found = session_report(session, "Which sushi?")
    assert not early.proved
    assert early.summary.startswith("Not proved yet.")
    assert "questions is open" in str(early)
    assert any("further" in name or "to prove" in name for name, _ in early.facts)
    assert (found.title, found.proved, found.open) == ("Which sushi?", True, ())
    assert found.summary == "Proved at 95 %: squid is a Copeland winner."
    row = next(row for row in found.arms.rows if row[0] == "squid")
    assert row[found.arms.columns.index("Copeland")] == "proved"
    assert "Copeland winner: proved for squid" in "\n".join(found.lines)
    assert "further duels" not in str(found)
    assert sum(part.delta for part in found.delta_parts) == pytest.approx(0.05)
    assert [part.delta for part in found.delta_parts if part.what == "the answer"] == [0.04]


@pytest.mark.parametrize("learner", ["copeland-tracking", "borda-tracking"])
def test_of_two_arms_the_answer_is_the_winner_by_every_score(tmp_path, learner):
    path = tmp_path / "taste.jsonl"
    with cpe.Session.open(path, learner, labels=LABELS[:2], delta=0.05) as session:
        session.run(taster(1))
        evidence = progress_of(session).evidence
        assert set(evidence.copeland.values()) == {"possible"}
        found = session_report(session)
    cells = next(row for row in found.arms.rows if row[0] == "salmon")
    row = dict(zip(found.arms.columns, cells, strict=True))
    assert [row[name] for name in ("rank", "Copeland", "Borda")] == ["1", "proved", "proved"]
    assert next(row for row in found.arms.rows if row[0] == "tuna")[1] == "1–2"  # perhaps a tie


def test_nothing_is_added_where_the_learner_has_proved_something_else(tmp_path):
    with taste(tmp_path / "taste.jsonl", learner="condorcet-tracking") as session:
        session.run(taster(1))
        found = session_report(session)
        evidence = progress_of(session).evidence
    assert found.summary.startswith("Proved at 95 %, if there is a Condorcet winner: squid is the")
    row = next(row for row in found.arms.rows if row[0] == "squid")
    assert row[found.arms.columns.index("Condorcet")] == evidence.condorcet["squid"]


def test_a_report_over_items_is_about_the_full_table(tmp_path):
    with items(tmp_path / "items.jsonl") as session:
        empty = session_report(session)
        session.run(cell, budget=10)
        early = session_report(session)
        session.run(cell)
        status, found = session.status(), session_report(session)
    assert (empty.summary, empty.arms, empty.pairs) == ("Nothing was answered yet.", None, None)
    facts = dict(early.facts)
    assert facts["answers"] == "20 of the 480 cells of the full table"
    assert facts["cost"] == "10; the full table 240"
    leader = progress_of(cpe.Session.read(tmp_path / "items.jsonl")).favourite
    assert early.pairs.labels[0] in early.summary
    assert "460 cells were not asked" in str(early)
    assert found.summary == (
        f"Proved at 95 %: {status.answer} is a Copeland winner on the full table of these 40 "
        "items, not of new ones."
    )
    assert found.arms.rows[0][1:3] == [leader, "proved"] == [status.answer, "proved"]
    order = [int(label[1]) for label in found.pairs.labels]
    won = TABLE.table.array[np.ix_(order, order)] > 0.5
    assert won[found.pairs.sure].all()  # what is left cannot turn it
    assert [part.delta for part in found.delta_parts] == [0.05]


def test_best_of_reports_after_its_folder_is_gone(tmp_path):
    found = cpe.best_of([f"p{arm}" for arm in range(4)], cell, items=40, orders="both")
    page = found.report(tmp_path / "choice.html", title="Which prompt?").read_text("utf-8")
    assert "<h1>Which prompt?</h1>" in page
    assert f"{found.best} is a Copeland winner on the full table" in page
    with pytest.raises(cpe.InputError, match="exists"):
        found.report(tmp_path / "choice.html", force=False)


def test_the_command_prints_or_writes_it(tmp_path):
    path, out = tmp_path / "taste.jsonl", tmp_path / "taste.html"
    with taste(path) as session:
        session.run(taster(1))
    ran = CliRunner().invoke(app, ["session", "report", str(path)])
    assert ran.exit_code == 0
    assert "Proved at 95 %: squid is a Copeland winner." in ran.output
    named = ["--title", "A & B", "--out", str(out)]
    ran = CliRunner().invoke(app, ["session", "report", str(path), *named])
    assert ran.output.endswith(f"wrote {out}\n")
    page = out.read_text(encoding="utf-8")
    assert "<h1>A &amp; B</h1>" in page
    assert not re.search(r"<script|<link|url\(", page)
    assert page == write_session_page(
        cpe.Session.read(path), tmp_path / "again.html", title="A & B"
    ).read_text(encoding="utf-8")
    assert CliRunner().invoke(app, ["session", "report", str(path), *named]).exit_code == 2


def test_a_large_matrix_shows_the_first_arms_alone():
    rng = np.random.default_rng(5)
    votes = cpe.Votes(rng.integers(0, 4, (43, 43)) * (1 - np.eye(43, dtype=int)))
    page = evidence_report(cpe.evidence(votes)).html()
    assert "Of 43 arms the first 40 are shown" in page
    assert page.count('<th scope="row">') == 40


def test_a_round_robin_proves_at_its_number_and_not_below():
    wins = np.array([[0, 7, 6.5], [3, 0, 8], [3.5, 2, 0]])
    votes = cpe.Votes(3 * wins[[0, 1, 2]] + [[0, 7, 0], [3, 0, 0], [0, 0, 0]])  # not equally many
    estimate = cpe.PreferenceMatrix.from_votes(votes)
    tens = round_robin_duels(votes, estimate, 0.05, 0) / 3 / 10
    assert cpe.evidence(cpe.Votes(math.ceil(tens) * wins)).copeland["0"] == "proved"
    assert cpe.evidence(cpe.Votes((math.ceil(tens) - 1) * wins)).copeland["0"] == "possible"
    even = cpe.Votes([[0, 5], [5, 0]])
    assert math.isinf(round_robin_duels(even, cpe.PreferenceMatrix.from_votes(even), 0.05, 0))


def test_who_is_ahead_is_said_by_its_measure_where_the_table_begins_with_another(tmp_path):
    # 0 beats both by a little; 1 loses to it and beats 2 by far.
    wins = np.array([[0, 11, 11], [9, 0, 20], [9, 0, 0]])
    votes = cpe.Votes(wins, LABELS)
    with taste(tmp_path / "taste.jsonl", prior=votes) as session:
        progress = progress_of(session)
    assert progress.favourite == "tuna"
    assert progress.ahead == "tuna, with the fewest losses; salmon by the mean share of wins"
    with taste(tmp_path / "again.jsonl", prior=cpe.Votes(wins[::-1, ::-1].T, LABELS)) as session:
        progress = progress_of(session)
    assert progress.ahead == progress.favourite
