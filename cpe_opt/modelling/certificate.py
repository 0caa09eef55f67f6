r"""Certificates: what is claimed of a program, proved in rational numbers, as a file.

Every double is a rational number, so a :class:`LinearProgram` is an exact object, and so are sums
and products of its numbers here. As a minimisation of :math:`c^\top x` (a maximisation is that of
the negated objective), multipliers y of the rows, with :math:`z = c - A^\top y`, prove

.. math:: c^\top x \ge \sum_{y_i>0} y_i l_i + \sum_{y_i<0} y_i u_i
          + \sum_{z_j>0} z_j \ell_j + \sum_{z_j<0} z_j \upsilon_j

for every point, if no term needs an infinite side. With 0 in place of c, a sum above 0 proves that
there is no point (Farkas). A *ray* keeps every finite side and improves the objective; with a point
it proves that the objective is unbounded, also over whole columns, since a multiple of a rational
ray is whole.

A proof is a tree of :class:`Node`: its leaves have multipliers, its inner nodes branch at a whole
column, first :math:`x_j \le k`, then :math:`x_j \ge k+1`. That of a linear program is one leaf.
Where only whole columns have costs, objectives are multiples of the costs' greatest common divisor,
and a leaf's bound is rounded up to the next.
"""

from __future__ import annotations

import copy
import hashlib
import json
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write, os_reason
from cpe_opt.modelling.export import plain_dialect
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.reading import read_program
from cpe_opt.validation import checked_types

FORMAT = "cpe_opt certificate 1"
ProvedStatus = Literal["optimal", "bounded", "infeasible", "unbounded"]
ExactSide = Fraction | None
Ends = tuple[ExactSide, ExactSide]
Values = Mapping[int, Fraction]
_PARTS = {
    "optimal": ("value", "bound", "point", "nodes"),
    "bounded": ("value", "bound", "point", "nodes"),
    "infeasible": ("nodes",),
    "unbounded": ("point", "ray"),
}
_FRACTION = re.compile("(-?[0-9]+)(?:/([0-9]+))?")


@dataclass(frozen=True)
class Node:
    """A node of a proof.

    "branch": ``x[column] <= at`` in its first part, ``>= at + 1`` in its second; "bound" and
    "contradiction": what the multipliers, by the number of the row, prove of the minimisation;
    "empty": the column has no value left.
    """

    kind: Literal["branch", "bound", "contradiction", "empty"]
    multipliers: Values = field(default_factory=dict)
    column: int = -1
    at: int = 0


class ExactProgram:
    """The numbers of a program as fractions, as a minimisation of ``costs``; None is infinite."""

    def __init__(self, program: LinearProgram) -> None:
        self.program = program
        self.sign = 1 if program.sense == "min" else -1
        self.offset = Fraction(program.offset)
        self.costs = [self.sign * Fraction(cost) for cost in program.costs.tolist()]
        self.bounds = _ends(program.column_lower, program.column_upper)
        self.row_sides = _ends(program.row_lower, program.row_upper)
        self.rows: list[dict[int, Fraction]] = [{} for _ in program.row_names]
        matrix = program.matrix.tocoo()
        entries = (part.tolist() for part in (*matrix.coords, matrix.data))
        for i, j, a in zip(*entries, strict=True):
            self.rows[i][j] = self.rows[i].get(j, Fraction(0)) + Fraction(a)
        # All coefficients with one denominator: most products are then those of whole numbers.
        self._scale = math.lcm(*(a.denominator for row in self.rows for a in row.values()))
        self._whole = [{j: int(a * self._scale) for j, a in row.items()} for row in self.rows]

    def total(self, x: Values) -> Fraction:
        """``costs @ x``."""
        return sum((self.costs[j] * value for j, value in x.items()), Fraction(0))

    def value(self, x: Values) -> Fraction:
        """The objective of the program at a point."""
        return self.offset + self.sign * self.total(x)

    def activities(self, x: Values) -> list[Fraction]:
        """``A @ x``."""
        whole, common = _common(x)
        return [
            Fraction(sum(a * whole[j] for j, a in row.items() if j in whole), common * self._scale)
            for row in self._whole
        ]

    def values(self, x: Values) -> list[Fraction]:
        """The values of the columns, then those of the rows."""
        return [*(x.get(j, Fraction(0)) for j in range(len(self.costs))), *self.activities(x)]

    def sides(self) -> list[Ends]:
        """The bounds of the columns, then the sides of the rows."""
        return [*self.bounds, *self.row_sides]

    def broken(self, x: Values) -> str:
        """Which row, bound or integrality a point breaks, in words; empty if none."""
        values = self.values(x)
        names = [*self.program.column_names, *self.program.row_names]
        for name, value, ends in zip(names, values, self.sides(), strict=True):
            if clipped(value, ends) != value:
                return f"the point breaks the sides of {name!r}"
        for j in np.flatnonzero(self.program.integer).tolist():
            if values[j].denominator != 1:
                return f"the point is not whole in column {names[j]!r}"
        return ""

    def is_ray(self, ray: Values) -> bool:
        """Whether the direction keeps every finite side and improves the objective."""
        kept = all(
            not change or side[change > 0] is None
            for change, side in zip(self.values(ray), self.sides(), strict=True)
        )
        return kept and self.total(ray) < 0

    def within(self, bounds: Sequence[Ends]) -> ExactProgram:
        """The same program with other bounds of the columns."""
        other = copy.copy(self)
        other.bounds = list(bounds)
        return other

    def reduced_costs(
        self, multipliers: Values, costs: Sequence[Fraction] | None = None
    ) -> list[Fraction]:
        """``costs - A'y``, with the program's costs if none are given."""
        whole, common = _common(multipliers)
        sums: dict[int, int] = {}
        for i, y in whole.items():
            for j, a in self._whole[i].items():
                sums[j] = sums.get(j, 0) + y * a
        reduced = list(self.costs if costs is None else costs)
        for j, value in sums.items():
            reduced[j] -= Fraction(value, common * self._scale)
        return reduced

    def proved(self, multipliers: Values, *, bare: bool = False) -> Fraction | None:
        """The lower bound on ``costs @ x``, or on 0 where ``bare``; None without any."""
        reduced = self.reduced_costs(multipliers, [Fraction(0)] * len(self.costs) if bare else None)
        factors = dict(enumerate(reduced))
        factors |= {len(reduced) + i: y for i, y in multipliers.items()}
        sides, proved = self.sides(), Fraction(0)
        for k, factor in factors.items():
            side = sides[k][factor < 0]
            if factor and side is None:
                return None
            proved += factor * (side or 0)
        return proved

    def raised(self, bound: Fraction) -> Fraction:
        """The least value of ``costs @ x`` from a bound on, where only whole columns have costs."""
        costly = [j for j, cost in enumerate(self.costs) if cost]
        if not costly or not self.program.integer[costly].all():
            return bound
        whole, common = _common(dict(enumerate(self.costs)))
        step = Fraction(math.gcd(*whole.values()), common)
        return -(-bound // step) * step

    def disproved(self, nodes: Sequence[Node], least: Fraction | None) -> str:
        """Why nodes do not prove that ``costs @ x`` is at least this, or without it no point."""
        left = [self.bounds]
        for node in nodes:
            if not left:
                return "there are more nodes than branches have"
            inside = self.within(left.pop())
            if node.kind == "branch":
                if not self.program.integer[node.column]:
                    return "a column is branched at that is not whole"
                left += reversed(branched(inside.bounds, node))
            elif node.kind == "empty":
                lower, upper = inside.bounds[node.column]
                if lower is None or upper is None or lower <= upper:
                    return "a column is not empty"
            else:
                bare = node.kind == "contradiction"
                proved = inside.proved(node.multipliers, bare=bare)
                if proved is None or (bare and proved <= 0):
                    return "multipliers prove nothing"
                if not bare and (least is None or self.raised(proved) < least):
                    return "multipliers do not prove the bound"
        return "a branch has no proof" if left else ""


def _digits(value: Fraction, digits: int) -> str:
    try:
        return f"{float(value):.{digits}g}"
    except OverflowError:
        return "a number that no double holds"


def _ends(lower: FloatArray, upper: FloatArray) -> list[Ends]:
    """Pairs of fractions, None where infinite."""
    sides = (
        [Fraction(end) if math.isfinite(end) else None for end in ends.tolist()]
        for ends in (lower, upper)
    )
    return list(zip(*sides, strict=True))


def _common(values: Values) -> tuple[dict[int, int], int]:
    """Numerators over one denominator."""
    common = math.lcm(*(value.denominator for value in values.values()))
    return {k: v.numerator * (common // v.denominator) for k, v in values.items()}, common


def clipped(value: Fraction, ends: Ends) -> Fraction:
    """The nearest number between the ends."""
    lower, upper = ends
    value = value if lower is None else max(value, lower)
    return value if upper is None else min(value, upper)


def branched(bounds: Sequence[Ends], node: Node) -> tuple[list[Ends], list[Ends]]:
    """The bounds of the two parts of a branch."""
    lower, upper = bounds[node.column]
    below, above = list(bounds), list(bounds)
    at = Fraction(node.at)
    below[node.column] = lower, at if upper is None else min(upper, at)
    above[node.column] = at + 1 if lower is None else max(lower, at + 1), upper
    return below, above


@dataclass(frozen=True, eq=False, repr=False)
class ProgramCertificate:
    """A claim about a program, and its proof; see the module's first lines.

    Attributes
    ----------
    program : LinearProgram
    claim : "optimal", "bounded", "infeasible" or "unbounded"
        "bounded": the optimum lies between ``value`` and ``bound``.
    value, bound : Fraction or None
        The objective at the point, and a bound on it from the other side.
    point, ray : mapping of column numbers to Fractions, or None
        Columns that are left out are 0.
    nodes : tuple of Node
        In preorder.
    model_digest : str
        Of a certificate that was read, the SHA-256 of the model file that it was written with.
    """

    program: LinearProgram
    claim: ProvedStatus
    value: Fraction | None = None
    bound: Fraction | None = None
    point: Values | None = None
    ray: Values | None = None
    nodes: tuple[Node, ...] = ()
    model_digest: str = ""

    @property
    def gap(self) -> Fraction | None:
        """``|value - bound|``, None without either."""
        return None if self.value is None or self.bound is None else abs(self.value - self.bound)

    @property
    def statement(self) -> str:
        """What is proved, in a sentence."""
        name = self.program.name
        if self.claim == "infeasible":
            return f"{name}: no point satisfies all rows and bounds"
        if self.value is None or self.gap is None:
            return f"{name}: the objective improves without end"
        if self.claim == "optimal":
            return f"{name}: the optimum is {_digits(self.value, 12)}, exactly"
        return (
            f"{name}: a value of {_digits(self.value, 12)}, at most {_digits(self.gap, 3)} from "
            "the optimum"
        )

    def __repr__(self) -> str:
        return f"ProgramCertificate({self.statement!r})"

    def fault(self) -> str:
        """Why the certificate proves nothing, in words; empty if it holds."""
        exact = ExactProgram(self.program)
        if self.claim == "infeasible":
            return exact.disproved(self.nodes, None)
        if self.point is None:
            return "there is no point"
        if broken := exact.broken(self.point):
            return broken
        if self.claim == "unbounded":
            return "" if exact.is_ray(self.ray or {}) else "the ray is none"
        if self.bound is None or exact.value(self.point) != self.value:
            return "the objective at the point is not the value"
        if self.claim == "optimal" and self.value != self.bound:
            return "the value and the bound differ"
        return exact.disproved(self.nodes, exact.sign * (self.bound - exact.offset))

    @checked_types
    def write(
        self,
        path: str | os.PathLike[str],
        *,
        model: str | os.PathLike[str] | None = None,
    ) -> Path:
        """Write the certificate as JSON, for ``examples/check_certificate.py``.

        Parameters
        ----------
        path : path
        model : path, optional
            The model file of the program, whose name and SHA-256 the certificate then has, too.

        Raises
        ------
        InputError
            Where the model file is of another program.
        WriteFailed
        """
        data: dict[str, Any] = {"format": FORMAT}
        if model is not None:
            stored = Path(model)
            if difference := self.difference(stored):
                raise InputError(f"the certificate is not of {str(stored)!r}: {difference}")
            digest = hashlib.sha256(stored.read_bytes()).hexdigest()
            data["model"] = {"file": stored.name, "sha256": digest}
        data |= {"program": _program_data(self.program), "claim": self.claim}
        columns = self.program.column_names
        parts = {
            "value": _text(self.value),
            "bound": _text(self.bound),
            "point": _named(self.point or {}, columns),
            "ray": _named(self.ray or {}, columns),
            "nodes": [_node_data(self.program, node) for node in self.nodes],
        }
        data |= {part: parts[part] for part in _PARTS[self.claim]}
        with atomic_write(path) as temporary:
            temporary.write_text(_json(data) + "\n", encoding="utf-8")
        return Path(path)

    @checked_types
    def difference(self, model: LinearProgram | str | os.PathLike[str]) -> str:
        """How the certified program differs from a program, or from a model file's; empty: not.

        Columns and rows are compared by name, numbers exactly. A file has a program's
        :func:`~cpe_opt.modelling.export.plain_dialect`, which is as good.
        """
        if isinstance(model, LinearProgram):
            return _difference(self.program, model)
        other = read_program(model)
        if not isinstance(other, LinearProgram):
            return "it holds no linear program"
        forms = [self.program, *(plain_dialect(self.program, keep_ranges=k) for k in (True, False))]
        differences = [_difference(form, other) for form in forms]
        return "" if "" in differences else differences[0]


@checked_types
def read_certificate(path: str | os.PathLike[str]) -> ProgramCertificate:
    """The certificate in a file, unchecked: :meth:`ProgramCertificate.fault` checks it.

    Raises
    ------
    InputError
        Where the file is missing or no certificate, or a number of its program is no double.
    """
    try:
        data = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"cannot read {os.fspath(path)!r}: {os_reason(error)}") from None
    except ValueError as error:
        raise InputError(f"{os.fspath(path)!r} is no JSON: {error}") from None
    try:
        if data["format"] != FORMAT:
            raise ValueError(f"its format is {data['format']!r}, expected {FORMAT!r}")
        program = _program_of(data["program"])
        parts = {part: data[part] for part in _PARTS[data["claim"]]}
        columns = _places(program.column_names)
        rows = _places(program.row_names)
        for part in ("value", "bound"):
            if part in parts:
                parts[part] = _fraction(parts[part])
        for part in ("point", "ray"):
            if part in parts:
                parts[part] = _placed(parts[part], columns)
        if "nodes" in parts:
            parts["nodes"] = tuple(_node_of(node, columns, rows) for node in parts["nodes"])
        digest = data["model"]["sha256"] if "model" in data else ""
        return ProgramCertificate(program, data["claim"], **parts, model_digest=digest)
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
        raise InputError(f"{os.fspath(path)!r} is no certificate: {error!r}") from None


def _places(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(names)}


def _json(data: Any, depth: int = 0) -> str:
    """JSON with a line for every column, row and node."""
    lines = []
    for key, value in data.items() if isinstance(data, Mapping) else enumerate(data):
        of_lines = depth < 2 and key in ("program", "columns", "rows", "nodes")
        text = _json(value, depth + 1) if of_lines else json.dumps(value)
        lines.append(f"{json.dumps(key)}: {text}" if isinstance(data, Mapping) else text)
    indent, last = ("\n" + " " * (1, 2, 4)[depth]), ("\n" + " " * depth)
    begin, end = "{}" if isinstance(data, Mapping) else "[]"
    return begin + indent + f",{indent}".join(lines) + last + end


def _program_data(program: LinearProgram) -> dict[str, Any]:
    exact = ExactProgram(program)
    columns = zip(program.column_names, exact.costs, exact.bounds, program.integer, strict=True)
    rows = zip(program.row_names, exact.row_sides, exact.rows, strict=True)
    return {
        "name": program.name,
        "sense": program.sense,
        "offset": _text(exact.offset),
        "columns": {
            name: {"cost": _text(exact.sign * cost), **_side_data(ends), "whole": bool(whole)}
            for name, cost, ends, whole in columns
        },
        "rows": {
            name: {**_side_data(ends), "terms": _named(terms, program.column_names)}
            for name, ends, terms in rows
        },
    }


def _side_data(ends: Ends) -> dict[str, str | None]:
    return {"lower": _text(ends[0]), "upper": _text(ends[1])}


def _program_of(data: Mapping[str, Any]) -> LinearProgram:
    columns, rows = data["columns"], data["rows"]
    places = _places(columns)
    matrix = sp.dok_array((len(rows), len(columns)))
    for i, row in enumerate(rows.values()):
        for name, text in row["terms"].items():
            matrix[i, places[name]] = float(_fraction(text))

    def numbers(entries: Mapping[str, Any], key: str, infinite: float = math.nan) -> FloatArray:
        sides = (each[key] for each in entries.values())
        return np.array([infinite if side is None else _fraction(side) for side in sides], float)

    program = LinearProgram(
        name=data["name"],
        sense=data["sense"],
        costs=numbers(columns, "cost"),
        column_lower=numbers(columns, "lower", -math.inf),
        column_upper=numbers(columns, "upper", math.inf),
        integer=np.array([each["whole"] for each in columns.values()], dtype=np.bool_),
        matrix=sp.csr_array(matrix),
        row_lower=numbers(rows, "lower", -math.inf),
        row_upper=numbers(rows, "upper", math.inf),
        column_names=tuple(columns),
        row_names=tuple(rows),
        offset=float(_fraction(data["offset"])),
    )
    if _program_data(program) != data:
        raise ValueError("its program has a number that is no double")
    return program


def _node_data(program: LinearProgram, node: Node) -> dict[str, Any]:
    if node.kind in ("bound", "contradiction"):
        return {node.kind: _named(node.multipliers, program.row_names)}
    at = {"at": str(node.at)} if node.kind == "branch" else {}
    return {node.kind: program.column_names[node.column]} | at


def _node_of(data: Mapping[str, Any], columns: Mapping[str, int], rows: Mapping[str, int]) -> Node:
    if "branch" in data:
        return Node("branch", column=columns[data["branch"]], at=int(data["at"]))
    if "empty" in data:
        return Node("empty", column=columns[data["empty"]])
    if "bound" in data:
        return Node("bound", _placed(data["bound"], rows))
    return Node("contradiction", _placed(data["contradiction"], rows))


def _named(values: Values, names: Sequence[str]) -> dict[str, str | None]:
    return {names[place]: _text(value) for place, value in sorted(values.items()) if value}


def _placed(texts: Mapping[str, str], places: Mapping[str, int]) -> Values:
    return {places[name]: _fraction(text) for name, text in texts.items()}


def _text(value: ExactSide) -> str | None:
    """``p/q``, or ``p`` where q is 1; by decimals, since ``str`` has a limit of digits."""
    if value is None:
        return None
    numerator = f"{Decimal(value.numerator):f}"
    return numerator if value.denominator == 1 else f"{numerator}/{Decimal(value.denominator):f}"


def _fraction(text: str) -> Fraction:
    """What :func:`_text` writes, of any length."""
    if (match := _FRACTION.fullmatch(text)) is None:
        raise ValueError(f"{text[:40]!r} is no fraction such as 3, -1/2")
    return Fraction(*(int(Decimal(part or 1)) for part in match.groups()))


def _difference(one: LinearProgram, other: LinearProgram) -> str:
    """The first number in which two programs differ, in words."""
    ours, theirs = _program_data(one), _program_data(other)
    for part in ("sense", "offset"):
        if ours[part] != theirs[part]:
            return f"the {part} differs"
    for part in ("columns", "rows"):
        for name in ours[part] | theirs[part]:
            if ours[part].get(name) != theirs[part].get(name):
                return f"{part[:-1]} {name!r} differs, or is in one of both alone"
    return ""
