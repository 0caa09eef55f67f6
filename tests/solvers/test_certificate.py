"""Certificates: found, checked by a program that shares no code with ours, and refused if false.

The checker, examples/check_certificate.py, is run in a process of its own for a few files and in
this one for the many. What it must refuse are certificates with one change that makes them false,
or that makes them prove nothing; and each of its checks is needed: without it, one of these passes.
"""

import ast
import copy
import itertools
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.errors import NotCertified, SolverFailed
from cpe_opt.modelling.certificate import ExactProgram, ProgramCertificate, read_certificate
from cpe_opt.modelling.result import Status
from cpe_opt.solvers import certificate as searching, exact
from tests.catalogue import MODELS
from tests.solvers.random_programs import random_shape
from tests.solvers.test_exact import drawn, truth

CHECKER = Path(__file__).parents[2] / "examples" / "check_certificate.py"
SOURCE = CHECKER.read_text(encoding="utf-8")
STORED = sorted(MODELS.glob("*/*.lp"))
RANDOM = range(100)
HALF = Fraction(1, 2)


def loaded(tree):
    """The checker as a module, from its syntax tree."""
    names = {"__name__": "checker"}
    exec(compile(tree, "checker", "exec"), names)
    return names


CHECK = loaded(ast.parse(SOURCE))


def verdict(text, checker=CHECK):
    """What the checker says: the sentence that is proved, or the error."""
    try:
        return checker["check"](text)
    except Exception as error:
        return error


def accepted(text, checker=CHECK):
    return isinstance(verdict(text, checker), str)


@pytest.fixture(scope="module", autouse=True)
def _numbers_of_any_length():
    """As in the checker's own process."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(before)


def text_of(certificate, folder):
    return certificate.write(folder / "c.json").read_text(encoding="utf-8")


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
    "thirds": THIRDS,
    "knapsack": KNAPSACK,
    "parity": PARITY,
    "contradiction": CONTRADICTION,
    "endless": ENDLESS,
    "between": BETWEEN,
}


@cache
def found(key):
    """The certificate of a small program, of a random one by its seed, or of a stored model."""
    if isinstance(key, int):
        return cpe.certificate(random_shape(key))
    return cpe.certificate(SMALL[key] if isinstance(key, str) else cpe.read_program(key))


# What is found holds.


@pytest.mark.parametrize(
    ("name", "claim", "value"),
    [
        ("thirds", "optimal", Fraction(5, 11)),
        ("knapsack", "optimal", Fraction(-8)),
        ("parity", "infeasible", None),
        ("contradiction", "infeasible", None),
        ("endless", "unbounded", None),
        ("between", "infeasible", None),
    ],
)
def test_small_programs_have_the_ends_that_one_sees(name, claim, value, tmp_path):
    certificate = found(name)
    assert (certificate.claim, certificate.value) == (claim, value)
    assert verdict(text_of(certificate, tmp_path)) == certificate.statement.partition(", by")[0]


@pytest.mark.parametrize("seed", range(60))
def test_optima_are_those_of_enumeration_in_rational_numbers(seed):
    program, costs, half_spaces = drawn(seed)
    status, optimum = truth(costs, half_spaces)
    certificate = cpe.certificate(program)
    assert certificate.claim == status.value
    assert certificate.value == optimum


def test_integer_programs_end_as_enumeration_says():
    ends = Counter()
    for seed in range(25):
        program = whole_program(seed)
        numbers = ExactProgram(program)
        boxes = (
            range(int(low), int(high) + 1)
            for low, high in zip(program.column_lower, program.column_upper, strict=True)
        )
        points = (dict(enumerate(map(Fraction, point))) for point in itertools.product(*boxes))
        values = [numbers.value(point) for point in points if not numbers.broken(point)]
        best = min if program.sense == "min" else max
        certificate = cpe.certificate(program)
        ends[certificate.claim, len(certificate.nodes) > 1] += 1
        assert certificate.value == best(values, default=None), seed
        assert certificate.claim == ("optimal" if values else "infeasible")
    assert min(ends["optimal", True], ends["infeasible", True]) >= 3


def whole_program(seed):
    """Four whole columns within small bounds; decimal numbers."""
    rng = np.random.default_rng([91, seed])
    rows = int(rng.integers(1, 4))
    columns = [(round(rng.normal(), 1), -1, int(rng.integers(1, 3)), 1) for _ in range(4)]
    matrix = rng.integers(-9, 10, size=(rows, 4)) / 10.0
    low = matrix @ rng.integers(-1, 2, size=4) + rng.choice([0.0, 0.05, 0.3], size=rows)
    ends = [
        (line, side, side + room)
        for line, side, room in zip(matrix, low, rng.random(rows), strict=True)
    ]
    return built(columns, ends, sense=str(rng.choice(["min", "max"])), offset=0.1)


def test_the_checker_accepts_random_programs_of_every_shape(tmp_path):
    claims = Counter()
    for seed in RANDOM:
        certificate = found(seed)
        said = verdict(text_of(certificate, tmp_path))
        assert said == certificate.statement.partition(", by")[0], seed
        claims[certificate.program.kind, certificate.claim] += 1
    assert claims["LP", "optimal"] >= 30
    assert claims["MIP", "optimal"] >= 15
    assert min(claims["LP", "unbounded"], claims["LP", "infeasible"]) >= 7
    assert claims["MIP", "infeasible"] >= 5
    degenerate = [found(seed) for seed in RANDOM if found(seed).point is not None]
    assert sum(len(c.point) < c.program.shape[0] for c in degenerate) >= 5


@pytest.mark.slow
def test_the_checker_accepts_thousands_more(tmp_path):
    for seed in range(len(RANDOM), 2500):
        certificate = cpe.certificate(random_shape(seed))
        assert accepted(text_of(certificate, tmp_path)), seed


def test_the_checker_as_a_program(tmp_path):
    for name, begin, code in (("thirds", "proved", 0), ("parity", "proved", 0), ("", "refused", 1)):
        path = tmp_path / f"{name}.json"
        if name:
            found(name).write(path)
        done = subprocess.run(
            [sys.executable, "-I", str(CHECKER), str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.stdout.split(":")[0], done.returncode, done.stderr) == (begin, code, "")
    assert "proved: small: the optimum is 0.454545454545, exactly\n" in subprocess.run(
        [sys.executable, "-I", str(CHECKER), str(tmp_path / "thirds.json")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.replace("\r\n", "\n")


def test_the_checker_is_short_and_needs_nothing_but_fractions_and_json():
    assert len(SOURCE.splitlines()) < 200
    imports = [node for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.Import)]
    froms = [node for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.ImportFrom)]
    assert {alias.name for node in imports for alias in node.names} == {"json", "sys"}
    assert {node.module for node in froms} == {"fractions"}


# How exact numbers are had, and what is said where they are not.


def test_bases_that_are_off_are_mended_by_refinement_and_by_pivots(monkeypatch):
    """Both ways alone end as they do together, and the first basis alone does not."""
    programs = [drawn(seed)[0] for seed in range(80)]
    together = [exact.exact_end(program) for program in programs]

    def differing():
        ends = [exact.exact_end(program) for program in programs]
        return sum(
            end is None or end.claim != other.claim
            for end, other in zip(ends, together, strict=True)
        )

    monkeypatch.setattr(exact, "pivoted", lambda *_: None)
    assert differing() <= 2
    monkeypatch.setattr(exact, "_ROUNDS", 1)
    assert differing() >= 3
    monkeypatch.undo()
    monkeypatch.setattr(exact, "_ROUNDS", 0)
    assert differing() == 0


def test_large_systems_are_solved_exactly():
    """A vertex of 100 dense rows, whose coordinates have more than a thousand digits."""
    rng = np.random.default_rng(5)
    count = 100
    rows = [(rng.random(count) + count * (np.arange(count) == i), -INF, 1.0) for i in range(count)]
    program = built([(1 + rng.random(), 0, INF, 0) for _ in range(count)], rows, sense="max")
    certificate = cpe.certificate(program)
    assert certificate.claim == "optimal"
    assert len(certificate.point) == count
    assert certificate.value.denominator > 10**1000
    assert float(certificate.value) == pytest.approx(cpe.solve(program).objective)


def test_short_numbers_have_a_gap_that_is_stated(tmp_path):
    """With and without rows of equality, and free columns, which need exact repairs."""
    repaired = 0
    for program in (THIRDS, *(drawn(seed)[0] for seed in range(40)), *map(random_shape, RANDOM)):
        if program.is_integer or found_claim(program) != "optimal":
            continue
        certificate = cpe.certificate(program, exact=False)
        value = cpe.certificate(program).value
        assert min(certificate.value, certificate.bound) <= value
        assert value <= max(certificate.value, certificate.bound)
        assert certificate.claim == ("optimal" if certificate.gap == 0 else "bounded")
        if certificate.claim == "bounded":
            repaired += 1
            size = max(1.0, abs(float(value)), float(np.abs(program.costs).sum()))
            assert 0 < certificate.gap < 1e-6 * size
            assert "from the optimum" in verdict(text_of(certificate, tmp_path))
    assert repaired >= 20


def found_claim(program):
    return cpe.certificate(program).claim


def test_a_system_that_is_too_large_gets_a_bound_and_a_gap(monkeypatch, tmp_path):
    program = cpe.read_program(MODELS / "von-neumann-winner" / "multisol.lp")
    monkeypatch.setattr(searching, "exact_end", lambda program: None)
    certificate = cpe.certificate(program)
    assert certificate.gap < Fraction(1, 10**12)
    assert accepted(text_of(certificate, tmp_path))


def test_nothing_is_said_where_nothing_is_proved(monkeypatch):
    monkeypatch.setattr(searching, "exact_end", lambda program: None)
    with pytest.raises(NotCertified, match="nothing is proved of 'small': its optimum cannot be f"):
        cpe.certificate(CONTRADICTION)


def test_the_limit_of_nodes_leaves_a_gap_or_nothing(tmp_path):
    program = cpe.read_program(MODELS / "cheapest-flips" / "sushi.lp")
    certificate = cpe.certificate(program, nodes=1)
    assert certificate.claim == "bounded"
    assert 0 < certificate.gap < certificate.value
    assert certificate.bound < found(MODELS / "cheapest-flips" / "sushi.lp").value
    assert accepted(text_of(certificate, tmp_path))
    # 2 x + 2 y = 1 has no whole point, which no finite tree shows where x and y have no bounds.
    endless = built([(0, -INF, INF, 1)] * 2, [((2, 2), 1, 1)])
    with pytest.raises(NotCertified, match="no point was found in 30 nodes; more nodes may do"):
        cpe.certificate(endless, nodes=30)


def test_a_point_better_than_the_solver_s_is_taken(monkeypatch):
    """The solver's point is a start, and no more."""
    worse = cpe.solve(KNAPSACK)
    monkeypatch.setattr(
        searching, "solve", lambda *_, **__: replace(worse, x=np.array([0.0, 1, 0, 0]))
    )
    assert cpe.certificate(KNAPSACK).value == -8
    lost = replace(worse, status=Status.ERROR, x=None)
    monkeypatch.setattr(searching, "solve", lambda *_, **__: lost)
    assert cpe.certificate(KNAPSACK).value == -8


def test_what_does_not_hold_is_not_returned(monkeypatch):
    wrong = replace(found("thirds"), value=HALF, bound=HALF)
    monkeypatch.setattr(searching, "_linear", lambda *_, **__: wrong)
    with pytest.raises(SolverFailed, match="the objective at the point is not the value"):
        cpe.certificate(THIRDS)


# Files.


@pytest.mark.parametrize("name", SMALL)
def test_a_certificate_is_read_as_it_was_written(name, tmp_path):
    certificate = found(name)
    back = read_certificate(certificate.write(tmp_path / "c.json"))
    assert back.fault() == ""
    assert back.difference(certificate.program) == ""
    assert text_of(back, tmp_path) == text_of(certificate, tmp_path)
    assert repr(back) == repr(certificate)


def test_a_model_file_is_compared_with_the_program(tmp_path):
    path = cpe.export(THIRDS, tmp_path / "thirds.lp")
    file = found("thirds").write(tmp_path / "c.json", model=path)
    assert json.loads(file.read_bytes())["model"]["file"] == "thirds.lp"
    assert accepted(file.read_text(encoding="utf-8"))
    assert read_certificate(file).difference(path) == ""
    other = cpe.export(replace(THIRDS, costs=THIRDS.costs + 0.1), tmp_path / "other.lp")
    assert read_certificate(file).difference(other) == "they differ in 'x0' of the columns"
    with pytest.raises(
        cpe.InputError, match=r"the certificate is not of '.*other.lp': they differ"
    ):
        found("thirds").write(tmp_path / "d.json", model=other)
    assert not (tmp_path / "d.json").exists()


def test_programs_with_ranges_and_constants_equal_their_files(tmp_path):
    ranged = replace(THIRDS, row_lower=np.array([0.1, -INF]), offset=2.5)
    certificate = cpe.certificate(ranged)
    for suffix in (".lp", ".mps"):
        path = cpe.export(ranged, tmp_path / f"ranged{suffix}")
        assert certificate.difference(path) == ""


def test_names_that_are_there_twice_are_refused(tmp_path):
    twice = replace(THIRDS, column_names=("a", "a"))
    with pytest.raises(cpe.InputError, match="'small' has two columns of the name 'a'"):
        cpe.certificate(twice).write(tmp_path / "c.json")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is no JSON"),
        ("[]", "is no certificate"),
        ('{"format": "x"}', "its format is 'x', expected 'cpe_opt certificate 1'"),
        ('{"format": "cpe_opt certificate 1", "claim": "optimal"}', "is no certificate"),
    ],
)
def test_other_files_are_no_certificates(content, message, tmp_path):
    (tmp_path / "c.json").write_text(content, encoding="utf-8")
    with pytest.raises(cpe.InputError, match=message):
        read_certificate(tmp_path / "c.json")
    assert not accepted(content)


def test_numbers_that_are_no_doubles_are_refused(tmp_path):
    text = text_of(found("thirds"), tmp_path).replace('"cost": "1"', '"cost": "1/3"', 1)
    (tmp_path / "c.json").write_text(text, encoding="utf-8")
    with pytest.raises(cpe.InputError, match="'1/3' is no double"):
        read_certificate(tmp_path / "c.json")


# What is false is refused.


def shifted(text, by):
    return str(Fraction(text) + Fraction(by))


def falsified(data):
    """Certificates with one change each, by what was changed; all of them are false.

    Those of which that depends on the numbers are judged by the package, which finds the true
    value, or adds up what the changed multipliers prove.
    """
    program, claim = data["program"], data["claim"]
    columns, rows = program["columns"], program["rows"]
    signed = 1 if program["sense"] == "min" else -1

    def changed(change):
        other = copy.deepcopy(data)
        change(other)
        return other

    costly = [name for name, each in columns.items() if each["cost"] != "0"]
    for by in ("1/7", "-1", "1/1000000000000000000000"):
        if claim in ("optimal", "bounded"):
            yield "value", changed(lambda c, by=by: c.update(value=shifted(c["value"], by)))

            def both(c, by=by):
                c["value"], c["bound"] = shifted(c["value"], by), shifted(c["value"], by)

            yield "value and bound", changed(both)

            def beyond(c, by=by):
                c["claim"] = "bounded"
                c["bound"] = str(Fraction(c["value"]) + signed * abs(Fraction(by)))

            yield "bound beyond the value", changed(beyond)
        if "point" in data:
            for name in costly[:2]:
                if claim != "unbounded":

                    def moved(c, name=name, by=by):
                        c["point"][name] = shifted(c["point"].get(name, "0"), by)

                    yield "point", changed(moved)

                    def cost(c, name=name, by=by):
                        each = c["program"]["columns"][name]
                        each["cost"] = shifted(each["cost"], by)

                    if name in data["point"]:
                        yield "cost", changed(cost)
            if claim != "unbounded":
                yield (
                    "offset",
                    changed(
                        lambda c, by=by: c["program"].update(
                            offset=shifted(c["program"]["offset"], by)
                        )
                    ),
                )
    if "point" in data:
        point = {name: Fraction(text) for name, text in data["point"].items()}
        for name, row in rows.items():
            activity = sum(Fraction(a) * point.get(j, 0) for j, a in row["terms"].items())

            def tighter(c, name=name, activity=activity, end="lower", by=HALF):
                c["program"]["rows"][name][end] = str(activity + by)

            yield "row's lower side", changed(tighter)
            yield (
                "row's upper side",
                changed(lambda c, t=tighter: t(c, end="upper", by=-HALF)),
            )
        for name, each in columns.items():

            def outside(c, name=name, end="lower", by=HALF):
                c["program"]["columns"][name][end] = str(point.get(name, 0) + by)

            yield "column's lower bound", changed(outside)
            yield "column's upper bound", changed(lambda c, o=outside: o(c, end="upper", by=-HALF))
            if point.get(name, Fraction(0)).denominator > 1 and not each["whole"]:
                yield (
                    "a column that should be whole",
                    changed(lambda c, name=name: c["program"]["columns"][name].update(whole=True)),
                )
    if claim == "unbounded":
        yield "no ray", changed(lambda c: c.update(ray={}))
        turned = {name: str(-Fraction(text)) for name, text in data["ray"].items()}
        yield "the ray turned round", changed(lambda c: c.update(ray=turned))
        for name in data["ray"]:
            for end in ("lower", "upper"):
                if (Fraction(data["ray"][name]) > 0) == (end == "upper"):

                    def closed(c, name=name, end=end):
                        far = 10**6 if end == "upper" else -(10**6)
                        c["program"]["columns"][name][end] = str(far)

                    yield "a bound that the ray meets", changed(closed)
        del_ray = changed(lambda c: c.pop("ray"))
        yield "no point", del_ray | {"claim": "infeasible", "nodes": [{"contradiction": {}}]}
    if "nodes" in data:
        for number, node in enumerate(data["nodes"]):
            for kind in ("bound", "contradiction"):
                for name, text in list(node.get(kind, {}).items())[:3]:

                    def multiplied(c, number=number, kind=kind, name=name, text=text):
                        c["nodes"][number][kind][name] = str(-Fraction(text))

                    if proves_less(data, number, multiplied):
                        yield "a multiplier", changed(multiplied)

                    def dropped(c, number=number, kind=kind, name=name):
                        del c["nodes"][number][kind][name]

                    if proves_less(data, number, dropped):
                        yield "a multiplier left out", changed(dropped)
            yield "a node left out", changed(lambda c, n=number: c["nodes"].pop(n))
            if len(data["nodes"]) == 1:
                continue
            if "branch" in node:
                yield (
                    "a branch between whole numbers",
                    changed(
                        lambda c, n=number: c["nodes"][n].update(
                            at=shifted(c["nodes"][n]["at"], HALF)
                        )
                    ),
                )
        whole = [name for name, each in columns.items() if each["whole"]]
        for name in columns:
            first = {"branch": name, "at": "0"}
            if name not in whole:
                doubled = [first, *data["nodes"], *data["nodes"]]
                yield "a branch at any column", changed(lambda c, d=doubled: c.update(nodes=d))
            yield "an empty column", changed(lambda c, name=name: c.update(nodes=[{"empty": name}]))
        yield "more nodes", changed(lambda c: c["nodes"].append(c["nodes"][-1]))
        yield "no nodes", changed(lambda c: c.update(nodes=[]))
        yield "no contradiction", changed(lambda c: c.update(nodes=[{"contradiction": {}}]))
        yield "nodes of no kind", changed(lambda c: c.update(nodes=[{}]))
    if claim in ("optimal", "bounded"):
        bare = {key: data[key] for key in ("format", "program")}
        yield "infeasible", bare | {"claim": "infeasible", "nodes": data["nodes"]}
        yield (
            "unbounded",
            bare | {"claim": "unbounded", "point": data["point"], "ray": data["point"]},
        )
    if claim == "infeasible":
        given = {"claim": "optimal", "value": program["offset"], "bound": program["offset"]}
        yield "optimal", data | given | {"point": {}}
    yield "the format", changed(lambda c: c.update(format="cpe_opt certificate 2"))
    yield "another part", changed(lambda c: c.update(remark={}))
    yield "the sense", changed(lambda c: c["program"].update(sense=f"{program['sense']}imal"))
    for name in list(columns)[:1]:
        yield (
            "whole, or not",
            changed(
                lambda c, n=name: c["program"]["columns"][n].update(whole=int(columns[n]["whole"]))
            ),
        )
    yield "a number that is none", changed(lambda c: c["program"].update(offset=0.5))
    if "point" in data:
        yield "a column that is not there", changed(lambda c: c["point"].update(nobody="1"))


def proves_less(data, number, change):
    """Whether a changed leaf proves too little of its node, or nothing, by the package's sums."""
    other = copy.deepcopy(data)
    change(other)
    return bool(parsed(other).fault())


def parsed(data):
    """A certificate read from memory."""
    columns = {name: j for j, name in enumerate(data["program"]["columns"])}
    rows = {name: i for i, name in enumerate(data["program"]["rows"])}
    from cpe_opt.modelling import certificate as files

    return ProgramCertificate(
        files._program_of(data["program"]),
        data["claim"],
        *(Fraction(data[key]) if key in data else None for key in ("value", "bound")),
        *(
            {columns[name]: Fraction(text) for name, text in data[key].items()}
            if key in data
            else None
            for key in ("point", "ray")
        ),
        tuple(files._node_of(node, columns, rows) for node in data.get("nodes", ())),
    )


@cache
def false_texts():
    """The texts of false certificates, by what was changed in which."""
    import tempfile

    texts = {}
    with tempfile.TemporaryDirectory() as folder:
        for key in (*SMALL, *range(60)):
            original = json.loads(text_of(found(key), Path(folder)))
            for what, data in falsified(original):
                texts[key, what, len(texts)] = json.dumps(data)
        for key in SMALL:
            text = text_of(found(key), Path(folder))
            lied = '"claim": "unbounded",\n "claim"'
            texts[key, "a claim of two", len(texts)] = text.replace('"claim"', lied, 1)
    return texts


def test_what_is_false_is_refused():
    texts = false_texts()
    assert len(texts) >= 200
    assert len({what for _, what, _ in texts}) >= 25
    passed = [key for key, text in texts.items() if accepted(text)]
    assert passed == []


def test_the_package_s_own_check_refuses_what_is_false(tmp_path):
    """The one that every certificate passes before it is returned."""
    of_files = {"another part", "whole, or not", "a claim of two"}  # the numbers are true ones
    texts = {key: text for key, text in false_texts().items() if key[1] not in of_files}
    texts = dict(list(texts.items())[::3])
    texts |= {("by hand", n): json.dumps(data) for n, data in enumerate(handmade())}
    passed = []
    for key, text in texts.items():
        path = tmp_path / "c.json"
        path.write_text(text, encoding="utf-8")
        try:
            fault = read_certificate(path).fault()
        except cpe.InputError:
            continue
        passed += [] if fault else [key]
    assert passed == []


def handmade():
    """False certificates that only one check sees, where no changed one is such."""
    program = {
        "name": "hand",
        "sense": "min",
        "offset": "0",
        "columns": {"x": {"cost": "1", "lower": "0", "upper": "9", "whole": True}},
        "rows": {"r": {"lower": "3/2", "upper": None, "terms": {"x": "1"}}},
    }
    base = {"format": "cpe_opt certificate 1", "program": program, "claim": "optimal"}
    # The least whole x from 3/2 on is 2; one claims 3, by leaving 2 out between the branches.
    three = {"value": "3", "bound": "3", "point": {"x": "3"}}
    gap = [{"branch": "x", "at": "3/2"}, {"empty": "x"}, {"bound": {}}]
    low = [{"branch": "x", "at": "3/2"}, {"contradiction": {"r": "1"}}, {"bound": {}}]
    yield base | three | {"nodes": gap}
    yield base | three | {"nodes": low}
    after_1 = [{"branch": "x", "at": "1"}, {"contradiction": {"r": "1"}}, {"bound": {}}]
    yield base | three | {"nodes": after_1}
    # 3 is no optimum only because a bound of 2 is proved.
    two_bound = {"bound": "2", "nodes": [{"bound": {"r": "1"}}]}
    yield base | three | two_bound
    # Of a column that need not be whole, 3/2 is the least; one claims 2, or rounds the bound up.
    free = copy.deepcopy(program)
    free["columns"]["x"]["whole"] = False
    two = {"program": free, "value": "2", "bound": "2", "point": {"x": "2"}}
    split = [{"branch": "x", "at": "1"}, {"contradiction": {"r": "1"}}, {"bound": {}}]
    yield base | two | {"nodes": split}
    yield base | two | {"nodes": [{"bound": {"r": "1"}}]}
    # The true optimum of the first program is 2; multipliers prove it, and no more.
    yield base | three | {"nodes": [{"bound": {"r": "1"}}]}
    yield base | three | {"nodes": [{"branch": "x", "at": "1"}, {"empty": "x"}, {"bound": {}}]}
    yield base | three | {"nodes": [{"branch": "x", "at": "1"}, {"bound": {"r": "1"}}]}
    # A reduced cost below 0 counts at the upper bound, which is infinite here.
    fled = copy.deepcopy(program)
    fled["columns"]["x"] |= {"upper": None, "cost": "-1"}
    yield (
        base
        | {"program": fled, "value": "-2", "bound": "-2", "point": {"x": "2"}}
        | {"nodes": [{"bound": {}}]}
    )
    # x + y = 1 has points.
    pair = copy.deepcopy(program)
    pair["columns"]["y"] = pair["columns"]["x"]
    pair["rows"]["r"] = {"lower": "1", "upper": "1", "terms": {"x": "1", "y": "1"}}
    none = {"format": base["format"], "program": pair, "claim": "infeasible"}
    yield none | {"nodes": [{"contradiction": {"r": "1"}}]}
    yield none | {"nodes": [{"bound": {"r": "1"}}]}
    yield none | {"nodes": [{"branch": "x", "at": "-1"}, {"empty": "x"}]}


def needed_checks():
    """Checkers that each lack one check, by what they lack."""
    tree = ast.parse(SOURCE)
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.Expr) and "require" in ast.unparse(node)[:7]:
            other = copy.deepcopy(tree)
            place = next(itertools.islice(ast.walk(other), number, None))
            for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
                setattr(place, name, getattr(node, name))
            place.value = ast.copy_location(ast.Constant(value=None), place.value)
            yield ast.unparse(node), other


CHECKS = dict(needed_checks())


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: re.sub(r"\W+", "-", check)[8:50])
def test_every_check_is_needed(check):
    """Without it, a false certificate gets through."""
    lax = loaded(CHECKS[check])
    texts = [*map(json.dumps, handmade()), *false_texts().values()]
    assert any(accepted(text, lax) for text in texts)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("lower if factor > 0 else upper", "upper if factor > 0 else lower"),
        ("factor * (lower if factor > 0 else upper) if factor else factor", "factor * 0"),
        ("- y * a", "+ y * a"),
        ("proved += sum(", "proved += 0 * sum("),
        ("proved / scale if", "proved * scale if"),
        ("total(terms, scaled) / scale", "total(terms, scaled)"),
        ("cost * scale for", "cost for"),
        ("self.costs)\n                require", "{})\n                require"),
        ("max(lower, at + 1)", "max(lower, at + 2)"),
        ("min(upper, at)", "min(upper, at - 1)"),
        ("if cost and name not in self.whole", "if not cost and name not in self.whole"),
        ("-(-bound // abs(step))", "(2 + bound // abs(step))"),
        ('data["nodes"], INFINITE', 'data["nodes"], -INFINITE'),
        ('self.sign * number(each["cost"])', 'number(each["cost"])'),
        ("program.offset + program.sign * total", "program.sign * total"),
    ],
)
def test_every_formula_is_needed(right, wrong):
    """With another one, a false certificate gets through, or a true one does not."""
    assert SOURCE.count(right) == 1
    wrong_checker = loaded(ast.parse(SOURCE.replace(right, wrong)))
    texts = [*map(json.dumps, handmade()), *false_texts().values()]
    passes = any(accepted(text, wrong_checker) for text in texts)
    assert passes or not all(accepted(text, wrong_checker) for text in true_texts())


@cache
def true_texts():
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return [text_of(found(key), Path(folder)) for key in (*SMALL, *range(60))]


def test_handmade_falsehoods_are_refused():
    assert [data for data in handmade() if accepted(json.dumps(data))] == []
