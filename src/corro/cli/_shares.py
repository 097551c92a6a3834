"""Whether batches can be shared out over some processes, where the text of the program says how large they are."""

from __future__ import annotations

import ast
import re
import shlex
from typing import TYPE_CHECKING, Any

from corro import targets
from corro.errors import UsageError
from corro.source.origin import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.compiler import Output

_SIGN = "cannot be shared out over"
_SHOWN = 12
NOT_SHARED = re.compile(rf"batch size (\d+) {_SIGN} (\d+) (?:processes|replicas)")
"""What a program ends with whose batch cannot be shared out."""


def must_share_out(output: Output, processes: int, again: str, arguments: Sequence[str] = ()) -> None:
    """See that the batches of a program can be shared out, before anything is started.

    Args:
        output: of the compiler.
        processes: how many.
        again: the command for another number, with ``{}`` in its place.
        arguments: of the script; without any, its options are what they are by default.

    Raises:
        UsageError: a batch cannot; its place, and how many processes can take it.
    """
    for size, line in batches(output, defaults=not arguments):
        if size % processes:
            near = max(n for n in fitting(size) if n <= processes)
            others = _unevenly(output, again.format(f"{processes} --uneven"))
            raise UsageError(
                f"{output.source.path}:{line}: a batch of {size} cannot be shared out over {processes} processes, and "
                "rounding it would change the number of steps.",
                advice=f"{shown(size)} can take it: {again.format(near)}{others}",
            )


def _unevenly(output: Output, again: str) -> str:
    """What else can be done, where the target can."""
    able = targets.get(output.plan.target, output.plan.frontend).shares_unevenly and output.plan.scaling == "strong"
    return f"; or let the shares differ in size: {again}" if able else ""


def with_another_number(words: Sequence[str], arguments: Sequence[str]) -> str:
    """A command, with ``{}`` for the number of processes and the arguments of the script, to be started again."""
    before, behind = (
        each.replace("{", "{{").replace("}", "}}")
        for each in (shlex.join([*words, "-n"]), shlex.join(["--", *arguments] if arguments else []))
    )
    return f"{before} {{}} {behind}".rstrip()


def must_have_been_shared_out(told: str, where: str, again: str) -> None:
    """See that a program which has ended did not do so because its batches cannot be shared out.

    Args:
        told: what it ended with.
        where: the place in the script.
        again: the command for another number, with ``{}`` in its place.

    Raises:
        UsageError: it did; how many processes can take the batch.
    """
    if found := NOT_SHARED.search(told):
        size, asked = int(found[1]), int(found[2])
        near = max(n for n in fitting(size) if n <= asked)
        raise UsageError(f"{where}{found[0]}.", advice=f"{shown(size)} can take it: {again.format(near)}")


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


def batches(output: Output, *, defaults: bool = False) -> Iterator[tuple[int, int]]:
    """The sizes of batches that the program checks in any case, where they are plain numbers, with the user's lines.

    Args:
        output: of the compiler.
        defaults: whether options of the script are what they are by default.
    """
    if output.text is None or _SIGN not in output.text:
        return
    tree = ast.parse(output.text)
    numbers = {**_numbers(tree), **(_defaults(tree) if defaults else {})}
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


def _defaults(tree: ast.Module) -> dict[str, int]:
    """Options with a whole number as their default, as they are read: ``args.batch_size``.

    Only of a file whose options are read once, from the command line, into a name that is bound once, and are not set.
    """
    nodes = list(ast.walk(tree))
    if any(_sets_options(node) for node in nodes):
        return {}
    read = [node for node in nodes if isinstance(node, ast.Assign) and _calls(node.value, "parse_args")]
    if len(read) != 1 or sum(_calls(node, "parse_args") for node in nodes) != 1 or ast.unparse(read[0])[-2:] != "()":
        return {}
    name = ast.unparse(read[0].targets[0])
    bound = [node for node in nodes if isinstance(node, ast.Name) and node.id == name and _is_set(node)]
    options = [_option(node) for node in nodes if isinstance(node, ast.Call) and _calls(node, "add_argument")]
    named = [option for option, _ in options]
    stored = {node.attr for node in nodes if isinstance(node, ast.Attribute) and _is_set(node)}
    return {
        f"{name}.{option}": default
        for option, default in options
        if len(bound) == 1 and type(default) is int and option not in stored and named.count(option) == 1
    }


def _sets_options(node: ast.AST) -> bool:
    """Whether options can be other ones than the command line says, in ways that are not followed here."""
    if isinstance(node, ast.Name):
        return node.id in {"setattr", "vars"}
    return isinstance(node, ast.Attribute) and node.attr in {
        "set_defaults",
        "add_subparsers",
        "__dict__",
        "__setattr__",
    }


def _calls(node: ast.AST, method: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method


def _is_set(node: ast.Name | ast.Attribute) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _option(call: ast.Call) -> tuple[str, Any]:
    """The name of an option where it is read, and its default where that is written there."""
    given = {each.arg: each.value for each in call.keywords}
    flags = [each.value for each in call.args if isinstance(each, ast.Constant)]
    long = next((flag for flag in flags if isinstance(flag, str) and flag.startswith("--")), "")
    default = given.get("default")
    known = isinstance(default, ast.Constant) and None not in given
    named = given.get("dest")
    name = named.value if isinstance(named, ast.Constant) else long[2:].replace("-", "_")
    return str(name), default.value if known and isinstance(default, ast.Constant) else None
