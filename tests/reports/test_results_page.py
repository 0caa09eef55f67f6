"""The page of a folder of results, and the note beside each series."""

import html
import json
import re
import shlex
from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.errors import InputError
from cpe_opt.experiments.planning import NOTE
from cpe_opt.experiments.results import read_results
from cpe_opt.reports.results_page import write_results_page


class Elements(HTMLParser):
    """The tags of a page that are open, and whatever it would load."""

    void = ("meta", "link", "br", "img", "path", "use", "rect")

    def __init__(self):
        super().__init__()
        self.open, self.loaded, self.ids = [], [], []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.loaded += [
            value
            for key, value in attrs
            if key in ("src", "href", "xlink:href") and not value.startswith("#")
        ]
        self.ids += [named["id"]] if "id" in named else []
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.void:
            assert self.open.pop() == tag


@pytest.fixture
def folder(tmp_path):
    out = tmp_path / "results"
    spec = cpe.LearnerSpec("ccb", {"alpha": 0.6})
    cpe.run_experiment(["rucb", spec], ["gap"], runs=3, horizon=300, seed=7, jobs=1, out=out)
    cpe.run_experiment(["car-cond"], ["figure1"], runs=2, horizon=None, jobs=1, out=out)
    return out


def page_of(folder):
    return write_results_page(folder, folder.parent / "page.html").read_text(encoding="utf-8")


def test_it_has_a_picture_a_table_and_a_command_for_each_problem(folder):
    page = page_of(folder)
    assert "<h1>results: 8 runs</h1>" in page
    assert page.count("<svg") == 2
    frame = read_results(folder)
    for learner, runs in frame[frame["problem"] == "gap"].groupby("learner"):
        (row,) = re.findall(rf"<tr><td>{re.escape(learner)}</td><td>3</td>(.*?)</tr>", page)
        mean = runs["regret"].mean()
        assert f"<td>{mean:,.1f}</td>" in row or f"<td>{mean:,.0f}</td>" in row
    assert "<td>car-cond</td><td>[1, 4] (2×)</td>" in page


def test_its_commands_make_the_same_runs_again(folder, tmp_path):
    blocks = re.findall(r"<pre>(.*?)</pre>", page_of(folder), re.DOTALL)
    commands = [html.unescape(line) for block in blocks for line in block.splitlines()]
    assert commands == [
        "cpe-opt compare car-cond figure1 --runs 2 --seed 0",
        "cpe-opt compare ccb:alpha=0.6 rucb gap --horizon 300 --runs 3 --seed 7",
    ]
    again = tmp_path / "again"
    for command in commands:
        options = ["--jobs", "1", "--out", str(again)]
        done = CliRunner().invoke(app, [*shlex.split(command)[1:], *options])
        assert done.exit_code == 0
    assert read_results(again)["digest"].tolist() == read_results(folder)["digest"].tolist()


def test_it_is_whole_and_loads_nothing(folder):
    elements = Elements()
    elements.feed(page_of(folder))
    assert elements.open == []
    assert elements.loaded == []
    assert len(set(elements.ids)) == len(elements.ids)


def test_it_is_the_same_for_the_same_results(folder):
    assert page_of(folder) == page_of(folder)


def test_a_learner_of_one_s_own_has_no_command(tmp_path):
    def mine(arms):
        yield from (cpe.Duel(0, 1) for _ in range(10))
        return 0

    out = tmp_path / "results"
    cpe.run_experiment([mine], ["gap"], runs=1, horizon=20, jobs=1, out=out)
    page = page_of(out)
    assert "<pre>" not in page
    assert "<td>mine</td>" in page


def test_a_problem_that_is_only_called_like_a_built_in_one_has_no_command(tmp_path):
    other = cpe.PreferenceMatrix([[0.5, 0.9], [0.1, 0.5]], name="gap")
    out = tmp_path / "results"
    cpe.run_experiment(["rucb"], [other], runs=1, horizon=20, jobs=1, out=out)
    assert "<pre>" not in page_of(out)


def test_learners_that_were_edited_are_told_apart(folder):
    cpe.run_experiment(["rucb"], ["gap"], runs=3, horizon=300, seed=8, jobs=1, out=folder)
    digests = sorted({path.parent.name for path in folder.glob("gap/rucb/*/runs-*")})
    page = page_of(folder)
    assert all(f"<td>rucb [{digest[:6]}]</td>" in page for digest in digests)
    assert "--seed 8" in page


def test_the_note_says_what_was_run(folder):
    (path,) = folder.glob(f"gap/ccb*/*/{NOTE}")
    note = json.loads(path.read_text(encoding="utf-8"))
    assert note == {
        "cpe_opt": cpe.__version__,
        "learner": "ccb",
        "learner_built_in": True,
        "parameters": {"alpha": 0.6},
        "problem": "gap",
        "problem_built_in": True,
        "horizon": 300,
        "seed": 7,
        "regret": None,
    }


def test_results_without_notes_are_shown(folder):
    for path in folder.rglob(NOTE):
        path.unlink()
    page = page_of(folder)
    assert "<pre>" not in page
    assert "<td>not noted</td>" in page


def test_bad_input_is_refused(tmp_path, folder):
    with pytest.raises(InputError, match="no finished runs in"):
        write_results_page(tmp_path / "nowhere", tmp_path / "page.html")
    with pytest.raises(InputError, match=r"expected a name that ends in \.html"):
        write_results_page(folder, tmp_path / "page.txt")


def test_the_command_overwrites_nothing(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = CliRunner().invoke(app, ["report", str(folder)])
    assert (first.exit_code, first.output) == (0, "wrote report.html\n")
    second = CliRunner().invoke(app, ["report", str(folder)])
    assert second.exit_code == 2
    assert "--force overwrites it" in second.output
    assert CliRunner().invoke(app, ["report", str(folder), "--force"]).exit_code == 0
