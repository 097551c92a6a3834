"""Shared by rules: whether all that is in a list or a set is text, by what is written where it is filled."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.rules.base import Job

_OF_TEXTS = frozenset({"capitalize", "casefold", "lower", "lstrip", "rstrip", "strip", "swapcase", "title", "upper"})
"""Methods that texts have, and give texts; those of a column of a table come after ``.str``."""
_COLLECTING = frozenset({"set", "frozenset", "list", "tuple", "sorted"})
_ADDING = frozenset({"add", "append"})
_JOINING = frozenset({"update", "extend"})
_LOOKING = frozenset({"len", "max", "min", "print", "enumerate", *_COLLECTING})
"""Functions that change nothing of what they are given."""
_LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)


def are_items(job: Job, node: ast.expr) -> bool:
    """Whether each item of a list or a set is a text."""
    return _are_items(job, node, frozenset())


def _are_items(job: Job, node: ast.expr, asked: frozenset[tuple[int, str]]) -> bool:
    match node:
        case ast.Name():
            return _are_items_of_name(job, node, asked)
        case ast.List(elts=items) | ast.Set(elts=items) | ast.Tuple(elts=items):
            return all(_is_text(job, item, asked) for item in items)
        case ast.ListComp(elt=item) | ast.SetComp(elt=item) | ast.GeneratorExp(elt=item):
            return _is_text(job, item, asked)
        case ast.Call(func=ast.Attribute(attr="split") as function, args=given, keywords=[]):
            return not _is_of_column(function) and all(_is_written(each) for each in given)
        case ast.Call(func=ast.Name(id=name) as function, args=given, keywords=[]) if name in _COLLECTING:
            own = job.names_of(node).binding(function) is None
            return own and all(_are_items(job, each, asked) for each in given)
        case ast.BinOp(left=left, op=ast.BitOr() | ast.Add(), right=right):
            return _are_items(job, left, asked) and _are_items(job, right, asked)
        case ast.BinOp(left=left, op=ast.Sub() | ast.BitAnd()):
            return _are_items(job, left, asked)
    return False


def _is_text(job: Job, node: ast.expr, asked: frozenset[tuple[int, str]]) -> bool:
    """Whether an expression gives a text, and nothing else."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, str)
        case ast.JoinedStr():
            return True
        case ast.Call(func=ast.Attribute(attr=name) as function, args=given, keywords=[]) if name in _OF_TEXTS:
            return not _is_of_column(function) and all(map(_is_written, given))
        case ast.Name() if _is_text_of_name(job, node, asked):
            return True
    known = job.value(node)
    return known.kind is Kind.TEXT and not known.may_be_none


def _is_of_column(function: ast.Attribute) -> bool:
    """Whether a method is one for the texts of a column: ``table.word.str.lower()``."""
    return isinstance(function.value, ast.Attribute) and function.value.attr == "str"


def _is_written(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _are_items_of_name(job: Job, name: ast.Name, asked: frozenset[tuple[int, str]]) -> bool:
    """Whether a variable holds texts only: all that it is set to, and all that is put in."""
    stores = _stores(job, name)
    key = (id(job.names_of(name).binding(name)), name.id)
    if key in asked:  # what it is made of itself adds nothing
        return True
    asked |= {key}
    made = [_given(job, use) for use in stores]
    if not made or not all(each is not None and _are_items(job, each, asked) for each in made):
        return False
    return all(_keeps_texts(job, use, asked) for use in _loads(job, name))


def _is_text_of_name(job: Job, name: ast.Name, asked: frozenset[tuple[int, str]]) -> bool:
    key = (id(job.names_of(name).binding(name)), name.id)
    if key in asked:
        return False
    asked |= {key}
    stores = _stores(job, name)
    return bool(stores) and all(_is_set_to_text(job, use, asked) for use in stores)


def _is_set_to_text(job: Job, use: ast.Name, asked: frozenset[tuple[int, str]]) -> bool:
    above = job.file_of(use).parent(use)
    if isinstance(above, _LOOPS) and above.target is use:
        return _are_items(job, above.iter, asked)
    value = _given(job, use)
    return value is not None and _is_text(job, value, asked)


def _stores(job: Job, name: ast.Name) -> list[ast.Name]:
    """Where a variable is set; none where it is a parameter, or is not one of a function or a file alone."""
    names = job.names_of(name)
    scope = names.binding(name)
    elsewhere = scope is names.module and job.file_of(name) is not job.script  # other files may fill it too
    if scope is None or elsewhere or isinstance(scope.node, ast.ClassDef):
        return []
    uses = [use for use in names.uses(name.id, scope) if not isinstance(use.ctx, ast.Load)]
    bound = [argument for argument in _parameters(scope.node) if argument == name.id]
    return [] if bound else uses


def _parameters(node: ast.AST) -> Iterator[str]:
    arguments = getattr(node, "args", None)
    if isinstance(arguments, ast.arguments):
        yield from (part.arg for part in ast.walk(arguments) if isinstance(part, ast.arg))


def _given(job: Job, use: ast.Name) -> ast.expr | None:
    """What a plain assignment sets a variable to."""
    above = job.file_of(use).parent(use)
    if isinstance(above, ast.Assign) and use in above.targets:
        return above.value
    joined = isinstance(above, ast.AugAssign) and isinstance(above.op, (ast.Add, ast.BitOr, ast.Sub, ast.BitAnd))
    return above.value if isinstance(above, ast.AnnAssign) or joined else None  # type: ignore[union-attr]


def _loads(job: Job, name: ast.Name) -> list[ast.Name]:
    names = job.names_of(name)
    return [use for use in names.uses(name.id, names.binding(name)) if isinstance(use.ctx, ast.Load)]


def _keeps_texts(job: Job, use: ast.Name, asked: frozenset[tuple[int, str]]) -> bool:
    """Whether a use of a variable puts nothing but texts into what it holds."""
    file = job.file_of(use)
    above = file.parent(use)
    call = file.parent(above) if above is not None else None
    match above:
        case ast.Attribute(attr=name) if isinstance(call, ast.Call) and call.func is above:
            if name in _ADDING:
                return len(call.args) == 1 and _is_text(job, call.args[0], asked)
            if name in _JOINING:
                return all(_are_items(job, each, asked) for each in call.args)
            return name in ("sort", "remove", "discard", "clear", "count", "index", "copy", "reverse")
        case ast.Call(func=ast.Name(id=name)):
            return name in _LOOKING and use in above.args
        case ast.For() | ast.comprehension():
            return above.iter is use
        case ast.Compare() | ast.BinOp():
            return True
    return False
