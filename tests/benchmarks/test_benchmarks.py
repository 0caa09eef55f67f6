"""Every row of the table can be made, small, and the page is made from stored figures."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks import page
from tests.benchmarks.__main__ import chosen, main
from tests.benchmarks.groups import GROUPS
from tests.benchmarks.settings import Settings
from tests.benchmarks.table import Row


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_every_group_has_rows(group):
    rows = list(group.rows(Settings(quick=True)))
    assert rows
    assert len({row.task for row in rows}) == len(rows)
    assert all(row.ours is not None for row in rows)


def test_the_table_is_printed_and_read_as_json(capsys):
    main(["--only", "resolves", "--quick", "--json"])
    printed = capsys.readouterr()
    (entry,) = json.loads(printed.out)
    assert entry["group"] == "resolves"
    (row,) = entry["rows"]
    assert row["ratio"] == row["alternative"] / row["ours"]
    assert row["task"] in printed.err
    assert row["task"] in page.page([entry])


def test_long_groups_are_asked_for():
    assert not any(group.long for group in chosen())
    assert chosen(long=True) == list(GROUPS)
    assert [group.name for group in chosen("of_compact")] == ["growth_of_compact"]


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
    assert 0 < report["stopped_at"] < 10**12
    assert 20 < report["memory"] < 1000


def test_new_figures_take_the_place_of_the_old_ones_of_their_group():
    old = [{"group": "races", "rows": 1}, {"group": "small", "rows": 2}]
    new = [{"group": "races", "rows": 3}]
    assert page.merged(old, new) == [old[1], new[0]]


def test_the_page_is_made_from_the_stored_figures():
    assert page.PAGE.read_text(encoding="utf-8") == page.page(page.stored())
