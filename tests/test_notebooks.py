"""What values show of themselves in a cell of a notebook: short, escaped, and nothing is solved."""

from xml.etree import ElementTree

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.notebooks import MOST_ROWS, html_table, short_value

NASTY = "<script>alert('&')</script>"


def votes():
    wins = [[0, 35, 30], [20, 0, 60], [28, 20, 0]]
    return cpe.Votes(wins, [NASTY, "tuna", "squid"], name=NASTY)


def values():
    """One of each kind, by name."""
    mu = cpe.PreferenceMatrix(
        [[0.5, 0.8, 0.6], [0.2, 0.5, 0.7], [0.4, 0.3, 0.5]], [NASTY, "b", "c"]
    )
    program = cpe.copeland_bound_program(mu, method="compact")
    quadratic = cpe.ProgramBuilder("p")
    quadratic.columns("x", [0, 1], upper=1.0)
    quadratic.quadratic([0], [0], [1.0])
    teams = [["ann", NASTY], ["ann", "cleo"], [NASTY, "cleo"]]
    quality = {NASTY: 1, "b": 2}
    return {
        "answer": cpe.copeland_time(mu),
        "matching": cpe.best_matching(cpe.BipartiteGraph.complete(2, 2), [1.0, 0.0, 0.0, 1.0]),
        "closed form": cpe.von_neumann_winner(mu),
        "result": cpe.solve(program),
        "linear": program,
        "quadratic": quadratic.build(),
        "lazy": cpe.copeland_bound_program(cpe.load_instance("gap"), method="cuts"),
        "conic": cpe.g_design_program(cpe.TopK(4, 2)),
        "trace": cpe.simulate("copeland-tracking", mu, delta=0.2),
        "regret": cpe.simulate("ecw-rmed", mu, horizon=100),
        "evidence": cpe.evidence(votes()),
        "team evidence": cpe.team_evidence(cpe.TeamScores(teams, [5, 4, 3], [9, 9, 9]), sigma=1.0),
        "analysis": cpe.analyse(mu),
        "choice": cpe.best_of(quality, lambda asked: max(asked.labels, key=quality.get), items=9),
    }


@pytest.fixture(scope="module")
def made():
    return values()


def test_what_a_cell_shows_is_sound_html_and_is_there_already(made, tmp_path):
    with cpe.recording(tmp_path / "programs") as log:
        shown = {
            name: value._repr_html_()
            for name, value in made.items()
            if hasattr(value, "_repr_html_")
        }
    assert log.solved == 0
    for name, html in shown.items():
        page = ElementTree.fromstring(f"<div>{html}</div>")
        assert page.find(".//script") is None, name
        assert page.find(".//table") is not None, name
        assert len(html) < 20_000, name
    for name in ("evidence", "team evidence", "analysis"):
        assert "&lt;script&gt;" in shown[name]


def test_facts_of_an_answer_and_a_trace(made):
    def facts(name):
        page = ElementTree.fromstring(f"<div>{made[name]._repr_html_()}</div>")
        return {row[0].text: row[1].text for row in page.iter("tr") if len(row) == 2}

    answer, trace = facts("answer"), facts("trace")
    assert float(answer["value"]) == pytest.approx(made["answer"].value)
    assert answer["gap"] == f"{made['answer'].gap:.1e}"
    assert trace["claim"] == "proved"
    assert trace["parameters"] == "delta = 0.2"
    assert facts("regret")["regret"].endswith("(mean)")


def test_what_is_printed_of_a_value_is_one_short_line(made):
    for name, value in made.items():
        assert "\n" not in repr(value), name
        assert len(repr(value)) < 200, name
    assert repr(made["evidence"]).endswith("3 arms, 193 votes, delta 0.05: 1 of 3 pairs proved)")
    assert repr(made["result"]).startswith("SolveResult('copeland_0', optimal, objective ")
    assert repr(made["choice"]).startswith("Choice('proved on these 9 items, not on new ones: b, a")


def test_long_tables_and_large_values_are_cut():
    html = html_table(["n"], [[n] for n in range(MOST_ROWS + 2)])
    assert html.count("<td") == MOST_ROWS
    assert html.endswith("<p>… and 2 more rows</p>")
    assert short_value(np.zeros((30, 4))) == "array, 30 × 4"
    assert short_value(np.float64(0.1)) == "0.1"
    assert short_value(np.array([1, 2])) == "[1, 2]"
    assert short_value(12_345) == "12,345"
    assert len(short_value("x" * 500)) == 120
