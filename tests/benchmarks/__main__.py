"""``make bench``: each row a task, ours, the alternative beside it, their ratio, and its bar.

    python -m tests.benchmarks [--only WORD] [--all] [--quick] [--json]

Times are processor seconds of one process with one BLAS thread. Groups that take long are run by
``--all``, or where ``--only`` names them. README.md, beside this file, says what each row means and
has the last figures.
"""

import argparse
import datetime
import json
import os
import platform
import sys
import time
from pathlib import Path

from tests.benchmarks.groups import GROUPS
from tests.benchmarks.settings import Settings, children_seconds
from tests.benchmarks.table import print_head, print_row


def chosen(only="", *, long=False):
    """The groups whose names contain a word; without one, those that are not long, or all."""
    return [group for group in GROUPS if (only in group.name if only else long or not group.long)]


def measure(groups, settings):
    """Run the groups, print rows as they come, and return what README.md is made from."""
    results = []
    print_head()
    for group in groups:
        started, rows = _spent(), []
        for row in group.rows(settings):
            print_row(row)
            rows.append(row.as_dict())
        results.append(
            {
                "group": group.name,
                "machine": machine(),
                "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
                "minutes": round((_spent() - started) / 60, 1),
                "rows": rows,
            }
        )
    return results


def _spent():
    """Processor seconds of this process and of those that it has started."""
    return time.process_time() + children_seconds()


def machine():
    """Processor, cores and Python, as far as the system says."""
    model = platform.processor() or platform.machine()
    if (info := Path("/proc/cpuinfo")).exists():
        lines = info.read_text(encoding="utf-8").splitlines()
        model = next((line.split(":")[1].strip() for line in lines if "model name" in line), model)
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="WORD", help="groups with this in their name")
    parser.add_argument("--all", action="store_true", help="the long groups, too")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that all runs")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    options = parser.parse_args(arguments)
    groups = chosen(options.only, long=options.all)
    if not groups:
        names = ", ".join(group.name for group in GROUPS)
        parser.error(f"no group has {options.only!r} in its name: {names}")
    results = measure(groups, Settings(options.quick))
    if options.json:
        json.dump(results, sys.stdout, indent=1)
        print()


if __name__ == "__main__":
    main()
