"""The registry of learners: every one declares itself, and people can read it."""

import inspect
from typing import Protocol

import pytest

import cpe_opt as cpe
from cpe_opt.experiments.fingerprint import fingerprint
from cpe_opt.learners.declaration import Declaration, declaration_of, declare, parameters_of
from cpe_opt.learners.registry import (
    LEARNERS,
    learner_entry,
)
from cpe_opt.validation import Arms
from tests.support import all_of


class SupportsFloatAndMore(Protocol):
    """Which cannot be told of a value."""

    def more(self): ...


FAMILIES = ("dueling", "matchings", "subsets", "separable")


@all_of("name", LEARNERS)
def test_every_learner_declares_itself(name):
    entry = learner_entry(name)
    says = entry.declaration
    assert (entry.name, says.family in FAMILIES) == (name, True)
    assert LEARNERS[name].__module__.startswith(f"cpe_opt.learners.{says.family}.")
    assert says.goal in ("regret", "identification", "PAC")
    assert says.endless == (says.goal == "regret")
    assert not (says.endless and says.endless_if)
    assert all((says.guarantee, says.paper, entry.summary, entry.answer))
    assert ">>> trace = cpe.simulate(" in LEARNERS[name].__doc__
    assert "References" in LEARNERS[name].__doc__
    assert "rng" in inspect.signature(LEARNERS[name]).parameters
    assert says.asks == (f"batches: {says.batches}" if says.batches else "one query at a time")


def test_delta_is_005_unless_a_theorem_asks_for_less():
    """Or None, 1/T where there is a horizon and else 0.05."""
    defaults = {
        name: parameter.default
        for name in LEARNERS
        for parameter in learner_entry(name).parameters
        if parameter.name == "delta"
    }
    others = {name: value for name, value in defaults.items() if value != 0.05}
    smaller = {"car-parallel": 0.005, "car-verify": 0.005}
    assert others == {"pbr": None, "rankel": None, "savage": None, **smaller}
    runs = [cpe.simulate("savage", cpe.load_instance("cyclic"), **d) for d in ({}, {"delta": 0.05})]
    assert runs[0].samples == runs[1].samples


@all_of("name", LEARNERS)
def test_every_parameter_is_documented_with_its_type(name):
    entry, signature = learner_entry(name), inspect.signature(LEARNERS[name]).parameters
    for parameter in entry.parameters:
        assert parameter.type, parameter.name
        assert "`" not in parameter.description
        if parameter.required:
            assert signature[parameter.name].default is inspect.Parameter.empty
        else:
            assert parameter.default == signature[parameter.name].default
    told = {"rng", "horizon", "cells", "answered", "hints", "checkpoint"}
    assert set(signature) - {p.name for p in entry.parameters} - told == {next(iter(signature))}


def test_what_a_learner_of_a_user_declares_is_kept_and_checked_when_it_is_called():
    def mine(arms: Arms, *, rng, power=1, horizon=None, **others):
        """Mine."""

    def odd(arms: "as many as there are", model: SupportsFloatAndMore):  # noqa: F722
        yield from ()

    assert declaration_of(mine) == Declaration()
    assert list(parameters_of(mine)) == ["power"]
    says = {"family": "dueling", "goal": "PAC", "guarantee": "none", "paper": "none"}
    declared = declare(**says, endless_if="it rains")(mine)
    assert declaration_of(declared).stops == "yes, unless it rains"
    assert list(parameters_of(declared)) == ["power"]
    assert fingerprint(declared) == fingerprint(mine)
    assert list(declare(**says)(odd)(1, 2.0)) == []
    with pytest.raises(cpe.InputError, match="arms is 1, expected a whole number, at least 2"):
        declared(1, rng=None)
    assert declaration_of(cpe.learners.rucb).stops == "no: it needs a horizon"
    assert declaration_of(cpe.learners.pbr).stops == "yes"
