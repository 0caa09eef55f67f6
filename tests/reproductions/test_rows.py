"""Rows of studies are noted as tasks end, and never computed again."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.reproductions import rows
from cpe_opt.reproductions.rows import rows_in_parallel


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


@pytest.mark.parametrize("kept", [1, 10, 30, -1])
def test_a_torn_line_is_run_again(kept, play, calls, settings):
    frame = rows_in_parallel(play, TASKS, settings, ["place"])
    journal = settings.file("-rows.jsonl")
    *whole, last, _ = journal.read_text().split("\n")
    journal.write_text("\n".join([*whole, last[:kept]]))
    pd.testing.assert_frame_equal(rows_in_parallel(play, TASKS, settings, ["place"]), frame)
    assert calls == [3, 1, 2, 2]
    rows_in_parallel(play, TASKS, settings, ["place"])
    assert len(calls) == 4


@pytest.mark.parametrize(
    ("number", "damage"),
    [
        (1, b'{"task": "a", "ro'),
        (2, b"\xff\x00\x00"),
        (2, b""),
        (3, b"[]"),
        (3, b'{"task": "a"}'),
        (1, b'{"task": "a", "rows": [1]}'),
    ],
)
def test_a_damaged_line_is_refused(number, damage, play, calls, settings):
    rows_in_parallel(play, TASKS, settings, ["place"])
    journal = settings.file("-rows.jsonl")
    lines = journal.read_bytes().split(b"\n")
    lines[number - 1] = damage
    journal.write_bytes(b"\n".join([*lines[:-1], b"torn"]))
    kept = journal.read_bytes()
    with pytest.raises(cpe.InputError, match=rf"rows.jsonl, line {number} is no line of results"):
        rows_in_parallel(play, TASKS, settings, ["place"])
    assert journal.read_bytes() == kept
    assert len(calls) == 3
    del lines[number - 1]
    journal.write_bytes(b"\n".join(lines))
    rows_in_parallel(play, TASKS, settings, ["place"])
    assert len(calls) == 4


def test_an_edit_of_the_package_or_of_the_function_runs_tasks_again(
    play, calls, settings, monkeypatch
):
    rows_in_parallel(play, TASKS, settings, ["place"])
    rows_in_parallel(lambda place, scale: play(place, 2 * scale), TASKS, settings, ["place"])
    assert len(calls) == 6
    monkeypatch.setattr(rows, "source_digest", lambda: "edited")
    rows_in_parallel(play, TASKS, settings, ["place"])
    assert len(calls) == 9


def test_every_line_is_on_the_disk_before_the_next_task(play, settings, monkeypatch):
    noted = []

    def fsync(handle):
        noted.append(Path(f"/proc/self/fd/{handle}").resolve().name)

    monkeypatch.setattr(rows.os, "fsync", fsync)
    rows_in_parallel(play, TASKS, settings, ["place"])
    assert noted.count("trial-rows.jsonl") == 3
