"""Headless Chromium, where Debian's packages chromium and chromium-driver are installed."""

import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

PAGE_FAULTS = (Path(__file__).parent / "docs" / "page_faults.js").read_text(encoding="utf-8")
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-proxy-server",
]


@contextmanager
def browser(folder, *, width=1280, height=900, dark=False):
    """A driver with a profile of its own in a folder; what the page logs is an error."""
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if None in programs:
        pytest.skip("chromium is not installed (Debian packages chromium, chromium-driver)")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    for flag in (*FLAGS, f"--user-data-dir={folder}", f"--window-size={width},{height}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(executable_path=programs[1])
    driver = webdriver.Chrome(options=options, service=service)
    try:
        phone = width < 500
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        yield driver
    finally:
        driver.quit()


def paint(driver, scheme):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def faults_shown(driver, width):
    """What is wrong with the page that is open: pictures, headings, margins, contrast, focus."""
    for scheme in ("light", "dark"):
        paint(driver, scheme)
        for fault in driver.execute_async_script(PAGE_FAULTS, width):
            yield f"{scheme}: {fault}"
    yield from errors(driver)


def errors(driver):
    """What the console has complained of."""
    return [each["message"] for each in driver.get_log("browser") if each["level"] == "SEVERE"]
