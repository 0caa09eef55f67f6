"""What raters are shown for a label: text, Markdown, an image, or the label itself.

A table has a line a label, with the columns ``label`` and ``text``, ``markdown`` or ``image`` (the
path of a file, from the folder of the table), one of them filled; ``alt`` may say in words what is
seen on an image. Cells may go over several lines, between quotation marks. Or a folder has an image
a label, whose file has its name. Labels that have content are not shown beside it: raters are to
judge the thing and not its name. Images are served under names that are drawn, for the same reason.

Markdown is rendered here: HTML in it is shown as text, links lead to http, https and mailto alone,
and headings begin at the third level, below those of the page. Images in it are named, not loaded.
"""

from __future__ import annotations

import csv
import io
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.problems.text import read_text

_KINDS = ("text", "markdown", "image")
_IMAGES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".svg": "image/svg+xml",
}
_LINKS = ("http://", "https://", "mailto:")
_LOWEST_HEADING = 6


@dataclass(frozen=True)
class Image:
    """A file, and its media type."""

    path: Path
    media_type: str


@dataclass(frozen=True, eq=False)
class Content:
    """What is shown for each label.

    Attributes
    ----------
    things : dict of str to dict
        By label: ``{"text": …}``, ``{"html": …}`` or ``{"image": name, "alt": …}``.
    images : dict of str to Image
        By the names under which they are served.
    """

    things: Mapping[str, dict[str, str]]
    images: Mapping[str, Image]

    @classmethod
    def of_labels(cls, labels: Sequence[str]) -> Self:
        """The labels themselves."""
        return cls({label: {"text": label} for label in labels}, {})

    @classmethod
    def read(cls, path: str | os.PathLike[str], labels: Sequence[str]) -> Self:
        """From a table, or a folder of images.

        Raises
        ------
        InputError
            Where a label is unknown, has no content, or its file is missing.
        """
        path = Path(path)
        rows = _of_folder(path, labels) if path.is_dir() else _of_table(path, labels)
        absent = [label for label in labels if label not in rows]
        if absent:
            raise InputError(
                f"{str(path)!r} has nothing for {_listed(absent)}; expected something for each of "
                f"the {len(labels)} labels"
            )
        things, images = {}, {}
        for label, (kind, value, alt) in rows.items():
            if kind == "image":
                name = secrets.token_urlsafe(12)
                images[name] = Image(Path(value), _IMAGES[Path(value).suffix.lower()])
                things[label] = {"image": name, "alt": alt}
            else:
                things[label] = {"html": as_html(value)} if kind == "markdown" else {"text": value}
        return cls(things, images)


def _of_table(path: Path, labels: Sequence[str]) -> dict[str, tuple[str, str, str]]:
    """Kind, value and description by label."""
    try:
        lines = csv.DictReader(io.StringIO(read_text(path)), strict=True, restval="")
        names = [(name or "").strip().lower() for name in lines.fieldnames or []]
        _check_names(path, names)
        lines.fieldnames = names
        rows: dict[str, tuple[str, str, str]] = {}
        for row in lines:
            place = f"{path.name}, line {lines.line_num}"
            if None in row:
                raise InputError(f"{place}: more cells than the header, which has {len(names)}")
            label = row["label"].strip()
            if label not in labels:
                error = UnknownName("label", label, labels)
                raise InputError(f"{place}: {error}")
            if label in rows:
                raise InputError(f"{place}: {label!r} has something already, expected one line")
            rows[label] = _cell(path, place, row)
    except csv.Error as error:
        raise InputError(f"{path.name}, line {lines.line_num}: {error}") from None
    return rows


def _check_names(path: Path, names: Sequence[str]) -> None:
    known = {"label", "alt", *_KINDS}
    wrong = [name for name in names if name not in known]
    if (
        wrong
        or "label" not in names
        or not set(names) & set(_KINDS)
        or len(set(names)) < len(names)
    ):
        raise InputError(
            f"{path.name}: its columns are {_listed(names)}; expected label and at least one of "
            f"{', '.join(_KINDS)}, and perhaps alt"
        )


def _cell(path: Path, place: str, row: Mapping[str, str]) -> tuple[str, str, str]:
    filled = [kind for kind in _KINDS if row.get(kind, "").strip()]
    if len(filled) != 1:
        found = " and ".join(filled) or "nothing"
        raise InputError(f"{place}: {found} is given, expected one of {', '.join(_KINDS)}")
    kind, value = filled[0], row[filled[0]]
    if kind == "image":
        file = path.parent / value.strip()
        if file.suffix.lower() not in _IMAGES:
            raise InputError(f"{place}: {value!r} is no image: expected {', '.join(_IMAGES)}")
        if not file.is_file():
            raise InputError(f"{place}: no file {str(file)!r}")
        value = str(file)
    return kind, value, row.get("alt", "").strip()


def _of_folder(folder: Path, labels: Sequence[str]) -> dict[str, tuple[str, str, str]]:
    """Images by label; a folder may have other files, too."""
    rows: dict[str, tuple[str, str, str]] = {}
    for file in sorted(folder.iterdir()):
        if file.suffix.lower() in _IMAGES and file.stem in labels and file.is_file():
            if file.stem in rows:
                raise InputError(f"{str(folder)!r} has two images for {file.stem!r}, expected one")
            rows[file.stem] = ("image", str(file), "")
    return rows


def as_html(text: str) -> str:
    """Markdown as HTML that is safe to show.

    Examples
    --------
    >>> as_html("*a* <b> [c](javascript:alert)").strip()
    '<p><em>a</em> &lt;b&gt; [c](javascript:alert)</p>'
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.validateLink = lambda url: url.strip().lower().startswith(_LINKS)
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(_LOWEST_HEADING, int(token.tag[1:]) + 2)}"
        for child in token.children or []:
            _make_safe(child)
    return str(parser.renderer.render(tokens, parser.options, {}))


def _make_safe(token: Any) -> None:
    """Open links apart, and say what an image would be."""
    if token.type == "link_open":
        token.attrSet("target", "_blank")
        token.attrSet("rel", "noopener noreferrer nofollow")
    elif token.type == "image":
        token.type, token.content, token.children = "text", f"[image: {token.content}]", None


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:5])
    return f"{shown}, …" if len(names) > 5 else shown or "none"
