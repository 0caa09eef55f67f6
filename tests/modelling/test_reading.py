"""Files of other hands are solved by every solver that can, by name; damaged ones are refused."""

import numpy as np
import pytest

import cpe_opt as cpe

FILES = {
    "unnamed.lp": (
        "Maximize\n x1 + 2 y.z\nSubject To\n x1 + y.z <= 4\n c2: x1 - y.z >= -2\n"
        " x1 + 3 y.z <= 9\nEnd\n",
        6.5,
        {"row_0": 0.5, "c2": 0.0, "row_2": 0.5},
    ),
    "constant.mps": (
        "NAME p\nROWS\n N cost\n N other\n L r1\n E r2\nCOLUMNS\n x cost 1 r1 1\n x other 5\n"
        " y cost -1 r2 1\nRHS\n RHS cost -7 r1 4\n RHS r2 2\nBOUNDS\n UP B x 5\nENDATA\n",
        5.0,
        {"r1": 0.0, "r2": -1.0},
    ),
    "ranges.mps": (
        "NAME p\nROWS\n N cost\n G r\nCOLUMNS\n x cost -1 r 1\nRHS\n RHS r 2\nRANGES\n R r 3\n"
        "ENDATA\n",
        -5.0,
        {"r": -1.0},
    ),
}
WHOLE = (
    "Maximize\n obj: 3 x + 2 y\nSubject To\n c: 2 x + y <= 7\n d: x + 3 y <= 9\nBounds\n"
    " x <= 3\n y <= 3\nGeneral\n x y\nEnd\n"
)


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_another_hand_is_solved_by_name(tmp_path, name):
    text, optimum, duals = FILES[name]
    (tmp_path / name).write_text(text)
    result = cpe.solve(cpe.read_program(tmp_path / name))
    assert result.objective == pytest.approx(optimum)
    assert result.duals == pytest.approx(duals)


def test_a_legend_is_left_alone(tmp_path, glpsol, cbc, scip):
    """In comments of an LP file, in a table beside an MPS file, and every reader skips it."""
    builder = cpe.ProgramBuilder("sushi")
    x = builder.columns("x", [[0, 1], [0, 2]], cost=[3.0, 2.0], upper=9)
    builder.row("demand", x, lower=4, upper=30)  # two rows of an LP file, one name of the legend
    program = builder.build()
    legend = {"x_0_1": "tuna – salmon", "demand": "four\nin all", "y_7": "in no program"}
    lp = cpe.export(program, tmp_path / "p.lp", legend=legend)
    assert lp.read_text(encoding="utf-8").splitlines()[:3] == [
        "\\ x_0_1: tuna – salmon",
        "\\ demand: four in all",
        "Minimize",
    ]
    mps = cpe.export(program, tmp_path / "q.mps.gz", legend=legend)
    table = (tmp_path / "q.legend.csv").read_text(encoding="utf-8")
    assert table == "name,meaning\nx_0_1,tuna – salmon\ndemand,four in all\n"
    for path in (lp, mps):
        back = cpe.read_program(path)
        assert back.column_names == program.column_names
        assert cpe.solve(back).objective == 8.0
    for reader in (glpsol, cbc, scip):
        assert reader(lp, "min") == pytest.approx(8.0)
    assert not (tmp_path / "p.legend.csv").exists()
    cpe.export(program, tmp_path / "r.mps")
    assert not (tmp_path / "r.legend.csv").exists()
    with pytest.raises(cpe.InputError, match="the legend has no name of 'sushi': 'y' is no column"):
        cpe.export(program, tmp_path / "s.lp", legend={"y": "no"})
    assert not (tmp_path / "s.lp").exists()


def test_cone_programs_are_not_read(tmp_path):
    (tmp_path / "p.cbf").write_text("VER\n4\n")
    with pytest.raises(cpe.InputError, match=r"'p.cbf': expected .lp, .mps"):
        cpe.read_program(tmp_path / "p.cbf")


WORDS = r"""<= = + - 2 : x c1 free st Bounds inf [ ^2 / -> \ $ 'MARKER' BND MI BV 1/2 0,5 ( ENDATA
1e400 é OBJSENSE nan ; lazy constraints 1e-400 End * multi""".split()  # noqa: SIM905
WORDS += ["\t", "\x00", " "]


@pytest.mark.parametrize("suffix", [".mps", ".lp"])
def test_damaged_files_are_read_or_refused_in_a_sentence(tmp_path, suffix):
    rng = np.random.default_rng(0)
    path = tmp_path / f"p{suffix}"
    right = [WHOLE] * (suffix == ".lp") + [FILES[name][0] for name in FILES if suffix in name]
    refused = []
    for number in range(300):
        text = right[number % len(right)]
        for _ in range(rng.integers(1, 4)):
            place = int(rng.integers(len(text)))
            end = place + int(rng.choice([0, 1, 8, len(text)], p=[0.5, 0.3, 0.15, 0.05]))
            text = text[:place] + str(rng.choice(WORDS)) + text[end:]
        path.write_bytes(text.encode())
        try:
            program = cpe.read_program(path)
        except cpe.InputError as error:
            refused.append(str(error))
        else:
            assert np.isfinite(program.matrix.data).all()
    assert len(refused) > 150
    assert all(words.startswith(f"{str(path)!r}") for words in refused)
    assert not any("\n" in words for words in refused)
