"""Whether a function that nobody was seen to call may be called after all: by code that runs, or by a library."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.python import asks_for_main
from corro.frontends.effects import CALLED_BY_LIBRARIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from corro.rules.base import Job

Function = ast.FunctionDef | ast.AsyncFunctionDef

_PLAIN = frozenset({"staticmethod", "classmethod", "property", "torch.no_grad", "torch.inference_mode"})
"""Decorators that tell nobody of what they decorate."""
_ATTRIBUTES = frozenset({"__dict__", "import_module"})
_LOOKING_UP = _ATTRIBUTES | {"globals", "locals", "vars", "eval", "exec", "getattr", "__import__"}


def is_followed(job: Job, function: Function | ast.Lambda) -> bool:
    """Whether the body of a function was run in the analysis, at least once."""
    body = function.body if isinstance(function, ast.Lambda) else function.body[0]
    return body in job.facts.units


def is_mentioned(job: Job, function: Function) -> bool:
    """Whether a function is used anywhere in a way that is not followed."""
    if _is_registered(job, function) or is_followed(job, function):
        return True
    return next(_mentions(job, function), None) is not None


def may_be_called(job: Job, function: Function) -> bool:
    """Whether a function that is not followed may be called by code that runs, or handed on there.

    Code that the analysis came by and did not run stands after the end of the program, or in an arm that is decided:
    it does not run, unless its function is handed on as well. Code of a function that is not followed may run if that
    function may be called. Of that one a library may know, too, where it need not be named: by a decorator, as a method
    of a class that has a base, or by its name as a text.
    """
    if _is_registered(job, function):
        return True
    seen = {function}
    waiting = [*_mentions(job, function)]
    while waiting:
        node = waiting.pop()
        if job.statement(node) in job.facts.units:
            return True
        inside = _function_around(job, node)
        if inside is None or inside in seen:
            continue
        seen.add(inside)
        if is_followed(job, inside):
            waiting += (each for each in _mentions(job, inside) if not _is_followed_call(job, each))
            continue
        if _is_decorated(job, inside) or any(_looks_up(job, n) for w in _LOOKING_UP for n in job.mentions.get(w, ())):
            return True
        waiting += (*_mentions(job, inside), *_mentions_of_class(job, inside))
    return False


def may_be_asked_by_others(job: Job, node: ast.AST, handed: Callable[[ast.Call], bool]) -> bool:
    """Whether the functions that something stands in may be called by code that the analysis has not followed.

    Args:
        job: what is known of the script.
        node: what stands in them.
        handed: whether a call is given functions to be called in its own way: a loader, whose workers call them.
    """
    seen: set[Function] = set()
    waiting = [node]
    while waiting:
        inside = _function_around(job, waiting.pop())
        if inside is None or inside in seen:
            continue
        seen.add(inside)
        if not is_followed(job, inside) and not may_be_called(job, inside):
            continue
        mentions = [*_mentions(job, inside)]
        if not is_followed(job, inside) or any(_is_given(job, each, handed) for each in mentions):
            return True
        waiting += mentions
    return False


def _is_given(job: Job, node: ast.AST, handed: Callable[[ast.Call], bool]) -> bool:
    above = job.parent(node)
    call = job.parent(above) if isinstance(above, ast.keyword) else above
    return isinstance(call, ast.Call) and call.func is not node and handed(call)


def _is_registered(job: Job, function: Function) -> bool:
    return any(n.endswith(".register") for d in function.decorator_list for n in job.names_of(d).qualified(d))


def _mentions(job: Job, function: Function) -> Iterator[ast.AST]:
    """The names and attributes that may mean a function, or the class of a method that libraries call."""
    owner = job.parent(function)
    word = function.name
    if isinstance(owner, ast.ClassDef) and (word.startswith("__") or word in CALLED_BY_LIBRARIES):
        word = owner.name
    return (node for node in job.mentions.get(word, ()) if _may_mean(job, node, function))


def _mentions_of_class(job: Job, function: Function) -> Iterator[ast.AST]:
    """The names that may mean the class of a method, where it has a base, which may call its methods."""
    owner = job.parent(function)
    based = isinstance(owner, ast.ClassDef) and bool(owner.bases or owner.keywords)
    words = job.mentions.get(owner.name, ()) if isinstance(owner, ast.ClassDef) and based else ()
    return (node for node in words if _may_mean(job, node, function))


def _is_followed_call(job: Job, node: ast.AST) -> bool:
    """Whether a name or an attribute is that of a function that is called there, and this call is followed."""
    user = job.parent(node)
    return isinstance(user, ast.Call) and user.func is node and user in job.facts.units


def _function_around(job: Job, node: ast.AST) -> Function | None:
    """The function whose body something stands in; what its head says is computed outside."""
    inner = node
    for above in job.ancestors(node):
        if isinstance(above, Function) and inner in above.body:
            return above
        inner = above
    return None


def _is_decorated(job: Job, function: Function) -> bool:
    """Whether a decorator may tell somebody of a function, or of the class that it is a method of."""
    owner = job.parent(function)
    decorators = [*function.decorator_list, *(owner.decorator_list if isinstance(owner, ast.ClassDef) else ())]
    names = [{*job.names_of(each).qualified(each), ast.unparse(each)} for each in decorators]
    return any(not each & _PLAIN for each in names)


def _looks_up(job: Job, node: ast.AST) -> bool:
    """Whether something is looked up, or run, by a text that is not written there."""
    if isinstance(node, ast.Attribute):
        return node.attr in _ATTRIBUTES
    call = job.parent(node)
    if not isinstance(node, ast.Name) or not isinstance(call, ast.Call) or call.func is not node:
        return True
    if node.id == "vars":
        return not call.args or job.value(call.args[0]).kind is not Kind.NAMESPACE
    return node.id != "getattr" or len(call.args) < 2 or not isinstance(call.args[1], ast.Constant)


def _may_mean(job: Job, node: ast.AST, function: Function) -> bool:
    """Whether a name or an attribute that is spelt like a function may be that function, where this run gets to it."""
    file, above = job.file_of(node), [*job.ancestors(node)]
    in_other_main = file is not job.script and any(
        isinstance(each, ast.If) and asks_for_main(each.test) for each in above
    )
    if function in above or in_other_main or _is_another(job, node, function):
        return False
    if not isinstance(node, ast.Name) or file is job.file_of(function):
        return True
    imported = any("." in name and not name.startswith("builtins.") for name in job.names_of(node).qualified(node))
    return imported or any(isinstance(each, ast.ImportFrom) and each.names[0].name == "*" for each in file.statements)


def _is_another(job: Job, node: ast.AST, function: ast.AST) -> bool:
    """Whether a name or an attribute is known to be something of a library, or another function of the script."""
    value = job.value(node)
    if value.kind is Kind.FUNCTION and value.obj in job.facts.defined:
        return job.facts.defined[value.obj][0] is not function
    if value.kind is Kind.METHOD:
        owner = value.items[0] if value.items else value
        return owner.kind is Kind.MODULE and not (owner.obj or owner.locations)
    package, dot, _ = value.name.partition(".")
    own = {part for file in job.files for part in (*file.path.parts, file.path.stem)}
    return isinstance(node, ast.Attribute) and value.kind is Kind.LIBRARY and bool(dot) and package not in own
