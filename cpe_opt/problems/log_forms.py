r"""The forms of logs of duels: what a line says of who met whom, and who won.

A log is a table (CSV, Parquet, a data frame) or a list of JSON objects: one a line (``.jsonl``,
``.ndjson``) or all of them in one array (``.json``), their keys the columns. Every form may have a
column ``count`` for lines that stand for many duels, and evalica's may call it ``weight`` or
``weights``. Further columns, whatever is in them, are left out.

=========== ============================ ====================================================
form        columns                      a line as CSV, or as JSON
=========== ============================ ====================================================
``winners`` ``winner, loser``            ``tuna,squid,3``
``winners`` ``winner_name, loser_name``  ``tuna,squid``
``arena``   ``model_a, model_b,          ``{"model_a": "gpt-4", "model_b": "alpaca-13b",
            winner``                     "winner": "tie (bothbad)", "turn": 1}``
``arena``   ``player_a, player_b,        ``gpt-4,alpaca-13b,gpt-4``
            winner``
``flags``   ``model_a, model_b,          ``gpt-4,alpaca-13b,0,0,1``
            winner_model_a,
            winner_model_b, winner_tie``
``evalica`` ``left, right, winner``      ``Pizza,Sushi,left``
``crowd``   ``left, right, label``       ``Pizza,Sushi,Pizza``
``alpaca``  ``generator_1, generator_2,  ``{"generator_1": "gpt-4", "generator_2":
            preference``                 "alpaca-13b", "preference": 1.0}``
``pairs``   ``chosen_model,              ``{"prompt": "Why?", "chosen": "For…", "rejected":
            rejected_model``, beside     "No.", "chosen_model": "gpt-4", "rejected_model":
            texts                        "alpaca-13b"}``
``choix``   two numbers, no header       ``0 1``, ``[0, 1]``
=========== ============================ ====================================================

* ``arena`` is what Chatbot Arena publishes (Zheng et al., NeurIPS 2023 Datasets and Benchmarks:
  data set ``chatbot_arena_conversations``; FastChat's ``clean_battle_data.py`` writes one array):
  ``winner`` is ``model_a``, ``model_b``, or one of the ties ``tie``, ``tie (bothbad)``,
  ``both_bad``. It may be the name of one of the two arms as well, or a place in other words
  (:data:`PLACES`), such as ``A`` and ``B``. ``flags`` is the form of the competition
  "LMSYS - Chatbot Arena Human Preference Predictions" (Kaggle, 2024): 1 in the column of what
  happened, 0 in the others.
* ``evalica`` is what the command line of evalica reads (Ustalov, COLING 2025): ``winner`` is
  ``left``, ``right`` or ``tie``. Words that evalica would leave out are refused here, but for those
  of ``arena``. Its functions take weights; here they are counts, and no other numbers than whole
  ones.
* ``crowd`` is what the pairwise aggregations of crowd-kit take (Ustalov et al., 2021): ``label`` is
  the name of the one that won.
* ``alpaca`` is what alpaca_eval writes (Li et al., 2023): ``preference`` is 1 where the first
  generator won, 2 where the second did, 1.5 or 0 for a tie. A weighted one, between 1 and 2, is a
  probability and no vote, and refused.
* ``pairs`` are preferences as models are trained on: ``prompt, chosen, rejected``, of which only
  the names of the two models are read. They stand in ``chosen_model, rejected_model`` (RewardBench,
  Capybara-Preferences), ``chosen-model, rejected-model`` (argilla's ultrafeedback-binarized-
  preferences), ``chosen_policy, rejected_policy`` (OpenHermesPreferences), or in one of
  :data:`PAIRS`; HuggingFaceH4's ultrafeedback_binarized and many more do not say the model.
* ``choix`` is what the functions of choix take (L. Maystre): pairs ``(i, j)`` of numbers,
  where i won; see :mod:`cpe_opt.problems.dueling.files`.

A tie is half a win for each, also one that says that both are bad: how many do is said wherever
votes are reported. ``winners``, ``pairs`` and ``choix`` have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cpe_opt.errors import InputError
from cpe_opt.problems.rows import listed

TIES = ("tie", "tie (bothbad)", "both_bad")
BOTH_BAD = frozenset({"tie (bothbad)", "both_bad", "both bad", "both-bad", "bothbad"})
"""Ties that say that both arms are bad."""
NO_ARMS = frozenset({*TIES, *BOTH_BAD, "draw"})
"""Words that stand for ties where an arm would be named."""
PLACES = {
    **dict.fromkeys(("a", "model a", "player_a", "player a", "left", "first"), 1.0),
    **dict.fromkeys(("b", "model b", "player_b", "player b", "right", "second"), 0.0),
    **dict.fromkeys((*sorted(NO_ARMS), "tied", "tie (inconsistent)"), 0.5),
}
"""The share of the first arm by further words for who won."""


@dataclass(frozen=True)
class LogForm:
    """A form of logs.

    Attributes
    ----------
    name : str
    columns : tuple of str
        Those that it needs; the first two name the arms.
    shares : mapping from word to float
        The share of the win that the first arm has, for each word of the column of outcomes; empty
        where the first arm is the winner, or flags say who is.
    counts : tuple of str
        The columns of which one may say how many duels a line stands for.
    named : bool
        Whether an outcome may be the name of an arm, or one of :data:`PLACES`.
    hint : str
        What a message on a wrong outcome ends with.
    """

    name: str
    columns: tuple[str, ...]
    shares: Mapping[str, float] = field(default_factory=dict)
    counts: tuple[str, ...] = ("count",)
    named: bool = False
    hint: str = ""

    @property
    def outcome(self) -> str:
        """The column that says who won, where there is one."""
        return self.columns[2] if self.shares else ""

    @property
    def places(self) -> Mapping[str, float]:
        """The share of the first arm by all words that say which of the two places won."""
        return {**PLACES, **self.shares} if self.named else self.shares

    @property
    def flags(self) -> tuple[str, ...]:
        """The columns of which one is 1."""
        return self.columns[2:] if len(self.columns) > 3 else ()

    @property
    def has_ties(self) -> bool:
        """Whether a line can be a tie."""
        return bool(self.shares or self.flags)


WINNERS = LogForm("winners", ("winner", "loser"))
WINNER_NAMES = LogForm("winners", ("winner_name", "loser_name"))
ARENA = LogForm(
    "arena",
    ("model_a", "model_b", "winner"),
    {"model_a": 1.0, "model_b": 0.0, **dict.fromkeys(TIES, 0.5)},
    named=True,
)
PLAYERS = LogForm(
    "arena",
    ("player_a", "player_b", "winner"),
    {"player_a": 1.0, "player_b": 0.0, **dict.fromkeys(TIES, 0.5)},
    named=True,
)
FLAGS = LogForm("flags", ("model_a", "model_b", "winner_model_a", "winner_model_b", "winner_tie"))
EVALICA = LogForm(
    "evalica",
    ("left", "right", "winner"),
    {"left": 1.0, "right": 0.0, "tie": 0.5},
    ("count", "weight", "weights"),
    named=True,
)
CROWD = LogForm(
    "crowd", ("left", "right", "label"), {"left": 1.0, "right": 0.0, "tie": 0.5}, named=True
)
ALPACA = LogForm(
    "alpaca",
    ("generator_1", "generator_2", "preference"),
    {"1": 1.0, "2": 0.0, "1.5": 0.5, "0": 0.5, "1.0": 1.0, "2.0": 0.0, "0.0": 0.5},
    hint="; a weighted preference between 1 and 2 is a probability, and no vote",
)
PAIRS = tuple(
    LogForm("pairs", columns)
    for columns in (
        ("chosen_model", "rejected_model"),
        ("chosen-model", "rejected-model"),
        ("model_chosen", "model_rejected"),
        ("model-chosen", "model-rejected"),
        ("chosen_model_name", "rejected_model_name"),
        ("chosen_policy", "rejected_policy"),
    )
)
"""Where preference pairs name the models of the chosen and the rejected text."""
FORMS = (WINNERS, WINNER_NAMES, ARENA, PLAYERS, FLAGS, EVALICA, CROWD, ALPACA, *PAIRS)
_NAMED_IN_MESSAGES = (WINNERS, ARENA, FLAGS, EVALICA, CROWD, ALPACA, PAIRS[0])
TEXTS = ("chosen", "rejected")


def form_of(header: tuple[str, ...]) -> LogForm | None:
    """The form of a log with these columns, in lower case; None where it is none."""
    return next((form for form in FORMS if set(form.columns) <= set(header)), None)


def is_log(header: tuple[str, ...]) -> bool:
    """Whether these columns are those of a log, if only of one that lacks the models' names."""
    return form_of(header) is not None or set(TEXTS) <= set(header)


def no_form(source: str, header: tuple[str, ...], *, keys: bool = False) -> InputError:
    """Why these columns, or keys of JSON objects, are those of no log."""
    what = "keys" if keys else "columns"
    said = f"found {listed(header, what)}"
    if set(TEXTS) <= set(header):
        models = "; or ".join(", ".join(form.columns) for form in PAIRS)
        return InputError(
            f"{source}: pairs of texts, chosen and rejected, of which none of the {what} says "
            f"which models they are by; {said}; expected also {models}"
        )
    return InputError(f"{source}: no log of duels; {said}; expected {forms_of_logs(keys=keys)}")


def forms_of_logs(*, keys: bool = False) -> str:
    """The columns of all forms, for messages."""
    forms = [", ".join(form.columns) for form in _NAMED_IN_MESSAGES]
    if keys:
        return (
            f"one JSON object a line, or an array of them, with the keys {'; or '.join(forms)}; "
            "and, optionally, count; or pairs of numbers"
        )
    return f"{'; or '.join(forms)}; and, optionally, count; separated by commas, semicolons or tabs"
