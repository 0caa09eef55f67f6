"""The first record of a session: learner, parameters, seed, version, and what is asked about.

Who opens a session again need not say these again. What is said is compared, and a log of another
learner, parameter, seed or version of this package is refused: its answers would be led through
another course.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cpe_opt import __version__
from cpe_opt.errors import InputError
from cpe_opt.files import json_default
from cpe_opt.fingerprint import fingerprint
from cpe_opt.learners.declaration import declaration_of, name_of, parameters_of
from cpe_opt.learners.queries import Learner
from cpe_opt.sessions.journal import Record
from cpe_opt.sessions.question_set import Subject
from cpe_opt.sessions.shares import Shares
from cpe_opt.validation import checked_count, checked_number, checked_rounds

if TYPE_CHECKING:
    from cpe_opt.learners.exchange import Exchange
    from cpe_opt.sessions.prior_data import Before, Seen

FORMAT = 1
MOST_PARALLEL, MOST_AT_ONCE = 10_000, 1_000_000
Function = Callable[..., Learner]


@dataclass(frozen=True, eq=False)
class Header:
    """What a session is.

    Attributes
    ----------
    given : callable or None
        The learner where it is none of this package.
    name : str
        The learner's name in the registry, or as a function.
    subject : Subject
    parameters : dict
        Of the learner, without prices and counts.
    seed : int
    key : str
        Drawn when the session is begun: by what rater's pages call questions, so that it tells them
        nothing.
    horizon : int or None
    prices : float array, shape (K, K), or None
        Of pairs of arms; for other questions one number, of shape ().
    counts : Before or None
        What was seen before.
    shares : Shares
        The parts of delta of all that the session states together.
    """

    given: Function | None
    name: str
    subject: Subject
    parameters: dict[str, Any]
    seed: int
    key: str
    horizon: int | None
    prices: npt.NDArray[np.float64] | None
    counts: Before | None
    shares: Shares

    @property
    def assumption(self) -> str:
        """What all that is proved rests on, whatever the learner assumes; empty for nothing."""
        if not self.shares.sigma:
            return ""
        from cpe_opt.proofs.subsets.noise_bound import NOISE_ASSUMED

        return NOISE_ASSUMED

    @cached_property
    def learner(self) -> Function:
        """The learner; looked up when it is first needed, for that takes time."""
        from cpe_opt.learners.registry import get_learner

        return get_learner(self.name) if self.given is None else self.given

    def exchange(self, parallel: int | None = None) -> Exchange:
        """The learner before its first answer; ``parallel`` in place of its default, if given."""
        from cpe_opt.learners.exchange import Exchange

        parameters = dict(self.parameters)
        if parallel is not None:
            parameters["parallel"] = parallel
        if self.prices is not None and "prices" in parameters_of(self.learner):
            parameters["prices"] = self.prices
        if self.counts is not None:
            parameters["counts"] = self.counts.told
        if self.shares.learner:
            parameters["delta"] = self.shares.learner
        return Exchange(
            self.learner,
            self.subject.known,
            self.seed,
            horizon=self.horizon,
            family=self.subject.family,
            **parameters,
        )

    def check_first_query(self) -> None:
        """Raise :class:`InputError` where the learner cannot begin, or asks too much at once."""
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
            "counts": None if self.counts is None else self.counts.content,
            "shares": self.shares.as_json(),
            "subject": self.subject.as_json(),
        }


def new_header(
    learner: str | Function,
    subject: Subject,
    *,
    seed: int | None,
    horizon: int | None,
    prices: npt.ArrayLike | str | os.PathLike[str] | None,
    counts: Seen | None,
    parameters: Mapping[str, Any],
) -> Header:
    """What a new session is, checked.

    Raises
    ------
    InputError
        Where the learner is for other problems, or cannot start from what was seen; where a
        parameter cannot be written down.
    """
    from cpe_opt.learners.registry import LEARNERS, get_learner, learners_of
    from cpe_opt.sessions.prior_data import before

    function = get_learner(learner) if isinstance(learner, str) else learner
    name = learner.replace("_", "-") if isinstance(learner, str) else name_of(function)
    family = declaration_of(function).family or subject.family
    if family != subject.family:
        raise InputError(
            f"{name} is for problems of the family {family!r}, and this session asks about one of "
            f"{subject.family!r}: {', '.join(learners_of(subject.family))}"
        )
    as_json(parameters)
    if "parallel" in parameters and "parallel" in parameters_of(function):
        checked_parallel("parallel", parameters["parallel"])
    seen, completed = None, dict(parameters)
    if counts is not None:
        seen, completed = before(name, function, subject, counts, parameters)
    if horizon is not None:
        checked_rounds("horizon", horizon)
    return Header(
        given=None if name in LEARNERS else function,
        name=name,
        subject=subject,
        parameters=completed,
        seed=0 if seed is None else checked_count("seed", seed, least=0),
        key=secrets.token_hex(16),
        horizon=horizon,
        prices=_prices(prices, subject),
        counts=seen,
        shares=Shares.of(
            function,
            family,
            completed,
            estimates_sigma="sigma" in completed and "sigma" not in parameters,
        ),
    )


def checked_parallel(name: str, parallel: Any) -> int:
    """How many questions are to be open at once, or :class:`InputError`."""
    if checked_count(name, parallel) > MOST_PARALLEL:
        raise InputError(
            f"{name} is {parallel:,}, expected at most {MOST_PARALLEL:,}: so many questions would "
            "be open at once"
        )
    return int(parallel)


def read_header(record: Record, learner: Function | None, subject: Subject | None) -> Header:
    """What the session of a log is.

    Raises
    ------
    InputError
        Where the log is of another version, or does not hold the learner or the problem, which are
        then to be given.
    """
    form, version = record.get("cpe_opt_session"), record.get("version")
    if form != FORMAT or version != __version__:
        raise InputError(
            f"the session was begun by version {version} of cpe_opt, and this is {__version__}: "
            f"another version may ask other questions. Go on with that version, or "
            f"{_way_on(record)}"
        )
    try:
        return _stored_header(record, learner, subject)
    except (LookupError, TypeError, AttributeError) as error:
        raise InputError(
            f"the first line is none that this version, {__version__}, writes: {error!r}; "
            f"{_way_on(record)}"
        ) from None


def _stored_header(record: Record, learner: Function | None, subject: Subject | None) -> Header:
    name = str(record["learner"])
    if record["code"]:
        if learner is None:
            raise InputError(f"the learner {name!r} is not one of this package: give it again")
        if fingerprint(learner) != record["code"]:
            raise InputError(
                f"the learner {name_of(learner)!r} is not the one that the session was begun with"
            )
    stored = Subject.of_json(record["subject"])
    if stored is None:
        if subject is None:
            raise InputError(
                "the log cannot hold what this session asks about, "
                f"{', '.join(record['subject']['labels'][:5])}, …: give problem= again "
                "(--problem on the command line)"
            )
        stored = subject
    if stored.fingerprint != record["subject"]["fingerprint"]:
        raise InputError("the problem is not the one that the session was begun with")
    prices = record["prices"]
    return Header(
        given=learner if record["code"] else None,
        name=name,
        subject=stored,
        parameters=record["parameters"],
        seed=record["seed"],
        key=record["key"],
        horizon=record["horizon"],
        prices=None if prices is None else np.array(prices, dtype=np.float64),
        counts=_counts_of(record, stored),
        shares=Shares.of_json(record.get("shares")),
    )


def read_subject(record: Record) -> tuple[Subject, Before | None]:
    """What the session of a log asks about, and what was seen before, whatever its version.

    ``known`` of the subject is None where the log does not hold it.

    Raises
    ------
    InputError
        Where another version has written this in another way.
    """
    try:
        content = record["subject"]
        subject = Subject.of_json(content)
        if subject is None:
            subject = Subject(content["family"], None, tuple(content["labels"]))
        return subject, _counts_of(record, subject)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"the first line, of version {record.get('version')} of cpe_opt, says nothing that "
            f"this version, {__version__}, can read of what is asked about: {error!r}"
        ) from None


def _counts_of(record: Record, subject: Subject) -> Before | None:
    """What was seen before."""
    if record["counts"] is None:
        return None
    from cpe_opt.sessions.prior_data import before_of_json

    return before_of_json(record["counts"], subject)


def _way_on(record: Record) -> str:
    """How the answers of a session that cannot go on are used, by commands that work."""
    content = record.get("subject")
    family = content.get("family") if isinstance(content, dict) else None
    export = "cpe-opt session export FILE"
    if family == "dueling":
        form = f"`{export} votes.csv --votes arena`"
        return f"export its votes, {form}, and begin a session from them with --counts votes.csv"
    if family == "subsets":
        form = f"`{export} teams.csv --scores`"
        return f"export its scores, {form}, and begin a session from them with --counts teams.csv"
    return f"export its answers, `{export} answers.csv`"


def check_same(stored: Record, header: Header, given: Mapping[str, bool]) -> None:
    """Raise :class:`InputError` where what is given is not what a log says.

    Parameters
    ----------
    stored : dict
        The log's first record.
    header : Header
        Made of what is given, and of the log where nothing is given.
    given : dict of str to bool
        Which entries of the record were given.
    """
    from cpe_opt.sessions.prior_data import some_labels

    record = header.record()
    for entry in [name for name, is_given in given.items() if is_given]:
        now, then = record[entry], stored[entry]
        if entry == "parameters":
            different = [name for name in now if name not in then or now[name] != then[name]]
            if different:
                name = different[0]
                had = repr(then[name]) if name in then else "its default"
                raise InputError(f"{name} is {now[name]!r}, and the session was begun with {had}")
        elif entry == "subject":
            if now["fingerprint"] != then["fingerprint"]:
                asked_about, about = some_labels(then["labels"]), some_labels(now["labels"])
                raise InputError(
                    f"the session asks about {asked_about}, and {about} is given: not the same, or "
                    "not in the same order"
                )
        elif entry in ("prices", "counts"):
            if now != then:
                raise InputError(f"{entry}: not those that the session was begun with")
        elif now != then:
            raise InputError(f"{entry} is {now!r}, and the session was begun with {then!r}")


def as_json(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as a log keeps them.

    Raises
    ------
    InputError
        Where one is neither a number, nor a text, nor a list or an array of these.
    """
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
    prices: npt.ArrayLike | str | os.PathLike[str] | None, subject: Subject
) -> npt.NDArray[np.float64] | None:
    if prices is None:
        return None
    if subject.family == "dueling":
        from cpe_opt.problems.dueling.prices import checked_prices

        return checked_prices(prices, subject)
    if isinstance(prices, int | float):
        return np.array(checked_number("prices", prices, above=0.0))
    raise InputError("prices: of pairs are for arms that duel; here expected one number")
