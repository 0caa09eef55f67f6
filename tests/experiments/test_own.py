"""Learners, problems and decision classes of a user's own, in experiments and worker processes."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.experiments.planning import run_seed
from cpe_opt.experiments.results import regret_curves, run_samples
from cpe_opt.learners import HorizonReached, Unproved, declare
from cpe_opt.problems.environments import DuelEnvironment, DuelRecorder


def knockout(arms, *, rng, duels=5):
    """Arms in random order; whoever wins most of some duels stays."""
    order = rng.permutation(arms).tolist()
    best = order[0]
    try:
        for arm in order[1:]:
            if 2 * (yield cpe.Duel(arm, best, duels)) > duels:
                best = arm
    except HorizonReached:
        pass
    return Unproved(best, "nothing is guaranteed")


class Chain:
    """Every arm beats all later ones, by as much as a user says."""

    family = "dueling"

    def __init__(self, arms, edge):
        self.known, self.edge = arms, edge
        self.name, self.labels = f"chain of {arms}", [f"link {k}" for k in range(arms)]

    @property
    def fingerprint(self):
        return self.known, self.edge

    def environment(self, rng):
        above = np.triu(np.full((self.known, self.known), self.edge), 1)
        return DuelEnvironment(0.5 + above - above.T, rng)

    def recorder(self, *, horizon=None, regret=None, points=None):
        behind = np.arange(self.known, dtype=float)
        rates = behind[:, None] + behind[None, :]
        return DuelRecorder(rates, horizon=horizon, points=points, units=regret or "links")


def files_of(folder):
    return sorted(folder.rglob("runs-*.parquet"))


def test_all_of_ones_own_at_once(tmp_path):
    """A learner, with and without parameters, on a problem, beside a learner of the package."""
    table = cpe.run_experiment(
        [knockout, cpe.LearnerSpec(knockout, {"duels": 1}), "rmed1", cpe.learners.rucb],
        [Chain(5, 0.4), "gap"], runs=3, horizon=60, jobs=2, out=tmp_path,
    )  # fmt: skip
    names = ["knockout", "knockout (duels=1)", "rmed1", "rucb"]
    assert table["learner"].tolist() == 2 * names
    assert table["units"].tolist() == ["links"] * 4 + ["mean"] * 4
    alone = [
        cpe.simulate(knockout, Chain(5, 0.4), horizon=60, seed=run_seed(0, k)) for k in range(3)
    ]
    assert table["mean"][0] == np.mean([trace.regret[-1] for trace in alone])
    curves = regret_curves(table)
    assert list(curves) == ["chain of 5", "gap"]
    assert list(curves["gap"]) == names
    assert run_samples(table)["chain of 5"]["knockout"] == [trace.samples for trace in alone]
    path = tmp_path / "p.png"
    cpe.plot_regret(curves["chain of 5"], path, units="links")
    assert path.stat().st_size > 1000


MAIN = """
import sys
import numpy as np
import cpe_opt as cpe

edge = 0.4
{classes}

def first_that_wins(arms, *, rng, duels=DUELS):
    for arm in range(1, arms):
        if (yield cpe.Duel(0, arm, duels)) < duels / 2:
            return arm
    return 0

table = cpe.run_experiment(
    [first_that_wins, lambda arms: (yield cpe.Duel(0, 1)) or 1], [Chain(4, edge)], runs=2,
    horizon=50, jobs=int(sys.argv[2]), out=sys.argv[1],
)
print(table.drop(columns="seconds").to_json())
"""


def test_functions_and_classes_of_a_script_are_sent_by_value(tmp_path, monkeypatch, capsys):
    """Defined in __main__, where workers cannot import them; kept under their code."""
    source = Path(__file__).read_text(encoding="utf-8")
    chain = source[source.index("class Chain:") : source.index("def files_of")]
    imports = "from cpe_opt.problems.environments import DuelEnvironment\n"
    imports += "from cpe_opt.problems.environments import DuelRecorder\n"
    text = MAIN.format(classes=imports + chain)
    shown, counts = [], []
    edited = text.replace("behind =", "# How many steps behind.\n        behind =")
    assert edited != text
    # As it is, in workers; with a comment in the problem, and another number in one learner.
    for script_text, duels, jobs in ((text, "3", "2"), (edited, "7", "1")):
        script = tmp_path / "script.py"
        script.write_text(script_text.replace("DUELS", duels))
        monkeypatch.setattr("sys.argv", [str(script), str(tmp_path / "out"), jobs])
        runpy.run_path(str(script), run_name="__main__")
        shown.append(json.loads(capsys.readouterr().out))
        counts.append(len({file.parent for file in files_of(tmp_path / "out")}))
    assert list(shown[0]["learner"].values()) == ["first-that-wins", "<lambda>"]
    assert all(shown[0][column]["1"] == shown[1][column]["1"] for column in shown[0])
    assert shown[0]["samples"]["0"] != shown[1]["samples"]["0"]
    assert counts == [2, 3]


def test_a_declared_learner_of_ones_own_is_held_to_its_family():
    mine = declare(family="matchings", goal="PAC", guarantee="none", paper="none")(
        lambda graph, *, rng: iter(())
    )
    with pytest.raises(cpe.InputError, match="lambda> is for a MatchingDuels, and chain of 4 is"):
        cpe.simulate(mine, Chain(4, 0.1))
    poker = declare(family="poker", goal="PAC", guarantee="none", paper="none")(
        lambda cards, *, rng: iter(())
    )
    with pytest.raises(cpe.InputError, match="is for a poker, and chain of 4 is a Chain"):
        cpe.simulate(poker, Chain(4, 0.1))
