"""docs/programs-of-a-run.md shows programs that its script records."""

import re
from pathlib import Path

import pytest

import cpe_opt as cpe

PAGE = (Path(__file__).parents[1] / "docs" / "programs-of-a-run.md").read_text(encoding="utf-8")


def test_the_page_shows_the_programs_that_its_script_records(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (script,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names = {}
    exec(script, names)
    log = names["log"]
    assert capsys.readouterr().out.split()[-4:-1] == ["100", str(log[99].round), log[99].name]
    table = re.findall(
        r"^\| (\d+) \| (\d+) \| `(\w+)` \| (\d+) \| (\d+) \| ([\d.]+) \|$", PAGE, re.M
    )
    shown = re.findall(r"```\n((?:Minimize|Subject To)\n.*?)```", PAGE, re.DOTALL)
    assert [int(row[0]) for row in table] == [1, 10, 100]
    for (number, played, name, columns, rows, optimum), text in zip(table, shown, strict=True):
        entry = log[int(number) - 1]
        assert (entry.round, entry.name) == (int(played), name)
        program = cpe.read_program(Path("programs", entry.file))
        assert program.shape == (int(rows), int(columns))
        assert entry.objective == pytest.approx(float(optimum), abs=1e-6)
        assert cpe.solve(program, "glop").objective == pytest.approx(entry.objective, abs=1e-9)
        written = Path("programs", entry.file).read_text(encoding="utf-8").splitlines()
        cuts = [line for line in text.splitlines() if line.startswith(" cut_")]
        assert len(cuts) >= 12
        assert set(cuts) <= set(written)
