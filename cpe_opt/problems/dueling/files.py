"""Preferences from files of any of the formats: matrices, logs of duels, PrefLib elections."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cpe_opt.problems.dueling.matrix_files import read_matrix
from cpe_opt.problems.logs import is_log, read_log
from cpe_opt.problems.pairs import PairTable, counted_table
from cpe_opt.problems.preflib import PREFLIB_SUFFIXES, read_preflib
from cpe_opt.problems.rows import read_header
from cpe_opt.problems.text import require_file

if TYPE_CHECKING:
    import pandas as pd


def read_preferences(path: str | os.PathLike[str]) -> PairTable:
    """Read whichever of the formats a file is in.

    PrefLib files are told by their suffix, logs of duels by their header; anything else is read as
    a matrix.
    """
    path = require_file(path)
    if path.suffix.lower() in PREFLIB_SUFFIXES:
        return read_preflib(path)
    return read_duels(path) if is_log(read_header(path)) else read_matrix(path)


def read_duels(duels: str | os.PathLike[str] | pd.DataFrame) -> PairTable:
    """Count a log of duels, in any of the forms of :mod:`cpe_opt.problems.logs`.

    An entry of the matrix is the fraction of its pair's duels that the row's arm won, ties counted
    as half a win; a pair that never met is tied. Arms take the order in which they first appear.

    Parameters
    ----------
    duels : path of a table, or a data frame with the same columns

    Raises
    ------
    InputError
        With the line concerned: on missing columns or labels, an arm against itself, counts that
        are no whole numbers, no duels.
    """
    log, source = read_log(duels)
    labels, counts = log.counted()
    return counted_table(source, source.rpartition(".")[0] or source, labels, counts)
