"""Any program to a model file, those too whose rows only a solve finds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Unpack

from cpe_opt.errors import InputError
from cpe_opt.modelling.export import write_program
from cpe_opt.modelling.lazy import LazyProgram
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.reading import check_path
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.solve import solve
from cpe_opt.validation import checked_types


@checked_types
def export(
    program: LinearProgram | LazyProgram | Any,
    path: str | os.PathLike[str],
    *,
    relaxation: bool = False,
    **solving: Unpack[SolveOptions],
) -> Path:
    """Write a program to ``path`` and prove that the file reads back as the same program.

    Parameters
    ----------
    program : LinearProgram or LazyProgram
        A lazy program is solved, and the file has the rows that its solve needed: their optimum is
        that of all rows.
    path : path ending in ``.lp``, ``.mps`` or ``.mps.gz``
    relaxation : bool
        Of a lazy program write the rows that are listed from the start; nothing is solved.
    **solving
        As for :func:`cpe_opt.solve`, where a lazy program is solved.

    Returns
    -------
    Path
        Where the file is.

    Raises
    ------
    InputError
        On another suffix, a program of another kind (no LP or MPS file can hold a
        ``cvxpy.Problem`` with cones), a name or a number that readers do not take, or no columns.
    NotOptimal
        Where the solve of a lazy program ends without an optimum.
    ExportFailed
        Where the file does not read back as the program; nothing is written then.
    WriteFailed
        Where the disk is full, or the folder cannot be written to.
    """
    check_path(path)
    if isinstance(program, LinearProgram):
        if relaxation:
            raise InputError(f"relaxation has no effect on {program.name!r}: all rows are listed")
        refuse_unused(solving, "export of a program with all rows listed")
        return write_program(program, path)
    if not isinstance(program, LazyProgram):
        raise InputError(
            f"cannot export a {type(program).__name__}: .lp and .mps files hold a LinearProgram, "
            "or the rows that the solve of a LazyProgram needed, and no cones of a cvxpy.Problem"
        )
    if relaxation:
        refuse_unused(solving, "export of a relaxation")
        return write_program(program.relaxation, path)
    solved = solve(program, **solving).program
    if solved is None:
        raise InputError(f"the solve of {program.name!r} left no program")
    return write_program(solved, path)
