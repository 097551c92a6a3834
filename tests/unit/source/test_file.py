"""Reading, decoding, parsing, and where nodes are."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

import pytest

from corro.errors import SourceError, UsageError
from corro.source import SourceFile, Span, read_source

if TYPE_CHECKING:
    from pathlib import Path


def node_of(source: SourceFile, kind: type[ast.AST], number: int = 0) -> ast.AST:
    return [node for node in ast.walk(source.tree) if isinstance(node, kind)][number]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"x = 1\r\ny = 2\r\n", id="crlf"),
        pytest.param(b"x = 1\ry = 2\r", id="cr"),
        pytest.param(b"x = 1\r\ny = 2\nz = 3\r", id="mixed line ends"),
        pytest.param(b"\xef\xbb\xbfx = '\xc3\xa9'\n", id="byte order mark"),
        pytest.param(b"\xef\xbb\xbf# coding: utf-8\nx = 1\n", id="byte order mark and cookie"),
        pytest.param(b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", id="latin-1 cookie"),
        pytest.param(b"#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n", id="cookie in line 2"),
        pytest.param(b"", id="empty"),
        pytest.param(b"x = 1", id="no line end"),
        pytest.param(b"if x:\n    y\n\x0c\n    z\n", id="form feed"),
    ],
)
def test_bytes_survive(data: bytes) -> None:
    source = SourceFile.from_bytes(data, "script.py")
    assert source.tree is not None
    assert source.encode(source.text) == data


def test_the_byte_order_mark_is_no_part_of_the_text() -> None:
    source = SourceFile.from_bytes(b"\xef\xbb\xbfx = 1\n", "script.py")
    assert source.bom
    assert source.text == "x = 1\n"
    assert source.encoding == "utf-8"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"x = '\xe9'\n", "cannot be decoded", id="not utf-8"),
        pytest.param(b"# coding: klingon\n", "unknown encoding", id="unknown encoding"),
        pytest.param(b"# coding: rot13\n", "decoded", id="no text encoding"),
        pytest.param("x = 1".encode("utf-16"), "decoded|NUL", id="utf-16"),
        pytest.param(b"\x7fELF\0\0", "NUL", id="binary"),
        pytest.param(b"#" * (5 * 2**20 + 1), "too large for a script", id="too large"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        SourceFile.from_bytes(data, "script.py")


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no file"):
        read_source(tmp_path / "missing.py")


def test_a_directory_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="directory"):
        read_source(tmp_path)


def test_a_character_the_encoding_lacks_is_an_error() -> None:
    source = SourceFile.from_bytes(b"# coding: latin-1\n", "script.py")
    with pytest.raises(SourceError, match="'…'"):
        source.encode("x = '…'")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("print 'hello'\n", id="print statement"),
        pytest.param("try:\n    a\nexcept ValueError, e:\n    b\n", id="except with a comma"),
        pytest.param("x = `y`\n", id="backticks"),
        pytest.param("exec 'x = 1'\n", id="exec statement"),
        pytest.param("raise ValueError, 'no'\n", id="raise with a comma"),
        pytest.param("x = 0777\n", id="old octal"),
        pytest.param("x <> y\n", id="old unequal"),
        pytest.param("x = 10L\n", id="long integer"),
    ],
)
def test_python_2_is_recognised(text: str) -> None:
    with pytest.raises(SourceError, match="Python 2") as caught:
        _ = SourceFile.from_text(text).tree
    assert "2to3" in caught.value.advice


def test_a_syntax_error_has_a_place() -> None:
    with pytest.raises(SourceError) as caught:
        _ = SourceFile.from_text("x = 1\ny = (2 +\n", "script.py").tree
    assert str(caught.value.place) == "script.py:2:5"
    assert "Python 2" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("(" * 5000 + ")" * 5000, id="too many parentheses"),
        pytest.param("x" + ".y" * 200_000, id="too long a chain"),
        pytest.param("-" * 200_000 + "1", id="too many operators"),
        pytest.param("x = '\0'", id="NUL in a text"),
    ],
)
def test_what_the_parser_cannot_take_is_a_source_error(text: str) -> None:
    with pytest.raises(SourceError):
        _ = SourceFile.from_text(text).tree


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows the syntax")
@pytest.mark.parametrize("text", ["type X = int\n", "def f[T](a: T): pass\n", "f'{a['b']}'\n", "f'{\"\\n\"}'\n"])
def test_syntax_of_python_3_12_is_named(text: str) -> None:
    with pytest.raises(SourceError, match=r"Python 3\.12 or newer") as caught:
        _ = SourceFile.from_text(text).tree
    assert "Run corro with Python 3.12" in caught.value.advice


def test_a_broken_f_string_is_only_that() -> None:
    with pytest.raises(SourceError) as caught:
        _ = SourceFile.from_text("f'{a'\n").tree
    assert "or newer" not in str(caught.value)


def test_warnings_about_the_users_code_are_not_ours() -> None:
    _ = SourceFile.from_text("x is 1\ny = '\\d'\n").tree  # warnings are errors in these tests


@pytest.mark.parametrize(
    ("text", "newline"), [("", "\n"), ("a\nb\r\nc\r\n", "\r\n"), ("a\rb", "\r"), ("s = 'a\u2028b'\x0b", "\n")]
)
def test_newline_is_the_most_frequent_one(text: str, newline: str) -> None:
    assert SourceFile.from_text(text).newline == newline


@pytest.mark.parametrize(
    ("text", "indent"),
    [("x", "    "), ("if x:\n\ty", "\t"), ("if x:\n  if y:\n    z", "  "), ("if x: y\n", "    "), ("f(\n  a)", "    ")],
)
def test_indent_is_the_step_used_most(text: str, indent: str) -> None:
    assert SourceFile.from_text(text).indent == indent


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "before", ["", "é = 'ü𝄞'; ", "\x0c", "'\u2028\x0b\x85'; ", "'''\n\n'''; ", "a + \\\n b; ", "\ufeff"]
)
def test_spans_are_in_characters(before: str, newline: str) -> None:
    text = f"# ü\n{before.removeprefix(chr(0xFEFF))}target; x\n".replace("\n", newline)
    source = SourceFile.from_text(text)
    names = [node for node in ast.walk(source.tree) if isinstance(node, ast.Name) and node.id == "target"]
    assert [source.segment(node) for node in names] == ["target"]


def test_place_counts_from_one_in_characters() -> None:
    source = SourceFile.from_text("x = 1\ny = 'ü𝄞' + z\n", "a.py")
    assert str(source.place(node_of(source, ast.Name, 2))) == "a.py:2:12"
    assert str(source.place(0)) == "a.py:1:1"
    assert str(source.place(Span(6, 7))) == "a.py:2:1"


def test_nodes_without_a_position_span_their_children() -> None:
    source = SourceFile.from_text("def f(a, *, b=1):\n    with c as d: pass\n")
    assert source.segment(node_of(source, ast.arguments)) == "a, *, b=1"
    assert source.segment(node_of(source, ast.withitem)) == "c as d"
    assert source.segment(source.tree) == source.text


def test_parents_ancestors_and_statements() -> None:
    source = SourceFile.from_text("for x in y:\n    f(a + b)\n")
    name = node_of(source, ast.Name, 3)
    assert [type(node).__name__ for node in source.ancestors(name)][-3:] == ["Expr", "For", "Module"]
    assert isinstance(source.statement(name), ast.Expr)
    assert source.parent(source.tree) is None
    with pytest.raises(ValueError, match="no statement"):
        source.statement(source.tree)


FSTRINGS = [
    pytest.param('f"loss {loss.item():.4f} {100*correct/total}"', id="a log line"),
    pytest.param('f"{loss}" "plain {loss}" f\'{loss!r}\'', id="concatenated"),
    pytest.param('("a"  # {loss}\n  f"{loss}"\n  f"b {loss:>{loss}}")', id="concatenated over lines, with a comment"),
    pytest.param('f"""\n{loss}\n  é {  loss  }"""', id="triple quotes"),
    pytest.param('f"{{loss}} {{{loss}}}"', id="doubled braces"),
    pytest.param('f"{loss=} {loss = !s} {loss=:.3f}"', id="self-documenting"),
    pytest.param('f"{loss:{loss}.{loss}}"', id="nested formats"),
    pytest.param("f'{d[\"loss\"][loss]}'", id="quotes inside"),
    pytest.param("f'{f\"{loss} {loss:{loss}}\"}'", id="an f-string inside"),
    pytest.param("rf'\\{loss}\\d{{2}}{loss}'", id="raw"),
    pytest.param("f'\\N{EN DASH} \\{loss}'", id="a named character"),
    pytest.param("f'{loss != 1} {loss == 2} {(lambda x: loss)(1)} {[i for i in loss]}'", id="operators"),
    pytest.param("f'{loss, loss}{*loss, 1}'", id="tuples"),
    pytest.param("f'{loss:%H:%M}{loss!r:^{10}}'", id="formats"),
    pytest.param("f'''{\nloss\n+ loss}'''", id="a field over lines"),
    pytest.param("f'ü{loss}ü{loss}'", id="beyond ASCII"),
    pytest.param("f(f'{loss}', f\"{loss}\" f'{loss}')", id="several in one call"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("text", FSTRINGS)
def test_names_in_f_strings_are_where_they_are(text: str, newline: str) -> None:
    source = SourceFile.from_text(f"é = 'ü'; y = {text}\n".replace("\n", newline))
    names = [node for node in ast.walk(source.tree) if isinstance(node, ast.Name) and node.id == "loss"]
    assert names
    assert all(source.has_reliable_span(node) for node in names)
    assert {source.segment(node) for node in names} == {"loss"}
    assert len({source.span(node) for node in names}) == len(names)


def test_literal_parts_of_f_strings_have_no_span_of_their_own() -> None:
    source = SourceFile.from_text("f'a {b} c'")
    literal = node_of(source, ast.Constant)
    assert not source.has_reliable_span(literal)
    assert source.segment(literal) == "f'a {b} c'"
    assert source.segment(node_of(source, ast.FormattedValue)) == "{b}"


def test_spans_are_ordered_and_compared() -> None:
    assert Span(1, 3) < Span(2, 3)
    assert Span(1, 5).contains(Span(2, 5))
    assert Span(1, 3).overlaps(Span(2, 4))
    assert not Span(1, 3).overlaps(Span(3, 4))
    with pytest.raises(ValueError, match="no span"):
        Span(3, 1)


def test_nodes_of_some_kinds_are_in_the_order_of_all() -> None:
    nodes = SourceFile.from_text("a = [b for b in f(c)]\nd.e = a\n").nodes
    kinds = (ast.Attribute, ast.Name, ast.Call)
    assert [*nodes.of(*kinds)] == [node for node in nodes if isinstance(node, kinds)]
    assert [node.id for node in nodes.of(ast.Name)] == [node.id for node in nodes if isinstance(node, ast.Name)]
    assert not nodes.of(ast.While)
