"""A study: what is run, and the page of claims and measurements that is made of it.

A study is a function from :class:`Settings` to the values of a page, whose words are in
``pages/NAME.md``: a template with ``{placeholders}`` for tables, pictures and numbers, and a table
of its claims by their names. Claims that several pages make are in ``pages/claims.md``.
What else is data and no code, such as who plays in a league, is declared in ``pages/NAME.toml``.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any, TypeVar

from cpe_opt import __version__
from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.reproductions.claims import Claim

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")
PAGES = Path(__file__).parent / "pages"
_SHARED = "claims"  # the template whose claims every page may make
_CLAIMS = "<claims>"
_CLAIMS_TABLE = re.compile(r"^\| claim \|.*\n(?:\|.*\n)*", re.M)
_PIPE = re.compile(r"(?<!\\)\|")
_OUTCOMES = {True: "agrees", False: "**differs**", None: "not shown by this run"}


@dataclass(frozen=True)
class Settings:
    """The arguments of :func:`cpe_opt.reproduce`, checked."""

    name: str
    quick: bool
    out: Path
    matrix: PreferenceMatrix | None
    seed: int
    jobs: int
    progress: Callable[[int, int], None] | None
    data: Path | None = None

    def choose(self, quick: T, full: T) -> T:
        """One value for a quick run and one for a full one."""
        return quick if self.quick else full

    def file(self, suffix: str) -> Path:
        """A file of this study in the folder of results."""
        return self.out / f"{self.name}{suffix}"

    @property
    def command(self) -> str:
        """The command that makes the page again, and the version that made it."""
        matrix = "" if self.matrix is None else " --matrix FILE"
        quick = " --quick" if self.quick else ""
        seed = f" --seed {self.seed}" if self.seed else ""
        data = "" if self.data is None else " --data FOLDER"
        command = f"cpe-opt reproduce {self.name}{quick}{matrix}{data}{seed}"
        return f"`{command}` with cpe_opt {__version__}"

    def needed_folder(self, name: str, files: Sequence[str]) -> Path:
        """A folder with these files: the one given, or ``name`` in ``CPE_OPT_DATA`` or ``data``.

        Raises
        ------
        InputError
            With the folders in which they are not.
        """
        places = [Path("data") / name]
        if os.environ.get("CPE_OPT_DATA"):
            places.insert(0, Path(os.environ["CPE_OPT_DATA"]) / name)
        if self.data is not None:
            places = [self.data, self.data / name]
        for place in places:
            if all((place / file).is_file() for file in files):
                return place
        raise InputError(
            f"{self.name} needs {files[0]} and others like it; looked in "
            f"{', '.join(map(str, places))}. Give the folder by --data"
        )

    def needed_matrix(self) -> PreferenceMatrix:
        """The matrix, or :class:`InputError` with what is expected."""
        if self.matrix is None:
            raise InputError(
                f"{self.name} needs a preference matrix of many rankers: --matrix FILE, such as "
                "that of the 136 MSLR rankers under the informational click model"
            )
        return self.matrix


@dataclass(frozen=True)
class PageTable:
    """A table of a page; as a text it is Markdown."""

    head: Sequence[object]
    rows: Sequence[Sequence[object]]

    def __str__(self) -> str:
        lines = [self.head, ["---"] * len(self.head), *self.rows]
        texts = ([str(cell).replace("|", "\\|") for cell in line] for line in lines)
        return "\n".join(f"| {' | '.join(line)} |" for line in texts)


def frame_table(frame: pd.DataFrame, columns: str) -> PageTable:
    """Of a frame: columns as ``name on the page = column : style``, with ``;`` between.

    Name and style may be left out. What is missing is left empty.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"set": ["a", "b"], "mean": [2.5, float("nan")]})
    >>> frame_table(frame, "set; samples = mean : .2f").rows
    [['a', '2.50'], ['b', '']]
    """
    formats: dict[str, tuple[str, str]] = {}
    for each in columns.split(";"):
        name, given, rest = each.rpartition("=")
        column, _, style = rest.partition(" : ")
        formats[name.strip() if given else column.strip()] = (column.strip(), style.strip())
    rows = [
        ["" if row[c] != row[c] else f"{row[c]:{style}}" for c, style in formats.values()]
        for row in frame.to_dict("records")
    ]
    return PageTable(list(formats), rows)


@dataclass(frozen=True)
class Page:
    """The page of a study that was run: its text, its claims, and what else its template shows."""

    name: str
    title: str
    text: str
    claims: Sequence[Claim]
    values: Mapping[str, Any]
    quick: bool = False

    def outcome(self, claim: Claim) -> str:
        """The outcome of a claim, in words; that of a quick run says that it is one."""
        return _OUTCOMES[claim.holds] + " (quick run)" * (self.quick and claim.holds is not None)

    def markdown(self) -> str:
        """The page, with the table of its claims."""
        rows = [[c.published, c.criterion, c.ours, self.outcome(c)] for c in self.claims]
        table = PageTable(["published", "agrees if", "here", "outcome"], rows)
        return self.text.replace(_CLAIMS, str(table))

    def write(self, out: Path) -> Path:
        """Write ``NAME.md`` into the folder of its pictures."""
        path = out / f"{self.name}.md"
        with atomic_write(path) as temporary:
            temporary.write_text(self.markdown(), encoding="utf-8", errors="backslashreplace")
        return path


def declared(name: str) -> dict[str, Any]:
    """What ``pages/NAME.toml`` declares."""
    return tomllib.loads((PAGES / f"{name}.toml").read_text(encoding="utf-8"))


def _template(name: str) -> tuple[str, dict[str, list[str]]]:
    """A file of ``pages``, and the claims of its table by their names, taken out of it."""
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    table = _CLAIMS_TABLE.search(text)
    rows = table.group().splitlines()[2:] if table else []
    cells = [[c.strip().replace("\\|", "|") for c in _PIPE.split(row)[1:-1]] for row in rows]
    return _CLAIMS_TABLE.sub(_CLAIMS + "\n", text), {name: texts for name, *texts in cells}


def _names(text: str) -> set[str]:
    """The values that a text names."""
    return {re.split(r"[.\[]", name)[0] for _, name, *_ in Formatter().parse(text) if name}


@dataclass(frozen=True)
class Study:
    """A table or figure of a paper: what its template ``pages/NAME.md`` shows.

    ``values`` makes all runs and returns ``claims`` and what replaces the placeholders: tables,
    paths of pictures, numbers and texts. A section with one that is None is left out.
    """

    name: str
    values: Callable[[Settings], Mapping[str, Any]]
    needs: str = ""  # what must be given: "matrix", "data" or nothing
    takes_matrix: bool = False  # whether a matrix may be given

    @property
    def title(self) -> str:
        """Of its page."""
        return _template(self.name)[0].partition("\n")[0].removeprefix("# ")

    def page(self, settings: Settings) -> Page:
        """Run the study and write its page."""
        values = {"command": settings.command, **self.values(settings)}
        (template, own), (_, shared) = _template(self.name), _template(_SHARED)
        known, found = shared | own, []
        for claim in values.pop("claims"):
            words = {**values, **claim.words}
            published, criterion = (text.format_map(words) for text in known[claim.name])
            found.append(replace(claim, published=published, criterion=criterion))
        opening, *sections = template.split("\n## ")
        shown = [each for each in sections if all(values[n] is not None for n in _names(each))]
        paths = {key: each.name for key, each in values.items() if isinstance(each, Path)}
        text = "\n## ".join([opening, *shown]).format_map(values | paths)
        page = Page(settings.name, self.title, text, found, values, settings.quick)
        page.write(settings.out)
        return page
