"""The site of the documents is built without a warning, can be read offline, and says what the code says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from documents_support import ROOT

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
