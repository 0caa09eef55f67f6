"""Files of finished runs: the same in the end, whatever happened on the way."""

import random
import re

import pyarrow as pa
import pytest

import cpe_opt as cpe
from cpe_opt.experiments import shards

RUNS = 7


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch):
    monkeypatch.setattr(shards, "SHARD", 5)


def table(first, last):
    """Results of some runs: a number, a text, the time and a list each."""
    runs = range(first, last + 1)
    return pa.table(
        {
            "run": pa.array(runs, pa.int64()),
            "answer": [str(run) for run in runs],
            "seconds": [1.0 + run for run in runs],
            "regrets": pa.array([[run / 3] * run for run in runs], pa.list_(pa.float64())),
        }
    )


def save(folder, first, last):
    shards.save(folder, table(first, last))


def merge(folder, runs=RUNS):
    for shard in range(shards.shards_of(runs)):
        shards.merge(folder, shards.shard_span(shard, runs))


def is_whole(folder, runs=RUNS):
    """Whether a folder has its shards, with all their rows, and nothing else."""
    names = sorted(path.name for path in folder.iterdir())
    spans = [shards.shard_span(shard, runs) for shard in range(shards.shards_of(runs))]
    return names == [shards.path_of(folder, span).name for span in spans] and shards.read(
        folder
    ).equals(table(0, runs - 1))


@pytest.mark.parametrize("seed", range(4))
def test_merged_files_are_the_same_whatever_the_parts(tmp_path, seed):
    """In any order, some runs made twice, as by two experiments."""
    rng = random.Random(seed)
    parts = [(0, 2), (1, 3), (2, 4), (3, 3), (4, 4), (5, 5), (6, 6)]
    rng.shuffle(parts)
    for part in parts:
        save(tmp_path, *part)
    assert shards.finished(tmp_path, 8).tolist() == [True] * 7 + [False]
    assert shards.read(tmp_path).equals(table(0, 6))
    merge(tmp_path)
    assert is_whole(tmp_path)


@pytest.mark.parametrize("stop", range(1, 6))
def test_killed_while_it_merges_it_goes_on(tmp_path, stop, monkeypatch):
    """At each rename and each deletion."""
    for part in ((0, 0), (1, 2), (3, 4), (5, 6)):
        save(tmp_path, *part)
    steps = []

    def or_killed(act):
        def step(*arguments, **settings):
            steps.append(act)
            if len(steps) == stop:
                raise KeyboardInterrupt
            return act(*arguments, **settings)

        return step

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.replace", or_killed(type(tmp_path).replace))
        patch.setattr("pathlib.Path.unlink", or_killed(type(tmp_path).unlink))
        with pytest.raises(KeyboardInterrupt):
            merge(tmp_path)
    assert shards.read(tmp_path, RUNS).equals(table(0, 6))
    merge(tmp_path)
    for left in tmp_path.glob(".runs-*"):
        left.unlink()
    assert is_whole(tmp_path)


def test_a_longer_series_replaces_its_last_shard_alone(tmp_path):
    save(tmp_path, 0, 2)
    merge(tmp_path, 3)
    save(tmp_path, 3, 3)
    assert shards.spans_in(tmp_path) == {(0, 2), (3, 3)}
    merge(tmp_path, 4)
    save(tmp_path, 4, 4)
    save(tmp_path, 5, 6)
    merge(tmp_path)
    assert is_whole(tmp_path)
    merge(tmp_path, 3)  # asked for fewer, it keeps the others
    assert is_whole(tmp_path)


def test_a_late_part_of_a_merged_shard_is_not_left(tmp_path):
    """As of a worker that has outlived its experiment."""
    for part in ((0, 4), (5, 6), (2, 3)):
        save(tmp_path, *part)
    assert is_whole(tmp_path)


def test_a_reader_finds_what_is_merged_meanwhile(tmp_path, monkeypatch):
    for run in range(5):
        save(tmp_path, run, run)
    read, merged = shards.read_file, []

    def read_late(folder, span, *rest):
        if span == (3, 3) and not merged:
            merged.append(span)
            merge(tmp_path, 5)
        return read(folder, span, *rest)

    monkeypatch.setattr(shards, "read_file", read_late)
    assert shards.read(tmp_path).equals(table(0, 4))
    assert merged == [(3, 3)]


def test_what_is_missing_is_named(tmp_path):
    save(tmp_path, 0, 1)
    with pytest.raises(cpe.InputError, match=r"not all of the runs 0 to 2 are in .* share"):
        merge(tmp_path, 3)
    with pytest.raises(cpe.InputError, match=r"2 of 6 finished runs are in .* were deleted"):
        shards.read(tmp_path, 6)


def test_damage_is_named(tmp_path):
    save(tmp_path, 0, 3)
    path = tmp_path / "runs-000000-000003.parquet"
    content = path.read_bytes()
    flipped = content[:60] + bytes(255 - byte for byte in content[60:63]) + content[63:]
    for each in (b"", b"PAR1", content[:-1], flipped):
        path.write_bytes(each)
        with pytest.raises(cpe.InputError, match=f"{path.name}' is not a file of finished runs"):
            shards.read(tmp_path)
    path.write_bytes(content[:-1])
    with pytest.raises(cpe.InputError, match="delete it, and its runs are repeated"):
        shards.check(tmp_path)
    path.unlink()
    save(tmp_path, 0, 2)
    path.with_name("runs-000000-000002.parquet").rename(path)
    with pytest.raises(cpe.InputError, match="it holds 3 runs, and its name says 4"):
        shards.check(tmp_path)
    path.rename(path.with_name("runs-000001-000003.parquet"))
    with pytest.raises(cpe.InputError, match="it holds other runs than its name says"):
        shards.read(tmp_path)


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
