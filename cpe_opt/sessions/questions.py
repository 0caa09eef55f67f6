"""Questions, what one person or program is asked at once, and what can be said to them.

**Outcomes.** Of a duel people and programs say ``first``, ``second``, ``tie`` or ``skip``; the
label of the one that won; or 1 where the first one shown won, 0 where the second did, 0.5 for a
tie. Over the items of a test set any number from 0 to 1 says what the first one gets; and where
both orders are asked at once there are two outcomes, the second of which is that of the two in the
other order: a list of two, or a text with a comma, ``first,second``. Of a pull or a set: a number,
or ``skip``. Labels count in small letters, too, where no two are the same then. What could mean two
things means nothing: among things called ``1`` and ``2``, a ``1`` is refused unless both of its
meanings agree. So is an ``A`` or ``B`` that is no label as it is written: judges call the one shown
first A, and it is no ``a`` then.
"""

from __future__ import annotations

import math
import numbers
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.problems.queries import Duel, Pull, PullSets
from cpe_opt.sessions.answers import slot_of
from cpe_opt.sessions.question_set import QuestionSet
from cpe_opt.sessions.replay import Slot, drawn
from cpe_opt.validation import checked_finite, shown_value

if TYPE_CHECKING:
    from cpe_opt.sessions.items import Cells

LONGEST_NAME = 60
WORDS = {"first": 1.0, "second": 0.0, "tie": 0.5}
"""How a person may say the outcome of a duel."""
SKIP = "skip"
LEAVE_OUT = "leave-out"
"""What is said of a cell that nobody answers."""
_NUMBERS = {1.0, 0.0, 0.5}
_PLACES = ("a", "b")  # as judges may call the first and the second


@dataclass(frozen=True)
class Question:
    """One duel, or one pull.

    Attributes
    ----------
    id : str
        By which it is answered.
    query : Duel, Pull or PullSets
        The pair is in the order in which it is shown.
    labels : tuple of str
        Of the two that duel, in the order in which they are to be shown; of the arm, or of the
        elements of the set that is pulled.
    about : str
        What candidates duel for, a position; else empty.
    item : mapping or None
        Of a test set: what the two are compared on, its ``id`` and its content.
    paired : bool
        Whether it has two answers: one in this order, and one in the other.
    """

    id: str
    query: Duel | Pull | PullSets
    labels: tuple[str, ...]
    about: str = ""
    item: Mapping[str, Any] | None = field(default=None, hash=False)
    paired: bool = False

    @property
    def first(self) -> str:
        """The label of the one shown first, or of what is pulled."""
        return self.labels[0]

    @property
    def second(self) -> str:
        """The label of the one shown second; only a duel has one."""
        return self.labels[1]

    @property
    def kind(self) -> str:
        """``"duel"``, ``"pull"`` or ``"set"``."""
        if isinstance(self.query, Duel):
            return "duel"
        return "pull" if isinstance(self.query, Pull) else "set"

    @property
    def item_id(self) -> str:
        """The id of the item on which the two are compared, else :class:`InputError`."""
        if self.item is None:
            raise InputError(f"question {self.id!r} is about no item of a test set")
        return str(self.item["id"])

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON: ``id``, ``kind``, ``labels``, ``about``, ``item``, ``orders``."""
        said: dict[str, Any] = {
            "id": self.id,
            "kind": self.kind,
            "labels": list(self.labels),
            "about": self.about,
        }
        if self.item is not None:
            said["item"] = dict(self.item)
        if self.paired:
            said["orders"] = [list(self.labels), list(reversed(self.labels))]
        return said


def question_of(
    identity: str, question_set: QuestionSet, seed: int, cells: Cells | None = None
) -> Question:
    """The question of this id; which of a pair is shown first the seed draws, or its cell says."""
    slot = Slot.of_id(slot_of(identity))
    query = slot.query
    if isinstance(query, Duel):
        if cells is not None:
            cell = cells.cell(slot)
            shown = (query.j, query.i) if cell.second else (query.i, query.j)
            item, paired = cells.items.shown(cell.item), cells.items.paired
            labels, about = question_set.duel(*shown)
            return Question(identity, Duel(*shown), labels, about, item, paired)
        shown = shown_order(identity, slot, seed)
        labels, about = question_set.duel(*shown)
        return Question(identity, Duel(*shown), labels, about)
    members = (query.arm,) if isinstance(query, Pull) else query.sets[0]
    return Question(identity, query, tuple(question_set.labels[element] for element in members))


def shown_order(identity: str, slot: Slot, seed: int) -> tuple[int, int]:
    """The pair of a duel in the order in which it is shown."""
    first, second = slot.row  # type: ignore[misc]
    return (second, first) if drawn(seed, f"{identity}/order") else (first, second)


def checked_outcome(slot: Slot, outcome: Any, *, unit_rewards: bool, items: bool = False) -> float:
    """The outcome as a number, of a duel also by the words, or :class:`InputError`."""
    if slot.duel:
        if isinstance(outcome, str):
            value = WORDS.get(str.strip(outcome).lower())
        else:
            number = _finite(outcome) if isinstance(outcome, numbers.Real | np.bool_) else None
            fits = number is not None and (0 <= number <= 1 if items else number in _NUMBERS)
            value = number if fits else None
        if value is None:
            raise InputError(
                f"the outcome is {shown_value(outcome)}, expected "
                + (
                    "a number from 0, where the second of the two won, to 1, where the first did; "
                    "0.5 for a tie"
                    if items
                    else "1 where the first of the two won, 0 where the second did, 0.5 for a tie"
                )
            )
        return value
    reward = checked_finite("the outcome", outcome)
    if unit_rewards and not 0.0 <= reward <= 1.0:
        raise InputError(f"the outcome is {reward:g}, expected a number in [0, 1]")
    return reward


def checked_outcomes(slot: Slot, outcome: Any) -> tuple[float, float]:
    """The two outcomes of a question that is asked in both orders, or :class:`InputError`."""
    both = isinstance(outcome, list | tuple) and len(outcome) == 2
    if not both:
        raise InputError(
            f"the outcome is {shown_value(outcome)}, expected two: one as the two are shown, and "
            "one in the other order"
        )
    one, other = (checked_outcome(slot, each, unit_rewards=False, items=True) for each in outcome)
    return one, other


def read_outcome(question: Question, said: Any) -> float | tuple[float, float] | None:
    """The outcome that somebody said, for :meth:`cpe_opt.Session.tell`; None for a skip."""
    if question.paired:
        return _read_both(question, said)
    text = str.strip(said) if isinstance(said, str) else None
    number = _number(said if text is None else text)
    meanings: set[float | None] = set()
    if text is not None and text.lower() == SKIP:
        meanings.add(None)
    if question.kind == "duel":
        graded = question.item is not None and number is not None and 0.0 <= number <= 1.0
        if number in _NUMBERS or graded:
            meanings.add(number)
        if text is not None:
            meanings |= {value for word, value in WORDS.items() if word == text.lower()}
            meanings |= _winners(question.labels, text)
    elif number is not None:
        meanings.add(number)
    if len(meanings) == 1:
        return meanings.pop()
    what = "could mean two things, expected" if meanings else "is no outcome, expected"
    raise InputError(f"{shown_value(said)} {what} {_expected(question, said)}")


def outcome_in_words(question: Question, value: float | tuple[float, float]) -> str:
    """An answer that was noted, in words."""
    if isinstance(value, tuple):
        one = replace(question, paired=False)
        other = replace(one, labels=question.labels[::-1])
        said, swapped = outcome_in_words(one, value[0]), outcome_in_words(other, value[1])
        return f"{said}, and in the other order {swapped}"
    if question.kind != "duel":
        return f"{value:g}"
    if value not in (0.0, 0.5, 1.0):
        return f"{question.labels[0]} gets {value:g}"
    if value == 0.5:
        return "a tie"
    return f"{question.labels[0 if value == 1.0 else 1]} wins"


def _read_both(question: Question, said: Any) -> tuple[float, float] | None:
    """The outcomes in both orders; None where either is a skip."""
    parts = str.split(said, ",") if isinstance(said, str) else said
    if isinstance(said, str) and str.strip(said).lower() == SKIP:
        return None
    if not isinstance(parts, list | tuple) or len(parts) != 2:
        raise InputError(
            f"{shown_value(said)} is no outcome, expected two: one of "
            f"{' and '.join(question.labels)}, and one of the same in the other order; such as "
            "first,second"
        )
    one = replace(question, paired=False)
    other = replace(one, labels=question.labels[::-1])
    values = [read_outcome(*pair) for pair in zip((one, other), parts, strict=True)]
    outcomes = [value for value in values if isinstance(value, float)]
    return (outcomes[0], outcomes[1]) if len(outcomes) == 2 else None


def _number(said: Any) -> float | None:
    """The finite number that it is, or that a text stands for."""
    if isinstance(said, bool) or not isinstance(said, str | numbers.Real):
        return None
    return _finite(said)


def _finite(said: Any) -> float | None:
    """It as a number; None where it is none that is finite, whatever its methods raise."""
    try:
        number = float(said)
    except Exception:
        return None
    return number if math.isfinite(number) else None


def _winners(labels: tuple[str, ...], text: str) -> set[float | None]:
    """Who may have won, by label; an ``A``, or one in another case, may be a place, too."""
    outcomes = [*zip(map(str.strip, labels), (1.0, 0.0), strict=True)]
    exact: set[float | None] = {value for label, value in outcomes if label == text}
    if exact and text not in ("A", "B"):
        return exact
    low = text.casefold()
    found: set[float | None] = {value for label, value in outcomes if label.casefold() == low}
    return {1.0, 0.0} if found and low in _PLACES else found


def _expected(question: Question, said: Any) -> str:
    """What can be said of a question."""
    if question.kind != "duel":
        return "a number, or skip"
    first, second = question.labels
    if question.item is not None and not isinstance(said, str):
        return "a number from 0, where the second of the two won, to 1, where the first did"
    return (
        f"first ({first}), second ({second}), tie or skip; or 1, 0, 0.5"
        if isinstance(said, str)
        else "1 where the first of the two won, 0 where the second did, 0.5 for a tie"
    )


def checked_rater(rater: object) -> str | None:
    """The name of a rater, or None; :class:`InputError` if it is neither."""
    return None if rater is None else checked_name(rater)


def checked_name(name: object) -> str:
    """A rater's name in one form; :class:`InputError` if it is not one."""
    text = ""
    if isinstance(name, str) and not any(unicodedata.category(letter) == "Cc" for letter in name):
        text = " ".join(unicodedata.normalize("NFC", name).split())
    if not text[:1].isalnum() or len(text) > LONGEST_NAME or not text.isprintable():
        raise InputError(  # a name like =A1 would be a formula in a table
            f"a rater needs a name of at most {LONGEST_NAME} letters, beginning with a letter or "
            f"digit, got {str(name)[:80]!r}"
        )
    return text


def readable_name(name: str | None) -> str | None:
    """A rater's name of a log, with characters that cannot be shown as their numbers."""
    if name is None or name.isprintable():
        return name
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in name
    )
