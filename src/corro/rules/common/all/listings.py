"""Put files into one order on all processes.

Why
---
A folder is listed in the order of its disk, which is another one on each machine. Samples are shared out by position,
and classes are numbered by it: processes on two machines would share out different samples, and give one class
different numbers. So what lists files is sorted where its order shows; it is left alone where only the number of files
or their names count, where the script sorts by itself, and where rank 0 alone uses them.

Before
------
::

    files = [os.path.join(folder, name) for name in os.listdir(folder)]
    data = Images(files)

After
-----
::

    files = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    data = Images(files)

Source
------
Python's documentation of ``os.listdir`` and ``glob``: "the list is in arbitrary order"; ``torchvision`` and Keras sort
what their own functions list.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.changes import Change
from corro.classes import replace
from corro.frontends.effects import named
from corro.source import Before, Wrap, position, replace_node, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.rules.base import Answer, Job
    from corro.source import Edit

NAME = "file-order"

_TF = ("tensorflow.io.gfile.", "tensorflow.gfile.", "tensorflow.compat.v1.gfile.")
_LISTS = frozenset({"os.listdir", "glob.glob", "glob.iglob", "imutils.paths.list_images", "imutils.paths.list_files"}
                   | {tf + name for tf in _TF for name in ("listdir", "glob", "ListDirectory", "Glob")})  # fmt: skip
_METHODS = frozenset({"iterdir", "glob", "rglob"})
_WALKS = frozenset({"os.walk"} | {tf + name for tf in _TF for name in ("walk", "Walk")})
_SCANS = "os.scandir"
_PRINTS = frozenset({"builtins.print", "pprint.pprint"})
_PASSED_ON = frozenset({"list", "tuple", "map", "filter", "iter"})
_WITHOUT_ORDER = frozenset({"sorted", "set", "frozenset", "len", "any", "all", "sum", "natsorted", "unique"})
_BEST = frozenset({"max", "min"})
_NUMBERS = frozenset({"int", "float"})


def apply(job: Job) -> Iterator[Answer]:
    """One change for each place that takes files in the order of the disk."""
    if not job.has_ranks:
        return
    for node in job.nodes.of(ast.Call):
        if (kind := _kind(job, node)) and not _is_order_lost(job, node):
            edits = _edits(job, node, kind)
            refused = job.refuse(
                NAME,
                "files are listed in the order of the disk, which differs between machines.",
                node,
                "Sort their names with sorted(...), in a statement of its own.",
                effort="one line",
            )
            if edits is None:
                yield refused
            elif edits:
                reason = "files are in one order on all machines"
                change = job.change(NAME, reason, node, edits)
                yield replace(change, otherwise=refused) if isinstance(change, Change) else change


def _kind(job: Job, call: ast.Call) -> str:
    """The function that lists files, or nothing."""
    names = job.names_of(call.func).qualified(call.func)
    found = next((name for name in names if name in _LISTS | _WALKS or name == _SCANS), "")
    if found or names or not isinstance(call.func, ast.Attribute) or call.func.attr not in _METHODS:
        return found
    facts = job.calls_of(call)
    own = any(node.name == call.func.attr for node in job.nodes.of(ast.FunctionDef))
    on_disk = all("file system" in fact.result.tags for fact in facts) if facts else not own
    return call.func.attr if on_disk else ""


def _edits(job: Job, call: ast.Call, kind: str) -> list[Edit] | None:
    """Nothing to do is an empty list, nothing that can be done is ``None``."""
    if "sorted" in job.names_of(call).module.values:
        return None
    if kind in _WALKS:
        return _walked(job, call)
    user = job.parent(call)
    if kind == _SCANS:
        taken = isinstance(user, (ast.For, ast.comprehension)) and user.iter is call
        return [Wrap(job.span(call), "sorted(", ", key=lambda entry: entry.name)")] if taken else None
    if (
        isinstance(user, ast.Call)
        and job.names_of(user.func).qualified(user.func) == {"builtins.list"}
        and user.args == [call]
    ):
        return list(replace_node(job.file_of(user.func), user.func, "sorted"))
    return [Wrap(job.span(call), "sorted(", ")")]


def _walked(job: Job, call: ast.Call) -> list[Edit] | None:
    """Folders are walked in the order of the list that is handed out, so it is sorted in place (see ``os.walk``)."""
    loop = job.parent(call)
    one = job.parent(loop) if loop is not None else None
    if (
        isinstance(loop, ast.Call)
        and job.names_of(loop.func).qualified(loop.func) == {"builtins.next"}
        and loop.args == [call]
    ):
        return [Wrap(job.span(one), "sorted(", ")")] if isinstance(one, ast.Subscript) else None
    upwards = any(keyword.arg == "topdown" for keyword in call.keywords) or len(call.args) > 1
    if not isinstance(loop, ast.For) or loop.iter is not call or upwards or not isinstance(loop.target, ast.Tuple):
        return None
    names = [part.id for part in loop.target.elts if isinstance(part, ast.Name)]
    if len(names) != 3 or names[1] == names[2]:
        return None
    used = any(isinstance(n, ast.Name) and n.id == names[2] for part in loop.body for n in ast.walk(part))
    lines = [f"{name}.sort()" for name in (names[1:] if used else names[1:2])]
    return [Before(loop.body[0], "\n".join(lines))]


def _is_order_lost(job: Job, node: ast.expr, known: frozenset[ast.AST] = frozenset()) -> bool:
    """Whether nothing shows in which order the files came; ``known`` are the assignments on the way."""
    user = job.parent(node)
    statement = job.statement(node)
    if isinstance(statement, ast.Expr) and _happens_once(job, statement):
        return True
    if isinstance(user, ast.comprehension):
        around = job.parent(user)
        assert isinstance(around, ast.expr)
        return not isinstance(around, ast.DictComp) and (
            isinstance(around, ast.SetComp) or _is_order_lost(job, around, known)
        )
    if isinstance(user, ast.Call):
        return node in user.args and _is_lost_in_call(job, user, known)
    if isinstance(user, (ast.FormattedValue, ast.JoinedStr, ast.BoolOp)):
        return _is_order_lost(job, user, known)
    if isinstance(user, ast.Compare):
        return node in user.comparators and all(isinstance(each, (ast.In, ast.NotIn)) for each in user.ops)
    if isinstance(user, (ast.If, ast.While, ast.UnaryOp)):
        return True
    if isinstance(user, ast.Assign):
        return user in known or _is_lost_by_name(job, user, known | {user})
    if isinstance(user, ast.For):
        return user.iter is node and all(_happens_once(job, statement) for statement in user.body)
    return isinstance(user, ast.Expr)


def _is_lost_in_call(job: Job, call: ast.Call, known: frozenset[ast.AST]) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in _BEST or job.names_of(call.func).qualified(call.func) & _PRINTS:
        return True
    if name in _WITHOUT_ORDER:
        return not call.keywords or _is_by_number(call)
    return name in _PASSED_ON and _is_order_lost(job, call, known)


def _is_by_number(call: ast.Call) -> bool:
    """Whether what is sorted by tells files apart: a number in their names. Two of them may be of one length."""
    keys = [keyword.value for keyword in call.keywords if keyword.arg == "key"]
    return all(any(isinstance(node, ast.Name) and node.id in _NUMBERS for node in ast.walk(key)) for key in keys)


def _is_lost_by_name(job: Job, assign: ast.Assign, known: frozenset[ast.AST]) -> bool:
    """Whether a list is sorted before anything else, or never used where its order shows."""
    target = assign.targets[0]
    if len(assign.targets) > 1 or not isinstance(target, ast.Name):
        return False
    own = set(walk(assign))  # what is taken of the name there is what it was before
    uses = [
        use
        for use in job.names_of(target).uses(target.id, job.names_of(target).binding(target))
        if isinstance(use.ctx, ast.Load) and use not in own
    ]
    later = [use for use in uses if position(use) > position(target)]
    if len(later) == len(uses) and later and _is_sorting(job, later[0], assign, known):
        return True
    return all(_is_order_lost(job, use, known) for use in uses)


def _is_sorting(job: Job, use: ast.Name, assign: ast.Assign, known: frozenset[ast.AST]) -> bool:
    """Whether a statement of the same block sorts a name: ``files.sort()``, ``files = sorted(files)``."""
    statement = job.statement(use)
    if job.parent(statement) is not job.parent(assign):
        return False
    if isinstance(statement, ast.Assign):
        return _is_order_lost(job, use, known) and ast.dump(statement.targets[0]) == ast.dump(assign.targets[0])
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.value is not use:
        return False
    return call.func.attr == "sort" and _is_by_number(call)


def _happens_once(job: Job, statement: ast.stmt) -> bool:
    """Whether a statement only counts, or only does what rank 0 does alone: it deletes a file, or prints its name."""
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.op, ast.Add) and isinstance(statement.value, ast.Constant)
    if isinstance(statement, (ast.If, ast.For)):
        return all(_happens_once(job, each) for each in (*statement.body, *statement.orelse))
    if isinstance(statement, ast.Assign):
        path = statement.value
        return isinstance(path, ast.Call) and any(
            n.startswith("os.path.") for n in job.names_of(path.func).qualified(path.func)
        )
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and any(
        named(name) is not None for name in job.names_of(call.func).qualified(call.func)
    )
