"""What the documents say is there: links, paths, commands and their options; and they stay short."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("**/*.md")])
HOMES = (ROOT, ROOT / "src" / "corro")
COMMAND = re.compile(r"\bcorro (setup horovod|bench device|[a-z]+)\b([^`#\n]*)")


def text(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def options() -> dict[str, set[str]]:
    """The options that documents name, by the commands; what follows ``--`` is the script's."""
    named: dict[str, set[str]] = defaultdict(set)
    code = (part for document in DOCUMENTS for part in re.findall(r"```\n(.*?)```|`([^`\n]+)`", text(document), re.S))
    for block, inline in code:
        for line in (block or inline).splitlines():
            for command, rest in COMMAND.findall(line):
                named[command] |= set(re.findall(r"(?<!\S)\[?(--[a-z-]+|-[a-z])\b", rest.split(" -- ")[0]))
    return named


def anchors(document: Path) -> set[str]:
    """The headings of a document, as links name them."""
    titles = re.findall(r"^#+ (.*)$", text(document), re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", ["README.md", "README.es.md"])
def test_the_first_page_stays_short(page: str) -> None:
    assert text(ROOT / page).count("\n") <= 150


def blocks(page: str) -> list[str]:
    """The blocks of code of a page, without comments."""
    without_comments = re.sub(r" *# .*", "", text(ROOT / page))
    return re.findall(r"^```.*?^```", without_comments, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", ["pytorch.md", "keras.md"])
def test_the_spanish_pages_have_the_same_blocks(name: str) -> None:
    assert blocks(f"docs/es/{name}") == blocks(f"docs/start/{name}") != []


def test_the_spanish_page_has_the_same_commands() -> None:
    assert blocks("README.es.md") == blocks("README.md") != []


def test_the_design_stays_short() -> None:
    assert len(text(ROOT / "docs" / "design.md").encode()) < 25_000


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_each_link_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)", text(document))
    for path, anchor in links:
        target = document.parent / path if path else document
        assert target.exists(), path
        assert not anchor or anchor in anchors(target), f"{path}#{anchor}"


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/design.md", "docs/verify.md"])
def test_each_path_exists(name: str) -> None:
    paths = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.py)`", text(ROOT / name))
    own = [path for path in paths if path.split("/")[0] not in {"..", ".venv", ".venv-keras", ".fuzz"}]
    made_up = {"before.py", "train.py", "by_hand.py"}
    missing = [path for path in own if path not in made_up and not any((home / path).exists() for home in HOMES)]
    assert missing == []


def test_commands_are_named_with_options() -> None:
    assert options()["compile"] >= {"--diff", "--to", "-o"}


@pytest.mark.parametrize("command", sorted(options()))
def test_each_option_of_a_command_is_one(command: str) -> None:
    helped = [sys.executable, "-m", "corro", *command.split(), "--help"]
    shown = subprocess.run(helped, capture_output=True, text=True, check=True).stdout
    assert options()[command] <= set(re.findall(r"(?<![\w-])(--?[a-z-]+)", shown))
