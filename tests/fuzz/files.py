"""Takes a script apart: some of its definitions move into a module beside it, which it imports."""

from __future__ import annotations

import ast
import builtins
import random
from dataclasses import dataclass

from fuzz.trial import Recipe

MODULE = "parts"


@dataclass(frozen=True)
class TakenApart:
    """A recipe whose script stands in two files."""

    recipe: Recipe
    seed: int

    @property
    def framework(self) -> str:
        """What it trains with."""
        return self.recipe.framework

    @property
    def text(self) -> str:
        """The script."""
        return self.files["script.py"]

    @property
    def files(self) -> dict[str, str]:
        """The texts by the names of the files."""
        return take_apart(self.recipe.text, random.Random(self.seed))

    def divides(self, size: int) -> bool:
        """Whether each of so many processes trains with as many samples as the others, none of them twice."""
        return self.recipe.divides(size)


def take_apart(text: str, rng: random.Random) -> dict[str, str]:
    """The files of a script some of whose definitions, or of whose first statements, moved; itself where none can."""
    ways = (_cut, _definitions_moved) if rng.random() < 0.4 else (_definitions_moved, _cut)
    made = [way(text, rng) for way in ways]
    return max(made, key=len)  # the first of equals


def _cut(text: str, rng: random.Random) -> dict[str, str]:
    """The first statements, such as those that read the data, are a module of their own."""
    tree = ast.parse(text)
    start = next((n for n, node in enumerate(tree.body) if not isinstance(node, _HEADS)), len(tree.body))
    ends = [n for n in range(start + 1, len(tree.body)) if not isinstance(tree.body[n], ast.If)]
    end = rng.choice(ends) if ends else 0
    first, rest = tree.body[:end], tree.body[end:]
    bound = set().union(*(_bound(node) for node in first if not isinstance(node, _HEADS)), set())
    again = {n.id for node in rest for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    inner = {name for node in first if isinstance(node, (ast.FunctionDef, ast.ClassDef)) for name in _used(node)}
    later = {name for node in rest for name in _bound(node)}
    if not end or any(isinstance(n, ast.Global) for n in ast.walk(tree)) or inner & (again | later) or not bound:
        return {"script.py": text}
    lines = text.split("\n")
    heads = "\n".join(_segment(text, node) for node in first if isinstance(node, _HEADS))
    cut = rest[0] if rest else first[-1]
    module = "\n".join(lines[: _first(cut) - 1])
    entry = [heads, f"from {MODULE} import {', '.join(sorted(bound))}", "", *lines[_first(cut) - 1 :]]
    return {"script.py": "\n".join(entry), f"{MODULE}.py": module + "\n"}


_HEADS = (ast.Import, ast.ImportFrom)


def _bound(node: ast.stmt) -> set[str]:
    """The names that a statement at the top level binds."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, _HEADS):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    inside = [n for n in ast.walk(node) if not isinstance(n, (ast.comprehension, ast.Lambda))]
    hidden = {n.id for c in ast.walk(node) if isinstance(c, ast.comprehension) for n in ast.walk(c.target)
              if isinstance(n, ast.Name)}  # fmt: skip
    names = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names - hidden


def _definitions_moved(text: str, rng: random.Random) -> dict[str, str]:
    tree = ast.parse(text)
    definitions = {name: node for node in tree.body if (name := _defined(node))}
    stored = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    declared = {name for n in ast.walk(tree) if isinstance(n, ast.Global) for name in n.names}
    free = {name: node for name, node in definitions.items() if stored.count(name) <= 1 and name not in declared}
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    known = {(alias.asname or alias.name).split(".")[0] for node in imports for alias in node.names}
    known |= set(dir(builtins)) | {"__name__"}
    moved = {name for name in free if rng.random() < 0.7}
    while True:
        needed = {name: _used(definitions[name]) - known for name in moved}
        moved |= {each for names in needed.values() for each in names if each in free}
        kept = {name for name in moved if (_used(definitions[name]) - known) <= free.keys()}
        if kept == moved:
            break
        moved = {name for name in kept if (_used(definitions[name]) - known) <= kept}
    if not moved:
        return {"script.py": text}
    gone = [definitions[name] for name in definitions if name in moved]
    heads = "\n".join(ast.get_source_segment(text, node) or "" for node in imports)
    module = "\n\n".join([heads, *(_segment(text, node) for node in gone)])
    named = _imported(moved, definitions, rng)
    lines = text.split("\n")
    for node in gone:
        lines[_first(node) - 1 : node.end_lineno] = [""] * ((node.end_lineno or 0) - _first(node) + 1)
    last = max((node.end_lineno or 0 for node in imports), default=0)
    lines.insert(last, named)
    return {"script.py": "\n".join(lines), f"{MODULE}.py": module + "\n"}


def _imported(moved: set[str], definitions: dict[str, ast.stmt], rng: random.Random) -> str:
    """Statements that import what has moved; one of its classes, sometimes, by a name that the environment may say."""
    classes = sorted(name for name in moved if isinstance(definitions[name], ast.ClassDef))
    chosen = rng.choice(classes) if classes and rng.random() < 0.3 else ""
    plain = ", ".join(sorted(moved - {chosen}))
    lines = [f"from {MODULE} import {plain}"] if plain else []
    asked = f'os.environ.get("CHOSEN", "{chosen}")'
    found = rng.choice([f"getattr({MODULE}, {asked})", f"{MODULE}.__dict__[{asked}]", f"vars({MODULE})[{asked}]"])
    return "\n".join([*lines, "import os", f"import {MODULE}", f"{chosen} = {found}"] if chosen else lines)


def _defined(node: ast.stmt) -> str:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return node.name
    plain = isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.value, ast.Constant)
    target = node.targets[0] if plain and isinstance(node, ast.Assign) else None
    return target.id if isinstance(target, ast.Name) else ""


def _used(node: ast.stmt) -> set[str]:
    """All names that a definition mentions and does not bind itself; some more, where scopes have names in common."""
    bound = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}
    bound |= {n.name for n in ast.walk(node) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    bound |= {n.name for n in ast.walk(node) if isinstance(n, ast.ExceptHandler) and n.name}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} - bound


def _first(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _segment(text: str, node: ast.stmt) -> str:
    return "\n".join(text.split("\n")[_first(node) - 1 : node.end_lineno])
