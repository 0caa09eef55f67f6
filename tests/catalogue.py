"""What stands in models/, and how it is made: ``python -m tests.catalogue`` writes it anew.

The tests re-export every entry and compare it with the stored files. The matrices of the ellipsoids
are data: they come from designs of random sets, one of many, and are read, never computed anew.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import cpe_opt as cpe
from cpe_opt.commands.separable import SEPARABLE_MODELS, separable_program
from cpe_opt.files import atomic_write

MODELS = Path(__file__).parents[1] / "models"
CONE_MODELS = ("g-design", "xy-design")
BOUNDS = {"copeland-bound": cpe.copeland_bound, "ecw-bound": cpe.ecw_bound}


@dataclass(frozen=True)
class Entry:
    """One exported program: ``models/<model>/<stem>.lp``, ``.mps`` and ``.toml``."""

    model: str
    instance: str
    method: str
    stem: str

    @property
    def folder(self):
        return MODELS / self.model

    @property
    def matrix(self):
        """The stored matrix of an ellipsoid."""
        return np.loadtxt(self.folder / f"{self.stem}.csv", delimiter=",")

    def solve(self, solver="highs"):
        """The solve of the program, and the winner it is written for, if any."""
        mu = cpe.load_instance(self.instance)
        if self.model == "condorcet-value":
            return cpe.condorcet_value(mu.graph, mu.array, solver=solver).result, None
        if self.model == "best-matching":
            return cpe.borda_winner(mu, method="program", solver=solver).result, None
        if self.model in SEPARABLE_MODELS:
            return cpe.solve(separable_program(mu), solver), None
        if self.model == "ellipsoid-maximum":
            found = cpe.ellipsoid_maximum(self.matrix, mu.decisions, "exact", solver=solver)
            return found.result, None
        if self.model == "von-neumann-winner":
            return cpe.von_neumann_winner(mu, solver=solver).result, None
        bound = BOUNDS[self.model](mu, method=self.method, solver=solver)
        return bound.result, bound.winner

    def describe(self, result, winner):
        """The facts of the entry, as its TOML has them."""
        rows, columns = result.program.shape
        command = f"cpe-opt export {self.model} {self.instance} {self.stem}.lp"
        residual = result.residuals.primal
        if not result.program.is_integer:
            residual = max(residual, result.residuals.dual)
        choice = {} if winner is None else {"method": self.method, "winner": winner}
        if choice:
            command += f" --method {self.method} --winner {winner}"
        return {
            "model": self.model,
            "instance": self.instance,
            "source": cpe.INSTANCES[self.instance].source,
            **choice,
            "sense": result.program.sense,
            "columns": columns,
            "rows": rows,
            "optimum": round(result.objective, 9) + 0.0,
            "certificate": "branch and bound, and an algorithm that is no solver"
            if result.program.is_integer
            else "weak duality, recomputed from the file's numbers",
            "gap": float(f"{result.residuals.gap:.0e}"),
            "residual": float(f"{residual:.0e}"),
            "command": command,
        }


SMALL = ("gap", "multisol", "cyclic", "mslr5-condorcet", "mslr5-cycle")
ENTRIES = [
    *(Entry("copeland-bound", name, "enumerate", name) for name in SMALL),
    Entry("copeland-bound", "sushi", "compact", "sushi"),
    Entry("copeland-bound", "sushi", "cuts", "sushi-cuts"),
    *(Entry("ecw-bound", name, "enumerate", name) for name in SMALL),
    Entry("ecw-bound", "sushi", "compact", "sushi"),
    *(Entry("von-neumann-winner", name, "", name) for name in (*SMALL, "sushi")),
    Entry("condorcet-value", "figure1", "", "figure1"),
    Entry("best-matching", "figure1", "", "figure1"),
    Entry("ellipsoid-maximum", "top-5-of-10", "", "top-5-of-10"),
    Entry("ellipsoid-maximum", "trees-of-k5", "", "trees-of-k5"),
    Entry("sample-allocation", "opinions", "", "opinions"),
    Entry("water-plan", "water", "", "water"),
]


@dataclass(frozen=True)
class ConeEntry:
    """One cone program: ``models/<model>/<stem>.cbf`` and ``.toml``."""

    model: str
    stem: str
    decisions: cpe.DecisionClass

    @property
    def folder(self):
        return MODELS / self.model

    def program(self):
        build = cpe.g_design_program if self.model == "g-design" else cpe.xy_design_program
        return build(self.decisions)

    def optimum(self):
        """The optimum, from the design of an algorithm that solves no cone program."""
        if self.model == "xy-design":
            return cpe.xy_design(self.decisions, tolerance=1e-9).value
        design = cpe.g_design(self.decisions, method="frank-wolfe", tolerance=1e-9)
        return np.linalg.slogdet(design.information).logabsdet

    def describe(self):
        """The facts of the entry, as its TOML has them."""
        program = self.program()
        rows, columns = program.shape
        return {
            "model": self.model,
            "instance": self.decisions.name,
            "sense": program.sense,
            "variables": columns,
            "constraints": rows,
            "optimum": round(float(self.optimum()), 6),
            "certificate": "a design of an algorithm that solves no cone program, with its gap",
        }


CONE_ENTRIES = [
    *(
        ConeEntry("g-design", name, cpe.load_instance(name).decisions)
        for name in ("top-5-of-10", "trees-of-k5")
    ),
    ConeEntry("xy-design", "top-2-of-4", cpe.TopK(4, 2)),
]


def read_toml(entry):
    return tomllib.loads((entry.folder / f"{entry.stem}.toml").read_text(encoding="utf-8"))


def write_entry(entry):
    result, winner = entry.solve()
    for suffix in (".lp", ".mps"):
        cpe.export(result.program, entry.folder / f"{entry.stem}{suffix}")
    write_facts(entry, entry.describe(result, winner))


def write_facts(entry, facts):
    lines = []
    for key, value in facts.items():
        lines.append(f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}")
    with atomic_write(entry.folder / f"{entry.stem}.toml") as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for entry in ENTRIES:
        write_entry(entry)
        print(f"{entry.model}/{entry.stem}: {read_toml(entry)['optimum']}")
    for cone in CONE_ENTRIES:
        cpe.export(cone.program(), cone.folder / f"{cone.stem}.cbf")
        write_facts(cone, cone.describe())
        print(f"{cone.model}/{cone.stem}: {read_toml(cone)['optimum']}")
