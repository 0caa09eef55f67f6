"""Many raters at once: no answer is lost, doubled or changed. Times are printed, not judged."""

import asyncio

import pytest

from tests.sessions.web.client import served
from tests.sessions.web.load import main, together


@pytest.mark.parametrize(("learner", "raters"), [("dkwt", 12), ("rucb", 3)])
def test_raters_at_once(tmp_path, monkeypatch, learner, raters):
    monkeypatch.setattr("cpe_opt.sessions.web.app.LONGEST_WAIT", 0.5)  # for those left at the end
    path = tmp_path / "s.jsonl"
    with served(path, learner) as (session, address):
        load = asyncio.run(together(address, raters, 60, 0.0))
        assert session.status().answers == 60 == len(load.given)
    assert load.lost(path) == set()
    assert (load.waits > 0) == (learner == "rucb")
    assert len({rater for rater, _ in load.given.values()}) == raters


@pytest.mark.slow
def test_fifty_raters_at_once():
    figures, lost = main(["--raters", "50", "--answers", "1000", "--organiser"])
    assert lost == set()
    assert figures["answers"] == 1000
