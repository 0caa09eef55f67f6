"""What a recording writes is what was solved, and says when."""

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe

GAP = cpe.load_instance("gap")


def lunch(price=3.0, name="lunch"):
    builder = cpe.ProgramBuilder(name)
    order = builder.columns("order", 2, cost=[price, 5.0], upper=4)
    builder.row("hunger", order, lower=6)
    return builder.build()


def test_the_programs_of_cw_rmed_are_files_with_their_optima(tmp_path):
    with cpe.recording(tmp_path / "programs") as log:
        trace = cpe.simulate("cw-rmed", GAP, horizon=3000, seed=1)
    assert len(log) == log.solved > 10
    assert (trace.draws == cpe.simulate("cw-rmed", GAP, horizon=3000, seed=1).draws).all()
    for entry in log:
        again = cpe.solve(cpe.read_program(log.folder / entry.file), entry.solver)
        assert again.objective == pytest.approx(entry.objective, rel=1e-6, abs=1e-6)
    assert log[0].round < 50 < log[-1].round < 3000
    assert log[0].file == f"000001-{log[0].name}.lp"
    written = (log.folder / log[-1].file).read_text(encoding="utf-8")
    pair = next(line for line in written.splitlines() if line.startswith("\\ x_"))
    name, _, words = pair.removeprefix("\\ ").partition(": ")
    assert words == " - ".join(GAP.labels[int(arm)] for arm in name.split("_")[1:])


def test_all_kinds_of_programs_are_recorded_once_and_the_table_is_the_log(tmp_path):
    builder = cpe.ProgramBuilder("nearest")
    x = builder.columns("x", 2, cost=-1.0)
    builder.quadratic(x, x)
    with cpe.recording(tmp_path) as log:
        cpe.solve(lunch(), "glop")
        cpe.copeland_bound(GAP, winner=0, method="cuts")
        cpe.solve(builder.build(), "clarabel")
        cpe.g_design(np.eye(3), method="cvxpy", solver="clarabel")
        assert len(pd.read_csv(tmp_path / "programs.csv")) == 4  # already
    for each in (pd.read_csv(tmp_path / "programs.csv"), pd.DataFrame(log)):
        assert each["number"].tolist() == [1, 2, 3, 4]
        assert each["name"].tolist() == ["lunch", "copeland_0", "nearest", "g_design"]
        assert each["file"].str.rpartition(".")[2].tolist() == ["lp", "lp", "lp", "cbf"]
        assert each["solver"].tolist() == ["glop", "highs", "clarabel", "clarabel"]
        assert each["objective"].tolist() == pytest.approx([entry.objective for entry in log])
        assert each[["run", "round"]].isna().all(axis=None)
    rows = cpe.read_program(tmp_path / log[1].file).shape[0]
    assert rows > cpe.copeland_bound_program(GAP, winner=0).relaxation.shape[0]


def test_every_and_limit_choose_what_is_written(tmp_path):
    with cpe.recording(tmp_path, every=2, limit=3) as log:
        for price in range(1, 9):
            cpe.solve(lunch(price))
    assert [(entry.number, entry.objective) for entry in log] == [(1, 14), (3, 22), (5, 30)]
    assert repr(log) == f"Recording({str(tmp_path)!r}, 3 of 8 programs written)"
    assert len(list(tmp_path.iterdir())) == 4


def test_what_no_file_can_hold_is_noted(tmp_path):
    with cpe.recording(tmp_path) as log:
        cpe.solve(cpe.ProgramBuilder("nothing", offset=2.0).build())
        cpe.solve(lunch())
    assert "'nothing' has no columns" in log[0].note
    assert [entry.file for entry in log] == ["", "000002-lunch.lp"]


def test_nothing_is_overwritten_without_force(tmp_path):
    (tmp_path / "000001-lunch.lp").write_text("mine")
    with pytest.raises(cpe.InputError, match="holds files; force"):
        cpe.recording(tmp_path).__enter__()
    assert (tmp_path / "000001-lunch.lp").read_text() == "mine"
    with cpe.recording(tmp_path, force=True) as log:
        cpe.solve(lunch())
    assert cpe.solve(cpe.read_program(tmp_path / log[0].file)).objective == 22
