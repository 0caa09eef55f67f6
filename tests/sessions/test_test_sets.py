"""Sessions over the items of a test set: which cells are asked, and what becomes of answers."""

import collections
import itertools
import math

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

import cpe_opt as cpe
from cpe_opt.sessions.answers import PositionBias
from cpe_opt.sessions.content import read_items
from cpe_opt.sessions.header import fresh_seed
from tests.items import round_robin
from tests.sessions.support import records_of
from tests.support import all_of

LABELS = ["ant", "bee", "cow"]
ITEMS = [{"item": f"q{number}", "text": f"What is {number}?"} for number in range(4)]
EVERY_ORDER = pytest.mark.parametrize("orders", ["both", "random"])


def over(path, orders="both", learner=round_robin, **options):
    given = {"labels": LABELS, "items": ITEMS, "orders": orders, **options}
    return cpe.Session.open(path, learner, **given)


def cell_of(question, orders="both"):
    """What tells a cell: pair, item, and the order where both are cells of their own."""
    order = question.labels if orders == "both" else ()
    return frozenset(question.labels), question.item_id, order


def by_name(question):
    """An answer that position does not change: the first by the alphabet wins on even items."""
    even = int(question.item_id[1:]) % 2 == 0
    return float((question.labels[0] < question.labels[1]) == even)


def answer_all(session, outcome=by_name):
    asked = []
    while questions := session.ask(3):
        for question in questions:
            session.tell(question.id, outcome(question))
            asked.append(question)
    return asked


# Which cells are asked


@EVERY_ORDER
def test_every_cell_is_asked_once_and_answers_say_which(path, orders):
    with over(path, orders) as session:
        asked = {question.id: question for question in answer_all(session)}
        status, answers = session.status(), session.answers()
    cells = {cell_of(question, orders) for question in asked.values()}
    assert len(cells) == len(asked) == (24 if orders == "both" else 12)
    assert (status.cells, status.answers, status.finished) == (len(cells), len(cells), True)
    for row in answers.itertuples():
        question = asked[row.id]
        assert (row.first, row.second, row.item) == (*question.labels, question.item_id)
        assert row.outcome == by_name(question)
    assert answers.pop("told").all()
    alone = cpe.Session.read_answers(path)  # on half of the items either arm wins
    assert (alone.item_duels().table.array == 0.5).all()


def orders_of(path, arms, items, seed, orders="random"):
    """The cells of each pair in the order in which they are asked: item, and whether reversed."""
    labels, found = [f"{arm:02}" for arm in range(arms)], collections.defaultdict(dict)
    with over(path, orders, labels=labels, items=items, seed=seed, parallel=10_000) as session:
        for question in session.ask(10_000):
            pair, _, number = question.id.partition(".")
            reverse = question.labels[0] > question.labels[1]
            found[tuple(map(int, pair.split("-")))][int(number)] = (int(question.item_id), reverse)
    return {pair: [cells[n] for n in sorted(cells)] for pair, cells in found.items()}


def test_permutations_are_uniform_and_those_of_pairs_independent(path):
    """Of 57 arms on 3 items, of which each order is as likely, whatever its neighbour."""
    found, joint, reverse = orders_of(path, 57, 3, seed=2), collections.Counter(), []
    for (i, j), cells in found.items():
        reverse += [second for _, second in cells]
        if (i + j) % 2 == 0 and (i, j + 1) in found:
            joint[tuple(item for item, _ in cells + found[i, j + 1])] += 1
    assert len(joint) == 36
    assert chisquare(list(joint.values())).pvalue > 1e-4
    assert abs(np.mean(reverse) - 0.5) < 4 * 0.5 / math.sqrt(len(reverse))


def test_a_log_from_elsewhere_asks_the_same_cells(path):
    """Hashes decide, not the version of a library: these are what they were when it was written."""
    cells = orders_of(path, 3, 4, seed=7, orders="both")[0, 2]
    found = " ".join(f"{item}{'r' * second}" for item, second in cells)
    assert found == "0r 2r 2 3r 1 0 1r 3"


def test_an_order_is_that_of_one_session_alone(tmp_path, monkeypatch):
    """It is drawn anew, recorded, and the same whenever the session is opened again."""
    monkeypatch.setattr("cpe_opt.sessions.header.fresh_seed", fresh_seed)  # as outside of tests
    orders = set()
    for name in "abc":
        with over(tmp_path / name) as session:
            asked, seed = session.ask(9), session.header.seed
            orders.add(tuple(question.id + question.item_id for question in asked))
        assert records_of(tmp_path / name)[0]["seed"] == seed
        with cpe.Session.open(tmp_path / name, round_robin) as session:
            assert session.ask(9) == asked
    assert len(orders) > 1


# What the learner hears


@EVERY_ORDER
def test_a_learner_hears_what_a_simulation_of_the_table_tells(path, orders):
    """Sums of outcomes, ties as ½ and no coin, whichever arm a cell shows first."""
    rng, heard, given = np.random.default_rng(3), [], {}

    def listening(arms, *, cells=None):
        for turn in range(int(cells.max())):
            for i, j in itertools.combinations(range(arms), 2):
                heard.append((i, j, (yield cpe.Duel(*((i, j) if turn % 2 else (j, i))))[:2]))
        return 0

    with over(path, orders, listening) as session:
        while questions := session.ask():
            [question] = questions
            value = float(rng.choice([0, 0.25, 0.5, 1]))
            session.tell(question.id, value)
            i, j = (LABELS.index(label) for label in question.labels)
            given.setdefault((min(i, j), max(i, j)), []).append(value if i < j else 1 - value)
        duels = session.item_duels()
    expected = []
    for turn in range(8 if orders == "both" else 4):
        for i, j in itertools.combinations(range(3), 2):
            outcome = given[i, j][turn] if turn % 2 else 1 - given[i, j][turn]
            expected.append((i, j, (outcome, 1 - outcome)))
    assert heard[: len(expected)] == expected
    for (i, j), outcomes in given.items():
        assert sorted(duels.pair(i, j)) == sorted(outcomes)


# Cells that nobody answers


def test_a_cell_that_nobody_answers_is_left_out(path):
    lost = []

    def listening(arms, *, cells=None):
        while True:
            lost.append((yield cpe.Duel(0, 1))[:2])

    with over(path.with_name("heard"), learner=listening) as session:
        session.leave_out(session.ask()[0].id)
        assert session.ask()
    assert lost == [(0, 0)]  # in both directions of its pair
    with over(path) as session:
        left, told = session.ask(2)
        session.leave_out(left.id)
        session.tell(told.id, by_name(told))
        for wrong in (left.id, f"{left.id}~2"):
            with pytest.raises(cpe.InputError, match="was left out"):
                session.tell(wrong, 1)
        assert left not in answer_all(session)
        status = session.status()
        assert (status.left_out, status.answers, status.finished) == (1, 23, True)
        assert "holds whatever the 1 cell that nobody answered would say" in status.warnings[0]
    with cpe.Session.open(path, round_robin) as session:
        assert session.status() == status
        session.withdraw(left.id)
        assert (session.status().left_out, session.finished) == (0, False)
        assert answer_all(session) == [left]
        assert session.finished
        assert all("nobody answered" not in each for each in session.status().warnings)


def test_a_cell_that_all_of_three_raters_skip_is_left_out(path):
    with over(path) as session:
        id_ = session.ask()[0].id
        for rater in ("ann", "bob", "ann"):
            session.skip(id_, rater=rater)
        other = session.ask(2, rater="dan")[1]
        session.tell(other.id, by_name(other), rater="dan")
        for rater in ("cleo", "dan"):
            assert session.status().left_out == 0  # dan has not seen it
            session.skip(id_, rater=rater)
        assert session.status().left_out == 1
        assert [each["leave_out"] for each in records_of(path) if "leave_out" in each] == [id_]
        session.withdraw(id_)
        cell = session.question(id_)
        session.tell(id_, 1, rater="ann")
        [again] = session.ask(rater="bob", repeat=True)
        assert (again.item, again.labels) == (cell.item, cell.labels)
        for rater in ("ann", "bob", "cleo", "dan"):
            session.skip(f"{id_}~2", rater=rater)
        assert session.status().left_out == 0


def test_position_is_said_of_firsts_and_of_swaps(path):
    with over(path) as session:
        answer_all(session, lambda question: 1.0)  # whoever is shown first
        bias, status = session.position_bias(), session.status()
    assert (bias.firsts, bias.decided, bias.compared, bias.disagree) == (24, 24, 12, 12)
    assert bias.interval[0] > 0.8
    for firsts, decided in ((0, 1), (3, 10), (24, 24)):
        wilson = binomtest(firsts, decided).proportion_ci(method="wilson")
        assert PositionBias(firsts, decided, 0, 0).interval == pytest.approx([*wilson], abs=1e-12)
    assert any("the order matters" in each for each in status.warnings)
    with over(path.with_name("fair"), items=1) as session:
        said = {"ant": 1, "bee": 0, "cow": 0.5}  # of the first shown
        answer_all(session, lambda question: said[question.first])
        bias = session.position_bias()
    assert (bias.firsts, bias.decided, bias.compared, bias.disagree) == (2, 4, 3, 2)


# Cells that were answered before


@EVERY_ORDER
def test_answers_begin_another_session_that_does_not_ask_them_again(path, tmp_path, orders):
    with over(path, orders) as session:
        first = []
        for _ in range(7):
            [question] = session.ask()
            session.tell(question.id, by_name(question))
            first.append(cell_of(question, orders))
        done = session.item_duels()
    cpe.write_item_duels(done, tmp_path / "done.csv")
    prior, heard = cpe.read_item_duels(tmp_path / "done.csv"), {}

    def learner(arms, *, cells=None, answered=None):
        heard.update(cells=cells, answered=answered)
        return (yield from round_robin(arms, cells=cells, answered=answered))

    new = tmp_path / "new.jsonl"
    given = {"labels": LABELS[::-1], "items": ITEMS[::-1], "seed": 4}
    with over(new, orders, learner, prior=prior, **given) as session:
        rest = [cell_of(question, orders) for question in answer_all(session)]
        everything, status = session.item_duels(), session.status()
    assert len({*first, *rest}) == len(first) + len(rest) == status.cells
    assert heard["cells"].sum() / 2 == len(rest)
    assert (everything.table.array == 0.5).all()
    place = {label: place for place, label in enumerate(done.labels)}
    for i, j in itertools.permutations(range(3), 2):
        one, other = (place[LABELS[::-1][arm]] for arm in (i, j))
        assert heard["answered"][i, j] == pytest.approx(math.fsum(done.pair(one, other)))


def test_cells_from_before_are_removed_whatever_they_say(tmp_path):
    """The rest is asked in the order in which it is asked without them."""
    outcomes = np.full((2, 2, 50, 2), np.nan)
    known = {(3, False): 1.0, (3, True): 0.5, (49, True): 0.0}
    for (item, second), outcome in known.items():
        outcomes[0, 1, item, int(second)] = 1.0 - outcome if second else outcome
    prior = cpe.ItemDuels(outcomes, ["00", "01"], [str(number) for number in range(50)])
    asked = []
    for name, before in (("whole", None), ("rest", prior)):
        given = {"labels": ["00", "01"], "items": 50, "seed": 3, "parallel": 100, "prior": before}
        with over(tmp_path / name, **given) as session:
            asked.append([(int(e.item_id), e.first == "01") for e in session.ask(200)])
    whole, rest = asked
    assert len(rest) == 97
    assert rest == [cell for cell in whole if cell not in known]


@all_of(
    ("name", "content", "items"),
    [
        ("x.txt", "Why?\n\nHow?\n", [{"item": "Why?"}, {"item": "How?"}]),
        ("x.csv", "Item,text\nq,\n", [{"item": "q"}]),
        ("x.jsonl", '{"item": 1, "a": [2]}\n', [{"item": "1", "a": [2]}]),
    ],
)
def test_files_of_items(tmp_path, name, content, items):
    (tmp_path / name).write_text(content)
    assert read_items(tmp_path / name) == items
