"""The package as it is installed: its names, its examples in docstrings, its wheel."""

import contextlib
import doctest
import importlib
import linecache
import pkgutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import cpe_opt as cpe

ROOT = Path(__file__).parents[1]
MODULES = [
    module.name
    for module in pkgutil.walk_packages(cpe.__path__, "cpe_opt.")
    if ">>>" in (module.module_finder.find_spec(module.name).loader.get_source(module.name))
]


def test_every_public_name_is_there_and_documented():
    assert set(dir(cpe)) == set(cpe.__all__)
    assert len(cpe.__all__) > 70
    for name in cpe.__all__:
        value = getattr(cpe, name)
        if callable(value):
            assert value.__doc__, name
    with pytest.raises(AttributeError, match="No cpe_opt attribute slove"):
        _ = cpe.slove


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    linecache.clearcache()  # before each example doctest looks whether any of its files has changed
    failed, tried = doctest.testmod(importlib.import_module(name), exclude_empty=True)
    assert failed == 0 < tried


def test_every_public_function_has_an_example():
    functions = [getattr(cpe, name) for name in cpe.__all__]
    functions = [f for f in functions if callable(f) and not isinstance(f, type)]
    assert len(functions) > 35
    assert [f.__name__ for f in functions if ">>>" not in f.__doc__] == []


def test_the_top_level_is_small_enough_to_be_read():
    assert len(cpe.__all__) <= 129


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """By the backend that pip asks for it, in this process."""
    folder = tmp_path_factory.mktemp("wheel")
    system = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    with contextlib.chdir(ROOT):
        return folder / importlib.import_module(system["build-backend"]).build_wheel(str(folder))


def test_the_wheel_holds_the_package_and_its_data_and_nothing_else(wheel):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    expected = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "cpe_opt").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == expected
    assert "cpe_opt/py.typed" in names


def test_the_installed_package_works_outside_the_checkout(wheel, tmp_path):
    """From the wheel alone, in an empty folder; the dependencies are those of this environment."""
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    script = (
        "import cpe_opt as cpe\n"
        "print(cpe.__file__)\n"
        "print(round(cpe.copeland_bound(cpe.load_instance('sushi')).value, 4))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(site), "PATH": ""},
        check=True,
    )
    place, value = done.stdout.splitlines()
    assert place.startswith(str(site))
    assert value == "142.6078"
    entry_points = next(site.glob("*.dist-info/entry_points.txt")).read_text()
    assert "cpe-opt = cpe_opt.cli:main" in entry_points
