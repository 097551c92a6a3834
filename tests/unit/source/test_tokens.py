"""The scanner against the standard library's ``tokenize``."""

from __future__ import annotations

import io
import random
import sysconfig
import tokenize
from pathlib import Path

import pytest

from corro.errors import SourceError
from corro.source import SourceFile, read_source
from corro.source.tokens import Tokens

FILES = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))


@pytest.mark.parametrize("path", random.Random(3).sample(FILES, 40), ids=lambda path: path.name)
def test_it_agrees_with_tokenize(path: Path) -> None:
    source = read_source(path)
    starts = source.lines.starts
    theirs = list(tokenize.generate_tokens(io.StringIO(source.text).readline))

    def offsets(kind: int) -> list[int]:
        return [starts[token.start[0] - 1] + token.start[1] for token in theirs if token.type == kind and token.string]

    assert [token.start for token in source.tokens.newlines] == offsets(tokenize.NEWLINE)
    assert [token.start for token in source.tokens.comments] == offsets(tokenize.COMMENT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 'x' # 'y", ["a", "=", "'x'"]),
        ("f(r'\\'', b\"\")", ["f", "(", "r'\\''", ",", 'b""', ")"]),
        ("'''a'b''c\\''''", ["'''a'b''c\\''''"]),
        ("x if y else'z'", ["x", "if", "y", "else", "'z'"]),
        ("f'{a['b']}' 'c'", ["f'{a['b']}'", "'c'"]),
        ("f'{{' + '}'", ["f'{{'", "+", "'}'"]),
        ("(y := 1)", ["(", "y", ":=", "1", ")"]),
        ("''", ["''"]),
        ("''''''", ["''''''"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    tokens = Tokens(text)
    assert [tokens.string(token) for token in tokens.code] == expected


def test_a_text_that_is_no_python_ends_nowhere() -> None:
    for text in ("'", "'''", "f'{", "f'{a!", "f'{a:", "f'{a:{", "(", ")"):
        assert Tokens(text).code
    with pytest.raises(SourceError):
        _ = SourceFile.from_text("f'{a:{").tree
