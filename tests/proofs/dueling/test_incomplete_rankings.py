"""Lists whose length and content depend on the ranking prove nothing that is false.

Voters rank four alternatives, and list what a rule of theirs picks. The truth is known exactly, by
summing over the 24 orders: the mean over all voters of what their lists say, read with the others
last. Where only pairs that a list names count ("ignore"), nothing may be said that contradicts the
voters' whole rankings, either.
"""

import itertools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.proofs.dueling.evidence import statements
from tests.proofs.test_validity import contradicts

ORDERS = list(itertools.permutations(range(4)))
LOOKS = (20, 50, 100, 200, 400, 800)


def two_of_three_if_the_second_is_low(order):
    """The example of the module on PrefLib: who has 1 last leaves it out."""
    return tuple(k for k in order if k != 1) if order.index(1) > order.index(0) else order[:2]


def in_pairs_that_agree(order):
    """0 and 1 both, where 1 is the better; else one of them, and the rest."""
    return order if order.index(1) < order.index(0) else tuple(k for k in order if k != 1)


# A little more than equal shares, which would tie all whole rankings: 0 wins against 1.
SHARES = np.array([1.2 if o.index(0) < o.index(1) else 0.8 for o in ORDERS]) / 24


def mean_of(listed):
    """How much of all votes on each pair an alternative has, the others last."""
    mu = np.zeros((4, 4))
    for share, order in zip(SHARES, listed, strict=True):
        place = np.full(4, 9)
        place[list(order)] = range(len(order))
        mu += share * ((place[:, None] < place) + 0.5 * (place[:, None] == place))
    mu[np.abs(mu - 0.5) < 1e-9] = 0.5
    return mu


def false_logs(rule, logs, seed, folder, delta=0.05):
    """How many logs contradict the truth at some look: last, ignore, and lists taken for votes."""
    rng, listed = np.random.default_rng(seed), [rule(order) for order in ORDERS]
    whole, read = mean_of(ORDERS), mean_of(listed)
    wrong = np.zeros((logs, 3), dtype=bool)
    for log in range(logs):
        counts = np.zeros(24, dtype=int)
        for before, voters in itertools.pairwise((0, *LOOKS)):
            counts += rng.multinomial(voters - before, SHARES)
            lines = [
                f"{count}: {','.join(str(k + 1) for k in order)}\n"
                for count, order in zip(counts, listed, strict=True)
                if count
            ]
            path = folder / "lists.soi"
            path.write_text("# NUMBER ALTERNATIVES: 4\n" + "".join(lines))
            last = cpe.read_votes(path)
            seen = cpe.read_votes(path, unranked="ignore")
            taken = cpe.Votes(seen.wins, tied=seen.tied, independent=False)
            wrong[log] |= (
                contradicts(statements(last, delta), read),
                contradicts(statements(seen, delta), whole),
                bool((statements(taken, delta).beats & (whole <= 0.5)).any()),
            )
    return wrong.sum(axis=0).tolist()


def test_lists_that_are_taken_for_votes_prove_what_is_false(tmp_path):
    last, ignored, taken = false_logs(in_pairs_that_agree, 3, 1, tmp_path)
    assert (last, ignored, taken) == (0, 0, 3)


@pytest.mark.slow
@pytest.mark.parametrize("rule", [two_of_three_if_the_second_is_low, in_pairs_that_agree])
def test_of_three_hundred_logs_of_lists_no_more_than_a_share_of_delta_is_false(rule, tmp_path):
    last, ignored, _ = false_logs(rule, 300, 2, tmp_path)
    assert last <= 15
    assert ignored <= 15
