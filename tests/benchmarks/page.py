"""Makes README.md of stored figures, after new ones have taken the place of those of their groups.

    make -s bench ARGS="--only growth --json" > new.json
    python -m tests.benchmarks.page new.json

The figures stand in figures.json, where an entry may have a remark on how it was taken. A test
makes the page again, so that nobody types into it.
"""

import inspect
import json
import sys
from pathlib import Path

from cpe_opt.files import atomic_write
from tests.benchmarks.groups import GROUPS
from tests.benchmarks.table import cells

HERE = Path(__file__).parent
FIGURES, PAGE = HERE / "figures.json", HERE / "README.md"

HEAD = """\
# What `make bench` measures

Made by `python -m tests.benchmarks.page`; do not edit.

`make bench` runs the groups below, but not the long ones; `make bench ARGS=--all` runs those, too,
and `make bench ARGS="--only WORD"` those with WORD in their name, long or not. With `--quick` all
sizes are small, which shows only that every row runs. `--json` prints the rows as JSON:

```
make -s bench ARGS="--only WORD --json" > new.json
.venv/bin/python -m tests.benchmarks.page new.json
```

puts new figures into this page. Times are processor seconds of one process with one BLAS thread;
memory is the peak of a process of its own, about 100 MB of it Python and its libraries. *Other* is
the alternative that the group names, *ratio* how many times as much it takes, *bar* the most that
*ours* may be. Nothing fails where a bar is missed, and no test asserts a time. The machines are
shared, so that times vary by a third or more.
"""


def page(figures):
    """The page as text, from what ``--json`` has printed."""
    by_name = {entry["group"]: entry for entry in figures}
    parts = [HEAD]
    for group in GROUPS:
        parts.append(f"## {group.title}: `{group.name}`{', long' * group.long}\n")
        parts.append(inspect.getdoc(group.rows) + "\n")
        if entry := by_name.get(group.name):
            when = f"{entry['date']}, {entry['machine']}; {entry['minutes']} processor minutes"
            remark = f" {entry['remark']}" if "remark" in entry else ""
            parts += [f"*{when}.*{remark}\n", _table(entry["rows"])]
        else:
            parts.append("Not measured yet.\n")
    return "\n".join(parts)


def _table(rows):
    """The rows, without the columns that are empty in all of them."""
    head = ["task", "ours", "other", "ratio", "bar", "", "unit", "note"]
    lines = [[*cells(row), row["unit"], row["note"]] for row in rows]
    used = [place for place in range(len(head)) if any(line[place] for line in lines)]
    listed = [[line[place] for place in used] for line in [head, *lines]]
    listed.insert(1, ["---"] * len(used))
    return "".join("| " + " | ".join(line) + " |\n" for line in listed)


def merged(old, new):
    """The figures of all groups, the new ones for the old."""
    by_name = {entry["group"]: entry for entry in [*old, *new]}
    return [by_name[group.name] for group in GROUPS if group.name in by_name]


def stored():
    """What figures.json holds."""
    return json.loads(FIGURES.read_text(encoding="utf-8"))


def main(files):
    figures = stored()
    for file in files:
        figures = merged(figures, json.loads(Path(file).read_text(encoding="utf-8")))
    with atomic_write(FIGURES) as temporary:
        temporary.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    with atomic_write(PAGE) as temporary:
        temporary.write_text(page(figures), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
