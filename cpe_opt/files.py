"""Files written whole or not at all, and numbers of numpy as JSON writes them.

A file is written under a temporary name in the same folder, brought to the disk, and renamed. A
process that is killed meanwhile leaves the temporary file, which nobody sweeps: it may be one that
another process is writing. Its name starts with a dot; where nothing runs it may be deleted.
"""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from cpe_opt.errors import InputError, WriteFailed, shortened

PICTURES = (".png", ".pdf", ".svg")  # by their suffixes


@contextmanager
def atomic_write(path: str | os.PathLike[str], *, private: bool = False) -> Iterator[Path]:
    """A temporary path next to ``path`` that takes its name when the block ends well.

    Folders are made as needed; when the block raises, nothing is left behind. A private file can be
    read by its owner alone, as far as its folder allows (mode 600).

    Raises
    ------
    WriteFailed
        Where the disk is full, or the folder cannot be written to.
    """
    try:
        path = Path(path)
    except TypeError:
        raise InputError(f"path is {path!r}, expected the path of a file") from None
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(
            dir=path.parent, prefix=f".{path.stem[:40]}-", suffix=path.suffix
        )
        os.close(handle)
        temporary = Path(name)
        yield temporary
        if not private:  # as mkstemp made it; else the mode that open() would have given
            mask = os.umask(0)
            os.umask(mask)
            temporary.chmod(0o666 & ~mask)
        with temporary.open("r+b") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise WriteFailed(f"cannot write {str(path)!r}: {os_reason(error)}") from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def write_csv(
    path: str | os.PathLike[str], header: Iterable[str], rows: Iterable[Iterable[object]]
) -> None:
    """Write a table, whole or not at all."""
    with atomic_write(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def check_output(
    path: str | os.PathLike[str],
    suffixes: Sequence[str] = (),
    *,
    force: bool = False,
    sources: Iterable[str | os.PathLike[str] | None] = (),
) -> None:
    """Raise :class:`InputError` unless a file can be written there; before the work, not after.

    Its name ends in one of the suffixes, if there are any. It is none of the sources, files that
    are read meanwhile, by no other name. A file that is there may be overwritten by ``force``.
    """
    path = Path(path)
    shown = repr(str(path))
    try:
        with suppress(FileNotFoundError, NotADirectoryError):
            path.lstat()
    except OSError as error:
        raise InputError(f"cannot write {shortened(shown)}: {os_reason(error)}") from None
    except ValueError:
        raise InputError(f"path is {shown}, expected the path of a file") from None
    if os.path.lexists(path) and not path.is_file():
        kind = "a folder" if path.is_dir() else "no ordinary file"
        raise InputError(f"{shown} is {kind}, expected the name of a file to write")
    if suffixes and not path.name.lower().endswith(tuple(suffixes)):
        raise InputError(
            f"cannot tell the format of {shown}: expected a name that ends in {', '.join(suffixes)}"
        )
    for source in sources if path.exists() else ():
        if source is not None and os.path.exists(source) and path.samefile(source):  # noqa: PTH110
            raise InputError(
                f"{shown} is the file that is read, {str(source)!r}: expected another one to write"
            )
    if path.exists() and not force:
        raise InputError(f"{shown} exists; --force overwrites it")
    check_folder(path.parent)


def check_folder(path: str | os.PathLike[str]) -> None:
    """Raise :class:`InputError` unless the folder can be written to, or made where missing."""
    path = Path(path)
    there = next(folder for folder in (path, *path.absolute().parents) if os.path.lexists(folder))
    if not there.is_dir():
        raise InputError(f"{str(path)!r}: {str(there)!r} is a file, expected a folder")
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        raise InputError(f"cannot write to the folder {str(there)!r}: {os_reason(error)}") from None


def os_reason(error: OSError) -> str:
    """Why the operating system refused, in words."""
    return os.strerror(error.errno) if error.errno else str(error)


def json_default(value: Any) -> Any:
    """For ``json.dumps(default=…)``: a number of numpy as Python's, anything else as text."""
    return value.item() if hasattr(value, "item") else str(value)
