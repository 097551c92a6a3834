"""Independent checks on every output, made before anyone sees it. They share no code with what wrote it."""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from typing import TYPE_CHECKING

from corro.classes import dataclass
from corro.errors import CheckError, SourceError
from corro.source import SourceFile, children, position, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corro.source import Replace
    from corro.targets.base import Calls

    _Part = tuple[ast.AST, Mapping[str, str], str]
    """A part of a file, what the engine is called there, and the class around it."""
    """A part of a file, and the names of the engine there, each with what it stands for."""

_GIVEN = frozenset({*dir(builtins), "__file__"})
"""The names that every module has."""


@dataclass(frozen=True)
class Written:
    """A file of a program as it was written.

    Args:
        source: the file of the script's.
        edits: what was replaced in it, in order.
        text: what was generated.
    """

    source: SourceFile
    edits: tuple[Replace, ...]
    text: str


def check(files: Sequence[Written], calls: Calls, is_done: Callable[[SourceFile], bool] | None = None) -> None:
    """Check that an output parses, and is right as far as that can be told without knowing what was meant.

    It differs from the input only inside the edits, would not be converted again, uses no name that nothing binds, or
    that is bound further down, nor its engine before it is started, and lets no process wait alone.

    Args:
        files: the generated program: the script, and the project modules that are changed.
        calls: of its engine.
        is_done: says of a program that it is distributed already.

    Raises:
        CheckError: it does not.
    """
    outputs = [_output(file) for file in files]
    for file, output in zip(files, outputs, strict=True):
        _check_edits(file, output)
    alone = next(waiting_alone(outputs, calls), None)
    if alone is not None:
        raise CheckError(f"the generated program has a collective that not all processes reach: {ast.unparse(alone)}.")
    for file, output in zip(files, outputs, strict=True):
        _check_names(file, output)
    hasty = next(before_the_start(outputs[0], calls), None)
    if hasty is not None:
        raise CheckError(f"the generated program uses its engine before it starts it: {ast.unparse(hasty)}.")
    if is_done is not None and not is_done(outputs[0]):
        raise CheckError("the generated program would be converted again.")


def _output(file: Written) -> SourceFile:
    output = SourceFile.from_text(file.text, file.source.path)
    try:
        output.tree  # noqa: B018
    except SourceError as error:
        raise CheckError(f"the generated program is not Python: {error.message}", place=error.place) from error
    twice = next((name for call in output.nodes.of(ast.Call) for name in _given_twice(call)), None)
    if twice is not None:
        raise CheckError(f"the generated program is not Python: a call is given {twice} twice.")
    return output


def _given_twice(call: ast.Call) -> Iterator[str]:
    """The arguments that a call is given twice by name: Python's parser lets them through."""
    names = [keyword.arg for keyword in call.keywords if keyword.arg]
    yield from (name for name in dict.fromkeys(names) if names.count(name) > 1)


def _check_edits(file: Written, output: SourceFile) -> None:
    source, text = file.source, file.text
    again = source.read_back(text)
    if again is not None and ast.dump(again.tree) != ast.dump(output.tree):
        raise CheckError("the cells of the generated notebook do not make up the program.")
    if _without(source, file.edits, text) != source.text:
        raise CheckError("the generated program differs from the script outside the recorded edits.")
    if file.edits and text == source.text:
        raise CheckError("the edits change nothing.")


def _check_names(file: Written, output: SourceFile) -> None:
    source, text = file.source, file.text
    unbound = unbound_names(text)
    if unbound and (new := unbound - unbound_names(source.text)):
        raise CheckError(f"the generated program uses names that nothing binds: {', '.join(sorted(new))}.")
    early = early_names(output)
    if early and (new := early - early_names(source)):
        raise CheckError(f"the generated program uses names before it binds them: {', '.join(sorted(new))}.")


def unbound_names(text: str) -> frozenset[str]:
    """Names that a module uses and binds nowhere, neither itself nor Python; none where a star import may bind them.

    Python's own compiler says what is bound where (``symtable``), not the module of Corro that looks names up.
    """
    pending = [symtable.symtable(text, "program", "exec")]
    bound, used = set(_GIVEN), set()
    while pending:
        table = pending.pop()
        pending += table.get_children()
        for symbol in table.get_symbols():
            if symbol.is_assigned() or symbol.is_imported():
                bound |= {symbol.get_name()} if table.get_type() == "module" or symbol.is_declared_global() else set()
            if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module"):
                used.add(symbol.get_name())
    if re.search(r"\bimport\s*\*", text):
        stars = any(isinstance(n, ast.ImportFrom) and n.names[0].name == "*" for n in walk(ast.parse(text)))
        return frozenset() if stars else frozenset(used - bound)
    return frozenset(used - bound)


def early_names(file: SourceFile) -> frozenset[str]:
    """Names that a module uses as it runs, and binds in later statements only; definitions run later."""
    everywhere = {name for node in file.nodes.of(ast.Global) for name in node.names}
    bound = set(_GIVEN) | everywhere
    early: set[str] = set()
    for stmt in file.tree.body:
        parts = [*_run_at_once(stmt)]
        names = {name for part in parts for name in _bound_by(part)}
        used = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
        early |= used - bound - names
        bound |= names
    return frozenset(early & bound)


def _run_at_once(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement, without what is within definitions."""
    yield node
    inner = node.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)) else ()
    for child in children(node):
        if child is not inner and not (isinstance(inner, list) and child in inner):
            yield from _run_at_once(child)


def _bound_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name


def before_the_start(file: SourceFile, calls: Calls) -> Iterator[ast.Call]:
    """Calls of an engine that a module makes as it runs, in front of the call that starts the engine."""
    engine = _names(file, calls)
    parts = (part for stmt in file.tree.body for part in _run_at_once(stmt))
    made = [(part, _called_of(part, engine)) for part in parts if isinstance(part, ast.Call)]
    made = sorted((each for each in made if each[1]), key=lambda each: position(each[0]))
    start = next((number for number, (_, name) in enumerate(made) if name == calls.start), 0)
    yield from (call for call, _ in made[:start])


def waiting_alone(files: Sequence[SourceFile], calls: Calls) -> Iterator[ast.Call]:
    """Collectives under a condition on the rank, there or in functions of the program that are named there.

    Args:
        files: those of the program.
        calls: of its engine.
    """
    functions: dict[str, list[_Part]] = {}
    asked: list[_Part] = []
    for file in files:
        engine = _names(file, calls)
        turns = [*_turns(file, engine, calls)]
        asked += [(between, engine, "") for between, _ in turns]
        paired = {part for _, pair in turns for part in pair}
        for node in file.nodes.of(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.If, ast.IfExp):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                functions.setdefault(node.name, []).append((node, engine, ""))
            elif isinstance(node, ast.ClassDef):
                for method in (each for each in node.body if isinstance(each, ast.FunctionDef)):
                    functions.setdefault(f"{node.name}.{method.name}", []).append((method, engine, node.name))
            elif isinstance(node, (ast.If, ast.IfExp)) and node not in paired and _asks_rank(node.test, engine, calls):
                for arm in (node.body, node.orelse):
                    asked += [(part, engine, "") for part in (arm if isinstance(arm, list) else [arm])]
    yield from _collectives(asked, functions, calls)


def _turns(
    file: SourceFile, engine: Mapping[str, str], calls: Calls
) -> Iterator[tuple[ast.stmt, tuple[ast.If, ast.If]]]:
    """Statements that rank 0 runs before the others do, each with the conditions around it under which they wait."""
    fields = ("body", "orelse", "finalbody")
    found = (getattr(node, field, None) for node in file.nodes if "body" in node._fields for field in fields)
    for block in (each for each in found if isinstance(each, list)):
        for before, between, behind in zip(block, block[1:], block[2:], strict=False):
            waits = [_waits(each, engine, calls) for each in (before, behind)]
            if all(waits) and waits[0] == waits[1] and _are_opposite(before.test, behind.test):
                yield between, (before, behind)


def _waits(statement: ast.stmt, engine: Mapping[str, str], calls: Calls) -> str:
    """The collective that is all there is under a condition on the rank; empty where that is not so."""
    if not isinstance(statement, ast.If) or statement.orelse or not _asks_rank(statement.test, engine, calls):
        return ""
    only = statement.body[0] if len(statement.body) == 1 else None
    call = only.value if isinstance(only, ast.Expr) else None
    return ast.dump(call) if isinstance(call, ast.Call) and _called_of(call, engine) in calls.collectives else ""


def _are_opposite(one: ast.expr, other: ast.expr) -> bool:
    """Whether exactly one of two conditions holds, as their text tells: ``rank != 0`` and ``rank == 0``."""
    if isinstance(one, ast.Compare) and isinstance(other, ast.Compare):
        same = ast.dump(one.left) == ast.dump(other.left) and len(one.ops) == len(other.ops) == 1
        equal = ast.dump(one.comparators[0]) == ast.dump(other.comparators[0])
        return same and equal and {type(one.ops[0]), type(other.ops[0])} == {ast.Eq, ast.NotEq}
    return isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not) and ast.dump(one.operand) == ast.dump(other)


def _names(file: SourceFile, calls: Calls) -> Mapping[str, str]:
    """The names that modules of the engine have in a file, what is imported from them, and the objects made of that."""
    imported = {
        alias.asname or alias.name: f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
        for node in file.statements
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    found = {name: dotted for name, dotted in imported.items() if dotted.startswith(calls.modules)}
    for node in file.statements:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            head, dot, rest = _dotted(node.value.func).partition(".")
            if f"{imported.get(head, head)}{dot}{rest}" in calls.modules:
                found.update({target.id: "" for target in node.targets if isinstance(target, ast.Name)})
    return found


def _called_of(call: ast.Call, engine: Mapping[str, str]) -> str:
    """The function or method of the engine that is called: its last name; empty for any other."""
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        return call.func.attr if call.func.value.id in engine else ""
    return engine.get(call.func.id, "").rpartition(".")[2] if isinstance(call.func, ast.Name) else ""


def _asks_rank(test: ast.expr, engine: Mapping[str, str], calls: Calls) -> bool:
    for node in walk(test):
        if isinstance(node, ast.Attribute) and node.attr in calls.ranks and _root(node) in engine:
            return True
        if isinstance(node, ast.Name) and engine.get(node.id, "").rpartition(".")[2] in calls.ranks:
            return True
    return False


def _root(node: ast.expr) -> str:
    """The name that an attribute begins with; empty where it begins otherwise."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _dotted(node: ast.expr) -> str:
    """A name with attributes as it is written; empty for any other expression."""
    outer = _dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{outer}.{node.attr}" if isinstance(node, ast.Attribute) and outer else getattr(node, "id", "")


def _collectives(parts: Sequence[_Part], functions: Mapping[str, list[_Part]], calls: Calls) -> Iterator[ast.Call]:
    """The collectives in parts of files, each with what the engine is called there, and in functions they name."""
    seen: set[ast.AST] = set()
    pending = list(parts)
    while pending:
        part, engine, owner = pending.pop()
        for node in walk(part):
            if not isinstance(node, ast.Call):
                continue
            if _called_of(node, engine) in calls.collectives:
                yield node
            called = [f for name in _called(node, owner) for f in functions.get(name, ()) if f[0] not in seen]
            seen.update(function for function, *_ in called)
            pending += called


def _called(node: ast.Call, owner: str) -> Iterator[str]:
    """The functions that are called, as a method with its class in front, and the names handed to what calls them."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if isinstance(node.func, ast.Name):
        yield from (name, f"{name}.__init__")
    elif owner and isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "self":
        yield f"{owner}.{name}"
    if name in ("map", "filter", "partial"):
        yield from (argument.id for argument in node.args if isinstance(argument, ast.Name))


def _without(source: SourceFile, edits: tuple[Replace, ...], text: str) -> str:
    """The output with every edit taken back."""
    original: list[str] = []
    position = 0
    for edit in edits:
        length = edit.span.start - sum(map(len, original))
        original.append(text[position : position + length])
        position += length
        if text[position : position + len(edit.text)] != edit.text:
            return "<an edit is not where it should be>"
        position += len(edit.text)
        original.append(source.text[edit.span.start : edit.span.end])
    original.append(text[position:])
    return "".join(original)
