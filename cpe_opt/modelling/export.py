"""Model files: ``.lp``, ``.mps``, ``.mps.gz`` by suffix.

:mod:`cpe_opt.modelling.texts` says what they contain, and :mod:`cpe_opt.modelling.names` which
names a file can hold. Each file is read back and compared with the program before it gets its name.

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

from cpe_opt.errors import ExportFailed, InputError
from cpe_opt.files import atomic_write, write_csv
from cpe_opt.modelling.model_file import LARGEST
from cpe_opt.modelling.names import file_names, legend_of, own_name_lines, unused_name
from cpe_opt.modelling.program import ENDLESS, LinearProgram, RowBlock
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.reading import SUFFIXES, model_suffix, read_model
from cpe_opt.modelling.texts import lp_text, mps_text

_ROUNDING = 1e-15  # a row's upper side is its lower side and a width in MPS
_SMALLEST = 1e-12  # some readers drop coefficients of rows up to here


def write_program(
    program: LinearProgram | QuadraticProgram,
    path: str | os.PathLike[str],
    legend: Mapping[str, str] | None = None,
) -> Path:
    r"""Write a program to ``path`` and prove that the file reads back as the same program.

    See :func:`cpe_opt.export`, also for what is raised. A comment at the top of the file says for
    which name a changed one stands: ``\ column x_1_2_ stands for "x[1,2]"``.
    """
    if not isinstance(program, LinearProgram | QuadraticProgram):
        raise InputError(
            f"cannot write a {type(program).__name__}: expected a LinearProgram or a "
            "QuadraticProgram"
        )
    path = Path(path)
    suffix = model_suffix(path)
    if suffix not in SUFFIXES:
        kind = "linear" if isinstance(program, LinearProgram) else "quadratic"
        raise InputError(
            f"{program.name!r} is a {kind} program, and a {suffix} file holds cone programs: "
            f"expected {', '.join(SUFFIXES)}"
        )
    _check_readable(program)
    meanings = legend_of(program.name, (*program.column_names, *program.row_names), legend or {})
    linear = program if isinstance(program, LinearProgram) else program.linear
    plain = plain_dialect(linear, keep_ranges=suffix != ".lp")
    quadratic = _quadratic_part(program, plain)
    columns = file_names(plain.column_names, "column", suffix)
    rows = file_names(plain.row_names, "row", suffix)
    mark, text_of = ("\\", lp_text) if suffix == ".lp" else ("*", mps_text)
    comments = [
        *own_name_lines(plain.column_names, columns, "column", mark),
        *own_name_lines(plain.row_names, rows, "row", mark),
    ]
    if suffix == ".lp":
        held = dict(zip((*plain.column_names, *plain.row_names), (*columns, *rows), strict=True))
        comments += [f"\\ {held.get(name, name)}: {words}" for name, words in meanings.items()]
    text = text_of(replace(plain, column_names=columns, row_names=rows), quadratic)
    content = "\n".join([*comments, text]).encode()
    # No time stamp, so that the same program gives the same bytes.
    content = gzip.compress(content, mtime=0) if suffix.endswith(".gz") else content
    with atomic_write(path) as temporary:
        temporary.write_bytes(content)
        back = read_model(temporary, suffix, path)
        _compare(plain, back if isinstance(back, LinearProgram) else back.linear, path)
        _compare_quadratic(plain, quadratic, back, path)
    if meanings and suffix != ".lp":
        legend_path = path.with_name(f"{path.name[: -len(suffix)]}.legend.csv")
        write_csv(legend_path, ("name", "meaning"), meanings.items())
    return path


def plain_dialect(program: LinearProgram, *, keep_ranges: bool = False) -> LinearProgram:
    """An equal program that every reader understands; the same object if it is one already.

    A constant in the objective becomes the cost of a column ``objective_constant`` that is fixed at
    1. A row without a finite side restricts nothing and is left out. Unless ``keep_ranges``, a row
    with two different finite sides becomes ``<row>_lo`` and ``<row>_up``, and a program without
    rows gets one, ``no_row``, which says that 0 is at least 0. Names that are taken get a further
    underscore.
    """
    lower, upper = np.isfinite(program.row_lower), np.isfinite(program.row_upper)
    if not (lower | upper).all():
        program = program.keeping_rows(lower | upper)
        lower, upper = np.isfinite(program.row_lower), np.isfinite(program.row_upper)
    two_sided = lower & upper & (program.row_lower != program.row_upper)
    if two_sided.any() and not keep_ranges:
        both = program.row_block.select(two_sided)
        taken = set(program.row_names)
        program = program.keeping_rows(~two_sided)
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


def _quadratic_part(
    program: LinearProgram | QuadraticProgram, plain: LinearProgram
) -> sp.csr_array | None:
    """The quadratic terms over the columns of the plain program; None without any."""
    if isinstance(program, LinearProgram) or not program.quadratic.nnz:
        return None
    quadratic = program.quadratic.copy()
    quadratic.resize((plain.shape[1], plain.shape[1]))
    return quadratic


def _check_readable(given: LinearProgram | QuadraticProgram) -> None:
    """Raise :class:`InputError` if no file can hold the program."""
    program = given if isinstance(given, LinearProgram) else given.linear
    if isinstance(given, QuadraticProgram):
        sizes = np.abs(given.quadratic.data)
        wrong = np.flatnonzero(~(sizes < LARGEST) | (sizes <= _SMALLEST))
        if wrong.size:
            row = int(np.searchsorted(given.quadratic.indptr, wrong[0], side="right")) - 1
            raise InputError(
                f"column {program.column_names[row]!r} has the quadratic term "
                f"{given.quadratic.data[wrong[0]]:g}; readers drop those up to {_SMALLEST:g} and "
                f"refuse those from {LARGEST:g} on"
            )
    if not program.shape[1]:
        raise InputError(f"{program.name!r} has no columns, and no model file is without any")
    for place in np.flatnonzero(np.abs(program.costs) >= ENDLESS).tolist():
        raise InputError(
            f"column {program.column_names[place]!r} has the number {program.costs[place]:g}, "
            f"which readers take for infinite, as all from {ENDLESS:g} on"
        )
    sizes = np.abs(program.matrix.data)
    wrong = np.flatnonzero((sizes > 0) & (sizes <= _SMALLEST) | (sizes >= LARGEST))
    if wrong.size:
        row = int(np.searchsorted(program.matrix.indptr, wrong[0], side="right")) - 1
        raise InputError(
            f"row {program.row_names[row]!r} has the coefficient "
            f"{program.matrix.data[wrong[0]]:g}; readers drop those up to {_SMALLEST:g} and refuse "
            f"those from {LARGEST:g} on"
        )


def _compare_quadratic(
    program: LinearProgram,
    quadratic: sp.csr_array | None,
    back: LinearProgram | QuadraticProgram,
    path: Path,
) -> None:
    """Raise unless ``back`` has these quadratic terms, up to the order of its columns."""
    read = None if isinstance(back, LinearProgram) else back.quadratic
    if read is not None and quadratic is not None:
        column_of = {name: number for number, name in enumerate(back.column_names)}
        columns = np.array([column_of[name] for name in program.column_names], dtype=np.int64)
        same = not (quadratic != read[columns][:, columns]).nnz
    else:
        same = read is quadratic
    if not same:
        raise ExportFailed(
            f"{path.name}: a quadratic term of {program.name!r} did not survive the file"
        )


def _compare(program: LinearProgram, back: LinearProgram, path: Path) -> None:
    """Raise unless ``back`` is ``program`` up to the order of its columns and rows."""

    def refuse(what: str) -> None:
        raise ExportFailed(f"{path.name}: {what} of {program.name!r} did not survive the file")

    if program.sense != back.sense:
        refuse("the sense")
    if set(program.column_names) != set(back.column_names):
        refuse("the column names")
    if set(program.row_names) != set(back.row_names):
        refuse("the row names")
    column_of = {name: number for number, name in enumerate(back.column_names)}
    row_of = {name: number for number, name in enumerate(back.row_names)}
    columns = np.array([column_of[name] for name in program.column_names], dtype=np.int64)
    rows = np.array([row_of[name] for name in program.row_names], dtype=np.int64)
    sides = np.where(np.isfinite(program.row_lower), np.abs(program.row_lower), 0.0)
    sides = np.maximum(sides, np.where(np.isfinite(program.row_upper), program.row_upper, 0.0))
    for what, ours, theirs, slack in (
        ("the offset", np.array([program.offset]), np.array([back.offset]), 0.0),
        ("an objective coefficient", program.costs, back.costs[columns], 0.0),
        ("a column's lower bound", program.column_lower, back.column_lower[columns], 0.0),
        ("a column's upper bound", program.column_upper, back.column_upper[columns], 0.0),
        ("an integrality", program.integer + 0.0, back.integer[columns] + 0.0, 0.0),
        ("a row's lower side", program.row_lower, back.row_lower[rows], 0.0),
        ("a row's upper side", program.row_upper, back.row_upper[rows], _ROUNDING * sides),
    ):
        apart = ours != theirs
        allowed = np.broadcast_to(slack, apart.shape)[apart]
        if (np.abs(ours[apart] - theirs[apart]) > allowed).any():
            refuse(what)
    if (program.matrix != back.matrix[rows][:, columns]).nnz:
        refuse("a coefficient")
