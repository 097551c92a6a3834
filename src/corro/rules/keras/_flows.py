"""Shared by the rules for Keras: what ``ImageDataGenerator`` makes, and what else a script does with it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.rules.keras._arguments import Given
from corro.source import Wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.values import Value
    from corro.rules.keras._job import Job

_FLOW = ("x", "y", "batch_size", "shuffle", "sample_weight", "seed")
_FOLDERS = {
    "flow_from_directory": ("directory", "target_size", "color_mode", "classes", "class_mode", "batch_size", "shuffle",
                            "seed"),
    "flow_from_dataframe": ("dataframe", "directory", "x_col", "y_col", "weight_col", "target_size", "color_mode",
                            "classes", "class_mode", "batch_size", "shuffle", "seed"),
}  # fmt: skip
_COUNTS = frozenset({"n", "samples"})
_TAKING = frozenset({"next", "iter", "list", "enumerate", "zip"})


def is_flow(value: Value) -> bool:
    """Whether a value is what ``ImageDataGenerator`` makes."""
    return value.kind is Kind.LOADER and value.name in ("flow", *_FOLDERS)


def flow_of(job: Job, value: Value) -> ast.Call | None:
    """The one call that makes a flow; ``None`` for what is no flow, or may be several."""
    nodes = [job.facts.nodes[number] for number in value.sites]
    one = nodes[0] if is_flow(value) and len(nodes) == 1 else None
    return one if isinstance(one, ast.Call) else None


def given_to(job: Job, node: ast.Call, name: str) -> Given:
    """What the call is given that makes a flow of this name."""
    return Given(job, node, _FOLDERS.get(name, _FLOW))


def is_shared_out(job: Job, value: Value) -> bool:
    """Whether each process makes batches of its own, of 1/N of the size; else all make the same, and take parts.

    A flow that is of use for something else has to stay what it is; so has one of a part of its arrays, which it takes
    from their beginning, and one whose samples the script counts. A folder that is not shuffled gives no process an
    order of its own.
    """
    node = flow_of(job, value)
    if node is None:
        return False
    given = given_to(job, node, value.name)
    number = job.facts.number(node)
    if any(_is_other_use(job, number, fact.node) for fact in job.calls if fact.node in job.anatomy.uses):
        return False
    if any(len(job.value(part).sites) > 1 for part, _ in _asked(job, value)) or _is_taken_from(job, number):
        return False
    if value.name in _FOLDERS:
        return not is_in_order(job, value)
    return given.node("subset") is None and not _is_counted(job, number)


def is_in_order(job: Job, value: Value) -> bool:
    """Whether a flow goes through its images in one order."""
    node = flow_of(job, value)
    shuffle = given_to(job, node, value.name).value("shuffle") if node is not None else None
    return shuffle is not None and shuffle.const is False


def _is_other_use(job: Job, number: int, call: ast.Call) -> bool:
    """Whether a call that runs a model is given a flow for anything but training."""
    trains = getattr(call.func, "attr", "") in ("fit", "fit_generator")
    given = [*call.args[trains:], *(k.value for k in call.keywords if not (trains and k.arg in ("x", "generator")))]
    return any(number in job.value(each).sites for each in given if is_flow(job.value(each)))


def _is_taken_from(job: Job, number: int) -> bool:
    """Whether the script takes batches of a flow by itself."""
    for node in job.nodes.of(ast.For, ast.comprehension, ast.Subscript, ast.Call):
        taken: list[ast.expr] = []
        if isinstance(node, (ast.For, ast.comprehension)):
            taken = [node.iter]
        elif isinstance(node, ast.Subscript):
            taken = [node.value]
        elif isinstance(node, ast.Call):
            taken = node.args if getattr(node.func, "id", "") in _TAKING else []
            if isinstance(node.func, ast.Attribute) and node.func.attr == "next":
                taken = [node.func.value]
        if any(is_flow(job.value(each)) and number in job.value(each).sites for each in taken):
            return True
    return False


def _is_counted(job: Job, number: int) -> bool:
    """Whether the script asks how many samples a flow has."""
    attributes = (n for n in job.nodes.of(ast.Attribute) if n.attr in _COUNTS)
    return any(number in job.value(n.value).sites for n in attributes if is_flow(job.value(n.value)))


def _asked(job: Job, value: Value) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Where the script asks a flow for its batch size or how many batches it has: the flow, and the question."""
    for node in job.nodes.of(ast.Attribute, ast.Call):
        flow: ast.expr | None = None
        if isinstance(node, ast.Attribute) and node.attr == "batch_size":
            flow = node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len" and len(node.args) == 1:
            flow = node.args[0]
        same = flow is not None and is_flow(job.value(flow)) and job.value(flow).sites & value.sites
        if same and flow is not None:
            yield flow, node


def as_before(job: Job, value: Value) -> Iterator[tuple[ast.expr, Wrap]]:
    """Edits, with their places, after which answers are those of the script, where a process makes 1/N of a batch.

    In a pass over a folder it makes N times as many.
    """
    for _, node in _asked(job, value):
        inner = isinstance(job.parent(node), (ast.BinOp, ast.UnaryOp, ast.Attribute))
        before, after = ("(", ")") if inner else ("", "")
        size = job.at(node).ranked.world_size
        if isinstance(node, ast.Attribute):
            yield node, Wrap(job.span(node), before, f" * {size}{after}")
        elif value.name in _FOLDERS:
            yield node, Wrap(job.span(node), f"{before}-(-", f" // {size}){after}")
