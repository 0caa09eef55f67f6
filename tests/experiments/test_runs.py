import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.experiments.engine import RunsFailed, run_many
from cpe_opt.experiments.planning import run_seed
from cpe_opt.experiments.results import (
    regret_curve,
    summarise,
)


@pytest.fixture(scope="module")
def traces():
    return run_many("ecw-rmed", cpe.load_instance("gap"), horizon=3000, runs=4, seed=5, jobs=1)


def test_every_run_has_a_seed_of_its_own():
    assert len({run_seed(3, number) for number in range(1000)}) == 1000
    assert run_seed(3, 0) != run_seed(4, 0)


def test_progress_is_called_once_a_run_where_runs_are_long(monkeypatch):
    monkeypatch.setattr("cpe_opt.experiments.engine.SECONDS", 0.0)
    seen = []
    run_many(
        "ecw-rmed", cpe.load_instance("gap"), horizon=50, runs=3, jobs=1,
        progress=lambda *steps: seen.append(steps),
    )  # fmt: skip
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_curves_summarise_over_runs(traces):
    curve = regret_curve(traces)
    values = np.array([trace.regret for trace in traces])
    assert np.allclose(curve.mean, values.mean(axis=0))
    assert (curve.low <= curve.high).all()
    assert np.allclose(curve.low, np.quantile(values, 0.1, axis=0))
    assert curve.runs == 4
    with pytest.raises(cpe.InputError, match="no traces"):
        regret_curve([])


def test_runs_that_stop_by_themselves_have_no_more_regret_afterwards():
    curve = summarise(
        [np.array([1, 10]), np.array([1, 4, 40])], [np.array([1.0, 2.0]), np.array([1.0, 4.0, 8.0])]
    )
    assert curve.time.tolist() == [1, 4, 10, 40]
    assert curve.mean.tolist() == pytest.approx([1, (4 / 3 + 4) / 2, (2 + 14 / 3) / 2, 5])


def fails_later(arms, *, rng):
    yield cpe.Duel(0, 1)
    cpe.solve(cpe.ProgramBuilder("empty").build(), solver="higs")


def test_errors_of_workers_name_the_run_and_keep_their_words():
    with pytest.raises(
        RunsFailed,
        match=r"fails-later on gap, run 0 .* unknown solver 'higs'; did you mean 'highs'",
    ):
        run_many(fails_later, cpe.load_instance("gap"), horizon=9, runs=2, jobs=2)
