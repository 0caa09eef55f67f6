"""The site: built without a warning, loading nothing from elsewhere, and whole in a browser."""

import fcntl
import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browser import browser, errors, faults_shown
from tests.support import A_HANG

ROOT = Path(__file__).parents[2]
MADE = ("_build", "generated", "gallery", "__pycache__")
LOADED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=\"(?:https?:)?//[^\"]+\"")
WIDE, NARROW = 1280, 390
SAMPLE = 10  # of the pages of public names, which are made alike
pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of its pages, built once for all workers; a warning is an error."""
    for name in ("sphinx", "sphinx_gallery", "furo", "myst_parser", "numpydoc"):
        pytest.importorskip(name)
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    folder = folder / "site"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            build(folder)
            (folder / "done").touch()
    return folder / "html"


def build(folder):
    """What ``make docs`` makes, from a copy of what it is made of."""
    for name in ("docs", "examples", "models", "cpe_opt"):
        made = shutil.ignore_patterns(*(MADE if name == "docs" else MADE[-1:]))
        shutil.copytree(ROOT / name, folder / name, ignore=made, dirs_exist_ok=True)
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-b", "html", "docs", "html"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


@contextmanager
def served(folder):
    files = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), files) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_site_is_whole_and_loads_nothing_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 300
    for page in pages:
        assert not LOADED.search(page.read_text(encoding="utf-8")), page


def pages_of(site):
    """Those of the sidebar, and some of the pages of public names."""
    index = (site / "index.html").read_text(encoding="utf-8")
    tree = re.search(r'<nav class="sidebar-tree".*?</nav>', index, re.S)[0]
    listed = re.findall(r'class="reference internal" href="([^"#]+)"', tree)
    names = sorted((site / "generated" / "reference").glob("cpe_opt.*.html"))
    sample = [path.relative_to(site).as_posix() for path in names[:: len(names) // SAMPLE]]
    assert len(listed) > 90
    return ["index.html", "search.html?q=winner", "genindex.html", *listed, *sample]


def faults_of(driver, address, width, origin):
    """Open a page and list what is wrong with it, and what it asks for elsewhere."""
    driver.get("about:blank")
    errors(driver), driver.get_log("performance")
    driver.get(address)
    yield from faults_shown(driver, width)
    for each in driver.get_log("performance"):
        event = json.loads(each["message"])["message"]
        url = event["params"].get("request", {}).get("url", origin)
        if event["method"] == "Network.requestWillBeSent" and not url.startswith((origin, "data:")):
            yield f"asks for {url}"


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_every_page_can_be_seen(site, width, tmp_path):
    with served(site) as origin, browser(tmp_path / "profile", width=width) as driver:
        driver.set_script_timeout(A_HANG)
        driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        found = [
            f"{page}: {fault}"
            for page in pages_of(site)
            for fault in faults_of(driver, f"{origin}/{page}", width, origin)
        ]
    assert not found, "\n".join(found)
