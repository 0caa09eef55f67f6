"""Every learner of the registry has a file of tests, which holds it to the public suite."""

from pathlib import Path

from cpe_opt.learners.registry import LEARNERS, learner_entry
from tests.support import all_of


@all_of("name", LEARNERS)
def test_every_learner_has_a_file_of_tests_and_is_held_to_the_suite(name):
    family, module = learner_entry(name).declaration.family, LEARNERS[name].__module__
    file = Path(__file__).parent / family / f"test_{module.rpartition('.')[2]}.py"
    assert f'LearnerConformance):\n    learner = "{name}"\n' in file.read_text(encoding="utf-8")
