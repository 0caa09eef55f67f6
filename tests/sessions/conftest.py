"""Where sessions of tests are, and what their learners are begun with."""

import pytest

from cpe_opt.learners.exchange import Exchange
from tests.sessions.support import LONG


@pytest.fixture
def path(tmp_path):
    """Of a session that is begun in this test."""
    return tmp_path / "session.jsonl"


@pytest.fixture
def asked_anew_at_once(monkeypatch):
    """No judge is waited for after it has failed; programs have a fifth of a second to end."""
    monkeypatch.setattr("cpe_opt.sessions.judges.PAUSE", 1e-6)
    monkeypatch.setattr("cpe_opt.sessions.judges.GRACE", 0.2)


@pytest.fixture(scope="module")
def long_soon():
    """A session is long with a seventh of the records, and keeps a state after half the answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cpe_opt.sessions.replay._EVERY", 50)
        patch.setattr("cpe_opt.sessions.replay.LEAST_RECORDS", LONG)
        yield


@pytest.fixture
def begun(monkeypatch):
    """What is known to each learner that is begun in this test, and its parameters."""
    begun, plain = [], Exchange.__init__

    def begin(self, learner, known, *arguments, **parameters):
        begun.append((known, parameters))
        plain(self, learner, known, *arguments, **parameters)

    monkeypatch.setattr(Exchange, "__init__", begin)
    return begun
