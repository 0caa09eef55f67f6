"""Problems of separable rewards written to and read from JSON files."""

import json

import pytest

import cpe_opt as cpe
from tests.support import all_of

ARMS = (cpe.Bernoulli(0.9), cpe.Beta(3, 0.5), cpe.Empirical((0.0, 0.25, 1.0)))
COSTS = (
    cpe.Quadratic(0.1, 1.0),
    cpe.Power(1.0, 1.3),
    cpe.PiecewiseLinear((0.0, 2.0), (1.0, 1.5)),
)
LABELS = ("lake", "river", "well")
MODELS = {
    "best-k": cpe.BestSet(cpe.TopK(3, 2, LABELS)),
    "water-plan": cpe.WaterPlan(COSTS, [4.0, 2.5, 1.0], 3.5, step=0.5, labels=LABELS),
    "opinion-sampling": cpe.OpinionSampling([60, 30, 10], 7, LABELS),
}
WATER = {
    "model": "water-plan",
    "demand": 2,
    "arms": [
        {
            "label": "a",
            "cap": 4,
            "cost": {"quadratic": {"a": 1}},
            "distribution": {"beta": {"a": 1, "b": 2}},
        },
        {"cap": 3, "cost": {"power": {"a": 1, "p": 2}}, "distribution": {"bernoulli": {"p": 0.5}}},
    ],
}


def write(folder, content, name="p.json"):
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


@pytest.mark.parametrize("kind", MODELS)
def test_written_problems_read_back_as_they_were(kind, tmp_path):
    problem = cpe.SeparableProblem(MODELS[kind], ARMS, name="mine")
    cpe.write_problem(problem, tmp_path / "mine.json")
    again = cpe.load_problem(tmp_path / "mine.json")
    assert (again.name, again.arms) == ("mine", ARMS)
    assert type(again.model) is type(problem.model)
    assert again.model.fingerprint == problem.model.fingerprint
    assert again.model.labels == LABELS


def test_what_no_file_holds_is_refused_before_anything_is_written(tmp_path):
    own = cpe.CustomModel(3, lambda theta: theta, bi_monotone=True)
    trees = cpe.BestSet(cpe.SpanningTrees([("a", "b"), ("b", "c"), ("a", "c")]))
    for model in (own, trees):
        with pytest.raises(cpe.InputError, match="cannot be written"):
            cpe.write_problem(cpe.SeparableProblem(model, ARMS), tmp_path / "own.json")
    assert not list(tmp_path.iterdir())


def test_labels_and_step_may_be_left_out(tmp_path):
    problem = cpe.load_problem(write(tmp_path, WATER))
    assert problem.model.labels == ("a", "1")
    assert problem.model.step == 1
    assert problem.model.costs == (cpe.Quadratic(1), cpe.Power(1, 2))
    assert problem.theta.tolist() == pytest.approx([1 / 3, 0.5])


def test_observations_stand_for_distributions(tmp_path):
    write(tmp_path, "b, a\n1,0\n0,0.5\n1,\n", "seen.csv")
    seen = {"observations": "seen.csv"}
    best = write(tmp_path, {"model": "best-k", **seen})
    problem = cpe.load_problem(best, 1)
    assert problem.model.labels == ("b", "a")
    assert problem.arms[1] == cpe.Empirical((0.0, 0.5))
    chosen = [{"label": "a", "size": 5}]  # the file may hold more columns
    asked = write(tmp_path, {"model": "opinion-sampling", "budget": 4, "arms": chosen, **seen})
    problem = cpe.load_problem(asked)
    assert problem.arms == (cpe.Empirical((0.0, 0.5)),)
    assert problem.theta.tolist() == [0.0625]


def test_k_comes_from_the_file_or_the_caller(tmp_path):
    arms = [{"distribution": {"bernoulli": {"p": p}}} for p in (0.1, 0.5)]
    path = write(tmp_path, {"model": "best-k", "arms": arms})
    with pytest.raises(cpe.InputError, match="how many are to be chosen"):
        cpe.load_problem(path)
    assert cpe.load_problem(path, 1).model.decisions.k == 1
    path = write(tmp_path, {"model": "best-k", "k": 1, "arms": arms})
    with pytest.raises(cpe.InputError, match="k is 1 in the file, and 2 was given"):
        cpe.load_problem(path, 2)
    with pytest.raises(cpe.InputError, match="k was given, and water-plan has none"):
        cpe.load_problem(write(tmp_path, WATER), 2)


def changed(**changes):
    """The problem with other entries at the top, or in the second arm where it has such."""
    content = json.loads(json.dumps(WATER))
    for key, value in changes.items():
        (content["arms"][1] if key in (*content["arms"][1], "label") else content)[key] = value
    return content


@all_of(
    ("content", "message"),
    [
        ("", "p.json: not a readable JSON file (Expecting value: line 1 column 1"),
        ("[" * 100_000, "not a readable JSON file (maximum recursion depth exceeded"),
        ('{"model": "best-k", "model": "best-k"}', "an object has the key 'model' twice"),
        ([], 'expected {"model": …, "arms": […]} with one of best-k'),
        (changed(budget=3), "the file has 'budget', expected model, demand, step, obs"),
        ({"model": "water-plan", "arms": []}, "the file has no 'demand'"),
        (changed(arms=[]), "arms: expected a list of at least one arm"),
        (changed(arms=[{"label": "x", "cap": 1}]), "arm x has no 'cost'"),
        (changed(label="a"), "labels: arms 0 and 1 are both called 'a'"),
        (changed(cap="4"), "arm 1: cap is '4', expected a number above 0"),
        (changed(cost={"cubic": {}}), 'cost is {"cubic": {}}, expected an object of numbers by'),
        (changed(cost={"power": {"a": 1, "p": 0.5}}), "arm 1: cost: p is 0.5, expected"),
        (
            changed(cost={"piecewise-linear": {"breaks": ["x"], "slopes": [1]}}),
            '"slopes": [1]}}, expected n',
        ),
        (changed(distribution={"bernoulli": {"p": 2}}), "distribution: p is 2, expected a prob"),
        (
            changed(distribution={"empirical": {"values": [[1]]}}),
            "[[1]]}}, expected numbers",
        ),
        (changed(demand=20), "p.json: demand is 20, and the caps add up to 7"),
        (changed(observations="none.csv"), "p.json: no file "),
    ],
)
def test_bad_files_are_refused_with_the_place(tmp_path, content, message):
    with pytest.raises(cpe.CpeOptError) as refused:
        cpe.load_problem(write(tmp_path, content))
    assert message in str(refused.value)


@all_of(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "seen.csv, column b: values: expected numbers in [0, 1], at"),
        (",a\n1,0\n", 'arm 0: label is "", expected a name'),
        ("a,c\n1,1\n", "seen.csv: no column 'b'; found a, c"),
    ],
)
def test_bad_observations_are_refused_with_the_place(tmp_path, text, message):
    write(tmp_path, text, "seen.csv")
    content = {"model": "best-k", "k": 1, "observations": "seen.csv"}
    if "c" in text:
        content["arms"] = [{"label": "a"}, {"label": "b"}]
    with pytest.raises(cpe.InputError) as refused:
        cpe.load_problem(write(tmp_path, content))
    assert message in str(refused.value)
