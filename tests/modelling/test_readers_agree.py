"""Model files of many spellings, each read by us, by glpsol and by cbc.

A random program is written with one peculiarity: names of numbers, a constant on the left, …. What
the file means is known from the program, without any reader. Where ours finds the optimum, glpsol
and cbc must find the same one, unless :data:`JUSTIFIED` says why they do not; the value was checked
by hand then.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass, field

import numpy as np
import pytest

import cpe_opt as cpe

ROUNDS = 2  # and up to as many more, until a reader shows what it is known for
SENSES = {"<=": "L", ">=": "G", "=": "E"}


@dataclass
class Sample:
    """A small program: minimise ``costs x + constant`` subject to rows and bounds."""

    costs: list[float]
    rows: list[tuple[list[float], str, float]]
    lower: list[float]
    upper: list[float]
    whole: int  # so many of the first columns
    sense: str = "min"
    constant: float = 0.0
    columns: list[str] = field(default_factory=lambda: ["x", "y", "z"])
    names: list[str] = field(default_factory=lambda: ["c1", "c2", "c3"])

    def optimum(self):
        builder = cpe.ProgramBuilder("sample", sense=self.sense, offset=self.constant)
        parts = zip(self.costs, self.lower, self.upper, strict=True)
        for number, (cost, lower, upper) in enumerate(parts):
            builder.columns(
                f"x{number}", [()], cost=cost, lower=lower, upper=upper, integer=number < self.whole
            )
        for number, (values, relation, side) in enumerate(self.rows):
            lower = side if relation != "<=" else -np.inf
            upper = side if relation != ">=" else np.inf
            builder.row(f"r{number}", range(3), values, lower=lower, upper=upper)
        result = cpe.solve(builder.build(), check=False)
        return result.objective if result.is_optimal else None


def sample(rng):
    """A program with an optimum, whose numbers are quarters."""
    while True:
        inside = rng.integers(0, 4, size=3)
        rows = []
        for _ in range(3):
            values = rng.choice([1.0, -1.0, 2.0, 0.5, 3.25], size=3)
            relation = str(rng.choice(["<=", ">=", "="], p=[0.4, 0.4, 0.2]))
            slack = 0.0 if relation == "=" else float(rng.integers(0, 3))
            side = float(values @ inside) + (slack if relation == "<=" else -slack)
            rows.append((values.tolist(), relation, side))
        made = Sample(
            costs=rng.choice([1.0, 2.5, -1.5, 4.0], size=3).tolist(),
            rows=rows,
            lower=rng.choice([0.0, -2.0, -7.0], size=3).tolist(),
            upper=rng.choice([4.0, 6.0, 9.0], size=3).tolist(),
            whole=int(rng.random() < 0.3),
            sense=str(rng.choice(["min", "max"])),
        )
        if made.optimum() is not None:
            return made


def number(value):
    return f"{value:.12g}"


# --- MPS ---------------------------------------------------------------------------------------


def mps(made, layout="free"):
    """The sections of an MPS file of a minimisation, as lines."""
    sign = 1.0 if made.sense == "min" else -1.0
    put = fixed if layout == "fixed" else (lambda *words: " " + " ".join(words))
    name = "NAME          sample" if layout == "fixed" else "NAME sample FREE"
    lines = [name, "ROWS", put("N", "cost")]
    lines += [
        put(SENSES[relation], name)
        for name, (_, relation, _) in zip(made.names, made.rows, strict=True)
    ]
    lines.append("COLUMNS")
    for column, name in enumerate(made.columns):
        if made.whole and column < 2:
            words = ("M", "'MARKER'", "", "'INTORG'" if not column else "'INTEND'")
            lines.append(put("", *words) if layout == "fixed" else put(*filter(None, words)))
        lines.append(entry(put, layout, name, "cost", number(sign * made.costs[column])))
        for row, (values, _, _) in zip(made.names, made.rows, strict=True):
            lines.append(entry(put, layout, name, row, number(values[column])))
    lines.append("RHS")
    for row, (_, _, side) in zip(made.names, made.rows, strict=True):
        lines.append(entry(put, layout, "RHS", row, number(side)))
    lines.append("BOUNDS")
    for name, lower, upper in zip(made.columns, made.lower, made.upper, strict=True):
        lines.append(put("LO", "BND", name, number(lower)))
        lines.append(put("UP", "BND", name, number(upper)))
    return [*lines, "ENDATA"]


def fixed(*words):
    line = [" "] * 61
    for word, start in zip(words, (1, 4, 14, 24, 39, 49), strict=False):
        line[start : start + len(word)] = word
    return "".join(line).rstrip()


def entry(put, layout, *words):
    return put("", *words) if layout == "fixed" else put(*words)


def swap(lines, old, new, section=None, count=1):
    """The lines with ``old`` replaced in the first lines of a section that have it."""
    start = lines.index(section) if section else 0
    done, left = list(lines), count
    for place in range(start, len(lines)):
        if left and re.search(old, lines[place]):
            done[place], left = re.sub(old, new, lines[place], count=1), left - 1
    assert not left, (old, section, lines)
    return done


def insert(lines, before, *more):
    place = lines.index(before)
    return [*lines[:place], *more, *lines[place:]]


def after(lines, section, *more):
    place = lines.index(section) + 1
    return [*lines[:place], *more, *lines[place:]]


def renamed(made, columns, rows=("c1", "c2", "c3")):
    made.columns, made.names = list(columns), list(rows)
    return made


def constant(made, value):
    made.constant = value
    return made


def first_row(made, change):
    """The program with another first row."""
    values, relation, side = made.rows[0]
    made.rows[0] = change(values, relation, side)
    return made


# What is done to a file: the lines from the program.
MPS = {
    "plain": mps,
    "fixed": lambda m: mps(m, "fixed"),
    "fixed, names with blanks": lambda m: mps(renamed(m, ["x 1", "x 2", "z"]), "fixed"),
    "fixed, rows with blanks": lambda m: mps(
        renamed(m, ["x", "y", "z"], ["c 1", "c 2", "c3"]), "fixed"
    ),
    "blank lines": lambda m: insert(mps(m), "RHS", "", "   "),
    "comments": lambda m: ["* of somebody", *insert(mps(m), "RHS", "* and", "*")],
    "tabs": lambda m: [line.replace(" ", "\t", 1) for line in mps(m)],
    "carriage returns": lambda m: [f"{line}\r" for line in mps(m)],
    "dollar comment": lambda m: [re.sub(r"^( x \S+ .*)", r"\1 $ note", line) for line in mps(m)],
    "names of numbers": lambda m: mps(renamed(m, ["2", "1e5", "E1"], ["7", "8", "-9"])),
    "names of signs": lambda m: mps(renamed(m, ["x(1)", "...100", "r[1,2]"], ["a:b", "<=", "/"])),
    "names of keywords": lambda m: mps(renamed(m, ["free", "MARKER", "inf"], ["st", "end", "R"])),
    "names of other letters": lambda m: mps(renamed(m, ["é", "ß", "名"])),
    "exponents": lambda m: [re.sub(r"^( RHS .*)", r"\1E+00", line) for line in mps(m)],
    "points": lambda m: [re.sub(r" (-?\d+)$", r" \1.", line) for line in mps(m)],
    "signs of plus": lambda m: [re.sub(r" (\d\S*)$", r" +\1", line) for line in mps(m)],
    "two a line": lambda m: pairs(mps(m)),
    "no set of RHS": lambda m: [line.replace(" RHS c", " c") for line in mps(m)],
    "no set of BOUNDS": lambda m: [line.replace(" BND", "") for line in mps(m)],
    "infinite 1e30": lambda m: free_column(m, "1e30"),
    "OBJSENSE": lambda m: after(mps(m), mps(m)[0], "OBJSENSE", "    MIN"),
    "OBJSENSE on one line": lambda m: after(mps(m), mps(m)[0], "OBJSENSE MIN"),
    "OBJSENSE MAX": lambda m: maximised(m, "    MAX"),
    "second N row": lambda m: swap(
        after(mps(m), " N cost", " N other"), r"^ x c1 ", " x other 5\n x c1 ", "COLUMNS"
    ),
    "side of the objective": lambda m: after(mps(constant(m, 7.0)), "RHS", minus_seven(m)),
    "range": lambda m: insert(mps(ranged(m)), "BOUNDS", "RANGES", " RNG c1 100"),
    "negative range": lambda m: insert(mps(ranged(m)), "BOUNDS", "RANGES", " RNG c1 -100"),
    "rational": lambda m: swap(
        mps(first_row(m, lambda v, r, s: ([0.5, *v[1:]], r, s))), r"^ x c1 \S+$", " x c1 1/2"
    ),
    "exponent D": lambda m: (
        swap(mps(m), r"^( x c1 -?\d+)\S*$", r"\1.D0")
        if float(m.rows[0][0][0]).is_integer()
        else mps(m)
    ),
    "bounds before sides": lambda m: moved(mps(m)),
    "marker not closed": lambda m: [line for line in mps(whole(m, 3)) if "INTEND" not in line],
    "zero entries": lambda m: swap(
        mps(first_row(m, lambda v, r, s: ([0.0, *v[1:]], r, s))), r"^ x c1 0$", " x c1 0.0"
    ),
    "text after ENDATA": lambda m: [*mps(m), "what follows"],
}


def pairs(lines):
    """The entries of each column, two a line."""
    done = []
    for line in lines:
        words, before = line.split(), done[-1].split() if done else []
        if len(words) == len(before) == 3 and words[0] == before[0] and "'" not in line:
            done[-1] += f" {words[1]} {words[2]}"
        else:
            done.append(line)
    return done


def free_column(made, endless):
    """The first column has no upper bound, and its cost keeps it from growing."""
    sign = 1.0 if made.sense == "min" else -1.0
    made.costs[0] = sign * abs(made.costs[0])
    made.upper[0] = np.inf
    return [line.replace(" inf", f" {endless}") for line in mps(made)]


def whole(made, count):
    made.whole = count
    return made


def maximised(made, sense):
    lines = mps(made)
    if made.sense == "min":
        return lines
    lines = [
        re.sub(r"( cost )(\S+)", lambda m: m[1] + number(-float(m[2])), line) for line in lines
    ]
    return after(lines, lines[0], "OBJSENSE", sense)


def minus_seven(made):
    return f" RHS cost {number(-7.0 if made.sense == 'min' else 7.0)}"


def ranged(made):
    """A first row with a side and a range that reaches beyond all of its values."""
    return first_row(made, lambda values, relation, side: (values, "<=", side + 50.0))


def moved(lines):
    start, bounds, end = lines.index("RHS"), lines.index("BOUNDS"), lines.index("ENDATA")
    return [*lines[:start], *lines[bounds:end], *lines[start:bounds], *lines[end:]]


# --- LP ----------------------------------------------------------------------------------------


def terms(values, columns, glue=" "):
    return " ".join(
        f"{'-' if value < 0 else '+'} {number(abs(value))}{glue}{name}"
        for value, name in zip(values, columns, strict=True)
    )


def lp(made, glue=" "):
    """An LP file, as lines."""
    lines = ["Minimize" if made.sense == "min" else "Maximize"]
    lines += [f" obj: {terms(made.costs, made.columns, glue)}", "Subject To"]
    for name, (values, relation, side) in zip(made.names, made.rows, strict=True):
        lines.append(f" {name}: {terms(values, made.columns, glue)} {relation} {number(side)}")
    lines.append("Bounds")
    for name, lower, upper in zip(made.columns, made.lower, made.upper, strict=True):
        lines.append(f" {number(lower)} <= {name} <= {number(upper)}")
    if made.whole:
        lines += ["General", f" {made.columns[0]}"]
    return [*lines, "End"]


def row(made, text, *, at=0):
    """The file with another text of a row, in which {terms}, {side} and {more} are filled in."""
    values, relation, side = made.rows[at]
    filled = text.format(
        terms=terms(values, made.columns),
        relation=relation,
        turned={"<=": ">=", ">=": "<=", "=": "="}[relation],
        side=number(side),
        more=number(side + 3.0),
        rest=terms(values[1:], made.columns[1:]),
        moved=terms([-values[0]], made.columns[:1]),
        first=terms([values[0]], made.columns[:1]),
        half=terms([values[0] / 2.0], made.columns[:1]),
        least=number(side - 200.0),
    )
    return swap(lp(made), rf"^ {made.names[at]}:.*", filled.replace("\\", r"\\"))


def infinite(made, bound):
    """The first column has no upper bound, and its cost keeps it from growing."""
    sign = 1.0 if made.sense == "min" else -1.0
    made.costs[0] = sign * abs(made.costs[0])
    made.upper[0] = np.inf
    made.lower[0] = -7.0 if "-7" in bound else 0.0
    made.rows[0] = (made.rows[0][0], "<=", 99.0)
    return swap(lp(made), r"^ \S+ <= x <= \S+$", f" {bound}")


def binary(made):
    made.whole, made.lower[0], made.upper[0] = 1, 0.0, 1.0
    lines = [line for line in lp(made) if "<= x <=" not in line]
    return swap(lines, "^General", "Binary")


LP = {
    "plain": lp,
    "glued": lambda m: lp(m, glue=""),
    "constant on the left": lambda m: row(m, " c1: {terms} + 3 {relation} {more}"),
    "side on the left": lambda m: row(m, " c1: {side} {turned} {terms}"),
    "columns on both sides": lambda m: (
        row(m, " c1: {rest} {relation} {moved} + {side}") if m.rows[0][2] >= 0 else lp(m)
    ),
    "constant of the objective": lambda m: swap(lp(constant(m, 7.0)), r"^( obj:.*)", r"\1 + 7"),
    "constant first": lambda m: swap(lp(constant(m, 7.0)), r"^ obj:", " obj: 7"),
    "strict": lambda m: [line.replace(" <= ", " < ").replace(" >= ", " > ") for line in lp(m)],
    "arrows": lambda m: [line.replace(">=", "=>").replace("<=", "=<") for line in lp(m)],
    "range": lambda m: row(ranged(m), " c1: {least} <= {terms} <= {side}"),
    "range turned": lambda m: row(ranged(m), " c1: {side} >= {terms} >= {least}"),
    "column twice": lambda m: row(m, " c1: {half} {half} {rest} {relation} {side}"),
    "signs in a row": lambda m: row(m, " c1: - - {terms} {relation} {side}"),
    "rational": lambda m: row(
        first_row(m, lambda v, r, s: ([0.5, *v[1:]], r, s)), " c1: 1/2 x {rest} {relation} {side}"
    ),
    "line breaks": lambda m: [
        line.replace(" + ", "\n +\n ") if ":" in line else line for line in lp(m)
    ],
    "broken rows": lambda m: [
        line.replace(" <= ", "\n <=\n ").replace(" >= ", "\n >= ") if ":" in line else line
        for line in lp(m)
    ],
    "comments": lambda m: ["\\ of somebody", *(f"{line} \\ note" for line in lp(m))],
    "carriage returns": lambda m: [f"{line}\r" for line in lp(m)],
    "capitals": lambda m: [line if line[0] == " " else line.upper() for line in lp(m)],
    "minimum": lambda m: swap(lp(m), r"^(Min|Max)imize", r"\1imum"),
    "minimise": lambda m: swap(lp(m), r"^(Min|Max)imize", r"\1imise"),
    "such that": lambda m: swap(lp(m), "^Subject To", "such that"),
    "st": lambda m: swap(lp(m), "^Subject To", "st"),
    "s.t.": lambda m: swap(lp(m), "^Subject To", "s.t."),
    "rows without names": lambda m: [re.sub(r"^ c\d:", "", line) for line in lp(m)],
    "names of signs": lambda m: lp(renamed(m, ["x(1)", "y#2", "a.b"], ["r(1)", "q!", "{k}"])),
    "names with brackets": lambda m: lp(renamed(m, ["x[0,1]", "x[1,0]", "z[-1]"])),
    "names of words": lambda m: lp(renamed(m, ["minimal", "freed", "ending"], ["or", "to", "o"])),
    "bounds turned": lambda m: swap(lp(m), r"^ (\S+) <= x <= (\S+)$", r" \2 >= x >= \1"),
    "bounds one by one": lambda m: swap(lp(m), r"^ (\S+) <= x <= (\S+)$", r" x >= \1\n x <= \2"),
    "bounds on one line": lambda m: swap(lp(m), r"^ (\S+) <= x <= (\S+)$", r" x >= \1 x <= \2"),
    "bounds without blanks": lambda m: swap(lp(m), r"^ (\S+) <= x <= (\S+)$", r" \1<=x<=\2"),
    "infinite sides": lambda m: infinite(m, "x <= +inf"),
    "infinity": lambda m: infinite(m, "-7 <= x <= infinity"),
    "infinite 1e30": lambda m: infinite(m, "x <= 1e30"),
    "lazy constraints": lambda m: swap(lp(m), r"^ c3:", "Lazy Constraints\n c3:"),
    "empty semi": lambda m: insert(lp(m), "End", "Semi-Continuous"),
    "integers": lambda m: swap(lp(whole(m, 1)), "^General", "Integers"),
    "binary within bounds": binary,
}


# Where ours has an optimum that glpsol or cbc refuse or contradict, and why it is right.
_ONE_READING = "it asks for a set; without one there is one reading, by the declared names"
_EQUAL = "it takes constants and columns on one side alone; the rows are equal"
_RATIONAL = "it knows no rationals; 1/2 is 0.5"
_SPELLING = "it knows other spellings of this keyword alone"
_ORDER = "it asks for one order of sections, which changes nothing"
_LAZY = "it knows no lazy constraints, which are rows"
JUSTIFIED = {
    ("glpsol", ".mps"): {
        "blank lines": "it takes lines of blanks for data",
        "no set of RHS": _ONE_READING,
        "no set of BOUNDS": _ONE_READING,
        "OBJSENSE": "it knows no such section",
        "OBJSENSE on one line": "it knows no such section",
        "OBJSENSE MAX": "it knows no such section",
        "side of the objective": "it adds the number, which CPLEX, HiGHS, cbc subtract",
        "rational": _RATIONAL,
        "exponent D": "it knows no such exponent, which is that of Fortran",
        "bounds before sides": _ORDER,
    },
    ("cbc", ".mps"): {
        "fixed, rows with blanks": "it divides such lines at blanks",
        "tabs": "it asks for a blank at the beginning",
        "dollar comment": "it knows no such comments, which are those of the fixed format",
        "no set of RHS": _ONE_READING,
        "no set of BOUNDS": _ONE_READING,
        "OBJSENSE on one line": "it asks for the sense on the next line",
        "OBJSENSE MAX": "it reads the section without heeding it, and minimises",
        "rational": _RATIONAL,
        "exponent D": "it knows no such exponent, which is that of Fortran",
        "bounds before sides": _ORDER,
    },
    ("glpsol", ".lp"): {
        "constant on the left": _EQUAL,
        "side on the left": _EQUAL,
        "columns on both sides": _EQUAL,
        "constant of the objective": "it knows no constants of the objective",
        "constant first": "it knows no constants of the objective",
        "range": "it knows no rows with two relations",
        "range turned": "it knows no rows with two relations",
        "column twice": "it refuses a column that occurs twice in a row, where the terms add up",
        "signs in a row": "it knows one sign a term; two of minus are plus",
        "rational": _RATIONAL,
        "comments": "it knows no comments behind the side of a row",
        "minimise": _SPELLING,
        "names with brackets": "it knows no brackets in names, which Gurobi writes",
        "bounds turned": "it knows 'number <= column <= number' alone",
        "infinity": "it knows 'inf' alone",
        "lazy constraints": _LAZY,
        "empty semi": "it knows no such section, and this one has no column",
    },
    ("cbc", ".lp"): {
        "glued": "it divides at blanks, and takes 2x for a column",
        "constant on the left": _EQUAL,
        "side on the left": _EQUAL,
        "columns on both sides": _EQUAL,
        "constant of the objective": "it reads the constant and leaves it out",
        "constant first": "it takes the sign behind the constant for a column",
        "strict": "it knows '<=' and '>=' alone",
        "arrows": "it knows '<=' and '>=' alone",
        "range": "it takes a relation for a column",
        "range turned": "it takes a relation for a column",
        "column twice": "it refuses a column that occurs twice in a row, where the terms add up",
        "signs in a row": "it knows one sign a term; two of minus are plus",
        "rational": _RATIONAL + "; it reads 1/2 as 1",
        "minimum": _SPELLING,
        "minimise": _SPELLING,
        "such that": _SPELLING,
        "names with brackets": "it knows no brackets in names, which Gurobi writes",
        "bounds without blanks": "it divides at blanks",
        "infinity": "it knows 'inf' alone",
        "lazy constraints": _LAZY,
    },
}


def glpsol_optimum(path, folder, layout):
    """What glpsol finds, or None where it does not read the file or finds no optimum."""
    report = folder / "glpsol.txt"
    report.unlink(missing_ok=True)
    done = subprocess.run(
        ["glpsol", layout, str(path), "-o", str(report)], capture_output=True, check=False
    )
    text = report.read_text() if report.exists() else ""
    if not re.search(r"Status:\s+(INTEGER )?OPTIMAL", text):
        return None
    assert done.returncode == 0
    return float(re.search(r"Objective:\s+\S* = (\S+)", text)[1])


def cbc_optimum(path, folder, _):
    """What cbc finds, or None where it complains of the file or finds no optimum."""
    report = folder / "cbc.txt"
    report.unlink(missing_ok=True)
    done = subprocess.run(
        ["cbc", str(path), "-solve", "-solution", str(report), "-quit"],
        capture_output=True,
        check=False,
    )
    said = done.stdout.decode(errors="replace")
    if "###" in said or re.search(r"read with [1-9]\d* errors", said) or not report.exists():
        return None
    first = report.read_text().splitlines()[0]
    return float(first.rsplit(maxsplit=1)[1]) if first.startswith("Optimal") else None


def written(write, rng):
    """A program with an optimum, its file, and the optimum."""
    while True:
        made = sample(rng)
        lines = write(made)
        if (optimum := made.optimum()) is not None:
            return made, lines, optimum


OPTIMUM = {"glpsol": glpsol_optimum, "cbc": cbc_optimum}
READABLE = [(".mps", kind) for kind in MPS] + [(".lp", kind) for kind in LP]


@pytest.mark.parametrize(("suffix", "kind"), READABLE)
def test_what_is_read_means_what_was_written(tmp_path, suffix, kind):
    write = (MPS if suffix == ".mps" else LP)[kind]
    rng = np.random.default_rng(READABLE.index((suffix, kind)))
    readers = [name for name in ("glpsol", "cbc") if shutil.which(name)]
    path = tmp_path / f"p{suffix}"
    layout = "--lp" if suffix == ".lp" else "--mps" if "fixed" in kind else "--freemps"
    differed = dict.fromkeys(readers, False)
    expected = {reader: kind in JUSTIFIED[reader, suffix] for reader in readers}
    for number in range(2 * ROUNDS):
        if number >= ROUNDS and differed == expected:
            break
        made, lines, optimum = written(write, rng)
        path.write_bytes("\n".join([*lines, ""]).encode())
        program = cpe.read_program(path)
        assert program.column_names == tuple(made.columns)
        sign = -1.0 if suffix == ".mps" and program.sense != made.sense else 1.0
        assert sign * cpe.solve(program).objective == pytest.approx(optimum, abs=1e-7)
        for reader in readers:
            theirs = OPTIMUM[reader](path, tmp_path, layout)
            agrees = theirs is not None and sign * theirs == pytest.approx(optimum, abs=1e-4)
            differed[reader] |= not agrees
    assert differed == expected
    if len(readers) < 2:
        pytest.skip("glpsol and cbc are not both installed (glpk-utils, coinor-cbc)")


WORDS = r"""<= = + - 2 : x c1 free st Bounds inf [ ^2 / -> \ $ 'MARKER' BND MI BV 1/2 0,5 ( ENDATA
1e400 é OBJSENSE nan ; lazy constraints 1e-400 End * multi""".split()  # noqa: SIM905
WORDS += ["\t", "\x00", " "]


@pytest.mark.parametrize("suffix", [".mps", ".lp"])
def test_damaged_files_are_read_or_refused_in_a_sentence(tmp_path, suffix):
    rng = np.random.default_rng(0)
    path = tmp_path / f"p{suffix}"
    refused = []
    for _ in range(300):
        made = sample(rng)
        text = "\n".join([*(mps if suffix == ".mps" else lp)(made), ""])
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
