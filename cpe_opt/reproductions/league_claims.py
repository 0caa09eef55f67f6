r"""What a league's table says: errors, the least that is needed, and who is ahead.

On average no algorithm that errs with probability at most delta needs less than
:math:`T^* \mathrm{kl}(\delta, 1-\delta)` where one answer is right, and
:math:`T^* \mathrm{kl}((1-\delta)/m, \delta)` where it may name any of m right ones, as long as
:math:`(1-\delta)/m \ge \delta`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from cpe_opt.reproductions.league_table import Cell, Table
from cpe_opt.reproductions.page import Claim
from cpe_opt.reproductions.statistics import all_hold, errs_at_most

NEAR = 10.0


def least_multiple(winners: int, delta: float) -> float:
    """What no algorithm needs less than on average, by T* ln(1/delta)."""
    named = (1.0 - delta) / winners
    if named <= delta:
        return 0.0
    information = named * math.log(named / delta) + (1.0 - named) * math.log(
        (1.0 - named) / (1.0 - delta)
    )
    return information / math.log(1.0 / delta)


def errs_as_allowed(table: Table, delta: float, answer: str = "winner") -> Claim:
    """Whether anybody errs more often than promised, over all instances of its theorem."""
    found = [(learner, *table.errors(learner)) for learner in table.learners]
    found = [each for each in found if each[-1]]
    return Claim(
        f"No learner names a wrong {answer} with a probability above delta = {delta}",
        "the 95 % limit of Clopper and Pearson for the probability of an error, over the runs on "
        f"all instances that its theorem covers, is at most {delta}; it differs where so many "
        "errors are less than 5 % likely",
        ", ".join(f"{learner} {table.errors_text(learner)}" for learner, *_ in found),
        all_hold(errs_at_most(wrong, runs, delta) for _, wrong, runs in found),
    )


def no_fewer(
    table: Table, least: Callable[[str, str], float | None], published: str, criterion: str
) -> Claim:
    """Whether somebody stops earlier than can be, on average.

    Parameters
    ----------
    table : Table
    least : callable
        Of a learner and an instance: :func:`least_multiple`, or None where nothing is said.
    published, criterion : str
    """
    below, count = [], 0
    for learner in table.learners:
        for cell in table.line(learner):
            multiple = least(learner, cell.instance)
            if multiple is None:
                continue
            count += 1
            if not cell.unfinished and cell.mean.high < multiple:
                below.append(f"{learner} on {cell.instance} {cell.mean_text}")
    return Claim(
        published,
        criterion,
        f"{len(below)} of {count} are" + "".join(f"; {each}" for each in below),
        not below if count else None,
    )


def near_the_time(table: Table, learner: str) -> Claim:
    """Whether a learner that tracks comes near its bound."""
    line = table.line(learner)
    worst = max(line, key=lambda cell: cell.mean.high)
    return Claim(
        f"{learner} is near its bound",
        f"at most {NEAR:g} T* ln(1/delta) on average on every instance that its theorem covers, "
        "the 95 % intervals too",
        f"{table.typical(learner):.1f} on (geometric) average, at most {worst.mean_text}, "
        f"on {worst.instance}",
        all_hold(_at_most(cell, NEAR) for cell in line),
    )


def _at_most(cell: Cell, multiple: float) -> bool | None:
    """Whether it is; runs that were cut off can only show that it is not."""
    held = cell.mean.within(high=multiple)
    return None if held and cell.unfinished else held


def fewer_than_all(
    table: Table, learner: str, others: Sequence[str], samples: str = "duels"
) -> Claim:
    """Whether a learner needs less than all others that look for the same."""
    verdicts, texts = [], []
    for cell in table.line(learner):
        rivals = [table.cell(name, cell.instance) for name in others]
        rivals = [each for each in rivals if each.amounts and each.covered]
        if rivals:
            best = min(rivals, key=lambda each: (each.unfinished > 0, each.value))
            verdicts.append(_share_is(cell, best, 1.0))
            ratio = cell.times(best)
            texts.append(f"{cell.instance} {ratio.text('.2f')} times {best.learner}")
    return Claim(
        f"{learner} needs fewer {samples} than all others that look for the same and are told the "
        "same",
        f"the 95 % interval of the ratio of mean {samples}, to the best other one, is below 1 on "
        "every instance that both theorems cover",
        ", ".join(texts) or "there is no other",
        all_hold(verdicts) if verdicts else None,
    )


def share_of(
    table: Table, learner: str, others: Mapping[str, float], samples: str, only: str = ""
) -> Claim:
    """Whether a learner needs at most certain shares of what others need, everywhere.

    Parameters
    ----------
    table : Table
    learner : str
    others : mapping of learner to share
    samples : str
        What they are called.
    only : str
        Of instances whose names begin so.
    """
    verdicts, texts = [], []
    for other, share in others.items():
        pairs = [
            (cell, rival)
            for cell in table.line(learner)
            if cell.instance.startswith(only)
            and (rival := table.cell(other, cell.instance)).amounts
            and rival.covered
        ]
        verdicts += [_share_is(*pair, share) for pair in pairs]
        if pairs:
            worst = max(pairs, key=lambda pair: pair[0].times(pair[1]).value)
            texts.append(
                f"{worst[0].times(worst[1]).text('.3f')} of {other}'s at most, on "
                f"{worst[0].instance}"
            )
    shares = ", ".join(
        f"{share:.3g} of {other}'s" if share < 1.0 else f"{other}'s"
        for other, share in others.items()
    )
    instances = f"every instance {only}-…" if only else "every instance"
    return Claim(
        f"{samples.capitalize()} of {learner} are at most {shares}",
        f"mean {samples} are at most that share on {instances}, the 95 % intervals of the "
        "ratios too",
        "; ".join(texts) or "there is no other",
        all_hold(verdicts) if verdicts else None,
    )


def _share_is(cell: Cell, other: Cell, share: float) -> bool | None:
    """Whether one needs at most this share of another; None where cut runs leave it open."""
    held = cell.times(other).within(high=share)
    # Runs that were cut off are a lower bound.
    cut = (held and cell.unfinished) or (held is False and other.unfinished)
    return None if cut else held
