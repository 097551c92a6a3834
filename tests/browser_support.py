"""Headless Chromium for tests of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

PATIENCE = 120
"""Seconds; the machine may be busy."""
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1500,900",
]


@contextmanager
def opened(downloads: Path, *flags: str) -> Iterator[WebDriver]:
    """A browser that saves what is downloaded in a folder."""
    options = webdriver.ChromeOptions()
    for flag in (*FLAGS, *flags):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = which("chromedriver")
    assert driver, "Chromium and its driver are needed; on Debian: apt-get install chromium chromium-driver"
    browser = webdriver.Chrome(options=options, service=Service(driver))
    try:
        allowed = {"behavior": "allow", "downloadPath": str(downloads)}
        browser.execute_cdp_cmd("Browser.setDownloadBehavior", allowed)
        yield browser
    finally:
        browser.quit()


def until(browser: WebDriver, holds: Callable[[], object], patience: int = PATIENCE) -> None:
    """Wait for something to hold."""
    WebDriverWait(browser, patience, poll_frequency=0.2).until(lambda _: holds(), said(browser))


def said(browser: WebDriver) -> str:
    """What the explorer says of the text."""
    return browser.find_element(By.ID, "status").text.strip()


def choose(browser: WebDriver, file: Path) -> None:
    """Open a file of this machine in the explorer, as the dialog does."""
    browser.find_element(By.ID, "chosen").send_keys(str(file))


def complaints(browser: WebDriver) -> list[object]:
    """What is complained of in the console, since it was asked last."""
    log = browser.get_log("browser")  # type: ignore[no-untyped-call]
    return [entry for entry in log if entry["level"] == "SEVERE"]
