"""What stands in models/, and how it is made: ``python -m tests.catalogue`` writes it anew.

An entry is an instance of a model; ``python -m tests.catalogue kemeny-ranking cyclic`` adds one.
The tests re-export every entry and compare it with the stored files. A certificate that holds is
kept, as another machine may find another optimal point. The matrices of the ellipsoids
are data: they come from designs of random sets, one of many, and are read, never computed anew.
"""

import json
import runpy
import sys
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

import cpe_opt as cpe
from cpe_opt.files import atomic_write
from cpe_opt.formulations.models import MODELS as REGISTRY
from cpe_opt.solvers.certificate import program_data

MODELS = Path(__file__).parents[1] / "models"
CHECK = runpy.run_path(str(MODELS.parent / "examples" / "check_certificate.py"))["check"]


@dataclass(frozen=True)
class Entry:
    """One exported program: ``models/<model>/<stem>``, ``.lp``, ``.mps`` or ``.cbf``, ``.toml``.

    And ``.json``, the certificate of the program in the LP file.
    """

    model: str
    instance: str
    method: str
    stem: str
    root: Path = field(default=MODELS, repr=False)

    @property
    def folder(self):
        return self.root / self.model

    @property
    def known(self):
        return REGISTRY[self.model]

    @property
    def problem(self):
        return cpe.load_instance(self.instance)

    @cached_property
    def is_conic(self):
        """Whether no LP file can hold it: as it is stored, or, of a new entry, as it is built."""
        if (self.folder / f"{self.stem}.toml").exists():
            return (self.folder / f"{self.stem}.cbf").exists()
        return isinstance(self.build(), cpe.ConicProgram)

    @property
    def suffixes(self):
        return (".cbf",) if self.is_conic else (".lp", ".mps")

    @property
    def certificate(self):
        """Where that of a linear program is."""
        return self.folder / f"{self.stem}.json"

    @property
    def matrix(self):
        """The stored matrix of an ellipsoid."""
        return np.loadtxt(self.folder / f"{self.stem}.csv", delimiter=",")

    def build(self, **options):
        """The program, unsolved; of an ellipsoid from its stored matrix."""
        if self.model == "ellipsoid-maximum":
            return cpe.ellipsoid_maximum_program(self.problem.decisions, self.matrix)
        return self.known.build(self.problem, self.method or None, **options)

    def solve(self, solver=None):
        """The solve of the program, and the choice it is written for, such as a winner, if any."""
        solver = solver or ("clarabel" if self.is_conic else "highs")
        if self.known.choice:
            answer = self.known.solve(self.problem, self.method or None, solver=solver)
            return answer.result, getattr(answer, self.known.choice)
        return cpe.solve(self.build(), solver), None

    def describe(self, result, chosen):
        """The facts of the entry, as its TOML has them."""
        command = f"cpe-opt export {self.model} {self.instance} {self.stem}{self.suffixes[0]}"
        choice = {"method": self.method} if chosen is not None and self.method else {}
        choice |= {} if chosen is None else {self.known.choice: chosen}
        command += "".join(f" --{name} {value}" for name, value in choice.items())
        return {
            "model": self.model,
            "instance": self.instance,
            "source": cpe.INSTANCES[self.instance].source,
            **choice,
            **(self._conic_facts(result) if self.is_conic else self._facts(result)),
            "command": command,
        }

    def _facts(self, result):
        rows, columns = result.program.shape
        residual = result.residuals.primal
        if not result.program.is_integer:
            residual = max(residual, result.residuals.dual)
        return {
            "sense": result.program.sense,
            "columns": columns,
            "rows": rows,
            "optimum": round(result.objective, 9) + 0.0,
            "certificate": "branch and bound, and an algorithm that is no solver"
            if result.program.is_integer
            else "weak duality, recomputed from the file's numbers",
            "gap": float(f"{result.residuals.gap:.0e}"),
            "residual": float(f"{residual:.0e}"),
        }

    def _conic_facts(self, result):
        """The optimum of the program, and the criterion that another method finds and bounds."""
        program, answer = self.build(), self.known.solve(self.problem)
        constraints, variables = program.shape
        facts = {
            "sense": program.sense,
            "variables": variables,
            "constraints": constraints,
            "optimum": round(result.objective, 5),
        }
        if self.model.endswith("-time"):
            how = "weak duality, recomputed from the multipliers of the solver"
            return facts | {"bound": round(answer.bound, 5), "certificate": how}
        how = f"of the criterion: a design by {answer.method}, and its bound"
        return facts | {"criterion": round(answer.bound, 4), "certificate": how}


def found_entries(root=MODELS):
    """What stands in a catalogue: every TOML is an entry."""
    entries = []
    for path in sorted(root.glob("*/*.toml")):
        facts = tomllib.loads(path.read_text(encoding="utf-8"))
        method = facts.get("method", "")
        entries.append(Entry(facts["model"], facts["instance"], method, path.stem, root))
    return entries


ENTRIES = found_entries()


def read_toml(entry):
    return tomllib.loads((entry.folder / f"{entry.stem}.toml").read_text(encoding="utf-8"))


def write_entry(entry):
    result, chosen = entry.solve()
    program = entry.build() if entry.is_conic else result.program
    for suffix in entry.suffixes:
        cpe.export(program, entry.folder / f"{entry.stem}{suffix}")
    lines = []
    for key, value in entry.describe(result, chosen).items():
        lines.append(f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}")
    with atomic_write(entry.folder / f"{entry.stem}.toml") as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if not entry.is_conic:
        write_certificate(entry)


def write_certificate(entry):
    """Of the program as its LP file has it, unless there is one that holds."""
    program = cpe.read_program(entry.folder / f"{entry.stem}.lp")
    if entry.certificate.exists():
        text = entry.certificate.read_text(encoding="utf-8")
        if json.loads(text)["program"] == program_data(program) and CHECK(text):
            return
    cpe.certificate(program).write(entry.certificate)


def main(arguments):
    """Write every entry anew, or add that of ``MODEL INSTANCE [METHOD [STEM]]``."""
    entries = ENTRIES
    if arguments:
        model, instance, method, stem = [*arguments, "", "", ""][:4]
        entries = [Entry(model, instance, method, stem or instance)]
    for entry in entries:
        write_entry(entry)
        print(f"{entry.model}/{entry.stem}: {read_toml(entry)['optimum']}")


if __name__ == "__main__":
    main(sys.argv[1:])
