"""Prices of observations as files: what asking once costs, in any unit.

A table has one line for each pair or element, in any order. A pair has one price, in whichever
order the line names the two.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, listed
from cpe_opt.formats.tables import Table, read_table
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.pairs import Labelled
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.validation import checked_types

_PAIR = ("first", "second", "price")


@checked_types
def read_prices(path: str | os.PathLike[str], problem: Labelled | BipartiteGraph) -> FloatArray:
    r"""Read the prices of observations from a file, for ``prices=`` of oracles and learners.

    Parameters
    ----------
    path : path
        A table with one line for each pair, ``first, second, price``; at positions ``position,
        first, second, price``; for each element ``element, price``.
    problem : PreferenceMatrix, Votes, MatchingDuels, BipartiteGraph, SubsetBandit, DecisionClass
        What is asked about, or anything else that has ``labels`` of arms.

    Returns
    -------
    float array
        Of shape (K, K) for K arms or edges, symmetric, and 0 where two cannot meet; of shape (n,)
        for n elements.

    Raises
    ------
    InputError
        With the line, the pair or the element whose price is missing, given twice, or not above 0.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import cpe_opt as cpe
    >>> mu = cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]], ["tea", "coffee"])
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "prices.csv"
    ...     _ = path.write_text("first,second,price\ncoffee,tea,2.5\n")
    ...     read_prices(path, mu).tolist()
    [[0.0, 2.5], [2.5, 0.0]]
    """
    known = getattr(problem, "known", problem)
    if isinstance(known, DecisionClass):
        return _of_elements(path, known)
    number: dict[tuple[str, ...], int]
    if isinstance(known, BipartiteGraph):
        number = {
            (known.position_labels[j], known.candidate_labels[c]): edge
            for edge, (c, j) in enumerate(known.edges)
        }
        labels = [known.label(edge) for edge in range(known.size)]
        table = read_table(path, ("position", *_PAIR))
        return _of_pairs(table, ("position",), number, labels, known.pairs.tolist())
    arms = cast("Labelled", problem).labels
    number = {(label,): arm for arm, label in enumerate(arms)}
    pairs = np.column_stack(np.triu_indices(len(arms), 1)).tolist()
    return _of_pairs(read_table(path, _PAIR), (), number, arms, pairs)


def _of_pairs(
    table: Table,
    columns: tuple[str, ...],
    number: Mapping[tuple[str, ...], int],
    labels: Sequence[str],
    pairs: Sequence[tuple[int, int]],
) -> FloatArray:
    """Prices of pairs; ``number`` is by the cells of ``columns`` and one of ``first, second``."""
    matrix = np.zeros((len(labels), len(labels)))
    ends = [[*map(table.names, (*columns, end))] for end in ("first", "second")]
    rows = zip(zip(*ends[0], strict=True), zip(*ends[1], strict=True), strict=True)
    for row, (pair, price) in enumerate(zip(rows, _prices(table), strict=True)):
        absent = [" at ".join(end[::-1]) for end in pair if end not in number]
        if absent:
            raise InputError(
                f"{table.place(row)}: {absent[0]!r} can meet nobody; expected {listed(labels)}"
            )
        i, j = sorted(number[end] for end in pair)
        if i == j:
            raise InputError(f"{table.place(row)}: a pair of {labels[i]!r} and itself")
        if matrix[i, j]:
            raise InputError(
                f"{table.place(row)}: the pair {labels[i]} – {labels[j]} stands there twice"
            )
        matrix[i, j] = matrix[j, i] = price
    missing = [f"{labels[i]} – {labels[j]}" for i, j in pairs if not matrix[i, j]]
    if missing:
        raise InputError(
            f"{table.source}: no price of the pair {listed(missing, 'pairs')}; expected all of them"
        )
    return matrix


def _of_elements(path: str | os.PathLike[str], decisions: DecisionClass) -> FloatArray:
    table = read_table(path, ("element", "price"), comments=False)
    price_of = dict(zip(table.distinct("element"), _prices(table), strict=True))
    for row, name in enumerate(price_of):
        if name not in decisions.labels:
            raise InputError(
                f"{table.place(row)}: element is {name!r}, which is none; the elements are "
                f"{listed(decisions.labels, 'elements')}"
            )
    absent = [label for label in decisions.labels if label not in price_of]
    if absent:
        raise InputError(
            f"{table.source}: no price of {listed(absent, 'elements')}; expected a line for each"
        )
    return np.array([price_of[label] for label in decisions.labels])


def _prices(table: Table) -> list[float]:
    prices = table.numbers("price")
    table.refuse(prices <= 0.0, "the price is not above 0")
    return [*prices.tolist()]
