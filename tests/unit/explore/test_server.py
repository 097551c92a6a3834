"""The explorer's server: what it answers, and what it refuses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from corro.explore.server import LARGEST, application

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "examples" / "pytorch" / "digits_cnn.py"
HOST = "http://127.0.0.1"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(application(SCRIPT), base_url=HOST) as client:
        yield client


def test_the_page_and_its_parts_are_there(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    for part in ("static/explore.js", "static/explore.css"):
        assert part in page.text
        assert client.get(f"/{part}").status_code == 200
    assert "http" not in page.text  # nothing is asked of another machine


def test_it_starts_with_the_script(client: TestClient) -> None:
    begun = client.get("/start").json()
    assert begun["name"] == "digits_cnn.py"
    assert begun["text"] == SCRIPT.read_text(encoding="utf-8")


def test_a_script_is_shown(client: TestClient) -> None:
    shown = client.post("/view", json={"text": SCRIPT.read_text(encoding="utf-8"), "target": "horovod"}).json()
    assert (shown["outcome"], shown["target"]) == ("converted", "horovod")
    ast.parse(shown["files"][0]["after"])


def test_markup_in_a_script_stays_text(client: TestClient) -> None:
    text = "x = '<script>alert(1)</script>'\n"
    answer = client.post("/view", json={"text": text})
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.json()["files"][0]["before"] == text


def test_rules_are_explained(client: TestClient) -> None:
    assert client.get("/rule/train-loader").json()["title"]
    assert client.get("/rule/none").status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[1]", 400),
        (b"\xff\xfe", 400),
        (b'{"text": 1}', 400),
        (b'{"text": "", "target": "none"}', 400),
        (b'{"text": "", "scaling": "none"}', 400),
        (b'{"text": "' + b"x" * (LARGEST + 1) + b'"}', 413),
        (b" " * (6 * LARGEST + 1), 413),
    ],
    ids=["empty", "list", "not UTF-8", "number", "target", "scaling", "large text", "large body"],
)
def test_what_is_no_request_is_refused(client: TestClient, body: bytes, status: int) -> None:
    answer = client.post("/view", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert answer.json()["message"]


def test_other_pages_and_names_are_refused(client: TestClient) -> None:
    assert client.post("/view", json={"text": ""}, headers={"origin": "https://example.org"}).status_code == 403
    assert client.post("/view", content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    assert client.get("/", headers={"host": "example.org"}).status_code == 400
    assert client.get("/static/../server.py").status_code == 404
