"""All mutants, file by file of this folder."""

from tests.mutants.algorithm_1 import ALGORITHM_1
from tests.mutants.experiments import EXPERIMENTS
from tests.mutants.formulations import FORMULATIONS
from tests.mutants.judges import JUDGING
from tests.mutants.learners import LEARNERS
from tests.mutants.model_files import MODEL_FILES
from tests.mutants.questions import QUESTIONS
from tests.mutants.sessions import SESSIONS
from tests.mutants.verification import VERIFICATION
from tests.mutants.votes import VOTES

EVERY_MUTANT = (
    *LEARNERS,
    *QUESTIONS,
    *ALGORITHM_1,
    *FORMULATIONS,
    *EXPERIMENTS,
    *SESSIONS,
    *JUDGING,
    *MODEL_FILES,
    *VERIFICATION,
    *VOTES,
)
