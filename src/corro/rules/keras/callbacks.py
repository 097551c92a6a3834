"""Put Horovod's callbacks in front, and let those that write or show do so once.

Why
---
The weights of rank 0 go to all processes after the first step. The metrics of an epoch are then averaged over the
processes, before any callback decides on them: early stopping and a reduced rate must come out equal everywhere, or
processes wait for each other for ever. All processes take rank 0's moving averages of batch normalisation before they
validate, and after each epoch where the script evaluates or predicts, or each would do so with another model. What
writes files (checkpoints, TensorBoard, CSV logs) runs on rank 0 only, and progress is shown there only; it shows rank
0's shard within an epoch.

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

from corro.anatomy.kinds import Kind
from corro.flow.values import MAYBE_NONE, Value
from corro.frontends.lineage import base_names, own_classes
from corro.rules.keras._arguments import Given
from corro.rules.keras._progress import shown_once
from corro.rules.keras._statistics import same_statistics
from corro.rules.keras._warmup import warm_up
from corro.source import Before, Edit, Guard, Import, Insert, Wrap, replace_node, set_keyword
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.fits import FitSite
    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-callbacks"

_SAYING = {"EarlyStopping": 3, "ReduceLROnPlateau": 3, "LearningRateScheduler": 1}
"""Callbacks of every process that have a ``verbose``, and its position."""


def apply(job: Job) -> Iterable[Answer]:
    """One change for each list of callbacks, one for each call that shows progress."""
    if not job.has_ranks:
        return
    done: set[ast.List] = set()
    yield from _lists(job, done)
    yield from _joined(job, done)
    yield from _shown(job)
    yield from _appended(job)
    yield from _saying(job)
    yield from _missed(job)
    yield from _of_libraries(job)
    yield from _of_batches(job)


# ---------------------------------------------------------------------- the lists


def _lists(job: Job, done: set[ast.List]) -> Iterator[Answer]:
    users: dict[ast.List, set[ast.Call]] = {}
    for site in job.anatomy.fits:
        for literal in _literals(job, site):
            users.setdefault(literal, set()).add(site.node)
    for site in job.anatomy.fits:
        job = job.at(site.node)
        node = Given.of_fit(job, site).node("callbacks")
        value = job.value(node) if node is not None else Value(Kind.NONE)
        lists = _literals(job, site)
        if value.kind is Kind.NONE:
            yield from _absent(job, site)
        elif node is not None and value.kind is Kind.CALLBACK:
            before, after = _once(job, node)
            front = "".join(f"{item}, " for item in _front(job, site))
            edits: list[Edit] = [Wrap(job.span(node), f"[{front}{before}", f"{after}]"), *_imports(job, site)]
            yield _change(job, site.node, edits)
        elif node is not None and lists:
            yield from _listed(job, site, node, {each: users[each] for each in lists}, done)
        elif node is not None and value.kind is Kind.LIST:
            front = f"[{', '.join(_front(job, site))}, *"
            inner = ("(", ")") if isinstance(node, (ast.IfExp, ast.BoolOp, ast.Lambda)) else ("", "")
            if _front(job, site):
                wrapped = Wrap(job.span(node), f"{front}{inner[0]}", f"{inner[1]}]")
                yield _change(job, node, [wrapped, *_imports(job, site)])
        else:
            yield job.refuse(
                NAME,
                "Corro cannot tell which callbacks are in this list.",
                node or site.node,
                "Write them as a list, in the call or assigned to a name.",
                effort="one line",
            )


def _absent(job: Job, site: FitSite) -> Iterator[Answer]:
    """A call of fit without callbacks."""
    if not _front(job, site):
        return
    name = job.names.fresh("callbacks")
    items = "".join(f"    {item},\n" for item in _front(job, site))
    before = Before(job.statement(site.node), f"{name} = [\n{items}]", order=-7)
    edits = [before, *Given.of_fit(job, site).set("callbacks", name), *_imports(job, site)]
    yield _change(job, site.node, edits)


def _listed(
    job: Job, site: FitSite, node: ast.expr, lists: dict[ast.List, set[ast.Call]], done: set[ast.List]
) -> Iterator[Answer]:
    """Lists in the call or with a name.

    Horovod's callbacks serve one call of fit: a list that several calls share, or that was made before a loop, would
    leave the weights of later models as they are. So they are put in front in the call there; and in weak scaling too,
    where the warm-up asks the compiled model for its rate.
    """
    alone = all(
        each is node or (job.is_strong and len(lists[each]) == 1 and _side_by_side(job, each, site.node))
        for each in lists
    )
    if not alone and _front(job, site):
        inner = ("(", " or [])") if MAYBE_NONE in job.value(node).tags else ("", "")
        front = f"[{', '.join(_front(job, site))}, *{inner[0]}"
        yield _change(job, node, [Wrap(job.span(node), front, f"{inner[1]}]"), *_imports(job, site)])
    for literal in lists:
        if literal in done:
            continue
        done.add(literal)
        edits: list[Edit] = []
        if alone and _front(job, site):
            edits += [*_inserted(job, literal, _front(job, site)), *_imports(job, site)]
        edits += _written_once(job, literal)
        if edits:
            yield _change(job, literal, edits)


def _side_by_side(job: Job, literal: ast.List, call: ast.Call) -> bool:
    """Whether a list is made in the same block in which the model is fitted."""
    return job.parent(job.statement(literal)) is job.parent(job.statement(call))


def _literals(job: Job, site: FitSite) -> list[ast.List]:
    """The lists, as written, that the callbacks of a call can be; none where one is not known."""
    given = Given.of_fit(job, site)
    node = given.node("callbacks")
    if isinstance(node, ast.List):
        return [node]
    made: dict[ast.List, None] = {}
    for fact in job.calls_of(site.node):
        value = fact.argument(given.names.index("callbacks"), "callbacks")
        if value is None or value.kind is Kind.NONE:
            continue
        literal = job.facts.made.get(value.obj) if value.kind is Kind.LIST else None
        if not isinstance(literal, ast.List):
            return []
        made[literal] = None
    return list(made)


def _front(job: Job, site: FitSite) -> tuple[str, ...]:
    """Callbacks that come first; none where the engine needs none."""
    if job.sharing is None:
        return ()
    warmup = warm_up(job, site) if not job.is_strong else None
    statistics = same_statistics(job, site)
    items = (warmup, statistics.text if statistics is not None else None)
    return (*job.sharing.callbacks, *(item for item in items if item is not None))


def _imports(job: Job, site: FitSite) -> tuple[Import, ...]:
    """What the callbacks that come first are made of."""
    if job.sharing is None:
        return ()
    statistics = same_statistics(job, site)
    return (*(statistics.imports if statistics is not None else ()), job.sharing.of_fit)


def _written_once(job: Job, literal: ast.List) -> Iterator[Edit]:
    """Items that belong to rank 0."""
    for item in literal.elts:
        before, after = _once(job, item)
        if before:
            yield Wrap(job.span(item), before, after)


def _inserted(job: Job, literal: ast.List, items: tuple[str, ...]) -> Iterator[Edit]:
    """Callbacks as first items, each on a line of its own in a list that is assigned."""
    span = job.span(literal)
    text = job.segment(literal)
    own = _own_line(job, literal.elts[0]) if literal.elts else None
    file = job.file_of(literal)
    file = job.file_of(literal)
    if isinstance(job.parent(literal), ast.Assign) and "\n" not in text:
        line = file.text[: span.start].rpartition("\n")[2]
        margin = line[: len(line) - len(line.lstrip())]
        step = f"\n{margin}{file.indent}"
        yield Insert(span.start + 1, "".join(f"{step}{item}," for item in items) + (step if literal.elts else ""))
        closing = "" if text[:-1].rstrip().endswith((",", "[")) else ","
        yield Insert(span.end - 1, f"{closing}\n{margin}")
    elif own is not None:
        yield Insert(span.start + 1, "".join(f"\n{own}{item}," for item in items))
    else:
        yield Insert(span.start + 1, ", ".join(items) + (", " if literal.elts else ""))


def _own_line(job: Job, item: ast.expr) -> str | None:
    """The blanks before an item that starts its line."""
    before = job.file_of(item).text[: job.span(item).start].rpartition("\n")[2]
    return before if not before.strip() else None


def _once(job: Job, item: ast.expr) -> tuple[str, str]:
    """What stands around a callback that belongs to rank 0."""
    if not is_writing(job, item):
        return "", ""
    return "*([", f"] if {job.at(item).ranked.is_first} else [])"


def is_writing(job: Job, item: ast.expr) -> bool:
    """Whether a callback writes or shows, and decides nothing."""
    value = job.value(item)
    writes = bool({value.name, *_bases(job, value)} & job.target.writing) or value.name.startswith("Tqdm")
    return value.kind is Kind.CALLBACK and (writes or bool(value.sites & job.saying_callbacks))


def _bases(job: Job, value: Value) -> Iterator[str]:
    """The names of Keras' callbacks from which a callback of the script's own is derived."""
    node = job.facts.classes.get(value.obj)
    for each in [node] if node is not None else [c for c in own_classes(job.facts) if c.name == value.name]:
        yield from (name.rpartition(".")[2] for name in base_names(job.facts, each))


def _joined(job: Job, done: set[ast.List]) -> Iterator[Answer]:
    """``callbacks += [CSVLogger(...)]``, ``extend``, ``first + [...]``: any other list that holds callbacks."""
    for node in job.nodes.of(ast.List):
        if node not in done and isinstance(node.ctx, ast.Load):
            edits = list(_written_once(job, node))
            if edits:
                yield _change(job, node, edits)


def _appended(job: Job) -> Iterator[Answer]:
    """``callbacks.append(ModelCheckpoint(...))``."""
    seen: set[ast.AST] = set()
    for fact in job.calls:
        receiver = fact.receiver
        added = fact.name in ("append", "insert") and bool(fact.node.args)
        if not added or receiver is None or receiver.kind is not Kind.LIST:
            continue
        statement = job.statement(fact.node)
        if is_writing(job, fact.node.args[-1]) and statement not in seen:
            seen.add(statement)
            yield _change(job, fact.node, [Guard(statement, job.at(statement).ranked.is_first)])


def _missed(job: Job) -> Iterator[Answer]:
    """Callbacks that write, and come to a call of fit by another way than as items of a list."""
    items = [item for node in job.nodes.of(ast.List) for item in node.elts]
    items += [f.node.args[-1] for f in job.calls if f.name in ("append", "insert") and f.node.args]
    once = {number for item in items if is_writing(job, item) for number in job.value(item).sites}
    for site in job.anatomy.fits:
        node = Given.of_fit(job, site).node("callbacks")
        held = job.facts.elements.get(node) if node is not None else None
        for number in sorted(held.sites - once) if held is not None else ():
            made = job.facts.nodes[number]
            if isinstance(made, ast.expr) and is_writing(job, made):
                yield job.refuse(
                    NAME,
                    "a callback that writes is not in a list that Corro can follow: every process would write.",
                    made,
                    "Write it into a list, or append it to one.",
                    effort="one line",
                )
                return


def _of_libraries(job: Job) -> Iterator[Answer]:
    """Callbacks that neither Keras nor the script has."""
    items = [item for site in job.anatomy.fits for literal in _literals(job, site) for item in literal.elts]
    unknown = (item for item in items if job.value(item).kind is Kind.UNKNOWN and not job.value(item).obj)
    item = next(unknown, None)
    if item is not None and not isinstance(item, ast.Starred):
        yield job.review(
            NAME,
            "a callback of another library is called on every process: it shows or writes everything N times, is "
            "given the metrics of one shard only, and leaves the other processes waiting if it ends training by "
            "these or by the clock.",
            item,
            "Give it to rank 0 alone if it only shows or writes.",
            differs=("alone",),
        )


def _of_batches(job: Job) -> Iterator[Answer]:
    """Metrics that TensorBoard is told of within an epoch, where only those of whole epochs are averaged."""
    for fact in job.calls if job.sharing is not None else ():
        frequency = fact.keywords.get("update_freq")
        if fact.result.kind is Kind.CALLBACK and frequency is not None and frequency.const != "epoch":
            yield job.review(
                NAME,
                "what is written for single batches covers rank 0's shard only.",
                fact.node,
                'Leave update_freq at "epoch": the metrics of epochs are averaged over the processes.',
                differs=("metrics",),
            )


# ---------------------------------------------------------------------- what is shown


def _shown(job: Job) -> Iterator[Answer]:
    for node in dict.fromkeys(fact.node for fact in job.calls if fact.node in job.anatomy.uses):
        edits = shown_once(job, node)
        if edits:
            yield job.change(NAME, "progress is shown once", node, edits, Code("", (job.at(node).target.engine,)))


def _saying(job: Job) -> Iterator[Answer]:
    """Callbacks on every process that say what they do."""
    seen: set[ast.AST] = set()
    for fact in job.calls:
        if fact.result.kind is not Kind.CALLBACK or fact.receiver is not None or fact.node in seen:
            continue
        seen.add(fact.node)
        position = _SAYING.get(fact.result.name)
        verbose = fact.argument(position, "verbose") if position is not None else None
        if verbose is not None and not verbose.is_zero:
            yield _quiet(job.at(fact.node), fact, position or 0)


def _quiet(job: Job, fact: CallFact, position: int) -> Answer:
    keyword = next((k for k in fact.node.keywords if k.arg == "verbose"), None)
    node = keyword.value if keyword is not None else fact.node.args[position]
    text, file = f"{job.segment(node)} if {job.ranked.is_first} else 0", job.file_of(node)
    edits = set_keyword(file, fact.node, "verbose", text) if keyword else replace_node(file, node, text)
    return job.change(NAME, "said once", fact.node, edits, Code("", (job.ranked.engine,)))


def _change(job: Job, node: ast.AST, edits: Iterable[Edit]) -> Answer:
    reason = "equal weights at the start, metrics averaged over processes, files written once"
    return job.change(NAME, reason, node, edits, Code("", (job.at(node).target.engine,)))
