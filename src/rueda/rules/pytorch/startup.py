"""Join the group of processes at the start, leave it at the end.

Why
---
The processes have to find each other before the first of them asks for its rank, and each takes the GPU with its local
rank as its current device, so that the script's own ``.cuda()`` and ``.to("cuda")`` stay as they are. Under a
``__main__`` guard where there is one, because worker processes may import the file again.

Before
------
::

    if __name__ == "__main__":
        main()

After
-----
::

    if __name__ == "__main__":
        dist.init_process_group()
        main()
        dist.destroy_process_group()

Source
------
PyTorch documentation, ``torch.distributed.init_process_group``; Horovod documentation, steps 1 and 2.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.source import After, Before, Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rueda.rules.base import Answer, Job
    from rueda.targets.base import Code

NAME = "startup"

_DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def apply(job: Job) -> Iterable[Answer]:
    """One change: the start, and the end."""
    tree = job.source.tree
    guard = main_guard(tree)
    body = guard.body if guard is not None and not _works_outside(job, tree, guard) else tree.body
    first = _first_statement(body)
    start = job.target.start(on_gpu=uses_gpu(job))
    edits: list[Edit] = [Before(first, start.text, order=-100)]
    finish = job.target.finish()
    last = body[-1]
    if not _leaves(last) and not isinstance(last, _DEFINITIONS):
        edits.append(After(last, _ending(job, body, finish), order=100))
    yield job.change(NAME, "the processes join one group", first, [*edits, *finish.imports], start)


def _ending(job: Job, body: Sequence[ast.stmt], finish: Code) -> str:
    """The wrapped model goes first: freed after the group, it waits for gloo's threads while it keeps them from ending."""
    if not job.target.wraps_model:
        return finish.text
    wrapped = [
        job.names.fresh(f"ddp_{site.name}")
        for site in job.anatomy.models
        if job.names.scope(site.anchor) is job.names.module and site.anchor in {n for s in body for n in ast.walk(s)}
    ]
    return f"del {', '.join(wrapped)}\n{finish.text}" if wrapped else finish.text


def main_guard(tree: ast.Module) -> ast.If | None:
    """The statement ``if __name__ == "__main__":`` at the top level."""
    for node in tree.body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and isinstance(node.test.left, ast.Name):
            if node.test.left.id == "__name__" and not node.orelse:
                return node
    return None


def _works_outside(job: Job, tree: ast.Module, guard: ast.If) -> bool:
    """Whether something that needs the group happens at module level, outside the guard."""
    outside = {n for statement in tree.body if statement is not guard for n in ast.walk(statement)}
    needing = [site.node for site in job.anatomy.loaders] + [job.step.loop]
    for node in needing:
        if any(fact.context.frame.caller is None for fact in job.calls_of(node)) and node in outside:
            return True
    entry = {fact.node: fact for fact in job.calls if fact.context.frame.caller is None}
    return any(
        fact.context.frame.path()[1].call in entry and fact.context.frame.path()[1].call in outside
        for fact in job.calls_of(job.step.backward)
        if len(fact.context.frame.path()) > 1
    )


def _first_statement(body: Sequence[ast.stmt]) -> ast.stmt:
    """The first statement that does something: after docstring, imports and definitions."""
    for node in body:
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not isinstance(node, _DEFINITIONS) and not _imports_only(node):
            return node
    return body[-1]


def _imports_only(node: ast.stmt) -> bool:
    parts: Iterator[ast.AST] = ast.iter_child_nodes(node)
    return isinstance(node, ast.Try) and all(
        isinstance(p, (ast.Import, ast.ImportFrom, ast.ExceptHandler)) for p in parts
    )


def _leaves(node: ast.stmt) -> bool:
    """The last statement ends the program itself."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return isinstance(node, ast.Raise)
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name in ("exit", "quit", "_exit")


def uses_gpu(job: Job) -> bool:
    """Whether the script says anything of devices."""
    for node in ast.walk(job.source.tree):
        if isinstance(node, ast.Attribute) and node.attr in ("cuda", "device"):
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("cuda"):
            return True
    return False
