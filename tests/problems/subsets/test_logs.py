"""Logs that managers have: teams with scores."""

import itertools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError

NAMES = ["ann", "bob", "cleo", "dan", "eve"]


@pytest.fixture
def write(tmp_path):
    def written(text, name="log.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


def log_of(theta, noise, times, mark=" + ", seed=0, k=2):
    rng = np.random.default_rng(seed)
    lines = ["Team;Score;Remark"]
    for team in itertools.combinations(range(len(theta)), k):
        for _ in range(times):
            score = sum(theta[e] for e in team) + noise * np.sqrt(k) * rng.normal()
            lines.append(f"{mark.join(NAMES[e] for e in team)};{float(score)!r};x")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("mark", [" + ", "+", " "])
def test_members_are_parted_by_a_plus_or_by_blanks(write, mark):
    theta = [3.0, 1.0, 2.5, 0.5, -1.0]
    text = log_of(theta, 0.0, 1, mark)
    bandit = cpe.load_problem(write(text))
    assert bandit.labels == tuple(NAMES)
    assert bandit.decisions.rank == 2
    np.testing.assert_allclose(bandit.theta, theta, atol=1e-9)


def test_means_and_noise_are_those_of_least_squares(write):
    theta = np.array([3.0, 1.0, 2.5, 0.5, -1.0])
    bandit = cpe.load_problem(write(log_of(theta, 0.7, 400, k=3)))
    np.testing.assert_allclose(bandit.theta, theta, atol=0.1)
    assert bandit.noise == pytest.approx(0.7, abs=0.02)
    assert cpe.load_problem(bandit_path := write(log_of(theta, 0.7, 1)), 3).decisions.rank == 3
    assert bandit_path.name == "log.csv"


def test_a_count_says_that_a_score_is_a_mean(write):
    once = "team,score\na b,3\na b,5\na c,2\nb c,1\n"
    twice = "team,score,count\na b,4,2\na c,2,1\nb c,1,1\n"
    first, second = (cpe.read_scores(write(text)).means() for text in (once, twice))
    np.testing.assert_allclose(first, second)
    weights = "team,score,count\na b,4,200\na c,2,1\nb c,1,1\na,1,1\n"
    a, b, c = cpe.read_scores(write(weights)).means()
    assert a + b == pytest.approx(4.0, abs=0.01)  # what was seen often decides
    assert [a, b, c] != pytest.approx([2.5, 1.5, -0.5], abs=0.1)


def test_teams_of_any_size_ask_for_k(write):
    path = write("team,score\na b,3\na c,2\nb c,1\na,1\n")
    with pytest.raises(InputError, match="teams of different sizes, 1 to 2; how many"):
        cpe.load_problem(path)
    assert cpe.load_problem(path, 2).decisions.count() == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("team,score\na+b,1\nc+d,2\n", "do not tell apart what a, b, c, d add"),
        ("team,score\na+b,1\na+b,2\nb+c,1\n", "do not tell apart what a, b, c add"),
        ("team,score\na+a,1\n", r"line 2: team is 'a\+a', expected different names and"),
        ("team,score\na+b,x\n", "line 2: score is 'x', expected a number"),
        ("team,score\n,1\n", "line 2: the cell of 'team' is empty"),
        ("team,score,Weight\nann,1,2\n", "is 'weight' how often a team was seen"),
        (
            "team,score\nann,1\nann | bob,1\n",
            r"line 3: team is 'ann \| bob', expected different names and \+",
        ),
    ],
)
def test_logs_of_teams_that_say_too_little(write, text, said):
    with pytest.raises(InputError, match=said):
        cpe.load_problem(write(text))


# Teams as a value


@pytest.mark.parametrize("names", [("a", "b", "c"), ("a b", "c/d", "e|f,g")])
def test_a_log_comes_back(tmp_path, names):
    teams = [[names[0], names[1]], [names[1], names[2]], [names[2], names[0]], [*names]]
    log = cpe.TeamScores(teams, [1.5, -2.25, 1e-3, 0.1 + 0.2], [1, 2, 3, 4])
    cpe.write_scores(log, tmp_path / "log.csv")
    again = cpe.read_scores(tmp_path / "log.csv")
    assert (again.members, again.teams) == (log.members, log.teams)
    assert again.scores.tolist() == log.scores.tolist()
    assert again.counts.tolist() == log.counts.tolist()
    with pytest.raises(InputError, match="exists"):
        cpe.write_scores(log, tmp_path / "log.csv")


def test_totals_are_sums_by_team_in_the_numbers_of_a_class():
    log = cpe.TeamScores([["b", "a"], ["a", "c"], ["a", "b"]], [4, 1, 7], [2, 1, 1])
    assert log.totals(cpe.TopK(3, 2, ["c", "b", "a"])) == [((1, 2), 3, 15.0), ((0, 2), 1, 1.0)]
