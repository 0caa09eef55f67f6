"""How many calls a proof takes: tables with the means that are said, runs, what is refused."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.experiments.calls import random_table
from tests.commands.test_cli import run

SMALL = {"arms": 4, "items": 60, "gap": 0.2, "runs": 4}


@pytest.mark.parametrize(("top", "gaps"), [(1, (0.05,)), (2, (0.1,)), (1, (0.05, 0.1, 0.3))])
def test_tables_of_scores_have_the_gap(top, gaps):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        table = random_table(rng, "scores", 4, 200, np.array(gaps), 0.9, top=top)
        means = np.sort(table.means)[::-1]
        assert means[0] == pytest.approx(0.7)
        assert means[top - 1] - means[top] == pytest.approx(gaps[0])
        assert means[-1] >= 0.7 - gaps[-1] - 0.2 - 1e-9
        if len(gaps) == 3:
            assert means.tolist() == pytest.approx([0.7, 0.65, 0.6, 0.4])
        agreed = (table.scores == table.hints).mean()
        assert 0.85 < agreed < 0.95


def test_tables_of_duels_have_the_gap():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        table = random_table(rng, "duels", 4, 200, np.array([0.1]), None)
        best = table.condorcet_winner
        ahead = np.sort(table.table.array[best])[1]
        assert ahead == pytest.approx(0.6, abs=0.003)


def test_arms_are_in_a_random_order():
    tables = [
        random_table(np.random.default_rng(seed), "scores", 4, 50, np.array([0.1]), None)
        for seed in range(30)
    ]
    assert {table.winners[0] for table in tables} == {(0,), (1,), (2,), (3,)}


@pytest.mark.parametrize(("kind", "items"), [("scores", 80), ("duels", 40)])
def test_a_cheap_judge_that_is_always_right_saves_most_calls(kind, items):
    needed = cpe.calls_needed(3, items, 0.1, 1.0, kind=kind, runs=3)
    assert needed.cells == 240
    assert needed.cheap.mean < 0.8 * needed.plain.mean
    assert needed.best is needed.cheap


def test_it_takes_what_the_learner_takes():
    """A run is one of ``simulate`` on a table of that kind."""
    needed = cpe.calls_needed(**{**SMALL, "items": 30, "runs": 20})
    calls = []
    for seed in range(20):
        rng = np.random.default_rng(seed + 1000)
        table = random_table(rng, "scores", 4, 30, np.array([0.2]), None)
        calls.append(cpe.simulate("score-tracking", table, delta=0.05, seed=seed).samples)
    error = np.hypot(needed.plain.error, np.std(calls) / 20**0.5)
    assert abs(needed.plain.mean - np.mean(calls)) < 4.0 * error


def test_ties_leave_means_as_they_are_and_say_nothing_to_the_cheap_judge():
    rng, gaps = np.random.default_rng(1), np.array([0.1, 0.2, 0.45])
    for agreement in (0.5, 1.0):
        table = random_table(rng, "duels", 4, 100, gaps, agreement, ties=0.3)
        shares, best = table.table.array, table.condorcet_winner
        assert np.sort(np.delete(shares[best], best)) == pytest.approx(0.5 + gaps, abs=0.005)
        tied = np.delete((table.outcomes[best] == 0.5).mean(axis=(1, 2)), best)
        assert np.sort(tied) == pytest.approx([0.1, 0.3, 0.3], abs=0.01)
        both = table.hints[np.triu_indices(4, 1)], table.outcomes[np.triu_indices(4, 1)]
        said = both[0] == both[1]
        assert not said[both[1] == 0.5].any()
        assert abs(said[both[1] != 0.5].mean() - agreement) < 0.1
        assert abs(both[0][both[1] == 0.5].mean() - 0.5) < 0.1


def test_the_same_seed_gives_the_same():
    one, two, other = (cpe.calls_needed(**{**SMALL, "runs": 2}, seed=seed) for seed in (3, 3, 4))
    assert one.plain.calls.tolist() == two.plain.calls.tolist() != other.plain.calls.tolist()


@pytest.mark.parametrize("kind", ["scores", "duels"])
def test_arms_that_are_equal_have_a_proof_at_the_end(kind):
    needed = cpe.calls_needed(3, 12, [0.0, 0.0], kind=kind, runs=3)
    assert needed.plain.mean > 0.5 * needed.cells
    assert needed.plain.probability(needed.cells) == 1.0


def test_questions_that_are_open_count_and_rounds_are_waits():
    alone = cpe.calls_needed(**SMALL)
    at_once = cpe.calls_needed(**SMALL, parallel=16)
    in_rounds = cpe.calls_needed(**SMALL, rounds=4)
    assert alone.plain.calls.tolist() == alone.plain.rounds.tolist()
    assert at_once.plain.mean > alone.plain.mean
    assert (at_once.plain.rounds * 16 >= at_once.plain.calls).all()
    assert in_rounds.plain.rounds.mean() < 12


def test_chances_and_quantiles():
    needed = cpe.calls_needed(**SMALL)
    calls = np.sort(needed.plain.calls)
    assert needed.plain.probability(calls[0] - 1) == 0.0
    assert needed.plain.probability(calls[1]) == pytest.approx((calls <= calls[1]).mean())
    assert needed.plain.probability(needed.cells) == 1.0
    assert needed.plain.quantile(1.0) == calls[-1]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"arms": 1}, "arms is 1, expected a whole number, at least 2"),
        ({"gap": -0.1}, "gap is -0.1, expected a number from 0"),
        ({"gap": 0.8}, "gap is 0.8, expected a number from 0 to the level, 0.7"),
        ({"gap": [0.1, 0.2]}, "gap has 2 numbers, expected one, or 3"),
        ({"agreement": 1.5}, "agreement is 1.5"),
        ({"kind": "stars"}, "unknown kind 'stars'"),
        ({"kind": "duels", "top": 2}, "top is 2, expected .* of duels 1"),
        ({"kind": "duels", "gap": 0.6}, "gap is 0.6, expected a number from 0 to a half, 0.5"),
        ({"ties": 0.1}, "ties is 0.1, and has no effect on scores"),
        ({"top": 4}, "top is 4, expected fewer than the 4 arms"),
        ({"runs": 0}, "runs is 0"),
    ],
)
def test_what_is_refused(given, said):
    with pytest.raises(cpe.InputError, match=said.replace("(", r"\(")):
        cpe.calls_needed(**{**SMALL, **given})


def test_the_command_and_the_picture(tmp_path):
    plot = tmp_path / "calls.png"
    options = ["--arms", 4, "--items", 60, "--gap", 0.2, "--agreement", 0.9, "--runs", 2]
    done = run("calls", *options, "--budget", 200, "--plot", plot)
    assert done.exit_code == 0, done.output
    assert "without the cheap judge" in done.output
    assert plot.stat().st_size > 1000
    assert run("calls", "--gap", "x").exit_code == 2
    assert run("calls", "--kind", "x").exit_code == 2
    axes = cpe.plot_calls(cpe.calls_needed(**{**SMALL, "runs": 2}, agreement=0.9), budget=100)
    assert len(axes.lines) == 3
