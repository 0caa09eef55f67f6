"""Experiments: whole files, nothing run twice, and the same results whatever killed them."""

import functools
import inspect
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import distributed
import joblib
import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.experiments import engine as engine_module, planning as module, shards
from cpe_opt.experiments.engine import Ledger, RunBatch, play_batch
from cpe_opt.experiments.planning import plan_series, run_seed
from cpe_opt.experiments.results import read_results
from cpe_opt.experiments.shards import Span
from cpe_opt.learners import LEARNERS

SMALL = {"runs": 3, "horizon": 200, "seed": 8}


def files_of(folder):
    return sorted(folder.rglob("runs-*.parquet"))


def content_of(folder):
    """The rows of every series of an experiment, without the clock's, and the notes, by path."""
    series = {
        path.relative_to(folder): shards.read(path).drop(["seconds"]).to_pylist()
        for path in shards.series_folders(folder)
    }
    notes = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("_series.json")}
    return series | notes


def without_clock(frame):
    return frame.drop(columns="seconds")


def test_the_summary_is_that_of_the_runs(tmp_path):
    frame = cpe.run_experiment(
        ["ecw-rmed", cpe.LearnerSpec("ecw-rmed", {"beta": 0.0})],
        ["gap", "cyclic"], jobs=1, out=tmp_path,
        **SMALL,
    )  # fmt: skip
    assert frame["learner"].tolist() == ["ecw-rmed", "ecw-rmed (beta=0.0)"] * 2
    assert frame["problem"].tolist() == ["gap", "gap", "cyclic", "cyclic"]
    mu = cpe.load_instance("gap")
    traces = [cpe.simulate("ecw-rmed", mu, horizon=200, seed=run_seed(8, k)) for k in range(3)]
    final = np.array([trace.regret[-1] for trace in traces])
    row = frame.iloc[0]
    assert row["mean"] == pytest.approx(final.mean())
    assert row["sd"] == pytest.approx(final.std(ddof=1))
    assert row["median"] == pytest.approx(np.median(final))
    assert row["high"] - row["mean"] == pytest.approx(4.3027 * row["sd"] / 3**0.5, rel=1e-4)
    assert row["samples"] == pytest.approx(np.mean([t.samples for t in traces]))
    assert (row["runs"], row["horizon"], row["units"]) == (3, 200, "mean")
    assert sum(row["answers"].values()) == 3
    assert len({file.parent for file in files_of(tmp_path)}) == 4


def test_one_frame_holds_the_traces_of_all(tmp_path):
    learners = ["ecw-rmed", cpe.LearnerSpec("rucb", {"alpha": 0.6, "max_samples": 300})]
    cpe.run_experiment(learners, ["gap", "cyclic"], jobs=1, out=tmp_path, regret="sum", **SMALL)
    frame = read_results(tmp_path, curves=True)
    assert len(frame) == 12
    assert frame["digest"].nunique() == 4
    for _, row in frame.iterrows():
        trace = cpe.simulate(
            row["learner"].split()[0], cpe.load_instance(row["problem"]),
            horizon=row["horizon"], seed=row["seed"], regret="sum", **row["parameters"],
        )  # fmt: skip
        assert row["seed"] == run_seed(8, row["run"])
        for name in ("answer", "doubt", "rounds", "samples", "queries", "units"):
            assert row[name] == getattr(trace, name), name
        assert np.array_equal(row["times"], trace.time)
        assert np.array_equal(row["regrets"], trace.regret)
        assert row["regret"] == trace.regret[-1]
    scalars = read_results(tmp_path)
    pd.testing.assert_frame_equal(scalars, frame.drop(columns=["times", "regrets"]))
    assert (scalars["seconds"] > 0).all()
    # What pandas reads by itself is the same, but for texts of JSON.
    plain = pd.read_parquet(tmp_path)
    assert plain["regret"].tolist() == frame["regret"].tolist()
    assert plain["answer"].tolist() == [str(answer) for answer in frame["answer"]]
    assert set(frame) == set(plain)


def test_answers_and_parameters_that_json_lacks(tmp_path):
    """As values that are the same in every process: no order of sets, no addresses."""

    def all_sorts(arms, *, rng, rule=max):
        yield cpe.Duel(0, 1)
        return {"names": {"b", "a", "c"}, "scores": np.array([1.5, 2.0]), "arm": np.int64(1)}

    class Anything(cpe.PreferenceMatrix):
        family = "own"  # whose answers are for its learners to judge

    spec = cpe.LearnerSpec(all_sorts, {"rule": lambda values: 0})
    problem = Anything(cpe.load_instance("gap").array, name="gap")
    table = cpe.run_experiment([spec], [problem], runs=1, horizon=9, jobs=1, out=tmp_path)
    assert table["learner"].tolist() == ["all-sorts (rule=<lambda>)"]
    (row,) = read_results(tmp_path).to_dict("records")
    assert row["answer"] == {"names": ["a", "b", "c"], "scores": [1.5, 2.0], "arm": 1}
    assert row["parameters"] == {"rule": "<lambda>"}


def test_a_folder_without_runs_is_named(tmp_path):
    (tmp_path / "run-00000-0123456789abcdef.parquet").write_text("of another version")
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(cpe.InputError, match=f"no finished runs in '{folder}', expected"):
            read_results(folder)


def test_finished_runs_are_not_run_again(tmp_path, monkeypatch):
    first = cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, **SMALL)
    stamps = {path: path.stat().st_mtime_ns for path in files_of(tmp_path)}
    monkeypatch.setattr(engine_module, "play_batch", lambda *batch: pytest.fail("a run was made"))
    again = cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, **SMALL)
    pd.testing.assert_frame_equal(first, again)
    fewer = cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, **SMALL | {"runs": 2})
    assert fewer.iloc[0]["runs"] == 2
    assert stamps == {path: path.stat().st_mtime_ns for path in files_of(tmp_path)}


def test_batches_take_about_a_second():
    ledger = Ledger(np.zeros(2500, dtype=bool))
    ledger.finished[700:1100] = True
    batches = ledger.batches()
    assert [next(batches), next(batches)] == [(0, 0), (1, 1)]  # nothing is known yet
    ledger.note(RunBatch(0, Span(0, 0), 0.01, []))
    assert next(batches) == (2, 101)
    ledger.note(RunBatch(0, Span(1, 1), 0.002, []))
    assert next(batches) == (102, 267)
    ledger.note(RunBatch(0, Span(2, 101), 0.01, []))
    assert [*batches] == [(268, 699), (1100, 2099), (2100, 2499)]
    slow = Ledger(np.zeros(3, dtype=bool))
    slow.note(RunBatch(0, Span(0, 0), 60.0, []))
    assert [*slow.batches()] == [(1, 1), (2, 2)]


def test_a_long_batch_saves_what_it_has(tmp_path, monkeypatch):
    """As when runs take longer than the first ones; also when one of them fails."""
    made = []

    def fails_at_times(arms, *, rng):
        yield cpe.Duel(0, 1)
        made.append(rng)
        if len(made) % 3 == 0:
            raise ArithmeticError
        return 0

    (series,) = plan_series([fails_at_times], ["gap"], runs=9, horizon=9, seed=0, out=tmp_path)
    for seconds, spans in (
        (60.0, ["000003-000004", "000006-000007"]),
        (-1.0, ["000003-000003", "000004-000004", "000006-000006", "000007-000007"]),
    ):
        made.clear()
        monkeypatch.setattr("cpe_opt.experiments.engine.SECONDS", seconds)
        batch = play_batch(0, series, Span(3, 7))
        assert [failure.run for failure in batch.failures] == [5]
        assert [path.name for path in files_of(tmp_path)] == [
            f"runs-{span}.parquet" for span in spans
        ]
        for path in files_of(tmp_path):
            path.unlink()


@pytest.mark.parametrize(
    "change",
    [{"horizon": 401}, {"seed": 9}, {"regret": "sum"}, {"points": 50}],
)
def test_anything_that_changes_a_result_changes_its_folder(tmp_path, change):
    settings = {"runs": 1, "horizon": 400, "seed": 8, "regret": "mean", "points": 200}
    plan = {"learners": ["ecw-rmed"], "instances": ["gap"], "out": tmp_path}
    (one,) = plan_series(**plan, **settings)
    (other,) = plan_series(**plan, **{**settings, **change})
    assert one.folder != other.folder
    (parameters,) = plan_series(
        learners=[cpe.LearnerSpec("ecw-rmed", {"beta": 0.0}, label="ecw-rmed")],
        instances=["gap"], out=tmp_path, **settings,
    )  # fmt: skip
    assert parameters.folder != one.folder
    moved = cpe.PreferenceMatrix(cpe.load_instance("cyclic").array, name="gap")
    (matrix,) = plan_series(learners=["ecw-rmed"], instances=[moved], out=tmp_path, **settings)
    assert matrix.folder != one.folder


def path_of(plan, problem="gap"):
    """The folder of the runs of a learner."""
    settings = {"runs": 1, "horizon": 40, "seed": 8}
    (run,) = plan_series([plan], [problem], **settings, out=Path("out"))
    return run.folder


def test_an_edit_of_the_package_changes_the_folder(monkeypatch):
    before = path_of("ecw-rmed")
    monkeypatch.setattr(module, "source_digest", lambda: "edited")
    assert path_of("ecw-rmed") != before


def test_a_default_counts_as_if_it_was_given(monkeypatch):
    given = path_of(cpe.LearnerSpec("ecw-rmed", {"alpha": 3.0}, label="ecw-rmed"))
    assert inspect.signature(cpe.learners.ecw_rmed).parameters["alpha"].default == 3.0
    assert path_of("ecw-rmed") == given
    other = functools.wraps(cpe.learners.ecw_rmed)(lambda *a, **k: None)
    signature = inspect.signature(cpe.learners.ecw_rmed)
    alpha = signature.parameters["alpha"].replace(default=2.0)
    other.__signature__ = signature.replace(
        parameters=[{"alpha": alpha}.get(p.name, p) for p in signature.parameters.values()]
    )
    monkeypatch.setitem(LEARNERS, "ecw-rmed", other)
    assert path_of("ecw-rmed") != given


@pytest.mark.parametrize(
    ("label", "name"),
    [("..", "-"), ("_a=b c", "a-b-c"), (".hidden", "hidden"), ("𝒜" * 90, "𝒜" * 20)],
)
def test_a_folder_of_results_has_a_plain_name(label, name):
    """Readers of data sets pass over leading dots and ``_``, and read ``=`` as a column."""
    assert path_of(cpe.LearnerSpec("ecw-rmed", label=label)).parent.name == name


def test_a_damaged_file_is_answered_before_any_run(tmp_path, monkeypatch):
    cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, **SMALL)
    damaged = files_of(tmp_path)[-1]
    damaged.write_bytes(damaged.read_bytes()[:-1])
    monkeypatch.setattr(engine_module, "play_batch", lambda *batch: pytest.fail("a run was made"))
    with pytest.raises(cpe.InputError, match=f"{damaged.name}' is not a file of finished runs"):
        cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, **{**SMALL, "runs": 4})


def test_the_number_of_workers_changes_nothing(tmp_path):
    one = cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path / "1", **SMALL)
    two = cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=2, out=tmp_path / "2", **SMALL)
    pd.testing.assert_frame_equal(without_clock(one), without_clock(two))
    assert content_of(tmp_path / "1") == content_of(tmp_path / "2")


KILLED = """
import os, random, signal, sys, threading
import cpe_opt as cpe
from cpe_opt.experiments import engine

def progress(finished, total):
    if finished >= 100:
        threading.Timer(random.uniform(0, 0.03), os.killpg, (0, signal.SIGKILL)).start()
    if finished >= 250:  # killed before all are
        threading.Event().wait()

engine.SECONDS = 0.01
cpe.run_experiment(["random-pairs"], ["gap"], runs=300, horizon=9, seed=1, out=sys.argv[1],
                   jobs=2, progress=progress)
"""


def test_killed_at_any_moment_it_ends_with_the_same_rows(tmp_path):
    """SIGKILL to the whole process group when some runs are finished, then to the end."""
    settings = {"runs": 300, "horizon": 9, "seed": 1, "jobs": 1}
    whole = cpe.run_experiment(["random-pairs"], ["gap"], **settings, out=tmp_path / "a")
    out = tmp_path / "b"
    process = subprocess.run(
        [sys.executable, "-c", KILLED, out],
        start_new_session=True,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    assert process.returncode == -signal.SIGKILL
    assert 100 <= finished_in(out) < 300
    again = cpe.run_experiment(["random-pairs"], ["gap"], **settings, out=out)
    pd.testing.assert_frame_equal(without_clock(again), without_clock(whole))
    assert content_of(out) == content_of(tmp_path / "a")


def finished_in(folder):
    """How many runs have results, by the names of files."""
    ends = [map(int, path.stem.split("-")[1:]) for path in files_of(folder)]
    return sum(last - first + 1 for first, last in ends)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to be in, with an empty one in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    return tmp_path


def test_dask_runs_on_the_cluster_that_is_there_and_leaves_it_open(here):
    """A process in another folder."""
    settings = {"learners": ["ecw-rmed"], "instances": ["gap"], "out": "results", **SMALL}
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": True}
    options |= {"dashboard_address": None, "local_directory": here / "scratch"}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        client.run(os.chdir, here / "elsewhere")
        seen = []
        with joblib.parallel_config(backend="dask"):
            frame = cpe.run_experiment(
                **settings, progress=lambda finished, _: seen.append(finished)
            )
        assert client.submit(sum, [1, 2]).result() == 3
        assert len(client.run(os.getpid)) == 1
    assert seen[:2] == [0, 1]
    assert seen[-1] == 3
    by_dask = content_of(here / "results")
    assert len(read_results(here / "results")) == 3
    assert not list((here / "elsewhere").iterdir())
    again = cpe.run_experiment(**settings, jobs=1)
    pd.testing.assert_frame_equal(again, frame)
    shutil.rmtree(here / "results")
    alone = cpe.run_experiment(**settings, jobs=1)
    pd.testing.assert_frame_equal(without_clock(alone), without_clock(frame))
    assert content_of(here / "results") == by_dask


def test_workers_without_a_shared_folder_are_named(tmp_path, monkeypatch):
    elsewhere = lambda place, series, span: RunBatch(place, span, 1.0, [])  # noqa: E731
    monkeypatch.setattr(engine_module, "play_batch", elsewhere)  # on another machine's disk
    with pytest.raises(cpe.InputError, match="a folder that all of them share"):
        cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, **SMALL)
