"""Scopes, bindings and qualified names, case by case."""

from __future__ import annotations

import ast
import sys

import pytest

from corro.names import Kind, Names, Scope
from corro.source import SourceFile


def names_of(text: str) -> tuple[Names, ast.Module]:
    file = SourceFile.from_text(text)
    return Names(file), file.tree


def named(tree: ast.AST, id: str) -> list[ast.Name]:
    """The mentions of ``id``, in the order of the text."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == id]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def owners(text: str, id: str = "x") -> list[str]:
    """For each mention of ``id``, what its binding scope is: a definition's name, a kind, or ``-`` for none."""
    names, tree = names_of(text)
    return [describe(names.binding(name)) for name in named(tree, id)]


def describe(scope: Scope | None) -> str:
    if scope is None:
        return "-"
    name = getattr(scope.node, "name", None)
    return name if isinstance(name, str) else scope.kind.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("x = 1\nx\n", ["module", "module"], id="module"),
        pytest.param("x\n", ["-"], id="undefined"),
        pytest.param("x = 1\ndef f(): x\n", ["module", "module"], id="read in a function"),
        pytest.param("x = 1\ndef f(): x = 2; x\n", ["module", "f", "f"], id="bound in a function"),
        pytest.param("def f():\n    x\n    x = 2\n", ["f", "f"], id="bound later in the function"),
        pytest.param("x = 1\ndef f():\n    del x\n", ["module", "f"], id="del binds"),
        pytest.param("def f(x): x\n", ["f"], id="parameter"),
        pytest.param("def f(*x, **y): x\n", ["f"], id="star parameter"),
        pytest.param("x = 1\ndef f(x=x): x\n", ["module", "module", "f"], id="default is evaluated outside"),
        pytest.param("x = int\ndef f(a: x) -> x: pass\n", ["module"] * 3, id="annotations are evaluated outside"),
        pytest.param("x = 1\n@x\ndef f(x): pass\n", ["module", "module"], id="decorator is evaluated outside"),
        pytest.param("x = 1\nclass C(x): x = x\n", ["module", "module", "C", "C"], id="class body"),
        pytest.param(
            "x = 1\nclass C:\n    x = 2\n    def f(self): x\n",
            ["module", "C", "module"],
            id="class scope is not seen by methods",
        ),
        pytest.param(
            "class C:\n    x = 2\n    y = [x for _ in x]\n", ["C", "-", "C"], id="class scope and comprehensions"
        ),
        pytest.param("class C:\n    x = 2\n    def f(self, a=x): pass\n", ["C", "C"], id="defaults of methods"),
        pytest.param("x = 1\ndef f():\n    global x\n    x = 2\n", ["module", "module"], id="global"),
        pytest.param(
            "def f():\n    global x\n    x = 2\ndef g(): x\n", ["module", "module"], id="bound by global only"
        ),
        pytest.param(
            "def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n", ["f", "f"], id="nonlocal"
        ),
        pytest.param("def f():\n    x = 1\n    def g():\n        def h(): x\n", ["f", "f"], id="two functions out"),
        pytest.param(
            "x = 0\ndef f():\n    x = 1\n    def g():\n        global x\n        def h(): x\n",
            ["module", "f", "module"],
            id="global above",
        ),
        pytest.param(
            "[x for x in x]\n", ["comprehension", "comprehension", "-"], id="first iterator is evaluated outside"
        ),
        pytest.param("[x for y in z for x in x]\n", ["comprehension"] * 3, id="second iterator is evaluated inside"),
        pytest.param("def f():\n    [x := i for i in r]\n    x\n", ["f", "f"], id="walrus leaves the comprehension"),
        pytest.param("[[x := i for i in r] for j in q]\n", ["module"], id="walrus leaves two comprehensions"),
        pytest.param("x = 1\nf = lambda x: x\n", ["module", "lambda"], id="lambda"),
        pytest.param("try: pass\nexcept E as x: x\n", ["module"], id="except as"),
        pytest.param("with a as x: x\n", ["module", "module"], id="with"),
        pytest.param("for x in y: x\n", ["module", "module"], id="for"),
        pytest.param("import x.y\nx\n", ["module"], id="import"),
        pytest.param("import y as x\nx\n", ["module"], id="import as"),
        pytest.param("from y import z as x\nx\n", ["module"], id="from import as"),
        pytest.param("from y import *\nx\n", ["-"], id="star import"),
        pytest.param("def x(): x\n", ["module"], id="function name"),
        pytest.param("class x: x\n", ["module"], id="class name"),
        pytest.param("def f():\n    x: int\n    x\n", ["f", "f"], id="annotation alone binds"),
        pytest.param("x = 1\ndef f():\n    (x): int\n    x\n", ["module"] * 3, id="annotation in parentheses does not"),
        pytest.param("def f():\n    x += 1\n", ["f"], id="augmented assignment"),
        pytest.param("match a:\n    case [x, *y]: x\n", ["module"], id="match capture"),
        pytest.param("match a:\n    case {1: 2, **x}: x\n", ["module"], id="match rest"),
        pytest.param("match a:\n    case [*x] | C(k=x): x\n", ["module"], id="match star"),
        pytest.param("x = 1\nmatch a:\n    case x.y: pass\n", ["module", "module"], id="match value"),
        pytest.param("x = 1\nf'{x:{x}}'\n", ["module"] * 3, id="f-string"),
    ],
)
def test_binding(text: str, expected: list[str]) -> None:
    assert owners(text) == expected


if sys.version_info >= (3, 12):  # type parameters

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            pytest.param("def f[x](a: x) -> x: x\n", ["f"] * 3, id="function"),
            pytest.param("class C[x](B[x]):\n    def f(self): x\n", ["C"] * 2, id="class"),
            pytest.param("type A[x] = list[x]\n", ["types"], id="alias"),
            pytest.param("class C:\n    x = 1\n    def f[T](a: x): pass\n", ["C", "C"], id="in a class"),
            pytest.param("type x = int\nx\n", ["module", "module"], id="the alias itself"),
        ],
    )
    def test_type_parameters(text: str, expected: list[str]) -> None:
        assert owners(text) == expected


def test_scope_is_where_a_node_is_evaluated_and_body_what_it_opens() -> None:
    names, tree = names_of("@d\ndef f(a=1):\n    class C: pass\n")
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert names.scope(function) is names.module
    assert names.scope(function.decorator_list[0]) is names.module
    assert names.scope(function.args.defaults[0]) is names.module
    assert names.scope(function.body[0]) is names.body(function)
    assert names.body(function.body[0]).kind is Kind.CLASS
    assert names.body(function).parent is names.module
    assert names.body(function).bound == {"a", "C"}
    assert names.module.bound == {"f"}
    assert names.body(tree) is names.module


def test_uses_are_all_mentions_of_one_binding_in_order() -> None:
    names, tree = names_of("x = 1\ndef f():\n    print(x)\ndef g(x):\n    x\n    global y\n    y = x\nx += 1\ny\n")
    module = [(name.lineno, name.col_offset) for name in names.uses("x", names.module)]
    assert module == [(1, 0), (3, 10), (8, 0)]
    assert len(names.uses("x", names.body(tree.body[2]))) == 2
    assert [name.lineno for name in names.uses("y", names.module)] == [7, 9]
    assert [name.lineno for name in names.uses("print", None)] == [3]
    assert names.uses("missing", names.module) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("import torch\ntorch.nn.Linear", {"torch.nn.Linear"}, id="import"),
        pytest.param("import torch.nn.functional as F\nF.relu", {"torch.nn.functional.relu"}, id="import as"),
        pytest.param("import torch.nn\ntorch.optim.Adam", {"torch.optim.Adam"}, id="import of a part binds the whole"),
        pytest.param("from torch import nn as N\nN.Linear", {"torch.nn.Linear"}, id="from import as"),
        pytest.param("from . import data\ndata.load", {".data.load"}, id="relative"),
        pytest.param("from ..a.b import c\nc.d", {"..a.b.c.d"}, id="relative, two up"),
        pytest.param("from torch import optim\nOpt = optim.Adam\nOpt", {"torch.optim.Adam"}, id="alias"),
        pytest.param("import a\nb = a\nc = b.x\nc.y", {"a.x.y"}, id="alias of an alias"),
        pytest.param("import a\nb = c = a.x\nc", {"a.x"}, id="two targets"),
        pytest.param("import a\nb: type = a.x\nb", {"a.x"}, id="annotated alias"),
        pytest.param("import a\nprint(b := a.x)\nb", {"a.x"}, id="walrus"),
        pytest.param("import a\nif p:\n    b = a.x\nelse:\n    b = a.y\nb", {"a.x", "a.y"}, id="alias in branches"),
        pytest.param("import a\nb = a.x if p else a.y\nb", {"a.x", "a.y"}, id="alias by a conditional expression"),
        pytest.param("try:\n    import a\nexcept E:\n    import b as a\na.x", {"a.x", "b.x"}, id="import in branches"),
        pytest.param("try:\n    import a\nexcept E:\n    a = None\na.x", {"a.x"}, id="None for a missing import"),
        pytest.param("import a\na = f()\na.x", set(), id="rebound to a call"),
        pytest.param("import a\nfor a in b: pass\na.x", set(), id="rebound by a loop"),
        pytest.param("import a\ndef a(): pass\na.x", set(), id="rebound by a function"),
        pytest.param("import a\na += 1\na.x", set(), id="rebound by an augmented assignment"),
        pytest.param("import a\na, b = b, a\na.x", set(), id="rebound by unpacking"),
        pytest.param("import a\ndef f():\n    global a\n    a = 1\na.x", set(), id="rebound through global"),
        pytest.param("import a\ndel a\na.x", {"a.x"}, id="del gives no other value"),
        pytest.param("a = b\nb = a\na.x", set(), id="a circle"),
        pytest.param("a = a\na", set(), id="itself"),
        pytest.param("print", {"builtins.print"}, id="builtin"),
        pytest.param("def print(): pass\nprint", set(), id="shadowed builtin"),
        pytest.param("unknown.x", set(), id="undefined"),
        pytest.param("from torch.nn import *\nLinear", {"torch.nn.Linear"}, id="star import"),
        pytest.param("from a import *\nfrom .b import *\nc.d", {"a.c.d", ".b.c.d"}, id="two star imports"),
        pytest.param("from a import *\nprint", {"builtins.print"}, id="builtin under a star import"),
        pytest.param("import a\na().x", set(), id="a call in the chain"),
        pytest.param("import a\na[0].x", set(), id="a subscript in the chain"),
        pytest.param("def f():\n    import a\na.x", set(), id="imported elsewhere"),
        pytest.param(
            "\n".join(["import a0", *(f"a{n + 1} = a{n}" for n in range(2000)), "a2000"]), set(), id="endless"
        ),
    ],
)
def test_qualified(text: str, expected: set[str]) -> None:
    names, tree = names_of(text)
    last = tree.body[-1]
    assert isinstance(last, ast.Expr)
    assert names.qualified(last.value) == expected


def test_qualified_in_a_function_sees_its_own_imports() -> None:
    names, tree = names_of("import a as m\ndef f():\n    import b as m\n    m.x\nm.x\n")
    assert [set(names.qualified(name)) for name in named(tree, "m")] == [{"b"}, {"a"}]


def test_all_names_holds_every_identifier() -> None:
    text = "import a.b as c\nfrom d import e\ndef f(g, *, h=i.j): global k; l(m=n)\nclass o: pass\n"
    text += "try: pass\nexcept p as q: pass\nmatch r:\n    case S(t=u): pass\n    case {**v}: pass\n"
    names, _ = names_of(text)
    assert set("abcdefghijklmnopqrStuv") <= names.all_names


@pytest.mark.parametrize(
    ("text", "taken", "expected"),
    [
        ("x", (), "rank"),
        ("rank", (), "rank_"),
        ("a.rank", (), "rank_"),
        ("rank, rank_", (), "rank_2"),
        ("rank", {"rank_"}, "rank_2"),
        ("rank, rank_, rank_2", (), "rank_3"),
    ],
)
def test_fresh(text: str, taken: set[str], expected: str) -> None:
    assert names_of(text)[0].fresh("rank", taken) == expected


def test_fresh_is_no_builtin_and_no_keyword() -> None:
    names, _ = names_of("")
    assert names.fresh("sum") == "sum_"
    assert names.fresh("global") == "global_"


def test_deep_trees_need_no_recursion() -> None:
    node: ast.expr = ast.Name("x", ast.Load())
    for _ in range(50_000):
        node = ast.Attribute(node, "y", ast.Load())
    file = SourceFile.from_text("")
    vars(file)["tree"] = ast.Module([ast.Expr(node)], [])  # deeper than the parser makes them
    names = Names(file)
    assert names.qualified(node) == frozenset()
    while isinstance(node, ast.Attribute):  # taken apart from the outside: freeing it at once would recurse
        node = node.value
