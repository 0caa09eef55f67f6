"""Certificates: found, checked by a program that shares no code with ours, and refused if false."""

import copy
import json
import re
import runpy
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.errors import NotCertified, SolverFailed, SolverMissing
from cpe_opt.modelling.certificate import read_certificate
from cpe_opt.solvers import certificate as searching, packages
from tests.catalogue import MODELS
from tests.solvers.test_exact import linear, truth

CHECKER = Path(__file__).parents[2] / "examples" / "check_certificate.py"
SOURCE = CHECKER.read_text(encoding="utf-8")
HALF = Fraction(1, 2)


CHECK = runpy.run_path(str(CHECKER))["check"]


def accepted(text):
    """The sentence that the checker finds proved; empty where it refuses."""
    try:
        return CHECK(text)
    except Exception:
        return ""


@pytest.fixture(scope="module", autouse=True)
def _numbers_of_any_length():
    """As in the checker's own process."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(before)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("certificates")


def text_of(certificate, folder):
    return certificate.write(folder / "c.json").read_text(encoding="utf-8")


def holds(certificate, folder):
    """Whether the checker proves what the certificate states."""
    return accepted(text_of(certificate, folder)) == certificate.statement


def built(columns, rows, *, sense="min", offset=0.0, name="small"):
    """A program of columns (cost, lower, upper, whole) and rows (coefficients, lower, upper)."""
    costs, lower, upper, whole = (np.array(part) for part in zip(*columns, strict=True))
    matrix = [list(row[0]) for row in rows]
    return cpe.LinearProgram(
        name=name,
        sense=sense,
        costs=costs.astype(float),
        column_lower=lower.astype(float),
        column_upper=upper.astype(float),
        integer=whole.astype(bool),
        matrix=sp.csr_array(np.reshape(np.array(matrix, float), (len(rows), len(columns)))),
        row_lower=np.array([row[1] for row in rows], float),
        row_upper=np.array([row[2] for row in rows], float),
        column_names=tuple(f"x{j}" for j in range(len(columns))),
        row_names=tuple(f"r{i}" for i in range(len(rows))),
        offset=offset,
    )


INF = np.inf
THIRDS = built([(1, 0, INF, 0)] * 2, [((3, 1), -INF, 1), ((1, 4), -INF, 1)], sense="max")
KNAPSACK = built(
    [(-5, 0, 1, 1), (-4, 0, 1, 1), (-3, 0, 1, 1), (0.5, 0, 9, 0)],
    [((2, 3, 1, -0.25), -INF, 4.5), ((4, 1, 2, 0), -INF, 5.5)],
)
# The relaxation reaches 1/2 on all columns, and so needs a branch to see that no point is there.
PARITY = built([(1, 0, 1, 1)] * 2, [((2, 2), 1, 1)])
CONTRADICTION = built([(1, 0, INF, 0)] * 2, [((1, 1), 2, INF), ((1, 2), -INF, 1)])
ENDLESS = built([(1, 0, INF, 0), (1, 0, INF, 1), (0, 0, 9, 0)], [((1, -2, 0), 0, 1)], sense="max")
BETWEEN = built([(1, 0.25, 0.75, 1)], [])
SMALL = {
    "thirds": (THIRDS, "optimal", Fraction(5, 11)),
    "knapsack": (KNAPSACK, "optimal", Fraction(-8)),
    "parity": (PARITY, "infeasible", None),
    "contradiction": (CONTRADICTION, "infeasible", None),
    "endless": (ENDLESS, "unbounded", None),
    "between": (BETWEEN, "infeasible", None),
}


RANDOM = [known.program for known in linear(range(60))]


@cache
def found(key):
    """The certificate of a small program, or of a random one by its number."""
    return cpe.certificate(RANDOM[key] if isinstance(key, int) else SMALL[key][0])


# What is found holds.


@pytest.mark.parametrize("name", SMALL)
def test_small_programs_have_the_ends_that_one_sees(name, folder):
    certificate = found(name)
    assert (certificate.claim, certificate.value) == SMALL[name][1:]
    assert holds(certificate, folder)


def test_claims_are_those_of_enumeration_and_the_checker_accepts_them(folder):
    for known in linear(range(250)):
        certificate = cpe.certificate(known.program)
        assert (certificate.claim, certificate.value) == truth(known)
        assert holds(certificate, folder)


@pytest.mark.slow
def test_the_checker_accepts_thousands_more(folder):
    for known in linear(range(250, 3000)):
        assert holds(cpe.certificate(known.program), folder), known.program.name


def test_numbers_of_every_size_end_in_a_certificate_or_a_refusal(folder):
    rng = np.random.default_rng(8)
    for _ in range(60):
        sizes = 10.0 ** rng.choice([-300, 0, 15, 300], size=(3, 3))
        matrix = rng.integers(-3, 4, size=(3, 3)) * sizes
        columns = [(cost, 0, INF, cost > 1) for cost in matrix[2]]
        program = built(columns, [(matrix[0], -1, 1e10), (matrix[1], 1e10, INF)], sense="max")
        with suppress(NotCertified):
            assert holds(cpe.certificate(program), folder)
    with pytest.raises(NotCertified, match="'small', or its gap, is a number that no double"):
        cpe.certificate(built([(1e300, -INF, INF, 0)], [((1e-300,), 1e10, INF)]))


# Limits, and what is said where nothing is proved.


def test_the_limits_leave_a_gap_or_nothing(folder, monkeypatch):
    program = cpe.read_program(MODELS / "cheapest-flips" / "sushi.lp")
    optimum = cpe.certificate(program).value
    by_nodes = cpe.certificate(program, nodes=1)
    with pytest.raises(NotCertified, match="within a time_limit of 1e-09 seconds"):
        cpe.certificate(program, time_limit=1e-9)
    search = searching._Tree._solved
    solved = []

    def one_node(tree, bounds, bound):
        if solved:
            raise searching.ProofTimeOver
        solved.append(bounds)
        return search(tree, bounds, bound)

    monkeypatch.setattr(searching._Tree, "_solved", one_node)
    for certificate in (by_nodes, cpe.certificate(program, time_limit=60)):
        assert certificate.claim == "bounded"
        assert certificate.bound < optimum <= certificate.value
        assert accepted(text_of(certificate, folder))


def test_branching_without_end_is_ended():
    """The sum 8 x + 4 y of two rows is a multiple of 4, but no tree closes."""
    rows = [((0, 4, -1), 0, 0), ((8, 0, 1), -19, -19)]
    with pytest.raises(NotCertified, match=r"within 40 nodes; .* branching need not end"):
        cpe.certificate(built([(0, -INF, INF, 1)] * 3, rows), nodes=40)


def test_a_point_better_than_the_solver_s_is_taken(monkeypatch):
    """The solver's point is a start, and no more; one outside the bounds is none."""
    for x in (np.array([0.0, 1, 0, 0]), np.array([0.0, 1, 2, 0]), None):
        monkeypatch.setattr(searching, "float_answer", lambda *_, x=x, **__: (x, None))
        assert cpe.certificate(KNAPSACK).value == -8


def test_what_does_not_hold_is_not_returned(monkeypatch):
    wrong = replace(found("thirds"), value=HALF, bound=HALF)
    monkeypatch.setattr(searching._Tree, "certificate", lambda _: wrong)
    with pytest.raises(SolverFailed, match="the objective at the point is not the value"):
        cpe.certificate(THIRDS)


def test_a_missing_package_is_named_with_its_line(monkeypatch):
    monkeypatch.setattr(packages.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(SolverMissing, match=r"'python-flint', which is not .*cpe-opt\[exact\]"):
        cpe.certificate(THIRDS)


# Files.


@pytest.mark.parametrize("name", SMALL)
def test_a_certificate_is_read_as_it_was_written(name, folder):
    back = read_certificate(found(name).write(folder / "c.json"))
    assert (back.fault(), back.difference(found(name).program)) == ("", "")
    assert text_of(back, folder) == text_of(found(name), folder)
    assert repr(back) == repr(found(name))


def test_a_model_file_is_compared_with_the_program(tmp_path):
    ranged = replace(THIRDS, row_lower=np.array([0.1, -INF]), offset=2.5)
    certificate = cpe.certificate(ranged)
    for suffix in (".lp", ".mps"):
        path = cpe.export(ranged, tmp_path / f"ranged{suffix}")
        file = certificate.write(tmp_path / "c.json", model=path)
        assert json.loads(file.read_bytes())["model"]["file"] == path.name
        assert read_certificate(file).difference(path) == ""
    certificate = found("thirds")
    other = cpe.export(replace(THIRDS, costs=THIRDS.costs + 0.1), tmp_path / "other.lp")
    with pytest.raises(cpe.InputError, match=r"not of '.*other.lp': column 'x0' differs"):
        certificate.write(tmp_path / "d.json", model=other)
    assert not (tmp_path / "d.json").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: "[]", "is no certificate"),
        (lambda text: text.replace("certificate 1", "x"), "format is 'cpe_opt x', expected 'cpe_"),
        (lambda text: text.replace('"cost": "1"', '"cost": "1/3"', 1), "number that is no double"),
        (lambda text: text.replace('"3/11"', '"3/0"'), "is no certificate"),
        (lambda text: text.replace('"cost": "1"', f'"cost": "1{"0" * 999}"', 1), "is no certifica"),
    ],
)
def test_other_files_are_no_certificates(change, message, tmp_path, folder):
    text = change(text_of(found("thirds"), folder))
    (tmp_path / "c.json").write_text(text, encoding="utf-8")
    with pytest.raises(cpe.InputError, match=message):
        read_certificate(tmp_path / "c.json")


def test_the_checker_as_a_program(tmp_path):
    for name, begin, code in (("thirds", "proved: small: the", 0), ("none", "refused", 1)):
        path = tmp_path / f"{name}.json"
        if code == 0:
            found(name).write(path)
        command = [sys.executable, "-I", str(CHECKER), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.stdout.startswith(begin), done.returncode, done.stderr) == (True, code, "")
    assert len(SOURCE.splitlines()) < 200
    imports = set(re.findall(r"^(?:import|from) (\w+)", SOURCE, flags=re.MULTILINE))
    assert imports == {"json", "sys", "fractions"}


# What is false is refused.


def put(data, *path, to):
    """The data with another value at the path; without the entry where it is None."""
    other = copy.deepcopy(data)
    place = other
    for key in path[:-1]:
        place = place[key]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return other


def shifted(text, by):
    return str(Fraction(text) + Fraction(by))


def falsified(data):
    """Certificates with one change each, by what was changed; all of them are false."""
    program = data["program"]
    columns, rows, point = program["columns"], program["rows"], data.get("point")
    for by in ("1/7", "-1", "1/1000000000000000000000") if "value" in data else ():
        value = shifted(data["value"], by)
        yield "value", data | {"value": value}
        yield "value and bound", data | {"value": value, "bound": value}
        yield "offset", put(data, "program", "offset", to=shifted(program["offset"], by))
        signed = abs(Fraction(by)) * (1 if program["sense"] == "min" else -1)
        yield "bound", data | {"claim": "bounded", "bound": shifted(data["value"], signed)}
        for name in [name for name in columns if columns[name]["cost"] != "0"][:2]:
            yield "point", put(data, "point", name, to=shifted(point.get(name, "0"), by))
    if point is not None:
        x = {name: Fraction(text) for name, text in point.items()}
        for part, each in (("rows", rows), ("columns", columns)):
            for name, entry in each.items():
                terms = entry.get("terms", {name: "1"})
                now = sum(Fraction(a) * x.get(j, 0) for j, a in terms.items())
                yield "lower side", put(data, "program", part, name, "lower", to=str(now + HALF))
                yield "upper side", put(data, "program", part, name, "upper", to=str(now - HALF))
        for name, value in x.items():
            if value.denominator > 1 and not columns[name]["whole"]:
                yield "not whole", put(data, "program", "columns", name, "whole", to=True)
    if "ray" in data:
        yield "no ray", data | {"ray": {}}
        turned = {name: str(-Fraction(text)) for name, text in data["ray"].items()}
        yield "the ray turned round", data | {"ray": turned}
        for name, text in data["ray"].items():
            end, far = ("upper", "1000000") if Fraction(text) > 0 else ("lower", "-1000000")
            yield "the ray ends", put(data, "program", "columns", name, end, to=far)
    nodes = data.get("nodes", [])
    for number in range(len(nodes)):
        yield "a node left out", put(data, "nodes", number, to=None)
    if nodes:
        for name in columns:
            yield "empty", data | {"nodes": [{"empty": name}]}
            if not columns[name]["whole"]:
                branch = {"branch": name, "at": "0"}
                yield "a branch at any column", data | {"nodes": [branch, *nodes, *nodes]}
        for false in ([*nodes, nodes[-1]], [], [{"contradiction": {}}], [{}]):
            yield "other nodes", data | {"nodes": false}
    bare = {key: data[key] for key in ("format", "program")}
    if "value" in data:
        yield "infeasible", bare | {"claim": "infeasible", "nodes": nodes}
        yield "unbounded", bare | {"claim": "unbounded", "point": point, "ray": point}
    yield "the format", data | {"format": "cpe_opt certificate 2"}
    yield "a number that is none", put(data, "program", "offset", to=0.5)


def handmade():
    """False claims of the least x from 3/2 on, which is 2 where x is whole."""
    program = {
        "name": "hand",
        "sense": "min",
        "offset": "0",
        "columns": {"x": {"cost": "1", "lower": "0", "upper": "9", "whole": True}},
        "rows": {"r": {"lower": "3/2", "upper": None, "terms": {"x": "1"}}},
    }
    base = {"format": "cpe_opt certificate 1", "program": program, "claim": "optimal"}
    three = {"value": "3", "bound": "3", "point": {"x": "3"}}
    low = {"contradiction": {"r": "1"}}
    for at, first in (("3/2", {"empty": "x"}), ("3/2", low), ("1", low), ("1", {"empty": "x"})):
        yield base | three | {"nodes": [{"branch": "x", "at": at}, first, {"bound": {}}]}
    yield base | three | {"bound": "2", "nodes": [{"bound": {"r": "1"}}]}
    # Of a column that need not be whole, 3/2 is the least; one claims 2, or rounds the bound up.
    free = put(program, "columns", "x", "whole", to=False)
    two = {"program": free, "value": "2", "bound": "2", "point": {"x": "2"}}
    yield base | two | {"nodes": [{"branch": "x", "at": "1"}, low, {"bound": {}}]}
    yield base | two | {"nodes": [{"bound": {"r": "1"}}]}
    # A reduced cost below 0 counts at the upper bound, which is infinite here.
    fled = put(program, "columns", "x", to={"upper": None, "cost": "-1", "lower": "0", "whole": 1})
    yield base | two | {"program": fled, "value": "-2", "bound": "-2", "nodes": [{"bound": {}}]}


def test_what_is_false_is_refused_by_the_checker_and_by_the_package(folder):
    texts = [("by hand", json.dumps(data)) for data in handmade()]
    for key in (*SMALL, *range(30)):
        data = json.loads(text_of(found(key), folder))
        texts += [(what, json.dumps(false)) for what, false in falsified(data)]
    assert len({what for what, _ in texts}) >= 18
    assert [what for what, text in texts if accepted(text)] == []
    passed = []
    for what, text in texts[::2] + texts[:20]:
        (folder / "c.json").write_text(text, encoding="utf-8")
        with suppress(cpe.InputError):
            if not read_certificate(folder / "c.json").fault():
                passed.append(what)
    assert passed == []
