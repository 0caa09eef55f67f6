"""The tracker of a class that is listed, or a matroid, by blocks of pulls or of sums."""

from __future__ import annotations

from cpe_opt.learners.subsets.loss_in_words import loss_in_words
from cpe_opt.proofs.subsets.planned_blocks import PlannedBlocks


class BlockTracker(PlannedBlocks):
    """What is proved, the plan of the next block, and what an early answer is worth."""

    def doubt(self, scale: float) -> str:
        """What an answer before its time is worth, in words."""
        return loss_in_words(self.loss, self._epsilon, scale)
