"""What scores of teams prove, for people: members, sentences, and the next teams.

It is computed in :mod:`cpe_opt.proofs.subsets.score_evidence`.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.team_scores import TeamScores
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.proofs.subsets.score_evidence import ScoreEvidence, score_evidence
from cpe_opt.reports.report import Analysis, Part, Report, TextTable
from cpe_opt.validation import ErrorProbability, Positive, Seed, checked_types

if TYPE_CHECKING:
    import pandas as pd

_LISTED = 10
_WORDS = {"in": "yes", "possible": "possibly", "out": "no"}


@checked_types
@shows_progress("what scores of teams prove")
def team_evidence(
    scores: TeamScores,
    decisions: DecisionClass | None = None,
    *,
    delta: ErrorProbability = 0.05,
    sigma: Positive | None = None,
    planned: bool = False,
    seed: Seed = 0,
    progress: ShowProgress = None,
) -> TeamEvidence:
    """What scores of teams prove, and which team to try next.

    Parameters
    ----------
    scores : TeamScores
    decisions : DecisionClass, optional
        Which teams may be chosen; by default all of as many members as those that were seen. A
        matroid, or a class of at most 20,000 sets.
    delta : float
        The probability that anything said is wrong.
    sigma : float, optional
        Of one score; where it is not given, the largest that the residuals allow
        (:func:`cpe_opt.proofs.subsets.noise_bound.largest_sigma`, on assumptions).
    planned : bool
        Whether teams were chosen before any score was seen; then the scores prove more.
    seed : int
        Of the search for teams to see next.
    progress : bool or callable, optional
        As for :func:`cpe_opt.evidence`.

    Raises
    ------
    InputError
        Where a team is not in the class, or the scores tell no sigma.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> pairs = [["ann", "bob"], ["ann", "cleo"], ["bob", "cleo"]]
    >>> log = cpe.TeamScores(pairs, [5.0, 4.0, 3.0], [40, 40, 40])
    >>> found = cpe.team_evidence(log, sigma=1.0)
    >>> found.decisions.describe(found.best), found.proved, found.standing
    ('{ann, bob}', True, ('in', 'in', 'out'))
    """
    decisions = scores.decisions() if decisions is None else decisions
    proved = score_evidence(scores, decisions, delta, sigma=sigma, planned=planned, seed=seed)
    return TeamEvidence(**vars(proved))


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TeamEvidence(ScoreEvidence, Analysis):
    """What scores of teams prove, and which teams to see next; ``print`` it to read it."""

    __repr__ = Analysis.__repr__

    @property
    def name(self) -> str:
        """That of the scores."""
        return self.scores.name

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        labels = self.decisions.labels
        return {
            "name": self.scores.name,
            "class": self.decisions.name,
            "delta": self.delta,
            "scores": int(self.scores.counts.sum()),
            "sigma": self.sigma,
            "sigma_given": self.sigma_given,
            "planned": self.planned,
            "assumes": list(self.assumes),
            "clusters": [asdict(each) for each in self.scores.clusters],
            "best": [labels[e] for e in self.best],
            "proved": self.proved,
            "loss": self.loss,
            "adds": dict(zip(labels, self.theta.tolist(), strict=True)),
            "standing": dict(zip(labels, self.standing, strict=True)),
            "missing": self.missing,
            "next": [
                {"team": [labels[e] for e in chosen], "times": times} for chosen, times in self.next
            ],
        }

    def table(self) -> pd.DataFrame:
        """One row per element, the best first: its label, what it adds, how often it was seen."""
        import pandas as pd

        order = [int(e) for e in np.argsort(-self.theta, kind="stable")]
        seen = np.zeros(self.decisions.size)
        for chosen, times, _ in self.scores.totals(self.decisions):
            seen[list(chosen)] += times
        columns = {
            "element": order,
            "label": [self.decisions.labels[e] for e in order],
            "adds": self.theta[order],
            "seen": seen[order],
            "in_best": [self.standing[e] for e in order],
        }
        return pd.DataFrame(columns)

    def report(self) -> Report:
        """Members, what is proved, and which team is next."""
        frame, count = self.table(), int(self.scores.counts.sum())
        columns = {
            "member": frame["label"],
            "adds": map("{:.4g}".format, frame["adds"]),
            "seen": map("{:,.0f}".format, frame["seen"]),
            "in the best team": map(_WORDS.__getitem__, frame["in_best"]),
        }
        title = f"{self.scores.name}: {_scores(count)}, {self.decisions.name}"
        return Report(
            arms=TextTable.of(columns, title=title),
            lines=tuple(self.proof_lines()),
            open=tuple(self.next_lines()),
        )

    def proof_lines(self) -> list[str]:
        """What is proved, and on what that rests, one sentence per line."""
        sigma = f"sigma of a score: {self.sigma:.4g}, as given"
        if not self.sigma_given:
            why = "by what members do not explain; --sigma gives another"
            sigma = f"sigma of a score: at most {self.sigma:.4g} {why}"
        who = self.decisions.describe(self.best)
        if self.proved:
            proved = f"{who} is the best team"
        elif math.isinf(self.loss):
            proved = f"nothing yet of {who}, which is ahead"
        else:
            proved = f"no team is better by more than {self.loss:.3g} than {who}, which is ahead"
        confidence = f"{100.0 * (1.0 - self.delta):.4g} %"
        way = "" if self.planned else ", however teams were chosen"
        plain = not self.planned and self.sigma_given and self.scores.size is not None
        shown = () if plain else self.assumes
        way += f", if {', and '.join(shown)}" if shown else ""
        warnings = [each.warning("scores") for each in self.scores.clusters]
        others = [f"{_scores(self.others)} of teams that are no {self.decisions.name} count, too"]
        sigma = ". ".join([sigma, *others * (self.others > 0)])
        return [sigma, f"proved at {confidence}{way}: {proved}", *warnings]

    def next_lines(self) -> list[Part]:
        """Which teams to see next; nothing where the best one is proved."""
        if not self.next:
            return []
        teams = [(self.decisions.describe(chosen), times) for chosen, times in self.next]
        about = ""
        if math.isfinite(self.missing):
            further = _scores(max(1, round(self.missing)), "further ")
            about = f"; about {further} to a proof, if estimates stay"
        title = f"the next {_scores(sum(times for _, times in teams))}"
        if len(teams) > _LISTED:
            title += f", the first {_LISTED} of {len(teams):,} teams"
        table = TextTable(["team", "times"], teams[:_LISTED], title)
        return [f"next: {teams[0][0]}{about}", table]


def _scores(count: int, more: str = "") -> str:
    """Such as ``1 further score``."""
    return f"{count:,} {more}score{'s' * (count != 1)}"
