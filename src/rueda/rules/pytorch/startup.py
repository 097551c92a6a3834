"""Join the group of processes at the start, leave it at the end.

Why
---
The processes have to find each other before the first of them asks for its rank, and each takes the GPU with its
local rank as its current device, so that the script's own ``.cuda()`` and ``.to("cuda")`` stay as they are. Under a
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

from rueda.frontends.effects import effects
from rueda.frontends.randomness import draws
from rueda.source import After, Before, Edit, replace_node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rueda.rules.base import Answer
    from rueda.rules.pytorch._job import Job
    from rueda.targets.base import Code

NAME = "startup"

_DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def apply(job: Job) -> Iterable[Answer]:
    """One change: the start, and the end."""
    body = entry_body(job)
    first, last = first_statement(job), body[-1]
    start = job.target.start(on_gpu=uses_gpu(job))
    edits: list[Edit] = [at_start(job, start.text, order=-100), *job.torch_import]
    finish = job.target.finish()
    ending = _ending(job, body, finish)
    result = _exit_code(last)
    if result is not None:
        name = job.names.fresh("status")
        edits.append(Before(last, f"{name} = {job.source.segment(result)}\n{ending}", order=90))
        edits += replace_node(job.source, result, name)
    elif not _leaves(last) and not isinstance(last, _DEFINITIONS):
        edits.append(After(last, ending, order=100))
    yield job.change(NAME, "the processes join one group", first, [*edits, *finish.imports], start)


def entry_body(job: Job) -> Sequence[ast.stmt]:
    """The statements that run first and last: those under the ``__main__`` guard, or the module's own."""
    tree = job.source.tree
    guard = main_guard(tree)
    return guard.body if guard is not None and not _works_outside(job, tree, guard) else tree.body


def _ending(job: Job, body: Sequence[ast.stmt], finish: Code) -> str:
    """The wrapped model goes first: freed after the group, it would keep gloo's threads from ending."""
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
        test = node.test if isinstance(node, ast.If) and not node.orelse else None
        name = test.left if isinstance(test, ast.Compare) else None
        if isinstance(node, ast.If) and isinstance(name, ast.Name) and name.id == "__name__":
            return node
    return None


def _works_outside(job: Job, tree: ast.Module, guard: ast.If) -> bool:
    """Whether something that needs the group happens at module level, outside the guard."""
    inside = set(ast.walk(guard))
    needing = {site.node for site in job.anatomy.loaders} | {job.step.backward}
    needing |= {effect.node for effect in effects(job.calls)} | {fact.node for fact in job.calls if draws(fact)}
    for fact in job.calls:
        if fact.node in needing and job.is_own(fact.node):
            path = fact.context.frame.path()
            entry = path[1].call if len(path) > 1 else fact.node
            if path[0].unit.source is job.source and entry not in inside:
                return True
    return False


def first_statement(job: Job) -> ast.stmt:
    """The first statement that does something, after docstring, imports and definitions.

    Settings made before ``torch`` is imported (environment variables, warnings) stay where they are.
    """
    body = entry_body(job)
    imports = [i for i, node in enumerate(body) if _imports_torch(node)]
    last_import = imports[0] if imports else -1
    effects_at = {job.source.statement(effect.node) for effect in effects(job.calls) if job.is_own(effect.node)}
    for position, node in enumerate(body):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if docstring or isinstance(node, _DEFINITIONS) or _imports_only(node):
            continue
        touched = any(part in effects_at for part in ast.walk(node))
        if position > last_import or touched:
            return node
    return body[-1]


def at_start(job: Job, text: str, order: int) -> Before | After:
    """Statements at the start: in front of the comment that belongs to the first statement, if there is one."""
    first, body = first_statement(job), list(entry_body(job))
    position = body.index(first)
    line = job.source.text[: job.source.span(first).start].rstrip(" \t").splitlines()[-1:]
    commented = bool(line) and line[0].lstrip().startswith("#")
    previous = body[position - 1] if position and commented else None
    if previous is None or isinstance(previous, (ast.FunctionDef, ast.ClassDef)):
        return Before(first, text, order)
    return After(previous, f"\n{text}" if order == -100 else text, order)


def _imports_torch(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").split(".")[0] == "torch"
    return isinstance(node, ast.Import) and any(a.name.split(".")[0] == "torch" for a in node.names)


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


def _exit_code(node: ast.stmt) -> ast.Call | None:
    """The call in ``sys.exit(main())`` as the last statement."""
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and _leaves(node) and call.args and isinstance(call.args[0], ast.Call):
        return call.args[0]
    return None


def uses_gpu(job: Job) -> bool:
    """Whether the script says anything of devices."""
    for node in ast.walk(job.source.tree):
        if isinstance(node, ast.Attribute) and node.attr in ("cuda", "device"):
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("cuda"):
            return True
    return False
