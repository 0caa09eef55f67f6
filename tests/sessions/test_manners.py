"""Judges of bad manners: whatever a function raises or returns, no run hangs or breaks off."""

import asyncio
import gc
import math
import threading
from contextlib import suppress

import numpy as np
import pytest

import cpe_opt as cpe
from tests.items import round_robin
from tests.sessions.support import answered_in, asked_anew_at_once, better


class Bare(BaseException):
    """Neither an Exception nor a reason to end."""


class Rude:
    """An object whose methods all raise."""

    def rude(self, *arguments):
        raise Bare("no")

    __repr__ = __str__ = __eq__ = __hash__ = __len__ = __iter__ = __bool__ = rude
    __format__ = __index__ = __getattr__ = rude


class Unprintable(Exception):
    __repr__ = __str__ = Rude.rude


class RudeText(str):
    strip = lower = split = casefold = __eq__ = __hash__ = __repr__ = Rude.rude


class RudeNumber(float):
    __float__ = __eq__ = __le__ = __ge__ = __lt__ = __gt__ = __repr__ = __hash__ = Rude.rude


class RudePromise:
    def __await__(self):
        return 5


def deep(question):
    return deep(question)


def spoil(question):
    question.item.clear()
    raise KeyError("spoilt")


def raising(error):
    def judge(question):
        raise error

    return judge


def awaiting(act):
    async def judge(question):
        return act(question)

    return judge


OVER = threading.Event()


async def swallow(question):
    """Go on when cancelled, until the test is over."""
    while not OVER.is_set():
        with suppress(BaseException):
            await asyncio.sleep(0.01)


async def block(question):
    OVER.wait(60)


async def cancel_all(question):
    for task in asyncio.all_tasks():
        task.cancel()
    await asyncio.sleep(0)


async def stop_the_loop(question):
    asyncio.get_running_loop().stop()
    await asyncio.sleep(0)


RAISED = [
    *(asyncio.CancelledError, GeneratorExit, Bare, Unprintable, StopIteration, ValueError(Rude())),
    BaseExceptionGroup("many", [GeneratorExit(), ValueError()]),
]
RETURNED = [
    *(None, 10**5000, math.nan, "\ud800", [1] * 10**5, np.zeros(3), Bare("no"), Rude(), Rude),
    *(RudePromise(), RudeText("first"), RudeNumber(0.5), deep),
]
ACTS = [*map(raising, RAISED), *((lambda question, said=said: said) for said in RETURNED)]
ACTS += [deep, spoil]
HANGING = [lambda question: OVER.wait(60), swallow, block, cancel_all, stop_the_loop]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    asked_anew_at_once(monkeypatch, grace=0.05)
    OVER.clear()
    yield
    OVER.set()


def cells(path):
    """A session that asks for fifteen cells, three at once."""
    options = {"items": 5, "orders": "random", "parallel": 3, "seed": 4}
    return cpe.Session.open(path, round_robin, labels=list("xyz"), **options)


def check(path, act, items):
    """The run ends with the judge's failure, or with the answers of a good judge elsewhere."""
    events, report, hanging = [], None, act in HANGING

    def judge(question):
        return act(question) if question.item_id in items else better(question)

    options = {"workers": 2, "timeout": 0.05 if hanging else 60.0, "retries": 0}
    with cells(path) as session:
        with suppress(cpe.CpeOptError):
            report = session.run(judge, on_event=events.append, **options)
        if len(items) < 5 and not hanging:  # good answers are late, too, where the machine is busy
            assert (report.reason, report.answers + len(report.left_out)) == ("finished", 15)
            assert report.answers >= 9
        elif len(items) == 5 and not session.finished:
            assert session.status().answers == session.status().left_out == 0
        told = answered_in(session.path)
        answered = [each.question.id for each in events if each.kind == "answer"]
        assert sorted(answered) == sorted(each for each in told if session.answer_of(each))
        assert len(told) == len(set(told))
        assert session.run(better).reason == "finished"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "acts",
    [
        [*ACTS[::4], awaiting(Bare), swallow, stop_the_loop],
        pytest.param([*ACTS, *map(awaiting, ACTS), *HANGING], marks=pytest.mark.slow),
    ],
    ids=["some", "all"],
)
@pytest.mark.parametrize("items", ["14", "12345"], ids=["at times", "always"])
def test_no_judge_hangs_a_run_or_breaks_it_off(tmp_path, acts, items):
    faults = []
    for number, act in enumerate(acts):
        try:
            check(tmp_path / f"{number}.jsonl", act, items)
        except (Exception, Bare, GeneratorExit, asyncio.CancelledError) as error:
            faults.append(f"{number}, {act}: {type(error).__name__}: {error}")
    gc.collect()  # coroutines that were never awaited say so here
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("form", [raising, lambda error: awaiting(raising(error))])
def test_what_ends_a_process_ends_the_run(tmp_path, kind, form):
    with cells(tmp_path / "s.jsonl") as session:
        with pytest.raises(kind):
            session.run(form(kind("now")))
        assert session.run(better).reason == "finished"
