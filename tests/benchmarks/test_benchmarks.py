"""Every row of the table can be made, small, and README.md says what each group measures."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.__main__ import GROUPS, PAGE, chosen, main, with_sections
from tests.benchmarks.measuring import Row, Settings


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_every_group_has_rows(group):
    rows = list(group.rows(Settings(quick=True)))
    assert rows
    assert len({row.task for row in rows}) == len(rows)
    assert all(row.ours is not None for row in rows)


def test_a_group_is_chosen_by_its_name_and_printed(capsys):
    assert not any(group.long for group in chosen())
    assert chosen(long=True) == list(GROUPS)
    assert [group.name for group in chosen("solves")] == ["resolves"]
    main(["--only", "resolves", "--quick"])
    head, _, row = capsys.readouterr().out.splitlines()
    cells = dict(zip(head.split(" | "), row.split(" | "), strict=True))
    assert float(cells["ratio"].rstrip("x")) == pytest.approx(
        float(cells["other"]) / float(cells["ours"]), abs=0.06
    )


def test_a_bar_is_met_or_missed():
    assert Row("a", 2.0, bar=2.0).is_met
    assert not Row("a", 2.1, bar=2.0).is_met
    assert not Row("a", None, bar=2.0).is_met
    assert Row("a", 2.0).is_met is None
    assert Row("a", 2.0, 5.0).ratio == 2.5


@pytest.mark.slow
def test_a_run_in_its_own_process_stops_at_the_limit():
    arguments = {"learner": "random-pairs", "instance": "gap", "horizon": 10**12, "seeds": 1}
    order = json.dumps({"task": "play", "arguments": arguments, "limit": 0.3})
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.alone", order],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    report = json.loads(done.stdout)
    assert report["seconds"] == []
    assert 20 < report["memory"] < 1000


def test_the_page_has_every_group_as_it_is_and_new_figures_take_the_place_of_old_ones():
    text = PAGE.read_text(encoding="utf-8")
    assert [each.split("`")[1] for each in text.split("\n## ")[1:]] == [g.name for g in GROUPS]
    assert all(f"\n## {group.about}\n" in text for group in GROUPS)
    assert with_sections(text, []) == text
    new = with_sections(text, [f"{GROUPS[1].about}\nnew figures\n"])
    assert new.count(GROUPS[1].about) == 1
    assert "new figures\n\n## " in new
