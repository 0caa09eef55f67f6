"""What long work says of itself."""

import pytest
from rich.progress import Progress

from cpe_opt.commands import console


def test_a_log_file_gets_a_line_a_minute(monkeypatch, capsys):
    clock = iter([0.0, 0.0, 59.0, 61.0, 100.0, 125.0, 10_000.0])
    monkeypatch.setattr(console.time, "monotonic", lambda: next(clock))
    with console.progress("study") as advance:
        for finished in (4, 4, 1004, 1005, 1504, 3004):
            advance(finished, 3004 if finished > 1500 else 301_004)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == [
        "study: 1,004 of 301,004 after 1 min",
        "study: 1,504 of 3,004 after 2 min",
        "study: 3,004 of 3,004 after 167 min",
    ]


def test_a_terminal_sees_the_time_left_of_runs_that_take_minutes(monkeypatch):
    now, displays = [0.0], []

    class Display(Progress):
        def __init__(self, *columns, **settings):
            displays.append(self)
            super().__init__(*columns, **settings, get_time=lambda: now[0], auto_refresh=False)

    monkeypatch.setattr("rich.progress.Progress", Display)
    monkeypatch.setattr("rich.console.Console.is_terminal", True)
    with console.progress("study") as advance:
        for finished in range(4, 8):
            advance(finished, 20)
            now[0] += 100.0
        assert displays[0].tasks[0].time_remaining == 1300.0


def test_errors_pass_through(capsys):
    with pytest.raises(KeyError), console.progress("study", 3):
        raise KeyError
    assert capsys.readouterr().err == ""
