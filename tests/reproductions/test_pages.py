"""Reproductions: what pages say follows from what was measured, and every one of them runs."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.image import imread

import cpe_opt as cpe
from cpe_opt.errors import UnknownName
from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.reproductions import chen2020, fixed_budget, kuroki2020, regret, study, zoghi2015
from cpe_opt.reproductions.claims import Claim
from cpe_opt.reproductions.komiyama2016 import drawn_submatrix
from cpe_opt.reproductions.registry import REPRODUCTIONS
from cpe_opt.reproductions.regret import Experiment, run_experiments
from cpe_opt.reproductions.study import PageTable, Settings, Study
from tests.support import random_preferences

KEPT = Path(__file__).parents[2] / "examples" / "reproduced"
WITHOUT_MATRIX = [name for name, known in REPRODUCTIONS.items() if known.needs != "matrix"]
_OTHERS = ("chen2020", "fixed-budget", "huang2018", "kuroki2020", "league", "numbers")
STUDIES = [name for name in WITHOUT_MATRIX if not name.startswith(_OTHERS)]
WITH_MATRIX = [name for name, known in REPRODUCTIONS.items() if known.needs == "matrix"]


@pytest.fixture
def short(monkeypatch):
    """Studies of a few hundred rounds, without the large programs of CW-RMED."""

    def shortened(experiments, settings):
        def short(each):
            learners = [
                learner
                for learner in each.learners
                if learner.learner != "cw-rmed" or each.problem.arms < 6
            ]
            return replace(
                each,
                learners=learners,
                horizon=400,
                runs=2,
                fewer=dict.fromkeys(each.fewer, 2),
            )

        if experiments[0].learners[0].learner == "cw-rmed":
            experiments = [each for each in experiments if each.problem.arms < 6]
        return run_experiments([short(each) for each in experiments], settings)

    monkeypatch.setattr(regret, "run_experiments", shortened)


@pytest.fixture(scope="module")
def rankers():
    return random_preferences(24, np.random.default_rng(5))


@pytest.mark.parametrize(
    "name", [STUDIES[0], *(pytest.param(name, marks=pytest.mark.slow) for name in STUDIES[1:])]
)
def test_every_regret_study_makes_its_page(name, short, tmp_path):
    page = cpe.reproduce(name, quick=True, out=tmp_path, jobs=1)
    check_page(name, page, tmp_path)
    frame = pd.read_parquet(tmp_path / f"{name}.parquet")
    assert {"problem", "learner", "units", "seed", "regret", "times", "regrets"} <= set(frame)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(each, marks=[pytest.mark.slow] * (each == "zoghi2015-table1"))
        for each in WITH_MATRIX
    ],
)
def test_every_matrix_study_makes_its_page(name, rankers, tmp_path, monkeypatch):
    monkeypatch.setattr(
        Settings,
        "choose",
        lambda _, quick, full: min(quick, 30) if isinstance(quick, int) else quick,
    )
    page = cpe.reproduce(name, quick=True, out=tmp_path, matrix=rankers, jobs=1)
    check_page(name, page, tmp_path)
    assert len(pd.read_parquet(tmp_path / f"{name}.parquet")) >= 30


@pytest.mark.slow
def test_the_study_of_matchings_makes_its_page(tmp_path, monkeypatch):
    """With one run of each, on an easy problem."""

    def smaller(_, quick, full):
        if isinstance(quick, int):
            return 1
        if isinstance(quick, float):
            return quick
        return {0.15: (0.24,), 1e-2: (1e-2, 1e-4), 123: [0, 26]}.get(quick[0], quick[:1])

    monkeypatch.setattr(Settings, "choose", smaller)
    monkeypatch.setattr(chen2020, "ACCURACY", 0.3)
    monkeypatch.setattr(chen2020, "_SHAPE", (3, 2))
    page = cpe.reproduce("chen2020", quick=True, out=tmp_path, jobs=1)
    check_page("chen2020", page, tmp_path)
    frame = pd.read_parquet(tmp_path / "chen2020.parquet")
    assert set(frame["study"]) == {"borda", "hardness", "delta"}
    assert (frame["samples"] > 0).all()


def test_the_study_of_fixed_budgets_makes_its_page(tmp_path, monkeypatch):
    budgets = {"copeland-budget": {"gap": 30, "sushi-3": 9}, "borda-budget": {"tournament-4": 20}}
    scale = {"blocks": 2, "fewer": 1, "runs": 3}
    said = {"quick": scale, "budgets": budgets, "clear": {"copeland-budget": ["gap"]}}
    monkeypatch.setattr(fixed_budget, "declared", lambda _: said)
    page = cpe.reproduce("fixed-budget", quick=True, out=tmp_path, jobs=1)
    check_page("fixed-budget", page, tmp_path)
    frame = pd.read_parquet(tmp_path / "fixed-budget.parquet")
    assert len(frame) == 3 * (2 * 2 + 3)
    assert frame["runs"].sum() == 3 * len(frame)


@pytest.mark.parametrize("number", [*(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2)), 3])
def test_studies_of_subsets_make_their_pages(number, tmp_path, monkeypatch):
    """With few runs, small horizons and small sets."""
    monkeypatch.setattr(
        Settings, "choose", lambda _, quick, full: {int: 1, float: 1.3}.get(type(quick), (0.5, 1.0))
    )
    monkeypatch.setattr(kuroki2020, "_SUPPORTS", (2, 3))
    monkeypatch.setattr(kuroki2020, "_HORIZON", 5000)
    monkeypatch.setattr(kuroki2020, "SIZE", 7)
    monkeypatch.setattr(kuroki2020, "CHOSEN", 3)
    monkeypatch.setattr(kuroki2020, "_SIZES", (8, 10))
    name = f"kuroki2020-figure{number}"
    page = cpe.reproduce(name, quick=True, out=tmp_path, jobs=1)
    check_page(name, page, tmp_path)
    assert len(pd.read_parquet(tmp_path / f"{name}.parquet")) >= 12


def test_the_table_of_crowds_makes_its_page(tmp_path, monkeypatch):
    """On small crowds of our own making, named as the published ones."""
    rng = np.random.default_rng(0)
    monkeypatch.setattr(kuroki2020, "K", 3)
    monkeypatch.setattr(kuroki2020, "EPSILON", 1.0)
    monkeypatch.setattr(
        Settings, "choose", lambda _, quick, full: 1.3 if isinstance(quick, float) else (1, 1)
    )
    columns = {"icb": [1, 4], "saqm": [2, 5], "sa-foa": [3, 6]}
    published = pd.DataFrame(columns, pd.Index(["IT", "English"], name="problem"))
    monkeypatch.setattr(kuroki2020, "published", lambda: published)
    for name in published.index:
        folder = tmp_path / "crowdsourcing" / name
        folder.mkdir(parents=True)
        skill = np.linspace(0.1, 0.9, 7)
        right = rng.random((20, 7)) < skill
        answers = pd.DataFrame(np.where(right, "A", "B"), columns=[f"w{i}" for i in range(7)])
        answers.insert(0, "question_id", range(20))
        answers.to_csv(folder / "answer.csv", index=False)
        truth = pd.DataFrame({"question_id": range(20), "truth": "A"})
        truth.to_csv(folder / "truth.csv", index=False)
    out = tmp_path / "out"
    page = cpe.reproduce("kuroki2020-table2", quick=True, out=out, data=tmp_path, jobs=1)
    check_page("kuroki2020-table2", page, out)
    frame = pd.read_parquet(out / "kuroki2020-table2.parquet")
    assert (frame.groupby("problem")["algorithm"].nunique() == 8).all()
    assert (frame["missing"] <= kuroki2020.EPSILON).all()


@pytest.mark.slow
def test_the_study_of_separable_rewards_makes_its_page(tmp_path, monkeypatch):
    """With two problems of each kind and one run."""
    monkeypatch.setattr(
        Settings, "choose", lambda _, quick, full: 1 if quick == 5 else [quick[0], quick[-1]]
    )
    page = cpe.reproduce("huang2018", quick=True, out=tmp_path, jobs=1)
    check_page("huang2018", page, tmp_path)
    frame = pd.read_parquet(tmp_path / "huang2018.parquet")
    assert frame.groupby("kind")["algorithm"].nunique().to_dict() == {
        "opinions": 2, "top-k": 2, "water": 2,
    }  # fmt: skip
    assert (frame["samples"] <= frame["bound"]).all()


def test_missing_data_is_answered_with_the_places_looked_at(tmp_path, monkeypatch):
    monkeypatch.setenv("CPE_OPT_DATA", str(tmp_path / "elsewhere"))
    with pytest.raises(cpe.InputError, match=r"looked in .*elsewhere/crowdsourcing, data/crowds"):
        cpe.reproduce("kuroki2020-table2", out=tmp_path)
    with pytest.raises(cpe.InputError, match=r"looked in .*here, .*here/crowdsourcing\. Give"):
        cpe.reproduce("kuroki2020-table2", out=tmp_path, data=tmp_path / "here")


@pytest.mark.slow
def test_figure_1_takes_submatrices_of_a_matrix(short, rankers, tmp_path):
    page = cpe.reproduce("komiyama2016-figure1", quick=True, out=tmp_path, matrix=rankers, jobs=1)
    check_page("komiyama2016-figure1", page, tmp_path)
    assert {"random-16-condorcet", "random-16-cycle"} <= {
        row[0] for row in page.values["regrets"].rows
    }
    assert len(page.claims) == 7  # two of them of these submatrices


def check_page(name, page, folder):
    text = (folder / f"{name}.md").read_text(encoding="utf-8")
    assert text == page.markdown()
    quick = " --quick" if name in STUDIES else ""
    assert f"`cpe-opt reproduce {name}{quick}" in text
    for claim in page.claims:
        assert claim.published in text
        assert claim.criterion in text
        assert page.outcome(claim) in text
    for picture in re.findall(r"\]\((.+?\.png)\)", text):
        assert imread(folder / picture).std() > 0.01
    assert "nan" not in text
    assert tables_of(text)


def tables_of(text):
    """The tables of a page, each a list of its lines' cells; every line has those of the head."""
    tables = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.M):
        lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in block.splitlines()]
        assert [len(line) for line in lines] == [len(lines[0])] * len(lines), lines[0]
        assert {cell.strip() for cell in lines[1]} == {"---"}
        tables.append(lines)
    return tables


@pytest.mark.parametrize("name", WITHOUT_MATRIX)
def test_pages_are_kept(name):
    text = (KEPT / f"{name}.md").read_text(encoding="utf-8")
    assert f"`cpe-opt reproduce {name}" in text
    assert "| published | agrees if | here | outcome |" in text
    shown = [line for line in text.splitlines() if line.endswith(("agrees |", "**differs** |"))]
    assert not (shown and f"`cpe-opt reproduce {name} --quick" in text)  # quick verdicts say so
    for picture in re.findall(r"\]\((.+?\.png)\)", text):
        assert (KEPT / picture).exists()
    assert tables_of(text)


def test_outcomes_are_in_the_units_of_their_experiment(settings):
    mu = cpe.load_instance("cyclic")
    (outcome,) = run_experiments([Experiment(mu, [LearnerSpec("ccb")], 500, 2, "sum")], settings)
    first = outcome.runs["ccb"].iloc[0]
    direct = cpe.simulate("ccb", mu, horizon=500, seed=first["seed"], regret="sum")
    assert first["regrets"].tolist() == pytest.approx(direct.regret.tolist(), rel=1e-12)
    assert outcome.finals("ccb")[0] == pytest.approx(direct.regret[-1], rel=1e-12)
    assert outcome.constants()[0] == pytest.approx(2 * cpe.copeland_bound(mu).value)


def test_studies_declare_problems_learners_and_how_long_they_run(settings):
    quick = regret.declared_experiments("komiyama2016-cw-rmed", settings)
    full = regret.declared_experiments("komiyama2016-cw-rmed", replace(settings, quick=False))
    assert [each.problem.name for each in quick] == ["gap", "sushi", "cyclic", "arxiv"]
    assert [each.runs for each in quick] == [60, 3, 200, 5]
    assert [each.runs for each in full] == [1000, 100, 1000, 200]
    names = [learner.name for learner in quick[0].learners]
    assert names == ["cw-rmed", "ecw-rmed", "cw-rmed (beta=0.0)", "ecw-rmed (beta=0.0)"]
    assert len(quick[1].learners) == 2
    assert set(quick[0].fewer) <= set(names)
    chains = regret.declared_experiments("zoghi2015-figure2", settings)
    assert {each.problem.arms for each in chains} == {30, 60, 125, 500}
    assert {each.units for each in chains} == {"sum"}


TEMPLATE = """# A title

A paper. Made by {command}.

## Claims

| claim | published | agrees if |
| --- | --- | --- |
| x | \\|x\\| is {low:g} | \\|x\\| < 2 |
| y | {word} | equal |

## Numbers

Text.

{numbers}

![Numbers]({picture})

## Nothing

{nothing}
"""


@pytest.mark.parametrize(("quick", "suffix"), [(False, ""), (True, " (quick run)")])
def test_a_page_escapes_and_says_its_verdicts(quick, suffix, settings, tmp_path, monkeypatch):
    monkeypatch.setattr(study, "PAGES", tmp_path)
    (tmp_path / "trial.md").write_text(TEMPLATE, encoding="utf-8")
    shared = "| claim | published | agrees if |\n| --- | --- | --- |\n| z | z | at all |\n"
    (tmp_path / "claims.md").write_text(shared, encoding="utf-8")
    (tmp_path / "costs.toml").write_text("trial = { quick = 0.1, full = 2.0 }\n")
    claims = [Claim("x", "2", False, {"low": 1.0}), Claim("y", "y", True), Claim("z", "?", None)]
    values = {
        "claims": claims,
        "word": "why",
        "numbers": PageTable(("a", "b"), [[1, "|2|"]]),
        "picture": tmp_path / "trial.png",
        "nothing": None,
    }
    trial = Study("trial", lambda settings: values)
    page = trial.page(replace(settings, quick=quick))
    assert page.title == trial.title == "A title"
    assert page.claims[0].published == "|x| is 1"
    text = (settings.out / "trial.md").read_text(encoding="utf-8")
    assert f"| \\|x\\| is 1 | \\|x\\| < 2 | 2 | **differs**{suffix} |" in text
    assert f"| why | equal | y | agrees{suffix} |" in text
    assert "| z | at all | ? | not shown by this run |" in text
    cost = "; a full run takes about 2 hours of one processor"
    assert f"with cpe_opt {cpe.__version__}{cost * quick}.\n" in text
    assert "| a | b |\n| --- | --- |\n| 1 | \\|2\\| |" in text
    assert "![Numbers](trial.png)" in text
    assert re.findall(r"^## (.*)$", text, re.M) == ["Claims", "Numbers"]


def test_submatrices_are_what_was_asked_for(rankers):
    rng = np.random.default_rng(2)
    for condorcet in (True, False):
        drawn = drawn_submatrix(rankers, 5, rng, least_gap=0.02, condorcet=condorcet)
        assert drawn.arms == 5
        assert (drawn.condorcet_winner is not None) == condorcet
        assert drawn.gaps[~np.eye(5, dtype=bool)].min() >= 0.02
    with pytest.raises(cpe.InputError, match="has 24 arms, expected at least 30"):
        drawn_submatrix(rankers, 30, rng, least_gap=0.0)
    tied = cpe.PreferenceMatrix(np.full((4, 4), 0.5), name="tied")
    with pytest.raises(cpe.InputError, match="tied: no submatrix of 2 arms with gaps"):
        drawn_submatrix(tied, 2, rng, least_gap=0.1)


def test_submatrices_are_uniform():
    """Four arms, one pair too close: each of the other five pairs as often (chi-square, 0.001)."""
    matrix = np.array(random_preferences(4, np.random.default_rng(0)).array)
    matrix[0, 1] = matrix[1, 0] = 0.5
    mu = cpe.PreferenceMatrix(np.where(np.abs(matrix - 0.5) < 0.05, matrix + 0.0, matrix))
    rng, counts = np.random.default_rng(1), {}
    for _ in range(2000):
        labels = tuple(sorted(drawn_submatrix(mu, 2, rng, least_gap=1e-6).labels))
        counts[labels] = counts.get(labels, 0) + 1
    assert ("0", "1") not in counts
    assert len(counts) == 5
    assert sum((count - 400) ** 2 / 400 for count in counts.values()) < 18.5


def test_overlaps_and_quantities_of_a_known_matrix():
    """A cycle of three above a fourth arm: no Condorcet winner, one loss each, all four notions."""
    mu = cpe.PreferenceMatrix(
        [[0.5, 0.6, 0.4, 0.9], [0.4, 0.5, 0.6, 0.9], [0.6, 0.4, 0.5, 0.9], [0.1, 0.1, 0.1, 0.5]]
    )
    found = zoghi2015.quantities(mu)
    assert found["condorcet"] is False
    assert (found["winners"], found["losses"]) == (3, 1)
    assert found["gap ratio"] == pytest.approx((0.4 / 0.1) ** 2)
    assert all(zoghi2015.overlaps(mu).values())
    # Arm 0 beats all barely, arm 1 beats arm 2 by far: Borda disagrees with Copeland.
    split = cpe.PreferenceMatrix([[0.5, 0.51, 0.51], [0.49, 0.5, 0.99], [0.49, 0.01, 0.5]])
    overlaps = zoghi2015.overlaps(split)
    assert overlaps["Copeland/von Neumann"]
    assert not overlaps["Copeland/Borda"]


def test_what_is_wrong_is_said(tmp_path):
    with pytest.raises(
        UnknownName, match=r"unknown reproduction 'komiyama2016-figure3'; did you mean"
    ):
        cpe.reproduce("komiyama2016-figure3", out=tmp_path)
    with pytest.raises(
        cpe.InputError, match=r"komiyama2016-table1 needs a preference matrix .* --matrix"
    ):
        cpe.reproduce("komiyama2016-table1", out=tmp_path)
    assert not list(tmp_path.iterdir())
    small = cpe.load_instance("gap")
    with pytest.raises(cpe.InputError, match="gap has 5 arms, expected at least 16"):
        cpe.reproduce("komiyama2016-table1", out=tmp_path, matrix=small, jobs=1)
