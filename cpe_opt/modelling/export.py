"""Model files: ``.lp``, ``.mps``, ``.mps.gz`` by suffix.

:mod:`cpe_opt.modelling.texts` says what they contain, and :mod:`cpe_opt.modelling.names` which
names a file can hold. A file reads back as the same program, digit by digit.

Readers disagree about a constant in the objective, and about rows with two sides or none: see
:func:`plain_dialect`.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write, write_csv
from cpe_opt.modelling.names import file_names, legend_of, model_suffix, own_name_lines, unused_name
from cpe_opt.modelling.program import ENDLESS, LARGEST, LinearProgram, RowBlock
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.texts import lp_text, mps_text, range_widths

_SMALLEST = 1e-12  # some readers drop coefficients of rows up to here


def write_program(
    program: LinearProgram | QuadraticProgram,
    path: str | os.PathLike[str],
    legend: Mapping[str, str] | None = None,
) -> Path:
    """Write a program to ``path``; see :func:`cpe_opt.export`, also for what is raised."""
    path = Path(path)
    suffix = model_suffix(path)
    quadratic = None
    linear = program.linear
    if isinstance(program, QuadraticProgram) and program.quadratic.nnz:
        quadratic = program.quadratic
    _check_readable(linear, quadratic)
    meanings = legend_of(program.name, (*linear.column_names, *linear.row_names), legend or {})
    plain = plain_dialect(linear, keep_ranges=suffix != ".lp")
    if quadratic is not None:
        quadratic = quadratic.copy()
        quadratic.resize((plain.shape[1], plain.shape[1]))
    columns = file_names(plain.column_names, "column", suffix)
    rows = file_names(plain.row_names, "row", suffix)
    mark, text_of = ("\\", lp_text) if suffix == ".lp" else ("*", mps_text)
    comments = [
        *own_name_lines(plain.column_names, columns, "column", mark),
        *own_name_lines(plain.row_names, rows, "row", mark),
    ]
    if meanings and suffix == ".lp":
        held = dict(zip((*plain.column_names, *plain.row_names), (*columns, *rows), strict=True))
        comments += [f"\\ {held.get(name, name)}: {words}" for name, words in meanings.items()]
    text = text_of(replace(plain, column_names=columns, row_names=rows), quadratic)
    content = "\n".join([*comments, text]).encode()
    # No time stamp, so that the same program gives the same bytes.
    content = gzip.compress(content, mtime=0) if suffix.endswith(".gz") else content
    with atomic_write(path) as temporary:
        temporary.write_bytes(content)
    if meanings and suffix != ".lp":
        legend_path = path.with_name(f"{path.name[: -len(suffix)]}.legend.csv")
        write_csv(legend_path, ("name", "meaning"), meanings.items())
    return path


def plain_dialect(program: LinearProgram, *, keep_ranges: bool = False) -> LinearProgram:
    """An equal program that every reader understands; the same object if it is one already.

    A constant in the objective becomes the cost of a column ``objective_constant`` that is fixed at
    1. A row without a finite side restricts nothing and is left out. A row with two different
    finite sides becomes ``<row>_lo`` and ``<row>_up``, with ``keep_ranges`` only where no width
    between them gives both to the last digit. Without ``keep_ranges`` a program that has no rows
    gets one, ``no_row``, which says that 0 is at least 0. Names that are taken get a further
    underscore.
    """
    lower, upper = np.isfinite(program.row_lower), np.isfinite(program.row_upper)
    if not (lower | upper).all():
        program = program.keeping_rows(lower | upper)
        lower, upper = np.isfinite(program.row_lower), np.isfinite(program.row_upper)
    split = lower & upper & (program.row_lower != program.row_upper)
    if keep_ranges:
        widths, _ = range_widths(program.row_lower[split], program.row_upper[split])
        split[split] = np.isnan(widths)
    if split.any():
        both = program.row_block.select(split)
        taken = set(program.row_names)
        program = program.keeping_rows(~split)
        infinite = np.full(len(both), np.inf)
        for least, most, end in ((both.lower, infinite, "_lo"), (-infinite, both.upper, "_up")):
            names = tuple(unused_name(name, end, taken) for name in both.names)
            program = program.with_rows(RowBlock(both.matrix, least, most, names))
    if not program.shape[0] and not keep_ranges:
        nothing = sp.csr_array((1, program.shape[1]))
        program = program.with_rows(RowBlock(nothing, np.zeros(1), np.full(1, np.inf), ("no_row",)))
    if program.offset:
        rows = program.shape[0]
        name = unused_name("objective_constant", "", set(program.column_names))
        program = replace(
            program,
            offset=0.0,
            costs=np.append(program.costs, program.offset),
            column_lower=np.append(program.column_lower, 1.0),
            column_upper=np.append(program.column_upper, 1.0),
            integer=np.append(program.integer, False),
            matrix=sp.csr_array(sp.hstack([program.matrix, sp.csr_array((rows, 1))], format="csr")),
            column_names=(*program.column_names, name),
        )
    return program


def _check_readable(program: LinearProgram, quadratic: sp.csr_array | None) -> None:
    """Raise :class:`InputError` if no file can hold the program."""
    if not program.shape[1]:
        raise InputError(f"{program.name!r} has no columns, and no model file is without any")
    costs = np.abs(program.costs)
    if (costs >= ENDLESS).any():
        raise InputError(
            f"column {program.column_names[costs.argmax()]!r} has the number {costs.max():g}, "
            f"which readers take for infinite, as all from {ENDLESS:g} on"
        )
    matrices = [(program.matrix, "row", "coefficient", program.row_names)]
    if quadratic is not None:
        matrices.append((quadratic, "column", "quadratic term", program.column_names))
    for matrix, what, number, names in matrices:
        sizes = np.abs(matrix.data)
        wrong = np.flatnonzero((sizes > 0) & (sizes <= _SMALLEST) | (sizes >= LARGEST))
        if wrong.size:
            row = int(np.searchsorted(matrix.indptr, wrong[0], side="right")) - 1
            raise InputError(
                f"{what} {names[row]!r} has the {number} {matrix.data[wrong[0]]:g}; readers "
                f"drop those up to {_SMALLEST:g} and refuse those from {LARGEST:g} on"
            )
