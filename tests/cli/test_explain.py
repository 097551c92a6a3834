"""``corro explain``, and the page made from the rules."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from corro.cli._group import group
from corro.errors import UsageError
from corro.rules.pages import SECTIONS, Page, blocks, markdown, pages

ROOT = Path(__file__).parents[2]
PAGES = pages()


def explain(*arguments: str) -> str:
    result = CliRunner().invoke(group, ["explain", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_the_list_has_each_rule_on_a_line() -> None:
    lines = explain().splitlines()
    assert [line.split()[0] for line in lines] == [page.name for page in PAGES]
    assert "train-loader" in explain()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_rule_says_what_why_before_after_and_source(page: Page) -> None:
    assert tuple(page.sections) == SECTIONS
    assert all(page.sections.values())
    assert page.title.endswith(".")
    text = explain(page.name)
    assert text.startswith(page.name)
    assert all(f"\n{heading}\n" in text for heading in SECTIONS)
    assert "``" not in text


def finished(code: str) -> str:
    """An example that ends with the head of a block, with something in the block."""
    last = code.rpartition("\n")[-1]
    return f"{code}\n{last[: len(last) - len(last.lstrip())]}    ..." if last.endswith(":") else code


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_are_python(page: Page) -> None:
    for heading in ("Before", "After"):
        codes = [text for is_code, text in blocks(page.sections[heading]) if is_code]
        assert codes
        for code in codes:
            if not code.startswith("refused"):
                ast.parse(finished(code))


def test_names_are_unique() -> None:
    names = [page.name for page in PAGES]
    assert len(set(names)) == len(names)
    assert "already-distributed" in names


def test_whatever_speaks_in_a_case_can_be_explained() -> None:
    said = {
        match[1]
        for path in (ROOT / "tests" / "cases").rglob("*.txt")
        for match in re.finditer(r"^(?:\S+:)?\d+: ([\w-]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert said <= {page.name for page in PAGES}


@pytest.mark.parametrize(
    ("name", "advice"), [("train_loader", "train-loader"), ("metric", "metrics"), ("x", "explain")]
)
def test_an_unknown_rule(name: str, advice: str) -> None:
    with pytest.raises(UsageError) as error:
        CliRunner().invoke(group, ["explain", name], catch_exceptions=False)
    assert advice in error.value.advice


def test_the_page_in_the_documentation_is_up_to_date() -> None:
    written = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert written == markdown(PAGES) == explain("--markdown"), "make docs"


def test_literal_blocks_lose_their_marks() -> None:
    text = "First::\n\n    a\n\n    b\n\nLast.\n\n::\n\n    c"
    assert list(blocks(text)) == [(False, "First:"), (True, "a\n\nb"), (False, "Last."), (True, "c")]
