"""Edits of calls and expressions: a text with one call of ``f``, what is done to it, and the text after."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from corro.source import (
    Edit,
    EditError,
    Guard,
    Replace,
    SourceFile,
    add_keyword,
    add_parameter,
    apply,
    parenthesised,
    remove_argument,
    replace_node,
    set_keyword,
    wrap,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def the_call(source: SourceFile) -> ast.Call:
    return next(
        node
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "f"
    )


def edited(text: str, edits: Callable[[SourceFile, ast.Call], tuple[Edit, ...]]) -> str:
    source = SourceFile.from_text(text)
    result = apply(source, edits(source, the_call(source)))
    ast.parse(result)
    return result


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("f()", "f(k=v)", id="no argument"),
        pytest.param("f(  # c\n)", "f(k=v  # c\n)", id="only a comment"),
        pytest.param("f(a)", "f(a, k=v)", id="one argument"),
        pytest.param("f(a,)", "f(a, k=v,)", id="trailing comma"),
        pytest.param("f((a), (b))", "f((a), (b), k=v)", id="arguments in parentheses"),
        pytest.param("(f)((a))", "(f)((a), k=v)", id="function in parentheses"),
        pytest.param("f(x for x in y)", "f((x for x in y), k=v)", id="a bare generator"),
        pytest.param("f((x for x in y))", "f((x for x in y), k=v)", id="a generator of its own"),
        pytest.param("f(lambda a, b: c)", "f(lambda a, b: c, k=v)", id="a lambda with commas"),
        pytest.param("f(*a, b=1)", "f(*a, b=1, k=v)", id="a starred argument"),
        pytest.param("f(a, **b)", "f(a, k=v, **b)", id="before a mapping"),
        pytest.param("f(**b, c=1)", "f(k=v, **b, c=1)", id="before a mapping in front"),
        pytest.param("f(\n    a,\n    b,\n)", "f(\n    a,\n    b,\n    k=v,\n)", id="one per line"),
        pytest.param(
            "f(\n    a,\n    b  # c\n)", "f(\n    a,\n    b,  # c\n    k=v\n)", id="one per line, no last comma"
        ),
        pytest.param(
            "f(\n    a,\n    b,  # c\n)", "f(\n    a,\n    b,  # c\n    k=v,\n)", id="one per line and a comment"
        ),
        pytest.param("f(a,\n  b)", "f(a,\n  b,\n  k=v)", id="hanging"),
        pytest.param("f(\n    a, b\n)", "f(\n    a, b, k=v\n)", id="on a line of their own"),
        pytest.param(
            "f(\n    a,\n    **b,\n)", "f(\n    a,\n    k=v,\n    **b,\n)", id="one per line before a mapping"
        ),
        pytest.param("f(a  # )\n)", "f(a, k=v  # )\n)", id="a parenthesis in a comment"),
        pytest.param("f(\r\n  a,\r\n)", "f(\r\n  a,\r\n  k=v,\r\n)", id="crlf"),
        pytest.param("g(f(a))(b)", "g(f(a, k=v))(b)", id="within other calls"),
    ],
)
def test_add_keyword(text: str, expected: str) -> None:
    assert edited(text, lambda source, call: add_keyword(source, call, "k", "v")) == expected


def test_two_keywords_come_in_order() -> None:
    def edits(source: SourceFile, call: ast.Call) -> tuple[Edit, ...]:
        return (
            add_keyword(source, call, "k", "v")
            + add_keyword(source, call, "l", "w")
            + add_keyword(source, call, "k", "v")
        )

    assert edited("f()", edits) == "f(k=v, l=w)"
    assert edited("f(a)", edits) == "f(a, k=v, l=w)"
    assert edited("f(\n    a\n)", edits) == "f(\n    a,\n    k=v,\n    l=w\n)"
    assert edited("f(**m)", edits) == "f(k=v, l=w, **m)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("f(a, lr=0.1, b=1)", "f(a, lr=v, b=1)", id="a value"),
        pytest.param("f(lr=(a + b))", "f(lr=v)", id="a value in parentheses"),
        pytest.param("f(lr = [1, 2], )", "f(lr = v, )", id="blanks around the sign"),
        pytest.param("f(a)", "f(a, lr=v)", id="missing"),
    ],
)
def test_set_keyword(text: str, expected: str) -> None:
    assert edited(text, lambda source, call: set_keyword(source, call, "lr", "v")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("f(x)", "f()", id="the only one"),
        pytest.param("f(x,)", "f()", id="the only one with its comma"),
        pytest.param("f(x, a)", "f(a)", id="the first"),
        pytest.param("f(a, x, b)", "f(a, b)", id="one in the middle"),
        pytest.param("f(a, x)", "f(a)", id="the last"),
        pytest.param("f(a, (x),)", "f(a,)", id="the last with its comma"),
        pytest.param("f(a, k=x, **b)", "f(a, **b)", id="a keyword"),
        pytest.param(
            "f(\n    a,\n    x,  # c\n    b,\n)", "f(\n    a,\n    b,\n)", id="on its own line, with its comment"
        ),
        pytest.param("f(\n    a,\n    x\n)", "f(\n    a,\n)", id="on its own last line"),
        pytest.param("f(a,\n  x)", "f(a)", id="hanging"),
        pytest.param("f(x for _ in y)", "f()", id="a bare generator"),
    ],
)
def test_remove_argument(text: str, expected: str) -> None:
    def edits(source: SourceFile, call: ast.Call) -> tuple[Edit, ...]:
        arguments: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        chosen = next(node for node in arguments if "x" in source.segment(node))
        return remove_argument(source, call, chosen)

    assert edited(text, edits) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("f(x)", "f(k=v)", id="the only one"),
        pytest.param("f(a, x)", "f(a, k=v)", id="the last"),
        pytest.param("f(x, a)", "f(a, k=v)", id="the first"),
        pytest.param("f(a, x,)", "f(a, k=v,)", id="the last with its comma"),
        pytest.param("f(\n    a,\n    x,\n)", "f(\n    a,\n    k=v,\n)", id="one per line"),
        pytest.param("f(\n    a,\n    x\n)", "f(\n    a,\n    k=v,\n)", id="one per line, no last comma"),
        pytest.param("f(\n    x,\n)", "f(k=v\n)", id="the only one on its line"),
        pytest.param("f(x for _ in y)", "f(k=v)", id="a bare generator"),
    ],
)
def test_remove_and_add(text: str, expected: str) -> None:
    def edits(source: SourceFile, call: ast.Call) -> tuple[Edit, ...]:
        chosen = next(node for node in call.args if "x" in source.segment(node))
        return remove_argument(source, call, chosen) + add_keyword(source, call, "k", "v")

    assert edited(text, edits) == expected


def test_removing_all_arguments() -> None:
    def edits(source: SourceFile, call: ast.Call) -> tuple[Edit, ...]:
        return (*remove_argument(source, call, call.args[0]), *remove_argument(source, call, call.keywords[0]))

    assert edited("f(a, b=1)", edits) == "f()"


def test_an_argument_of_another_call_is_an_error() -> None:
    with pytest.raises(EditError, match="no argument of this call"):
        edited("f(a)", lambda source, call: remove_argument(source, call, call.func))


def test_calls_inside_calls_and_guards() -> None:
    source = SourceFile.from_text("f(g(\n    a,\n))\n")
    outer = the_call(source)
    inner = outer.args[0]
    assert isinstance(inner, ast.Call)
    edits = (*add_keyword(source, outer, "k", "v"), *add_keyword(source, inner, "l", "w"))
    assert apply(source, edits) == "f(g(\n    a,\n    l=w,\n), k=v)\n"
    guarded = apply(source, (*edits, Guard(source.tree.body[0], "m")))
    assert guarded == "if m:\n    f(g(\n        a,\n        l=w,\n    ), k=v)\n"


def test_wraps_nest() -> None:
    source = SourceFile.from_text("a + b\n")
    whole = source.tree.body[0].value  # type: ignore[attr-defined]
    edits = (
        *wrap(source, whole, "outer(", ")"),
        *wrap(source, whole.left, "left[", "]"),
        *wrap(source, whole.right, "right{", "}"),
        *wrap(source, whole.left, "more<", ">"),
        *replace_node(source, whole.right, "c"),
    )
    assert apply(source, edits) == "outer(more<left[a]> + right{c})\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b", "(a + b)"),
        ("a", "a"),
        ("a.b[0](c)", "a.b[0](c)"),
        ("-1", "(-1)"),
        ("0.1", "0.1"),
        ("a if b else c", "(a if b else c)"),
        ("lambda: 1", "(lambda: 1)"),
        ("(a, b)", "(a, b)"),
        ("(a), (b)", "((a), (b))"),
        ("a, b", "(a, b)"),
        ("[a + b]", "[a + b]"),
        ("'a' 'b'", "'a' 'b'"),
        ("await a", "(await a)"),
        ("f'{a}'", "f'{a}'"),
        ("(a\n .b)", "(a\n .b)"),
    ],
)
def test_parenthesised(text: str, expected: str) -> None:
    source = SourceFile.from_text(text)
    assert parenthesised(source, source.tree.body[0].value) == expected  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "new", "expected"),
    [
        pytest.param('f"{loss:.2f}"', "total", 'f"{total:.2f}"', id="a name"),
        pytest.param('f"{loss}"', 'd["k"]', "f\"{d['k']}\"", id="quotes that clash"),
        pytest.param("f'''{loss}'''", 'd["k"]', "f'''{d[\"k\"]}'''", id="quotes that do not"),
        pytest.param('f"{loss}"', "{1: 2}[1]", 'f"{ {1: 2}[1]}"', id="a brace at the start"),
        pytest.param('f"{loss=}"', "total", 'f"loss={total!r}"', id="self-documenting"),
        pytest.param('f"{loss = :.2f}"', "total", 'f"loss = {total:.2f}"', id="self-documenting with a format"),
        pytest.param('f"{loss=!s}"', "total", 'f"loss={total!s}"', id="self-documenting with a conversion"),
        pytest.param('f"{x:{loss}}"', "total", 'f"{x:{total}}"', id="in a format"),
        pytest.param("f'{g(\"a\")} {loss}'", "'k'", 'f\'{g("a")} {"k"}\'', id="quotes beside others"),
    ],
)
def test_replace_in_f_strings(text: str, new: str, expected: str) -> None:
    source = SourceFile.from_text(text)
    names = [node for node in ast.walk(source.tree) if isinstance(node, ast.Name) and node.id == "loss"]
    assert apply(source, [Replace(source.span(node), new) for node in names]) == expected
    ast.parse(expected)


@pytest.mark.parametrize("new", ["d[\"k\"]['l']", "a\n+ b", "'\\n'"])
def test_what_no_f_string_can_hold_is_an_error(new: str) -> None:
    source = SourceFile.from_text('f"{loss}"')
    name = next(node for node in ast.walk(source.tree) if isinstance(node, ast.Name))
    with pytest.raises(EditError, match="f-string"):
        apply(source, [Replace(source.span(name), new)])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(): pass", "def f(new=False): pass"),
        ("def f(a): pass", "def f(a, new=False): pass"),
        ("def f(a, b=(1), ): pass", "def f(a, b=(1), new=False ): pass"),
        ("def f(a, *rest, b=g(2)) -> h(3): pass", "def f(a, *rest, b=g(2), new=False) -> h(3): pass"),
        (
            "@d(1)\ndef f(\n    a: int = 1,  # (\n):\n    pass",
            "@d(1)\ndef f(\n    a: int = 1, new=False  # (\n):\n    pass",
        ),
        ("def f(a, /, *, b): pass", "def f(a, /, *, b, new=False): pass"),
    ],
)
def test_a_parameter_stands_behind_the_others(text: str, expected: str) -> None:
    source = SourceFile.from_text(text)
    function = source.tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert apply(source, add_parameter(source, function, "new=False")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = f\"{f('a')['b']:>3} c\"", "x = f\"{f('a', k=v)['b']:>3} c\""),
        ("x = f'{g(f())}'", "x = f'{g(f(k=v))}'"),
        ("x = f'a {f(b, c,)} d'\ny = (1)", "x = f'a {f(b, c, k=v,)} d'\ny = (1)"),
        ('x = f"""a\n{f(b)}"""', 'x = f"""a\n{f(b, k=v)}"""'),
    ],
)
def test_a_keyword_of_a_call_in_an_f_string(text: str, expected: str) -> None:
    assert edited(text, lambda source, call: add_keyword(source, call, "k", "v")) == expected


def test_a_keyword_that_a_call_in_an_f_string_has() -> None:
    given = edited("x = f'{f(k=1)}'", lambda source, call: set_keyword(source, call, "k", "2"))
    assert given == "x = f'{f(k=2)}'"
