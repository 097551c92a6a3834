"""The site of the documents is built without a warning, can be read offline, and says what the code says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from corro.explore.view import view
from documents_support import ROOT, Given, parts

_FROM_ELSEWHERE = re.compile(r"<(?:script|link|img|iframe|source)\b[^>]*(?:src|href)=[\"']?(?:https?:)?//[^>]*>")


def test_the_site_is_built_and_nothing_in_it_comes_from_another_host(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path / "site"],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert {"index.html", "pytorch.html", "commands.html", "api.html"} <= {page.name for page in pages}
    found = [match[0] for page in pages for match in _FROM_ELSEWHERE.finditer(page.read_text(encoding="utf-8"))]
    assert found == []
    assert 'lang="es"' in (tmp_path / "site" / "es" / "pytorch.html").read_text(encoding="utf-8")


def test_the_tables_of_support_are_those_of_the_code() -> None:
    made = subprocess.run(
        [
            sys.executable,
            "-c",
            "import support_tables as s; print(s.filled(s.PAGE.read_text(encoding='utf-8')), end='')",
        ],
        cwd=ROOT / "tools",
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout == (ROOT / "docs" / "support.md").read_text(encoding="utf-8")


def texts(picture: Path) -> list[str]:
    """The rows of the recording, without their colours."""
    rows = ElementTree.parse(picture).iterfind(".//{*}defs/{*}g")
    return [" ".join(text.strip() for text in row.itertext()) for row in rows]


def test_the_recording_shows_what_the_commands_print_now(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "start" / "pytorch.md").read_text(encoding="utf-8")
    script = next(each for each in parts(page) if isinstance(each, Given))
    (tmp_path / script.name).write_text(script.text, encoding="utf-8")
    compiled = [sys.executable, "-m", "corro", "compile", script.name, "--diff"]
    diff = subprocess.run(compiled, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    shown = "".join("".join(texts(ROOT / "docs" / "demo.svg")).split())  # long lines are broken at the screen's edge
    missing = [line for line in diff.splitlines() if line[:1] in {"+", "-"} and "".join(line.split()) not in shown]
    assert len(diff.splitlines()) > 50
    assert missing == []
    assert "all9propertiesthatwerecomparedhold" in shown


def test_the_recording_is_small_moves_by_itself_and_needs_nothing_else() -> None:
    picture = (ROOT / "docs" / "demo.svg").read_text(encoding="utf-8")
    assert len(picture.encode()) < 300_000
    assert "@keyframes" in picture
    assert "<script" not in picture
    assert set(re.findall(r"https?://[^\"]*", picture)) == {"http://www.w3.org/2000/svg"}


def test_the_placements_on_the_page_are_those_that_are_found() -> None:
    page = (ROOT / "docs" / "concepts" / "placements.md").read_text(encoding="utf-8")
    script = next(each for each in parts(page) if isinstance(each, Given))
    seen = view(script.text, script.name)
    lines = script.text.splitlines()
    said = {number: line.rpartition("  # ")[2] for number, line in enumerate(lines, 1) if "  # " in line}
    found: dict[int, set[str]] = {}
    for line, _, _, _, label in seen["values"]:
        found.setdefault(line, set()).add(seen["labels"][label].rpartition(" · ")[2].partition(":")[0])
    assert len(said) == 4
    assert {number: form for number, form in said.items() if form not in found[number]} == {}
