"""One GPU for each process, through the current device.

Why
---
Each process has taken the GPU with its local rank as its current device, which is what ``cuda`` means from then on. A
literal ``cuda:0`` would put all processes on one GPU, and so would the number that a file of settings or an option
names: only the type of such a device is taken. ``nn.DataParallel`` splits a batch over the GPUs of one
process: it is taken out, with the ``.module`` that its users need.

Before
------
::

    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    model = nn.DataParallel(model)

After
-----
::

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

Source
------
Horovod documentation, step 2 (pin each GPU to a single process); PyTorch documentation, ``torch.nn.DataParallel``.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.pytorch.making import PARALLEL, PARALLEL_CALL
from corro.rules.pytorch._devices import is_item, is_named_elsewhere, moves_model, numbers
from corro.rules.pytorch._moving import moved_inputs
from corro.source import Remove, Replace, Span, Wrap, remove_argument, replace_node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "devices"

_NUMBERED = r"cuda:\d+\Z"


def apply(job: Job) -> Iterable[Answer]:
    """Device literals, device numbers, DataParallel and its ``.module``."""
    yield from _literals(job)
    yield from _computed(job)
    yield from _numbers(job)
    yield from _named_elsewhere(job)
    yield from _visible_devices(job)
    yield from _data_parallel(job)


def _literals(job: Job) -> Iterator[Answer]:
    for node in job.nodes.of(ast.Constant):
        if not (isinstance(node.value, str) and re.match(_NUMBERED, node.value)):
            continue
        parent = job.parent(node)
        of_own_method = isinstance(parent, ast.Call) and job.value(parent.func).kind is Kind.FUNCTION
        above = job.parent(parent) if isinstance(parent, ast.Dict) and node in parent.keys else None
        is_key = isinstance(above, ast.keyword) and above.arg == "map_location"  # a place as the file has it
        if job.has_reliable_span(node) and not isinstance(parent, ast.JoinedStr) and not (of_own_method or is_key):
            text = re.sub(r"cuda:\d+", "cuda", job.segment(node))
            yield job.change(NAME, "each process has one GPU", node, replace_node(job.file_of(node), node, text))


def _computed(job: Job) -> Iterator[Answer]:
    """``f"cuda:{n}"``, ``"cuda:{}".format(n)``, ``"cuda:%d" % n`` and ``"cuda:" + str(n)``."""
    for node in job.nodes.of(ast.JoinedStr, ast.Call, ast.BinOp):
        if _is_numbered_device(node):
            yield job.change(NAME, "each process has one GPU", node, replace_node(job.file_of(node), node, '"cuda"'))


def _is_numbered_device(node: ast.JoinedStr | ast.Call | ast.BinOp) -> bool:
    first: ast.AST | None
    if isinstance(node, ast.JoinedStr):
        first = node.values[0] if node.values else None
    elif isinstance(node, ast.BinOp):
        first = node.left
    else:
        is_format = isinstance(node.func, ast.Attribute) and node.func.attr == "format"
        first = node.func.value if is_format and isinstance(node.func, ast.Attribute) else None
    return isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value.startswith("cuda:")


def _numbers(job: Job) -> Iterator[Answer]:
    """``.cuda(0)``, ``.to(0)`` and ``torch.device("cuda", 0)``."""
    for node in numbers(job):
        yield job.change(NAME, "each process has one GPU", node, replace_node(job.file_of(node), node, '"cuda"'))
    for fact in job.calls:
        node = fact.node
        if not node.args:
            continue
        if fact.name == "cuda" and fact.receiver is not None and fact.receiver.kind is not Kind.INSTANCE:
            yield job.change(
                NAME, "each process has one GPU", node, remove_argument(job.file_of(node), node, node.args[0])
            )
        elif fact.name == "torch.device" and len(node.args) == 2:
            yield job.change(
                NAME, "each process has one GPU", node, remove_argument(job.file_of(node), node, node.args[1])
            )
        elif fact.name == "torch.cuda.device" and isinstance(job.parent(node), ast.withitem):
            # with a negative number the block changes nothing; elsewhere something may ask for the number
            edits = replace_node(job.file_of(node), node.args[0], "-1")
            yield job.change(NAME, "each process has taken its GPU", node, edits)
        elif fact.name == "torch.cuda.set_device":
            statement = job.statement(node)
            if isinstance(statement, ast.Expr):
                yield job.change(NAME, "each process has taken its GPU", node, (Remove(statement),))


def _named_elsewhere(job: Job) -> Iterator[Answer]:
    """``torch.device(config["device"])``, and a model that is moved to ``config["device"]``: it may have a number."""
    told = False
    for fact in job.calls:
        given = fact.node.args[0] if len(fact.node.args) == 1 else None
        if given is None or not is_named_elsewhere(job, given):
            continue
        if fact.name == "torch.device":
            type_only = Wrap(job.span(given), f"{job.segment(fact.node.func)}(", ").type")
            yield job.change(NAME, "each process has one GPU", given, (type_only,))
        elif moves_model(fact) and is_item(job, given) and not told:
            told = True
            yield job.review(
                NAME,
                f"if {job.segment(given)} names a GPU by its number, all processes train on that one.",
                given,
                "Let it say 'cuda': each process has a GPU of its own.",
                differs=("alone",),
            )


def _visible_devices(job: Job) -> Iterator[Answer]:
    for node in job.nodes.of(ast.Assign):
        if isinstance(node.targets[0], ast.Subscript):
            key = node.targets[0].slice
            if isinstance(key, ast.Constant) and key.value == "CUDA_VISIBLE_DEVICES":
                yield job.change(NAME, "the launcher decides which GPUs are seen", node, (Remove(node),))


def _data_parallel(job: Job) -> Iterator[Answer]:
    for node in dict.fromkeys(fact.node for fact in job.calls if fact.name == PARALLEL_CALL):
        yield _called(job.at(node), node)
    wrapped = False
    for fact in job.calls:
        if fact.name not in PARALLEL:
            continue
        wrapped = True
        yield _taken_out(job, fact.node)
    if wrapped:
        yield from moved_inputs(job, NAME)
        yield from _module_attributes(job)
        yield from _prefixes(job)
        yield from _saved_whole(job)


def _prefixes(job: Job) -> Iterator[Answer]:
    """DataParallel's own state dict has ``module.`` in front of every name."""
    for fact in job.calls:
        receiver = fact.receiver
        if fact.name in ("state_dict", "load_state_dict") and receiver is not None and "parallel" in receiver.tags:
            inner = fact.node.func.value if isinstance(fact.node.func, ast.Attribute) else None
            if not (isinstance(inner, ast.Attribute) and inner.attr == "module"):
                yield job.review(
                    NAME,
                    "without DataParallel the names in the state dict have no 'module.' in front.",
                    fact.node,
                    "Rename the keys of checkpoints that were written before.",
                    differs=("alone", "effects"),
                )
                return


def _saved_whole(job: Job) -> Iterator[Answer]:
    """Whole models in files, alone or in a dict."""
    for fact in job.calls:
        if fact.name == "torch.save" and fact.node.args:
            saved = fact.node.args[0]
            parts = saved.values if isinstance(saved, ast.Dict) else [saved]
            if any(job.value(part).kind is Kind.MODULE and "parallel" in job.value(part).tags for part in parts):
                yield job.review(
                    NAME,
                    "without DataParallel the saved model is the network itself.",
                    fact.node,
                    "Do not ask for its .module where it is loaded.",
                    differs=("alone", "effects"),
                )
                return


def _called(job: Job, node: ast.Call) -> Answer:
    """``data_parallel(model, x, devices)`` is ``model(x)`` on one device."""
    if len(node.args) not in (2, 3) or {k.arg for k in node.keywords} - {"device_ids", "output_device", "dim"}:
        message = "data_parallel spreads a forward pass over the GPUs of one process."
        return job.refuse(NAME, message, node, "Call the model itself: each process has one GPU.", effort="one line")
    model, given = node.args[0], node.args[1]
    whole, first, second = job.span(node), job.span(model), job.span(given)
    edits = (
        Replace(Span(whole.start, first.start), ""),
        Replace(Span(first.end, second.start), "("),
        Replace(Span(second.end, whole.end), ")"),
    )
    return job.change(NAME, "one process has one GPU", node, edits)


def _taken_out(job: Job, node: ast.Call) -> Answer:
    inner = node.args[0] if node.args else node.keywords[0].value
    statement = job.statement(node)
    text = job.segment(inner)
    rebinds = isinstance(statement, ast.Assign) and statement.value is node
    if rebinds and isinstance(statement, ast.Assign) and job.segment(statement.targets[0]) == text:
        parent = job.parent(statement)
        alone = isinstance(parent, ast.If) and parent.body == [statement] and not parent.orelse
        removed = parent if alone and isinstance(parent, ast.If) and not _is_elif(job, parent) else statement
        return job.change(NAME, "one process has one GPU", node, (Remove(removed),))
    return job.change(NAME, "one process has one GPU", node, replace_node(job.file_of(node), node, text))


def _is_elif(job: Job, node: ast.If) -> bool:
    parent = job.parent(node)
    return isinstance(parent, ast.If) and node in parent.orelse


def _module_attributes(job: Job) -> Iterator[Answer]:
    for node in job.nodes.of(ast.Attribute):
        if node.attr == "module" and job.value(node.value).kind is Kind.MODULE:
            owner = job.value(node.value)
            is_self = isinstance(node.value, ast.Name) and node.value.id == "self"
            hidden = job.value(node).sites != owner.sites or getattr(node.value, "attr", "") == "module"
            if "parallel" in owner.tags and hidden and not is_self:
                yield job.refuse(
                    NAME,
                    "the model has an attribute 'module' of its own, which hides DataParallel's.",
                    node,
                    "Rename the attribute.",
                )
            elif "parallel" in owner.tags and not is_self:
                text = job.segment(node.value)
                yield job.change(
                    NAME, "there is no wrapper any more", node, replace_node(job.file_of(node), node, text)
                )
