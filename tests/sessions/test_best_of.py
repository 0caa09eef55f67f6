"""A judge in one call: what is found and proved, how it goes on, and what it costs."""

from collections import Counter

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.sessions.report import session_report
from tests.sessions.support import better

LABELS = ["a", "b", "c", "d"]
TABLE = cpe.random_items(4, 30, seed=3, spread=1.5)
pytestmark = pytest.mark.usefixtures("asked_anew_at_once")
OVER_ITEMS = {"items": 30, "orders": "both", "seed": 2}


def outcome(question):
    """What the first one gets in the cell of the table that is asked."""
    i, j = (LABELS.index(label) for label in question.labels)
    return float(TABLE.outcomes[i, j, int(question.item["id"]), 0])


def test_the_winner_of_the_table_is_proved_with_fewer_calls_than_cells():
    found = cpe.best_of(LABELS, outcome, **OVER_ITEMS)
    assert (found.proved, found.new_items) == (True, "not yet")
    assert LABELS.index(found.best) in TABLE.copeland_winners
    assert found.status.cells == found.calls + found.saved == 6 * 60
    assert found.saved > 60
    said = f"on these 30 items, not yet on new ones: {found.best}, after {found.calls} calls of 360"
    assert said in str(found)
    assert len(found.session.answers()) == found.calls  # although its file is gone
    assert found.session.item_duels().labels == tuple(LABELS)
    assert session_report(found.session).proved


def test_without_items_a_repeated_question_is_a_new_sample():
    rng = np.random.default_rng(0)
    found = cpe.best_of(["x", "y"], lambda question: "y" if rng.random() < 0.8 else "x", delta=0.1)
    assert (found.best, found.proved, found.saved) == ("y", True, None)


def test_arms_that_may_be_as_good_within_the_margin_are_named():
    """All but those that the cells which were not asked cannot put level."""
    quality = {"a": 0, "b": 2, "c": 2}

    def judge(question):
        one, other = (quality[label] for label in question.labels)
        return 0.5 + (one - other) / 4

    options = {"items": 3, "orders": "random", "margin": 0.1, "delta": 1e-9}
    found = cpe.best_of(quality, judge, **options)
    assert found.proved
    assert found.extent in str(found)
    pairs = session_report(found.session).pairs
    sure = {(pairs.labels[i], pairs.labels[j]) for i, j in np.argwhere(pairs.sure)}
    asked = Counter(map(frozenset, found.session.answers()[["first", "second"]].to_numpy()))
    assert sure == {(arm, "a") for arm in "bc" if asked[frozenset({arm, "a"})] >= 2} != set()
    equal = "c" if found.best == "b" else "b"
    assert found.extent.endswith(f"ahead of it by more than 0.1; {equal} may be as good")


def test_a_second_call_goes_on_and_asks_no_cell_again(tmp_path):
    asked = []

    def judge(question):
        asked.append((frozenset(question.labels), question.first, question.item["id"]))
        return outcome(question)

    def call(**more):
        return cpe.best_of(LABELS, judge, **OVER_ITEMS, path=tmp_path / "choice.jsonl", **more)

    first = call(budget=20)
    assert (first.proved, first.reason, first.calls, len(asked)) == (False, "budget", 20, 20)
    assert str(first).startswith(f"not proved, ahead: {first.best}, after 20 calls of 360; the")
    early = session_report(first.session)
    assert not early.proved
    assert not early.pairs.sure.any()  # far less than half of any pair's cells were asked
    second = call()
    assert second.proved
    assert second.calls == len(asked) == len(set(asked)) == call().calls
    with pytest.raises(cpe.InputError, match="margin"):
        call(margin=0.1)


def test_of_a_mapping_the_keys_are_the_arms_and_the_values_are_compared(tmp_path):
    prompts = {"a": "Be brief.", "b": {"role": "kind"}}
    for judge in (None, "May"):
        options = {"items": 8, "path": tmp_path / "prompts.jsonl", "budget": 5}
        assert cpe.best_of(prompts, better, judge_id=judge, **options).calls == 5
    with pytest.raises(cpe.InputError, match=r"^'b' is not what it was when .*prompts\.jsonl"):
        cpe.best_of({**prompts, "b": {"role": "rude"}}, better, **options)


def test_calls_cost_their_price_and_none_answered_is_no_winner():
    found = cpe.best_of(LABELS, outcome, items=30, prices=0.25, budget=10.0)
    assert found.spent == found.calls * 0.25 <= 10.0
    nothing = cpe.best_of(["a", "b"], lambda question: "skip", items=4)
    assert (nothing.best, nothing.proved, nothing.reason) == ("", False, "unanswered")


def test_a_learner_with_a_budget_asks_as_often_as_that_says():
    options = {"budget": 40, "learner": "borda-budget"}
    found = cpe.best_of(["a", "b", "c"], better, **options)
    assert (found.best, found.proved, found.calls, found.reason) == ("c", False, 40, "finished")
