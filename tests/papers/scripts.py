"""The scripts of ``examples/papers``, which import each other as they do when they are run."""

import sys
from importlib import import_module
from pathlib import Path

PAPERS = Path(__file__).parents[2] / "examples" / "papers"
KEPT = PAPERS.parent / "reproduced"
sys.path.insert(0, str(PAPERS))
study, regret, league = map(import_module, ("study", "regret", "league"))
komiyama2016, zoghi2015, chen2020 = map(import_module, ("komiyama2016", "zoghi2015", "chen2020"))
kuroki2020, budgets = map(import_module, ("kuroki2020", "budgets"))
printed_numbers = import_module("printed_numbers")
SCRIPTS = (komiyama2016, zoghi2015, chen2020, kuroki2020, budgets, league, printed_numbers)
STUDIES = {each.name: each for script in SCRIPTS for each in script.STUDIES}
