"""Pages: every study makes its own, kept ones follow from the scripts, finished work is kept."""

import re
import runpy
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.image import imread

import cpe_opt as cpe
from tests.papers.scripts import (
    KEPT,
    PAPERS,
    STUDIES,
    kuroki2020,
    regret,
    study,
    zoghi2015,
)
from tests.support import random_preferences

OF_REGRET = (
    *(f"komiyama2016-{name}" for name in ("figure1", "figure2", "cw-rmed")),
    *(f"zoghi2015-figure{number}" for number in (1, 2, 3)),
    "sushi",
)
SLOW = ("chen2020", "fixed-budget", "kuroki2020-figure1", "kuroki2020-figure2", "zoghi2015-table1")
SLOW += ("komiyama2016-table1", "zoghi2015-figures4-6", "kuroki2020-figure3")
SLOW += tuple(name for name in OF_REGRET if name != "zoghi2015-figure1")


@pytest.fixture
def settings(tmp_path):
    """Of a quick study, in this process."""
    matrix = random_preferences(24, np.random.default_rng(5))
    return study.Settings(out=tmp_path / "out", matrix=matrix, data=tmp_path, jobs=1, name="trial")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW))
        for name in STUDIES
        if not name.startswith(("league", "numbers"))
    ],
)
def test_every_study_makes_its_page(name, settings, tmp_path, monkeypatch):
    """With few runs of small problems, regret up to 400 rounds."""
    small_problems(monkeypatch)
    small_crowds(tmp_path / "crowdsourcing", monkeypatch)
    if name not in OF_REGRET:
        monkeypatch.setattr(study.Settings, "choose", lambda _, quick, full: smaller(name, quick))
    check_page(name, settings)
    frame = pd.read_parquet(settings.out / f"{name}.parquet")
    if name in OF_REGRET:
        assert {"problem", "learner", "units", "seed", "regret", "times", "regrets"} <= set(frame)
    elif name == "kuroki2020-table2":
        assert (frame.groupby("problem")["algorithm"].nunique() == 8).all()
        assert (frame["missing"] <= kuroki2020.EPSILON).all()
    elif name == "fixed-budget":
        assert frame.groupby(["learner", "instance", "column"]).ngroups == 20
        assert (frame["wrong"] & frame["proved"]).equals(frame["wrongly proved"])
    else:
        assert len(frame) >= 12


def smaller(name, quick):
    """Less than a quick run."""
    if name.startswith("kuroki2020"):
        return {int: 1, float: 1.3}.get(type(quick), (0.5, 1.0))
    return min(quick, 30) if isinstance(quick, int) else quick


def small_problems(monkeypatch):
    """Of the studies that have their own; CW-RMED's programs are small on few arms alone."""
    experiments, few = regret.experiments, {"horizon": 400, "runs": 2, "fewer": {}}

    def short(name, settings):
        planned = [(mu, {**said, **few}) for mu, said in experiments(name, settings)]
        return [each for each in planned if each[0].arms < 6 or name != "komiyama2016-cw-rmed"]

    monkeypatch.setattr(regret, "experiments", short)
    scale = {"runs": 1, "gaps": [0.24], "levels": [1e-2, 1e-4], "borda_seeds": [0, 26]}
    said, declared = {**study.declared("chen2020"), "shape": [3, 2], "quick": scale}, study.declared
    said["series"][0][2]["margin"] = 0.3
    budgets = {**study.declared("fixed-budget"), "block": 25, "clear": ["gap"]}
    budgets["instances"] = budgets["instances"][:2]
    small = {"chen2020": said, "fixed-budget": budgets}
    monkeypatch.setattr(study, "declared", lambda n: small[n] if n in small else declared(n))
    for name, value in (
        *(("_SUPPORTS", (2, 3)), ("_HORIZON", 5000), ("SIZE", 7), ("CHOSEN", 3)),
        *(("_SIZES", (8, 10)), ("K", 3), ("EPSILON", 1.0)),
    ):
        monkeypatch.setattr(kuroki2020, name, value)


def small_crowds(folder, monkeypatch):
    """Two crowds of seven workers, named as published ones."""
    rng = np.random.default_rng(0)
    columns = {"icb": [1, 4], "saqm": [2, 5], "sa-foa": [3, 6]}
    published = pd.DataFrame(columns, pd.Index(["IT", "English"], name="problem"))
    monkeypatch.setattr(kuroki2020, "published", lambda: published)
    for name in published.index:
        (folder / name).mkdir(parents=True)
        right = rng.random((20, 7)) < np.linspace(0.1, 0.9, 7)
        answers = pd.DataFrame(np.where(right, "A", "B"), columns=[f"w{i}" for i in range(7)])
        answers.insert(0, "question_id", range(20))
        answers.to_csv(folder / name / "answer.csv", index=False)
        truth = pd.DataFrame({"question_id": range(20), "truth": "A"})
        truth.to_csv(folder / name / "truth.csv", index=False)


def check_page(name, settings):
    """The page of a study: claims with their outcomes, pictures that show something, tables."""
    text, values = study.write_page(STUDIES[name], settings)
    assert (settings.out / f"{name}.md").read_text(encoding="utf-8") == text
    assert f"`python examples/papers/{STUDIES[name].command}" in text
    for words in values["claims"].frame.to_numpy().ravel():
        assert words.replace("|", "\\|") in text
    for picture in re.findall(r"\]\((.+?\.png)\)", text):
        assert imread(settings.out / picture).std() > 0.01
    assert "nan" not in text
    assert tables_of(text)
    return values


def tables_of(text):
    """The tables of a page, each a list of its lines' cells; every line has those of the head."""
    tables = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.M):
        lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in block.splitlines()]
        assert [len(line) for line in lines] == [len(lines[0])] * len(lines), lines[0]
        assert {cell.strip() for cell in lines[1]} == {"---"}
        tables.append(lines)
    return tables


@pytest.mark.parametrize("name", STUDIES)
def test_pages_are_kept(name):
    """With the command that makes them, and the pictures that they show."""
    text = (KEPT / f"{name}.md").read_text(encoding="utf-8")
    assert f"`python examples/papers/{STUDIES[name].command}" in text
    full = f"{STUDIES[name].command} --full" in text or name == "numbers"
    shown = [line for line in text.splitlines() if line.endswith(("agrees |", "**differs** |"))]
    assert full or not shown  # quick verdicts say so
    for picture in re.findall(r"\]\((.+?\.png)\)", text):
        assert (KEPT / picture).exists()
    assert tables_of(text)


# How pages are made


TEMPLATE = """# A title

Made by {command}.

## Claims

{claims}

{numbers}

![Numbers]({picture})
"""
CLAIMS = """
[shared]
z = ["z", "at all"]
[trial]
x = ["|x| is {low:g}", "|x| < 2"]
y = ["{word}", "equal"]
"""


@pytest.mark.parametrize(("full", "suffix"), [(True, ""), (False, " (quick run)")])
def test_a_page_escapes_and_says_its_verdicts(full, suffix, settings, tmp_path, monkeypatch):
    monkeypatch.setattr(study, "PAGES", tmp_path)
    (tmp_path / "trial.md").write_text(TEMPLATE, encoding="utf-8")
    (tmp_path / "claims.toml").write_text(CLAIMS, encoding="utf-8")
    values = {
        "claims": [
            study.Claim("x", "2", False, {"low": 1.0}),
            study.Claim("y", "y", True),
            study.Claim("z", "?", None),
        ],
        "word": "why",
        "numbers": study.table_of(("a", "b"), [[1, "|2|"]]),
        "picture": tmp_path / "trial.png",
    }
    trial = study.Study("trial", "trial.py --figure 1", lambda settings: values)
    text = study.write_page(trial, replace(settings, full=full, seed=3))[0]
    options = f"{' --full' * full} --matrix FILE --data FOLDER --seed 3"
    made = f"`python examples/papers/trial.py --figure 1{options}` with cpe_opt {cpe.__version__}"
    assert f"Made by {made}.\n" in text
    assert f"| \\|x\\| is 1 | \\|x\\| < 2 | 2 | **differs**{suffix} |" in text
    assert f"| why | equal | y | agrees{suffix} |" in text
    assert "| z | at all | ? | not shown by this run |" in text
    assert "| a | b |\n| --- | --- |\n| 1 | \\|2\\| |" in text
    assert "![Numbers](trial.png)" in text


def test_outcomes_are_those_of_runs_which_are_not_run_again(settings, monkeypatch):
    mu = cpe.load_instance("cyclic")
    said = {"horizon": 500, "runs": 2, "units": "sum", "learners": ["ccb"]}
    outcome = regret.run(mu, said, settings)
    (first,) = outcome.runs.values()
    direct = cpe.simulate("ccb", mu, horizon=500, seed=first["seed"][0], regret="sum")
    assert outcome.finals("ccb")[0] == pytest.approx(direct.regret[-1], rel=1e-12)
    assert outcome.bounds()["LB"] == pytest.approx(2 * cpe.copeland_bound(mu).value)
    monkeypatch.setattr("cpe_opt.experiments.engine.play_batch", None)
    pd.testing.assert_frame_equal(regret.run(mu, said, settings).runs["ccb"], first)


@pytest.fixture
def script(tmp_path, monkeypatch, capsys):
    """Run a script in a folder of its own; returns what it prints, and how it exits."""

    def run(name, *arguments):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        exit_code = None
        try:
            runpy.run_path(str(PAPERS / name), run_name="__main__")
        except SystemExit as error:
            exit_code = error.code
        return capsys.readouterr().out, exit_code

    return run


def test_a_script_makes_the_page_that_its_options_name(script, tmp_path):
    shown, _ = script("printed_numbers.py", "--out", "pages")
    assert shown.splitlines()[-1] == "wrote pages/numbers.md"
    assert "100 agree, 31 differ, 8 are not shown" in shown
    assert (tmp_path / "pages" / "numbers.md").exists()
    _, error = script("zoghi2015.py", "--full", "--table", "1")
    assert error == "error: zoghi2015-table1 needs --matrix, found none"
    assert script("zoghi2015.py", "--table", "3")[1] == script("zoghi2015.py")[1] == 2
    shown, error = script("zoghi2015.py", "--help")
    assert all(study.command.partition(" ")[2] in shown for study in zoghi2015.STUDIES)
    assert error == 0


# What submatrices are, and what is said of them


def test_submatrices_are_what_was_asked_for(settings, monkeypatch):
    monkeypatch.setattr(study, "_MOST_DRAWS", 1000)

    def draw(matrix, arms, gap, count=3):
        found = study.submatrices(matrix, arms, count, (2, 0), lambda drawn: {"drawn": drawn}, gap)
        return [row["drawn"] for row in found]

    drawn = draw(settings.matrix, 5, 0.02)
    assert len(drawn) == 3
    for each in drawn:
        assert each.arms == 5
        assert each.gaps[~np.eye(5, dtype=bool)].min() >= 0.02
    tied = cpe.PreferenceMatrix(np.full((4, 4), 0.5), name="tied")
    for matrix, arms, gap in ((settings.matrix, 30, 0.0), (tied, 2, 0.1)):
        with pytest.raises(cpe.InputError, match=f"{matrix.arms} arms, found no {arms} with gaps"):
            draw(matrix, arms, gap)
