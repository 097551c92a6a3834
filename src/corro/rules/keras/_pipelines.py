"""Shared by rules: pipelines of files, which a strategy would deal out in place of samples."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.data import BATCHED
from corro.rules.keras._arguments import EVALUATE, FIT, FIT_GENERATOR, PREDICT, Given
from corro.source import Wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.values import Value
    from corro.rules.keras._job import Job

_READERS = ("TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset", "make_tf_record_dataset",
            "make_batched_features_dataset", "tfds.load")  # fmt: skip
"""What makes a pipeline of files that TensorFlow may deal out: its own readers, and what they are in."""
_LIBRARIES = ("tensorflow_datasets",)
_BY_SAMPLE = frozenset({"from_tensor_slices", "from_tensors", "range", "from_generator", "list_files",
                        "make_csv_dataset", "CsvDataset"}) | BATCHED  # fmt: skip
_JOINING = frozenset({"flat_map", "interleave", "zip", "concatenate", "apply", "sample_from_datasets",
                      "choose_from_datasets", "group_by_window", "scan"})  # fmt: skip
"""Stages that may bring in other pipelines."""
_KEEPING = frozenset({"cache", "snapshot"})
_DATA = {"fit": (FIT, ("x", "validation_data")), "fit_generator": (FIT_GENERATOR, ("generator", "validation_data")),
         "evaluate": (EVALUATE, ("x",)), "predict": (PREDICT, ("x",))}  # fmt: skip
"""Calls that share pipelines out, and the arguments that are shared out."""


def from_files(job: Job) -> Iterator[ast.expr]:
    """What models are fitted to and tested on, each expression once, where workers would share out files."""
    if job.sharing is None and job.has_ranks:
        yield from (node for node in shared_out(job) if _deals_out_files(job, job.value(node)))


def shared_out(job: Job) -> Iterator[ast.expr]:
    """What models are fitted to and tested on, each expression once."""
    found: dict[ast.expr, None] = {}
    for fact in job.calls:
        names, wanted = _DATA.get(fact.name, ((), ()))
        if fact.node in job.anatomy.uses:
            call = Given(job, fact.node, names)
            found.update((node, None) for node in map(call.node, wanted) if node is not None)
    yield from found


def keeps_files(job: Job, stages: tuple[Value, ...]) -> ast.Call | None:
    """The stage of a pipeline that writes what passes into files and reads it again: one place for all processes."""
    for stage in stages[1:]:
        node = next((job.facts.nodes[number] for number in stage.sites), None)
        if isinstance(node, ast.Call) and stage.name in _KEEPING and (node.args or node.keywords):
            return node
    return None


def options_name(job: Job) -> str:
    """The name of the options by which samples are shared out."""
    return job.names.fresh("options")


def with_options(job: Job, node: ast.expr) -> Wrap:
    """The edit by which a pipeline has them."""
    closed = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    before, after = ("", "") if closed else ("(", ")")
    return Wrap(job.span(node), before, f"{after}.with_options({options_name(job)})")


def _deals_out_files(job: Job, data: Value) -> bool:
    """Whether TensorFlow may find the reader of a file in a pipeline."""
    if data.kind is not Kind.DATASET:
        return False
    names = [stage.name for stage in data.items]
    if names and names[0].endswith(_READERS):
        return True
    known = bool(names) and (names[0] in _BY_SAMPLE or names[0].rpartition(".")[2] in _BY_SAMPLE)
    return not (known and not _JOINING & set(names)) and _names_a_reader(job)


def _names_a_reader(job: Job) -> bool:
    """Whether the script, or a module of its own, speaks of a reader of files."""
    return any(map(_is_reader, job.nodes))


def _is_reader(node: ast.AST) -> bool:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        names = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
        return any(name.split(".")[0] in _LIBRARIES or name in _READERS for name in names)
    return (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")) in _READERS
