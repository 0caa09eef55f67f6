"""Rows of studies are kept as tasks end, and never computed again."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.reproductions import study
from cpe_opt.reproductions.study import rows_in_parallel


class Calls(list):
    """A list that is no part of what decides a result."""

    fingerprint = None


@pytest.fixture
def calls():
    return Calls()


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


@pytest.mark.parametrize("damage", [b'[{"place": 1', b"\xff\x00\x00", b"", b"[1]"])
def test_a_damaged_file_is_refused_and_run_again_once_it_is_deleted(damage, play, calls, settings):
    frame = rows_in_parallel(play, TASKS, settings, ["place"])
    file = sorted(settings.file("-rows").iterdir())[0]
    file.write_bytes(damage)
    with pytest.raises(cpe.InputError, match=rf"{file.name} holds no rows of results"):
        rows_in_parallel(play, TASKS, settings, ["place"])
    assert file.read_bytes() == damage
    assert len(calls) == 3
    file.unlink()
    pd.testing.assert_frame_equal(rows_in_parallel(play, TASKS, settings, ["place"]), frame)
    assert len(calls) == 4


def test_an_edit_of_the_package_or_of_the_function_runs_tasks_again(
    play, calls, settings, monkeypatch
):
    rows_in_parallel(play, TASKS, settings, ["place"])
    rows_in_parallel(lambda place, scale: play(place, 2 * scale), TASKS, settings, ["place"])
    assert len(calls) == 6
    monkeypatch.setattr(study, "source_digest", lambda: "edited")
    rows_in_parallel(play, TASKS, settings, ["place"])
    assert len(calls) == 9
