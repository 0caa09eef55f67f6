"""Rows of studies are noted as tasks end, and never computed again."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cpe_opt.experiments.reproduce.rows import rows_in_parallel
from cpe_opt.experiments.reproduce.settings import Settings


@pytest.fixture
def settings(tmp_path):
    return Settings("trial", True, tmp_path / "out", None, 0, 1, None)


@pytest.fixture
def calls():
    return []


@pytest.fixture
def play(calls):
    def play(place, scale):
        if place == "killed":
            raise KeyboardInterrupt
        calls.append(place)
        value = float(place * scale.sum())
        return [{"place": np.int64(place), "value": value, "even": bool(place % 2 == 0)}]

    return play


TASKS = [(place, np.ones(2)) for place in (3, 1, 2)]


def test_finished_tasks_are_not_run_again(play, calls, settings):
    with pytest.raises(KeyboardInterrupt):
        rows_in_parallel(play, [*TASKS[:2], ("killed", np.ones(2)), TASKS[2]], settings, ["place"])
    assert calls == [3, 1]
    seen = []
    told = replace(settings, progress=lambda done, every: seen.append((done, every)))
    frame = rows_in_parallel(play, TASKS, told, ["place"])
    assert calls == [3, 1, 2]
    assert seen == [(3, 3)]
    assert frame["place"].tolist() == [1, 2, 3]
    assert frame["value"].tolist() == [2.0, 4.0, 6.0]
    assert frame["even"].tolist() == [False, True, False]
    again = rows_in_parallel(play, TASKS, settings, ["place"])
    pd.testing.assert_frame_equal(again, frame)
    pd.testing.assert_frame_equal(pd.read_parquet(settings.file(".parquet")), frame)
    assert len(calls) == 3


def test_other_tasks_are_run(play, calls, settings):
    rows_in_parallel(play, TASKS, settings, ["place"])
    frame = rows_in_parallel(play, [(3, np.full(2, 5.0))], settings, ["place"])
    assert calls == [3, 1, 2, 3]
    assert frame["value"].tolist() == [30.0]


@pytest.mark.parametrize("kept", [1, 10, 30])
def test_a_torn_line_is_run_again(kept, play, calls, settings):
    frame = rows_in_parallel(play, TASKS, settings, ["place"])
    journal = settings.file("-rows.jsonl")
    text = journal.read_text()
    last = text.rindex("\n") + 1
    journal.write_text(text[: last + kept])
    pd.testing.assert_frame_equal(rows_in_parallel(play, TASKS, settings, ["place"]), frame)
    assert calls == [3, 1, 2, 2]
    rows_in_parallel(play, TASKS, settings, ["place"])
    assert len(calls) == 4
