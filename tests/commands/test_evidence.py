"""``cpe-opt evidence``: what a file of votes proves, on the terminal and in files."""

import json

import pytest

import cpe_opt as cpe
from tests.commands.test_cli import run

LOG = "winner,loser,count\n" + "".join(
    f"{winner},{loser},{count}\n"
    for winner, loser, count in [
        ("salmon", "tuna", 35),
        ("tuna", "salmon", 20),
        ("salmon", "squid", 30),
        ("squid", "salmon", 28),
        ("tuna", "squid", 60),
        ("squid", "tuna", 20),
        ("salmon", "egg", 70),
        ("egg", "salmon", 10),
        ("tuna", "egg", 65),
        ("egg", "tuna", 15),
        ("squid", "egg", 62),
        ("egg", "squid", 18),
    ]
)
PRICES = "first,second,price\n" + "".join(
    f"{pair},{price}\n"
    for pair, price in [
        ("salmon,tuna", 2.5),
        ("salmon,squid", 4),
        ("salmon,egg", 1),
        ("tuna,squid", 1),
        ("tuna,egg", 1),
        ("squid,egg", 1),
    ]
)


@pytest.fixture
def votes(tmp_path):
    (tmp_path / "prices.csv").write_text(PRICES, encoding="utf-8")
    path = tmp_path / "votes.csv"
    path.write_text(LOG, encoding="utf-8")
    return path


def test_the_table_of_a_leaderboard_and_what_would_settle_it(votes):
    done = run("evidence", votes)
    assert done.exit_code == 0
    said = " ".join(done.stdout.split())
    for line in str(cpe.evidence(cpe.Votes.read(votes))).splitlines():
        assert " ".join(line.split()) in said
    assert "salmon – tuna 55 190" in said


def test_delta_prices_and_solver_are_those_that_are_given(votes):
    done = run("evidence", votes, "--delta", 0.2, "--prices", votes.parent / "prices.csv")
    assert "proved at 80 %" in done.stdout
    plain = json.loads(
        run(
            *("evidence", votes, "--delta", 0.2, "--solver", "glop", "--json"),
            *("--prices", votes.parent / "prices.csv"),
        ).stdout
    )
    found = cpe.evidence(cpe.Votes.read(votes), delta=0.2, prices=votes.parent / "prices.csv")
    assert plain["delta"] == 0.2
    assert plain["copeland"] == found.copeland
    assert plain["remaining_cost"] == found.remaining.cost
    assert found.remaining.cost == 2.5 * sum(row["duels"] for row in plain["remaining_duels"])


def test_what_an_incomplete_ranking_says_is_chosen_for_rankings_alone(votes, tmp_path):
    lists = tmp_path / "lists.soi"
    lists.write_text("3\n1,a\n2,b\n3,c\n100,100,2\n60,1,3\n40,2,1\n", encoding="utf-8")
    for option in ((), ("--unranked", "last")):
        assert "a 80 % 1 / 2 possible" in " ".join(run("evidence", lists, *option).stdout.split())
    found = run("evidence", lists, "--unranked", "ignore").stdout
    assert "proved for 0 of 3 pairs" in found
    assert "nothing is proved of pairs that some votes leave out" in " ".join(found.split())
    unknown = run("evidence", lists, "--unranked", "first").stderr
    assert "unknown unranked 'first'; known: ignore, last" in unknown
    refused = run("evidence", votes, "--unranked", "last")
    assert refused.exit_code == 2
    assert "has no effect on a log of duels" in " ".join(refused.stderr.split())


def test_without_an_end_the_cost_is_null(tmp_path):
    (tmp_path / "v.csv").write_text("winner,loser\na,b\nb,a\n", encoding="utf-8")
    done = run("evidence", tmp_path / "v.csv", "--json")
    assert json.loads(done.stdout)["remaining_cost"] is None


def test_a_picture_and_a_page_are_written_and_kept(votes, tmp_path):
    picture, page = tmp_path / "votes.png", tmp_path / "votes.html"
    done = run("evidence", votes, "--plot", picture, "--report", page)
    assert done.exit_code == 0
    said = done.stdout.replace("\n", "")
    assert f"wrote {picture}" in said
    assert f"wrote {page}" in said
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "<svg" in page.read_text(encoding="utf-8")
    for option, path in (("--plot", picture), ("--report", page)):
        refused = run("evidence", votes, option, path)
        assert refused.exit_code == 2
        assert "exists; --force overwrites it" in refused.stderr
        path.write_text("old")
        assert run("evidence", votes, option, path, "--force").exit_code == 0
        assert path.stat().st_size > 1000
