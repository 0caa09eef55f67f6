"""Cone programs as ``.cbf`` files of the Conic Benchmark Format, version 3.

The file has free columns, the rows of each cone one after another under ``CON``, and under
``PSDCON`` the matrices that must be positive semidefinite, their lower triangles entry by entry.
The format has no names: comments say what the columns x_0, x_1, … stand for.

H. A. Friberg, "CBLIB 2014: a benchmark library for conic mixed-integer and continuous
optimization", Mathematical Programming Computation 8 (2016).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write
from cpe_opt.modelling.cones import ConeForm, cone_form
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.names import legend_of

SUFFIX = ".cbf"


def write_conic(
    program: ConicProgram, path: str | os.PathLike[str], legend: Mapping[str, str] | None = None
) -> Path:
    """Write a cone program to ``path``; see :func:`cpe_opt.export`, also for what is raised."""
    path = Path(path)
    if path.suffix.lower() != SUFFIX:
        raise InputError(
            f"{program.name!r} is a cone program, which no {path.suffix or path.name} file can "
            f"hold: expected {SUFFIX}"
        )
    form = cone_form(program)
    labels = program.labels if legend is None else legend
    meanings = legend_of(program.name, program.column_names, labels)
    with atomic_write(path) as temporary:
        temporary.write_text(cbf_text(form, meanings), encoding="utf-8")
    return path


def cbf_text(form: ConeForm, legend: Mapping[str, str] | None = None) -> str:
    """The program in the Conic Benchmark Format."""
    scalar = [cone for cone in form.cones if cone.name != "PSD"]
    rows = sum(cone.size for cone in scalar)
    meanings = {name: f", {words}" for name, words in (legend or {}).items()}
    lines = [f"# {form.name}"]
    for number, name in enumerate(form.column_names):
        if name:
            lines.append(f"# x_{number}: {name}{meanings.get(name, '')}")
    lines += ["", "VER", "3", "", "OBJSENSE", form.sense.upper(), ""]
    columns = len(form.costs)
    lines += ["VAR", f"{columns} 1", f"F {columns}", ""]
    matrices = [cone for cone in form.cones if cone.name == "PSD"]
    if matrices:
        lines += ["PSDCON", str(len(matrices)), *(str(cone.order) for cone in matrices), ""]
    if scalar:
        lines += ["CON", f"{rows} {len(scalar)}"]
        lines += [*(f"{cone.name} {cone.size}" for cone in scalar), ""]
    costs = [f"{place} {_number(form.costs[place])}" for place in np.flatnonzero(form.costs)]
    lines += _section("OBJACOORD", costs)
    if form.offset:
        lines += ["OBJBCOORD", _number(form.offset), ""]
    entries = form.matrix.tocoo()
    triples = list(zip(*(part.tolist() for part in (*entries.coords, entries.data)), strict=True))
    constants = [(int(row), float(form.constants[row])) for row in np.flatnonzero(form.constants)]
    plain = [f"{i} {j} {_number(value)}" for i, j, value in triples if i < rows]
    lines += _section("ACOORD", plain)
    lines += _section("BCOORD", [f"{i} {_number(value)}" for i, value in constants if i < rows])
    place = [  # of the entries of the lower triangles: number, row and column
        (number, row, column)
        for number, cone in enumerate(matrices)
        for row in range(cone.order)
        for column in range(row + 1)
    ]
    inside = ((*place[i - rows], j, value) for i, j, value in triples if i >= rows)
    lines += _section(
        "HCOORD", [f"{number} {j} {k} {m} {_number(value)}" for number, k, m, j, value in inside]
    )
    outside = ((*place[i - rows], value) for i, value in constants if i >= rows)
    lines += _section("DCOORD", [f"{n} {k} {m} {_number(value)}" for n, k, m, value in outside])
    return "\n".join(lines)


def _section(keyword: str, lines: list[str]) -> list[str]:
    return [keyword, str(len(lines)), *lines, ""] if lines else []


def _number(value: float) -> str:
    return repr(float(value)).removesuffix(".0")
