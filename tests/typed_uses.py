"""What mypy knows of calls: right ones, and, marked by what it says of them, wrong ones.

:mod:`tests.test_types` checks it; nobody runs it.
"""

from functools import partial
from typing import Any, assert_type

import cpe_opt as cpe
from cpe_opt.formulations.dueling.lower_bound import CopelandBound
from cpe_opt.reports.evidence import Evidence
from cpe_opt.sessions.best_of import Choice
from cpe_opt.simulation.driver import Trace

# Built-in instances have the type of their family; what a path or a variable holds is a problem.
mu = cpe.load_instance("sushi")
assert_type(mu, cpe.PreferenceMatrix)
assert_type(cpe.load_instance("figure1"), cpe.MatchingDuels)
assert_type(cpe.load_instance("top-5-of-10"), cpe.SubsetBandit)
assert_type(cpe.load_instance("water"), cpe.SeparableProblem)
assert_type(cpe.load_problem("votes.csv"), cpe.Problem)
assert_type(cpe.read_matrix("m.csv"), cpe.PreferenceMatrix)
assert_type(cpe.read_panel("panel.csv"), cpe.MatchingDuels)
print(cpe.load_problem("votes.csv").array)  # error: attr-defined
print(cpe.load_instance("water").array)  # error: attr-defined

# A trace has the answer of its problem's family.
trace = cpe.simulate("copeland-tracking", mu, delta=0.05, seed=3)
assert_type(trace, Trace[int])
print(mu.labels[trace.answer])
for name in ("rucb", "ccb"):
    assert_type(cpe.simulate(name, mu, horizon=1000).answer, int)
assert_type(cpe.simulate("rankel", mu).answer, tuple[int, ...])
assert_type(cpe.simulate("car-cond", cpe.load_instance("figure1")).answer, tuple[int, ...])
assert_type(
    cpe.simulate("clucb", cpe.load_instance("top-5-of-10"), noise=1.0).answer, tuple[int, ...]
)
assert_type(cpe.simulate("coci", cpe.load_instance("water")).answer, tuple[float, ...])
assert_type(cpe.simulate(cpe.learners.rucb, cpe.load_problem("votes.csv")).answer, Any)
cpe.simulate("rucb", mu, horizon="long")  # error: call-overload
cpe.simulate("rucb", [[0.5]])  # error: call-overload
trace.answer.upper()  # error: attr-defined

# Parameters of a learner are checked where they are given to its function.
assert_type(cpe.simulate(partial(cpe.learners.copeland_tracking, delta=0.1), mu), Trace[Any])
partial(cpe.learners.copeland_tracking, delta="small")  # error: arg-type
partial(cpe.learners.copeland_tracking, dleta=0.1)  # error: call-arg

# Oracles, their programs, and what votes prove.
assert_type(cpe.copeland_bound(mu), CopelandBound)
assert_type(cpe.copeland_bound_program(mu), cpe.LazyProgram)
assert_type(cpe.copeland_time_program(mu, method="compact"), cpe.LinearProgram)
assert_type(cpe.ecw_bound_program(mu, method="enumerate"), cpe.LinearProgram)
cpe.copeland_bound(mu, method="guess")  # error: arg-type
cpe.copeland_bound(cpe.load_instance("figure1"))  # error: arg-type
cpe.copeland_bound(mu, solver="highs", time_limt=3.0)  # error: call-arg
assert_type(cpe.evidence(cpe.Votes([[0, 3], [1, 0]])), Evidence)
cpe.evidence(mu)  # error: arg-type
assert_type(cpe.best_of(["a", "b"], lambda question: question.labels[0]), Choice)
cpe.best_of(["a", "b"], "judge.py")  # error: arg-type
