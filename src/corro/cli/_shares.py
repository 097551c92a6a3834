"""Whether batches can be shared out over some processes, where the text of the program says how large they are."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro import targets
from corro.errors import UsageError
from corro.source.origin import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.compiler import Output

_SIGN = "cannot be shared out over"
_SHOWN = 12


def must_share_out(output: Output, processes: int, again: str) -> None:
    """See that the batches of a program can be shared out, before anything is started.

    Args:
        output: of the compiler.
        processes: how many.
        again: the command for another number, with ``{}`` in its place.

    Raises:
        UsageError: a batch cannot; its place, and how many processes can take it.
    """
    for size, line in batches(output):
        if size % processes:
            near = max(n for n in fitting(size) if n <= processes)
            raise UsageError(
                f"{output.source.path}:{line}: a batch of {size} cannot be shared out over {processes} processes, and "
                "rounding it would change the number of steps.",
                advice=f"{shown(size)} can take it: {again.format(near)}{_unevenly(output, again.format(processes))}",
            )


def _unevenly(output: Output, again: str) -> str:
    """What else can be done, where the target can."""
    able = targets.get(output.plan.target, output.plan.frontend).shares_unevenly and output.plan.scaling == "strong"
    return f"; or let the shares differ in size: {again} --uneven" if able else ""


def most_that_fit(output: Output, processes: int) -> int:
    """The most processes, up to a number, that all batches of known sizes can be shared out over."""
    sizes = [size for size, _ in batches(output)]
    return max(n for n in range(1, processes + 1) if not any(size % n for size in sizes))


def fitting(size: int) -> list[int]:
    """The numbers of processes that a batch can be shared out over."""
    return [n for n in range(1, size + 1) if size % n == 0]


def shown(size: int) -> str:
    """These numbers in words."""
    numbers = fitting(size)
    last = " and more" if len(numbers) > _SHOWN else f" or {numbers[-1]}" if numbers[1:] else f"{numbers[-1]}"
    first = numbers[:_SHOWN] if len(numbers) > _SHOWN else numbers[:-1]
    return f"{', '.join(map(str, first))}{last} process{'es' if size > 1 else ''}"


def batches(output: Output) -> Iterator[tuple[int, int]]:
    """The sizes of batches that the program checks in any case, where they are plain numbers, with the user's lines."""
    if output.text is None or _SIGN not in output.text:
        return
    tree = ast.parse(output.text)
    numbers = _numbers(tree)
    origin = Origin.of(output.source, output.plan.edits_in(), output.text)
    for node in _in_any_case(tree):
        if isinstance(node.body[0], ast.Raise) and _SIGN in ast.unparse(node.body[0]):
            test = node.test.left if isinstance(node.test, ast.Compare) else node.test
            if isinstance(test, ast.BinOp) and isinstance(test.op, ast.Mod):
                size = test.left.value if isinstance(test.left, ast.Constant) else numbers.get(ast.unparse(test.left))
                if isinstance(size, int) and size > 0:
                    yield size, origin.line(node.lineno)


def _in_any_case(tree: ast.AST) -> Iterator[ast.If]:
    """The conditions that are under no other one."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If):
            yield node
        if not isinstance(node, (ast.If, ast.Try, ast.While)) or "__main__" in ast.unparse(node)[:40]:
            yield from _in_any_case(node)


def _numbers(tree: ast.Module) -> dict[str, int]:
    """The names that are set once in the whole file, at its top level and to a number."""
    stored = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    stored += [node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)]
    found = {}
    for stmt in tree.body:
        if isinstance(stmt, ast.Assign) and isinstance(stmt.value, ast.Constant) and type(stmt.value.value) is int:
            for target in stmt.targets:
                if isinstance(target, ast.Name) and stored.count(target.id) == 1:
                    found[target.id] = stmt.value.value
    return found
