"""Comparing arms by scores on the same items: on each item the higher score wins.

``best_by_score`` computes the scores that a proof needs, each once; ``write_duels`` writes scores
that are there as a log of duels. All duels of an item depend on each other, so that an item is one
cluster: ``cpe-opt evidence duels.csv --cluster item``.
"""

from collections.abc import Callable, Collection, Iterable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd

import cpe_opt as cpe
from cpe_opt.sessions.best_of import Choice
from cpe_opt.sessions.questions import Question


def best_by_score(
    arms: Collection[str], score: Callable[[str, int], float], items: int, **options: Any
) -> Choice:
    """The best arm by ``score(arm, number of the item)``; options are those of ``cpe.best_of``."""
    known = cache(score)

    def judge(question: Question) -> float:
        first, second = (known(arm, int(question.item_id)) for arm in question.labels)
        return 0.5 if first == second else float(first > second)

    return cpe.best_of(arms, judge, items=items, orders="random", **options)


def write_duels(scores: Iterable[tuple[str, str, float]], out: Path) -> None:
    """Write duels from (item, arm, score), by the mean of scores of the same arm on an item."""
    table = pd.DataFrame(scores, columns=["item", "arm", "score"])
    rows = [
        (a, b, "tie" if row[a] == row[b] else "model_a" if row[a] > row[b] else "model_b", item)
        for item, row in table.pivot_table("score", "item", "arm", sort=False).iterrows()
        for a, b in combinations(row.dropna().index, 2)
    ]
    duels = pd.DataFrame(rows, columns=["model_a", "model_b", "winner", "item"])
    duels.to_csv(out, index=False)
    print(f"{out}: {len(duels):,} duels on {duels['item'].nunique():,} items")
