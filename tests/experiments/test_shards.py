"""Files of finished runs: each run is read once, and damage is named."""

import random

import pyarrow as pa
import pytest

import cpe_opt as cpe
from cpe_opt.experiments import shards


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


@pytest.mark.parametrize("seed", range(4))
def test_each_run_is_read_once_whatever_the_files(tmp_path, seed):
    """In any order, some runs made twice, as by two experiments."""
    rng = random.Random(seed)
    parts = [(0, 2), (1, 3), (2, 4), (3, 3), (4, 4), (5, 5), (6, 6)]
    rng.shuffle(parts)
    for part in parts:
        save(tmp_path, *part)
    assert shards.finished(tmp_path, 8).tolist() == [True] * 7 + [False]
    assert shards.read(tmp_path).equals(table(0, 6))
    assert shards.read(tmp_path, 2).equals(table(0, 1))


def test_what_is_missing_is_named(tmp_path):
    save(tmp_path, 0, 1)
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


def test_files_of_others_are_no_runs(tmp_path):
    for name in ("runs-000002-000001.parquet", "runs-1-2.parquet"):
        (tmp_path / name).write_text("backwards, or another's")
    assert not shards.finished(tmp_path, 9).any()
    path = tmp_path / "runs-000000-000001.parquet"
    table(0, 1).to_pandas().to_parquet(path)
    with pytest.raises(cpe.InputError, match=r"\(another program wrote it\)"):
        shards.check(tmp_path)
