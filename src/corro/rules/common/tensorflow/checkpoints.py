"""Wait for rank 0's file before other processes read it.

Why
---
Models and weights are saved on rank 0 only. A process that loads them right after may look for a file that is not there
yet, or read half of it. So all wait for rank 0 before they load. A temporary folder, or a name with the time in it, is
another one on each process: rank 0 tells its own.

Before
------
::

    model.fit(x, y, callbacks=[ModelCheckpoint("best.h5")])
    model.load_weights("best.h5")

After
-----
::

    model.fit(x, y, callbacks=[..., *([ModelCheckpoint("best.h5")] if hvd.rank() == 0 else [])])
    hvd.allreduce(0.0)
    model.load_weights("best.h5")

Source
------
Horovod documentation, "Horovod with Keras", step 6. Measured with Keras 2.15: under a strategy ``load_weights`` fails
with a TypeError on files called ``.weights.h5``, and loads others.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import Value
from corro.frontends.effects import EffectKind, opens
from corro.frontends.keras.data import BATCHED
from corro.frontends.keras.effects import keras_effects
from corro.frontends.keras.names import canonical
from corro.frontends.keras.presence import only_keras_3
from corro.rules import told
from corro.rules.alone import around, only_effects
from corro.source import Before
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-checkpoints"
FRONTENDS = ("keras", "tensorflow")

_LOADS = frozenset({"keras.models.load_model", "numpy.load", "pickle.load",
                    "tensorflow.saved_model.load", "keras.layers.TFSMLayer", "tensorflow.lite.Interpreter",
                    "tensorflow.lite.TFLiteConverter.from_saved_model", "tensorflow.train.latest_checkpoint",
                    "tensorflow.train.load_checkpoint", "tensorflow.train.list_variables"})  # fmt: skip
_READS = ("joblib.load", "numpy.loadtxt", "numpy.genfromtxt", "pandas.read_", "matplotlib.image.imread",
          "matplotlib.pyplot.imread", "PIL.Image.open", "cv2.imread", "imageio.imread", "imageio.v2.imread",
          "skimage.io.imread", "IPython.display.Image", "IPython.display.SVG", "IPython.core.display.Image",
          "keras.preprocessing.image.load_img", "keras.utils.load_img", "tensorflow.io.read_file")  # fmt: skip
"""Functions that read the file they are given first, or as ``filename``."""
_READING = frozenset({"load", "read", "open", "restore", "from"})
"""Words in the names of functions that read a file."""
_PIPELINES = frozenset({"tensorflow.data.Dataset.list_files", "tensorflow.data.TextLineDataset",
                        "tensorflow.data.TFRecordDataset", "tensorflow.data.FixedLengthRecordDataset",
                        *(name for name in BATCHED if name.endswith("_from_directory"))})  # fmt: skip
"""Pipelines that read files, whose names may come from anywhere: from a list of what was written, or a pattern."""
_GIVES = frozenset({"__call__", "__getitem__", "__iter__", "__next__"})
"""Methods of objects that give samples."""


def apply(job: Job) -> Iterator[Answer]:
    """One barrier before each statement that may read what rank 0 has written, and one name for what it has written."""
    yield from _format(job)
    if not job.has_ranks:
        return
    written = _written(job)
    later = [f for f in job.calls if written is not None and f.order > written]
    again = rereads(job)
    seen: set[ast.stmt] = set()
    for fact in job.calls:
        reads = (fact in later and loads(fact)) or fact in again
        looks = not reads and fact in later and _looks(fact)
        if not (looks or reads):
            continue
        statement = around(job, opening(job, job.statement(fact.node)))
        if statement in seen or _runs_aside(job, statement):
            continue
        stands = job.is_uniform(fact.context) and _has_room(job, statement)
        if looks and not stands:
            continue
        seen.add(statement)
        if not stands:
            yield job.refuse(
                NAME,
                "a file that rank 0 writes is read on a path that not all processes take.",
                fact.node,
                "Load it in a statement that every process runs.",
            )
            continue
        target = job.at(statement).ranked
        code = Code(target.barrier, (target.engine,))
        edits = [Before(statement, code.text, order=-9)]
        yield job.change(NAME, "rank 0 has written it by then", fact.node, edits, code)
    yield from _named(job, [fact for fact in later if loads(fact)])
    yield from _known_to_rank_0(job)


def _has_room(job: Job, statement: ast.stmt) -> bool:
    """Whether a barrier may stand in front of a statement; what rank 0 alone does under a condition needs none."""
    if isinstance(statement, ast.If):
        above = job.parent(statement)
        return not (isinstance(above, ast.If) and statement in above.orelse) and not only_effects(job, statement)
    return not isinstance(statement, ast.While)


def _files(job: Job) -> dict[object, int]:
    """What rank 0 writes by name, and from where in the run on: other files than models may be read again, too."""
    found: dict[object, int] = {}
    for effect in keras_effects(job.calls):
        if effect.kind in (EffectKind.SAVE, EffectKind.OPEN) or effect.fact.name.endswith("savefig"):
            for node in (*effect.node.args, *(k.value for k in effect.node.keywords)):
                found.setdefault(_file(job, node), effect.fact.order)
    for fact in job.calls:
        if fact.result.kind is Kind.CALLBACK and fact.result.name in job.target.writing and fact.node.args:
            found.setdefault(_file(job, fact.node.args[0]), fact.order)
    return found


def _by_name(fact: CallFact) -> bool:
    """Whether a function of a library is named as one that reads: ``Word2Vec.load``, ``KeyedVectors.load_...``."""
    words = fact.name.rpartition(".")[2].lower().split("_")
    return fact.receiver is None and "." in fact.name and not _READING.isdisjoint(words)


def _file(job: Job, node: ast.expr) -> object:
    """By what two paths are known to be one: their text, or the expression."""
    const = job.value(node).const
    return const if isinstance(const, str) else ast.dump(node)


def rereads(job: Job) -> list[CallFact]:
    """What reads a file of which the name is that of one rank 0 has written."""
    files = _files(job)
    opened = [effect.fact.order for effect in keras_effects(job.calls) if effect.kind is EffectKind.OPEN]
    return [fact for fact in job.calls if _reads(job, fact, files, opened)]


def _reads(job: Job, fact: CallFact, files: dict[object, int], opened: list[int]) -> bool:
    """Whether a call reads a file that rank 0 has written."""
    if fact.receiver is not None:
        return False
    if canonical(fact.name) in _PIPELINES:
        return any(fact.order > order for order in opened)
    given = fact.node.args[:1]
    if canonical(fact.name) in _LOADS:
        given = [*given, *(k.value for k in fact.node.keywords)]
    elif canonical(fact.name).startswith(_READS):
        given = [*given, *(k.value for k in fact.node.keywords if k.arg == "filename")]
    elif not opens(fact.name) and not _by_name(fact):
        return False
    mode = fact.argument(1, "mode")
    writes = mode is not None and isinstance(mode.const, str) and not mode.const.startswith("r")
    written = [files[file] for node in given if (file := _file(job, node)) in files]
    return not writes and any(fact.order > order for order in written)


def opening(job: Job, statement: ast.stmt) -> ast.stmt:
    """The block that opens the file from which a statement reads: nobody may open it too early."""
    for above in job.ancestors(statement):
        items = above.items if isinstance(above, ast.With) else []
        opened = [item.context_expr for item in items if isinstance(item.context_expr, ast.Call)]
        if any(opens(fact.name) for each in opened for fact in job.calls_of(each)):
            return opening(job, above) if isinstance(above, ast.With) else statement
        if isinstance(above, ast.stmt):
            break
    return statement


def _runs_aside(job: Job, statement: ast.stmt) -> bool:
    """Whether a statement makes samples, which a library may ask for in a thread of its own: no place for a barrier."""
    for above in job.ancestors(statement):
        if isinstance(above, ast.ClassDef):
            return any(isinstance(n, ast.FunctionDef) and n.name in _GIVES for n in above.body)
        if isinstance(above, (ast.FunctionDef, ast.Lambda)):
            name = getattr(above, "name", "")
            names = job.names_of(above)
            uses = names.uses(name, names.scope(above)) if name else ()
            handed = any(getattr(job.parent(use), "func", None) is not use for use in uses)
            if not name or handed or any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(above)):
                return True
    return False


def _named(job: Job, loads: Iterable[CallFact]) -> Iterator[Answer]:
    """A file with a name that each process has made up for itself: rank 0 tells its own."""
    paths = [(fact, next(iter((*fact.args, *fact.keywords.values())), Value())) for fact in loads]

    def share(place: ast.AST, expression: str) -> tuple[Code, str]:
        target = job.at(place).sharing
        assert target is not None
        told_by = target.sharing_function
        return Code("", told_by.imports), f"{told_by.text}({expression})"

    return told.answers(job, NAME, paths, share if job.sharing is not None else None)


def _format(job: Job) -> Iterator[Answer]:
    """Keras 2 reads some variables of a strategy in a way that its newer file format does not allow."""
    for fact in job.calls if job.target.scope is not None and not only_keras_3(job.files) else ():
        path = fact.args[0].const if fact.args and loads(fact) else None
        if fact.name == "load_weights" and isinstance(path, str) and path.endswith(".weights.h5"):
            yield job.refuse(
                NAME,
                "Keras 2 cannot load a file in the format of .weights.h5 into a model that was made under a strategy.",
                fact.node,
                "Save and load the weights as .h5 (best.h5 in the place of best.weights.h5).",
                effort="one line",
            )
            return


def _known_to_rank_0(job: Job) -> Iterator[Answer]:
    """A manager of checkpoints is asked for one that only rank 0's has saved."""
    saved = min((e.fact.order for e in job.effects if e.kind is EffectKind.SAVE), default=None)
    saved = min((f.order for f in job.calls if f.node in job.named_checkpoints), default=saved)
    for fact in job.calls:
        path = fact.node.args[0] if fact.node.args and fact.name == "restore" else None
        if saved is None or path is None or fact.order < saved:
            continue
        if isinstance(path, ast.Attribute) and path.attr == "latest_checkpoint":
            yield job.refuse(
                NAME,
                "only rank 0's manager knows of the checkpoints that were saved meanwhile.",
                fact.node,
                "Take the path from tf.train.latest_checkpoint(directory).",
                effort="one line",
            )
            return


def _looks(fact: CallFact) -> bool:
    """Whether a call asks what is on disk."""
    return "file system" in fact.result.tags


def loads(fact: CallFact) -> bool:
    """Whether a call reads what a script may have saved."""
    on_model = fact.receiver is not None and fact.receiver.kind is Kind.MODULE
    restores = fact.receiver is not None and fact.receiver.kind is Kind.UNKNOWN and fact.name == "restore"
    return (
        restores
        or (on_model and fact.name == "load_weights")
        or (fact.receiver is None and canonical(fact.name) in _LOADS)
    )


def _written(job: Job) -> int | None:
    """The place in the run from which on rank 0 may have written a model."""
    orders = [effect.fact.order for effect in keras_effects(job.calls) if effect.kind is EffectKind.SAVE]
    for fact in job.calls:
        if fact.result.kind is Kind.CALLBACK and fact.result.name in ("ModelCheckpoint", "BackupAndRestore"):
            orders.append(fact.order)
    return min(orders, default=None)
