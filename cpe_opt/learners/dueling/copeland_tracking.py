r"""Track and stop: a Copeland winner with a proof, by nearly as few duels as there may be.

- *Goal.* An arm with the fewest losses.
- *Proof.* The theorem of :mod:`cpe_opt.proofs.dueling.predictable_bets`, by bets placed before each
  duel, of the weakest of the rows of :mod:`cpe_opt.formulations.dueling.confusing_instances`.
- *Duels.* Two methods choose the pairs, and the proof holds for either:

  - ``"model"``: a model of all pairs, by which pairs need not have met, leads to the champion and
    to the weakest truth, one duel or a few of them at a time
    (:mod:`cpe_opt.learners.dueling.guided_tracking`). It needs far fewer duels where arms are many,
    and none of a program.
  - ``"kept"``, and others that solve the same program differently: the exploration of T*, the LP of
    :mod:`cpe_opt.formulations.dueling.copeland_time` at the current estimates, or the relaxed plan
    where that costs less at this delta, so that as delta falls the learner tracks T*
    (:mod:`cpe_opt.learners.dueling.copeland_exploration`).

  By default it is the model, except below a delta of 1e-40, where the optimal proportions count for
  more than a quick start. With a margin, or on the cells of a fixed test set, it is always the
  model.

With votes from before on at most 64 arms the first duels are those that :func:`cpe_opt.evidence` of
the same votes lists as remaining, or shows as undecided, until there are a quarter more duels than
votes or a sign changes.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.elimination import arms_tie
from cpe_opt.learners.dueling.guided_tracking import GuidedCopeland, beliefs_and_bets
from cpe_opt.learners.dueling.pair_tracking import PairTracker, arm_prices, prior_tally
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.tracking import Checkpoint, track, track_singly
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.pairs import checked_margin
from cpe_opt.problems.queries import Batch, Duel, Window
from cpe_opt.validation import checked_delta

TrackingMethod: TypeAlias = Literal["model", "kept", "cuts", "compact", "enumerate"]
_TRACKED_DELTA = 1e-40  # from where on down the exploration of T* is tracked
_LISTED_ARMS = 64  # at most, with votes from before, for a list of the first duels


@declare(
    family="dueling",
    goal="identification",
    guarantee="a Copeland winner with probability at least 1 - delta; duels near T* ln(1/delta)",
    paper="ours; after Garivier, Kaufmann (COLT 2016), Degenne, Koolen (NeurIPS 2019)",
    endless_if="every Copeland winner has a tie that may cost it its rank, and the margin is 0",
    endless_on=arms_tie,
    batches="as many duels as the parameter parallel says, or more, if above 1",
    starts="votes",
    within="no arm is ahead of it by more than {margin:g}",
    winner="Copeland",
)
def copeland_tracking(
    arms: int,
    *,
    rng: np.random.Generator | None = None,
    delta: float = 0.05,
    prices: npt.ArrayLike | None = None,
    prior: npt.ArrayLike | Votes | None = None,
    parallel: int = 1,
    margin: float = 0.0,
    cells: npt.ArrayLike | None = None,
    answered: npt.ArrayLike | None = None,
    checkpoint: Checkpoint | None = None,
    method: TrackingMethod | None = None,
    solver: str | None = None,
) -> Generator[Duel | Batch | Window, Any, int | Unproved]:
    """Find a Copeland winner with probability at least 1 - delta, with few duels.

    Parameters
    ----------
    prices : array_like, shape (K, K), or number, optional
        What a duel of each pair costs; 1 by default. The exploration is that of the least cost.
    prior : array_like, shape (K, K), or Votes, optional
        Wins from before the first duel, ties half a win; they count in the proof, however
        they came about.
    parallel : int
        How many duels may be open at once. Above 1 so many are open all the time, as a
        :class:`cpe_opt.problems.queries.Window`; where T*'s exploration is tracked, a batch holds
        at least so many, spread over pairs. It takes more duels, and the guarantee is the same.
    margin : float
        From 0 to below ½. The answer is a Copeland winner within it: no arm is ahead of it by more
        than the margin (:mod:`cpe_opt.proofs.dueling.predictable_bets`).
    method : "model", "kept", "cuts", "compact" or "enumerate", optional
        How pairs are chosen: by a model, or by the exploration of T*, of which the program is kept,
        or is that of :func:`cpe_opt.copeland_time`, from scratch whenever it is asked. By default
        the model, as a rule; the module says when not.
    solver : str, optional
        An LP solver, for the program; HiGHS by default.

    Returns
    -------
    int
        A Copeland winner; where the rounds end before it is proved, the arm that is
        best proved.

    References
    ----------
    Garivier, Kaufmann, "Optimal Best Arm Identification with Fixed Confidence", COLT 2016.

    Degenne, Koolen, "Pure Exploration with Multiple Correct Answers", NeurIPS 2019.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("copeland-tracking", mu, delta=0.05, seed=0)
    >>> trace.answer, trace.proved
    (0, True)
    """
    checked_delta(delta, None)
    margin = checked_margin(margin)
    charged = arm_prices(arms, prices)
    method = _checked_method(method, solver, delta, cells is not None or margin > 0.0)
    if method == "model":
        beliefs, bets = beliefs_and_bets(
            arms, margin=margin, cells=cells, answered=answered, prior=prior
        )
        outlook = None
        if prior is not None and margin == 0.0 and arms <= _LISTED_ARMS:
            from cpe_opt.learners.dueling.copeland_exploration import first_duels

            outlook = partial(first_duels, prior_tally(arms, prior), delta, charged)
        guided: int | Unproved = yield from track_singly(
            GuidedCopeland(beliefs, bets, delta, charged, parallel, outlook), checkpoint
        )
        return guided
    # Programs are slow to load, and most runs solve none.
    from cpe_opt.learners.dueling.copeland_exploration import exploration_goal

    goal = exploration_goal(prior_tally(arms, prior), charged, method, solver, delta)
    answer: int | Unproved = yield from track(PairTracker(goal, delta, parallel))
    return answer


def _checked_method(
    method: TrackingMethod | None, solver: str | None, delta: float, by_model: bool
) -> TrackingMethod:
    """The method, or the usual one; ``by_model`` says that only the model can choose pairs."""
    if by_model and (method or "model", solver) != ("model", None):
        raise InputError(
            "method and solver have no effect with cells or a margin: no program is solved then"
        )
    if method is None:
        method = "model" if by_model or delta > _TRACKED_DELTA else "kept"
    if method not in get_args(TrackingMethod):
        raise UnknownName("method", method, get_args(TrackingMethod))
    if method == "model" and solver is not None:
        raise InputError("solver has no effect: no program is solved where a model chooses")
    return method
