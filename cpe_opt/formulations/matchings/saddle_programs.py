"""The saddle LPs of many matrices and of many constraints of x, under the same constraints of y.

The constraints of y decide which columns and rows the program of
:mod:`cpe_opt.formulations.matchings.condorcet` has. What changes beside them is written into a copy
of one program: the matrix into the entries of the reply rows and the costs of x, the constraints of
x into its bounds. Entries that are 0 are left out.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.matchings.assignment import Constraints
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.problems.matchings.decisions import Matchings


class SaddlePrograms:
    """The saddle LPs under the same constraints of y.

    Parameters
    ----------
    matchings : Matchings
    constraints_y : Constraints
    """

    def __init__(self, matchings: Matchings, constraints_y: Constraints) -> None:
        self._size = matchings.size
        self._scale = 1.0 / matchings.graph.positions
        self._forced_y = constraints_y.forced
        self._template = _template(matchings, constraints_y)
        table = self._template.matrix.tocoo()
        row, column = table.coords
        first = matchings.graph.positions + matchings.graph.candidates
        # The rows of replies come last, and in them the columns of x first.
        self._entries = np.flatnonzero((row >= first) & (column < self._size))
        self._f = column[self._entries]
        self._e = np.flatnonzero(constraints_y.free)[row[self._entries] - first]

    def program(self, matrix: FloatArray, constraints_x: Constraints) -> LinearProgram:
        """The saddle LP of a matrix, shape (m, m), and of these constraints of x."""
        started, template, size = time.perf_counter(), self._template, self._size
        data = template.matrix.data.copy()
        data[self._entries] = -matrix[self._f, self._e]
        table = sp.csr_array(
            (data, template.matrix.indices, template.matrix.indptr), template.shape
        )
        if not data.all():
            table = table.copy()
            table.eliminate_zeros()
        costs, lower = template.costs.copy(), template.column_lower.copy()
        upper = template.column_upper.copy()
        costs[:size] = self._scale * matrix[:, self._forced_y].sum(axis=1)
        lower[:size] = constraints_x.forced
        upper[:size] = np.where(constraints_x.forbidden, 0.0, 1.0)
        return replace(
            template,
            costs=costs,
            column_lower=lower,
            column_upper=upper,
            matrix=table,
            build_seconds=template.build_seconds + time.perf_counter() - started,
        )


def _template(matchings: Matchings, constraints_y: Constraints) -> LinearProgram:
    """The program of a matrix of ones, x unconstrained."""
    graph = matchings.graph
    scale = 1.0 / graph.positions
    builder = ProgramBuilder("condorcet", sense="max")
    columns = builder.columns("x", list(graph.edges), upper=1.0)
    free = np.flatnonzero(constraints_y.free)
    places = np.unique(graph.position[free])
    people = np.unique(graph.candidate[free])
    u = builder.columns("u", places, cost=scale, lower=-np.inf)
    v = builder.columns("v", people, cost=-scale)
    matchings.program_rows(builder, columns)
    # Row e: u_s - v_c - sum_f Q[f, e] x_f <= 0, over the edges f of e's position.
    numbers = np.arange(len(free))
    f, e = np.nonzero(graph.position[:, None] == graph.position[free])
    builder.rows(
        "reply",
        [graph.edges[edge] for edge in free.tolist()],
        np.concatenate([numbers, numbers, e]),
        np.concatenate(
            [
                u[np.searchsorted(places, graph.position[free])],
                v[np.searchsorted(people, graph.candidate[free])],
                columns[f],
            ]
        ),
        np.concatenate([np.ones(len(free)), -np.ones(len(free)), np.ones(len(e))]),
        upper=0.0,
    )
    return builder.build()
