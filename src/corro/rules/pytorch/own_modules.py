"""Read the project's modules; refuse a script that lets a library act which is not there.

Why
---
What a model, a data set or a helper does decides what may be shared out. Project modules are found as Python finds
them, read and followed. A module that nobody finds is a library that is not installed here. What it computes is
unknown, and judged where it is used, as with any library. What it does is unknown too: it may write, train or wrap. So
it may not be called for what it does, be given what trains, end a loop, or be derived from. The same holds for a module
of the project that is no Python: its source for a compiler, or what that made of it, lies where it is imported from.

Before
------
::

    from mydata.reader import Spectra, save     # there is no mydata
    ...
    save(model)

After
-----
::

    refused: the library 'mydata' is not installed here, and what this does is not known

Source
------
Counted in 640 public PyTorch training files: 28 % import modules of their own (63 % of repositories).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.rules import missing
from corro.source import arguments_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "own-modules"
GATE = 1

_CONTAINERS = frozenset({Kind.TUPLE, Kind.LIST, Kind.DICT})
_PASSED_ON = frozenset({Kind.UNKNOWN, Kind.LIBRARY, Kind.METHOD, Kind.CONTEXT, Kind.ITERATOR, *_CONTAINERS})
"""What may be something of a library, or hold it; what is known to be anything else is what it is."""
_IN_PYTHON = "Write what is done here in Python."
_COMPUTING = ("torch.", "torchvision.", "numpy.", "math.")
_TRAINING = frozenset(
    {Kind.MODULE, Kind.LAYERS, Kind.PARAMETERS, Kind.OPTIMIZER, Kind.SCHEDULER, Kind.LOADER, Kind.STATE, Kind.INSTANCE}
)


def apply(job: Job) -> Iterable[Answer]:
    """Refuse imports of project modules that are not there, and the first thing that each missing library may do."""
    yield from missing.run_again(job, NAME)
    libraries: dict[str, ast.stmt] = {}
    compiled: dict[str, ast.stmt] = {}
    for node, name in missing.nowhere(job):
        if "*" in _imported(node):
            yield missing.refused(job, NAME, node, name)
        elif not missing.is_own(job, name):
            libraries.setdefault(name.partition(".")[0], node)
        elif missing.is_compiled(job, node, name):
            compiled.setdefault(name.rpartition(".")[2], node)
        else:
            yield missing.refused(job, NAME, node, name)
    for library, node in libraries.items():
        message = f"the library {library!r} is not installed here"
        yield _judged(job, message, _of_library(job, library), node, missing.ADVICE)
    for module, node in compiled.items():
        message = f"the module {module!r} is not written in Python"
        yield _judged(job, message, _of_module(job, module), node, _IN_PYTHON)


def _judged(job: Job, message: str, words: Iterable[str], node: ast.stmt, advice: str) -> Answer:
    """The refusal of the first thing that may do more than compute, or a note at the import."""
    act = next(_acts(job, _spread(job, words)), None)
    if act is not None:
        return job.refuse(NAME, f"{message}, and what this does is not known.", act, advice, effort="none")
    return job.note(NAME, f"{message}: its calls are taken to compute, and to do nothing else.", node)


def _imported(node: ast.stmt) -> set[str]:
    """The names that an import binds."""
    aliases = node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ()
    return {(alias.asname or alias.name).partition(".")[0] for alias in aliases}


def _of_library(job: Job, library: str) -> Iterator[str]:
    """The names that imports of a library bind."""
    for dotted, node in (pair for file in job.files for pair in file.imports):
        if dotted.partition(".")[0] == library:
            yield from _imported(node)


def _of_module(job: Job, module: str) -> Iterator[str]:
    """The names that imports of a module of the project may bind, and its own, as that of an attribute."""
    yield module
    for node in job.nodes.of(ast.Import, ast.ImportFrom):
        if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2] == module:
            yield from _imported(node)
        for alias in node.names:
            if alias.name.rpartition(".")[2] == module and alias.asname:
                yield alias.asname


def _spread(job: Job, first: Iterable[str]) -> frozenset[str]:
    """The names and attributes of the project that may stand for something that these stand for."""
    words = set(first)
    bindings = [binding for node in job.nodes for binding in _bindings(job, node)]
    known = 0
    while known < len(words):
        known = len(words)
        words.update(word for targets, value in bindings if _is_of(job, value, words) for word in targets)
    return frozenset(words)


def _bindings(job: Job, node: ast.AST) -> Iterator[tuple[frozenset[str], ast.expr]]:
    """What words get in a node: targets the value, functions what they return, parameters what is passed."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield _bound(*targets), value
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
            yield _bound(target), value
        case ast.NamedExpr(target=target, value=value):
            yield _bound(target), value
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
            yield _bound(target), value
        case ast.ImportFrom(names=aliases):
            yield from ((frozenset({each.asname}), ast.Name(each.name)) for each in aliases if each.asname)
        case ast.FunctionDef(name=name):
            left = (each for each in ast.walk(node) if isinstance(each, (ast.Return, ast.Yield)))
            yield from ((frozenset({name}), each.value) for each in left if each.value is not None)
        case ast.Call(func=function, args=args, keywords=keywords):
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            functions = (known[name] for known in job.functions_by_file.values() if name in known)
            yield from (pair for made in functions for pair in _passed(made.args, args, keywords))


def _passed(
    made: ast.arguments, args: Collection[ast.expr], keywords: Collection[ast.keyword]
) -> Iterator[tuple[frozenset[str], ast.expr]]:
    """The parameters that get each argument: one, or any where what is passed is not told apart by its place."""
    places = [each.arg for each in (*made.posonlyargs, *made.args)]
    rest = frozenset(part.arg for part in ast.walk(made) if isinstance(part, ast.arg))
    offset = 1 if places[:1] in (["self"], ["cls"]) else 0
    starred = any(isinstance(each, ast.Starred) for each in args)
    for place, each in enumerate(args, offset):
        yield (frozenset({places[place]}) if place < len(places) and not starred else rest), each
    for keyword in keywords:
        yield (frozenset({keyword.arg}) if keyword.arg in rest else rest), keyword.value


def _bound(*targets: ast.expr) -> frozenset[str]:
    """The names and attributes that are given a value, or a part of it."""
    parts = [part for target in targets for part in ast.walk(target)]
    attributes = {part.attr for part in parts if isinstance(part, ast.Attribute)}
    owners = {id(part.value) for part in parts if isinstance(part, ast.Attribute)}
    return frozenset(attributes | {part.id for part in parts if isinstance(part, ast.Name) and id(part) not in owners})


def _is_of(job: Job, node: ast.expr, words: Collection[str]) -> bool:
    """Whether an expression may give something of the library."""
    if job.value(node).kind not in _PASSED_ON:
        return False
    return any(_is_one_of(job, part, words) for part in _parts(job, node))


def _is_one_of(job: Job, part: ast.AST, words: Collection[str]) -> bool:
    """Whether a name or an attribute is one of some; ``torch.utils.data`` is PyTorch's, whatever else is called so."""
    if getattr(part, "id", getattr(part, "attr", None)) not in words:
        return False
    known = job.value(part) if isinstance(part, ast.expr) else None
    return known is None or known.kind is not Kind.LIBRARY or not missing.is_there(known.name)


def _parts(job: Job, node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of an expression, without what is given to calls that compute something of their own with it."""
    yield node
    computes = isinstance(node, ast.Call) and (
        job.value(node.func).kind not in _PASSED_ON or any(f.name.startswith(_COMPUTING) for f in job.calls_of(node))
    )
    for child in [node.func] if isinstance(node, ast.Call) and computes else ast.iter_child_nodes(node):
        yield from _parts(job, child)


def _acts(job: Job, words: frozenset[str]) -> Iterator[ast.AST]:
    """Where a library may do something: called for its own sake, by what it is given or decides, around own code."""
    for node in job.nodes:
        match node:
            case ast.Expr(value=ast.Call(func=function) as call) if _is_part_of(job, function, words):
                yield call
            case ast.Call(func=function) if _is_of(job, function, words) and _is_given_training(job, node):
                yield node
            case ast.If(test=test) if _is_of(job, test, words) and _leaves(node):
                yield test
            case ast.withitem(context_expr=manager) if _is_of(job, manager, words):
                yield manager
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                around = [*node.decorator_list, *getattr(node, "bases", ())]
                yield from (each for each in around if _is_of(job, each, words))


def _is_part_of(job: Job, function: ast.expr, words: frozenset[str]) -> bool:
    """Whether what is called may be the library's, and not a method of something that is known."""
    owner = job.value(function.value).kind if isinstance(function, ast.Attribute) else Kind.UNKNOWN
    return owner in _PASSED_ON - _CONTAINERS and _is_of(job, function, words)


def _leaves(node: ast.If) -> bool:
    """Whether a condition decides how long a loop or function goes on."""
    return any(isinstance(part, (ast.Break, ast.Continue, ast.Return)) for part in ast.walk(node))


def _is_given_training(job: Job, call: ast.Call) -> bool:
    given = arguments_of(call)
    return any(job.value(each).kind in _TRAINING for each in given)
