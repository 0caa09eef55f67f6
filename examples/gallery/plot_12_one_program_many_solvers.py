"""
One program, many solvers
=========================

A program is a value, and a solver is one argument. The table shows what each solver answers to the
same program: the optimum, and by how much the worst row is broken, recomputed from the program
alone.
"""

import pandas as pd

import cpe_opt as cpe

program = cpe.copeland_bound_program(cpe.load_instance("sushi"), method="compact")
rows = []
for solver in ("highs", "glop", "scip", "clarabel", "scs"):
    result = cpe.solve(program, solver=solver)
    assert result.residuals is not None  # None where there is no point
    residual = f"{result.residuals.primal:.0e}"
    rows.append((solver, result.status.name, f"{result.objective:.6f}", residual))
table = pd.DataFrame(rows, columns=["solver", "status", "optimum", "largest residual"])
print(table.to_string(index=False))
