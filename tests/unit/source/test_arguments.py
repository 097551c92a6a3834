"""All edits of a call at once: every subset of removals, with additions and new values, in every layout."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from itertools import combinations

import pytest

from corro.source import Edit, Guard, SourceFile, add_keyword, apply, remove_argument, set_keyword

Layout = Callable[[Sequence[str]], str]


def lines(end: str, *, first: str = "\n    ", separator: str = ",\n    ") -> Layout:
    return lambda arguments: f"x = f({first}{separator.join(arguments)}{end}  # behind\ny = 1\n"


def commented(end: str, first: str = "\n    ") -> Layout:
    def written(arguments: Sequence[str]) -> str:
        *others, last = arguments
        rows = "".join(f"{a},  # about {a[0]}\n    " for a in others)
        return f"x = f({first}{rows}{last}{end}  # behind\ny = 1\n"

    return written


def between(arguments: Sequence[str]) -> str:
    rows = "".join(f"\n    # about {a[0]}\n    {a}," for a in arguments)
    return f"x = f({rows}\n)\ny = 1\n"


def two_a_line(arguments: Sequence[str]) -> str:
    pairs = [", ".join(arguments[i : i + 2]) for i in range(0, len(arguments), 2)]
    return "x = f(" + ",\n      ".join(pairs) + ")\ny = 1\n"


LAYOUTS: dict[str, Layout] = {
    "one line": lines(")", first="", separator=", "),
    "one line, no blanks": lines(")", first="", separator=","),
    "one line, trailing comma": lines(" , )", first=" ", separator=" , "),
    "hanging": lines(")", first=""),
    "hanging, trailing comma": lines(",)", first=""),
    "hanging, parenthesis below": lines("\n)", first=""),
    "one a line": lines("\n)"),
    "one a line, trailing comma": lines(",\n)"),
    "one a line, parenthesis behind": lines(")"),
    "commas in front": lines("\n)", separator="\n    , "),
    "comma alone": lines("\n)", separator="\n    ,\n    "),
    "backslashes": lines(" \\\n)", first="\\\n    ", separator=", \\\n    "),
    "backslashes, parenthesis behind": lines(")", first="", separator=", \\\n    "),
    "comments": commented("  # about last\n)"),
    "comments, trailing comma": commented(",  # about last\n)"),
    "comments, parenthesis behind": commented(")"),
    "comments, hanging": commented(")", first=""),
    "comments above": between,
    "two a line": two_a_line,
    "crlf": lambda arguments: lines(",\n)")(arguments).replace("\n", "\r\n"),
}
ARGUMENTS = [
    ("a",),
    ("a", "k=(1)"),
    ("a", "(b)", "k=1", "l = 2"),
    ("a", "*s", "k=1", "**m"),
    ("k=1", "**m", "l=2", "n=3"),
]
ADDED = ((), (("u", "v"),), (("u", "v"), ("w", "[\n    1]")))
Argument = ast.expr | ast.keyword


def the_call(tree: ast.Module) -> ast.Call:
    call = tree.body[0].value  # type: ignore[attr-defined]
    assert isinstance(call, ast.Call)
    return call


def in_order(call: ast.Call) -> list[Argument]:
    def start(node: Argument) -> tuple[int, int]:
        return node.lineno, node.col_offset

    return sorted([*call.args, *call.keywords], key=start)


def dumped(arguments: Sequence[Argument]) -> list[str]:
    return [ast.dump(node) for node in arguments]


def expected(kept: list[Argument], added: Sequence[tuple[str, str]], replaced: Argument | None) -> list[str]:
    new = the_call(ast.parse("f(" + ", ".join(f"{name}={text}" for name, text in added) + ")")).keywords
    mapping = next((i for i, node in enumerate(kept) if isinstance(node, ast.keyword) and node.arg is None), len(kept))
    result = dumped([*kept[:mapping], *new, *kept[mapping:]])
    if replaced is not None:
        assert isinstance(replaced, ast.keyword)
        result[result.index(ast.dump(replaced))] = ast.dump(ast.keyword(replaced.arg, ast.Name("z", ast.Load())))
    return result


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=", ".join)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_edits_of_a_call_compose(arguments: tuple[str, ...], layout: str) -> None:
    source = SourceFile.from_text(LAYOUTS[layout](arguments))
    call = the_call(source.tree)
    nodes = in_order(call)
    for removed in (chosen for size in range(len(nodes) + 1) for chosen in combinations(nodes, size)):
        kept = [node for node in nodes if node not in removed]
        for added in ADDED:
            for replaced in (None, *(node for node in kept if isinstance(node, ast.keyword) and node.arg)):
                edits: list[Edit] = [edit for node in removed for edit in remove_argument(source, call, node)]
                edits += [edit for name, text in added for edit in add_keyword(source, call, name, text)]
                if isinstance(replaced, ast.keyword) and replaced.arg:
                    edits += set_keyword(source, call, replaced.arg, "z")
                for guards in ((), (Guard(source.tree.body[0], "m"),)):
                    result = apply(source, [*edits, *guards])
                    tree = ast.parse(result)
                    if guards:
                        assert isinstance(tree.body[0], ast.If)
                        tree = ast.Module([*tree.body[0].body, *tree.body[1:]], [])
                    assert dumped(in_order(the_call(tree))) == expected(kept, added, replaced), result
                    assert len(tree.body) == 2, result
                    missing = [m for m in comments_to_stay(source, layout, kept, nodes) if m not in result]
                    assert not missing, result


def comments_to_stay(source: SourceFile, layout: str, kept: list[Argument], nodes: list[Argument]) -> list[str]:
    """The comments that are about an argument that stays, or about none."""
    stay = ["# behind"] if "# behind" in source.text else []
    if "comments" in layout:
        stay += [f"# about {source.segment(node).strip('(')[0]}" for node in kept if node is not nodes[-1]]
    return [comment for comment in stay if comment in source.text]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("f(a,\n  x=1,\n  y=2)", "f(a,\n  k=v)"),
        ("f(a,\n  x=1, y=2)", "f(a,\n  k=v)"),
        ("f(a,\n  x=1,\n  y=2,\n)", "f(a,\n  k=v,\n)"),
        ("f(a, x=1,\n  y=2)", "f(a, k=v)"),
        ("f(x=1, y=2)", "f(k=v)"),
        ("f(a, x=1, b=3, y=2)", "f(a, b=3, k=v)"),
        ("f(a,  # a\n  x=1, y=2)", "f(a,  # a\n  k=v)"),
        ("f(a, x=1, y=2, **m)", "f(a, k=v, **m)"),
    ],
)
def test_neighbours_go_as_one(text: str, result: str) -> None:
    source = SourceFile.from_text(text)
    call = the_call(source.tree)
    edits = [
        edit
        for keyword in call.keywords
        if keyword.arg in ("x", "y")
        for edit in remove_argument(source, call, keyword)
    ]
    assert apply(source, [*edits, *add_keyword(source, call, "k", "v")]) == result


def test_a_comment_behind_the_call_stays_behind_it() -> None:
    source = SourceFile.from_text("f(a,\n  b)  # c\n")
    assert apply(source, add_keyword(source, the_call(source.tree), "k", "v")) == "f(a,\n  b,\n  k=v)  # c\n"
