"""The first record of a session: learner, parameters, seed, version, and what is asked about.

Who opens a session again need not say these again. What is said is compared, and a log of another
learner, parameter, seed or version of this package is refused: its answers would be led through
another replay.

**Earlier observations** are votes of arms that duel, scores of sets, votes at positions, or, over
the items of a test set, which cells were answered. They are kept in the order of the session's
arms, edges or elements, so that the session needs no other file. So are **hints**
(:mod:`cpe_opt.sessions.hints`), which are there from the beginning or not at all: those that come
later could have been made along the order in which cells are asked. With hints the order of cells
follows from them, too: answers of a session with the same seed may be hints of the next one.

**Shares.** What a session states has parts of delta (``docs/sessions.md``), a fifth for what votes
prove and a tenth for an upper bound on sigma where there are such, so that with probability at
least 1 - delta nothing of it is ever wrong. The learner's proof so costs ``ln(1/0.8) = 0.22`` nats
more than with all of delta. Over the items of a test set a twentieth is for what is proved of new
ones, at a cost of 0.05 nats.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from cpe_opt import __version__
from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, listed
from cpe_opt.experiments.fingerprint import fingerprint
from cpe_opt.learners.declaration import (
    declaration_of,
    is_told,
    name_of,
    noise_assumption,
    parameters_of,
)
from cpe_opt.learners.queries import Learner
from cpe_opt.problems.dueling.items import ItemDuels
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.pairs import LogNotes
from cpe_opt.problems.subsets.team_scores import SIZES_ASSUMED, TeamScores
from cpe_opt.scripts import is_script
from cpe_opt.sessions.hints import LATE, Hints, every_cell
from cpe_opt.sessions.journal import Record
from cpe_opt.sessions.questions import (
    AnyCells,
    Cells,
    GivenItems,
    ItemSet,
    KnownCells,
    Orders,
    OutputCells,
    QuestionSet,
)
from cpe_opt.validation import (
    PositiveOrInfinite,
    Rounds,
    Seed,
    checked,
    checked_count,
    checked_types,
)

if TYPE_CHECKING:
    from cpe_opt.formats.observations import Observations
    from cpe_opt.learners.exchange import Exchange
    from cpe_opt.learners.tracking import Checkpoint
    from cpe_opt.sessions.hints import GivenHints

FORMAT = 2
MOST_PARALLEL = 10_000
LearnerFunction = Callable[..., Learner]
DELTA = 0.05
"""Of a session, where neither the user nor the learner says another."""
EVIDENCE_SHARE = 0.2
"""Of delta, next to the answer of a learner."""
NEW_ITEMS_SHARE = 0.05
"""Of delta, next to the answer of a learner about the items of a test set."""


@dataclass(frozen=True, kw_only=True)
class Given:
    """What somebody says of a session to begin it or to open it; see :meth:`Session.open`."""

    learner: str | LearnerFunction | None = None
    labels: Sequence[str] | None = None
    problem: object = None
    items: GivenItems | None = None
    orders: Orders | None = None
    seed: int | None = None
    horizon: int | None = None
    prices: npt.ArrayLike | str | os.PathLike[str] | None = None
    prior: Observations | ItemDuels | None = None
    hints: GivenHints | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def question_set(self) -> QuestionSet | None:
        """What is asked about, without items; None if neither labels nor a problem are given."""
        if self.labels is not None and self.problem is not None:
            raise InputError("labels and problem are both given, expected one of them")
        if self.problem is not None:
            return QuestionSet.of_problem(self.problem)
        if self.labels is None:
            return None
        return (QuestionSet.of_scored if self.scored else QuestionSet.of_labels)(self.labels)

    @cached_property
    def scored(self) -> bool:
        """Whether the learner is one of scores on items, so that outputs of labels are scored."""
        from cpe_opt.learners.registry import get_learner

        if self.learner is None:
            return False
        known = get_learner(self.learner) if isinstance(self.learner, str) else self.learner
        return declaration_of(known).family == "subsets" and is_told(known, "cells")


@checked_types
@dataclass(frozen=True, eq=False, kw_only=True)
class Header:
    """What a session is: the first record of its log, and what that cannot hold."""

    record: Record
    name: str  # the learner's name in the registry, or as a function
    parameters: dict[str, Any]  # of the learner, without prices and earlier observations
    # of the order of cells, of which arm is shown first, of coins for ties and of the learner
    seed: Seed
    key: str  # drawn once: by what raters' pages call questions, so that it tells them nothing
    horizon: Rounds | None
    question_set: QuestionSet
    given: LearnerFunction | None  # the learner if it is not one of this package
    # (K, K), or None; of pairs of arms; for other questions one number, of shape ()
    prices: npt.NDArray[np.float64] | None
    prior: PriorData | None  # what was observed before, if anything
    hints: Hints | None  # what a cheap judge says of the cells, if anything
    shares: Shares  # the parts of delta of all that the session states together

    @classmethod
    def of(cls, record: Record, question_set: QuestionSet, given: LearnerFunction | None) -> Self:
        """What a record says of a session that asks about this."""
        return cls(
            record=record,
            name=record["learner"],
            **{name: record[name] for name in ("parameters", "seed", "key", "horizon")},
            question_set=question_set,
            given=given,
            prices=_prices(record["prices"], question_set),
            prior=_stored_prior(record, question_set),
            hints=Hints.of_json(record["hints"], question_set) if "hints" in record else None,
            shares=Shares(**record["shares"]),
        )

    @property
    def assumption(self) -> str:
        """What all that is proved takes for granted of noise; empty for nothing."""
        if not self.shares.sigma:
            return noise_assumption(self.learner, self.parameters)
        from cpe_opt.proofs.subsets.noise_bound import NOISE_ASSUMED

        return NOISE_ASSUMED

    @cached_property
    def learner(self) -> LearnerFunction:
        """The learner; looked up when it is first needed, for that takes time."""
        from cpe_opt.learners.registry import get_learner

        return get_learner(self.name) if self.given is None else self.given

    @cached_property
    def cells(self) -> AnyCells | None:
        """The cells that are asked, and in which order; None where there are no items."""
        items, arms = self.question_set.items, len(self.question_set.labels)
        if items is None:
            return None
        hints = self.hints
        seed = self.seed if hints is None else f"{self.seed}/{hints.as_json()['fingerprint']}"
        if self.question_set.is_scores:
            return OutputCells(items, arms, seed, None if hints is None else hints.values)
        known = {} if self.prior is None else self.prior.cells
        return Cells(items, arms, seed, known, None if hints is None else hints.of_duels)

    def exchange(
        self,
        parallel: int | None = None,
        rounds: int | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> Exchange:
        """The learner before its first answer, or at the state of a checkpoint."""
        from cpe_opt.learners.exchange import Exchange

        parameters, cells = dict(self.parameters), self.cells
        if cells is not None:
            parameters |= cells.told
        elif self.prior is not None:
            parameters["prior"] = self.prior.for_learner(self.question_set.known)
        if parallel is not None:
            parameters["parallel"] = parallel
        if rounds is not None:
            parameters["rounds"] = rounds
        if self.prices is not None and "prices" in parameters_of(self.learner):
            parameters["prices"] = self.prices
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


# A new session


def new_header(path: Path, given: Given) -> Header:
    """What a new session in a file is, checked."""
    question_set = given.question_set
    if given.learner is None:
        raise InputError(f"no session was begun in {str(path)!r}: a new one needs a learner")
    if question_set is None and given.prior is not None:
        question_set = question_set_of(given.prior)
    if question_set is None:
        raise InputError(
            f"{str(path)!r} is a new session: expected labels, of arms that duel each other, "
            "or problem, for anything else"
        )
    header = _begun(given.learner, _over_items(question_set, given), given)
    header.exchange().close()  # or it cannot begin
    if header.given is not None:  # after it has begun, for what it keeps by then is part of it
        header.record["code"] = fingerprint(header.given)
    return header


def _over_items(question_set: QuestionSet, given: Given) -> QuestionSet:
    """What is asked about, over the items and in the orders that are given."""
    items = question_set.items
    if given.orders is not None and (question_set.is_scores or given.scored):
        raise InputError(f"orders is {given.orders!r}, and has no effect where outputs are scored")
    orders = given.orders or (None if items is None else items.orders)
    if given.items is not None:
        return question_set.over(ItemSet.of(given.items, orders))
    if orders is None:
        return question_set
    if items is None:
        raise InputError(f"orders is {orders!r}, and has no effect without items")
    return question_set.over(replace(items, orders=orders))


def _begun(learner: str | LearnerFunction, question_set: QuestionSet, given: Given) -> Header:
    """A new session of a learner that asks about this."""
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
    question_set = replace(question_set, shares=declaration_of(function).shares)
    if given.scored and question_set.items is None:
        raise InputError(f"{name} scores arms on the items of a test set: expected items as well")
    hints = None
    if given.hints is not None:
        hints = Hints.of_given(given.hints, question_set)
        if not is_told(function, "hints"):
            raise InputError(f"{name} has no parameter 'hints': hints would have no effect")
    parameters, prior = as_json(given.parameters), None
    if "parallel" in parameters and "parallel" in parameters_of(function):
        checked_count("parallel", given.parameters["parallel"], most=MOST_PARALLEL)
    if parameters.get("rounds") is not None and "rounds" in parameters_of(function):
        checked_count("rounds", given.parameters["rounds"], most=MOST_PARALLEL)
    if given.prior is not None:
        prior = _started(name, function, question_set, given.prior)
        parameters |= _completed(function, parameters, given.prior)
    prices = _prices(given.prices, question_set)
    estimates_sigma = "sigma" in parameters and "sigma" not in given.parameters
    record = {
        "cpe_opt_session": FORMAT,
        "version": __version__,
        "learner": name,
        "code": "",
        "parameters": parameters,
        "seed": fresh_seed() if given.seed is None else checked_count("seed", given.seed, least=0),
        "key": secrets.token_hex(16),
        "horizon": given.horizon,
        "prices": None if prices is None else prices.tolist(),
        "prior": prior,
        "shares": asdict(
            Shares.of(function, question_set, parameters, estimates_sigma, begins=prior is None)
        ),
        "question_set": question_set.as_json(),
        **({} if hints is None else {"hints": hints.as_json()}),
    }
    return Header.of(record, question_set, None if name in LEARNERS else function)


def _started(
    name: str,
    function: LearnerFunction,
    question_set: QuestionSet,
    observed: Observations | ItemDuels,
) -> dict[str, Any]:
    """Earlier observations in the order of a session whose learner can start from them."""
    from cpe_opt.learners.registry import LEARNERS

    family, asked = family_of(observed), question_set.family
    declared = declaration_of(function)
    starts = declared.starts or (not declared.family and "prior" in parameters_of(function))
    if not (starts or question_set.items or isinstance(observed, ItemDuels)):
        others = {each: declaration_of(learner) for each, learner in LEARNERS.items()}
        able = [each for each, d in others.items() if d.starts and d.family == asked]
        named = ", ".join(able) or f"no learner of {asked}"
        raise InputError(f"prior: {name} cannot start from earlier observations; {named} can")
    if family != asked:
        raise InputError(
            f"prior: observations of the family {family!r}, and the session asks about {asked!r}"
        )
    return _content(observed, question_set)


def _completed(
    function: LearnerFunction, parameters: Mapping[str, Any], observed: Observations | ItemDuels
) -> dict[str, Any]:
    """Parameters that follow from earlier scores: of teams, and how large the noise is."""
    if not isinstance(observed, TeamScores):
        return {}
    added: dict[str, Any] = {}
    if "feedback" in parameters_of(function) and any(len(team) > 1 for team in observed.teams):
        added["feedback"] = parameters.get("feedback", "sums")
        if added["feedback"] != "sums":
            raise InputError(
                f"feedback is {added['feedback']!r}, and scores of teams are seen: expected 'sums'"
            )
    return added | _estimated_sigma(observed, function, parameters)


def _estimated_sigma(
    scores: TeamScores, function: LearnerFunction, parameters: Mapping[str, Any]
) -> dict[str, float]:
    """A bound on ``sigma`` that fails with a tenth of delta, where the learner needs one."""
    from cpe_opt.proofs.subsets.noise_bound import SIGMA_SHARE, largest_sigma

    needed = "sigma" in parameters_of(function) and not {"sigma", "noise"} & set(parameters)
    if not needed or not promises_answer(function, parameters):
        return {}
    error = SIGMA_SHARE * session_delta(function, parameters)
    return {"sigma": largest_sigma(scores, error, planned=parameters.get("planned") is True)}


def fresh_seed() -> int:
    """A seed that nobody has seen, from the operating system."""
    return secrets.randbits(48)


def as_json(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as a log keeps them."""
    kept = {}
    for name, value in parameters.items():
        try:
            text = json.dumps(value, allow_nan=False, default=lambda each: each.tolist())
        except (TypeError, ValueError, AttributeError):
            raise InputError(
                f"{name} is {value!r}, which a session cannot write down: expected a finite "
                "number, a text, or a list of these"
            ) from None
        kept[name] = json.loads(text)
    return kept


def _prices(
    prices: npt.ArrayLike | str | os.PathLike[str] | None, question_set: QuestionSet
) -> npt.NDArray[np.float64] | None:
    if prices is None:
        return None
    if question_set.family == "dueling":
        from cpe_opt.formats.prices import read_prices
        from cpe_opt.problems.pairs import checked_prices

        if isinstance(prices, str | os.PathLike):
            return read_prices(prices, question_set)
        return checked_prices(prices, question_set)
    if isinstance(prices, int | float):
        return np.array(checked("prices", prices, PositiveOrInfinite))
    raise InputError("prices: of pairs are for arms that duel; here expected one number")


# A session that was begun


def opened_header(record: Record, given: Given) -> Header:
    """What the session of a log is, compared with what is given of it."""
    _check_form(record)
    if given.hints is not None and "hints" not in record:
        raise InputError(LATE)
    if (version := record.get("version")) != __version__:
        raise InputError(
            f"the session was begun by version {version} of cpe_opt, and this is {__version__}: "
            "another version may ask other questions. Go on with that version, or export its "
            "answers, `cpe-opt session export FILE answers.csv`; those to the cells of a test set, "
            "by --items, may begin another session, by --prior"
        )
    question_set, learner = _same_question_set(record, given), _same_learner(record, given)
    with _readable():
        header = Header.of(record, question_set, learner)
    asked = question_set
    if given.question_set is not None:
        asked = replace(given.question_set, items=question_set.items)
    if question_set.is_scores and given.labels is not None:
        asked = QuestionSet.of_scored(given.labels, question_set.known.k)
        asked = replace(asked, items=question_set.items)
    asked = _over_items(asked, given)
    about = given.question_set or given.items or given.orders
    said = {**vars(given), "question_set": about, "parameters": given.parameters or None}
    names = [name for name in record if said.get(name) is not None]
    if names:
        again = _begun(given.learner or header.given or header.name, asked, given).record
        for name in names:
            _check_same(name, again[name], record[name])
    return header


def read_subject(record: Record) -> tuple[QuestionSet, PriorData | None]:
    """What a log asks about and what was observed before; no problem and no learner is read."""
    _check_form(record)
    with _readable():
        question_set = QuestionSet.of_json(record["question_set"])
        return question_set, _stored_prior(record, question_set)


def _stored_prior(record: Record, question_set: QuestionSet) -> PriorData | None:
    content = record["prior"]
    return None if content is None else PriorData.of_json(content, question_set)


def _same_learner(record: Record, given: Given) -> LearnerFunction | None:
    """The learner of a log if it is not one of this package."""
    with _readable():
        name, code = record["learner"], record["code"]
    if not code:
        return None
    learner = given.learner if callable(given.learner) else None
    if learner is None and name == name_of(every_cell):
        learner = every_cell
    if learner is None and is_script(name):
        from cpe_opt.learners.registry import get_learner

        learner = get_learner(name)
    if learner is None:
        raise InputError(f"the learner {name!r} is not one of this package: give it again")
    if fingerprint(learner) != code:
        raise InputError(
            f"the learner {name_of(learner)!r} is not the one that the session was begun with"
        )
    return learner


def _same_question_set(record: Record, given: Given) -> QuestionSet:
    """What a log asks about, from the log, as it is given, or from the file that it names."""
    (stored, _), again = read_subject(record), given.question_set
    if stored.known is not None:
        return stored
    changed = "the problem is not the one that the session was begun with"
    give = "give the problem again by problem= (--problem on the command line)"
    if again is None:
        if stored.source is None:
            raise InputError(
                "the log cannot hold what this session asks about, "
                f"{listed(stored.labels, 'labels')}: {give}"
            )
        changed = f"{stored.source.path} has changed since the session was begun with it: {give}"
        try:
            again = QuestionSet.of_problem(stored.source)
        except InputError as error:
            raise InputError(
                f"the problem that the session was begun with cannot be read again: {error}; {give}"
            ) from None
    if again.fingerprint != record["question_set"]["fingerprint"]:
        raise InputError(changed)
    return again


def _check_form(record: Record) -> None:
    """Raise :class:`InputError` for a log whose records have other names."""
    if (form := record.get("cpe_opt_session")) != FORMAT:
        raise InputError(
            f"the log is of form {form!r}, and this version, {__version__}, reads form {FORMAT}: "
            "go on with the version that began it"
        )


def _check_same(name: str, now: Any, then: Any) -> None:
    """Raise :class:`InputError` where an entry of a log's first record is not as given now."""
    if name == "parameters":
        for key, value in now.items():
            if key not in then or value != then[key]:
                had = repr(then[key]) if key in then else "its default"
                raise InputError(f"{key} is {value!r}, and the session was begun with {had}")
    elif name == "question_set" and now["fingerprint"] != then["fingerprint"]:
        had, has = (listed(each["labels"], "labels") for each in (then, now))
        labels = f"the session asks about {had}, and {has} is given"
        raise InputError(
            f"{labels if had != has else 'items or orders'}: not those that the session was begun "
            "with, or not in the same order"
        )
    elif name == "hints" and now["fingerprint"] != then["fingerprint"]:
        raise InputError(
            "hints: not those that the session was begun with, which never change; others need a "
            "new file, which asks in a fresh order"
        )
    elif name in ("prices", "prior") and now != then:
        raise InputError(f"{name}: not those that the session was begun with")
    elif name in ("learner", "seed", "horizon") and now != then:
        raise InputError(f"{name} is {now!r}, and the session was begun with {then!r}")


@contextmanager
def _readable() -> Iterator[None]:
    """:class:`InputError` where what a first record holds is not what it should be."""
    try:
        yield
    except (InputError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"the first line is none that a session writes: {error!r}") from None


# What was observed before


@dataclass(frozen=True, eq=False, kw_only=True)
class PriorData:
    """Earlier observations of the arms, edges or elements of a session; one of four is there."""

    votes: Votes | None = None  # of arms that duel
    scores: TeamScores | None = None  # of sets
    wins: FloatArray | None = None  # (E, E); of edges
    cells: KnownCells = field(default_factory=dict)  # over items
    notes: LogNotes = field(default_factory=LogNotes)  # on the log that they came from

    @classmethod
    def of_json(cls, content: dict[str, Any], question_set: QuestionSet) -> Self:
        """Observations as the log keeps them."""
        if "cells" in content:
            known: dict[tuple[int, int], dict[tuple[int, bool | None], float]] = {}
            for i, j, item, second, outcome in content["cells"]:
                known.setdefault((i, j), {})[item, second] = outcome
            return cls(cells=known)
        notes, labels = LogNotes.of_json(content["notes"]), question_set.labels
        if "scores" in content:
            teams = [[labels[element] for element in team] for team in content["teams"]]
            seen, counts = content["scores"], content["counts"]
            scores = TeamScores(teams, seen, counts, clusters=notes.clusters)
            return cls(scores=scores, notes=notes)
        if question_set.family == "matchings":
            return cls(wins=np.array(content["wins"]), notes=notes)
        tied, independent = content["tied"], content["independent"]
        votes = Votes(content["wins"], labels, tied=tied, notes=notes, independent=independent)
        return cls(votes=votes, notes=notes)

    def for_learner(self, known: Any) -> Any:
        """In the form that the learner takes, which knows this of the problem."""
        if self.scores is not None:
            return self.scores.totals(known)
        return self.wins if self.votes is None else self.votes

    @property
    def warnings(self) -> tuple[str, ...]:
        """What proofs assume of the log: also that answers of a column do not depend on others."""
        noun = "votes" if self.scores is None else "scores"
        sizes = self.scores is not None and self.scores.size is None
        assumed = [f"warning: what is called proved assumes that {SIZES_ASSUMED}"] * sizes
        return (*assumed, *(each.warning(noun) for each in self.notes.clusters))


def _content(observations: Observations | ItemDuels, question_set: QuestionSet) -> dict[str, Any]:
    """Observations in the order of the session, in plain values; some it cannot count."""
    if question_set.is_scores:
        raise InputError(
            "prior: a session of scores begins without any: begin it anew, and have the function "
            "that scores return those that it knows, which is fair, as the order is new"
        )
    if isinstance(observations, ItemDuels):
        return {"cells": _cells(observations, question_set)}
    if question_set.items is not None:
        raise InputError(
            "prior: the session asks each cell of a test set once, and earlier observations "
            "are of no cells; expected ItemDuels, or a log with a column 'item'"
        )
    if isinstance(observations, TeamScores):
        return _scores(observations, question_set)
    return _votes(observations, question_set)


def _scores(scores: TeamScores, question_set: QuestionSet) -> dict[str, Any]:
    """Scores by the session's elements."""
    place = _places(question_set, scores.members, "scores of")
    return {
        "teams": [sorted(place[member] for member in team) for team in scores.teams],
        "scores": scores.scores.tolist(),
        "counts": scores.counts.tolist(),
        "notes": LogNotes(clusters=scores.clusters).as_json(),
    }


def _votes(votes: Votes | MatchingDuels, question_set: QuestionSet) -> dict[str, Any]:
    """Votes by the session's arms or edges; pairs that never met have none."""
    counts, of_arms = votes.counts, isinstance(votes, Votes)
    refused = ""
    if counts is None:
        refused = "probabilities, which prove nothing without how often each pair met"
    elif counts.selected is not None:
        refused = "pairs that are selected by what the votes say, so that they prove nothing"
    elif counts.outcomes is not None:
        refused = "votes in clusters, or shares of one, and a session counts each vote by itself"
    elif not counts.independent and not of_arms:
        refused = "votes of rankings, whose pairs are not independent"
    if counts is None or refused:
        raise InputError(f"prior: {votes.name} has {refused}; expected votes on single pairs")
    order, count = _places(question_set, votes.labels, "votes on"), len(question_set.labels)
    wins, tied = np.zeros((2, count, count))
    wins[np.ix_(order, order)] = counts.wins
    tied[np.ix_(order, order)] = counts.tied
    content = {"wins": wins.tolist(), "notes": counts.notes.as_json()}
    if of_arms:
        content |= {"tied": tied.tolist(), "independent": counts.independent}
    return content


def _cells(duels: ItemDuels, question_set: QuestionSet) -> list[list[Any]]:
    """Cells by the session's arms and items."""
    items = question_set.items
    if items is None:
        raise InputError(
            f"prior: {duels.name} has duels over items, and the session asks about none; "
            "expected items= (--items on the command line), or Votes"
        )
    arms, places = _places(question_set, duels.labels, "duels of"), items.places
    unknown = next((name for name in duels.items if name not in places), None)
    if unknown is not None:
        raise InputError(f"prior: the item {unknown!r} is none of the session's")
    if duels.orders != items.each:
        says, takes = ("does not say", "random") if duels.orders == 1 else ("says", "both")
        raise InputError(
            f"prior: {duels.name} {says} which arm was shown first, and orders is "
            f"{items.orders!r}; {takes!r} takes it"
        )
    outcomes = duels.outcomes
    cells: list[list[Any]] = []
    for one, other, item, order in np.argwhere(~np.isnan(outcomes)).tolist():
        if (i := arms[one]) < (j := arms[other]):
            # whether j was shown first; None for either
            second = bool(order) if outcomes.shape[3] == 2 else None
            outcome = float(outcomes[one, other, item, order])
            cells.append([i, j, places[duels.items[item]], second, outcome])
    return sorted(cells, key=lambda cell: (*cell[:3], bool(cell[3])))


def _places(question_set: QuestionSet, labels: tuple[str, ...], what: str) -> list[int]:
    """Where labels are in the order of a session."""
    place = {label: number for number, label in enumerate(question_set.labels)}
    for label in labels:
        if label not in place:
            raise InputError(
                f"prior: {what} {label!r}, which is none of {listed(question_set.labels, 'labels')}"
            )
    return [place[label] for label in labels]


def question_set_of(prior: object) -> QuestionSet:
    """What earlier observations are about, where nothing else says what a session asks about."""
    family_of(prior)
    if isinstance(prior, ItemDuels):
        items = ItemSet.of(list(prior.items), "both" if prior.orders == 2 else "random")
        return QuestionSet.of_labels(prior.labels).over(items)
    if isinstance(prior, Votes):
        return QuestionSet.of_labels(prior.labels)
    if isinstance(prior, TeamScores):
        if prior.size is None:
            raise InputError(
                f"{prior.name}: teams of different sizes do not say which sets may be chosen: give "
                "problem, such as TopK (--problem, or --k, on the command line)"
            )
        return QuestionSet.of_problem(prior.decisions())
    return QuestionSet.of_problem(prior)


def family_of(prior: object) -> str:
    """The family of earlier observations; :class:`InputError` if they are none."""
    family = getattr(prior, "family", "")
    if isinstance(prior, Votes | TeamScores | ItemDuels) or family == "matchings":
        return str(family)
    raise InputError(
        f"prior is of the kind {type(prior).__name__}, expected Votes, TeamScores, or "
        "MatchingDuels from a log"
    )


# How delta is shared


@checked_types
@dataclass(frozen=True, kw_only=True)
class Shares:
    """The parts of delta; each is the probability that what it is for is ever wrong."""

    delta: float  # of all together
    learner: float  # of the learner's answer; 0 where it promises nothing
    evidence: float = 0.0  # of what votes prove; 0 where they are not of arms that duel
    sigma: float = 0.0  # of an upper bound on sigma being too small; 0 where none was estimated
    new_items: float = 0.0  # of what is proved of new items; 0 where nothing is said of them

    @classmethod
    def of(
        cls,
        function: LearnerFunction,
        question_set: QuestionSet,
        parameters: Mapping[str, Any],
        estimates_sigma: bool,
        *,
        begins: bool = True,
    ) -> Self:
        """Those of a new session, which ``begins`` without earlier observations or with them."""
        from cpe_opt.proofs.subsets.noise_bound import SIGMA_SHARE

        delta = session_delta(function, parameters)
        promises = promises_answer(function, parameters)
        share = EVIDENCE_SHARE if promises else 1.0
        evidence = share * delta if question_set.is_votes else 0.0
        sigma = SIGMA_SHARE * delta if estimates_sigma else 0.0
        if (question_set.is_votes and not evidence) or (estimates_sigma and not sigma):
            raise InputError(f"delta is {delta!r}, too small a number to be shared")
        new_items = 0.0
        if begins and promises and says_of_new_items(function, question_set):
            new_items = NEW_ITEMS_SHARE * delta
        learner = delta - evidence - sigma - new_items if promises else 0.0
        return cls(
            delta=delta, learner=learner, evidence=evidence, sigma=sigma, new_items=new_items
        )

    def in_words(self, learner: str) -> str:
        """With which confidence all holds together, and each part alone."""
        parts = [
            (self.learner, f"the answer of {learner}"),
            (self.evidence, "what the votes prove"),
            (self.sigma, "sigma"),
            (self.new_items, "what is proved of new items"),
        ]
        charged = [f"{_confidence(part)} for {what}" for part, what in parts if part]
        whole = f"{_confidence(self.delta)} that all of it is right, however often one looks"
        return f"{whole}: {', '.join(charged)}" if len(charged) > 1 else whole


def session_delta(function: LearnerFunction, parameters: Mapping[str, Any]) -> float:
    """The probability that anything stated in a session is wrong: as given, or by default."""
    return _given_delta(function, parameters) or DELTA


def promises_answer(function: LearnerFunction, parameters: Mapping[str, Any]) -> bool:
    """Whether a learner's answer is a claim at its delta, which is then to be shared."""
    if "delta" not in parameters_of(function) or declaration_of(function).goal == "regret":
        return False
    return _given_delta(function, parameters) != 0.0


def says_of_new_items(function: LearnerFunction, question_set: QuestionSet) -> bool:
    """Whether the answer is one that nothing else is to be ahead of, over the items of a set."""
    winner = declaration_of(function).winner in ("Copeland", "Condorcet")
    return question_set.items is not None and (winner or question_set.is_scores)


def _given_delta(function: LearnerFunction, parameters: Mapping[str, Any]) -> float | None:
    """The learner's delta, or its default, which may be None; 0 where it is no probability."""
    if declaration_of(function).shares:  # only one of its two answers can be false
        return max(float(parameters.get(error, DELTA)) for error in ("alpha", "beta"))
    known = parameters_of(function).get("delta")
    delta = parameters.get("delta", None if known is None else known.default)
    return delta if delta is None or (isinstance(delta, float) and 0.0 < delta < 1.0) else 0.0


def _confidence(delta: float) -> str:
    return f"{100.0 * (1.0 - delta):.10g} %"
