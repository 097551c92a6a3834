"""Put Horovod's callbacks in front, and let those that write or show do so once.

Why
---
The weights of rank 0 go to all processes after the first step. The metrics of an epoch are then averaged over the
processes, before any callback decides on them: early stopping and a reduced rate must come out equal everywhere, or
processes wait for each other for ever. What writes files (checkpoints, TensorBoard, CSV logs) runs on rank 0 only, and
progress is shown there only; it shows rank 0's part within an epoch.

Before
------
::

    model.fit(x, y, callbacks=[EarlyStopping(patience=3), ModelCheckpoint("best.h5")])

After
-----
::

    model.fit(x, y, callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback(),
                               EarlyStopping(patience=3), *([ModelCheckpoint("best.h5")] if hvd.rank() == 0 else [])],
              verbose=1 if hvd.rank() == 0 else 0)

Source
------
Horovod, ``examples/tensorflow2/tensorflow2_keras_mnist.py``; Horovod documentation, ``MetricAverageCallback``; horovod
issue 4027.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.rules.keras._arguments import EVALUATE, FIT, FIT_GENERATOR, PREDICT, Given
from rueda.source import Before, Edit, Guard, Insert, Wrap, replace_node, set_keyword
from rueda.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.flow.facts import CallFact
    from rueda.rules.base import Answer
    from rueda.rules.keras._job import Job
    from rueda.targets.keras._base import SharingTarget

NAME = "keras-callbacks"

WRITING = frozenset({"ModelCheckpoint", "TensorBoard", "CSVLogger", "BackupAndRestore", "RemoteMonitor",
                     "ProgbarLogger", "SwapEMAWeights"})  # fmt: skip
"""Callbacks that write or show, and decide nothing."""
_SHOWING = {"fit": FIT, "fit_generator": FIT_GENERATOR, "evaluate": EVALUATE, "predict": PREDICT,
            "evaluate_generator": (), "predict_generator": ()}  # fmt: skip
_SAYING = {"EarlyStopping": 3, "ReduceLROnPlateau": 3, "LearningRateScheduler": 1}
"""Callbacks of every process that have a ``verbose``, and its position."""


def apply(job: Job) -> Iterable[Answer]:
    """One change for each list of callbacks, one for each call that shows progress."""
    if job.sharing is None:
        return
    yield from _lists(job, job.sharing)
    yield from _shown(job, job.sharing)
    yield from _appended(job, job.sharing)
    yield from _saying(job, job.sharing)


# ---------------------------------------------------------------------- the lists


def _lists(job: Job, target: SharingTarget) -> Iterator[Answer]:
    done: set[ast.AST] = set()
    for site in job.anatomy.fits:
        given = Given(job, site.node, FIT_GENERATOR if site.old else FIT)
        front = ", ".join(target.callbacks)
        node = given.node("callbacks")
        edits: list[Edit] = []
        if node is None:
            name = job.names.fresh("callbacks")
            items = "".join(f"    {item},\n" for item in target.callbacks)
            edits = [Before(job.source.statement(site.node), f"{name} = [\n{items}]", order=-7)]
            yield _change(job, target, site.node, [*edits, *given.set("callbacks", name)])
            continue
        lists = _literals(job, node)
        value = job.value(node)
        if value.kind is Kind.CALLBACK:
            before, after = _once(job, target, node)
            edits = [Wrap(job.source.span(node), f"[{front}, {before}", f"{after}]")]
            yield _change(job, target, site.node, edits)
        elif value.kind is Kind.NONE:
            yield _change(job, target, site.node, [*given.set("callbacks", f"[{front}]")])
        elif not lists:
            yield job.refuse(
                NAME,
                "the callbacks could not be followed to the list that holds them.",
                node,
                "Write them as a list, in the call or assigned to a name.",
            )
        for literal in lists:
            if literal in done:
                continue
            done.add(literal)
            if not job.is_own(literal):
                yield job.refuse(
                    NAME,
                    "the list of callbacks is made in a module of the script's own.",
                    literal,
                    "Make it in the script itself.",
                )
                continue
            yield _change(job, target, literal, [*_in_front(job, target, literal)])


def _literals(job: Job, node: ast.expr) -> list[ast.List]:
    """The lists, as written, that a value can be."""
    if isinstance(node, ast.List):
        return [node]
    value = job.value(node)
    if value.kind is not Kind.LIST:
        return []
    return [n for n, v in job.facts.values.items() if isinstance(n, ast.List) and v.obj == value.obj and value.obj]


def _in_front(job: Job, target: SharingTarget, literal: ast.List) -> Iterator[Edit]:
    """Horovod's callbacks as first items: each on a line of its own in a list that is assigned."""
    span = job.source.span(literal)
    text, last = job.source.segment(literal), literal.elts[-1:] or None
    if isinstance(job.source.parent(literal), ast.Assign) and "\n" not in text:
        line = job.source.text[: span.start].rpartition("\n")[2]
        margin = line[: len(line) - len(line.lstrip())]
        step = f"\n{margin}{job.source.indent}"
        yield Insert(span.start + 1, "".join(f"{step}{item}," for item in target.callbacks) + (step if last else ""))
        closing = "" if text[:-1].rstrip().endswith((",", "[")) else ","
        yield Insert(span.end - 1, f"{closing}\n{margin}")
    elif last and (own := _own_line(job, literal.elts[0])) is not None:
        yield Insert(span.start + 1, "".join(f"\n{own}{item}," for item in target.callbacks))
    else:
        yield Insert(span.start + 1, ", ".join(target.callbacks) + (", " if last else ""))
    for item in literal.elts:
        before, after = _once(job, target, item)
        if before:
            yield Wrap(job.source.span(item), before, after)


def _own_line(job: Job, item: ast.expr) -> str | None:
    """The blanks before an item that starts its line."""
    before = job.source.text[: job.source.span(item).start].rpartition("\n")[2]
    return before if not before.strip() else None


def _once(job: Job, target: SharingTarget, item: ast.expr) -> tuple[str, str]:
    """What stands around a callback that belongs to rank 0."""
    if not is_writing(job, item):
        return "", ""
    return "*([", f"] if {target.is_first} else [])"


def is_writing(job: Job, item: ast.expr) -> bool:
    """Whether a callback writes or shows, and decides nothing."""
    value = job.value(item)
    writing = value.name in WRITING or value.name.startswith("Tqdm") or bool(value.sites & job.saying_callbacks)
    return value.kind is Kind.CALLBACK and writing


def _appended(job: Job, target: SharingTarget) -> Iterator[Answer]:
    """``callbacks.append(ModelCheckpoint(...))``."""
    seen: set[ast.AST] = set()
    for fact in job.calls:
        receiver = fact.receiver
        if fact.name != "append" or receiver is None or receiver.kind is not Kind.LIST or not fact.node.args:
            continue
        statement = job.file_of(fact.node).statement(fact.node)
        if is_writing(job, fact.node.args[0]) and job.is_own(fact.node) and statement not in seen:
            seen.add(statement)
            yield _change(job, target, fact.node, [Guard(statement, target.is_first)])


# ---------------------------------------------------------------------- what is shown


def _shown(job: Job, target: SharingTarget) -> Iterator[Answer]:
    seen: set[ast.AST] = set()
    for fact in job.calls:
        names = _SHOWING.get(fact.name)
        on_model = fact.receiver is not None and fact.receiver.kind is Kind.MODULE
        if names is None or not on_model or fact.node in seen or not job.is_own(fact.node):
            continue
        seen.add(fact.node)
        given = Given(job, fact.node, names)
        verbose = given.value("verbose")
        if given.is_open or (verbose is not None and verbose.is_zero) or (verbose is None and not names):
            continue
        default = '"auto"' if fact.name == "predict" else "1"
        text = f"{given.text('verbose') or default} if {target.is_first} else 0"
        reason = "progress is shown once"
        yield job.change(NAME, reason, fact.node, given.set("verbose", text), Code("", (target.engine,)))


def _saying(job: Job, target: SharingTarget) -> Iterator[Answer]:
    """Callbacks on every process that say what they do."""
    seen: set[ast.AST] = set()
    for fact in job.calls:
        if fact.result.kind is not Kind.CALLBACK or fact.receiver is not None or fact.node in seen:
            continue
        seen.add(fact.node)
        position = _SAYING.get(fact.result.name)
        verbose = fact.argument(position, "verbose") if position is not None else None
        if verbose is None or verbose.is_zero or not job.is_own(fact.node):
            continue
        yield from _quiet(job, target, fact, position or 0)


def _quiet(job: Job, target: SharingTarget, fact: CallFact, position: int) -> Iterator[Answer]:
    keyword = next((k for k in fact.node.keywords if k.arg == "verbose"), None)
    node = keyword.value if keyword is not None else fact.node.args[position]
    text = f"{job.source.segment(node)} if {target.is_first} else 0"
    edits = set_keyword(job.source, fact.node, "verbose", text) if keyword else replace_node(job.source, node, text)
    yield job.change(NAME, "said once", fact.node, edits, Code("", (target.engine,)))


def _change(job: Job, target: SharingTarget, node: ast.AST, edits: Iterable[Edit]) -> Answer:
    reason = "equal weights at the start, metrics of the whole, files written once"
    return job.change(NAME, reason, node, edits, Code("", (target.engine,)))
