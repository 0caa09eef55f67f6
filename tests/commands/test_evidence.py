"""``cpe-opt evidence``: what a file of votes proves, on the terminal and in files."""

import json

import pytest

import cpe_opt as cpe
from tests.commands.test_cli import run

COUNTS = "salmon tuna 35 20, salmon squid 30 28, tuna squid 60 20, salmon egg 70 10, tuna egg 65 15"
WINS = [each.split() for each in f"{COUNTS}, squid egg 62 18".split(", ")]
LOG = "winner,loser,count\n" + "".join(f"{a},{b},{m}\n{b},{a},{n}\n" for a, b, m, n in WINS)
PRICES = "first,second,price\nsalmon,tuna,2.5\nsalmon,squid,4\n" + "".join(
    f"{a},{b},1\n" for a, b, *_ in WINS[2:]
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
    for line in str(cpe.evidence(cpe.read_votes(votes))).splitlines():
        assert " ".join(line.split()) in said
    assert "salmon – tuna 55 190" in said


def test_an_anchor_has_a_thousand_points(votes):
    plain = json.loads(run("evidence", votes, "--anchor", "egg", "--json").stdout)
    assert plain["model_ranks"]["anchor"] == "egg"
    assert plain["model_ranks"]["tables"][0]["elo"]["egg"] == [1000.0] * 3
    assert "egg 4 1,000 ± 0" in " ".join(run("evidence", votes, "--anchor", "egg").stdout.split())


def test_delta_and_prices_are_those_that_are_given(votes):
    done = run("evidence", votes, "--delta", 0.2, "--prices", votes.parent / "prices.csv")
    assert "proved at 80 %" in done.stdout
    plain = json.loads(
        run(
            *("evidence", votes, "--delta", 0.2, "--json"),
            *("--prices", votes.parent / "prices.csv"),
        ).stdout
    )
    seen = cpe.read_votes(votes)
    prices = cpe.read_prices(votes.parent / "prices.csv", seen)
    found = cpe.evidence(seen, delta=0.2, prices=prices)
    assert plain["delta"] == 0.2
    assert plain["copeland"] == found.copeland
    assert plain["remaining_cost"] == found.remaining.cost
    assert found.remaining.cost == 2.5 * sum(row["duels"] for row in plain["remaining_duels"])


def test_what_an_incomplete_ranking_says_is_chosen_for_rankings_alone(votes, tmp_path):
    lists = tmp_path / "lists.soi"
    lists.write_text("# NUMBER ALTERNATIVES: 3\n60: 1,3\n40: 2,1\n", encoding="utf-8")
    for option in ((), ("--unranked", "last")):
        assert "80 % 1 / 2 possible" in " ".join(run("evidence", lists, *option).stdout.split())
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


ARENA = "model_a,model_b,winner,language,date,judge\n" + "".join(
    f"x,y,{'model_a' if k % 10 < wins else 'model_b'},{language},2026-0{1 + k % 2}-01,j{k // 2}\n"
    for language, votes, wins in (("en", 120, 8), ("de", 60, 2), ("zh", 4, 5))
    for k in range(votes)
)


@pytest.fixture
def arena(tmp_path):
    path = tmp_path / "arena.csv"
    path.write_text(ARENA, encoding="utf-8")
    return path


def test_filters_choose_the_votes_of_several_files(arena, tmp_path):
    more = tmp_path / "more.csv"
    head = "model_a,model_b,winner,language,date\n"
    more.write_text(head + "y,x,model_a,en,1769904000\ny,x,model_a,fr,1769904000000\n")
    options = ("--where", "language=en,fr", "--since", "2026-02-01")
    plain = json.loads(run("evidence", arena, more, *options, "--json").stdout)
    assert plain["votes"]["files"] == [["arena.csv", 60], ["more.csv", 2]]
    assert plain["votes"]["filters"] == [
        ["where language is en or fr", 64],
        ["since 2026-02-01", 60],
    ]
    said = " ".join(run("evidence", arena, "--unique", "judge,pair").stdout.split())
    assert "of each combination of judge, pair the first vote counts alone; 124 further" in said
    for wrong, message in (
        (("--where", "winner=x"), "'winner' says how votes went"),
        (("--where", "language"), "expected such as language=en"),
        (("--where", "language=en", "--where", "language=de"), "and each column once"),
        (("--by", "winner"), "'winner' says how votes went"),
        (("--by", "lang"), "no column 'lang'"),
        (("--by", "language", "--plot", tmp_path / "p.png"), "--plot has no effect here"),
        (("--by", "language", "--anchor", "z"), "anchor is 'z', expected an arm of a group"),
        (("--anchor", "z"), "anchor is 'z', expected one of"),
        (("--json", "--markdown"), "two forms of one output"),
    ):
        refused = run("evidence", arena, *wrong)
        assert refused.exit_code == 2
        assert message in " ".join(refused.stderr.split())


def test_a_board_for_each_group_in_text_json_and_on_a_page(arena, tmp_path):
    page, ranks = tmp_path / "boards.html", tmp_path / "ranks.pdf"
    done = run("evidence", arena, "--by", "language", "--report", page, "--plot-ranks", ranks)
    assert done.exit_code == 0
    assert ranks.stat().st_size > 10_000
    said = " ".join(done.stdout.split())
    assert "en 120 2 x x x 1 of 1" in said
    assert "de 60 2 y y y 1 of 1" in said
    assert "zh 4 2 x nobody nobody 0 of 1" in said
    assert "each of the 3 groups has 0.01667 of the 0.05" in said
    text = page.read_text(encoding="utf-8")
    assert text.count('class="matrix"') == 3
    assert "<h2>language: de</h2>" in text
    plain = json.loads(run("evidence", arena, "--by", "language", "--json").stdout)
    assert plain["groups"]["de"]["copeland"] == {"y": "proved", "x": "ruled out"}
    assert plain["groups"]["de"]["delta"] == pytest.approx(0.05 / 3)


def test_markdown_is_a_table_and_sentences(arena):
    said = run("evidence", arena, "--where", "language=en", "--markdown").stdout
    lines = said.splitlines()
    assert lines[0] == "**arena: 2 arms**"
    assert lines[2].startswith("| arm | rank | won |")
    assert lines[3] == "|" + "---|" * lines[2].count(" | ") + "---|"
    assert lines[4].startswith("| x |")
    assert "- only votes where language is en: 64 others are left out" in lines


def test_a_session_starts_from_the_votes_that_are_chosen(arena, tmp_path):
    file = tmp_path / "s.jsonl"
    options = ("--where", "language=zh", "--unique", "judge,pair")
    assert run("session", "new", file, "--prior", arena, *options).exit_code == 0
    assert '"wins":[[0.0,2.0],[0.0,0.0]]' in file.read_text(encoding="utf-8")
    refused = run("session", "new", tmp_path / "t.jsonl", "--labels", "a,b", *options)
    assert "--where has no effect without a log of votes" in refused.stderr
