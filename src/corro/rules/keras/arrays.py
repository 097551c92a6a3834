"""Give each process every N-th sample of the arrays a model is fitted to.

Why
---
The batch size of the script is the global one: each process takes 1/N of it, from its own part of the samples, so that
the number of steps and the learning rate stay. A part is every N-th sample, which deals unshuffled batches out exactly
as they were; shuffled ones hold as many samples of each part. All parts are equally long (the first samples stand in
where N does not divide their number): a process with one batch more would wait for the others for ever. What
``validation_split`` holds back is cut off first, from the whole, and every process validates on all of it, in batches
of the script's size where that makes a difference: to a metric function of its own, or to ``validation_steps``.

Before
------
::

    model.fit(x_train, y_train, batch_size=128, epochs=10, validation_split=0.1)

After
-----
::

    if 128 % hvd.size() != 0:
        raise SystemExit(f"batch size 128 cannot be shared out over {hvd.size()} processes")
    split = int(len(x_train) * (1 - 0.1))
    shard = np.arange(hvd.rank(), hvd.rank() + split, hvd.size()) % split
    model.fit(x_train[shard], y_train[shard], batch_size=128 // hvd.size(), epochs=10,
              validation_data=(x_train[split:], y_train[split:]))

Source
------
Horovod documentation, "Horovod with Keras", partitioning of data; Keras documentation, ``Model.fit`` (what
``validation_split`` takes); PyTorch's ``DistributedSampler`` (how it makes parts equal).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.fits import FitData, FitSite
from corro.anatomy.kinds import Kind
from corro.frontends.keras.data import OF_TENSORFLOW, SPARSE, UNINDEXED
from corro.rules.keras._arguments import COMPILE, FIT, Given
from corro.rules.keras._batches import check, padding, too_small
from corro.rules.keras._statistics import validates
from corro.source import Before, Edit, parenthesised, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job
    from corro.source import Import
    from corro.targets.keras._base import SharingTarget

NAME = "keras-arrays"

_DEFAULT = "32"
_WITHOUT_ROWS = frozenset({Kind.DATASET, Kind.LOADER, Kind.ITERATOR, Kind.NUMBER, Kind.TEXT, Kind.FUNCTION,
                           Kind.INSTANCE})  # fmt: skip
_SHARED = ("x", "y", "sample_weight")


def apply(job: Job) -> Iterable[Answer]:
    """One change for each call of fit with arrays."""
    if job.sharing is None:
        return
    for site in job.anatomy.fits:
        if site.data is FitData.ARRAYS:
            yield from _fit(job.at(site.node), site)


def _fit(job: Job, site: FitSite) -> Iterator[Answer]:
    target = job.sharing
    assert target is not None
    given = Given(job, site.node, FIT)
    shares = Shares(job, target, given)
    unknown = shares.unknown()
    if unknown is not None:
        yield job.refuse(
            NAME,
            "Corro cannot tell what a sample is in the data that the model is fitted to.",
            unknown,
            "Fit it to arrays, or to lists or dicts of arrays.",
        )
        return
    known, steps = given.value("batch_size"), given.text("steps_per_epoch")
    size = given.text("batch_size") or _DEFAULT
    if job.is_strong and known is not None and known.const == 1:
        yield too_small(job, NAME, site.node)
        return
    edits = [*shares.edits()]
    if job.is_strong and steps is not None and known is None:
        edits.append(check(target, shares.statement, f"-(-{shares.rows} // {steps})", order=-7))
    elif job.is_strong:
        edits.append(check(target, shares.statement, size))
        edits += given.set("batch_size", f"{size} // {target.world_size}")
        if _validates_in_batches(given, site):
            edits += given.set("validation_batch_size", size)
    elif steps is not None:
        edits += given.set("steps_per_epoch", f"{steps} // {target.world_size}")
    code = Code("", (target.engine, *shares.imports))
    yield job.change(NAME, "each process trains on its own shard of every batch", site.node, edits, code)
    yield padding(job, NAME, site.node)


def _validates_in_batches(given: Given, site: FitSite) -> bool:
    """Whether validation depends on the size of its batches, which Keras takes from those of training.

    What a function of the script gives for a batch is averaged over batches; and a number of batches may be given.
    """
    job, data = given.job, given.value("validation_data")
    arrays = data is None or data.kind in (Kind.TUPLE, Kind.LIST)
    if given.node("validation_batch_size") is not None or not arrays or not validates(job, site):
        return False
    if given.node("validation_steps") is not None:
        return True
    models = _models(job, site.node)
    compiles = (call for call in job.anatomy.compiles if 0 in models or _models(job, call) & models)
    metrics = (Given(job, call, COMPILE).node("metrics") for call in compiles)
    parts = (part for node in metrics if node is not None for part in ast.walk(node))
    return any(job.value(part).obj in job.facts.functions for part in parts)


def _models(job: Job, call: ast.Call) -> frozenset[int]:
    """The models that a method may be called on, by the objects that they are; zero for one that may be several."""
    return frozenset(fact.receiver.obj for fact in job.calls_of(call) if fact.receiver is not None)


class Shares:
    """The arguments of one call of fit, and what they become."""

    def __init__(self, job: Job, target: SharingTarget, given: Given) -> None:
        self._job, self._target, self._given = job, target, given
        self.statement = job.statement(given.call)
        self._nodes = {name: node for name in _SHARED if (node := given.node(name)) is not None}
        self._np = target.library.name("numpy", "np")
        self._shard = job.names.fresh("shard")
        self._split = job.names.fresh("split") if _holds_back(given) else ""
        self.imports: list[Import] = [target.library.imports("numpy", "np")]

    def unknown(self) -> ast.expr | None:
        """An argument that has no rows for sure."""
        for node in self._nodes.values():
            kind = self._job.value(node).kind
            if kind in _WITHOUT_ROWS:
                return node
        return None

    @property
    def rows(self) -> str:
        """An expression for the number of samples that are trained on."""
        return self._split or self._length()[0]

    def edits(self) -> Iterator[Edit]:
        """Edits that give each process its part."""
        length, named = self._length()
        texts: dict[str, str] = {}
        for name, node in self._nodes.items():
            text = parenthesised(self._job.file_of(node), node)
            if name in named:
                yield Before(self.statement, f"{named[name]} = {self._job.segment(node)}", order=-9)
                text = named[name]
            texts[name] = text
            yield from replace_node(self._job.file_of(node), node, self._part(node, text, self._shard))
        lines = []
        rows = length
        if self._split:
            lines.append(f"{self._split} = int({length} * (1 - {self._given.text('validation_split')}))")
            rows = self._split
        rank, size = self._target.rank, self._target.world_size
        lines.append(f"{self._shard} = {self._np}.arange({rank}, {rank} + {rows}, {size}) % {rows}")
        yield Before(self.statement, "\n".join(lines), order=-8)
        if self._split:
            held = [self._part(node, texts[name], f"{self._split}:") for name, node in self._nodes.items()]
            yield from self._given.turn("validation_split", "validation_data", f"({', '.join(held)})")

    def _length(self) -> tuple[str, dict[str, str]]:
        """An expression for the number of samples, and names for arguments that must not be computed twice."""
        named: dict[str, str] = {}
        for name, node in self._nodes.items():
            twice = bool(self._split) or name == self._counted()
            written = isinstance(node, (ast.List, ast.Tuple, ast.Dict)) and not self._is_table(node)
            if twice and not _is_plain(node) and not written:
                named[name] = self._job.names.fresh({"x": "inputs", "y": "targets"}.get(name, name))
        name = self._counted()
        return self._rows(self._nodes[name], named.get(name)), named

    def _counted(self) -> str:
        """The argument whose rows are counted: the first that is an array by itself, the inputs else."""
        for name, node in self._nodes.items():
            if self._job.value(node).kind in (Kind.TENSOR, Kind.TABLE) and _is_plain(node):
                return name
        for name, node in self._nodes.items():
            if self._job.value(node).kind in (Kind.TENSOR, Kind.TABLE):
                return name
        plain = (name for name, node in self._nodes.items() if name == "y" and _is_plain(node))
        return next(plain, next(iter(self._nodes)))

    def _is_table(self, node: ast.expr) -> bool:
        """Whether a list holds rows in Python's own lists and numbers, and not several inputs."""
        if isinstance(node, (ast.List, ast.Tuple)):
            return bool(node.elts) and isinstance(node.elts[0], (ast.Constant, ast.UnaryOp, ast.List, ast.Tuple))
        items = self._job.facts.elements.get(node)
        rows = (Kind.NUMBER, Kind.LIST, Kind.TUPLE, Kind.ITERATOR)
        return self._job.value(node).kind is Kind.LIST and items is not None and items.kind in rows

    def _rows(self, node: ast.expr, name: str | None) -> str:
        text = name or self._job.segment(node)
        if self._is_table(node):
            return f"len({text})"
        if isinstance(node, (ast.List, ast.Tuple)) and node.elts:
            return f"len({self._job.segment(node.elts[0])})"
        if isinstance(node, ast.Dict) and node.values:
            return f"len({self._job.segment(node.values[0])})"
        value = self._job.value(node)
        if value.kind in (Kind.LIST, Kind.TUPLE):
            return f"len({text}[0])"
        if SPARSE in value.tags:  # which has no length
            return f"{text}.shape[0]"
        return f"len(next(iter({text}.values())))" if value.kind is Kind.DICT else f"len({text})"

    def _part(self, node: ast.expr, text: str, rows: str) -> str:
        """Some rows of an argument."""
        value = self._job.value(node)
        segment = self._job.segment
        if self._is_table(node):
            return f"{text}[{rows}]" if rows.endswith(":") else f"{self._np}.asarray({text})[{rows}]"
        if isinstance(node, (ast.List, ast.Tuple)):
            parts = [self._part(item, parenthesised(self._job.file_of(item), item), rows) for item in node.elts]
            return f"[{', '.join(parts)}]"
        if isinstance(node, ast.Dict):
            parts = [self._part(item, parenthesised(self._job.file_of(item), item), rows) for item in node.values]
            pairs = zip(node.keys, parts, strict=True)
            return f"{{{', '.join(f'{segment(key)}: {part}' for key, part in pairs if key)}}}"
        item = self._job.names.fresh("part")
        arrays = self._job.facts.elements.get(node)
        known = arrays is not None and arrays.kind is Kind.TENSOR  # a column of a table is looked up by its labels
        part = f"{item}[{rows}]" if known else f"{self._np}.asarray({item})[{rows}]"
        if value.kind in (Kind.LIST, Kind.TUPLE):
            return f"[{part} for {item} in {text}]"
        if value.kind is Kind.DICT:
            key = self._job.names.fresh("name")
            return f"{{{key}: {part} for {key}, {item} in {text}.items()}}"
        return self._rows_of(value, text, rows)

    def _rows_of(self, value: Value, text: str, rows: str) -> str:
        is_slice = rows.endswith(":")
        if value.kind is Kind.TABLE:
            return f"{text}.iloc[{rows}]" if not is_slice else f"{text}[{rows}]"
        if OF_TENSORFLOW in value.tags and not is_slice:
            self.imports.append(self._target.tf_import)
            return f"{self._target.tf}.gather({text}, {rows})"
        if UNINDEXED in value.tags:
            return f"{text}.tocsr()[{rows}]"
        if value.kind is Kind.TENSOR or is_slice:
            return f"{text}[{rows}]"
        return f"{self._np}.asarray({text})[{rows}]"


def _holds_back(given: Given) -> bool:
    """Whether fit sets samples aside for validation, which it does not when it is given some."""
    part, data = given.value("validation_split"), given.value("validation_data")
    return part is not None and not part.is_zero and (data is None or data.kind is Kind.NONE)


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression can be used twice: a name, an attribute of one, a constant item of one."""
    if isinstance(node, ast.Attribute):
        return _is_plain(node.value)
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and _is_plain(node.value)
    return isinstance(node, ast.Name)
