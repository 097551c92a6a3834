"""The explorer in a browser: headless Chromium, as a user would see it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser_support import PATIENCE, choose, complaints, opened, said, until
from notebook_support import TRAINING, write

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "pytorch" / "digits_cnn.py"

pytestmark = [pytest.mark.slow, pytest.mark.reads("explorer/src", "explorer/package-lock.json")]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, "-m", "corro", "explore", str(SCRIPT), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found is not None
        yield found.group()
        server.terminate()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    downloads = tmp_path_factory.mktemp("downloads")
    with opened(downloads) as browser:
        browser.downloads = downloads  # type: ignore[attr-defined]
        yield browser


@pytest.fixture
def page(browser: WebDriver, address: str) -> Iterator[WebDriver]:
    """The page with the script that it was started with; nothing is complained of in its console."""
    browser.get(address)
    until(browser, lambda: said(browser).startswith("converted"))
    complaints(browser)
    yield browser
    assert complaints(browser) == []


def test_a_line_is_explained_when_it_is_clicked(page: WebDriver) -> None:
    markers = page.find_elements(By.CSS_SELECTOR, ".cm-rule")
    markers[1].click()
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#line h3"))
    assert "Why" in page.find_element(By.ID, "line").text


def test_placements_are_shown_on_hover(page: WebDriver) -> None:
    lines = page.find_elements(By.CSS_SELECTOR, ".cm-merge-a .cm-line")
    line = next(each for each in lines if each.text.startswith("learning_rate"))
    ActionChains(page).move_to_element_with_offset(line, -line.size["width"] // 2 + 20, 0).perform()
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, ".cm-tooltip .told"))
    assert "replicated: equal on all processes" in page.find_element(By.CSS_SELECTOR, ".cm-tooltip .told").text


def test_another_engine_shows_its_program(page: WebDriver) -> None:
    page.find_element(By.CSS_SELECTOR, "#target option[value=horovod]").click()
    until(page, lambda: "for horovod" in said(page))
    assert "horovod" in page.find_element(By.CSS_SELECTOR, ".cm-merge-b .cm-content").text


def test_the_program_is_downloaded(page: WebDriver) -> None:
    page.find_element(By.ID, "download").click()
    program = page.downloads / "digits_cnn_ddp.py"  # type: ignore[attr-defined]
    until(page, program.exists)
    command = [sys.executable, "-m", "corro", "compile", str(SCRIPT), "-o", "-"]
    compiled = subprocess.run(command, capture_output=True, check=True)
    until(page, lambda: program.read_bytes() == compiled.stdout)


def test_a_notebook_is_shown_cell_beside_cell_and_downloaded_as_one(page: WebDriver, tmp_path: Path) -> None:
    path = write(tmp_path / "lesson.ipynb", "#md # Training", *TRAINING)
    choose(page, path)
    until(page, lambda: page.title.startswith("lesson.ipynb") and said(page).startswith("converted"))
    texts = [page.find_element(By.CSS_SELECTOR, f".cm-merge-{side} .cm-content").text for side in "ab"]
    assert all("# %% cell 1 [markdown]\n# # Training" in text for text in texts)
    assert "init_process_group" in texts[1]
    page.find_element(By.ID, "download").click()
    program = page.downloads / "lesson_ddp.ipynb"  # type: ignore[attr-defined]
    until(page, program.exists)
    subprocess.run([sys.executable, "-m", "corro", "compile", path.name], cwd=tmp_path, capture_output=True, check=True)
    until(page, lambda: program.read_bytes() == (tmp_path / "lesson_ddp.ipynb").read_bytes())


def test_a_notebook_that_is_dropped_is_shown_and_its_findings_name_the_cell(page: WebDriver, tmp_path: Path) -> None:
    left = "        optimizer.step()\n        if torch.rand(1) < 0.1: break"
    cells = (*TRAINING[:2], TRAINING[2].replace("        optimizer.step()", left))
    text = write(tmp_path / "lesson.ipynb", *cells).read_text(encoding="utf-8")
    page.execute_script(
        "const data = new DataTransfer(); data.items.add(new File([arguments[0]], 'lesson.ipynb'));"
        "document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))",
        text,
    )
    until(page, lambda: said(page).startswith("refused"))
    assert "lesson.ipynb:cell 3:8:33" in page.find_element(By.ID, "findings").text
    page.find_element(By.CSS_SELECTOR, "#findings button.refused").click()
    assert "break" in page.find_element(By.CSS_SELECTOR, ".cm-merge-a .cm-activeLine").text


def test_a_notebook_cannot_be_typed_into_and_a_script_takes_its_place(page: WebDriver, tmp_path: Path) -> None:
    choose(page, write(tmp_path / "lesson.ipynb", *TRAINING))
    until(page, lambda: page.title.startswith("lesson.ipynb") and said(page).startswith("converted"))
    content = page.find_element(By.CSS_SELECTOR, ".cm-merge-a .cm-content")
    before = content.text
    content.click()
    content.send_keys("import torch")
    assert content.text == before
    assert "read only" in page.find_element(By.ID, "before").text
    page.execute_script(
        "const data = new DataTransfer(); data.setData('text/plain', 'import torch');"
        "arguments[0].dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))",
        content,
    )
    until(page, lambda: said(page) == "nothing to convert")
    assert content.text == "import torch"
    assert page.find_element(By.ID, "before").text == "Script"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "broken.ipynb:1:2"),
        ('{"nbformat": 3, "worksheets": []}', "format 3"),
        ('{"nbformat": 4, "cells": [{"cell_type": "code", "source": "f(:"}]}', "broken.ipynb:cell 1:1:3"),
    ],
    ids=["no JSON", "old", "no Python"],
)
def test_what_is_wrong_with_a_notebook_is_said(page: WebDriver, tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "broken.ipynb"
    path.write_text(text, encoding="utf-8")
    choose(page, path)
    until(page, lambda: page.title.startswith("broken.ipynb") and said(page).startswith("syntax error"))
    assert told in page.find_element(By.ID, "findings").text


def test_what_is_typed_is_looked_at(page: WebDriver) -> None:
    content = page.find_element(By.CSS_SELECTOR, ".cm-merge-a .cm-content")
    content.click()
    content.send_keys(Keys.CONTROL + "a")
    content.send_keys("import torch")
    until(page, lambda: said(page) == "nothing to convert")


def test_markup_in_a_script_is_shown_as_text(page: WebDriver, tmp_path: Path) -> None:
    hostile = tmp_path / "<img src=x onerror=alert(1)>.py"
    hostile.write_text(
        "'<script>document.title=1</script><img src=x onerror=\"document.title=2\">' +\n", encoding="utf-8"
    )
    choose(page, hostile)
    until(page, lambda: said(page).startswith("syntax error"))
    assert page.title == f"{hostile.name} · Corro explorer"
    assert page.find_elements(By.CSS_SELECTOR, "#editors img, #findings img") == []


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"x" * (10 * 2**20), "too large"), ("# café".encode("latin-1"), "not UTF-8")],
    ids=["10 MB", "not UTF-8"],
)
def test_what_cannot_be_shown_is_said(page: WebDriver, tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "file.py"
    file.write_bytes(content)
    choose(page, file)
    until(page, lambda: told in said(page))


def test_five_thousand_lines_are_shown(page: WebDriver, tmp_path: Path) -> None:
    long = tmp_path / "long.py"
    padding = "".join(f"number_{count} = {count}\n" for count in range(5000))
    long.write_text(SCRIPT.read_text(encoding="utf-8") + padding, encoding="utf-8")
    choose(page, long)
    until(page, lambda: page.title.startswith("long.py") and said(page).startswith("converted"))


def test_narrow_and_dark_it_can_still_be_read(page: WebDriver) -> None:
    page.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    page.set_window_size(480, 900)
    assert page.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
    assert all(each.size["height"] > 100 for each in page.find_elements(By.CSS_SELECTOR, ".cm-mergeViewEditor"))
    assert page.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 29)"
    page.set_window_size(1500, 900)
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_many_requests_at_once_are_answered_or_sent_away(address: str) -> None:
    def status(_: int) -> int:
        body = json.dumps({"text": "import torch\n"}).encode()
        request = urllib.request.Request(f"{address}view", body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    with ThreadPoolExecutor(200) as pool:
        statuses = list(pool.map(status, range(200)))
    assert set(statuses) <= {200, 503}
    assert statuses.count(200) >= 20
    time.sleep(0.1)
    assert status(0) == 200  # and it goes on
