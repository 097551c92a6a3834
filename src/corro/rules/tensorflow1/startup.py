"""Join the processes before anything is made, and let each session take the device of its process.

Why
---
The processes have to find each other first. A session takes all the GPUs that it sees, so each is told which one is its
own: the one with the process's local rank. Memory is taken as it is needed.

Before
------
::

    with tf.Session() as session:

After
-----
::

    hvd.init()
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    config.gpu_options.visible_device_list = str(hvd.local_rank())

    with tf.Session(config=config) as session:

Source
------
Horovod documentation, "Horovod with TensorFlow", steps 1 and 2.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.effects import EffectKind
from corro.frontends.tensorflow1.names import plain
from corro.rules.common.tensorflow import download
from corro.rules.places import at_start
from corro.rules.tensorflow1 import files, seeds
from corro.rules.tensorflow1._means import stores
from corro.source import After, add_keyword
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job

NAME = "session-startup"

_OPTIONS = "tensorflow.ConfigProto"


def apply(job: Job) -> Iterable[Answer]:
    """One change for the start, one for each session or its options."""
    target, first = job.target, job.first_statement
    start = target.start()
    yield job.change(NAME, "the engine comes first", first, [at_start(job, start.text, order=-100)], start)
    if _needs_options(job):
        code = Code("", (target.engine, *target.tf_imports))
        edits = [at_start(job, target.options(), order=-99)]
        yield job.change(NAME, "the device of this process", first, edits, code)
    yield job.note(NAME, target.needs, first)
    done: set[ast.AST] = set()
    for node in (*job.anatomy.sessions, *job.anatomy.monitored):
        yield from _session(job.at(node), node, done)


def _needs_options(job: Job) -> bool:
    """Whether a session is given no options of the script's own, or there is one that runs collectives before."""
    made = (n for n in (*job.anatomy.sessions, *job.anatomy.monitored) if job.file_of(n) is job.script)
    if any(_given(job, node) is None for node in made) or seeds.shares(job) or files.waits(job):
        return True
    return any(e.kind in (EffectKind.FETCH, EffectKind.DELETE) for e in job.effects) or any(
        download.fetches(fact) for fact in job.calls
    )


def _given(job: Job, node: ast.Call) -> ast.expr | None:
    """The options that a session is given."""
    given = next((k.value for k in node.keywords if k.arg == "config"), None)
    position = 2 if node in job.anatomy.sessions else len(node.args)
    return node.args[position] if given is None and len(node.args) > position else given


def _session(job: Job, node: ast.Call, done: set[ast.AST]) -> Iterator[Answer]:
    given = _given(job, node)
    graph = next((k.value for k in node.keywords if k.arg == "graph"), None)
    if graph is not None and not isinstance(job.parent(node), ast.withitem):
        yield job.refuse(
            NAME,
            "a session is made for another graph than that in which its variables are made equal.",
            node,
            "Use it in a with statement: with tf.Session(graph=graph) as session.",
        )
        return
    if given is None or (isinstance(given, ast.Constant) and given.value is None):
        if given is not None or any(k.arg is None for k in node.keywords) or len(node.args) > 1:
            yield _opaque(job, node)
            return
        edits = add_keyword(job.file_of(node), node, "config", job.target.config)
        code = Code("", (job.target.engine, *job.target.tf_imports))
        yield job.change(NAME, "the device of this process", node, edits, code)
        return
    yield from _options(job, node, given, done)


def _options(job: Job, node: ast.Call, given: ast.expr, done: set[ast.AST]) -> Iterator[Answer]:
    """Options of the script's own: they are told the device too."""
    target, code = job.target, Code("", (job.target.engine,))
    made = _made(job, given)
    if made is None:
        yield _opaque(job, given)
        return
    if made in done:
        return
    done.add(made)
    statement = job.statement(made)
    holder = job.parent(made)
    if isinstance(statement, ast.Assign) and holder is statement and isinstance(statement.targets[0], ast.Name):
        line = f"{statement.targets[0].id}.gpu_options.visible_device_list = {target.device}"
        yield job.change(NAME, "the device of this process", made, [After(statement, line, order=-8)], code)
        return
    options = next((k.value for k in made.keywords if k.arg == "gpu_options"), None)
    if made.args or any(k.arg is None for k in made.keywords):
        yield _opaque(job, given)
    elif options is None:
        text = f"{target.tf}.GPUOptions(visible_device_list={target.device})"
        yield job.change(
            NAME, "the device of this process", made, add_keyword(job.file_of(made), made, "gpu_options", text), code
        )
    elif isinstance(options, ast.Call) and not any(k.arg in (None, "visible_device_list") for k in options.keywords):
        edits = add_keyword(job.file_of(options), options, "visible_device_list", target.device)
        yield job.change(NAME, "the device of this process", made, edits, code)
    else:
        yield _opaque(job, given)


def _made(job: Job, given: ast.expr) -> ast.Call | None:
    """The one call that makes the options which a session is given."""
    if isinstance(given, ast.Call):
        found = [given]
    elif isinstance(given, ast.Name):
        found = []
        for node in stores(job, given):
            statement = job.statement(node)
            value = statement.value if isinstance(statement, ast.Assign) else None
            if not isinstance(value, ast.Call):
                return None
            found.append(value)
    else:
        return None
    facts = job.calls_of(found[0]) if len(found) == 1 else []
    return found[0] if facts and plain(facts[0].name) == _OPTIONS else None


def _opaque(job: Job, node: ast.AST) -> Answer:
    return job.refuse(
        NAME,
        "the options of a session are given in a way that Corro cannot follow, so it cannot be told its device.",
        node,
        "Give the session config=tf.ConfigProto(...), or none.",
        effort="one line",
    )
