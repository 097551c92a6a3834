"""Scopes, and the one walk over a tree that finds them."""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


class Kind(str, Enum):
    """What opens a scope. ``TYPES`` holds the type parameters of Python 3.12's ``def f[T]``."""

    MODULE = "module"
    FUNCTION = "function"
    CLASS = "class"
    LAMBDA = "lambda"
    COMPREHENSION = "comprehension"
    TYPES = "types"


class Unknown(Enum):
    """A binding whose value has no name: a parameter, a loop variable, a definition, the result of a call."""

    VALUE = "value"


Value = str | ast.expr | Unknown | None
"""What a binding gives a name: a dotted name (import), an expression, something unknown, or nothing (``del``)."""


class Scope:
    """A block of names.

    Attributes:
        kind: what opened it.
        node: the module, definition, lambda or comprehension it belongs to.
        parent: the scope around it; None for the module.
        globals_: the names it declares ``global``.
        nonlocals: the names it declares ``nonlocal``.
        stars: the modules of its ``from module import *``.
    """

    __slots__ = ("globals_", "kind", "node", "nonlocals", "parent", "stars", "values")

    def __init__(self, kind: Kind, node: ast.AST, parent: Scope | None) -> None:
        self.kind = kind
        self.node = node
        self.parent = parent
        self.globals_: frozenset[str] = frozenset()
        self.nonlocals: frozenset[str] = frozenset()
        self.stars: tuple[str, ...] = ()
        self.values: dict[str, list[Value]] = {}

    @property
    def bound(self) -> frozenset[str]:
        """The names that are bound in this scope itself."""
        return frozenset(self.values)

    def __repr__(self) -> str:
        return f"<{self.kind.value} scope {getattr(self.node, 'name', '')!r}, {len(self.values)} names>"


_NO_CHILDREN = frozenset({"ctx", "op", "ops", "id", "attr", "arg", "kind", "type_comment", "level", "module", "name"})


class _Fields(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of a node class that can hold nodes with names in them."""

    def __missing__(self, cls: type[ast.AST]) -> tuple[str, ...]:
        found = () if issubclass(cls, ast.Constant) else tuple(f for f in cls._fields if f not in _NO_CHILDREN)
        self[cls] = found
        return found


_FIELDS = _Fields()


class Walk:
    """One walk over a module: the scope of every node, and what each scope binds.

    Attributes:
        module: the outermost scope.
        scopes: the scope in which each node is evaluated.
        bodies: the scope that each node opens.
        names: all ``ast.Name`` nodes.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.module = Scope(Kind.MODULE, tree, None)
        self.scopes: dict[ast.AST, Scope] = {}
        self.bodies: dict[ast.AST, Scope] = {tree: self.module}
        self.names: list[ast.Name] = []
        self._declaring: list[Scope] = []
        self._todo: list[tuple[ast.AST, Scope]] = [(tree, self.module)]
        self._walk()
        for scope in self._declaring:
            self._redirect(scope)

    def _walk(self) -> None:
        todo, scopes, handlers, fields = self._todo, self.scopes, _HANDLERS, _FIELDS
        while todo:
            node, scope = todo.pop()
            scopes[node] = scope
            cls = node.__class__
            handler = handlers.get(cls)
            if handler is not None:
                handler(self, node, scope)
                continue
            for field in fields[cls]:
                value = getattr(node, field, None)
                if value.__class__ is list:
                    todo.extend([(child, scope) for child in value if isinstance(child, ast.AST)])
                elif isinstance(value, ast.AST):
                    todo.append((value, scope))

    def _redirect(self, scope: Scope) -> None:
        """Hand what a scope binds under ``global`` to the module; what is ``nonlocal`` is bound further out."""
        for name in scope.globals_ & scope.values.keys():
            self.module.values.setdefault(name, []).extend(scope.values.pop(name))
        for name in scope.nonlocals & scope.values.keys():
            values = scope.values.pop(name)
            owner = lookup(name, scope, self.module)
            if owner is not None:
                owner.values[name].extend(values)

    def _visit(self, nodes: Iterable[ast.AST | None], scope: Scope) -> None:
        self._todo.extend([(node, scope) for node in nodes if node is not None])

    @staticmethod
    def _bind(scope: Scope, name: str, value: Value) -> None:
        scope.values.setdefault(name, []).append(value)

    def _open(self, kind: Kind, node: ast.AST, parent: Scope) -> Scope:
        scope = self.bodies[node] = Scope(kind, node, parent)
        return scope

    def _name(self, node: ast.Name, scope: Scope) -> None:
        self.names.append(node)
        if node.ctx.__class__ is not ast.Load:
            self._bind(scope, node.id, None if node.ctx.__class__ is ast.Del else Unknown.VALUE)

    def _assign(self, node: ast.Assign, scope: Scope) -> None:
        for target in node.targets:
            self._target(target, node.value, scope)
        self._visit((node.value,), scope)

    def _annotated(self, node: ast.AnnAssign, scope: Scope) -> None:
        if isinstance(node.target, ast.Name):
            self._mention(node.target, scope)
            if node.simple or node.value is not None:
                self._bind(scope, node.target.id, node.value)
        else:
            self._visit((node.target,), scope)
        self._visit((node.annotation, node.value), scope)

    def _target(self, target: ast.expr, value: ast.expr, scope: Scope) -> None:
        """A target with the expression it is given; targets that unpack are left to the walk."""
        if isinstance(target, ast.Name):
            self._mention(target, scope)
            self._bind(scope, target.id, value)
        else:
            self._visit((target,), scope)

    def _mention(self, node: ast.Name, scope: Scope) -> None:
        self.names.append(node)
        self.scopes[node] = scope

    def _walrus(self, node: ast.NamedExpr, scope: Scope) -> None:
        self._mention(node.target, scope)
        owner = scope
        while owner.kind is Kind.COMPREHENSION and owner.parent is not None:
            owner = owner.parent
        self._bind(owner, node.target.id, node.value)
        self._visit((node.value,), scope)

    def _type_parameters(self, node: ast.AST, scope: Scope) -> Scope:
        """The scope of a definition's type parameters; the one around it where there are none."""
        parameters: Sequence[Any] = getattr(node, "type_params", ())
        if not parameters:
            return scope
        inner = Scope(Kind.TYPES, node, scope)
        for parameter in parameters:
            self._bind(inner, parameter.name, Unknown.VALUE)
        self._visit(parameters, inner)
        return inner

    def _type_alias(self, node: Any, scope: Scope) -> None:
        self._visit((node.name,), scope)
        self._visit((node.value,), self._type_parameters(node, scope))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        self._bind(scope, node.name, Unknown.VALUE)
        self._visit(node.decorator_list, scope)
        types = self._type_parameters(node, scope)
        inner = self._open(Kind.FUNCTION, node, types)
        self._arguments(node.args, scope, types, inner)
        self._visit((node.returns,), types)
        self._visit(node.body, inner)

    def _lambda(self, node: ast.Lambda, scope: Scope) -> None:
        inner = self._open(Kind.LAMBDA, node, scope)
        self._arguments(node.args, scope, scope, inner)
        self._visit((node.body,), inner)

    def _arguments(self, node: ast.arguments, scope: Scope, types: Scope, inner: Scope) -> None:
        """Parameters are bound inside, their annotations and defaults evaluated outside."""
        self.scopes[node] = inner
        for arg in (*node.posonlyargs, *node.args, node.vararg, *node.kwonlyargs, node.kwarg):
            if arg is not None:
                self.scopes[arg] = inner
                self._bind(inner, arg.arg, Unknown.VALUE)
                self._visit((arg.annotation,), types)
        self._visit(node.defaults, scope)
        self._visit(node.kw_defaults, scope)

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        self._bind(scope, node.name, Unknown.VALUE)
        self._visit(node.decorator_list, scope)
        types = self._type_parameters(node, scope)
        self._visit(node.bases, types)
        self._visit(node.keywords, types)
        self._visit(node.body, self._open(Kind.CLASS, node, types))

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, scope: Scope) -> None:
        inner = self._open(Kind.COMPREHENSION, node, scope)
        for number, generator in enumerate(node.generators):
            self.scopes[generator] = inner
            self._visit((generator.iter,), inner if number else scope)
            self._visit((generator.target, *generator.ifs), inner)
        self._visit((node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,), inner)

    def _global(self, node: ast.Global, scope: Scope) -> None:
        scope.globals_ |= frozenset(node.names)
        self._declaring.append(scope)

    def _nonlocal(self, node: ast.Nonlocal, scope: Scope) -> None:
        scope.nonlocals |= frozenset(node.names)
        self._declaring.append(scope)

    def _import(self, node: ast.Import, scope: Scope) -> None:
        for alias in node.names:
            self.scopes[alias] = scope
            top = alias.name.partition(".")[0]
            self._bind(scope, alias.asname or top, alias.name if alias.asname else top)

    def _import_from(self, node: ast.ImportFrom, scope: Scope) -> None:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            self.scopes[alias] = scope
            if alias.name == "*":
                scope.stars += (module,)
            else:
                self._bind(scope, alias.asname or alias.name, join(module, alias.name))

    def _named(self, node: Any, scope: Scope) -> None:
        """``except … as name`` and the captures of patterns."""
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        if name is not None:
            self._bind(scope, name, Unknown.VALUE)
        self._visit(ast.iter_child_nodes(node), scope)


_HANDLERS: dict[type[ast.AST], Callable[[Walk, Any, Scope], None]] = {
    ast.Name: Walk._name,
    ast.Assign: Walk._assign,
    ast.AnnAssign: Walk._annotated,
    ast.NamedExpr: Walk._walrus,
    ast.FunctionDef: Walk._function,
    ast.AsyncFunctionDef: Walk._function,
    ast.Lambda: Walk._lambda,
    ast.ClassDef: Walk._class,
    ast.ListComp: Walk._comprehension,
    ast.SetComp: Walk._comprehension,
    ast.DictComp: Walk._comprehension,
    ast.GeneratorExp: Walk._comprehension,
    ast.Global: Walk._global,
    ast.Nonlocal: Walk._nonlocal,
    ast.Import: Walk._import,
    ast.ImportFrom: Walk._import_from,
    ast.ExceptHandler: Walk._named,
    ast.MatchAs: Walk._named,
    ast.MatchStar: Walk._named,
    ast.MatchMapping: Walk._named,
}
if hasattr(ast, "TypeAlias"):
    _HANDLERS[ast.TypeAlias] = Walk._type_alias


def join(module: str, name: str) -> str:
    """``name`` in ``module``: ``torch.nn``, and ``.nn`` for ``from . import nn``."""
    return module + name if module.endswith(".") else f"{module}.{name}"


def lookup(name: str, scope: Scope, module: Scope) -> Scope | None:
    """The scope that binds ``name`` as seen from ``scope``; None when none does."""
    current: Scope | None = scope
    visible = True
    while current is not None:
        if current.kind is not Kind.CLASS or visible:
            if name in current.globals_:
                return module if name in module.values else None
            if name in current.values and name not in current.nonlocals:
                return current
        visible = current.kind is Kind.TYPES
        current = current.parent
    return None
