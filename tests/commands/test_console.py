"""What long work says of itself."""

import pytest

from cpe_opt.commands import console


def test_a_log_file_gets_a_line_a_minute(monkeypatch, capsys):
    clock = iter([0.0, 10.0, 59.0, 61.0, 100.0, 125.0])
    monkeypatch.setattr(console.time, "monotonic", lambda: next(clock))
    with console.progress("study") as advance:
        for finished in range(1, 6):
            advance(finished, 5)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == ["study: 3 of 5 after 1 min", "study: 5 of 5 after 2 min"]


def test_errors_pass_through(capsys):
    with pytest.raises(KeyError), console.progress("study", 3):
        raise KeyError
    assert capsys.readouterr().err == ""
