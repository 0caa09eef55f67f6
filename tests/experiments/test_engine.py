"""Experiments: whole files, nothing run twice, and the same results whatever killed them."""

import functools
import inspect
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import distributed
import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.experiments import planning as module
from cpe_opt.experiments.engine import play
from cpe_opt.experiments.parallel import in_parallel
from cpe_opt.experiments.planning import plan_runs
from cpe_opt.experiments.results import curves, read_run, read_runs
from cpe_opt.experiments.runs import run_seeds
from cpe_opt.files import atomic_write
from cpe_opt.learners import LEARNERS

SMALL = {"runs": 3, "horizon": 400, "seed": 8}


def files_of(folder):
    return sorted(folder.rglob("run-*.parquet"))


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
    traces = [cpe.simulate("ecw-rmed", mu, horizon=400, seed=s) for s in run_seeds(8, 3)]
    final = np.array([trace.regret[-1] for trace in traces])
    row = frame.iloc[0]
    assert row["mean"] == pytest.approx(final.mean())
    assert row["sd"] == pytest.approx(final.std(ddof=1))
    assert row["median"] == pytest.approx(np.median(final))
    assert row["high"] - row["mean"] == pytest.approx(1.96 * row["sd"] / 3**0.5, rel=1e-3)
    assert row["samples"] == pytest.approx(np.mean([t.samples for t in traces]))
    assert (row["runs"], row["horizon"], row["units"]) == (3, 400, "mean")
    assert sum(row["answers"].values()) == 3
    assert len(files_of(tmp_path)) == 12


def test_a_file_holds_the_trace_and_its_facts(tmp_path):
    cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, regret="sum", **SMALL)
    path = files_of(tmp_path)[1]
    run = read_run(path)
    metadata, times, regret = run.metadata, run.time, run.regret
    trace = cpe.simulate(
        "ecw-rmed", cpe.load_instance("gap"), horizon=400, seed=metadata["seed"], regret="sum"
    )
    assert np.array_equal(times, trace.time)
    assert np.array_equal(regret, trace.regret)
    assert metadata["answer"] == trace.answer
    assert metadata["run"] == 1
    assert metadata["version"] == cpe.__version__
    assert pd.read_parquet(path).columns.tolist() == ["time", "regret"]


def test_finished_runs_are_not_run_again(tmp_path, monkeypatch):
    first = cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, **SMALL)
    stamps = {path: path.stat().st_mtime_ns for path in files_of(tmp_path)}
    plays = []
    monkeypatch.setattr(module.Run, "play", plays.append)
    again = cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, **SMALL)
    assert not plays
    pd.testing.assert_frame_equal(first, again)
    assert stamps == {path: path.stat().st_mtime_ns for path in files_of(tmp_path)}


def test_only_the_missing_runs_are_made(tmp_path):
    seen = []
    cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, **SMALL)
    more = cpe.run_experiment(
        ["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, runs=5, horizon=400, seed=8,
        progress=lambda finished, total: seen.append((finished, total)),
    )  # fmt: skip
    assert seen == [(3, 5), (4, 5), (5, 5)]
    assert more.iloc[0]["runs"] == 5


@pytest.mark.parametrize(
    "change",
    [{"horizon": 401}, {"seed": 9}, {"regret": "sum"}, {"points": 50}],
)
def test_anything_that_changes_a_result_changes_its_file(tmp_path, change):
    settings = {"runs": 1, "horizon": 400, "seed": 8, "regret": "mean", "points": 200}
    plan = {"learners": ["ecw-rmed"], "instances": ["gap"], "out": tmp_path}
    (one,) = plan_runs(**plan, **settings)
    (other,) = plan_runs(**plan, **{**settings, **change})
    assert one.path != other.path
    (parameters,) = plan_runs(
        learners=[cpe.LearnerSpec("ecw-rmed", {"beta": 0.0}, label="ecw-rmed")],
        instances=["gap"], out=tmp_path, **settings,
    )  # fmt: skip
    assert parameters.path != one.path
    moved = cpe.PreferenceMatrix(cpe.load_instance("cyclic").array, name="gap")
    (matrix,) = plan_runs(learners=["ecw-rmed"], instances=[moved], out=tmp_path, **settings)
    assert matrix.path != one.path


def path_of(plan, problem="gap"):
    """The file of a run of a plan."""
    settings = {"runs": 1, "horizon": 40, "seed": 8}
    (run,) = plan_runs([plan], [problem], **settings, out=Path("out"))
    return run.path


def test_an_edit_of_the_package_changes_the_file(monkeypatch):
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


def test_an_edit_of_a_users_learner_changes_its_file(monkeypatch):
    text = "def mine(arms, *, rng, alpha=3.0):\n    yield {}\n"
    paths = set()
    for query in ("1", "1  # as before", "2"):
        names = {"__name__": "users_module"}
        exec(text.format(query), names)
        monkeypatch.setitem(LEARNERS, "mine", names["mine"])
        paths.add(path_of("mine"))
    assert len(paths) == 2


def test_a_problem_counts_by_its_own_functions_and_every_number():
    def problem(factor, values=(0.5,)):
        arms = [cpe.Empirical((*values, *[0.25] * 5000)), cpe.Bernoulli(0.5)]
        model = cpe.CustomModel(2, lambda theta: factor * theta, bi_monotone=True)
        return cpe.SeparableProblem(model, arms, name="own")

    assert path_of("coci", problem(1.0)) == path_of("coci", problem(1.0))
    assert path_of("coci", problem(1.0)) != path_of("coci", problem(2.0))
    assert path_of("coci", problem(1.0)) != path_of("coci", problem(1.0, (0.75,)))


def test_a_long_label_is_a_folder_all_the_same(tmp_path):
    plan = cpe.LearnerSpec("ecw-rmed", label="ä" * 300)
    cpe.run_experiment([plan], ["gap"], runs=1, horizon=10, jobs=1, out=tmp_path)
    assert len(files_of(tmp_path)) == 1


def test_a_damaged_file_is_answered_before_any_run(tmp_path, monkeypatch):
    cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, **SMALL)
    damaged, missing, _ = files_of(tmp_path)
    damaged.write_bytes(damaged.read_bytes()[:-1])
    missing.unlink()
    monkeypatch.setattr(module.Run, "play", lambda run: pytest.fail("a run was made"))
    with pytest.raises(cpe.InputError, match=f"{damaged.name}' is not the file of a finished run"):
        cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, **SMALL)


def test_the_number_of_workers_changes_nothing(tmp_path):
    one = cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path / "1", **SMALL)
    two = cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=2, out=tmp_path / "2", **SMALL)
    pd.testing.assert_frame_equal(without_clock(one), without_clock(two))


def test_curves_by_problem_and_learner(tmp_path):
    cpe.run_experiment(["ecw-rmed", "cw-rmed"], ["gap"], jobs=1, out=tmp_path, **SMALL)
    found = curves(read_runs(files_of(tmp_path)))
    assert set(found["gap"]) == {"ecw-rmed", "cw-rmed"}
    assert found["gap"]["cw-rmed"].runs == 3


KILLED = """
import sys, cpe_opt as cpe
cpe.run_experiment(["ecw-rmed"], ["sushi", "gap"], runs=6, horizon=4000, seed=1, jobs=2,
                   out=sys.argv[1])
"""


def test_killed_at_any_moment_it_ends_with_the_same_results(tmp_path):
    """SIGKILL to the whole process group after the first files, twice, then to the end."""
    whole = cpe.run_experiment(
        ["ecw-rmed"], ["sushi", "gap"], runs=6, horizon=4000, seed=1, jobs=1, out=tmp_path / "a"
    )
    out = tmp_path / "b"
    stamps = {}
    for more in (1, 5):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(out)],
            start_new_session=True,
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None and len(files_of(out)) < more:
            time.sleep(0.01)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for path in files_of(out):
            # A finished run keeps its file for good.
            assert stamps.setdefault(path, path.stat().st_mtime_ns) == path.stat().st_mtime_ns
    again = cpe.run_experiment(
        ["ecw-rmed"], ["sushi", "gap"], runs=6, horizon=4000, seed=1, jobs=1, out=out
    )
    pd.testing.assert_frame_equal(without_clock(again), without_clock(whole))
    for path, stamp in stamps.items():
        assert path.stat().st_mtime_ns == stamp
    assert len(files_of(out)) == 12


def test_what_another_process_is_writing_is_left_alone(tmp_path):
    """A second experiment in the same folder starts while a file of the first is half written."""
    (run,) = plan_runs(
        ["ecw-rmed"], ["gap"], runs=1, horizon=50, seed=0, out=tmp_path, regret="mean"
    )
    with atomic_write(run.path) as temporary:
        temporary.write_bytes(b"half a file")
        play([run], jobs=1)
        assert temporary.read_bytes() == b"half a file"
        whole = run.path.read_bytes()
        temporary.write_bytes(whole)
    assert run.path.read_bytes() == whole


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"runs": 0}, "runs is 0"),
        ({"horizon": 0}, "horizon is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"jobs": 0}, "jobs is 0, expected a number of processes or -1"),
        ({"engine": "slurm"}, "unknown engine 'slurm'"),
        ({"learners": []}, "no learner to run"),
        ({"instances": []}, "no instance to run"),
        ({"learners": ["ecw-rmed", "ecw-rmed"]}, "two learners are called alike"),
        ({"learners": ["ecw"]}, "unknown learner 'ecw'"),
        ({"learners": [cpe.LearnerSpec("ecw-rmed", {"alfa": 1})]}, "did you mean 'alpha'"),
        ({"instances": ["gaps"]}, "unknown instance 'gaps'"),
        ({"regret": "x"}, "unknown regret unit 'x'"),
    ],
)
def test_bad_arguments_are_answered_before_any_run(tmp_path, arguments, message):
    settings = {"learners": ["ecw-rmed"], "instances": ["gap"], **SMALL, **arguments}
    with pytest.raises(cpe.InputError, match=message):
        cpe.run_experiment(**settings, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("engine", ["dask", "ray"])
def test_a_missing_engine_is_answered_with_its_install_line(engine, monkeypatch):
    from cpe_opt.experiments import parallel

    monkeypatch.setattr(parallel.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(cpe.InputError, match=rf"pip install 'cpe-opt\[{engine}\]'"):
        list(in_parallel(abs, [(1,)], engine=engine))


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to be in, with an empty one in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    return tmp_path


def test_dask_runs_on_the_cluster_that_is_there_and_leaves_it_open(here, monkeypatch):
    """Two processes in another folder; first a client of the user's, then one of our own."""
    settings = {"learners": ["ecw-rmed"], "instances": ["gap"], "out": "results", **SMALL}
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
        local_directory=here / "scratch",
    ) as cluster:  # fmt: skip
        with distributed.Client(cluster) as client:
            client.run(os.chdir, here / "elsewhere")
            seen = []
            frame = cpe.run_experiment(
                **settings, engine="dask", progress=lambda finished, _: seen.append(finished)
            )
            assert client.submit(sum, [1, 2]).result() == 3
            assert len(client.run(os.getpid)) == 2
        opened = []

        def connect(client=distributed.Client):
            opened.append(client(cluster))
            return opened[0]

        monkeypatch.setattr(distributed, "Client", connect)
        assert sorted(in_parallel(abs, [(-1,), (2,), (-3,)], engine="dask")) == [1, 2, 3]
        assert opened[0].status == "closed"
    assert seen == [0, 1, 2, 3]
    assert len(files_of(here / "results")) == 3
    assert not list((here / "elsewhere").iterdir())
    again = cpe.run_experiment(**settings, jobs=1)
    pd.testing.assert_frame_equal(again, frame)
    shutil.rmtree(here / "results")
    alone = cpe.run_experiment(**settings, jobs=1)
    pd.testing.assert_frame_equal(without_clock(alone), without_clock(frame))


def test_ray_gives_the_same_results(here):
    """Ray is too large for the test extra; where it is installed, it is tested."""
    ray = pytest.importorskip("ray")
    settings = {"learners": ["ecw-rmed"], "instances": ["gap"], **SMALL}
    frame = cpe.run_experiment(**settings, out="results", engine="ray")
    assert not ray.is_initialized()
    assert len(files_of(here / "results")) == 3
    alone = cpe.run_experiment(**settings, out="alone", jobs=1)
    pd.testing.assert_frame_equal(without_clock(alone), without_clock(frame))


def test_workers_without_a_shared_folder_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(module.Run, "play", lambda run: run.path)  # on another machine's disk
    with pytest.raises(cpe.InputError, match="workers need a folder that all of them share"):
        cpe.run_experiment(["ecw-rmed"], ["gap"], jobs=1, out=tmp_path, **SMALL)


def test_a_file_that_is_no_run_is_refused(tmp_path):
    (tmp_path / "x.parquet").write_text("no parquet")
    with pytest.raises(cpe.InputError, match="is not the file of a finished run"):
        read_run(tmp_path / "x.parquet")
    pd.DataFrame({"time": [1]}).to_parquet(tmp_path / "y.parquet")
    with pytest.raises(cpe.InputError, match="is not the file of a finished run"):
        read_run(tmp_path / "y.parquet")
