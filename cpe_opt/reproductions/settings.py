"""What a reproduction is told: how long to run, on what, and where to write."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from cpe_opt.errors import InputError
from cpe_opt.problems.dueling.preferences import PreferenceMatrix

T = TypeVar("T")


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
        """A file of this reproduction in the folder of results."""
        return self.out / f"{self.name}{suffix}"

    @property
    def command(self) -> str:
        """The command that makes the page again."""
        matrix = "" if self.matrix is None else " --matrix FILE"
        quick = " --quick" if self.quick else ""
        seed = f" --seed {self.seed}" if self.seed else ""
        data = "" if self.data is None else " --data FOLDER"
        return f"cpe-opt reproduce {self.name}{quick}{matrix}{data}{seed}"

    def needed_folder(self, name: str, files: Sequence[str]) -> Path:
        """A folder with these files, or :class:`InputError` with the places looked at.

        That given, or one of this name in the folder of ``CPE_OPT_DATA`` or in ``data``.
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
