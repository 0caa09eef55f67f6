"""What the league's page and pictures say of their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from cpe_opt.reproductions.league_curves import BINDING, FALLING
from cpe_opt.reproductions.league_field import (
    DELTA,
    LeagueInstance,
    identification_entries,
    regret_entries,
)
from cpe_opt.reproductions.league_pictures import Heading
from cpe_opt.reproductions.league_regret import horizon_of, told_by
from cpe_opt.reproductions.league_table import Table
from cpe_opt.reproductions.settings import Settings

REGRET = (
    "Mean regret after T duels, as a multiple of what no algorithm goes below for large T: C* "
    "ln T of `copeland_bound`, for algorithms whose regret grows less than any power of T on "
    "all matrices. Learners that are told of a Condorcet winner are compared with the bound "
    "that holds for these, where there is one (*C\\*, Condorcet* below). *typical*: the "
    "geometric mean of the line where the learner's theorem holds. Grey in the picture, in "
    "brackets here: the learner's theorem needs a Condorcet winner, or that no two arms tie, "
    "and there is none, or they do. \\*: a slow learner, run to a tenth of the rounds, and "
    "compared with the bound there. †: the exploration that attains C* takes more than a "
    "tenth of the rounds, so that the bound says nothing yet, and multiples below 1 "
    "contradict nothing. CCB and RUCB have alpha = 0.51 as in their papers' experiments; "
    "their theorems ask for more than 1."
)
IDENTIFICATION = (
    f"Mean duels until the answer at delta = {DELTA}, by T* ln(1/delta) of what the learner "
    "identifies, the asymptotic number of the best algorithms: `copeland_time`, `condorcet_time`, "
    "`borda_time`; a ranking is compared with a "
    "Copeland winner, its first arm, which asks for less. **>**: not all runs were done by the "
    "duels after which they are cut off (10,000,000; 2,000,000 where the race holds all pairs "
    "of 64 arms or more): the number is a lower bound. ✗: so many runs ended with a wrong "
    "answer. –: there is nothing to identify, or the learner's theorem says nothing; out: too "
    "slow, see below. In brackets: the theorem does not say that the learner stops where two "
    "arms tie. `noisy-tournament` is told the least advantage of all pairs, which the others "
    "are not."
)
INSTANCES = (
    "Random ones are those of `problems/dueling/random_matrices.py` with seed 1, whatever they "
    "are: with seed 0 the two best of 16 arms of Bradley and Terry win 0.501 of their duels. "
    "*explored*: the share of the T rounds that the exploration which attains C* takes."
)


def regret_heading(
    table: Table, instances: Sequence[LeagueInstance], settings: Settings
) -> Heading:
    """Around the picture of regret."""
    told = told_by(instances, settings)
    played = [each for each in instances if each.name in table.instances]
    wants = {entry.name for entry in regret_entries() if entry.wants_condorcet}
    rounds = {each.many: f"{horizon_of(each, settings):,}" for each in instances}
    words = f"T = {rounds[False]} rounds"
    if True in rounds:
        words += f", {rounds[True]} from 64 arms on (*: a tenth of that)"
    return Heading(
        "What learners lose while they learn, as a multiple of what no algorithm can avoid in the "
        "long run",
        [
            ("for any\nmatrix", [name for name in table.learners if name not in wants]),
            ("made for a\nCondorcet\nwinner", [name for name in table.learners if name in wants]),
        ],
        _columns(played),
        _labels(played),
        [name for name in table.instances if name not in told],
        [
            f"Numbers: mean regret by C* ln T, {words}; after a name, the number of arms.",
            "For learners made for a Condorcet winner the bound is that of algorithms which are "
            "told that there is one.",
            "Grey: the learner's theorem does not cover the matrix.  out: too slow.  typical: "
            "geometric mean where the theorem holds.",
            "†: T is too short for the bound to say much; a multiple below 1 contradicts nothing.",
        ],
    )


def identification_heading(table: Table, instances: Sequence[LeagueInstance]) -> Heading:
    """Around the picture of identification."""
    targets = {entry.name: entry.target for entry in identification_entries()}
    groups = [
        (words, [name for name in table.learners if targets[name] == target])
        for target, words in (
            ("copeland", "a Copeland\nwinner"),
            ("ranking", "all\nranks"),
            ("condorcet", "the Condorcet\nwinner"),
            ("borda", "the Borda\nwinner"),
        )
    ]
    return Heading(
        f"Duels until the answer, wrong with a probability of at most {DELTA}, as a multiple of "
        "what no algorithm can avoid",
        [(words, learners) for words, learners in groups if learners],
        _columns(instances),
        _labels(instances),
        (),
        [
            "Numbers: mean duels by T* ln(1/δ) of what the learner is after (left).  > : not done "
            "when cut off, a lower bound.  1✗: one run gave a wrong answer.",
            "–: nothing to identify.  out: too slow.  Grey: the learner need not stop, as two arms "
            "tie.  typical: geometric mean where the theorem holds.",
            "noisy-tournament is told how near ½ a chance may be. For Borda winners T* is the "
            "bound of normal outcomes; that of duels may be less.",
        ],
        errors=True,
        curves=FALLING + BINDING,
    )


def _columns(instances: Sequence[LeagueInstance]) -> list[tuple[str, list[str]]]:
    """Kinds of instances, which are in this order."""
    kinds = (("one arm beats all others", True), ("no arm beats all others", False))
    found = [
        (words, [each.name for each in instances if each.condorcet == kind])
        for words, kind in kinds
    ]
    return [(words, names) for words, names in found if names]


def _labels(instances: Sequence[LeagueInstance]) -> dict[str, str]:
    """Names with the number of arms."""
    return {
        each.name: each.name
        if each.name.endswith(f"-{each.problem.arms}")
        else f"{each.name} ({each.problem.arms})"
        for each in instances
    }
