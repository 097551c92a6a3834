"""All processes work in the folder that Hydra has made for rank 0.

Why
---
``hydra.main`` makes a folder for each run, named after the time, and may go there: by default up to version 1.1, and
later where ``version_base`` or ``hydra.job.chdir`` says so. Each process makes one, which are the same by chance only.
Checkpoints that rank 0 writes under relative names would not be found by the others. So the function begins by going to
rank 0's folder, where each process is already if Hydra stays where it was started. What ``HydraConfig.get()`` says of
that folder is told by rank 0 where all processes need it. All machines have to see it.

Before
------
::

    @hydra.main(config_path="conf", config_name="config")
    def main(cfg):
        train(cfg)

After
-----
::

    @hydra.main(config_path="conf", config_name="config")
    def main(cfg):
        shared = [os.getcwd()]
        dist.broadcast_object_list(shared)
        os.chdir(shared[0])
        train(cfg)

Source
------
Hydra documentation, "Output/Working directory" and "Changes to default behavior in 1.2".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.source import Before
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "run-folders"

_MAIN = "hydra.main"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each function that Hydra calls."""
    for node in job.nodes.of(ast.FunctionDef):
        if any(_is_main(job, each) for each in node.decorator_list):
            here = job.at(node)
            library = here.target.library
            code, folder = here.share(f"{library.name('os', 'os')}.getcwd()")
            text = f"{code.text}\n{library.name('os', 'os')}.chdir({folder})".lstrip("\n")
            code = Code(text, (*code.imports, library.imports("os", "os")))
            first = node.body[1] if ast.get_docstring(node) is not None and node.body[1:] else node.body[0]
            yield job.change(
                NAME, "all processes work in rank 0's run folder", node, [Before(first, text, order=-30)], code
            )


def _is_main(job: Job, decorator: ast.expr) -> bool:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return _MAIN in job.names_of(function).qualified(function)
