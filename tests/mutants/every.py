"""All mutants, subject by subject."""

from tests.mutants.formulations import FORMULATIONS
from tests.mutants.learners import LEARNERS
from tests.mutants.proofs import PROOFS
from tests.mutants.sessions import SESSIONS
from tests.mutants.verification import VERIFICATION

EVERY_MUTANT = (*PROOFS, *LEARNERS, *FORMULATIONS, *VERIFICATION, *SESSIONS)
