"""Programs from model files: ``.lp``, ``.mps`` and ``.mps.gz`` by suffix."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from dataclasses import replace
from pathlib import Path

from cpe_opt.errors import InputError
from cpe_opt.files import os_reason
from cpe_opt.modelling.lp_reader import read_lp
from cpe_opt.modelling.model_file import ModelText
from cpe_opt.modelling.mps_reader import read_mps
from cpe_opt.modelling.names import model_suffix, with_own_names
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.texts import is_negated
from cpe_opt.validation import checked_types

_BEGIN = re.compile("^(?:columns|min|max)", re.IGNORECASE | re.MULTILINE)  # of what is no comment


@checked_types
def read_program(path: str | os.PathLike[str]) -> LinearProgram | QuadraticProgram:
    r"""Read a model file; the program takes the file's name, its columns and rows theirs.

    A maximisation that :func:`cpe_opt.export` wrote as a minimisation is one again, and a changed
    name is given back. Rows of an LP file without a name are ``row_0``, ``row_1``, …, by their
    number.

    Files are read strictly: what would have to be guessed is refused.
    :mod:`cpe_opt.modelling.mps_reader` and :mod:`cpe_opt.modelling.lp_reader` describe the formats.

    Parameters
    ----------
    path : path ending in ``.lp``, ``.mps`` or ``.mps.gz``

    Raises
    ------
    InputError
        Where the file is missing, has another suffix, does not keep to its format (with the line,
        what it has and what was expected), holds an objective that is not convex (of a
        maximisation, not concave), or a program of another kind: cones, quadratic rows, special
        ordered sets, indicators, semi-continuous columns, several objectives, ….

    Examples
    --------
    >>> import tempfile
    >>> text = "Minimize\n cost: 3 x + 2 y\nSubject To\n need: x + y >= 4\nEnd\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "diet.lp")
    ...     _ = file.write_text(text, encoding="utf-8")
    ...     read_program(file)
    LinearProgram('diet', 2 columns, 1 row, min)
    """
    path = Path(path)
    suffix = model_suffix(path)
    if not path.is_file():
        raise InputError(f"no file {str(path)!r}")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {os_reason(error)}") from None
    if suffix.endswith(".gz"):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{str(path)!r} is no gzip file: {error}") from None
    text, name = ModelText(path, content), path.name.split(".")[0]
    program = (read_lp if suffix == ".lp" else read_mps)(text, name)
    begin = _BEGIN.search(text.text)
    top = text.text[: begin.start() if begin else 0].split("\n")
    linear = program.linear
    named = with_own_names(linear, top)
    negated = suffix != ".lp" and program.sense == "min" and is_negated(top)
    if isinstance(program, QuadraticProgram):
        program = program.with_linear(named)
        return program.negated() if negated else program
    if not negated:
        return named
    return replace(named, sense="max", costs=0.0 - named.costs, offset=0.0 - named.offset)
