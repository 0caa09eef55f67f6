"""Files of finished runs: the same in the end, whatever happened on the way."""

import errno
import math
import random
import re
from contextlib import ExitStack

import numpy as np
import pyarrow as pa
import pytest

import cpe_opt as cpe
from cpe_opt.experiments import shards
from cpe_opt.experiments.shards import Span

RUNS = 7


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch):
    monkeypatch.setattr(shards, "SHARD", 5)


def table(first, last):
    """Results of some runs: a number, a text and a list each."""
    runs = range(first, last + 1)
    return pa.table(
        {
            "run": pa.array(runs, pa.int64()),
            "answer": [str(run) for run in runs],
            "regrets": pa.array([[run / 3] * run for run in runs], pa.list_(pa.float64())),
        }
    )


def save(folder, first, last):
    shards.save(folder, table(first, last), [1.0 + run for run in range(first, last + 1)])


def merge(folder, runs=RUNS):
    for shard in range(shards.shards_of(runs)):
        shards.merge(folder, shards.shard_span(shard, runs))


def content_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def whole(tmp_path):
    """What is in a folder whose shards were written at once."""
    save(tmp_path / "whole", 0, 4)
    save(tmp_path / "whole", 5, 6)
    content = content_of(tmp_path / "whole")
    assert sorted(content) == [
        "_seconds-000000-000004.parquet", "_seconds-000005-000006.parquet",
        "runs-000000-000004.parquet", "runs-000005-000006.parquet",
    ]  # fmt: skip
    return content


@pytest.mark.parametrize("seed", range(4))
def test_merged_files_are_the_same_whatever_the_parts(tmp_path, whole, seed):
    """In any order, some runs made twice, as by two experiments."""
    rng = random.Random(seed)
    parts = [(0, 2), (1, 3), (2, 4), (3, 3), (4, 4), (5, 5), (6, 6)]
    rng.shuffle(parts)
    for part in parts:
        save(tmp_path / "parts", *part)
    assert shards.finished(tmp_path / "parts", 8).tolist() == [True] * 7 + [False]
    merge(tmp_path / "parts")
    assert content_of(tmp_path / "parts") == whole
    merge(tmp_path / "parts")
    assert content_of(tmp_path / "parts") == whole


@pytest.mark.parametrize("stop", range(1, 7))
def test_killed_while_it_merges_it_goes_on(tmp_path, whole, stop, monkeypatch):
    """At each rename and each deletion."""
    folder = tmp_path / "parts"
    for part in ((0, 0), (1, 2), (3, 4), (5, 6)):
        save(folder, *part)
    steps = []

    def or_killed(act):
        def step(*arguments, **settings):
            steps.append(act)
            if len(steps) == stop:
                raise KeyboardInterrupt
            return act(*arguments, **settings)

        return step

    with monkeypatch.context() as patch:
        patch.setattr(shards, "write_file", or_killed(shards.write_file))
        patch.setattr("pathlib.Path.unlink", or_killed(type(folder).unlink))
        with pytest.raises(KeyboardInterrupt):
            merge(folder)
    assert shards.read(folder, RUNS).equals(table(0, 6))
    assert shards.read_seconds(folder, np.arange(RUNS)) == [1.0 + run for run in range(RUNS)]
    merge(folder)
    assert content_of(folder) == whole


def test_a_longer_series_replaces_its_last_shard_alone(tmp_path, whole):
    folder = tmp_path / "parts"
    save(folder, 0, 2)
    merge(folder, 3)
    save(folder, 3, 3)
    assert sorted(content_of(folder))[2:] == [
        "runs-000000-000002.parquet", "runs-000003-000003.parquet",
    ]  # fmt: skip
    merge(folder, 4)
    save(folder, 4, 4)
    save(folder, 5, 6)
    merge(folder)
    assert content_of(folder) == whole
    merge(folder, 3)  # asked for fewer, it keeps the others
    assert content_of(folder) == whole


def test_a_late_part_of_a_merged_shard_is_not_left(tmp_path, whole):
    """As of a worker that has outlived its experiment."""
    for part in ((0, 4), (5, 6), (2, 3)):
        save(tmp_path / "parts", *part)
    assert content_of(tmp_path / "parts") == whole


def test_a_reader_finds_what_is_merged_meanwhile(tmp_path, monkeypatch):
    for run in range(5):
        save(tmp_path, run, run)
    read, merged = shards.read_file, []

    def read_late(folder, kind, span, *rest):
        if span == (3, 3) and not merged:
            merged.append(span)
            merge(tmp_path, 5)
        return read(folder, kind, span, *rest)

    monkeypatch.setattr(shards, "read_file", read_late)
    assert shards.read(tmp_path).equals(table(0, 4))
    assert merged == [(3, 3)]


def test_a_name_without_a_file_is_answered(tmp_path):
    (tmp_path / "runs-000000-000002.parquet").symlink_to("nowhere")
    with pytest.raises(cpe.InputError, match=r"cannot read '.*000000-000002.parquet': No such"):
        shards.read(tmp_path)


def test_what_is_missing_is_named(tmp_path):
    save(tmp_path, 0, 1)
    with pytest.raises(cpe.InputError, match=r"not all of the runs 0 to 2 are in .* share"):
        merge(tmp_path, 3)
    with pytest.raises(cpe.InputError, match=r"2 of 6 finished runs are in .* were deleted"):
        shards.read(tmp_path, 6)


def test_results_are_whole_without_the_seconds(tmp_path):
    save(tmp_path, 0, 1)
    save(tmp_path, 2, 4)
    (tmp_path / "_seconds-000000-000001.parquet").unlink()
    merge(tmp_path, 5)
    assert shards.read(tmp_path, 5).equals(table(0, 4))
    first, second, *others = shards.read_seconds(tmp_path, np.arange(5))
    assert math.isnan(first)
    assert math.isnan(second)
    assert others == [3.0, 4.0, 5.0]


@pytest.mark.parametrize("kind", ["runs", "_seconds"])
def test_damage_is_named(tmp_path, kind):
    save(tmp_path, 0, 3)
    path = tmp_path / f"{kind}-000000-000003.parquet"
    content = path.read_bytes()
    flipped = content[:60] + bytes(255 - byte for byte in content[60:63]) + content[63:]
    damaged = [b"", b"PAR1", content[:-1], flipped]
    read = {
        "runs": lambda: shards.read(tmp_path),
        "_seconds": lambda: shards.read_seconds(tmp_path, np.arange(4)),
    }[kind]
    for each in damaged:
        path.write_bytes(each)
        with pytest.raises(cpe.InputError, match=f"{path.name}' is not a file of finished runs"):
            read()
    path.write_bytes(damaged[2])
    with pytest.raises(cpe.InputError, match="delete it, and its runs are repeated"):
        shards.check(tmp_path)
    path.unlink()
    save(tmp_path, 0, 2)
    path.with_name(f"{kind}-000000-000002.parquet").rename(path)
    with pytest.raises(cpe.InputError, match="it holds 3 runs, and its name says 4"):
        shards.check(tmp_path)
    path.rename(path.with_name(f"{kind}-000001-000003.parquet"))
    with pytest.raises(cpe.InputError, match="it holds other runs than its name says"):
        read()


def test_no_damaged_byte_changes_a_result(tmp_path):
    save(tmp_path, 0, 3)
    path = tmp_path / "runs-000000-000003.parquet"
    content, refused = path.read_bytes(), 0
    names = [match.start() for match in re.finditer(b"regrets", content)]
    for place in (*names, *range(0, len(content), 11)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        try:
            assert shards.read(tmp_path).equals(table(0, 3)), place
        except cpe.InputError:
            refused += 1
    assert refused > 50


def test_files_of_others_are_no_runs(tmp_path):
    for name in ("runs-000003-000007.parquet", "runs-000002-000001.parquet", "runs-1-2.parquet"):
        (tmp_path / name).write_text("across shards, or backwards, or another's")
    assert not shards.finished(tmp_path, 9).any()
    path = tmp_path / "runs-000000-000001.parquet"
    table(0, 1).to_pandas().to_parquet(path)
    with pytest.raises(cpe.InputError, match=r"\(another program wrote it\)"):
        shards.check(tmp_path)


def test_only_what_nobody_writes_is_swept(tmp_path):
    folder = tmp_path / "series"
    save(folder, 0, 4)
    kept = content_of(folder)
    left = [folder / f".{kind}-000005-000006-x1.parquet" for kind in ("runs", "_seconds")]
    for path in left:
        path.write_text("half a file")
    with shards.writing(tmp_path, []), shards.writing(tmp_path, [folder]):
        assert len(content_of(folder)) == len(kept) + 2
    first = ExitStack()
    first.enter_context(shards.writing(tmp_path, []))
    with shards.writing(tmp_path, []):
        first.close()
        with shards.writing(tmp_path, [folder]):
            assert len(content_of(folder)) == len(kept) + 2
    with shards.writing(tmp_path, [folder]), shards.writing(tmp_path, [folder]):
        assert content_of(folder) == kept


def test_a_part_that_cannot_be_deleted_is_named(tmp_path, monkeypatch):
    save(tmp_path, 0, 1)

    def refused(path, *, missing_ok):
        raise PermissionError(errno.EACCES, "no")

    shards.write_file(tmp_path, "runs", Span(0, 2), table(0, 2))
    monkeypatch.setattr("pathlib.Path.unlink", refused)
    with pytest.raises(cpe.errors.WriteFailed, match=r"cannot delete '.*1.parquet': Permission"):
        shards.tidy(tmp_path)
    assert shards.read(tmp_path).equals(table(0, 2))


def test_a_file_in_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "out").write_text("a file")
    with (
        pytest.raises(cpe.errors.WriteFailed, match=r"cannot write to '.*out': File exists"),
        shards.writing(tmp_path / "out", []),
    ):
        pass


def test_every_run_is_taken_once_of_the_largest_file():
    cover = shards._cover([Span(0, 1), Span(1, 4), Span(3, 3), Span(0, 0)], Span(0, 3))
    assert {span: numbers.tolist() for span, numbers in cover.items()} == {
        Span(1, 4): [1, 2, 3],
        Span(0, 1): [0],
    }
