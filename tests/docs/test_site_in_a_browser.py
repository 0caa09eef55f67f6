"""Every page of the sidebar in a browser: wide, narrow, light and dark, for eye, hand and ear."""

import functools
import http.server
import json
import re
import threading
import time
from contextlib import contextmanager

import pytest

from tests.browser import PAGE_FAULTS, browser, errors, faults_shown, paint
from tests.support import A_HANG

WIDE, NARROW = 1280, 390
SAMPLE = 10  # of the pages of public names, which are made alike
NAMED = {"button", "checkbox", "combobox", "image", "img", "link", "searchbox", "textbox"}
DRAWERS = ["Toggle site navigation sidebar", "Toggle table of contents sidebar"]


class Files(http.server.SimpleHTTPRequestHandler):
    """Those of a folder; the server knows which were asked for."""

    def log_message(self, *_):
        self.server.asked.append(self.path)


@contextmanager
def served(folder, asked=None):
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Files, directory=folder)
    ) as server:
        server.asked = [] if asked is None else asked
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def reader(folder, width):
    with browser(folder, width=width, height=900) as driver:
        driver.set_script_timeout(A_HANG)
        driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        yield driver


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    with reader(tmp_path_factory.mktemp("wide"), WIDE) as driver:
        yield driver


def press(driver, key, code):
    for kind in ("rawKeyDown", "keyUp"):
        event = {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}
        driver.execute_cdp_cmd("Input.dispatchKeyEvent", event)


def tab(driver):
    """Press the key until the page, which may have just appeared, takes it; where that leads."""
    moved = "return document.activeElement !== document.body"
    for wait in range(4000):
        if driver.execute_script(moved):
            break
        if wait % 10 == 0:
            press(driver, "Tab", 9)
        time.sleep(0.05)
    return driver.execute_script("return document.activeElement.className")


def requests(driver):
    """The addresses that pages have asked for since the last call."""
    log = [json.loads(each["message"])["message"] for each in driver.get_log("performance")]
    sent = [each["params"] for each in log if each["method"] == "Network.requestWillBeSent"]
    return [each["request"]["url"] for each in sent]


def spoken(driver):
    """Role and name of all that a screen reader meets."""
    nodes = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [
        (node["role"]["value"], node.get("name", {}).get("value", "").strip())
        for node in nodes
        if not node["ignored"]
    ]


def unspoken(driver, width):
    """What a screen reader misses. The browser makes its tree when the page has been painted."""
    wanted = {"main", "navigation", "search"} if width == WIDE else {"main", "checkbox"}
    for _ in range(1000):
        tree = spoken(driver)
        missing = [f"no {role}" for role in sorted(wanted - {role for role, _ in tree})]
        missing += [f"a {role} without a name" for role, name in tree if role in NAMED and not name]
        if not missing:
            break
        time.sleep(0.1)
    return missing


def faults(driver, address, width, origin):
    """Open a page and list what is wrong with it."""
    driver.get("about:blank")
    errors(driver), requests(driver)
    paint(driver, "light")
    driver.get(address)
    first = tab(driver)
    if first != "skip-to-content":
        yield f"the first stop of the keyboard is {first!r}"
    yield from unspoken(driver, width)
    yield from faults_shown(driver, width)
    for url in requests(driver):
        if not url.startswith((f"{origin}/", "data:")):
            yield f"asks for {url}"


def pages_of(site):
    """Those of the sidebar, and some of the pages of public names."""
    index = (site / "index.html").read_text(encoding="utf-8")
    tree = re.search(r'<nav class="sidebar-tree".*?</nav>', index, re.S)[0]
    listed = re.findall(r'class="reference internal" href="([^"#]+)"', tree)
    names = sorted((site / "generated" / "reference").glob("cpe_opt.*.html"))
    sample = [path.relative_to(site).as_posix() for path in names[:: len(names) // SAMPLE]]
    assert len(listed) > 90
    assert len(sample) >= SAMPLE
    return ["index.html", "search.html?q=winner", "genindex.html", *listed, *sample]


@pytest.mark.slow
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_every_page_can_be_seen_read_and_heard(site, width, tmp_path):
    with served(site) as origin, reader(tmp_path / "profile", width) as driver:
        found = [
            f"{page}, {width}: {fault}"
            for page in pages_of(site)
            for fault in faults(driver, f"{origin}/{page}", width, origin)
        ]
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_the_keyboard_goes_to_the_content_and_opens_the_drawers(site, tmp_path):
    with served(site) as origin, reader(tmp_path / "profile", NARROW) as driver:
        driver.get(f"{origin}/choose.html")
        tab(driver)
        press(driver, "Enter", 13)
        assert driver.current_url.endswith("#furo-main-content")
        driver.get(f"{origin}/choose.html")
        tab(driver)
        press(driver, "Tab", 9)
        assert not {"navigation", "search"} & {role for role, _ in spoken(driver)}
        for drawer in DRAWERS:
            name = driver.execute_script("return document.activeElement.ariaLabel")
            assert name == drawer
            press(driver, "Tab", 9)
        for name, drawer in (("__navigation", "sidebar-drawer"), ("__toc", "toc-drawer")):
            driver.execute_script(f"document.getElementById({name!r}).focus()")
            press(driver, " ", 32)
            seen = f"return getComputedStyle(document.querySelector('.{drawer}')).visibility"
            assert driver.execute_script(seen) == "visible"
        assert {"navigation", "search"} <= {role for role, _ in spoken(driver)}


@pytest.mark.slow
def test_a_reader_who_has_switched_speech_on_elsewhere_loads_nothing(site, tmp_path):
    with served(site) as origin, reader(tmp_path / "profile", WIDE) as driver:
        driver.get(f"{origin}/choose.html")
        settings = json.dumps({"explorer": True, "collapsible": True, "assistiveMml": False})
        driver.execute_script(f"localStorage['MathJax-Menu-Settings'] = {settings!r}")
        requests(driver)
        found = list(faults(driver, f"{origin}/ideas/separation.html", WIDE, origin))
        assert not found, "\n".join(found)
        versions = "return Object.keys(MathJax._.ui || {}).concat(Object.keys(MathJax._.a11y))"
        assert driver.execute_script(versions) == ["assistive-mml"]


@pytest.mark.slow
@pytest.mark.parametrize("from_disk", [False, True])
def test_a_page_cannot_load_from_elsewhere(site, from_disk, tmp_path):
    asked = []
    with (
        served(site) as origin,
        served(site, asked) as elsewhere,
        reader(tmp_path / "profile", WIDE) as driver,
    ):
        driver.get(f"{site.as_uri() if from_disk else origin}/ideas/separation.html")
        assert driver.execute_async_script(PAGE_FAULTS, WIDE) == []
        script = """
            const [url, done] = arguments;
            const blocked = [];
            document.addEventListener("securitypolicyviolation", (e) => {
              blocked.push(e.effectiveDirective);
              if (blocked.length === 3) done(blocked.sort());
            });
            fetch(url).catch(() => null);
            new Image().src = url;
            document.head.append(Object.assign(document.createElement("script"), {src: url}));
        """
        blocked = driver.execute_async_script(script, f"{elsewhere}/_static/icon.svg")
        assert blocked == ["connect-src", "img-src", "script-src-elem"]
        assert not asked


# The check itself: a page without a fault, and one fault at a time.

GOOD = """
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>
<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width"></head>
<body style="background: #fff; color: #111">
<a class="skip-to-content" href="#m">Skip</a><nav><a href="#m">Here</a></nav>
<form role="search"><input aria-label="Search"></form>
<main id="m"><h1>One</h1>{}</main></body></html>
"""
BAD = {
    "1600 pixels wide": '<p style="width: 1592px">far</p>',
    "runs over": '<div style="overflow: hidden"><p style="width: 99em">far</p></div>',
    "a picture is not there": '<img src="nowhere.png" alt="a picture">',
    "a picture without words": '<img src="data:image/svg+xml,<svg/>" alt="a.png">',
    "2 headings of level 1": "<h1>Two</h1>",
    "level 3 after 1": "<h3>Three</h3>",
    "an empty heading": "<h2></h2>",
    "a formula with an error": "<mjx-merror>?</mjx-merror>",
    "a formula that is not set": '<span class="math">x</span>',
    "a formula that cannot be read aloud": "<mjx-container>x</mjx-container>",
    'raw markup "$x^2$"': "<p>$x^2$</p>",
    r'raw markup "\(x\)"': r"<p>\(x\)</p>",
    'raw markup ":py:func:`f`"': "<p>:py:func:`f`</p>",
    "contrast 3.5": '<p style="color: #888">pale</p>',
    "contrast 1.0": '<p style="background: #111"><code>black</code></p>',
    "focus is not seen": '<button style="outline: none">Go</button>',
    "the keyboard goes out": '<a href="#m" style="position: fixed; left: -9em">Go</a>',
    "a button without a name": "<button></button>",
    "a link without a name": '<a href="#m"><svg width="9" height="9"></svg></a>',
    "no search": "<script>document.forms[0].role = 'none'</script>",
    "asks for http://elsewhere.invalid": '<link rel="stylesheet" href="http://elsewhere.invalid/">',
    "ReferenceError": "<script>nothing_of_this_name</script>",
    "the first stop of the keyboard is 'x'": '<a class="x" tabindex="1" href="#m">First</a>',
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", [None, *BAD])
def test_a_fault_is_found(wide, fault, tmp_path):
    body = BAD.get(fault, "<p>Well.</p>")
    (tmp_path / "page.html").write_text(GOOD.replace("{}", body), encoding="utf-8")
    with served(tmp_path) as origin:
        found = list(faults(wide, f"{origin}/page.html", WIDE, origin))
    assert any(fault in each for each in found) if fault else not found, found
