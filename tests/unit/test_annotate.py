"""``--annotate``: comments on lines, and nothing else."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from corro.annotate import comment_lines
from corro.compiler import Options, compile_source
from corro.rules.pages import pages
from corro.source import read_source

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples" / "pytorch").glob("*.py"))
LAYOUTS = sorted((ROOT / "tests" / "cases" / "pytorch" / "layout").glob("*/before.py"))
COMMENT = re.compile(r"  # corro: ([\w-]+(?:, [\w-]+)*)(?=\r|\n|$)")


def compiled(script: Path, target: str, scaling: str) -> tuple[str, str]:
    """The text without and with comments; both empty when the script is not converted."""
    source = read_source(script)
    plain = compile_source(source, Options(target, scaling)).text
    annotated = compile_source(source, Options(target, scaling, annotate=True)).text
    return plain or "", annotated or ""


@pytest.mark.parametrize("script", [*EXAMPLES, *LAYOUTS], ids=lambda path: path.parent.name + "-" + path.stem)
@pytest.mark.parametrize(("target", "scaling"), [("ddp", "strong"), ("horovod", "weak")])
def test_comments_are_all_that_is_added(script: Path, target: str, scaling: str) -> None:
    plain, annotated = compiled(script, target, scaling)
    assert ast.dump(ast.parse(annotated)) == ast.dump(ast.parse(plain))
    assert COMMENT.sub("", annotated) == plain


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_each_name_can_be_explained(script: Path) -> None:
    _, annotated = compiled(script, "ddp", "strong")
    named = {name for names in COMMENT.findall(annotated) for name in names.split(", ")}
    assert {"startup", "effects"} <= named
    assert named & {"train-loader", "batches"}
    assert named <= {page.name for page in pages()}


def test_each_new_and_each_changed_line_has_its_rule() -> None:
    script = next(path for path in EXAMPLES if path.stem == "digits_cnn")
    _, annotated = compiled(script, "ddp", "strong")
    lines = {line.strip() for line in annotated.split("\n")}
    original = {line.strip() for line in script.read_text(encoding="utf-8").split("\n")}
    assert {line for line in lines - original if "# corro: " not in line} == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1", "a = 1  # corro: x"),
        ("a = 1\n", "a = 1  # corro: x\n"),
        ("if a:\n    b()\n\nc()", "if a:  # corro: x\n    b()  # corro: x\n\nc()  # corro: x"),
        ("f(\n    1,\n)", "f(\n    1,\n)  # corro: x"),
        ('s = """\nit\n"""', 's = """\nit\n"""  # corro: x'),
        ("a = 1  # why", "a = 1  # why  # corro: x"),
        ("", ""),
    ],
)
def test_the_comment_ends_the_logical_line(text: str, expected: str) -> None:
    assert comment_lines(text, "x") == expected
