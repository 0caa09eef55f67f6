"""Comparisons for GEPA: which candidate to mutate next, and which of all to keep.

    selector = CopelandSelector()
    result = gepa.optimize(..., adapter=adapter, candidate_selection_strategy=selector)
    found = best_candidate(result, adapter, unseen, margin=0.02)
    print(found, result.candidates[int(found.best)])

GEPA keeps the candidate with the highest mean on the validation set, which it has chosen from many:
it looks better there than it is. ``best_candidate`` proves one on examples that GEPA has not seen,
and evaluates few. ``CopelandSelector`` mutates the candidate that is ahead of the most others, on
most validation examples each, whatever the scale of the scores.
"""

from typing import Any

import numpy as np
from by_scores import best_by_score
from gepa import GEPAAdapter, GEPAResult
from gepa.core.state import GEPAState

import cpe_opt as cpe
from cpe_opt.sessions.best_of import Choice


class CopelandSelector:
    """A selector of candidates for ``candidate_selection_strategy``."""

    def select_candidate_idx(self, state: GEPAState) -> int:
        scores = state.prog_candidate_val_subscores
        examples = sorted(set.intersection(*(set(each) for each in scores)), key=str)
        if len(scores) < 2 or not examples:
            return 0
        table = np.array([[each[example] for example in examples] for each in scores])
        ahead = (np.sign(table[:, None] - table[None]) + 1.0) / 2.0
        winners = cpe.ItemDuels(ahead).table.copeland_winners
        return int(max(winners, key=lambda candidate: table[candidate].mean()))


def best_candidate(
    result: GEPAResult, adapter: GEPAAdapter, unseen: list[Any], **options: Any
) -> Choice:
    """The best candidate by its number; further options are those of ``cpe.best_of``."""

    def score(label: str, number: int) -> float:
        batch = adapter.evaluate([unseen[number]], result.candidates[int(label)])
        return float(batch.scores[0])

    labels = [str(number) for number in range(len(result.candidates))]
    return best_by_score(labels, score, len(unseen), **options)
