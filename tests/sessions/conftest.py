"""What the learners of sessions are begun with."""

import pytest

from cpe_opt.learners.exchange import Exchange


@pytest.fixture
def begun(monkeypatch):
    """What is known to each learner that is begun in this test, and its parameters."""
    begun, plain = [], Exchange.__init__

    def begin(self, learner, known, *arguments, **parameters):
        begun.append((known, parameters))
        plain(self, learner, known, *arguments, **parameters)

    monkeypatch.setattr(Exchange, "__init__", begin)
    return begun
