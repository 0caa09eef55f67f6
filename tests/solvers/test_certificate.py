"""Certificates: found, checked by a program that shares no code with ours, and refused if false."""

import itertools
import json
import math
import re
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import NotCertified, SolverFailed
from cpe_opt.solvers import certificate as module
from cpe_opt.solvers.certificate import ExactProgram, Node, ProgramCertificate, program_data
from tests.catalogue import CHECK, MODELS
from tests.solvers.fuzz import Instance, instance

CHECKER = MODELS.parent / "examples" / "check_certificate.py"
INF = np.inf


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


def built(columns, rows, sense="min"):
    """A program of columns (cost, lower, upper, whole) and rows (coefficients, lower, upper)."""
    builder = cpe.ProgramBuilder("small", sense=sense)
    for j, (cost, lower, upper, whole) in enumerate(columns):
        builder.columns(f"x{j}", [()], cost=cost, lower=lower, upper=upper, integer=bool(whole))
    for i, (coefficients, lower, upper) in enumerate(rows):
        builder.row(f"r{i}", range(len(columns)), coefficients, lower=lower, upper=upper)
    return builder.build()


THIRDS = built([(1, 0, INF, 0)] * 2, [((3, 1), -INF, 1), ((1, 4), -INF, 1)], sense="max")
KNAPSACK = built(
    [(-5, 0, 1, 1), (-4, 0, 1, 1), (-3, 0, 1, 1), (0.5, 0, 9, 0)],
    [((2, 3, 1, -0.25), -INF, 4.5), ((4, 1, 2, 0), -INF, 5.5)],
)
# The relaxation reaches 1/2 on all columns, and so needs a branch to see that no point is there.
PARITY = built([(1, 0, 1, 1)] * 2, [((2, 2), 1, 1)])
CONTRADICTION = built([(1, 0, INF, 0)] * 2, [((1, 1), 2, INF), ((1, 2), -INF, 1)])
BETWEEN = built([(1, 0.25, 0.75, 1)], [])
SMALL = [
    (THIRDS, "optimal", Fraction(5, 11)),
    (KNAPSACK, "optimal", Fraction(-8)),
    (PARITY, "infeasible", None),
    (CONTRADICTION, "infeasible", None),
    (BETWEEN, "infeasible", None),
]


def linear(seeds):
    """Random programs without quadratic terms, with constants; every other one has few bounds."""
    for seed in seeds:
        program = instance(seed).program
        if isinstance(program, cpe.LinearProgram):
            upper = program.column_upper
            if seed % 2:
                upper = np.where(program.integer, upper, INF)
            yield Instance(replace(program, column_upper=upper, offset=seed / 4))


def truth(known):
    """What is true of a program, and its optimum, by enumeration."""
    least = known.least(0)
    if least is None:
        return "infeasible", None
    if known.has_ray:
        return "unbounded", None
    return "optimal", Fraction(known.program.offset) + known.sign * least


# What is found holds.


@pytest.mark.parametrize(("program", "claim", "value"), SMALL)
def test_small_programs_have_the_ends_that_one_sees(program, claim, value, folder):
    certificate = cpe.certificate(program)
    assert (certificate.claim, certificate.value) == (claim, value)
    assert accepted(text_of(certificate, folder)) == certificate.statement


def test_claims_are_those_of_enumeration_and_the_checker_accepts_them(folder):
    refused = 0
    for known in linear(range(100)):
        claim, optimum = truth(known)
        if claim == "unbounded":
            with pytest.raises(NotCertified, match="is unbounded"):
                cpe.certificate(known.program)
            continue
        try:
            certificate = cpe.certificate(known.program)
        except NotCertified:  # where the relaxation is unbounded
            refused += 1
            continue
        assert (certificate.claim, certificate.value) == (claim, optimum)
        assert accepted(text_of(certificate, folder)) == certificate.statement
    assert refused < 3


@pytest.mark.parametrize("start", ["activities", "any"])
def test_pivots_from_every_basis_end_at_the_truth(start):
    """From the basis of the rows, and from one that is regular, or not, by chance."""
    rng, claims = np.random.default_rng(3), set()
    for each in linear(range(30)):
        rows, columns = each.program.shape
        known = Instance(replace(each.program, integer=np.zeros(columns, dtype=bool)))
        basis = np.array(["lower"] * columns + ["basic"] * rows, dtype=object)
        if start == "any":
            basis = rng.choice(["lower", "upper"], size=columns + rows).astype(object)
            basis[rng.choice(columns + rows, size=rows, replace=False)] = "basic"
        exact, (claim, optimum) = ExactProgram(known.program), truth(known)
        try:
            x, y = module.simplex(exact, exact.sides, list(basis), INF)
        except NotCertified:
            assert claim == "unbounded"
        except ZeroDivisionError:
            continue
        else:
            if claim == "infeasible":
                assert x is None
                assert exact.proved(y, [Fraction(0)] * columns, exact.sides) > 0
            else:
                assert exact.objective(x) == optimum
                assert exact.proved(y, exact.costs, exact.sides) == exact.total(x)
        claims.add(claim)
    assert len(claims) == 3


def test_numbers_of_every_size_end_in_a_certificate_or_a_refusal(folder):
    rng = np.random.default_rng(8)
    for _ in range(30):
        sizes = 10.0 ** rng.choice([-300, 0, 15, 300], size=(3, 3))
        matrix = rng.integers(-3, 4, size=(3, 3)) * sizes
        columns = [(cost, 0, INF, cost > 1) for cost in matrix[2]]
        program = built(columns, [(matrix[0], -1, 1e10), (matrix[1], 1e10, INF)], sense="max")
        with suppress(NotCertified):
            certificate = cpe.certificate(program)
            assert accepted(text_of(certificate, folder)) == certificate.statement
    with pytest.raises(NotCertified, match="'small': its optimum is a number that no double holds"):
        cpe.certificate(built([(1e300, -INF, INF, 0)], [((1e-300,), 1e10, INF)]))


# What is said where nothing is proved.


def test_branching_without_end_and_limits_are_ended():
    """The sum 8 x + 4 y of two rows is a multiple of 4, but no tree closes."""
    rows = [((0, 4, -1), 0, 0), ((8, 0, 1), -19, -19)]
    program = built([(0, -INF, INF, 1)] * 3, rows)
    with pytest.raises(NotCertified, match=r"'small': .* more than 40 nodes; .* need not end"):
        cpe.certificate(program, nodes=40)
    with pytest.raises(NotCertified, match="'small': the time limit ends before the proof"):
        cpe.certificate(program, time_limit=1e-9)
    with pytest.raises(NotCertified, match="'small': its linear program is unbounded"):
        cpe.certificate(built([(-1, 0, INF, 0)], []))


def test_equations_that_need_more_time_than_is_left_are_not_begun():
    rows = [dict.fromkeys(range(300), Fraction(0.1)) for _ in range(300)]
    with pytest.raises(NotCertified, match="the time limit ends"):
        module.matrix_of(rows, range(300), time.perf_counter() + 0.5)
    with pytest.raises(NotCertified, match="its vertex are 801, expected at most 800"):
        module.matrix_of([{}] * 801, range(801), math.inf)


def test_what_does_not_hold_is_not_returned(monkeypatch):
    wrong = replace(cpe.certificate(THIRDS), value=Fraction(1, 2))
    monkeypatch.setattr(module, "_searched", lambda *_: wrong)
    with pytest.raises(SolverFailed, match="the certificate of 'small' does not hold"):
        cpe.certificate(THIRDS)


# Files.


def test_the_program_of_a_certificate_is_compared_with_a_model_file(tmp_path):
    path = cpe.export(THIRDS, tmp_path / "small.lp")
    stored = json.loads(text_of(cpe.certificate(cpe.read_program(path)), tmp_path))
    assert stored["program"] == program_data(cpe.read_program(path))
    for change in ({"costs": THIRDS.costs + 1e-15}, {"row_upper": np.array([1, INF])}):
        assert stored["program"] != program_data(replace(THIRDS, **change))


def test_the_checker_as_a_program(tmp_path):
    for name, begin, code in (("thirds", "proved: small: the", 0), ("none", "refused", 1)):
        path = tmp_path / f"{name}.json"
        if code == 0:
            cpe.certificate(THIRDS).write(path)
        command = [sys.executable, "-I", str(CHECKER), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.stdout.startswith(begin), done.returncode, done.stderr) == (True, code, "")
    source = CHECKER.read_text(encoding="utf-8")
    assert len(source.splitlines()) < 200
    imports = set(re.findall(r"^(?:import|from) (\w+)", source, flags=re.MULTILINE))
    assert imports == {"json", "sys", "fractions"}


# What is false is refused.


def falsified(true):
    """Certificates with one change each, by what was changed; all of them are false."""
    program, nodes = true.program, true.nodes
    columns = program.shape[1]
    exact = ExactProgram(program)
    for number in range(len(nodes)):
        yield "a node left out", replace(true, nodes=nodes[:number] + nodes[number + 1 :])
    for other in ((*nodes, nodes[-1]), (), (Node("contradiction"),)):
        yield "other nodes", replace(true, nodes=other)
    for j in range(columns):
        yield "empty", replace(true, nodes=(Node("empty", column=j),))
        if not program.integer[j]:
            branch = Node("branch", column=j)
            yield "a branch at any column", replace(true, nodes=(branch, *nodes, *nodes))
    if true.value is None:
        yield "a point", replace(true, claim="optimal", value=Fraction(0))
        return
    yield "infeasible", ProgramCertificate(program, "infeasible", nodes=nodes)
    yield "the offset", replace(true, program=replace(program, offset=program.offset + 0.5))
    for by in (Fraction(1, 7), Fraction(-1), Fraction(1, 10**21)):
        yield "the value", replace(true, value=true.value + by)
        for j in np.flatnonzero(program.costs).tolist():
            point = {**true.point, j: true.point.get(j, 0) + by}
            yield "the point", replace(true, point=point, value=exact.objective(point))
    for part, values in (("column", exact.values(true.point)[:columns]),
                         ("row", exact.values(true.point)[columns:])):  # fmt: skip
        for k, (side, way) in itertools.product(range(len(values)), (("lower", 1), ("upper", -1))):
            ends = getattr(program, f"{part}_{side}").copy()
            ends[k] = float(values[k]) + way * 0.5
            with suppress(cpe.InputError):
                changed = replace(program, **{f"{part}_{side}": ends})
                yield "a side", replace(true, program=changed)
    for j, value in true.point.items():
        if value.denominator > 1:
            whole = program.integer | (np.arange(columns) == j)
            yield "not whole", replace(true, program=replace(program, integer=whole))


def handmade():
    """False claims of the least x from 3/2 on, which is 2 where x is whole."""
    program = built([(1, 0, 9, 1)], [((1,), 1.5, INF)])
    three = ProgramCertificate(program, "optimal", Fraction(3), {0: Fraction(3)})
    for first in (Node("contradiction", {0: Fraction(1)}), Node("empty", column=0)):
        yield replace(three, nodes=(Node("branch", column=0, at=1), first, Node("bound")))
    # Of a column that need not be whole, 3/2 is the least; one claims 2.
    free = replace(program, integer=np.zeros(1, dtype=bool))
    two = replace(three, program=free, value=Fraction(2), point={0: Fraction(2)})
    low = Node("contradiction", {0: Fraction(1)})
    yield replace(two, nodes=(Node("branch", column=0, at=1), low, Node("bound")))
    yield replace(two, nodes=(Node("bound", {0: Fraction(1)}),))
    # A reduced cost below 0 counts at the upper bound, which is infinite here.
    fled = replace(free, costs=-np.ones(1), column_upper=np.full(1, INF))
    yield replace(two, program=fled, value=Fraction(-2), nodes=(Node("bound"),))


def test_what_is_false_is_refused_by_the_checker_and_by_the_package(folder):
    false = [("by hand", each) for each in handmade()]
    programs = [*(each[0] for each in SMALL), *(known.program for known in linear(range(12)))]
    for program in programs:
        with suppress(NotCertified):
            false += falsified(cpe.certificate(program))
    assert len({what for what, _ in false}) >= 12
    assert [what for what, each in false if each.holds()] == []
    assert [what for what, each in false if accepted(text_of(each, folder))] == []


def test_the_checker_reads_strictly_and_knows_bounds_and_rays(folder):
    """What this package does not write, and what is not as it writes it."""
    text = text_of(cpe.certificate(built([(1, 0, 9, 1)], [((1,), 1.5, 1.75)])), folder)
    assert accepted(text)
    for old, new in (
        ('"at": "1"', '"at": "3/2"'),
        ("certificate 1", "certificate 2"),
        ('"offset": "0"', '"offset": 0'),
        ('"whole": true', '"whole": 1'),
    ):
        assert old in text
        assert not accepted(text.replace(old, new))
    data = {"format": "cpe_opt certificate 1"}
    data["program"] = program_data(built([(1, 0, INF, 0)], [((2,), 3, INF)]))
    data |= {"claim": "bounded", "point": {"x0": "2"}, "value": "2", "bound": "3/2"}
    data["nodes"] = [{"bound": {"r0": "1/2"}}]
    assert "at most 0.505 from" in accepted(json.dumps(data))
    assert not accepted(json.dumps(data | {"bound": "7/4"}))
    data["program"]["sense"] = "max"
    ray = {key: data[key] for key in ("format", "program", "point")} | {"claim": "unbounded"}
    assert accepted(json.dumps(ray | {"ray": {"x0": "1"}}))
    for false in ({"x0": "-1"}, {}):
        assert not accepted(json.dumps(ray | {"ray": false}))
