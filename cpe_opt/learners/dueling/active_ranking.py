r"""Active ranking: the k arms with the largest Borda scores, by duels against random opponents.

In round t every arm that is still active duels an arm that is drawn uniformly from all others, and
:math:`\hat b_i` is its share of wins in the rounds so far; a duel counts for the arm whose turn it
is alone. Let k' be how many of the k best are still to be selected, :math:`\hat b_{(1)} \ge
\hat b_{(2)} \ge \dots` the sorted scores of active arms, and

.. math:: r_t = \sqrt{\frac3t \ln \frac{K (1 + \ln t)}{\delta}} .

An arm is selected once it leads the (k'+1)-st by more than :math:`2 r_t`, and dropped once the
k'-th leads it by as much. When k are selected, or so many active arms are left as are to be, these
are the answer. With a margin :math:`\varepsilon` the selected arms and the first k' of the active
ones are the answer as soon as :math:`\hat b_{(k')} - \hat b_{(k'+1)} > 2 r_t - \varepsilon`.

**The guarantee.** With probability at least :math:`1 - \delta` all
:math:`|\hat b_i - b_i| \le r_t`; then who is selected is one of the k best, who is dropped is none,
and no arm outside of the answer has a score above that of one inside by more than the margin.

*Proof.* The sum of t independent outcomes in [0, 1] less their means exceeds x at some time up to n
with probability at most :math:`e^{-2x^2/n}` (Hoeffding). Of rounds from :math:`2^m` on and before
:math:`2^{m+1}`, :math:`t r_t \ge 2^m r_{2^m}` as t r grows, so that

.. math:: P(\exists t: |\hat b_i - b_i| > r_t) \le 2 \sum_{m \ge 0}
          e^{-3 \ln(K(1 + m \ln 2)/\delta)}
          = 2 \Bigl(\frac\delta K\Bigr)^3 \sum_{m \ge 0} \frac1{(1 + m \ln 2)^3}
          \le 2.8 \Bigl(\frac\delta K\Bigr)^3 \le \frac\delta K ,

for the sum is below 1.4 and K at least 2. A union over the arms gives the first part. A lead by
more than :math:`2 r_t` is then a true one, which gives the second. Now let i be inside and j
outside. If both were active at the end, i among the first k', the last lead is by more than
:math:`-\varepsilon`. If j was dropped and i not selected, k arms are better than j. Not all of them
are inside, as i is; the best of those that are outside was not dropped, for k arms would be better
than it, of which one more were outside; so it was active, and is better than i by less than
:math:`\varepsilon`. If i was selected and j not dropped, there is nothing to show where j was then
behind i's lead. Else j was among the first k' and not selected, and since it is outside, an arm m
is inside that was behind the lead of i and is worse than it: if m was active at the end, j is
better than m by less than :math:`\varepsilon`, and else m takes the place of i in this argument.
If both were decided about, i is one of the k best and j is none. ∎

**What it is read from.** The authors' program (``topkalg`` of supplement_active_ranking), not the
paper's text. The program has several thresholds; :math:`2 r_t`, four times
:math:`\sqrt{0.75 \ln(K(1 + \ln t)/\delta)/t}`, is one of them. (For its default,
:math:`\sqrt{\ln(3K \ln(1.12 t)/\delta)/t}`, no proof is known to us.) The program forgets arms that
are active when k' of them are left to select; here they are selected. It subtracts its margin from
every lead, by which the errors of one arm after another add up; here it counts once, at the end.
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.borda_tracking import borda_tie
from cpe_opt.learners.queries import HorizonReached, Unproved, ask_all
from cpe_opt.problems.pairs import ScoreMargin
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.validation import Arms, ErrorProbability, PositiveInt, checked_count

_EARLY = "arms were still to be decided about"


@declare(
    family="dueling",
    goal="identification",
    guarantee="the Borda winner, or the best set of as many arms as top says, with probability at "
    "least 1 - delta",
    within="no Borda score is larger than its own by more than {margin:g}",
    paper="Heckel, Shah, Ramchandran, Wainwright (AoS 2019)",
    endless_if="two arms share the Borda score of rank top, and the margin is 0",
    endless_on=borda_tie,
    batches="a duel of every arm that is still active",
    winner="Borda",
)
def active_ranking(
    arms: Arms,
    *,
    rng: np.random.Generator,
    delta: ErrorProbability = 0.05,
    top: PositiveInt = 1,
    margin: ScoreMargin = 0.0,
) -> Generator[Duel | Batch, int, int | tuple[int, ...] | Unproved]:
    """Find the arms with the largest Borda scores by duels against random opponents.

    Parameters
    ----------
    rng : Generator
        Draws opponents.
    top : int
        k, from 1 to K - 1.
    margin : float
        From 0 to below 1, in the unit of the score: no score is larger than that of an arm of the
        answer by more than the margin.

    Returns
    -------
    int, or tuple of int
        The Borda winner, or the k best arms in ascending order; where the rounds end before they
        are known, those selected, and those that lead.

    References
    ----------
    Heckel, Shah, Ramchandran, Wainwright, "Active Ranking from Pairwise Comparisons and When
    Parametric Assumptions Do Not Help", Annals of Statistics 47(6), 2019.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("active-ranking", mu, delta=0.05, seed=0)
    >>> trace.answer, trace.proved
    (0, True)
    """
    top = checked_count("top", top, most=arms - 1)
    active, won, selected, t = np.arange(arms), np.zeros(arms), np.empty(0, dtype=np.int64), 0
    doubt = ""
    try:
        while 0 < top - len(selected) < len(active):
            others = rng.integers(arms - 1, size=len(active))
            duels = [
                Duel(i, j + (j >= i)) for i, j in zip(active.tolist(), others.tolist(), strict=True)
            ]
            won[active] += yield from ask_all(duels)
            t += 1
            needed = lead_needed(t, arms, delta) * t
            best, rest, lead = decided(won[active], top - len(selected), needed)
            if lead > needed - margin * t:
                break
            selected, active = np.append(selected, active[best]), active[rest]
    except HorizonReached:
        doubt = _EARLY
    order = active[np.argsort(-won[active], kind="stable")]
    found = sorted([*selected.tolist(), *order[: top - len(selected)].tolist()])
    answer = found[0] if top == 1 else tuple(found)
    return Unproved(answer, doubt) if doubt else answer


def lead_needed(t: int, arms: int, delta: float) -> float:
    """By how much scores of t rounds have to differ."""
    return 4.0 * math.sqrt(0.75 * math.log(arms * (1.0 + math.log(t)) / delta) / t)


def decided(won: FloatArray, k: int, needed: float) -> tuple[IntArray, IntArray, float]:
    """The places among the k best, those left to decide, and by how much the k-th leads."""
    ranked = -np.sort(-won)
    best = won - ranked[k] > needed
    rest = ~best & ~(ranked[k - 1] - won > needed)
    return np.flatnonzero(best), np.flatnonzero(rest), float(ranked[k - 1] - ranked[k])
