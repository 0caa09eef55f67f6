"""A reader of the Conic Benchmark Format, as far as the package writes it, for tests alone."""

import cvxpy
import numpy as np
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.modelling.export import Cone, ConeForm


def read_cone_form(path):
    """The matrices of a file whose columns are free."""
    lines = [line.partition("#")[0].split() for line in path.read_text("utf-8").splitlines()]
    words = iter([line for line in lines if line])
    sense, offset, columns, cones, matrices = "min", 0.0, 0, [], []
    sections = {}
    for (keyword,) in words:
        first = next(words)
        if keyword == "OBJSENSE":
            sense = first[0].lower()
        elif keyword == "OBJBCOORD":
            offset = float(first[0])
        elif keyword == "VAR":
            columns = int(first[0])
            assert next(words) == ["F", first[0]]
        elif keyword == "CON":
            for name, size in (next(words) for _ in range(int(first[1]))):
                cones.append(Cone(name, int(size)))
        elif keyword == "PSDCON":
            sides = [int(next(words)[0]) for _ in range(int(first[0]))]
            matrices = [Cone("PSD", side * (side + 1) // 2) for side in sides]
        elif keyword != "VER":
            sections[keyword] = [next(words) for _ in range(int(first[0]))]
    plain = sum(cone.size for cone in cones)
    starts = plain + np.cumsum([0, *(cone.size for cone in matrices)])
    costs, constants = np.zeros(columns), np.zeros(starts[-1])
    matrix = sp.lil_array((starts[-1], columns))

    def row(number, k, m):
        k, m = max(int(k), int(m)), min(int(k), int(m))
        return starts[int(number)] + k * (k + 1) // 2 + m

    for column, value in sections.get("OBJACOORD", []):
        costs[int(column)] = float(value)
    for place, value in sections.get("BCOORD", []):
        constants[int(place)] = float(value)
    for *place, value in sections.get("DCOORD", []):
        constants[row(*place)] = float(value)
    for place, column, value in sections.get("ACOORD", []):
        matrix[int(place), int(column)] = float(value)
    for number, column, k, m, value in sections.get("HCOORD", []):
        matrix[row(number, k, m), int(column)] = float(value)
    shown = tuple(f"x_{number}" for number in range(columns))
    cones = (*cones, *matrices)
    return ConeForm("file", sense, costs, offset, cones, sp.csr_array(matrix), constants, shown)


def conic_program(form):
    """The program in one variable ``x``, by the definitions of the cones."""
    x = cvxpy.Variable(len(form.costs), name="x")
    rows, first = [], 0
    for cone in form.cones:
        s = form.matrix[first : first + cone.size] @ x + form.constants[first : first + cone.size]
        first += cone.size
        if cone.name in ("L=", "L+"):
            rows.append(s == 0 if cone.name == "L=" else s >= 0)
        elif cone.name == "Q":
            rows.append(cvxpy.norm(s[1:]) <= s[0])
        elif cone.name == "EXP":
            rows.append(cvxpy.ExpCone(s[2], s[1], s[0]))
        else:
            entries = np.zeros((cone.order, cone.order), dtype=int)
            lower = np.tril_indices(cone.order)
            entries[lower] = entries.T[lower] = np.arange(cone.size)
            full = cvxpy.reshape(s[entries.ravel()], entries.shape, order="F")
            rows.append(full >> 0)
    goal = form.costs @ x + form.offset
    sense = cvxpy.Minimize if form.sense == "min" else cvxpy.Maximize
    return cpe.ConicProgram(form.name, cvxpy.Problem(sense(goal), rows))
