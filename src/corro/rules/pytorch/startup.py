"""Join the group of processes at the start, leave it at the end.

Why
---
The processes have to find each other before the first of them asks for its rank, and each takes the GPU with its
local rank as its current device, so that the script's own ``.cuda()`` and ``.to("cuda")`` stay as they are. Under a
``__main__`` guard where there is one, because worker processes may import the file again. Started without a launcher,
the program says how it is started.

Before
------
::

    if __name__ == "__main__":
        main()

After
-----
::

    if __name__ == "__main__":
        if "RANK" not in os.environ:
            raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
        dist.init_process_group("gloo")
        main()
        dist.destroy_process_group()

Source
------
PyTorch documentation, ``torch.distributed.init_process_group``; Horovod documentation, steps 1 and 2.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.rules.places import DEFINITIONS, at_start, exit_code, leaves, main_guard
from corro.rules.pytorch._averaging import is_made_under, wrapped_models, wrapper_name
from corro.rules.pytorch._devices import uses_gpu
from corro.rules.pytorch._trainings import is_repeated
from corro.source import After, Before, Edit, Under, indented, replace_node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job
    from corro.targets.base import Code

NAME = "startup"


def apply(job: Job) -> Iterable[Answer]:
    """One change: the start, and the end."""
    body = job.entry_body
    first, last = job.first_statement, body[-1]
    start = job.target.start(on_gpu=uses_gpu(job), program=_program(job))
    edits: list[Edit] = [at_start(job, start.text, order=-100), *job.torch_import]
    finish = job.target.finish()
    ending = _ending(job, body, finish)
    result = exit_code(last)
    if any(call in job.facts.ending for call in ast.walk(last)):
        edits += _at_its_exit(last, ending)
    elif result is not None:
        name = job.names.fresh("status")
        edits.append(Before(last, f"{name} = {job.segment(result)}\n{ending}", order=90))
        edits += replace_node(job.file_of(result), result, name)
    elif not leaves(last) and not isinstance(last, DEFINITIONS):
        edits.append(After(last, ending, order=100))
    yield job.change(NAME, "the processes join one group", first, [*edits, *finish.imports], start)
    yield from _imported_again(job)


def _imported_again(job: Job) -> Iterator[Answer]:
    """The guard lets workers import the file without training; a start in front of it is theirs as well."""
    guard = main_guard(job.script.tree)
    if guard is None or any(job.first_statement is node for node in ast.walk(guard)):
        return
    loaders = (fact for fact in job.calls if fact.result.kind is Kind.LOADER)
    workers = ((fact, fact.argument(5, "num_workers")) for fact in loaders)
    made = next((fact.node for fact, count in workers if count is not None and count.const != 0), None)
    if made is not None:
        yield job.note(
            NAME,
            "the program starts in front of its __main__ guard: where workers are spawned, as on Windows and macOS, "
            "each imports this file and tries to join the processes.",
            made,
            "Move what stands in front of the guard, but for definitions, under it; or set num_workers=0.",
        )


def _program(job: Job) -> str:
    """What a launcher is given: the file; the module, where relative imports need it started as one."""
    if job.script.path.suffix != ".py":
        return ""
    relative = any(isinstance(node, ast.ImportFrom) and node.level for node in job.script.statements)
    return "-m {__spec__.name}" if relative else "{__file__}"


def _at_its_exit(last: ast.stmt, ending: str) -> list[Edit]:
    """A library that runs commands ends the program when they have returned."""
    return [Under(last, "try:"), After(last, f"finally:\n{indented(ending)}", order=100)] if ending else []


def _ending(job: Job, body: Sequence[ast.stmt], finish: Code) -> str:
    """The wrapped model goes first: freed after the group, it would keep gloo's threads from ending."""
    wrapped = (
        []
        if is_repeated(job)
        else [
            wrapper_name(job, site)
            for site in wrapped_models(job)
            if job.names_of(site.anchor).scope(site.anchor) is job.names.module
            and site.anchor in {n for s in body for n in ast.walk(s)}
            and "." not in site.name
            and is_made_under(job, site) is None
        ]
    )
    return f"del {', '.join(wrapped)}\n{finish.text}" if wrapped else finish.text
