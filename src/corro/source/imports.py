"""Where new imports go, and which are needed at all."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.source.edits import After, Before, EditError, Import, Insert

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.source.edits import Edit
    from corro.source.file import SourceFile

_FIRST = -(1 << 30)


def place_imports(source: SourceFile, edits: Sequence[Edit]) -> list[After | Before | Insert]:
    """The lines for all ``Import`` of ``edits``, in front of all other new lines that run when the module does.

    They stand after the leading imports, else after the docstring, else in front of the code.

    Raises:
        EditError: the text of one is no import statement.
    """
    imports = [edit for edit in edits if isinstance(edit, Import)]
    body = source.tree.body
    first = _untouched(body, edits)
    existing = set(_existing(first))
    lines = [line for line in _sorted(imports) if not set(_bindings(ast.parse(line).body)) <= existing]
    if not lines:
        return []
    text = "\n".join(lines)
    if not body:
        gap = "\n" if source.text and source.text[-1] not in "\r\n" else ""
        return [Insert(len(source.text), f"{gap}{text}\n")]
    last = _anchor(first, late=any(edit.late for edit in imports))
    if last is None:
        return [Before(body[0], text + "\n\n", _FIRST)]
    return [After(last, ("\n" if isinstance(last, ast.Expr) else "") + text, _FIRST)]


def _sorted(imports: Iterable[Import]) -> list[str]:
    """The texts, each once: by order, then ``import x`` before ``from x import y``, then by text."""
    orders: dict[str, int] = {}
    for edit in imports:
        text = edit.text.strip()
        orders[text] = min(edit.order, orders.get(text, edit.order))
    return sorted(orders, key=lambda text: (orders[text], text.startswith("from"), text))


def _bindings(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, str, str | None]]:
    """What import statements bind: module, name in it and the name given to it."""
    for stmt in statements:
        if isinstance(stmt, ast.Import):
            yield from (("", alias.name, alias.asname) for alias in stmt.names)
        elif isinstance(stmt, ast.ImportFrom):
            module = "." * stmt.level + (stmt.module or "")
            yield from ((module, alias.name, alias.asname) for alias in stmt.names)
        else:
            raise EditError(f"no import statement: {ast.unparse(stmt)}")


def _existing(body: Iterable[ast.stmt]) -> Iterator[tuple[str, str, str | None]]:
    """What is imported at module level before anything happens but settings."""
    for stmt in body:
        docstring = isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)
        leads = docstring or _is_dunder(stmt) or sets_environment(stmt) or sets_path(stmt)
        leads = leads or isinstance(stmt, (ast.If, ast.Try))
        if not leads and not isinstance(stmt, (ast.Import, ast.ImportFrom)):
            return
        if isinstance(stmt, (ast.Import, ast.ImportFrom)):
            yield from _bindings([stmt])


def _untouched(body: Sequence[ast.stmt], edits: Iterable[Edit]) -> Sequence[ast.stmt]:
    """The statements in front of the first new lines."""
    above = {edit.stmt for edit in edits if isinstance(edit, Before)}
    below = {edit.stmt for edit in edits if isinstance(edit, After)}
    for number, stmt in enumerate(body):
        if stmt in above or stmt in below:
            return body[: number + (stmt not in above)]
    return body


def _anchor(body: Sequence[ast.stmt], *, late: bool) -> ast.stmt | None:
    """The statement that new imports follow: the last import of the leading block, else the docstring, else none."""
    last: ast.stmt | None = None
    for number, stmt in enumerate(body):
        if _is_dunder(stmt) or sets_path(stmt):
            continue
        docstring = number == 0 and isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)
        if late and sets_environment(stmt):
            continue
        if not (docstring and isinstance(stmt.value.value, str)) and not imports_only(stmt):  # type: ignore[attr-defined]
            break
        last = stmt
    return last


def _is_dunder(stmt: ast.stmt) -> bool:
    """``__author__ = "..."``, which may stand in front of the imports."""
    if not isinstance(stmt, ast.Assign) or not isinstance(stmt.value, ast.Constant):
        return False
    return all(isinstance(name, ast.Name) and name.id.startswith("__") for name in stmt.targets)


def sets_environment(stmt: ast.stmt) -> bool:
    """Whether a statement is ``os.environ[...] = ...``, which has to happen before what it is for is imported."""
    target = stmt.targets[0] if isinstance(stmt, ast.Assign) else None
    if isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call):
        target = stmt.value.func  # os.environ.setdefault(...)
    owner = target.value if isinstance(target, (ast.Subscript, ast.Attribute)) else None
    return isinstance(owner, ast.Attribute) and owner.attr == "environ"


def sets_path(stmt: ast.stmt) -> bool:
    """Whether a statement puts a folder on ``sys.path``, from which others are imported then."""
    if isinstance(stmt, ast.If):
        return not stmt.orelse and all(map(sets_path, stmt.body))
    if not isinstance(stmt, ast.Expr) or not isinstance(stmt.value, ast.Call):
        return False
    return ast.unparse(stmt.value.func) in ("sys.path.append", "sys.path.insert", "sys.path.extend", "site.addsitedir")


def imports_only(stmt: ast.stmt) -> bool:
    """Whether a statement imports and does nothing else: plainly, or as a ``try`` or ``if TYPE_CHECKING`` does."""
    if isinstance(stmt, ast.Try):
        blocks = [stmt.body, *(handler.body for handler in stmt.handlers), stmt.orelse, stmt.finalbody]
        return all(imports_only(part) or _notes(part) for block in blocks for part in block)
    if isinstance(stmt, ast.If):
        return ast.unparse(stmt.test).endswith(("TYPE_CHECKING", "sys.version_info")) and imports_only(stmt.body[0])
    return isinstance(stmt, (ast.Import, ast.ImportFrom))


def _notes(stmt: ast.stmt) -> bool:
    """``found = True``, as a ``try`` keeps whether there is a module."""
    return isinstance(stmt, ast.Pass) or (isinstance(stmt, ast.Assign) and isinstance(stmt.value, ast.Constant))
