"""Sessions over the items of a test set: which cells are asked, and what becomes of answers."""

import collections
import itertools
import json
import math
import random

import numpy as np
import pytest
from scipy.stats import chisquare

import cpe_opt as cpe
from cpe_opt.sessions import session as sessions
from cpe_opt.sessions.content import read_items
from cpe_opt.sessions.journal import read_journal
from cpe_opt.sessions.progress import progress_of
from cpe_opt.sessions.questions import ORDERS, Cells, ItemSet, Slot, read_outcome
from tests.items import random_items, round_robin

LABELS = ["ant", "bee", "cow"]
ITEMS = [{"item": f"q{number}", "text": f"What is {number}?"} for number in range(4)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "session.jsonl"


def begin(path, orders="both", items=ITEMS, labels=LABELS, **options):
    return cpe.Session.open(path, round_robin, labels=labels, items=items, orders=orders, **options)


def cell_of(question, orders):
    """What tells a cell: pair, item, and the order where both are cells of their own."""
    order = question.labels if orders == "both" else ()
    return (frozenset(question.labels), question.item["id"], order)


def by_name(question):
    """An answer that position does not change: the first by the alphabet wins on even items."""
    even = int(question.item["id"][1:]) % 2 == 0
    first = (question.labels[0] < question.labels[1]) == even
    return (float(first), float(not first)) if question.paired else float(first)


def answer_all(session, outcome=by_name, rater=None):
    asked = []
    while questions := session.ask(3, rater=rater):
        for question in questions:
            session.tell(question.id, outcome(question), rater=rater)
            asked.append(question)
    return asked


@pytest.mark.parametrize("orders", ORDERS)
def test_every_cell_is_asked_once(path, orders):
    with begin(path, orders) as session:
        asked = answer_all(session)
        status = session.status()
    cells = [cell_of(question, orders) for question in asked]
    assert len(cells) == len(set(cells)) == (24 if orders == "both" else 12)
    assert (status.cells, status.answers, status.finished) == (len(cells), len(cells), True)
    assert {question.item["text"] for question in asked} == {each["text"] for each in ITEMS}
    # On half of the items either arm wins: all pairs are tied, and the learner says so.
    table = cpe.Session.read_answers(path).item_duels().table
    assert (table.array == 0.5).all()


def test_orders_are_those_that_were_asked_for(path, tmp_path):
    with begin(path, "both") as session:
        shown = collections.Counter(question.labels for question in answer_all(session))
    assert set(shown.values()) == {4}
    assert len(shown) == 6
    firsts = collections.Counter()
    with begin(tmp_path / "random.jsonl", "random", 400, seed=5) as session:
        for question in answer_all(session, lambda question: 0.5):
            firsts[question.labels[0] < question.labels[1]] += 1
    assert abs(firsts[True] - 600) < 80  # 4.6 standard deviations
    with begin(tmp_path / "paired.jsonl", "paired") as session:
        [question] = session.ask()
        assert question.as_dict()["orders"] == [[*question.labels], [*question.labels[::-1]]]


def test_a_log_from_elsewhere_asks_the_same_cells():
    """Hashes decide, not the version of a library: these are what they were when it was written."""
    cells = Cells(ItemSet.of(4, "both"), 3, seed=7)
    asked = [tuple(cells.cell(Slot((0, 2), number, duel=True))) for number in range(1, 9)]
    assert sorted(asked) == [(item, second) for item in range(4) for second in (False, True)]
    assert asked == [
        (0, True),
        (2, True),
        (2, False),
        (3, True),
        (1, False),
        (0, False),
        (1, True),
        (3, False),
    ]


def test_an_order_is_that_of_one_session_alone(tmp_path, monkeypatch):
    """It is drawn anew, recorded, and the same whenever the session is opened again."""
    monkeypatch.undo()  # what gives all sessions of the tests the same seed
    orders = []
    for number in range(3):
        path = tmp_path / f"{number}.jsonl"
        with begin(path) as session:
            seed = session.header.seed
            orders.append([question.id + question.item_id for question in session.ask(9)])
        assert read_journal(path)[0]["seed"] == seed
        with cpe.Session.open(path, round_robin) as session:
            assert session.header.seed == seed
    found = cpe.best_of(LABELS, lambda question: "first", items=4, progress=False)
    assert found.session.header.seed != seed
    assert len({tuple(order) for order in orders}) > 1


@pytest.mark.parametrize(("again", "least", "most"), [(0, 10, 10), (1000, 0, 3)])
def test_arms_that_are_made_for_the_first_items_asked_prove_nothing_false_in_a_new_order(
    tmp_path, again, least, most
):
    """The second arm loses 35 of 60 items, but wins those that an order before had first."""
    proved = 0
    for seed in range(10):
        options = {"labels": ["a", "b"], "items": 60, "delta": 0.1, "seed": seed}
        path = tmp_path / f"{seed}.jsonl"
        with cpe.Session.open(path, "copeland-tracking", **options) as session:
            cells = [session.header.cells.cell(Slot((0, 1), n, duel=True)) for n in range(1, 26)]
        seen = {cell.item for cell in cells}

        def judge(question, seen=seen):
            return "b" if int(question.item_id) in seen else "a"

        options = {"items": 60, "delta": 0.1, "seed": seed + again, "progress": False}
        found = cpe.best_of(["a", "b"], judge, **options)
        proved += found.proved and found.best == "b"
    assert least <= proved <= most


def test_permutations_are_uniform_and_those_of_pairs_independent():
    orders = collections.Counter()
    for seed in range(3600):
        cells = Cells(ItemSet.of(3, "random"), 3, seed)
        orders[
            tuple(
                cells.cell(Slot(pair, number, duel=True)).item
                for pair in ((0, 1), (1, 2))
                for number in (1, 2, 3)
            )
        ] += 1
    assert len(orders) == 36
    assert chisquare(list(orders.values())).pvalue > 1e-4
    one = ItemSet.of(1, "random")
    firsts = [Cells(one, 2, seed).cell(Slot((0, 1), 1, duel=True)) for seed in range(999)]
    assert abs(sum(cell.second for cell in firsts) - 499.5) < 80


@pytest.mark.parametrize("orders", ORDERS)
def test_a_learner_hears_what_a_simulation_of_the_table_tells(path, orders):
    """Sums of outcomes, ties as ½ and no coin, whichever arm a cell shows first."""
    rng = np.random.default_rng(3)
    heard = []

    def listening(arms, *, cells=None):
        for turn in range(int(cells.max())):
            for i, j in itertools.combinations(range(arms), 2):
                heard.append((i, j, (yield cpe.Duel(*((i, j) if turn % 2 else (j, i))))))
        return 0

    given = {}
    with cpe.Session.open(path, listening, labels=LABELS, items=ITEMS, orders=orders) as session:
        while questions := session.ask():
            [question] = questions
            values = rng.choice([0, 0.25, 0.5, 1], 2).tolist()
            session.tell(question.id, values if question.paired else values[0])
            mean = (values[0] + 1 - values[1]) / 2 if question.paired else values[0]
            i, j = (LABELS.index(label) for label in question.labels)
            given.setdefault((min(i, j), max(i, j)), []).append(mean if i < j else 1 - mean)
        duels = session.item_duels()
    expected = []
    for turn in range(8 if orders == "both" else 4):
        for i, j in itertools.combinations(range(3), 2):
            outcome = given[i, j][turn]
            outcome = outcome if turn % 2 else 1 - outcome
            expected.append((i, j, (outcome, 1 - outcome)))
    assert heard[: len(expected)] == expected
    for (i, j), outcomes in given.items():
        assert sorted(duels.pair(i, j)) == sorted(outcomes)


@pytest.mark.parametrize("orders", ORDERS)
def test_answers_say_item_and_order(path, orders):
    with begin(path, orders) as session:
        asked = {question.id: question for question in answer_all(session)}
        answers = session.answers()
    for row in answers.itertuples():
        question = asked[row.id]
        assert (row.first, row.second, row.item) == (*question.labels, question.item["id"])
        value = by_name(question)
        if orders == "paired":
            assert (row.as_shown, row.swapped) == value
            assert row.outcome == (value[0] + 1 - value[1]) / 2
        else:
            assert row.outcome == value
    records = read_journal(path)[1:]
    assert {record["item"] for record in records if "answer" in record} == {"q0", "q1", "q2", "q3"}
    frame = cpe.Session.read_answers(path).answers()
    assert answers.pop("told").all()
    assert frame.equals(answers)


@pytest.mark.parametrize("orders", ORDERS)
def test_answers_begin_another_session_that_does_not_ask_them_again(path, tmp_path, orders):
    with begin(path, orders) as session:
        first = []
        for _ in range(7):
            [question] = session.ask()
            session.tell(question.id, by_name(question))
            first.append(cell_of(question, orders))
        done = session.item_duels()
    cpe.write_item_duels(done, tmp_path / "done.csv")
    prior = cpe.read_item_duels(tmp_path / "done.csv")
    assert np.nansum(prior.outcomes) == np.nansum(done.outcomes)
    heard = {}

    def learner(arms, *, cells=None, answered=None):
        heard.update(cells=cells, answered=answered)
        return (yield from round_robin(arms, cells=cells, answered=answered))

    new = tmp_path / "new.jsonl"
    options = {"labels": LABELS[::-1], "items": ITEMS[::-1], "orders": orders, "seed": 4}
    with cpe.Session.open(new, learner, prior=prior, **options) as session:
        rest = [cell_of(question, orders) for question in answer_all(session)]
        everything = session.item_duels()
        status = session.status()
    assert len({*first, *rest}) == len(first) + len(rest) == status.cells
    assert heard["cells"].sum() / 2 == len(rest)
    assert (everything.table.array == 0.5).all()
    table = {label: place for place, label in enumerate(done.labels)}
    for i, j in itertools.permutations(range(3), 2):
        one, other = (table[LABELS[::-1][arm]] for arm in (i, j))
        assert heard["answered"][i, j] == pytest.approx(math.fsum(done.pair(one, other)))
    with cpe.Session.open(new, learner) as session:
        assert session.status().finished
        assert session.item_duels().table.array.tolist() == everything.table.array.tolist()
    other = cpe.ItemDuels(1 - prior.outcomes, prior.labels, prior.items)
    with pytest.raises(cpe.InputError, match="prior: not those that the session was begun with"):
        cpe.Session.open(new, learner, prior=other)


def test_cells_from_before_are_removed_whatever_they_say():
    """The rest is asked in the order in which it is asked without them."""
    items, pair = ItemSet.of(50, "both"), (0, 1)
    whole, known = Cells(items, 2, 3), {(3, False): 1.0, (3, True): 0.5, (49, True): 0.0}
    rest = Cells(items, 2, 3, {pair: known})
    assert rest.remaining[0, 1] == rest.remaining[1, 0] == 97
    assert rest.answered.tolist() == [[0, 1.5], [1.5, 0]]
    every = [whole.cell(Slot(pair, number, duel=True)) for number in range(1, 101)]
    left = [rest.cell(Slot(pair, number, duel=True)) for number in range(1, 98)]
    assert left == [cell for cell in every if tuple(cell) not in known]
    with pytest.raises(cpe.InputError, match=r"'0-1\.98' is none of the 97 of its pair"):
        rest.cell(Slot(pair, 98, duel=True))


def test_an_order_that_was_asked_before_is_the_cell_of_the_item(path):
    """Where each item is one cell, in an order that is drawn, an answer in any order counts."""
    outcomes = np.full((2, 2, 2, 2), np.nan)
    outcomes[0, 1, 0] = [1, np.nan]
    outcomes[0, 1, 1] = [np.nan, 0]
    prior = cpe.ItemDuels(outcomes, ["ant", "bee"], ["q0", "q1"])
    with begin(path, "random", labels=["ant", "bee"], prior=prior) as session:
        assert {question.item["id"] for question in answer_all(session)} == {"q2", "q3"}


@pytest.mark.parametrize(
    ("prior", "options", "message"),
    [
        (random_items(2, 2), {"items": None}, "the session asks about none; expected items="),
        (random_items(2, 2), {"labels": ["x", "y"]}, "duels of 'arm 0', which is none of x, y"),
        (random_items(2, 2), {"items": ["q0"]}, "prior: the item 'q1' is none of the session's"),
        (random_items(2, 2, 1), {}, "does not say which arm was shown first"),
        (random_items(2, 2), {"orders": "random"}, "asked in both orders, and orders is 'random'"),
        (
            random_items(2, 2, missing=0.5, seed=1),
            {"orders": "paired"},
            "asked in one order, and orders is 'paired'; 'both' takes it",
        ),
        (cpe.Votes([[0, 1], [2, 0]], ["arm 0", "arm 1"]), {}, "expected ItemDuels, or a log with"),
    ],
)
def test_answers_from_before_that_do_not_fit_are_refused(path, prior, options, message):
    given = {"labels": ["arm 0", "arm 1"], "items": ["q0", "q1", "q2"], "orders": "both", **options}
    if given["items"] is None:
        del given["orders"]
    with pytest.raises(cpe.InputError) as refusal:
        cpe.Session.open(path, round_robin, prior=prior, **given)
    assert message in str(refusal.value)
    assert not path.exists()


def test_a_learner_that_counts_no_answers_from_before_is_refused_them(path):
    def unaware(arms, *, cells):
        yield cpe.Duel(0, 1)

    with pytest.raises(cpe.InputError, match="no parameter 'answered'"):
        cpe.Session.open(path, unaware, prior=random_items(2, 2))
    with pytest.raises(cpe.InputError, match="rucb has no parameter 'cells'"):
        cpe.Session.open(path, "rucb", labels=LABELS, items=3)


def test_earlier_duels_say_what_is_asked_about(path):
    prior = random_items(3, 5, missing=0.5)
    with cpe.Session.open(path, round_robin, prior=prior) as session:
        items = session.question_set.items
        assert (items.ids, items.orders) == (prior.items, "both")
        assert session.status().cells - len(answer_all(session, lambda question: 1.0)) == int(
            np.triu(prior.cells).sum()
        )


def test_who_opens_again_may_say_what_it_asks_about(path):
    begin(path).close()
    begin(path).close()
    for options in ({"labels": LABELS}, {"items": ITEMS}, {"orders": "both"}, {}):
        cpe.Session.open(path, round_robin, **options).close()
    for options in ({"items": 4}, {"orders": "paired"}, {"items": ITEMS, "orders": "random"}):
        with pytest.raises(cpe.InputError, match="items or orders: not those that the session"):
            cpe.Session.open(path, round_robin, **options)
    with pytest.raises(cpe.InputError, match="asks about ant, bee, cow, and x, y is given"):
        cpe.Session.open(path, round_robin, labels=["x", "y"])


def test_ids_may_be_numbers():
    given = [0, 1.5, "x", np.int64(3), np.str_("y"), {"item": 4, "text": "Why?"}, True]
    assert ItemSet.of(given).ids == ("0", "1.5", "x", "3", "y", "4", "True")


def test_a_session_without_items_is_given_none(tmp_path):
    path = tmp_path / "coins.jsonl"
    cpe.Session.open(path, "savage", labels=LABELS).close()
    with pytest.raises(cpe.InputError, match="items or orders: not those"):
        cpe.Session.open(path, items=3)
    with pytest.raises(cpe.InputError, match="orders is 'both', and the session has no items"):
        cpe.Session.open(path, orders="both")
    with pytest.raises(cpe.InputError, match="orders is 'both', and has no effect without items"):
        cpe.Session.open(tmp_path / "new.jsonl", round_robin, labels=LABELS, orders="both")
    with cpe.Session.open(path) as session:
        with pytest.raises(cpe.InputError, match="asks about no items"):
            session.item_duels()
        with pytest.raises(cpe.InputError, match="only cells of a test set can be left out"):
            session.leave_out("0-1.1")
        assert session.status().position == ""


def test_cells_are_no_votes(path):
    with begin(path) as session:
        answer_all(session)
        with pytest.raises(cpe.InputError, match=r"no independent votes: see Session\.item_duels"):
            session.votes()
        assert session.header.shares.learner == session.header.shares.delta
        assert session.best().evidence is None
        progress = progress_of(session)
        assert progress.evidence is None
        assert "as round_robin promises" in progress.proved
        assert progress.warnings == ("what is proved is about these 4 items, not about new ones",)


def test_a_cell_that_nobody_answers_is_left_out(path):
    with begin(path) as session:
        asked = session.ask(3)
        session.leave_out(asked[0].id)
        for question in asked[1:]:
            session.tell(question.id, by_name(question))
        rest = answer_all(session)
        status, progress = session.status(), progress_of(session)
        assert cell_of(asked[0], "both") not in {cell_of(each, "both") for each in rest}
        assert (status.left_out, status.answers, status.finished) == (1, 23, True)
        assert "holds whatever the 1 cell that nobody answered would say" in status.warnings[0]
        assert status.warnings == progress.warnings
        assert math.isnan(session._state.answers.values[asked[0].id])
        for id_, message in (
            (asked[0].id, "was left out: that nobody answers it can be withdrawn"),
            (f"{asked[0].id}~2", "was left out"),
        ):
            with pytest.raises(cpe.InputError, match=message):
                session.tell(id_, 1)
        with pytest.raises(cpe.InputError, match="was answered already"):
            session.leave_out(asked[1].id)
        with pytest.raises(cpe.InputError, match="is a second answer to a cell"):
            session.leave_out(f"{asked[1].id}~2")
    with cpe.Session.open(path, round_robin) as session:
        assert session.status() == status
        session.withdraw(asked[0].id)
        assert (session.status().left_out, session.finished) == (0, False)
        [question] = session.ask()
        assert question == asked[0]
        session.tell(question.id, by_name(question))
        status = session.status()
        assert status.finished
        assert status.warnings == ("what is proved is about these 4 items, not about new ones",)


def test_a_cell_that_all_of_three_raters_skip_is_left_out(path):
    with begin(path) as session:
        id_ = session.ask()[0].id
        for rater in ("ann", "bob"):
            session.skip(id_, rater=rater)
        other = session.ask(2, rater="dan")[1]
        session.tell(other.id, by_name(other), rater="dan")
        session.skip(id_, rater="cleo")
        assert session.status().left_out == 0  # dan has not seen it
        session.skip(id_, rater="dan")
        assert session.status().left_out == 1
        [record] = [each for each in read_journal(path) if "leave_out" in each]
        assert record["leave_out"] == id_
    with begin(path.with_name("again.jsonl")) as session:
        session.tell(id_, 1, rater="ann")
        for rater in ("ann", "bob", "cleo"):
            session.skip(f"{id_}~2", rater=rater)
        assert session.status().left_out == 0
    with begin(path.with_name("two.jsonl")) as session:
        for rater in ("ann", "bob", "ann"):
            session.skip(id_, rater=rater)
        assert session.status().left_out == 0


def test_skips_leases_batches_and_second_answers_keep_to_the_cell(path):
    with begin(path, clock=iter(range(10**6)).__next__) as session:
        held = session.ask(2, rater="ann", lease=1e9)
        assert session.ask(2, rater="ann") == held
        assert not {each.id for each in session.ask(2, rater="bob")} & {each.id for each in held}
        session.tell(held[0].id, 1, rater="ann")
        [again] = session.ask(rater="bob", repeat=True)
        assert again.id == f"{held[0].id}~2"
        assert (again.item, again.labels) == (held[0].item, held[0].labels)
        session.tell(again.id, 0, rater="bob")
        agreement = session.raters().set_index("rater")
        assert agreement.loc["bob", "compared"] == 1
        assert agreement.loc["bob", "agree"] == 0
        assert session.status().answers == 1
        waiting = [cell_of(session.question(each), "both") for each in session._waiting()]
        assert session.ask_at_once(200) == 200
        more = [cell_of(session.question(each), "both") for each in session._waiting()]
        assert len(more) == len(set(more)) > len(waiting) > 1
        assert set(waiting) <= set(more)


def test_a_window_is_told_in_its_order_in_whatever_order_answers_come(path, tmp_path, monkeypatch):
    """Withdrawn, opened anew, from a snapshot or not: what is open follows from the answers."""
    monkeypatch.setattr(sessions, "LEAST_RECORDS", 0)
    options = {"labels": [*"abcd"], "items": 60, "delta": 1e-9, "parallel": 6}

    def open_at(place):
        return cpe.Session.open(place, "copeland-tracking", **options)

    def drawn(question):
        return random.Random(question.id).randrange(5) / 4

    shuffled = random.Random(1)
    with open_at(path) as session, open_at(tmp_path / "in-order.jsonl") as in_order:
        for step in range(60):
            questions = session.ask(6)
            some = shuffled.sample(questions, len(questions) // 2 + 1)
            for question in some:
                session.tell(question.id, drawn(question))
            if step % 5 == 0:
                session.withdraw(some[0].id)
            for question in questions:
                session.hand_back(question.id)
        given = session._state.answers.values
        while waiting := [name for name in in_order._waiting() if name in given]:
            in_order.tell(waiting[0], drawn(in_order.question(waiting[0])))
        expected = list(in_order._waiting())
        assert list(session._waiting()) == expected
        assert session.best().answer == in_order.best().answer
    with open_at(path) as session:
        assert session._snapshot.checkpoint.state is not None
        assert list(session._replayed().waiting) == expected


def test_a_snapshot_opens_a_session_over_items(path, monkeypatch):
    monkeypatch.setattr(sessions, "LEAST_RECORDS", 0)
    with begin(path) as session:
        for _ in range(4):
            session.leave_out(session.ask()[0].id)
        waiting = list(session._waiting())
    snapshot = path.with_name(path.name + ".snapshot")
    with cpe.Session.open(path, round_robin) as session:
        assert list(session._snapshot.waiting) == waiting
    content = json.loads(snapshot.read_text())
    content["waiting"] = [f"0-1.{number}" for number in range(1, 10)]  # of eight cells
    snapshot.write_text(json.dumps(content))
    with cpe.Session.open(path, round_robin) as session:
        assert not session._snapshot.waiting
        assert list(session._waiting()) == waiting


@pytest.mark.parametrize(
    ("orders", "said", "expected"),
    [
        ("both", "first", 1.0),
        ("both", 0.7, 0.7),
        ("both", "0.25", 0.25),
        ("both", "skip", None),
        ("paired", "first,second", (1.0, 0.0)),
        ("paired", "tie, 0.75", (0.5, 0.75)),
        ("paired", [1, "tie"], (1.0, 0.5)),
        ("paired", ["skip", 1], None),
        ("paired", "skip", None),
    ],
)
def test_what_can_be_said_of_a_cell(path, orders, said, expected):
    with begin(path, orders) as session:
        [question] = session.ask()
        value = read_outcome(question, said)
        assert value == expected
        if value is not None:
            session.tell(question.id, value)


def test_a_label_means_the_arm_in_either_order(path):
    with begin(path, "paired") as session:
        [question] = session.ask()
        one, other = question.labels
        assert read_outcome(question, f"{one},{one}") == (1.0, 0.0)
        assert read_outcome(question, [other, one]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("orders", "outcome", "message"),
    [
        ("both", 1.5, "the outcome is 1.5, expected a number from 0, where the second"),
        ("both", "nobody", "'nobody'"),
        ("both", [1, 0], r"\[1, 0\]"),
        ("paired", 1, "the outcome is 1, expected two: one as the two are shown"),
        ("paired", [1], "expected two"),
        ("paired", [1, 2], "the outcome is 2"),
        ("paired", "first", "expected two"),
    ],
)
def test_what_is_no_outcome_of_a_cell_is_refused(path, orders, outcome, message):
    with begin(path, orders) as session:
        [question] = session.ask()
        with pytest.raises(cpe.InputError, match=message):
            session.tell(question.id, outcome)
        with pytest.raises(cpe.InputError):
            read_outcome(question, outcome)
        assert session.status().answers == 0


def test_position_is_said_of_firsts_and_of_swaps(path, tmp_path):
    with begin(path, "both") as session:
        answer_all(session, lambda question: 1.0)  # whoever is shown first
        bias, status = session.position_bias(), session.status()
    assert (bias.firsts, bias.decided, bias.compared, bias.disagree) == (24, 24, 12, 12)
    assert bias.interval[0] > 0.8
    assert "shown first wins 100 % of 24" in status.position
    assert "swaps disagree in 12 of 12 asked in both orders" in status.position
    with begin(tmp_path / "fair.jsonl", "paired") as session:
        [question] = session.ask()
        session.tell(question.id, (1, 0))
        [question] = session.ask()
        session.tell(question.id, (1, 0.5))
        [question] = session.ask()
        session.tell(question.id, (0.5, 0.5))
        bias = session.position_bias()
    assert (bias.firsts, bias.decided, bias.compared, bias.disagree) == (2, 3, 3, 1)


@pytest.mark.parametrize(
    ("items", "orders", "message"),
    [
        (0, "both", "items is 0, expected a whole number, at least 1"),
        ([], "both", "items: 0 given, expected 1 to 1,000,000"),
        ("q1", "both", "items is 'q1', expected how many, or a list of ids"),
        (["a", "a"], "both", "items: 0 and 1 are both called 'a'"),
        ([1, "1"], "both", "items: 0 and 1 are both called '1', expected ids that differ as texts"),
        (["a", None], "both", r"items\[1\]: found None, expected an id or an object"),
        ([math.nan], "both", r"items\[0\]: the id is nan, expected a text"),
        ([10**5000], "both", r"items\[0\]: the id is a int, expected a text"),
        ([{"text": "a"}], "both", r"items\[0\]: found text; expected the key 'item'"),
        ([{"item": "a", "id": "b"}], "both", r"items\[0\]: a key 'id'"),
        ([{"item": " "}], "both", r"items\[0\]: the id is ' ', expected a text that is not blank"),
        ([{"item": "a", "x": math.nan}], "both", "has what no JSON can hold"),
        (3, "twice", "unknown value of orders 'twice'; known: both, paired, random"),
    ],
)
def test_items_that_are_none_are_refused(path, items, orders, message):
    with pytest.raises(cpe.InputError, match=message):
        begin(path, orders, items)
    assert not path.exists()


def test_items_are_for_arms_alone(path):
    with pytest.raises(cpe.InputError, match="items are for arms that duel each other"):
        cpe.Session.open(path, "clucb", problem=cpe.TopK(3, 1), items=3)
    with pytest.raises(cpe.InputError, match="problem has duels over items"):
        cpe.Session.open(path, round_robin, problem=random_items())


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("x.txt", "Why?\n\nHow?\n", [{"item": "Why?"}, {"item": "How?"}]),
        ("x.csv", "Item,text\nq1,Why?\nq2,\n", [{"item": "q1", "text": "Why?"}, {"item": "q2"}]),
        (
            "x.jsonl",
            '{"item": 1, "a": [2]}\n{"item": "b"}\n',
            [{"item": "1", "a": [2]}, {"item": "b"}],
        ),
        ("x.json", '[{"item": "a"}]', [{"item": "a"}]),
    ],
)
def test_files_of_items(tmp_path, name, content, expected):
    (tmp_path / name).write_text(content)
    assert read_items(tmp_path / name) == expected


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.txt", "\n", "x.txt: no items, expected one a line"),
        ("x.txt", "a\nb\na\n", "x.txt, line 3: 'a' stands there twice, as on line 1"),
        ("x.csv", "id\na\n", "x.csv: no column 'item'; found id"),
        ("x.csv", "item\na\na\n", "x.csv, line 3: item 'a' stands there twice"),
        ("x.jsonl", '{"item": "a"}\n["b"]\n', "x.jsonl, line 2: an array, expected an object"),
        (
            "x.jsonl",
            '{"item": "a"}\n{"item": "a"}\n',
            "line 2: 'a' stands there twice, as on line 1",
        ),
        ("x.jsonl", '{"name": "a"}\n', "x.jsonl, line 1: found name; expected the key 'item'"),
    ],
)
def test_files_of_items_that_are_none(tmp_path, name, content, message):
    (tmp_path / name).write_text(content)
    with pytest.raises(cpe.InputError) as refusal:
        read_items(tmp_path / name)
    assert message in str(refusal.value)
