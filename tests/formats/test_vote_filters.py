"""Which votes of logs are read: by values, by time, one of each, from several files, by groups."""

import datetime
import gzip
import json

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.formats.tables import seconds_of
from cpe_opt.problems.pairs import LogNotes

LINES = [
    # model_a, model_b, winner, language, turn, judge, created_at
    ("a", "b", "model_a", "en", 1, "r1", "2026-01-01T00:00:00Z"),
    ("b", "a", "model_b", "en", 2, "r1", "2026-01-31T23:59:59Z"),
    ("a", "b", "tie", "de", 1, "r2", "2026-01-31T23:30:00-01:00"),
    ("b", "c", "model_a", "de", 1, "r2", "2026-02-01"),
    ("c", "b", "model_b", "fr", 2, "r3", "2026-02-28 12:00:00"),
    ("a", "c", "model_b", "fr", 1, "r1", "2025-12-31T23:59:59"),
]
COLUMNS = ["model_a", "model_b", "winner", "language", "turn", "judge", "created_at"]


@pytest.fixture(scope="module")
def frame():
    return pd.DataFrame(LINES, columns=COLUMNS)


def written(folder, frame):
    """The log in each kind of file, and as it is."""
    paths = [folder / f"log{suffix}" for suffix in (".csv", ".jsonl", ".json", ".parquet")]
    frame.to_csv(paths[0], index=False)
    frame.to_json(paths[1], orient="records", lines=True)
    frame.to_json(paths[2], orient="records", indent=1)
    frame.to_parquet(paths[3])
    packed = folder / "log.csv.gz"
    packed.write_bytes(gzip.compress(paths[0].read_bytes()))
    return [*paths, packed]


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ({"where": {"language": "en"}}, [0, 1]),
        ({"where": {"Language": ["en", "fr"], "turn": 1}}, [0, 5]),
        ({"where": {"turn": "2"}}, [1, 4]),
        ({"since": "2026-02-01"}, [2, 3, 4]),
        ({"until": "2026-01-31"}, [0, 1, 5]),
        ({"since": "2026-01-01", "until": "2026-01-31"}, [0, 1]),
        ({"since": datetime.date(2026, 1, 31), "until": "2026-02-01T00:00:00Z"}, [1]),
        ({"since": 1769904000, "time": "created_at", "where": {"turn": 2}}, [4]),
        ({"unique": "judge,pair"}, [0, 2, 3, 4, 5]),
        ({"unique": ["judge", "pair"], "where": {"turn": 2}}, [1, 4]),
    ],
)
def test_filters_read_the_same_lines_of_every_kind_of_file(tmp_path, frame, options, rows):
    kept = cpe.read_votes(frame.iloc[rows])
    for source in (*written(tmp_path, frame), None):
        votes = cpe.read_votes(frame if source is None else source, **options)
        assert votes.labels == kept.labels
        assert votes.wins.tolist() == kept.wins.tolist()
        left_out = sum(count for _, count in votes.summary.filters)
        assert left_out + votes.summary.left_out == len(LINES) - len(rows)


def test_times_are_texts_or_numbers_of_any_unit(frame):
    seconds = np.array([seconds_of(text) for text in frame["created_at"]])
    expected = pd.to_datetime(frame["created_at"], format="ISO8601", utc=True)
    assert (seconds == [each.timestamp() for each in expected]).all()
    for unit in (1.0, 1e3, 1e6, 1e9):
        assert [seconds_of(str(time * unit)) for time in seconds] == pytest.approx(seconds)
    stamped = frame.assign(created_at=expected.dt.tz_localize(None))
    votes = cpe.read_votes(stamped, since="2026-02-01")
    assert votes == cpe.read_votes(frame, since="2026-02-01")
    frame = frame.assign(created_at=[*frame["created_at"][:5], "soon"])
    with pytest.raises(cpe.InputError, match="row 5: the time is none; expected such as 2026"):
        cpe.read_votes(frame, since="2026-02-01")


def test_filters_by_the_outcome_are_refused(frame):
    scored = frame.assign(score=1, judge_score=2, count=1, label="x")
    for column in ("winner", "score", "judge_score", "count", "label"):
        message = f"{column!r} says how votes went, and votes that are chosen by that prove nothing"
        with pytest.raises(cpe.InputError, match=message):
            cpe.read_votes(scored, where={column: "model_a"})
    log = pd.DataFrame([("a", "b"), ("b", "a")], columns=["winner", "loser"])
    with pytest.raises(cpe.InputError, match="'loser' says how votes went"):
        cpe.read_votes(log, where={"loser": "a"})
    sides = cpe.read_votes(frame, where={"model_a": "a"})  # which arm, and not how it went
    assert sides.summary.duels == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"where": {"lang": "en"}}, "no column 'lang' .*found model_a, .*, language"),
        ({"where": {"language": "fre"}}, "language is never 'fre'; found en, de, fr"),
        ({"where": {"language": "fr", "turn": 1, "judge": "r3"}}, "no vote is left where language "
         "is fr and where turn is 1 and where judge is r3"),
        ({"where": {"language": []}}, "where: no values of 'language'"),
        ({"where": {"language": {"a": 1}}}, "language is never .{'a': 1}"),
        ({"since": "2027-01-01"}, "no vote is left since 2027-01-01"),
        ({"since": "soon"}, "since is 'soon', expected a time such as 2026-01-31"),
        ({"since": "2026-01-02", "until": "2026-01-01"}, "expected a later time"),
        ({"time": "created_at"}, "has no effect without since or until"),
        ({"since": "2026-01-01", "time": "when"}, "no column 'when'"),
        ({"unique": "rater"}, "no column 'rater'"),
        ({"filter": 1}, "unknown argument of read_votes 'filter'"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_filter_is_said(frame, options, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.read_votes(frame, **options)


def test_the_column_of_times_has_to_be_told_apart(frame):
    with pytest.raises(
        cpe.InputError, match=r"2 columns are called as times .*found created_at, tstamp"
    ):
        cpe.read_votes(frame.assign(tstamp=1), since="2026-01-01")
    with pytest.raises(cpe.InputError, match="0 columns are called as times are"):
        cpe.read_votes(frame.drop(columns="created_at"), since="2026-01-01")


def test_several_files_are_one_log(tmp_path, frame):
    frame[:3].to_csv(tmp_path / "one.csv", index=False)
    other = frame[3:]
    other.to_json(tmp_path / "two.jsonl", orient="records", lines=True)
    paths = [tmp_path / "one.csv", tmp_path / "two.jsonl"]
    for options in ({}, {"cluster": "judge"}, {"unique": "judge"}, {"since": "2026-01-01"},
                    {"where": {"language": ["en", "fr"]}}):  # fmt: skip
        assert cpe.read_votes(paths, **options) == cpe.read_votes(frame, **options)
    votes = cpe.read_votes(paths, where={"language": ["en", "fr"]})
    assert votes.summary.files == (("one.csv", 2), ("two.jsonl", 2))
    assert votes.name == "one + two"
    assert "from 2 files, read as one: one.csv 2, two.jsonl 2" in str(cpe.evidence(votes))
    groups = cpe.read_votes_by(paths, "language")
    assert {group: each.summary.duels for group, each in groups.items()} == dict.fromkeys(
        ("en", "de", "fr"), 2
    )
    counted = cpe.read_votes([frame[:3].assign(count=2), frame[3:]])
    assert counted.summary.duels == 9
    renamed = frame[3:].rename(columns={"model_a": "left"})
    with pytest.raises(cpe.InputError, match="duels: no column 'model_a'; found left, model_b"):
        cpe.read_votes([frame[:3], renamed])
    with pytest.raises(cpe.InputError, match="is named twice, and its votes would count twice"):
        cpe.read_votes([paths[0], tmp_path / "." / "one.csv"])
    (tmp_path / "m.csv").write_text("0,3\n2,0\n")
    with pytest.raises(cpe.InputError, match=r"m\.csv is a matrix, and several files"):
        cpe.read_votes([paths[0], tmp_path / "m.csv"])
    with pytest.raises(cpe.InputError, match=r"m\.csv is a matrix, and since has"):
        cpe.read_votes(tmp_path / "m.csv", since="2026-01-01")
    broken = frame[3:].assign(winner="nobody")
    broken.to_csv(tmp_path / "broken.csv", index=False)
    with pytest.raises(cpe.InputError, match=r"broken\.csv, line 2: winner is 'nobody'"):
        cpe.read_votes([paths[0], tmp_path / "broken.csv"])


def test_a_missing_cell_is_named_in_the_file_that_has_it(tmp_path, frame):
    frame[:3].to_csv(tmp_path / "one.csv", index=False)
    frame[3:].assign(judge=["r1", None, "r2"]).to_csv(tmp_path / "two.csv", index=False)
    paths = [tmp_path / "one.csv", tmp_path / "two.csv"]
    with pytest.raises(cpe.InputError, match=r"two\.csv, line 3: the cell of 'judge' is empty"):
        cpe.read_votes(paths, cluster="judge")
    with pytest.raises(cpe.InputError, match=r"line 3: the cell of 'judge' is empty, and the"):
        cpe.read_votes_by(paths, "judge")
    kept = cpe.read_votes_by(paths, "judge", where={"judge": ["r1", "r2"]})
    assert list(kept) == ["r1", "r2"]


def test_notes_on_files_and_filters_are_read_back(tmp_path, frame):
    votes = cpe.read_votes(frame, where={"language": "en"}, unique="judge,pair")
    notes = votes.counts.notes
    assert notes.filters == (("where language is en", 4),)
    assert LogNotes.of_json(json.loads(json.dumps(notes.as_json()))) == notes


def test_each_group_has_an_equal_part_of_delta():
    rng = np.random.default_rng(1)
    log = pd.DataFrame(
        {
            "winner": rng.choice(["a", "b"], 600, p=[0.7, 0.3]),
            "topic": rng.choice(["x", "y", "z"], 600, p=[0.8, 0.15, 0.05]),
        }
    )
    log["loser"] = np.where(log["winner"] == "a", "b", "a")
    groups = {topic: cpe.read_votes(log[log["topic"] == topic]) for topic in ("x", "y", "z")}
    found = cpe.evidence_by(groups, by="topic", delta=0.06)
    assert list(found) == ["x", "y", "z"]
    for topic, votes in groups.items():
        alone = cpe.evidence(votes, delta=0.02)
        assert found[topic].delta == pytest.approx(0.02)
        assert found[topic].pairs.threshold == pytest.approx(alone.pairs.threshold)
        assert found[topic].as_dict()["beats"] == alone.as_dict()["beats"]
    table = found.table()
    assert table["topic"].tolist() == ["x", "y", "z"]
    assert table["votes"].sum() == 600
    assert table["copeland"].tolist() == ["a", "a", ""]
    said = str(found)
    assert "proved at 94 %, all boards at once: each of the 3 groups has 0.02 of the 0.06" in said
    assert said.count("proved at 98 %") == 3
    assert list(found.as_dict()["groups"]) == ["x", "y", "z"]
    groups["w"] = cpe.Votes([[0, 5], [4, 0]], ["c", "d"])
    anchored = cpe.evidence_by(groups, anchor="b")
    points = [each.model_ranks.tables[0].elo for each in anchored.values()]
    assert [elo.get("b") for elo in points] == [(1000.0,) * 3] * 3 + [None]
    assert str(anchored).count("b is none of these arms, which have 1,000 points on average") == 1
    with pytest.raises(cpe.InputError, match="anchor is 'e', expected an arm of a group"):
        cpe.evidence_by(groups, anchor="e")
    with pytest.raises(cpe.InputError, match="there are none"):
        cpe.evidence_by({})
    with pytest.raises(cpe.InputError, match="group 'x': "):
        cpe.evidence_by(groups, prices=[[1.0]])
