"""Which calls read files, and which write them: processes wait for each other between the two."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.flow.python import FILE_SYSTEM
from rueda.frontends.effects import EffectKind

if TYPE_CHECKING:
    from rueda.rules.pytorch._job import Job

WRITES = frozenset({EffectKind.SAVE, EffectKind.OPEN, EffectKind.DELETE})
READS = frozenset({"torch.load", "numpy.load", "joblib.load", "pandas.read_csv", "numpy.loadtxt", "torch.jit.load",
                   "open"}) | FILE_SYSTEM  # fmt: skip
"""Calls that read a file, or ask for one."""


def is_read(job: Job, guarded: ast.stmt) -> bool:
    """Whether processes read files after the start, elsewhere than in a statement that rank 0 makes alone."""
    writing = [effect.fact for effect in job.effects if effect.kind in WRITES]
    written = min((fact.order for fact in writing), default=0)
    own = {*ast.walk(guarded), *(fact.node for fact in writing)}
    return any(f.name in READS and f.node not in own and (f.order > written or f.context.loops) for f in job.calls)
