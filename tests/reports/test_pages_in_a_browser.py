"""Every kind of report in a browser: wide, narrow, light and dark."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.reports.decision import write_evidence_page
from tests.browser import browser, faults_shown
from tests.support import A_HANG

LONG = "a label that somebody has typed in one go and never thought of again"


def votes_of(arms, per_pair, rng):
    gap = np.subtract.outer(np.arange(arms), np.arange(arms))
    upper = np.triu(rng.binomial(per_pair, 1 / (1 + np.exp(0.3 * gap))), 1).astype(float)
    labels = ["<b>bold</b>", LONG, *(f"model {arm}" for arm in range(2, arms))]
    return cpe.Votes(upper + np.triu(per_pair - upper, 1).T, labels)


def evidence_pages(folder, rng):
    for arms, per_pair in ((3, 0), (3, 60), (12, 200), (40, 25)):
        found = cpe.evidence(votes_of(arms, per_pair, rng), margin=0.05, top=2)
        yield write_evidence_page(found, folder / f"votes-{arms}-{per_pair}.html")
    lines = ["model_a,model_b,winner,language,user"]
    for number in range(300):
        one, other = rng.choice(4, 2, replace=False)
        lines.append(f"m{one},m{other},model_{'ab'[int(one > other)]},l{number % 3},u{number % 40}")
    (folder / "log.csv").write_text("\n".join(lines), encoding="utf-8")
    groups = cpe.read_votes_by(str(folder / "log.csv"), "language", cluster="user")
    yield write_evidence_page(cpe.evidence_by(groups, by="language"), folder / "boards.html")


def panel_page(folder, rng):
    lines = ["position,winner,loser,count"]
    for position in ("goalkeeper", LONG):
        for one in range(6):
            for other in range(one):
                lines.append(f"{position},c{one},c{other},{rng.integers(20, 40)}")
                lines.append(f"{position},c{other},c{one},{rng.integers(1, 20)}")
    (folder / "panel.csv").write_text("\n".join(lines), encoding="utf-8")
    found = cpe.panel_evidence(cpe.read_panel(folder / "panel.csv"))
    return write_evidence_page(found, folder / "panel.html")


def session_pages(folder, rng):
    labels = [LONG, "b", "c", "d"]
    items = {"items": [f"mail {number}" for number in range(20)], "orders": "both"}
    for name, budget, more in (
        ("empty", 0, {}),
        ("coins", 60, {}),
        ("items", 30, items),
        ("finished", None, items),
    ):
        path = folder / f"{name}.jsonl"
        asked = {"learner": "copeland-tracking", "labels": labels, "delta": 0.05, **more}
        with cpe.Session.open(path, **asked) as session:
            if budget != 0:
                session.run(lambda question: float(rng.random() < 0.7), budget=budget)
            yield session.report(folder / f"{name}.html")


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_every_report_can_be_seen_and_read(width, tmp_path):
    rng = np.random.default_rng(1)
    pages = [
        *evidence_pages(tmp_path, rng),
        panel_page(tmp_path, rng),
        *session_pages(tmp_path, rng),
    ]
    with browser(tmp_path / "profile", width=width) as driver:
        driver.set_script_timeout(A_HANG)
        driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        found = []
        for page in pages:
            driver.get(page.as_uri())
            found += [f"{page.name}, {width}: {fault}" for fault in faults_shown(driver, width)]
    assert not found, "\n".join(found)
