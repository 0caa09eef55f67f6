"""All pages within a number of hours: what is planned, in which order it is made, what is kept."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import cpe_opt as cpe
from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.experiments.results import read_results
from cpe_opt.reproductions import study, within_hours
from cpe_opt.reproductions.claims import Claim
from cpe_opt.reproductions.registry import REPRODUCTIONS
from cpe_opt.reproductions.regret import Experiment, run_experiments
from cpe_opt.reproductions.study import Study, rows_in_parallel
from cpe_opt.reproductions.within_hours import runs_within
from tests.support import random_preferences

PAGE = "# Of {}\n\nMade by {{command}}.\n\n## Claims\n\n"
HEAD = "| claim | published | agrees if |\n| --- | --- | --- |\n"
COSTS = {
    "short": {"quick": 0.1, "full": 1.0},
    "long": {"quick": 0.2, "full": 2.0},
    "broken": {"quick": 0.05, "full": 0.1},
    "rankers": {"quick": 0.1, "full": 0.5},
}
QUICK = [("broken", "quick", 0.05), ("short", "quick", 0.1), ("long", "quick", 0.2)]


class Machine:
    """A clock that studies turn, what they have run, and how much slower it is than declared."""

    fingerprint = None  # no part of what decides a result

    def __init__(self):
        self.now, self.slowness, self.ran = 0.0, 1.0, []


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """With four studies, whose runs take what is declared."""
    found = Machine()

    def work(name, hours):
        found.ran.append((name, hours))
        found.now += 3600.0 * hours * found.slowness
        if name == "broken":
            raise ZeroDivisionError("of a page")
        return [{"name": name, "hours": hours}]

    def values(settings):
        if settings.name == "rankers":
            settings.needed_matrix()
        hours = COSTS[settings.name]["quick" if settings.quick else "full"]
        rows_in_parallel(work, [(settings.name, hours)], settings, ["hours"])
        return {"claims": [Claim("x", "x", True), Claim("x", "x", None), Claim("x", "x", True)]}

    for name in COSTS:
        (tmp_path / f"{name}.md").write_text(f"{PAGE.format(name)}{HEAD}| x | x | at all |\n")
    (tmp_path / "claims.md").write_text(HEAD)
    studies = {n: Study(n, values, needs="matrix" * (n == "rankers")) for n in COSTS}
    monkeypatch.setattr(study, "PAGES", tmp_path)
    monkeypatch.setattr(study, "declared", lambda _: COSTS)
    monkeypatch.setattr(within_hours, "REPRODUCTIONS", studies)
    monkeypatch.setattr(within_hours, "_now", lambda: found.now)
    return found


def planned(out, **arguments):
    plan = cpe.plan_reproductions(out=out, **{"jobs": 1, **arguments})
    return [(page.name, page.run, page.hours) for page in plan if page.run]


def test_every_page_gets_its_quick_run_before_one_gets_a_full_one(machine, tmp_path):
    out, rankers = tmp_path / "out", random_preferences(4, np.random.default_rng(0))
    assert planned(out, hours=0.04) == []
    assert planned(out, hours=0.16) == QUICK[:2]
    assert planned(out, hours=0.36) == QUICK
    assert planned(out, hours=0.18, jobs=2) == QUICK
    full = ("broken", "full", 0.1)
    assert planned(out, hours=0.41) == [QUICK[1], full, QUICK[2]]
    assert planned(out, hours=9.0) == [full, ("short", "full", 1.0), ("long", "full", 2.0)]
    assert planned(out, hours=9.0, quick=True) == QUICK
    assert ("rankers", "full", 0.5) in planned(out, hours=9.0, matrix=rankers)
    why = {page.name: page.why for page in cpe.plan_reproductions(hours=0.2, out=out, jobs=1)}
    assert why["short"] == "a full run takes 1 hour"
    assert why["long"] == "a quick run takes 12 minutes, more than is left"
    assert why["rankers"].startswith("rankers needs a preference matrix of many rankers: --matrix")
    assert not out.exists()
    assert not machine.ran


def test_pages_are_made_the_cheapest_first_and_a_failure_does_not_end_them(machine, tmp_path):
    told = []
    made = cpe.reproduce_all(
        hours=1.5, out=tmp_path, jobs=1, force=True, progress=lambda *each: told.append(each)
    )
    assert machine.ran == [("broken", 0.1), ("long", 0.2), ("short", 1.0)]
    assert [(m.name, m.run, m.failed, str(m)) for m in made[:3]] == [
        ("broken", "full", True, "ZeroDivisionError: of a page"),
        ("long", "quick", False, "2 agree, 1 not shown"),
        ("short", "full", False, "2 agree, 1 not shown"),
    ]
    assert [(m.name, m.run) for m in made[3:]] == [("rankers", "")]
    assert told == [("broken", 0, 1), *(each for n in ("long", "short") for each in told_of(n))]
    text = (tmp_path / "long.md").read_text(encoding="utf-8")
    assert f"--quick` with cpe_opt {cpe.__version__}; a full run takes about 2 hours of one" in text
    assert "a full run" not in (tmp_path / "short.md").read_text(encoding="utf-8")


def told_of(name):
    return [(name, 0, 1), (name, 1, 1)]


def test_a_slower_machine_makes_less_of_them(machine, tmp_path):
    """After short has taken 3 hours for 1, a full run of long takes 6, where 5.7 are left."""
    machine.slowness = 3.0
    made = cpe.reproduce_all(hours=9.0, out=tmp_path / "out", jobs=1)
    assert [(m.name, m.run) for m in made if m.run] == [
        ("broken", "full"),
        ("short", "full"),
        ("long", "quick"),
    ]


def test_what_is_finished_is_not_made_again(machine, tmp_path):
    out = tmp_path / "out"
    made = cpe.reproduce_all(hours=0.36, out=out, jobs=1)
    assert [m.run for m in made[:3]] == ["quick"] * 3
    before = len(machine.ran)
    again = cpe.reproduce_all(hours=0.36, out=out, jobs=1)
    assert machine.ran[before:] == [("broken", 0.1)]
    left = {m.name: m.why for m in again if not m.run}
    assert left["short"] == f"{out / 'short.md'} is there already; --force makes it anew"
    # With force the pages of finished runs cost nothing, and what is left is for full runs.
    assert planned(out, hours=0.36, force=True)[:2] == [("short", "quick", 0), ("long", "quick", 0)]
    cpe.reproduce_all(hours=1.1, out=out, jobs=1, force=True)
    assert [name for name, _ in machine.ran[before + 1 :]] == ["broken", "short"]
    with pytest.raises(cpe.InputError, match="is a file, expected a folder"):
        cpe.reproduce_all(hours=1.0, out=out / "short.md")


def test_seconds_of_kept_runs_say_what_the_missing_ones_take(settings):
    ccb = LearnerSpec("ccb")

    def left(runs, *learners):
        experiment = Experiment(cpe.load_instance("cyclic"), learners, 300, runs)
        trial = Study("trial", lambda given: {"runs": run_experiments([experiment], given)})
        return trial.work_left(settings)

    assert (left(3, ccb).every, left(3, ccb).missing) == (3, 3)
    assert np.isnan(left(3, ccb).seconds)
    assert not settings.out.exists()
    run_experiments([Experiment(cpe.load_instance("cyclic"), [ccb], 300, 3)], settings)
    kept = read_results(settings.out / "runs")["seconds"].mean()
    assert left(3, ccb) == study.WorkLeft(3, 0, 0.0)
    assert left(8, ccb).missing == 5
    assert left(8, ccb).seconds == pytest.approx(5 * kept)
    assert np.isnan(left(3, ccb, LearnerSpec("rucb")).seconds)


@given(
    st.dictionaries(st.integers(), st.tuples(*[st.floats(0, 9)] * 2), max_size=6), st.floats(0, 40)
)
def test_what_is_chosen_fits(pairs, hours):
    costs = {name: dict(zip(("quick", "full"), pair, strict=True)) for name, pair in pairs.items()}
    found = runs_within(costs, hours)
    spent = sum(costs[name][run] for name, run in found.items())
    assert spent <= hours + 1e-9
    for name, cost in costs.items():
        if name not in found:
            assert min(cost.values()) >= max([min(costs[n].values()) for n in found], default=0)
        elif found[name] == "quick":
            assert cost["full"] > cost["quick"]
            assert spent - cost["quick"] + cost["full"] > hours - 1e-9


def test_the_cost_of_every_page_is_declared():
    costs = study.declared("costs")
    assert list(costs) == sorted(REPRODUCTIONS)
    for name, known in REPRODUCTIONS.items():
        assert 0 < known.hours(quick=True) <= known.hours(quick=False), name
