"""What the command line refuses: in one line on standard error, with exit status 1 or 2."""

import pytest

from tests.commands.test_cli import run

FILES = {
    "duels.csv": "winner,loser\na,b\nb,a\na,b\n",
    "ties.csv": "winner,loser\na,tie\n",
    "chances.csv": "0.5,0.6\n0.4,0.5\n",
    "certain.csv": "0,1\n0,0\n",
    "elements.csv": "element,mean\na,0.5\nb,0.2\nc,0.1\n",
    "best.json": '{"model": "best-k", "arms": [{"distribution": {"bernoulli": {"p": 0.5}}}]}',
    "taken.png": "kept",
    "taken.csv": "kept",
    "folder/inside.csv": "winner,loser\na,b\n",
}
SHORT = ("--horizon", 20, "--runs", 1, "--jobs", 1)
ROWS = [
    (("analyse", "none.csv"), "no file 'none.csv'"),
    (("analyse", "suhsi"), "unknown instance 'suhsi'; did you mean 'sushi'?"),
    (("analyse", "folder"), "'folder' is a folder without answer.csv and truth.csv; name a"),
    (("analyse", "ties.csv"), "ties.csv, line 2: 'tie' is no arm; a log with ties has the"),
    (("analyse", "best.json"), "best.json: how many are to be chosen? Give k (--k on the"),
    (
        ("analyse", "best.json", "--k", 2),
        "best.json: k is 2, expected at most the number of elements, 1",
    ),
    (("analyse", "elements.csv"), "elements.csv: how many are to be chosen? Give k (--k on the"),
    (
        ("analyse", "duels.csv", "--k", 1),
        "duels.csv: k (--k on the command line) has no effect on a",
    ),
    (
        ("analyse", "gap", "--k", 1),
        "k (--k on the command line) has no effect on the built-in instance 'gap'",
    ),
    (("evidence", "none.csv"), "no file 'none.csv'"),
    (("evidence", "chances.csv"), "if these are probabilities, PreferenceMatrix"),
    (("evidence", "certain.csv"), "certain.csv: no pair met more than once, so that this may be"),
    (("evidence", "duels.csv", "--delta", 0), "delta is 0.0, expected a number above 0"),
    (("evidence", "duels.csv", "--prices", "none.csv"), "no file 'none.csv'"),
    (("evidence", "duels.csv", "--solver", "nobody"), "unknown solver 'nobody'"),
    (("evidence", "duels.csv", "--plot", "taken.png"), "'taken.png' exists; --force overwrites"),
    (("evidence", "duels.csv", "--plot", "p.gif"), "'p.gif'"),
    (("evidence", "duels.csv", "--report", "page.txt"), "'page.txt'"),
    (("analyse", "x" * 5000), "cannot read"),
    (("analyse", ""), "unknown instance ''; known: arxiv, "),
    (("analyse",), "Missing argument 'instance'."),
    (("analyse", "gap", "sushi"), "Got unexpected extra argument(s) (sushi)"),
    (("analyse", "gap", "--jsn"), "No such option: --jsn (Possible options: --json)"),
    (("analyze", "gap"), "No such command 'analyze'. Did you mean 'analyse'?"),
    (
        ("solve", "copeland-bond", "gap"),
        "unknown model 'copeland-bond'; did you mean 'copeland-bound'",
    ),
    (("solve", "copeland-bound", "nowhere"), "unknown instance 'nowhere'; did you mean 'water'?"),
    (
        ("solve", "copeland-bound", "figure1"),
        "copeland-bound is a model of dueling, and figure1 is a problem of matchings",
    ),
    (
        ("solve", "copeland-bound", "gap", "--method", "cut"),
        "unknown method 'cut'; did you mean 'cuts'?",
    ),
    (("solve", "copeland-bound", "gap", "--winner", 9), "arm 9 does not exist, expected 0 … 4"),
    (
        ("solve", "copeland-bound", "gap", "--winner", "a"),
        "Invalid value for '--winner': Input should be a valid integer,",
    ),
    (
        ("solve", "copeland-bound", "gap", "--time-limit", -1),
        "time_limit is -1.0, expected a number above 0",
    ),
    (
        ("solve", "condorcet-value", "gap"),
        "condorcet-value is a model of matchings, and gap is a problem of",
    ),
    (
        ("solve", "g-design", "gap"),
        "g-design is a model of subsets, and gap is a problem of dueling",
    ),
    (
        ("solve", "ellipsoid-maximum", "elements.csv"),
        "elements.csv: how many are to be chosen? Give k (--k on the",
    ),
    (
        ("solve", "water-plan", "opinions"),
        "plan is OpinionSampling(7 samples of 3 groups), expected a WaterPlan",
    ),
    (
        ("export", "copeland-bound", "gap", "p.txt"),
        "cannot tell the format of 'p.txt': expected a name that ends in",
    ),
    (
        ("export", "copeland-bound", "gap", "folder"),
        "'folder' is a folder, expected the name of a file to write",
    ),
    (
        ("export", "copeland-bound", "gap", "duels.csv/p.lp"),
        "'duels.csv': 'duels.csv' is a file, expected a folder",
    ),
    (
        ("export", "g-design", "top-5-of-10", "p.lp"),
        "is a cone program, which no .lp file can hold: expected .cbf",
    ),
    (("export", "copeland-bound", "gap"), "Missing argument 'file'."),
    (("generate", "new.csv"), "Missing option '--candidates'."),
    (
        ("generate", "new.csv", "--candidates", 1, "--positions", 2),
        "candidates is 1, expected a whole number, at least 2",
    ),
    (
        ("generate", "new.csv", "--candidates", 3, "--positions", 2, "--gap", 0),
        "gap is 0.0, expected a number above 0",
    ),
    (
        ("generate", "new.csv", "--candidates", 3, "--positions", 2, "--seed", -1),
        "seed is -1, expected a whole number, at least 0",
    ),
    (
        ("generate", "taken.csv", "--candidates", 3, "--positions", 2),
        "'taken.csv' exists; --force overwrites it",
    ),
    (
        ("run", "nobody", "gap", *SHORT),
        "unknown learner 'nobody'; known: ",
    ),
    (("run", "ccb", "nowhere", *SHORT), "unknown instance 'nowhere'; did you mean 'water'?"),
    (
        ("run", "ccb", "figure1", *SHORT),
        "ccb is for a PreferenceMatrix, and figure1 is a MatchingDuels",
    ),
    (("run", "ccb", "gap", "--horizon", 0), "horizon is 0, expected a whole number, at least 1"),
    (
        ("run", "ccb", "gap", "--horizon", "ten"),
        "horizon is 'ten', expected a whole number such as 1000000 or 1e6",
    ),
    (
        ("run", "ccb", "gap", "--horizon", "1e30"),
        "horizon is about 1e30, expected at most",
    ),
    (
        ("run", "ccb", "gap", "--horizon", 20, "--runs", 0),
        "runs is 0, expected a whole number, at least 1",
    ),
    (
        ("run", "ccb", "gap", "--horizon", 20, "--jobs", 0),
        "jobs is 0, expected a number of processes or -1 for one a core",
    ),
    (
        ("run", "ccb", "gap", "--horizon", 20, "--jobs", 10**6),
        "jobs is 1,000,000, expected at most 1,024",
    ),
    (
        ("run", "ccb", "gap", *SHORT, "--seed", -1),
        "seed is -1, expected a whole number, at least 0",
    ),
    (
        ("run", "ccb", "gap", *SHORT, "--regret", "euros"),
        "unknown regret unit 'euros'; known: mean, sum",
    ),
    (("run", "ccb", "gap", *SHORT, "-p", "alpha"), "parameter 'alpha': expected name=value"),
    (("run", "ccb", "gap", *SHORT, "-p", "alpha=0.1"), "alpha is 0.1, expected a number above 0.5"),
    (
        ("run", "ccb", "gap", *SHORT, "-p", "beta=1"),
        "unknown parameter of ccb 'beta'; known: alpha",
    ),
    (
        ("run", "ccb", "gap", *SHORT, "-p", "alpha=0.6", "-p", "alpha=0.7"),
        "parameter 'alpha' is given twice, expected it once",
    ),
    (
        ("run", "ccb", "gap", *SHORT, "--plot", "p.txt"),
        "cannot tell the format of 'p.txt': expected a name that ends in",
    ),
    (
        ("run", "ccb", "gap", *SHORT, "--plot", "taken.png"),
        "'taken.png' exists; --force overwrites it",
    ),
    (
        ("run", "ccb", "gap", *SHORT, "--plot", "folder"),
        "'folder' is a folder, expected the name of a file to write",
    ),
    (
        ("run", "ccb", "gap", *SHORT, "--out", "taken.csv"),
        "'taken.csv' exists; --force overwrites it",
    ),
    (
        ("run", "ccb", "gap", *SHORT, "--out", "duels.csv/t.csv"),
        "'duels.csv': 'duels.csv' is a file, expected a folder",
    ),
    (
        ("run", "car-cond", "figure1", "--plot", "p.png"),
        "run draws regret, and a MatchingDuels has none; `cpe-opt",
    ),
    (("compare", "ccb"), "on which instance? Give --on"),
    (("compare", "ccb", "ccb", "--on", "gap", *SHORT), "two learners are called alike: ccb, ccb"),
    (("compare", "ccb:alpha", "--on", "gap", *SHORT), "parameter 'alpha': expected name=value"),
    (
        ("compare", "ccb", "--on", "gap", *SHORT, "--engine", "slurm"),
        "unknown engine 'slurm'; known: dask, loky, ray",
    ),
    (
        ("compare", "ccb", "--on", "gap", *SHORT, "--out", "duels.csv"),
        "'duels.csv': 'duels.csv' is a file, expected a folder",
    ),
    (
        ("compare", "car-cond", "ccb", "--on", "gap", *SHORT),
        "car_cond is for a MatchingDuels, and gap is a PreferenceMatrix",
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files that are only read, for all rows."""
    folder = tmp_path_factory.mktemp("files")
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


@pytest.mark.parametrize(("arguments", "message"), ROWS, ids=[row[1] for row in ROWS])
def test_bad_commands_are_refused_in_words(arguments, message, folder):
    done = run(*arguments, cwd=folder)
    assert done.exit_code in (1, 2)
    # Typer draws a box around what it says of options, and breaks lines in it.
    said = " ".join(done.stderr.replace("│", " ").split())
    assert message in said
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert files == set(FILES)
