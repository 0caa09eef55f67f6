"""What a recording writes is what was solved, and says when."""

import threading

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from tests.modelling.cbf import conic_program, read_cone_form

GAP = cpe.load_instance("gap")


def lunch(price=3.0, name="lunch"):
    builder = cpe.ProgramBuilder(name)
    order = builder.columns("order", 2, cost=[price, 5.0], upper=4)
    builder.row("hunger", order, lower=6)
    return builder.build()


def check_files(log, solver=None):
    """Every file reads back, and its optimum is the one that the table has."""
    for entry in log:
        file = log.folder / entry.file
        conic = file.suffix == ".cbf"
        program = conic_program(read_cone_form(file)) if conic else cpe.read_program(file)
        again = cpe.solve(program, solver or entry.solver)
        assert again.objective == pytest.approx(entry.objective, rel=1e-6, abs=1e-6)


def test_the_programs_of_cw_rmed_are_files_with_their_optima(tmp_path):
    with cpe.recording(tmp_path / "programs") as log:
        trace = cpe.simulate("cw-rmed", GAP, horizon=30_000, seed=1)
    assert len(log) == log.solved > 10
    assert (
        trace.draws.tolist() == cpe.simulate("cw-rmed", GAP, horizon=30_000, seed=1).draws.tolist()
    )
    check_files(log)
    rounds = [entry.round for entry in log]
    assert rounds == sorted(rounds)
    assert rounds[0] < 50 < rounds[-1] < 30_000
    names = {entry.name for entry in log}
    assert all(name.startswith("copeland_") for name in names)
    assert {path.name for path in log.folder.iterdir()} == {
        "programs.csv",
        *(entry.file for entry in log),
    }
    assert log[0].file == f"000001-{log[0].name}.lp"
    written = (log.folder / log[-1].file).read_text(encoding="utf-8")
    pair = next(line for line in written.splitlines() if line.startswith("\\ x_"))
    name, _, words = pair.removeprefix("\\ ").partition(": ")
    assert words == " - ".join(GAP.labels[int(arm)] for arm in name.split("_")[1:])
    # Costs change from solve to solve, the optima with them.
    assert len({entry.objective for entry in log}) > len(log) // 2


def test_the_table_is_the_log(tmp_path):
    with cpe.recording(tmp_path) as log:
        cpe.solve(lunch(), "glop")
        cpe.solve(lunch(7.0, "dinner"))
    table = pd.read_csv(tmp_path / "programs.csv")
    frame = log.frame()
    expected = ["number", "run", "round", "name", "objective", "seconds", "solver", "file", "note"]
    assert list(table.columns) == list(frame.columns) == expected
    assert table["name"].tolist() == frame["name"].tolist() == ["lunch", "dinner"]
    assert table["objective"].tolist() == frame["objective"].tolist() == [22.0, 34.0]
    assert table["solver"].tolist() == ["glop", "highs"]
    assert table["seconds"].tolist() == pytest.approx([entry.seconds for entry in log])
    assert frame["round"].isna().all()
    assert table["round"].isna().all()
    assert [entry.number for entry in log[:2]] == [1, 2]
    assert repr(log) == f"Recording({str(tmp_path)!r}, 2 of 2 programs written)"


def test_all_kinds_of_programs_are_recorded_once(tmp_path):
    with cpe.recording(tmp_path) as log:
        cpe.solve(lunch())
        cpe.copeland_bound(GAP, winner=0, method="cuts")
        cpe.g_design(np.eye(3), method="cvxpy", solver="scs")
    assert [entry.name for entry in log] == ["lunch", "copeland_0", "g_design"]
    assert [entry.file.rpartition(".")[2] for entry in log] == ["lp", "lp", "cbf"]
    assert [entry.solver for entry in log] == ["highs", "highs", "scs"]
    check_files(log)
    lazy = cpe.copeland_bound_program(GAP, winner=0)
    rows = cpe.read_program(tmp_path / log[1].file).shape[0]
    assert rows > lazy.relaxation.shape[0]


def test_every_and_limit_choose_what_is_written(tmp_path):
    with cpe.recording(tmp_path / "a", every=3) as log:
        for price in range(1, 9):
            cpe.solve(lunch(price))
    assert [entry.number for entry in log] == [1, 4, 7]
    assert log.solved == 8
    assert [entry.objective for entry in log] == [14.0, 26.0, 34.0]
    with cpe.recording(tmp_path / "b", every=2, limit=2) as log:
        for price in range(1, 9):
            cpe.solve(lunch(price))
    assert [entry.file for entry in log] == ["000001-lunch.lp", "000003-lunch.lp"]
    assert len(list((tmp_path / "b").iterdir())) == 3


def test_an_error_inside_leaves_what_was_written(tmp_path):
    builder = cpe.ProgramBuilder("impossible")
    builder.row("none", builder.columns("x", 1, upper=1), lower=2)
    impossible = builder.build()

    def solve_both():
        with cpe.recording(tmp_path) as log:
            logs.append(log)
            cpe.solve(lunch())
            cpe.solve(impossible)

    logs = []
    with pytest.raises(cpe.NotOptimal):
        solve_both()
    log = logs[0]
    assert [entry.name for entry in log] == ["lunch", "impossible"]
    assert log[1].objective is None
    assert len(pd.read_csv(tmp_path / "programs.csv")) == 2
    cpe.solve(lunch())
    assert len(log) == 2


def test_what_no_file_can_hold_is_noted(tmp_path):
    builder = cpe.ProgramBuilder("nothing", offset=2.0)
    with cpe.recording(tmp_path) as log:
        cpe.solve(builder.build())
        cpe.solve(lunch())
    assert log[0].file == ""
    assert log[0].note == "'nothing' has no columns, and no model file is without any"
    assert log[0].objective == 2.0
    assert log[1].file == "000002-lunch.lp"


def test_the_inner_of_two_recordings_records(tmp_path):
    with cpe.recording(tmp_path / "outer") as outer:
        with cpe.recording(tmp_path / "inner") as inner:
            cpe.solve(lunch())
        cpe.solve(lunch(7.0, "dinner"))
    assert [entry.name for entry in inner] == ["lunch"]
    assert [entry.name for entry in outer] == ["dinner"]


def test_other_threads_are_not_recorded(tmp_path):
    with cpe.recording(tmp_path) as log:
        thread = threading.Thread(target=cpe.solve, args=(lunch(),))
        thread.start()
        thread.join()
    assert len(log) == 0
    assert pd.read_csv(tmp_path / "programs.csv").empty


def test_nothing_is_overwritten_without_force(tmp_path):
    (tmp_path / "000001-lunch.lp").write_text("mine")
    with pytest.raises(cpe.InputError, match="holds files; force"), cpe.recording(tmp_path):
        pass
    assert (tmp_path / "000001-lunch.lp").read_text() == "mine"
    (tmp_path / "notes.txt").write_text("mine, too")
    with cpe.recording(tmp_path, force=True) as log:
        cpe.solve(lunch())
    check_files(log)
    assert (tmp_path / "notes.txt").read_text() == "mine, too"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"every": 0}, "every is 0, expected a whole number, at least 1"),
        ({"limit": 0}, "limit is 0, expected a whole number, at least 1"),
        ({"every": "all"}, "every is 'all', expected a whole number"),
    ],
)
def test_bad_options_are_refused(tmp_path, options, message):
    with pytest.raises(cpe.InputError, match=message), cpe.recording(tmp_path / "new", **options):
        pass
    assert not (tmp_path / "new").exists()


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("")
    file = tmp_path / "file"
    with pytest.raises(cpe.InputError, match="is a file, expected a"), cpe.recording(file):
        pass


def test_the_table_is_written_meanwhile(tmp_path):
    """A process that is killed loses few rows."""
    with cpe.recording(tmp_path) as log:
        for _ in range(30):
            cpe.solve(lunch())
            listed = len(pd.read_csv(tmp_path / "programs.csv"))
            assert listed <= len(log) <= 1.1 * listed + 1


def test_the_program_in_force_is_the_last_one_solved_by_a_round(tmp_path):
    with cpe.recording(tmp_path) as log:
        cpe.solve(lunch())  # outside of any run
        cpe.simulate("cw-rmed", GAP, horizon=3000, seed=1)
        cpe.solve(lunch(name="dinner"))
    timed = [entry for entry in log if entry.round is not None]
    for rounds in (timed[0].round, timed[3].round, timed[3].round + 1, 700, 3000):
        entry = log.in_force(rounds)
        assert entry == [each for each in timed if each.round <= rounds][-1]
        named = log.in_force(rounds, timed[0].name)
        assert named == [e for e in timed if e.round <= rounds and e.name == timed[0].name][-1]
    first = timed[0].round
    none = rf"no program was solved in the first {first - 1} rounds: the first is of round {first}$"
    with pytest.raises(cpe.InputError, match=none):
        log.in_force(first - 1)
    with pytest.raises(cpe.InputError, match=r"no dinner was solved .*: the recording"):
        log.in_force(100, "dinner")
    with pytest.raises(cpe.InputError, match="rounds is -1, expected a whole number"):
        log.in_force(-1)


def test_the_program_in_force_is_not_guessed(tmp_path):
    with cpe.recording(tmp_path / "all") as everything:
        cpe.simulate("cw-rmed", GAP, horizon=400, seed=1)
    for options in ({"every": 3}, {"limit": 8}):
        with cpe.recording(tmp_path / next(iter(options)), **options) as log:
            cpe.simulate("cw-rmed", GAP, horizon=400, seed=1)
        known = {entry.round for entry in log[:-1] if "limit" in options}
        for rounds in {entry.round for entry in everything}:
            if rounds in known:
                assert log.in_force(rounds).file == everything.in_force(rounds).file
            else:
                with pytest.raises(cpe.InputError, match="was solved and not written"):
                    log.in_force(rounds)
    with cpe.recording(tmp_path / "none") as empty:
        cpe.simulate("ecw-rmed", GAP, horizon=100, seed=1)  # by its closed form
    with pytest.raises(cpe.InputError, match="has none; another method of the learner"):
        empty.in_force(200)


def test_runs_are_told_apart(tmp_path):
    """Also one without programs has its number."""
    alone = []
    for seed in (1, 2):
        with cpe.recording(tmp_path / f"{seed}") as log:
            cpe.simulate("cw-rmed", GAP, horizon=100, seed=seed)
        alone.append(log)
    with cpe.recording(tmp_path / "all") as log:
        cpe.simulate("cw-rmed", GAP, horizon=100, seed=1)
        cpe.simulate("ecw-rmed", GAP, horizon=100, seed=1)
        cpe.simulate("cw-rmed", GAP, horizon=100, seed=2)
        cpe.solve(lunch())
    assert log.runs == 3
    assert {entry.run for entry in log} == {0, 2, None}
    for run, one in ((0, alone[0]), (2, alone[1])):
        for rounds in (one[0].round, 60, 90):
            found, expected = log.in_force(rounds, run=run), one.in_force(rounds)
            assert (found.round, found.objective) == (expected.round, expected.objective)
    for arguments, message in (
        ({}, r"holds several runs, expected run, one of \[0, 2\]"),
        ({"run": 1}, "no program was solved in the first 90 rounds: the recording has none$"),
        ({"run": 3}, "run is 3, and 3 were recorded, counted from 0"),
    ):
        with pytest.raises(cpe.InputError, match=message):
            log.in_force(90, **arguments)
    with pytest.raises(cpe.InputError, match=f"the first is of round {alone[1][0].round}$"):
        log.in_force(alone[1][0].round - 1, run=2)


def test_quadratic_programs_are_recorded_as_lp_files(tmp_path):
    builder = cpe.ProgramBuilder("nearest")
    x = builder.columns("x", 2, cost=-1.0)
    builder.quadratic(x, x)
    builder.row("sum", x, upper=0.5)
    with cpe.recording(tmp_path / "programs") as log:
        cpe.solve(builder.build(), "clarabel")
    assert [entry.file for entry in log] == ["000001-nearest.lp"]
    check_files(log)
