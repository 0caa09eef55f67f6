"""A folder of results as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cpe_opt.commands import ForceOption
from cpe_opt.files import check_output

app = typer.Typer()


@app.command(epilog="Example: cpe-opt report results --out results.html")
def report(
    folder: Annotated[
        Path, typer.Argument(help="Made by `cpe-opt compare`, `reproduce` or run_experiment.")
    ],
    out: Annotated[Path, typer.Option(help="A .html file to write.")] = Path("report.html"),
    force: ForceOption = False,
) -> None:
    """A folder of results as one page: pictures, tables, seeds, the commands that reproduce it."""
    from cpe_opt.experiments.results_page import write_results_page

    check_output(out, (".html",), force=force)
    write_results_page(folder, out, force=force)
    typer.echo(f"wrote {out}")
