"""The explorer's server: what it answers, and what it refuses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import corro
from corro.explore.answers import LARGEST, LARGEST_NOTEBOOK, LARGEST_REQUEST
from corro.explore.server import application
from corro.explore.site import answer
from notebook_support import TRAINING, sources, write

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
    assert "://" not in page.text  # nothing is asked of another machine


def test_it_starts_with_the_script(client: TestClient) -> None:
    begun = client.get("/start").json()
    assert begun["name"] == "digits_cnn.py"
    assert begun["text"] == SCRIPT.read_text(encoding="utf-8")


def test_a_script_is_shown(client: TestClient) -> None:
    shown = client.post("/view", json={"text": SCRIPT.read_text(encoding="utf-8"), "target": "horovod"}).json()
    assert (shown["outcome"], shown["target"]) == ("converted", "horovod")
    ast.parse(shown["files"][0]["after"])


def test_what_is_sent_is_shown_by_its_own_name(client: TestClient) -> None:
    shown = client.post("/view", json={"text": SCRIPT.read_text(encoding="utf-8"), "name": "other.py"}).json()
    assert (shown["files"][0]["name"], shown["program"]) == ("other.py", "other_ddp.py")
    assert shown["patch"].splitlines()[1].endswith("/other.py")


def test_a_notebook_is_shown_and_its_program_is_one(client: TestClient, tmp_path: Path) -> None:
    path = write(tmp_path / "train.ipynb", "#md # Training", *TRAINING)
    content = "\ufeff" + path.read_text(encoding="utf-8").replace("\n", "\r\n")
    path.write_bytes(content.encode())
    shown = client.post("/view", json={"text": content, "name": path.name}).json()
    compiled = corro.compile(path)
    assert shown["outcome"] == "converted"
    assert shown["files"][0]["before"].startswith("# %% cell 1 [markdown]\n# # Training\n\n# %% cell 2\nimport torch\n")
    assert shown["files"][0]["after"] == compiled.text
    assert shown["program"] == "train_ddp.ipynb"
    assert shown["notebook"].encode() == compiled.encode("train_ddp.ipynb")
    assert "`torchrun --nproc-per-node=N --no-python ipython train_ddp.ipynb`" in sources(shown["notebook"][1:])[0]


def test_it_starts_with_a_notebook_as_it_is(tmp_path: Path) -> None:
    path = write(tmp_path / "train.ipynb", *TRAINING)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    with TestClient(application(path), base_url=HOST) as client:
        begun = client.get("/start").json()
    assert (begun["name"], begun["text"].encode()) == ("train.ipynb", path.read_bytes())


def test_a_notebook_may_be_larger_than_a_script(client: TestClient, tmp_path: Path) -> None:
    path = write(tmp_path / "train.ipynb", *TRAINING)
    text = path.read_text(encoding="utf-8")
    padded = text + " " * (LARGEST + 1 - len(text))
    assert client.post("/view", json={"text": padded, "name": "a.ipynb"}).json()["outcome"] == "converted"
    assert client.post("/view", json={"text": padded, "name": "a.py"}).status_code == 413
    padded += " " * (LARGEST_NOTEBOOK - LARGEST)
    assert client.post("/view", json={"text": padded, "name": "a.ipynb"}).status_code == 413


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
        (b'{"text": "\\ud800"}', 400),
        (b'{"text": "", "name": 1}', 400),
        (b'{"text": "", "name": ""}', 400),
        (b'{"text": "", "name": ".."}', 400),
        (b'{"text": "", "name": "../a.py"}', 400),
        (b'{"text": "", "name": "a\\u0000.py"}', 400),
        (b'{"text": "", "name": "\\ud800.py"}', 400),
        (b" " * (LARGEST_REQUEST + 1), 413),
    ],
    ids=[
        "empty",
        "list",
        "not UTF-8",
        "number",
        "target",
        "scaling",
        "large text",
        "half a character",
        "name a number",
        "no name",
        "folder above",
        "path",
        "NUL in name",
        "half a character in name",
        "large body",
    ],
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


def test_without_a_server_the_answers_are_the_same() -> None:
    with TestClient(application(), base_url=HOST) as client:
        assert answer("start") == (200, client.get("/start").text)
        for body in ('{"text": "x = 1\\n"}', '{"text": "é", "name": "a.ipynb"}', "{"):
            sent = client.post("/view", content=body.encode(), headers={"content-type": "application/json"})
            assert answer("view", body) == (sent.status_code, sent.text)
        for name in ("train-loader", "n%C3%B6ne"):
            sent = client.get(f"/rule/{name}")
            assert answer(f"rule/{name}") == (sent.status_code, sent.text)
