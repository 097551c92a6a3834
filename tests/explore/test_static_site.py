"""The explorer as a static site: Corro in a browser's Python answers what the server answers, byte for byte."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from starlette.testclient import TestClient

from browser_support import choose, complaints, opened, said, until
from corro.explore.server import application
from notebook_support import TRAINING, write

ROOT = Path(__file__).parents[2]
SCRIPTS = (
    ROOT / "examples" / "pytorch" / "digits_cnn.py",
    ROOT / "examples" / "keras" / "digits_cnn.py",
    ROOT / "examples" / "notebooks" / "digits.ipynb",
    ROOT / "tests" / "cases" / "pytorch" / "refused" / "hidden_state_carried" / "before.py",
)
PATIENCE = 400
"""Seconds for Python to be loaded and to answer, in a browser on a busy machine."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.reads(
        "explorer/src", "explorer/worker", "explorer/package.json", "explorer/package-lock.json", "tools"
    ),
    pytest.mark.reads("tests/cases/pytorch/refused/hidden_state_carried/before.py"),
]


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and prints nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "site"
    subprocess.run([sys.executable, ROOT / "tools" / "explorer_site.py", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("network") / "log.json"


@pytest.fixture(scope="module")
def python(site: Path) -> str:
    """The version of the browser's Python, which syntax errors name."""
    info = json.loads((site / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    return ".".join(info["python"].split(".")[:2])


def asked(browser: WebDriver, path: str, body: str = "") -> tuple[int, str]:
    """What the page is answered."""
    browser.execute_script(
        "answered = null; ask(arguments[0], { method: 'POST', body: arguments[1] })"
        ".then(async (answer) => { answered = [answer.status, await answer.text()]; })",
        path,
        body,
    )
    until(browser, lambda: browser.execute_script("return answered"), PATIENCE)
    status, text = browser.execute_script("return answered")
    return status, text


def bodies(tmp_path: Path) -> Iterator[str]:
    """Requests: scripts of two frameworks, for several engines, notebooks, and what is refused."""
    for script in SCRIPTS:
        yield json.dumps({"text": script.read_text(encoding="utf-8"), "name": script.name})
    text = SCRIPTS[0].read_text(encoding="utf-8")
    yield json.dumps({"text": f"{text}\n'𝔹' ; criterion\n", "target": "horovod", "scaling": "weak"})
    path = write(tmp_path / "é.ipynb", "#md # Training", *TRAINING, "!ls")
    yield json.dumps({"text": path.read_text(encoding="utf-8"), "name": path.name})
    yield json.dumps({"text": write(path, "#md x", "!ls", "f(:").read_text(encoding="utf-8"), "name": path.name})
    yield from (json.dumps({"text": each}) for each in ("import torch\ndef f(:\n", "print 'Python 2'\n", ""))
    yield json.dumps({"text": "{", "name": "a.ipynb"})
    yield from ("", '{"text": 1}', json.dumps({"text": "x", "name": "../x.py"}))


def test_the_site_is_the_page_and_asks_no_other_host(address: str, python: str, network: Path, tmp_path: Path) -> None:
    with opened(tmp_path, f"--log-net-log={network}") as page:
        page.get(f"{address}/")
        until(page, lambda: said(page).startswith("Paste"), PATIENCE)
        answers_are_those_of_the_server(page, python, tmp_path)
        a_notebook_is_converted_and_downloaded(page, tmp_path)
        assert complaints(page) == []
        what_is_nested_too_deeply_ends_no_more_than_itself(page)
    log = json.loads(network.read_text(encoding="utf-8"))
    begun = log["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
    params = [event["params"] for event in log["events"] if event["type"] == begun and "params" in event]
    urls = {each["url"] for each in params if each.get("initiator") == address}
    assert f"{address}/pyodide/pyodide.asm.wasm" in urls  # workers are seen, too
    assert {url for url in urls if not url.startswith(f"{address}/")} == set()


def answers_are_those_of_the_server(page: WebDriver, python: str, tmp_path: Path) -> None:
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    with TestClient(application(), base_url="http://127.0.0.1") as server:
        assert asked(page, "start") == (200, server.get("/start").text)
        for body in bodies(tmp_path):
            native = server.post("/view", content=body, headers={"content-type": "application/json"})
            expected = native.text.replace(f"(read with Python {own})", f"(read with Python {python})")
            same = asked(page, "view", body) == (native.status_code, expected)
            assert same, body[:80]  # pytest takes minutes to compare the texts
        for rule in ("train-loader", "keras-fit", "none", "å b"):
            native = server.get(f"/rule/{quote(rule, safe='')}")
            assert asked(page, f"rule/{quote(rule, safe='')}") == (native.status_code, native.text)


def a_notebook_is_converted_and_downloaded(page: WebDriver, tmp_path: Path) -> None:
    path = write(tmp_path / "lesson.ipynb", "#md # Training", *TRAINING)
    choose(page, path)
    until(page, lambda: page.title.startswith("lesson.ipynb") and said(page).startswith("converted"), PATIENCE)
    page.find_elements(By.CSS_SELECTOR, ".cm-rule")[1].click()
    until(page, lambda: "Why" in page.find_element(By.ID, "line").text, PATIENCE)
    page.find_element(By.ID, "download").click()
    program = tmp_path / "lesson_ddp.ipynb"
    until(page, program.exists)
    compiled = [sys.executable, "-m", "corro", "compile", path.name, "-o", "expected.ipynb"]
    subprocess.run(compiled, cwd=tmp_path, capture_output=True, check=True)
    expected = (tmp_path / "expected.ipynb").read_bytes().replace(b"expected.ipynb", b"lesson_ddp.ipynb")
    until(page, lambda: program.read_bytes() == expected)


def what_is_nested_too_deeply_ends_no_more_than_itself(page: WebDriver) -> None:
    status, text = asked(page, "view", json.dumps({"text": f"import torch\nx = {'+'.join(['1'] * 20_000)}\n"}))
    assert (status, json.loads(text)) == (
        500,
        {"message": "This is nested too deeply for a browser. Use: corro compile"},
    )
    assert asked(page, "view", json.dumps({"text": ""}))[0] == 200
