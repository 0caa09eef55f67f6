"""What a table of scores proves of new items, for people: a table and sentences.

It is computed in :mod:`cpe_opt.proofs.subsets.new_items`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.errors import counted
from cpe_opt.problems.subsets.item_scores import ItemScores
from cpe_opt.proofs.dueling.winners import WinnerStatus
from cpe_opt.proofs.subsets.new_items import NewItemStatements, new_item_statements
from cpe_opt.reports.report import Analysis, Report, TextTable, listed

if TYPE_CHECKING:
    import pandas as pd

_MOST_PAIRS = 10
_ABOUT = (
    "The means are those of the scores in the table, and known. What is called proved is of the "
    "means over new items, if these items and new ones are drawn independently from one source; of "
    "items that were chosen by hand it says how such items would come out.",
    "“Possible” means that the scores do not exclude it.",
)


def item_score_evidence(
    scores: ItemScores,
    *,
    delta: float = 0.05,
    margin: float = 0.0,
    clusters: Sequence[object] | None = None,
    warnings: Sequence[str] = (),
) -> ItemScoreEvidence:
    """What scores prove of new items; :func:`cpe_opt.evidence` says it."""
    said = new_item_statements(
        scores.scores, scores.labels, delta, margin=margin, clusters=clusters
    )
    return ItemScoreEvidence(**vars(said), scores=scores, warnings=tuple(warnings))


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ItemScoreEvidence(NewItemStatements, Analysis):
    """What a table of scores proves of new items; ``print`` it to read it.

    Attributes
    ----------
    scores : ItemScores
    warnings : tuple of str
        What would make it false, as :func:`cpe_opt.check_answers` found it in the file.
    """

    scores: ItemScores
    warnings: tuple[str, ...]

    @property
    def name(self) -> str:
        """That of the scores."""
        return self.scores.name

    @property
    def best(self) -> dict[str, WinnerStatus]:
        """Whether each arm is the best, by its ranks."""
        return {
            label: "proved" if last == 1 else "possible" if first == 1 else "ruled out"
            for label, (first, last) in zip(self.labels, self.ranks, strict=True)
        }

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; ``lower[i][j]``: by how much more i has than j, at least."""
        named = [self.labels[arm] for arm in self.order]

        def pairs(which: Any) -> list[list[str]]:
            return [[self.labels[i], self.labels[j]] for i, j in np.argwhere(which).tolist()]

        return {
            "name": self.name,
            "delta": self.delta,
            "margin": self.margin,
            "labels": list(self.labels),
            "items": self.items,
            "clusters": self.clusters,
            "scores": int(self.scored.sum()),
            "means": dict(zip(self.labels, self.means.tolist(), strict=True)),
            "lower": self.lower.tolist(),
            "better": pairs(self.better),
            "ranks": {label: list(self.ranks[self.labels.index(label)]) for label in named},
            "best": {label: self.best[label] for label in named},
            "equal": pairs(np.triu(self.equal)),
            "tied_set": [self.labels[arm] for arm in self.tied_set],
            "warnings": list(self.warnings),
        }

    def table(self) -> pd.DataFrame:
        """One row per arm, the best first: mean, ranks, how far ahead the first is, what is proved.

        ``behind_least`` and ``behind_most`` bound by how much more the first arm has on new items.
        """
        import pandas as pd

        order, first = self.order, int(self.order[0])
        labels = [self.labels[arm] for arm in order]
        columns: dict[str, Any] = {
            "arm": order,
            "label": labels,
            "mean": self.means[order],
            "scores": self.scored[order],
            "best_rank": [self.ranks[arm][0] for arm in order],
            "worst_rank": [self.ranks[arm][1] for arm in order],
            "behind_least": self.lower[first, order],
            "behind_most": -self.lower[order, first],
            "best": [self.best[label] for label in labels],
        }
        return pd.DataFrame(columns)

    def report(self) -> Report:
        """Arms, and what is proved."""
        frame = self.table()
        ranks = zip(frame["best_rank"], frame["worst_rank"], strict=True)
        ends = zip(frame["behind_least"], frame["behind_most"], strict=True)
        columns: dict[str, Iterable[object]] = {
            "arm": frame["label"],
            "mean": ["–" if np.isnan(mean) else f"{mean:.3f}" for mean in frame["mean"]],
            "rank": [str(a) if a == b else f"{a}–{b}" for a, b in ranks],
            "behind the first": ["", *[f"{a:.3f} to {b:.3f}" for a, b in ends][1:]],
            "best": frame["best"],
        }
        several = f", {self.clusters:,} clusters" if self.clusters is not None else ""
        title = f"{self.name}: {len(self.labels):,} arms, {self.items:,} items{several}"
        return Report(
            title=title,
            proved="proved" in self.best.values(),
            arms=TextTable.of(columns, title="means of these items, the rest of new ones"),
            order="By the means of these items; ranks and differences are of new ones.",
            lines=tuple(self.proof_lines()),
            warnings=self.warnings,
            about=_ABOUT,
        )

    def proof_lines(self) -> list[str]:
        """What is proved, and on what it rests, one sentence per line."""
        arms = len(self.labels)
        unit = "items" if self.clusters is None else "clusters"
        by: dict[str, list[str]] = {"proved": [], "possible": [], "ruled out": []}
        for arm in self.order:
            by[self.best[self.labels[arm]]].append(self.labels[arm])
        best = [f"{status} for {listed(some, 'arms')}" for status, some in by.items() if some]
        known = sum(first == last for first, last in self.ranks)
        lines = [
            f"what is proved is of new {unit}, drawn independently like these",
            f"proved at {100.0 * (1.0 - self.delta):.6g} %, all of it at once, however often one "
            f"looks as {unit} are added:",
            f"who is better: proved for {int(self.better.sum()):,} of {arms * (arms - 1) // 2:,} "
            "pairs",
            f"the best: {'; '.join(best)}",
            f"ranks: known for {known:,} of {arms:,} arms",
        ]
        if self.margin:
            equal = [
                f"{self.labels[i]} – {self.labels[j]}"
                for i, j in np.argwhere(np.triu(self.equal)).tolist()
            ]
            which = f": {listed(equal, 'pairs', _MOST_PAIRS)}" if equal else ""
            number = counted(equal, "pair")
            lines.append(f"equal within {self.margin:.10g}: proved for {number}{which}")
            if self.tied_set:
                tied = [self.labels[arm] for arm in self.tied_set]
                lines.append(f"all that may be the best are equal: {listed(tied, 'arms')}")
        missing = self.items * arms - int(self.scored.sum())
        if missing:
            lines.append(
                f"{missing:,} of {self.items * arms:,} scores are missing: two arms are compared "
                "on the items that both have, as if a score's absence did not depend on what it "
                "would be"
            )
        return lines
