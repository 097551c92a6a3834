"""Shared by rules: generators of random numbers that go on as rank 0's do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules.seeding import STATES, generator
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.pytorch._job import Job
    from corro.source import Import


def rank_0s(job: Job, libraries: Iterable[str]) -> Code:
    """Statements that give the generators of some libraries rank 0's state on all processes."""
    lines: list[str] = []
    imports: list[Import] = []
    for library in libraries:
        get, put = STATES[library]
        module = job.target.torch
        imports += job.torch_import
        if library != "torch":
            made = generator(job.target.library, library)
            module = made.text
            imports += made.imports
        share = job.target.share_tensor if library == "torch" else job.target.share
        code, state = share(job.names.fresh("state"), f"{module}.{get}()")
        lines += [*filter(None, [code.text]), f"{module}.{put}({state})"]
        imports += code.imports
    return Code("\n".join(lines), tuple(imports))
