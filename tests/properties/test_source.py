"""Random scripts, random edits: the text that comes out has the tree one gets by making the same edits on the tree."""

from __future__ import annotations

import ast
import random
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from corro.source import After, Before, Edit, Guard, Insert, Remove, Replace, SourceFile, apply, text_edits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SIMPLE = (
    "x = 1",
    "train(model, loader)",
    's = """one\n  two\n"""',
    "t = f'''{a}\n   {b!r:>{w}}'''",
    "f(\n1,  # first\n      2)",
    "y = 1 + \\\n  2",
    "é = 'ü'",
    "del q",
    "z = [i for i in (1, 2)]",
    "w = 'a\\\nb'",
    "call(a)(b) [\n\n0]",
)
HEADS = (
    "if m:",
    "while m:",
    "for i in r:",
    "with c:",
    "def f(a, b=1):",
    "class C:",
    "@d\n@e(1)\ndef g():",
    "async def h():",
)
COMMENTS = ("", "", "  # note", " #")
TESTS = ("rank == 0", "main")
ADDED = ("new()", "if p:\n    q()\nelse:\n    r = 1", "u = 1\nv = 2", "s = '''1\n 2'''")


class Script:
    """A script written at random: every layout that Python allows and people use, and some that nobody should."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.step = chance.choice(("    ", "  ", "\t"))
        self.newline = chance.choice(("\n", "\n", "\r\n", "\r"))

    def text(self) -> str:
        text = "".join(self.block("", 0)).replace("\n", self.newline)
        return text.removesuffix(self.newline) if self.chance.random() < 0.3 else text

    def block(self, indent: str, depth: int) -> Iterator[str]:
        for _ in range(self.chance.randint(1, 4)):
            if self.chance.random() < 0.3:
                yield self.chance.choice((f"{indent}# about the next\n", "\n", "# at the margin\n", f"{indent}\n"))
            if depth < 3 and self.chance.random() < 0.4:
                yield from self.compound(indent, depth)
            else:
                yield indent + self.line()

    def line(self) -> str:
        parts = [self.chance.choice(SIMPLE) for _ in range(self.chance.choice((1, 1, 1, 2, 3)))]
        separator = self.chance.choice(("; ", ";", " ;  ", "; \\\n  "))
        end = self.chance.choice(("", "", ";", " ;"))
        return separator.join(parts) + end + self.chance.choice(COMMENTS) + "\n"

    def compound(self, indent: str, depth: int) -> Iterator[str]:
        head = self.chance.choice(HEADS)
        yield from self.suite(indent, depth, head)
        if head == "if m:":
            for clause in self.chance.choice(((), ("else:",), ("elif n:",), ("elif n:", "elif o:", "else:"))):
                yield from self.suite(indent, depth, clause)
        elif head == "with c:":
            for clause in self.chance.choice((("try:", "except E:"), ("try:", "finally:"), ())):
                yield from self.suite(indent, depth, clause)

    def suite(self, indent: str, depth: int, head: str) -> Iterator[str]:
        yield "".join(f"{indent}{line}\n" for line in head.split("\n")).removesuffix("\n")
        if self.chance.random() < 0.3:
            yield self.chance.choice((" ", "", " \\\n   ")) + self.line()
        else:
            yield self.chance.choice(COMMENTS) + "\n"
            yield from self.block(indent + self.step, depth + 1)


def statements(source: SourceFile) -> list[ast.stmt]:
    """The statements that lines can stand next to: all but ``elif``."""
    return [
        node
        for node in ast.walk(source.tree)
        if isinstance(node, ast.stmt) and not source.segment(node).startswith("elif")
    ]


def random_edits(chance: random.Random, source: SourceFile) -> list[Edit]:
    edits: list[Edit] = []
    removed: set[ast.AST] = set()
    for stmt in statements(source):
        if any(above in removed for above in source.ancestors(stmt)):
            continue
        kind = chance.random()
        if kind < 0.15:
            edits += [Before(stmt, chance.choice(ADDED), chance.randint(0, 2)) for _ in range(chance.randint(1, 2))]
        if 0.1 < kind < 0.25:
            edits += [After(stmt, chance.choice(ADDED), chance.randint(0, 2)) for _ in range(chance.randint(1, 2))]
        if 0.2 < kind < 0.45:
            edits.append(Guard(stmt, chance.choice(TESTS)))
        elif kind > 0.85 or kind < 0.02:
            edits.append(Remove(stmt))
            removed.add(stmt)
    return edits


class OnTree(ast.NodeTransformer):
    """The same edits, made on the tree: the oracle."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self.edits = edits

    def lines(self, kind: type[Before | After], stmt: ast.stmt) -> list[ast.stmt]:
        chosen = [edit for edit in self.edits if isinstance(edit, kind) and edit.stmt is stmt]
        return [node for edit in sorted(chosen, key=lambda edit: edit.order) for node in ast.parse(edit.text).body]

    def block(self, block: Sequence[ast.stmt], module: bool) -> list[ast.stmt]:
        written: list[ast.stmt] = []
        joinable: ast.If | None = None
        for stmt in block:
            before, after = self.lines(Before, stmt), self.lines(After, stmt)
            guard = next((edit for edit in self.edits if isinstance(edit, Guard) and edit.stmt is stmt), None)
            removed = any(isinstance(edit, Remove) and edit.stmt is stmt for edit in self.edits)
            written += before
            kept = [] if removed else [self.visit(stmt)]
            if guard is None:
                written += kept
                joinable = None
            elif joinable is not None and not before and ast.unparse(joinable.test) == guard.test:
                joinable.body += kept
            else:
                joinable = ast.If(ast.parse(guard.test, mode="eval").body, kept, [])
                written.append(joinable)
            written += after
            joinable = None if after else joinable
        return written if written or module else [ast.Pass()]

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, name, self.block(value, isinstance(node, ast.Module)))
            elif isinstance(value, list):
                setattr(node, name, [self.visit(part) if isinstance(part, ast.AST) else part for part in value])
        return node


def comments(source: SourceFile) -> list[str]:
    return [source.tokens.string(token) for token in source.tokens.comments]


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**32))
def test_edits_of_statements_do_what_they_do_on_the_tree(seed: int) -> None:
    chance = random.Random(seed)
    source = SourceFile.from_text(Script(chance).text())
    edits = random_edits(chance, source)
    result = apply(source, edits)
    expected = OnTree(edits).visit(ast.parse(source.text) if not edits else source.tree)
    assert ast.dump(ast.parse(result)) == ast.dump(expected), result
    if not any(isinstance(edit, Remove) for edit in edits):
        assert sorted(comments(SourceFile.from_text(result))) == sorted(comments(source))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_applying_nothing_changes_nothing(seed: int) -> None:
    source = SourceFile.from_text(Script(random.Random(seed)).text())
    assert apply(source, ()) == source.text
    assert apply(source, [Replace(source.span(node), source.segment(node)) for node in source.tree.body]) == source.text


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_text_edits_are_disjoint_in_order_and_leave_the_rest_alone(seed: int) -> None:
    chance = random.Random(seed)
    source = SourceFile.from_text(Script(chance).text())
    edits = text_edits(source, random_edits(chance, source))
    ends = [edit.span.end for edit in edits]
    starts = [edit.span.start for edit in edits]
    assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))
    assert len(set(starts)) == len(starts)
    assert apply(source, edits) == apply(source, list(reversed(edits)))


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_names_are_replaced_wherever_they_stand(seed: int) -> None:
    chance = random.Random(seed)
    source = SourceFile.from_text(Script(chance).text())
    names = [node for node in ast.walk(source.tree) if isinstance(node, ast.Name)]
    chosen = [node for node in names if chance.random() < 0.5]
    result = apply(source, [Replace(source.span(node), "other") for node in chosen])
    for node in chosen:
        node.id = "other"
    assert ast.dump(ast.parse(result)) == ast.dump(source.tree)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.sampled_from(["utf-8", "latin-1"]))
def test_bytes_come_back_as_they_were(seed: int, bom: bool, encoding: str) -> None:
    text = Script(random.Random(seed)).text()
    if encoding == "latin-1":
        data = f"# -*- coding: latin-1 -*-\n{text}".encode("latin-1")
    else:
        data = text.encode("utf-8-sig" if bom else "utf-8")
    source = SourceFile.from_bytes(data, "script.py")
    assert source.encode(apply(source, ())) == data


def test_insert_at_both_ends_of_a_guarded_last_statement() -> None:
    source = SourceFile.from_text("a")
    stmt = source.tree.body[0]
    edits = [Insert(1, "()"), Insert(0, "x = "), Guard(stmt, "m"), Before(stmt, "b"), After(stmt, "c")]
    assert apply(source, edits) == "b\nif m:\n    x = a()\nc"
