"""On a Mac the processes train on the CPU: nothing is exchanged between them on its GPU.

Why
---
No engine exchanges tensors that lie on the GPU of a Mac (``mps``): gloo and Horovod stop at the first one, and with
``PYTORCH_ENABLE_MPS_FALLBACK=1`` collectives of several versions of PyTorch leave them as they were, without a word.
There is one such GPU besides, which all processes would share. So where a script names it, the program names the CPU,
and what asks for an accelerator of whatever kind asks for CUDA.

Before
------
::

    device = torch.device("mps" if torch.backends.mps.is_available() else "cpu")

After
-----
::

    device = torch.device("cpu" if torch.backends.mps.is_available() else "cpu")

Source
------
PyTorch documentation, "Distributed communication package", table of backends; pytorch/pytorch issues 160732 (gloo has
no MPS) and 173808 (collectives that the fallback leaves undone).
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.options import declared
from corro.source import replace_node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "mac-gpu"

_REASON = "processes exchange nothing on the GPU of a Mac"
_NAMED = re.compile(r"mps(:\d+)?")
_FIRST = frozenset(
    {"to", "torch.device", "torch.set_default_device", "torch.Generator", "torch.autocast", "torch.amp.autocast",
     "torch.amp.autocast_mode.autocast", "torch.amp.GradScaler"}
)  # fmt: skip
"""What is given a device, or its type, in front."""
_KEYWORDS = ("device", "device_type", "map_location")
_ASKED = "torch.accelerator.is_available"
_CURRENT = "torch.accelerator.current_accelerator"


def apply(job: Job) -> Iterable[Answer]:
    """Names of the device, and questions after an accelerator of whatever kind."""
    changes = [*_named(job), *_accelerators(job)]
    yield from (change for _, change in changes)
    if changes:
        message = "on a Mac the program trains on the CPU: processes exchange nothing on its GPU."
        yield job.note(NAME, message, min((node for node, _ in changes), key=lambda node: job.span(node).start))


def _named(job: Job) -> Iterator[tuple[ast.expr, Answer]]:
    """The literals that come to where a device is asked for."""
    origins = (origin for fact in job.calls for value in _devices(fact) for origin in value.origins)
    copied = dict.fromkeys(job.facts.nodes[origin] for origin in origins)
    for node in (*copied, *_defaults(job, copied)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _NAMED.fullmatch(node.value):
            text = _NAMED.sub("cpu", job.segment(node))
            yield node, job.change(NAME, _REASON, node, replace_node(job.file_of(node), node, text))


def _devices(fact: CallFact) -> Iterator[Value]:
    """What a call is given as a device."""
    if fact.receiver is not None and fact.receiver.kind is Kind.INSTANCE:
        return  # what a method of the script does with it is seen there
    names = (*_KEYWORDS, "type") if fact.name == "torch.device" else _KEYWORDS
    given = [fact.keywords[name] for name in names if name in fact.keywords]
    given += fact.args[:1] if fact.name in _FIRST else fact.args[1:2] if fact.name == "torch.load" else ()
    yield from (value for value in given if value.kind in (Kind.TEXT, Kind.UNKNOWN))


def _defaults(job: Job, copied: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """What the options of the command line are by themselves that were copied."""
    options = {node.attr for node in copied if isinstance(node, ast.Attribute)}
    for node in dict.fromkeys(fact.node for fact in job.calls):
        if options.intersection(declared(node)):
            yield from (keyword.value for keyword in node.keywords if keyword.arg == "default")


def _accelerators(job: Job) -> Iterator[tuple[ast.expr, Answer]]:
    """The calls of ``torch.accelerator``: CUDA is the one on which processes exchange something."""
    asking = dict.fromkeys(fact.node for fact in job.calls if fact.name == _ASKED)
    named = dict.fromkeys(fact.node for fact in job.calls if fact.name == _CURRENT)
    for node in (*asking, *(each for each in named if not _is_asked(job, each, set(asking)))):
        torch = job.at(node).target.torch
        cuda = f"{torch}.cuda.is_available()"
        text = cuda if node in asking else f'{torch}.device("cuda" if {cuda} else "cpu")'
        yield node, job.change(NAME, _REASON, node, replace_node(job.file_of(node), node, text))


def _is_asked(job: Job, node: ast.Call, asking: Set[ast.AST]) -> bool:
    """Whether this is run only where there is an accelerator: then it is CUDA's."""
    below: ast.AST = node
    for above in job.ancestors(node):
        if isinstance(above, (ast.If, ast.IfExp)) and above.test in asking:
            body = above.body if isinstance(above.body, list) else [above.body]
            if below in body:
                return True
        below = above
    return False
