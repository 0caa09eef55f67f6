"""Headless Chromium, where Debian's packages chromium and chromium-driver are installed."""

import shutil
from contextlib import contextmanager

import pytest

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


def errors(driver):
    """What the console has complained of."""
    return [each["message"] for each in driver.get_log("browser") if each["level"] == "SEVERE"]
