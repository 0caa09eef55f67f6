"""The pages of votes and of a folder of results, and the note with each series."""

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.errors import InputError
from cpe_opt.experiments.results import read_results
from cpe_opt.reports.decision import evidence_report
from cpe_opt.reports.pages import write_results_page

WINS = [[0, 35, 30, 70], [20, 0, 60, 0], [28, 20, 0, 62], [10, 0, 18, 0]]
LABELS = ["a <b>&", "x$y$z", "squid", "egg" * 20]


class Elements(HTMLParser):
    """What is on a page that is whole and loads nothing: its tags, ids and text."""

    void = ("meta", "link", "br", "img", "path", "use", "rect")

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.ids, self.text = [], [], [], []
        self.feed(page)
        assert self.open == []
        assert len(set(self.ids)) == len(self.ids)
        assert not {"script", "link", "iframe", "b"} & set(self.tags)
        assert not re.search(r"url\((?!#)|@import", page)
        assert "prefers-color-scheme: dark" in page

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href"):
                assert value.startswith(("#", "data:image/png"))
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.void:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def found():
    return cpe.evidence(cpe.Votes(WINS, LABELS, name="<votes> & co"))


def test_a_page_of_votes_has_every_label_and_every_sentence(found):
    page = evidence_report(found).html()
    elements = Elements(page)
    text = "".join(elements.text)
    assert "<votes> & co: what the votes prove" in text
    for label in LABELS[:3]:
        assert text.count(label) >= 3  # the table, rows and columns of the picture
    for line in found.proof_lines():
        assert line in text
    assert '<td class="ruled-out">ruled out</td>' in page


def test_a_page_is_the_same_for_the_same_votes(found):
    assert evidence_report(found).html() == evidence_report(cpe.evidence(found.votes)).html()


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    out = tmp_path_factory.mktemp("finished") / "results"
    spec = cpe.LearnerSpec("ccb", {"alpha": 0.6})
    cpe.run_experiment(["rucb", spec], ["gap"], runs=3, horizon=300, seed=7, jobs=1, out=out)
    cpe.run_experiment(["subset-tracking"], ["trees-of-k4"], runs=2, horizon=None, jobs=1, out=out)
    return out


@pytest.fixture
def folder(finished, tmp_path):
    return Path(shutil.copytree(finished, tmp_path / "results"))


def page_of(folder):
    return plain(write_results_page(folder, folder.parent / "page.html"))


def plain(path):
    return re.sub(r'<td class="\w+">', "<td>", path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def page(finished):
    """That of the finished runs."""
    return page_of(finished)


def test_a_page_of_results_has_a_picture_tables_and_bounds_for_each_problem(page, finished):
    assert Elements(page).tags.count("svg") == 2
    assert "<h1>results: 8 runs</h1>" in page
    frame = read_results(finished)
    for learner, runs in frame[frame["problem"] == "gap"].groupby("learner"):
        [mean] = re.findall(rf"<tr><td>{re.escape(learner)}</td><td>([\d.]+) ± ", page)
        assert float(mean) == pytest.approx(runs["regret"].mean(), rel=0.05)
        assert f"<td>{learner}</td><td>3</td><td>3</td>" in page  # a horizon ends them, no proof
    assert "<td>subset-tracking</td><td>2</td><td>0</td><td>[0, 1, 2] (2×)</td>" in page
    assert "<p>C* ln T: " in page
    assert re.search(rf"{{.*alpha.*0\.6.*}}</td><td>3</td><td>7</td><td>{cpe.__version__}<", page)


def test_what_is_not_built_in_has_its_source_and_no_bounds(tmp_path):
    """A learner of one's own, and a problem that is only called like a built-in one."""

    def mine(arms):
        yield from (cpe.Duel(0, 1) for _ in range(10))
        return 0

    out, other = tmp_path / "results", cpe.PreferenceMatrix([[0.5, 0.9], [0.1, 0.5]], name="gap")
    cpe.run_experiment([mine], ["cyclic"], runs=1, horizon=20, jobs=1, out=out)
    cpe.run_experiment(["rucb"], [other], runs=1, horizon=20, jobs=1, out=out)
    page = page_of(out)
    assert "C* ln T" not in page[page.index("<h2>gap") :]
    assert "yield from (cpe.Duel(0, 1) for _ in range(10))" in page
    assert "<td>mine</td>" in page
    assert "<td>rucb</td>" in page


def test_learners_that_were_edited_are_told_apart(tmp_path):
    folder = tmp_path / "results"
    for seed in (7, 8):
        cpe.run_experiment(["rucb"], ["cyclic"], runs=1, horizon=20, seed=seed, jobs=1, out=folder)
    digests = sorted({path.parent.name for path in folder.glob("cyclic/rucb/*/runs-*")})
    page = page_of(folder)
    assert len(digests) == 2
    assert all(f"<td>rucb [{digest[:6]}]</td>" in page for digest in digests)
    assert "<td>8</td>" in page


def test_bad_input_is_refused(tmp_path, folder):
    with pytest.raises(InputError, match="no finished runs in"):
        write_results_page(tmp_path / "nowhere", tmp_path / "page.html")
    with pytest.raises(InputError, match=r"expected a name that ends in \.html"):
        write_results_page(folder, tmp_path / "page.txt")


def test_the_command_overwrites_nothing_and_the_page_is_the_same(
    page, folder, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("report.html").write_text("mine", encoding="utf-8")
    refused = CliRunner().invoke(app, ["report", str(folder)])
    assert refused.exit_code == 2
    assert "--force overwrites it" in refused.output
    assert Path("report.html").read_text(encoding="utf-8") == "mine"
    forced = CliRunner().invoke(app, ["report", str(folder), "--force"])
    assert (forced.exit_code, forced.output) == (0, "wrote report.html\n")
    assert plain(Path("report.html")) == page
