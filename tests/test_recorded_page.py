"""docs/programs-of-a-run.md shows what its script and commands print, and what they record."""

import re
import sys
from pathlib import Path

import pytest

import cpe_opt as cpe
from tests.docs.blocks import Reader

PAGE = (Path(__file__).parents[1] / "docs" / "programs-of-a-run.md").read_text(encoding="utf-8")
ROWS_LEFT_OUT = re.compile(r" \\ \.\.\. (\d+) more rows")
NUMBER = re.compile(r"\d+(\.\d+)?")


@pytest.mark.slow
def test_the_page_shows_what_its_script_prints_and_records(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    reader = Reader(tmp_path, Path(sys.executable).parent)
    assert reader.read(PAGE, "programs-of-a-run.md") >= 2
    log = reader.names["log"]
    table = re.findall(
        r"^\| (\d+) \| (\d+) \| `(\w+)` \| (\d+) \| (\d+) \| ([\d.]+) \|$", PAGE, re.M
    )
    shown = re.findall(r"```text\n((?:Minimize|Subject To)\n.*?)```", PAGE, re.DOTALL)
    assert [int(row[0]) for row in table] == [1, 10, 100]
    for (number, played, name, columns, rows, optimum), text in zip(table, shown, strict=True):
        entry = log[int(number) - 1]
        assert (entry.round, entry.name) == (int(played), name)
        program = cpe.read_program(Path("programs", entry.file))
        assert program.shape == (int(rows), int(columns))
        assert entry.objective == pytest.approx(float(optimum), abs=1e-6)
        assert cpe.solve(program, "glop").objective == pytest.approx(entry.objective, abs=1e-9)
        written = Path("programs", entry.file).read_text(encoding="utf-8")
        if text.startswith("Minimize"):
            assert words(text) == words(written[written.index("Minimize") :])
        else:
            part = written[written.index("Subject To") : written.index("Bounds")]
            assert_same_rows(text.splitlines(), part.splitlines())


def words(text):
    """The words and numbers, whose last digits do not count."""
    return [f"{float(each):.10g}" if NUMBER.fullmatch(each) else each for each in text.split()]


def assert_same_rows(shown, written):
    """Line by line, but for rows left out, of which the page says how many."""
    lines = iter(written)
    for text in shown:
        left_out = ROWS_LEFT_OUT.fullmatch(text)
        if left_out:
            assert all(next(lines).startswith(" cut_") for _ in range(int(left_out[1])))
        else:
            assert text == next(lines)
    assert not list(lines)
