"""Mutants of queries, of what feeds learners, and of the simulation."""

from tests.mutants import of

QUERIES = "problems/test_queries.py"
OBSERVATIONS = "learners/test_observations.py"
BATCHES = "simulation/test_batches.py"
ASKED = "learners/test_batches.py"
CHECKS = "testing/test_legality.py testing/test_learners.py"

QUESTIONS = [
    *of(
        "problems/queries.py",
        QUERIES,
        ("sum(query.rounds for query in self.queries)", "len(self.queries)"),
        ("isinstance(each, Duel) and each.i == each.j", "isinstance(each, Duel) and False"),
        ("if Batch in kinds:", "if kinds is None:"),
        ("if not queries:", "if queries is None:"),
    ),
    *of(
        "learners/exchange.py",
        OBSERVATIONS,
        ("if len(observation) != count:", "if len(observation) < count:"),
        ("not isinstance(observation, str | bytes)", "True"),
        ("return observation.ndim > 0", "return True"),
        ("0 <= each <= query.times:", "0 <= each:"),
        ("unit_rewards=unit_rewards))\n        except", "unit_rewards=False))\n        except"),
    ),
    *of(
        "simulation/driver.py",
        BATCHES,
        (
            "if times >= left:\n                recorder",
            "if times > left:\n                recorder",
        ),
        ("recorder.note(query, left)", "pass"),
        ("            left -= times\n        observed", "            pass\n        observed"),
        ("        recorder.note(query, times)\n    return", "    return"),
        ("if left == 0:\n", "if left is None:\n"),
        ("in [environment.check(each) for each in batch.queries]", "in batch.queries"),
    ),
    *of(
        "learners/queries.py",
        ASKED,
        ("if len(queries) > 1:", "if len(queries) > 2:"),
        ("if queries else []", ""),
    ),
    *of(
        "testing/learners.py",
        CHECKS,
        ("asked == 1 or says.batches or says == Declaration()", "True"),
    ),
    *of(
        "testing/legality.py",
        CHECKS,
        ("return all(check(each", "return any(check(each"),
    ),
    *of(
        "testing/learners.py",
        CHECKS,
        ("right[1:], [*right, 0]", "right"),
    ),
]
