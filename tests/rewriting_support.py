"""The same script in another form: in a function or a class, definitions in a module, other names, a dict, a loop."""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Callable, Iterable
from typing import TypeVar

MODULE = "parts"
"""The name of the module that definitions are moved into."""

Node = TypeVar("Node", bound=ast.AST)
_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


def in_a_function(tree: ast.Module) -> dict[str, str] | None:
    """All that is no import in a function ``main``; definitions that use nothing of it stay where they are."""
    main = _main(tree)
    if main is None:
        return None
    head = [stmt for stmt in tree.body if stmt not in main]
    function = _function("main", [], main)
    return {"script.py": _text([*head, function, *_guarded("main()")])}


def in_a_class(tree: ast.Module) -> dict[str, str] | None:
    """The same in a method, with the script's variables as attributes; those of loops stay what they are."""
    main = _main(tree)
    if main is None or any(isinstance(stmt, ast.ClassDef) for stmt in main):  # whose methods have a self of their own
        return None
    head = [stmt for stmt in tree.body if stmt not in main]
    names = _variables(main)
    method = _function("run", ["self"], [_Elsewhere(names, _attribute).visit(copy.deepcopy(stmt)) for stmt in main])
    program = ast.ClassDef("Program", bases=[], keywords=[], body=[method], decorator_list=[])
    return {"script.py": _text([*head, program, *_guarded("Program().run()")])}


def in_a_module(tree: ast.Module) -> dict[str, str] | None:
    """Definitions that use nothing else of the script, and constants, in a module beside it."""
    imports = [stmt for stmt in tree.body if isinstance(stmt, _IMPORTS)]
    constants = [stmt for stmt in tree.body if isinstance(stmt, ast.Assign) and isinstance(stmt.value, ast.Constant)]
    moved: list[ast.stmt] = [stmt for stmt in tree.body if isinstance(stmt, _DEFINITIONS) and not _sets_globals(stmt)]
    known = {alias.asname or alias.name.partition(".")[0] for stmt in imports for alias in stmt.names}
    known |= {*dir(builtins), *_stored(constants)}
    while left := [
        stmt for stmt in moved if _loaded(stmt) - known - {s.name for s in moved if isinstance(s, _DEFINITIONS)}
    ]:
        moved = [stmt for stmt in moved if stmt not in left]
    if not moved:
        return None
    names = sorted(_stored(constants) | _defined(moved))
    line = ast.ImportFrom(MODULE, [ast.alias(name) for name in names], 0)
    rest = [stmt for stmt in tree.body if stmt not in moved and stmt not in constants]
    start = next((i for i, stmt in enumerate(rest) if not _is_head(stmt)), len(rest))
    module = [stmt for stmt in imports if getattr(stmt, "module", "") != "__future__"]
    return {
        "script.py": _text([*rest[:start], line, *rest[start:]]),
        f"{MODULE}.py": _text([*module, *constants, *moved]),
    }


def _sets_globals(stmt: ast.stmt) -> bool:
    """Whether a definition sets names of the module that it stands in."""
    return any(isinstance(node, ast.Global) for node in ast.walk(stmt))


def under_other_names(tree: ast.Module) -> dict[str, str] | None:
    """What is imported has another name."""
    tree = copy.deepcopy(tree)
    names: dict[str, str] = {}
    for node in (node for node in ast.walk(tree) if isinstance(node, _IMPORTS)):
        for alias in node.names:
            bound = alias.asname or alias.name
            if "." not in bound and bound != "*" and getattr(node, "module", "") != "__future__":
                names[bound] = alias.asname = f"{bound}_9"
    for name in (node for node in ast.walk(tree) if isinstance(node, ast.Name)):
        name.id = names.get(name.id, name.id)
    return {"script.py": _text(tree.body)}


def in_a_dict(tree: ast.Module) -> dict[str, str] | None:
    """The script's variables as items of a dict; those of loops and of ``:=`` stay what they are."""
    if any(isinstance(node, (ast.Global, ast.Nonlocal)) for node in ast.walk(tree)):
        return None
    body = [stmt for stmt in tree.body if not isinstance(stmt, _IMPORTS) and not _is_head(stmt)]
    names = _variables(body)
    if not names:
        return None
    changed = [_Elsewhere(names, _item).visit(copy.deepcopy(stmt)) for stmt in body]
    head = [stmt for stmt in tree.body if stmt not in body]
    return {"script.py": _text([*head, *ast.parse("held = {}").body, *changed])}


def in_a_loop(tree: ast.Module) -> dict[str, str] | None:
    """All that is no import in a loop, as where folds are gone through."""
    body = [stmt for stmt in tree.body if not isinstance(stmt, _IMPORTS) and not _is_head(stmt)]
    head = [stmt for stmt in tree.body if stmt not in body]
    fold = ast.parse("range(3)", mode="eval").body
    return {"script.py": _text([*head, ast.For(ast.Name("fold", ast.Store()), fold, body, [])])} if body else None


FORMS: tuple[Callable[[ast.Module], dict[str, str] | None], ...] = (
    in_a_function,
    in_a_class,
    in_a_module,
    under_other_names,
    in_a_dict,
    in_a_loop,
)
"""Each gives the files of the script in its form; ``None`` where it has no such form."""


def _main(tree: ast.Module) -> list[ast.stmt] | None:
    """What goes into the function: statements, and definitions that use their variables, straight or through others."""
    if any(isinstance(node, (ast.Global, ast.Nonlocal)) for node in ast.walk(tree)):
        return None
    inside = [stmt for stmt in tree.body if not isinstance(stmt, (*_DEFINITIONS, *_IMPORTS)) and not _is_head(stmt)]
    names = _stored(inside)
    while more := [s for s in tree.body if isinstance(s, _DEFINITIONS) and s not in inside and _loaded(s) & names]:
        inside += more
        names |= _defined(more)
    return [stmt for stmt in tree.body if stmt in inside] or None


def _is_head(stmt: ast.stmt) -> bool:
    """The docstring, and imports from the future."""
    text = isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)
    return text or (isinstance(stmt, ast.ImportFrom) and stmt.module == "__future__")


def _stored(stmts: Iterable[ast.stmt]) -> set[str]:
    """The names that statements bind, those of comprehensions aside."""
    found: set[str] = set()
    for stmt in stmts:
        own = {n for c in ast.walk(stmt) if isinstance(c, ast.comprehension) for n in ast.walk(c.target)}
        nodes = (n for n in ast.walk(stmt) if isinstance(n, ast.Name) and n not in own)
        found |= {n.id for n in nodes if isinstance(n.ctx, ast.Store)}
    return found


def _variables(body: list[ast.stmt]) -> set[str]:
    """The names that statements assign; those of loops, handlers and ``:=`` can be nothing but names, or mostly are."""
    nodes = [n for stmt in body for n in ast.walk(stmt)]
    bound = [n.target for n in nodes if isinstance(n, (ast.For, ast.NamedExpr))]
    kept = {n.id for target in bound for n in ast.walk(target) if isinstance(n, ast.Name)}
    kept |= {n.name for n in nodes if isinstance(n, ast.ExceptHandler) and n.name}
    return _stored(stmt for stmt in body if not isinstance(stmt, _DEFINITIONS)) - _defined(body) - kept


def _defined(stmts: Iterable[ast.stmt]) -> set[str]:
    return {stmt.name for stmt in stmts if isinstance(stmt, _DEFINITIONS)}


def _loaded(stmt: ast.stmt) -> set[str]:
    """The names that a definition uses and does not bind."""
    nodes = list(ast.walk(stmt))
    bound = {n.arg for n in nodes if isinstance(n, ast.arg)} | {n.name for n in nodes if isinstance(n, _DEFINITIONS)}
    bound |= {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} - bound


def _function(name: str, given: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    arguments = ast.arguments([], [ast.arg(each) for each in given], None, [], [], None, [])
    return ast.FunctionDef(name, arguments, body, decorator_list=[])


def _guarded(call: str) -> list[ast.stmt]:
    return ast.parse(f'if __name__ == "__main__":\n    {call}').body


def _text(body: list[ast.stmt]) -> str:
    return ast.unparse(ast.fix_missing_locations(ast.Module(body, type_ignores=[]))) + "\n"


def _attribute(node: ast.Name) -> ast.expr:
    return ast.Attribute(ast.Name("self", ast.Load()), node.id, node.ctx)


def _item(node: ast.Name) -> ast.expr:
    return ast.Subscript(ast.Name("held", ast.Load()), ast.Constant(node.id), node.ctx)


class _Elsewhere(ast.NodeTransformer):
    """Puts other places for names, but where a function or a comprehension has a name of its own."""

    def __init__(self, names: set[str], place: Callable[[ast.Name], ast.expr]) -> None:
        self._names = names
        self._place = place

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._place(node) if node.id in self._names else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return self._inside(node, {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)} | _stored(node.body))

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return self._inside(node, {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)})

    def _in_comprehension(self, node: ast.AST) -> ast.AST:
        targets = (c.target for c in ast.walk(node) if isinstance(c, ast.comprehension))
        return self._inside(node, {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)})

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _in_comprehension

    def _inside(self, node: Node, own: set[str]) -> Node:
        inner = _Elsewhere(self._names - own, self._place)
        inner.generic_visit(node)
        return node
