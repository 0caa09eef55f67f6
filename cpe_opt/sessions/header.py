"""The first record of a session: learner, parameters, seed, version, and what is asked about.

Who opens a session again need not say these again. What is said is compared, and a log of another
learner, parameter, seed or version of this package is refused: its answers would be led through
another replay.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cpe_opt import __version__
from cpe_opt.errors import InputError
from cpe_opt.files import json_default
from cpe_opt.fingerprint import fingerprint
from cpe_opt.learners.declaration import declaration_of, name_of, noise_assumption, parameters_of
from cpe_opt.learners.queries import Learner
from cpe_opt.scripts import is_script
from cpe_opt.sessions.journal import Record
from cpe_opt.sessions.question_set import FiledQuestionSet, QuestionSet, some_labels
from cpe_opt.sessions.questions import Question, question_of
from cpe_opt.sessions.shares import Shares
from cpe_opt.validation import checked_count, checked_number, checked_rounds

if TYPE_CHECKING:
    from cpe_opt.formats.observations import Observations
    from cpe_opt.learners.exchange import Exchange
    from cpe_opt.learners.tracking import Checkpoint
    from cpe_opt.problems.dueling.items import ItemDuels
    from cpe_opt.sessions.items import Cells, GivenItems, Orders
    from cpe_opt.sessions.prior_data import PriorData

FORMAT = 1
MOST_PARALLEL, MOST_AT_ONCE = 10_000, 1_000_000
LearnerFunction = Callable[..., Learner]
_OLD_DIGITS = 64
_NOT_AS_WRITTEN = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What reading a first record raises that no session has written."""


@dataclass(frozen=True, eq=False)
class Header:
    """What a session is."""

    given: LearnerFunction | None  # the learner if it is not one of this package
    name: str  # the learner's name in the registry, or as a function
    question_set: QuestionSet
    parameters: dict[str, Any]  # of the learner, without prices and earlier observations
    # of the order of cells, of which arm is shown first, of coins for ties and of the learner
    seed: int
    # drawn when the session is begun: by what rater's pages call questions, so that it tells them
    # nothing
    key: str
    horizon: int | None
    # (K, K), or None; of pairs of arms; for other questions one number, of shape ()
    prices: npt.NDArray[np.float64] | None
    # returns prior; it is called when that is first needed, for reading it takes time
    read_prior: Callable[[], PriorData | None]
    shares: Shares  # the parts of delta of all that the session states together

    @property
    def assumption(self) -> str:
        """What all that is proved takes for granted of noise; empty for nothing."""
        if not self.shares.sigma:
            return noise_assumption(self.learner, self.parameters)
        from cpe_opt.proofs.subsets.noise_bound import NOISE_ASSUMED

        return NOISE_ASSUMED

    @cached_property
    def prior(self) -> PriorData | None:
        """What was observed before, if anything."""
        return self.read_prior()

    @cached_property
    def learner(self) -> LearnerFunction:
        """The learner; looked up when it is first needed, for that takes time."""
        from cpe_opt.learners.registry import get_learner

        return get_learner(self.name) if self.given is None else self.given

    @cached_property
    def cells(self) -> Cells | None:
        """The cells that are asked, and in which order; None where duels have no items."""
        items = self.question_set.items
        if items is None:
            return None
        from cpe_opt.sessions.items import Cells

        known = {} if self.prior is None else self.prior.cells
        return Cells(items, len(self.question_set.labels), self.seed, known)

    def question(self, identity: str) -> Question:
        """The question of this id."""
        return question_of(identity, self.question_set, self.seed, self.cells)

    def exchange(
        self, parallel: int | None = None, checkpoint: Checkpoint | None = None
    ) -> Exchange:
        """The learner before its first answer, or at the state of a checkpoint."""
        from cpe_opt.learners.exchange import Exchange

        parameters = dict(self.parameters)
        cells = self.cells
        if cells is not None:
            parameters |= {"cells": cells.remaining}
            if self.prior is not None:
                parameters["answered"] = cells.answered
        if parallel is not None:
            parameters["parallel"] = parallel
        if self.prices is not None and "prices" in parameters_of(self.learner):
            parameters["prices"] = self.prices
        if self.prior is not None and cells is None:
            from cpe_opt.sessions.prior_data import PARAMETER

            parameters[PARAMETER] = self.prior.for_learner
        if self.shares.learner:
            parameters["delta"] = self.shares.learner
        return Exchange(
            self.learner,
            self.question_set.known,
            self.seed,
            horizon=self.horizon,
            family=self.question_set.family,
            checkpoint=checkpoint,
            noise_assumed=self.assumption,
            **parameters,
        )

    def check_first_query(self) -> None:
        """Raise :class:`InputError` if the learner cannot begin, or asks too much at once."""
        from cpe_opt.problems.queries import samples_of

        first = self.exchange()
        wanted = 0 if first.finished else samples_of(first.query)
        first.close()
        if wanted > MOST_AT_ONCE:
            raise InputError(
                f"{self.name} asks {wanted:,} questions at once to begin with, and a session can "
                f"have {MOST_AT_ONCE:,} open"
            )

    def record(self) -> Record:
        """The record of a new session."""
        from cpe_opt.learners.registry import LEARNERS

        return {
            "cpe_opt_session": FORMAT,
            "version": __version__,
            "learner": self.name,
            "code": "" if self.name in LEARNERS else fingerprint(self.learner),
            "parameters": as_json(self.parameters),
            "seed": self.seed,
            "key": self.key,
            "horizon": self.horizon,
            "prices": None if self.prices is None else self.prices.tolist(),
            "counts": None if self.prior is None else self.prior.content,
            "shares": self.shares.as_json(),
            "subject": self.question_set.as_json(),
        }


def new_header(
    learner: str | LearnerFunction,
    question_set: QuestionSet,
    *,
    seed: int | None,
    horizon: int | None,
    prices: npt.ArrayLike | str | os.PathLike[str] | None,
    prior: Observations | ItemDuels | None,
    parameters: Mapping[str, Any],
) -> Header:
    """What a new session is, checked."""
    from cpe_opt.learners.registry import LEARNERS, get_learner, learners_of

    function = get_learner(learner) if isinstance(learner, str) else learner
    name = name_of(function)
    if isinstance(learner, str):
        name = learner if is_script(learner) else learner.replace("_", "-")
    family = declaration_of(function).family or question_set.family
    if family != question_set.family:
        raise InputError(
            f"{name} is for problems of the family {family!r}, and this session asks about one of "
            f"{question_set.family!r}: {', '.join(learners_of(question_set.family))}"
        )
    as_json(parameters)
    if "parallel" in parameters and "parallel" in parameters_of(function):
        checked_parallel("parallel", parameters["parallel"])
    data, completed = None, dict(parameters)
    if prior is not None:
        from cpe_opt.sessions.prior_data import prior_data

        data, completed = prior_data(name, function, question_set, prior, parameters)
    if horizon is not None:
        checked_rounds("horizon", horizon)
    return Header(
        given=None if name in LEARNERS else function,
        name=name,
        question_set=question_set,
        parameters=completed,
        seed=fresh_seed() if seed is None else checked_count("seed", seed, least=0),
        key=secrets.token_hex(16),
        horizon=horizon,
        prices=_prices(prices, question_set),
        read_prior=lambda: data,
        shares=Shares.of(
            function,
            family,
            completed,
            estimates_sigma="sigma" in completed and "sigma" not in parameters,
            items=question_set.items is not None,
        ),
    )


def fresh_seed() -> int:
    """A seed that nobody has seen, from the operating system."""
    return secrets.randbits(48)


def opened_header(
    record: Record,
    learner: str | LearnerFunction | None,
    question_set: QuestionSet | None,
    *,
    items: GivenItems | None = None,
    orders: Orders | None = None,
    seed: int | None = None,
    horizon: int | None = None,
    prices: npt.ArrayLike | str | os.PathLike[str] | None = None,
    prior: Observations | ItemDuels | None = None,
    parameters: Mapping[str, Any] | None = None,
    folder: Path | None = None,
) -> Header:
    """What the session of a log is, compared with what is given of it."""
    header = _read_header(record, learner if callable(learner) else None, question_set, folder)
    question_set = _over_items(header.question_set, question_set, items, orders)
    entries = {
        "learner": learner, "subject": question_set, "seed": seed, "horizon": horizon,
        "prices": prices, "counts": prior, "parameters": parameters or None,
    }  # fmt: skip
    to_compare = [entry for entry, value in entries.items() if value is not None]
    if to_compare:
        now = new_header(
            learner or (header.learner if record["code"] else header.name),
            question_set or header.question_set,
            seed=seed,
            horizon=horizon,
            prices=prices,
            prior=prior,
            parameters=parameters or {},
        )
        _check_same(record, now.record(), to_compare)
    return header


def _over_items(
    stored: QuestionSet, given: QuestionSet | None, items: GivenItems | None, orders: Orders | None
) -> QuestionSet | None:
    """What is given of the question set, completed by what is stored; None if nothing is."""
    if items is None and orders is None:
        return given if given is None or stored.items is None else given.over(stored.items)
    from cpe_opt.sessions.items import ItemSet

    if items is None:
        if stored.items is None:
            raise InputError(f"orders is {orders!r}, and the session has no items")
        chosen = replace(stored.items, orders=ItemSet.of(1, orders).orders)
    else:
        begun_with = None if stored.items is None else stored.items.orders
        chosen = ItemSet.of(items, orders or begun_with)
    return (given or replace(stored, items=None)).over(chosen)


def read_question_set(record: Record) -> tuple[QuestionSet, PriorData | None]:
    """What the session of a log asks about, and what was observed before, whatever its version."""
    try:
        content = record["subject"]
        question_set = QuestionSet.of_json(content)
        if question_set is None or isinstance(question_set, FiledQuestionSet):
            question_set = QuestionSet(content["family"], None, tuple(content["labels"]))
        return question_set, _prior_of(record, question_set)
    except _NOT_AS_WRITTEN as error:
        raise InputError(
            f"the first line, of version {record.get('version')} of cpe_opt, says nothing that "
            f"this version, {__version__}, can read of what is asked about: {error!r}"
        ) from None


def _read_header(
    record: Record,
    learner: LearnerFunction | None,
    question_set: QuestionSet | None,
    folder: Path | None,
) -> Header:
    """What the session of a log is; :class:`InputError` if it is of another version."""
    form, version = record.get("cpe_opt_session"), record.get("version")
    if form != FORMAT or version != __version__:
        raise InputError(
            f"the session was begun by version {version} of cpe_opt, and this is {__version__}: "
            f"another version may ask other questions. Go on with that version, or "
            f"{_way_on(record)}"
        )
    with _readable(record):
        return _stored_header(record, learner, question_set, folder)


def _stored_header(
    record: Record,
    learner: LearnerFunction | None,
    question_set: QuestionSet | None,
    folder: Path | None,
) -> Header:
    name = str(record["learner"])
    _check_digests(record)
    if record["code"]:
        if learner is None and is_script(name):
            learner = _of_script(name, folder)
        if learner is None:
            raise InputError(f"the learner {name!r} is not one of this package: give it again")
        if fingerprint(learner) != record["code"]:
            raise InputError(
                f"the learner {name_of(learner)!r} is not the one that the session was begun with"
            )
    stored = QuestionSet.of_json(record["subject"], folder)
    if isinstance(stored, FiledQuestionSet) and question_set is not None:
        stored = question_set
    if stored is None:
        if question_set is None:
            raise InputError(
                "the log cannot hold what this session asks about, "
                f"{', '.join(record['subject']['labels'][:5])}, …: give problem= again "
                "(--problem on the command line)"
            )
        stored = question_set
    subject = record["subject"]
    if subject["known"] is None and stored.fingerprint != subject["fingerprint"]:
        raise InputError("the problem is not the one that the session was begun with")
    prices, horizon = record["prices"], record["horizon"]
    if not isinstance(record["parameters"], dict) or not isinstance(record["key"], str):
        raise TypeError("parameters or key")
    if not isinstance(prices, list | float | None):
        raise TypeError("prices")
    return Header(
        given=learner if record["code"] else None,
        name=name,
        question_set=stored,
        parameters=record["parameters"],
        seed=checked_count("the first line: seed", record["seed"], least=0),
        key=record["key"],
        horizon=None if horizon is None else checked_rounds("the first line: horizon", horizon),
        prices=_prices(prices, stored),
        read_prior=partial(_stored_prior, record, stored) if record["counts"] else lambda: None,
        shares=Shares.of_json(record.get("shares")),
    )


def _check_digests(record: Record) -> None:
    """Refuse a log whose learner or problem has a digest of 64 digits, as they once had."""
    subject = record["subject"]
    digests = [record["code"], "" if subject["known"] is not None else subject["fingerprint"]]
    if _OLD_DIGITS in map(len, digests):
        raise InputError(
            "the log keeps a learner or a problem of your own by a digest that this version of "
            f"cpe_opt no longer makes. Go on with the version that began it, or {_way_on(record)}"
        )


def _of_script(name: str, folder: Path | None) -> LearnerFunction:
    """The learner ``file.py:name``; a script that is not there is looked for next to the log."""
    from cpe_opt.learners.registry import get_learner

    script, _, function = name.rpartition(":")
    if folder is not None and not Path(script).exists():
        script = str(folder / Path(script).name)
    return get_learner(f"{script}:{function}")


def _check_same(stored: Record, now: Record, entries: list[str]) -> None:
    """Raise :class:`InputError` where entries of a log's first record are not as given now."""
    for entry in entries:
        given, then = now[entry], stored[entry]
        if entry == "parameters":
            different = [name for name in given if name not in then or given[name] != then[name]]
            if different:
                name = different[0]
                had = repr(then[name]) if name in then else "its default"
                raise InputError(f"{name} is {given[name]!r}, and the session was begun with {had}")
        elif entry == "subject":
            if given["labels"] == then["labels"] and given.get("items") != then.get("items"):
                raise InputError(
                    "items or orders: not those that the session was begun with, or not in the "
                    "same order"
                )
            # What the log holds is compared itself, the rest by its digest.
            held = ["fingerprint"] if then["known"] is None else ["family", "labels", "known"]
            if any(given[key] != then[key] for key in held):
                raise InputError(
                    f"the session asks about {some_labels(then['labels'])}, and "
                    f"{some_labels(given['labels'])} is given: not the same, or not in the same "
                    "order"
                )
        elif entry in ("prices", "counts"):
            if given != then:
                name = "prior" if entry == "counts" else entry
                raise InputError(f"{name}: not those that the session was begun with")
        elif given != then:
            raise InputError(f"{entry} is {given!r}, and the session was begun with {then!r}")


@contextmanager
def _readable(record: Record) -> Iterator[None]:
    """:class:`InputError` where a log's first record is not what it should be."""
    try:
        yield
    except InputError:
        raise
    except _NOT_AS_WRITTEN as error:
        raise InputError(
            f"the first line is none that this version, {__version__}, writes: {error!r}; "
            f"{_way_on(record)}"
        ) from None


def _stored_prior(record: Record, question_set: QuestionSet) -> PriorData | None:
    """What was observed before, read when it is needed."""
    with _readable(record):
        return _prior_of(record, question_set)


def _prior_of(record: Record, question_set: QuestionSet) -> PriorData | None:
    """What was observed before, if anything."""
    if record["counts"] is None:
        return None
    from cpe_opt.sessions.prior_data import PriorData

    return PriorData.of_json(record["counts"], question_set)


def _way_on(record: Record) -> str:
    """How the answers of a session that cannot go on are used, by commands that work."""
    content = record.get("subject")
    export = "cpe-opt session export FILE"
    if isinstance(content, dict) and content.get("items") is not None:
        form = f"`{export} cells.csv --items`"
        return f"export its cells, {form}, and begin a session from them with --prior cells.csv"
    return f"export its answers, `{export} answers.csv`, of which only that version can say more"


def checked_parallel(name: str, parallel: Any) -> int:
    """How many questions are to be open at once, or :class:`InputError`."""
    if checked_count(name, parallel) > MOST_PARALLEL:
        raise InputError(
            f"{name} is {parallel:,}, expected at most {MOST_PARALLEL:,}: so many questions would "
            "be open at once"
        )
    return int(parallel)


def as_json(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as a log keeps them."""
    kept = {}
    for name, value in parameters.items():
        plain = value.tolist() if isinstance(value, np.ndarray) else value
        try:
            text = json.dumps(plain, allow_nan=False, default=_number)
        except (TypeError, ValueError):
            raise InputError(
                f"{name} is {value!r}, which a session cannot write down: expected a finite "
                "number, a text, or a list of these"
            ) from None
        kept[name] = json.loads(text)
    return kept


def _number(value: Any) -> Any:
    if isinstance(value, np.generic):
        return json_default(value)
    raise TypeError


def _prices(
    prices: npt.ArrayLike | str | os.PathLike[str] | None, question_set: QuestionSet
) -> npt.NDArray[np.float64] | None:
    if prices is None:
        return None
    if question_set.family == "dueling":
        from cpe_opt.formats.prices import read_prices
        from cpe_opt.problems.dueling.checks import checked_prices

        if isinstance(prices, str | os.PathLike):
            return read_prices(prices, question_set)
        return checked_prices(prices, question_set)
    if isinstance(prices, int | float):
        return np.array(checked_number("prices", prices, above=0.0))
    raise InputError("prices: of pairs are for arms that duel; here expected one number")
