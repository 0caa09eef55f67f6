"""What votes at positions prove, as people, scripts and browsers see it."""

import json

import pandas as pd

import cpe_opt as cpe
from cpe_opt.reports.decision import write_evidence_page
from tests.commands.test_cli import run

SHARES = {
    "chair": {("Ada", "Ben"): (260, 60), ("Ada", "Cleo"): (250, 60), ("Ben", "Cleo"): (20, 21)},
    "clerk": {("Ada", "Ben"): (30, 33), ("Ben", "Cleo"): (280, 90), ("Ada", "Cleo"): (30, 20)},
}


def panel(parts=1.0):
    rows = []
    for place, pairs in SHARES.items():
        for (one, other), (won, lost) in pairs.items():
            rows += [(place, one, other, round(parts * won)), (place, other, one, round(lost))]
    return pd.DataFrame(rows, columns=["position", "winner", "loser", "count"])


def test_it_says_who_holds_which_position():
    found = cpe.panel_evidence(cpe.read_panel(panel()))
    assert found.as_dict()["best"] == {"chair": "Ada", "clerk": "Ben"}
    assert found.as_dict()["positions"]["chair"]["Cleo"] == "ruled out"
    table = found.table()
    ben = table[(table.position == "chair") & (table.candidate == "Ben")].iloc[0]
    assert (ben.votes, ben.won, ben.standing) == (320, 60 / 320, "ruled out")
    assert (found.proved, found.next_lines()) == (True, [])
    assert "no other assignment is as good as Ada as chair, Ben as clerk" in str(found)


def test_the_page_and_the_command_say_the_same(tmp_path):
    path, page = tmp_path / "panel.csv", tmp_path / "panel.html"
    panel(0.4).to_csv(path, index=False)
    said = json.loads(run("evidence", path, "--json", "--report", page).stdout)
    found = cpe.panel_evidence(cpe.read_observations(path))
    assert said == json.loads(json.dumps(found.as_dict()))
    assert said["next"]
    assert not said["proved"]
    html = page.read_text(encoding="utf-8")
    assert "what would settle it" in html
    assert html.count('class="possible"') == found.standing.count("possible")
    assert html == write_evidence_page(found, page).read_text(encoding="utf-8")
    refused = run("evidence", path, "--margin", 0.1)
    assert "--margin has no effect here" in refused.output
