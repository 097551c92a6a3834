"""Give all processes rank 0's variables when they have been initialised, or restored.

Why
---
Initialisers draw other weights on each process. Horovod averages gradients, not weights, so processes that begin with
different ones stay different. A checkpoint is written by rank 0, which may be on another machine, or not be done with
it: where the variables are initialised anyway, rank 0 alone restores them, and sends them to the others.

Before
------
::

    session.run(tf.global_variables_initializer())
    saver.restore(session, path)

After
-----
::

    session.run(tf.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    if hvd.rank() == 0:
        saver.restore(session, path)
    session.run(hvd.broadcast_global_variables(0))

Source
------
Horovod documentation, "Horovod with TensorFlow", steps 5 and 6.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.tensorflow1.semantics import MONITORED
from corro.rules.file_tests import looks_at_files
from corro.rules.tensorflow1._job import is_saver
from corro.rules.tensorflow1.files import written
from corro.source import After, Before, Guard
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.sessions import RunSite
    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job
    from corro.source import Edit

NAME = "session-variables"


def apply(job: Job) -> Iterable[Answer]:
    """One change after each run that initialises variables, and for each that restores them."""
    starts = [site for site in job.anatomy.runs if site.initialises]
    done: set[ast.stmt] = set()
    sent: set[tuple[ast.stmt, str]] = set()
    for site in starts:
        statement = job.statement(site.node)
        if not isinstance(statement, (ast.Expr, ast.Assign)):
            yield job.refuse(
                NAME,
                "variables are initialised inside a larger statement.",
                site.node,
                "Put it on a line of its own.",
                effort="one line",
            )
            return
        here = job.at(statement)
        code = Code("", (here.target.engine,))
        edits: list[Edit] = [*_sent(job, statement, _broadcast(here, site), sent)]
        yield job.change(NAME, "all processes have rank 0's variables", site.node, edits, code)
    for fact in job.calls:
        if is_saver(fact) and fact.name == "restore":
            yield from _restored(job.at(fact.node), fact, starts, done, sent)
    yield from _never(job, starts)


def _broadcast(job: Job, site: RunSite) -> str:
    function = site.node.func
    of_session = isinstance(function, ast.Attribute) and not _is_part_of_graph(job, site)
    if of_session and isinstance(function, ast.Attribute):
        return f"{job.segment(function.value)}.run({job.target.broadcast})"
    return f"{job.target.broadcast}.run()"


def _is_part_of_graph(job: Job, site: RunSite) -> bool:
    """Whether the run is spelt ``initializer.run()``."""
    return isinstance(site.node.func, ast.Attribute) and bool(job.value(site.node.func.value).tags)


def _sent(job: Job, statement: ast.stmt, text: str, sent: set[tuple[ast.stmt, str]]) -> Iterator[Edit]:
    """The broadcast, after the conditions that ask what is on disk: a process may find other files than the first."""
    place = statement
    for above in job.ancestors(statement):
        if isinstance(above, (ast.FunctionDef, ast.For, ast.While, ast.With)):
            break
        if isinstance(above, ast.If) and looks_at_files(job, above.test):
            place = above
    if (place, text) not in sent:
        sent.add((place, text))
        yield After(place, text, order=-7)


def _restored(
    job: Job, fact: CallFact, starts: list[RunSite], done: set[ast.stmt], sent: set[tuple[ast.stmt, str]]
) -> Iterator[Answer]:
    node = fact.node
    statement = job.statement(node)
    session = node.args[0] if node.args else None
    if session is None or not isinstance(statement, ast.Expr) or statement.value is not node:
        yield job.refuse(
            NAME,
            "variables are restored in a way that Corro cannot follow.",
            node,
            "Write saver.restore(session, path) on a line of its own.",
            effort="one line",
        )
        return
    if statement in done:
        return
    done.add(statement)
    code = Code("", (job.target.engine, *job.target.tf_imports))
    if any(_comes_before(job, site, fact) for site in starts):
        text = f"{job.segment(session)}.run({job.target.broadcast})"
        edits: list[Edit] = [Guard(statement, job.target.is_first), *_sent(job, statement, text, sent)]
        yield job.change(NAME, "rank 0 restores the variables of all processes", node, edits, code)
        return
    saved = written(job)
    if saved is not None and saved < fact.order:
        edits = [Before(statement, job.target.barrier, order=-9)]
        yield job.change(NAME, "rank 0 has written before the others read", node, edits, code)


def _comes_before(job: Job, site: RunSite, fact: CallFact) -> bool:
    """Whether a run has initialised the variables of the same session whenever they are restored."""
    session = fact.args[0] if fact.args else None
    for start in job.facts_of(site):
        same = (
            start.receiver is not None
            and session is not None
            and (start.receiver.sites == session.sites or not start.receiver.name)
        )
        tests = [test.node for test in fact.context.tests]
        if same and start.order < fact.order and all(test.node in tests for test in start.context.tests):
            return True
    return False


def _never(job: Job, starts: list[RunSite]) -> Iterator[Answer]:
    """Plain sessions that train must have been given their variables somewhere."""
    for site in job.anatomy.runs:
        for fact in job.facts_of(site) if site.trains else ():
            if fact.receiver is not None and fact.receiver.name == MONITORED:
                continue
            given = any(f.order < fact.order for each in starts for f in job.facts_of(each))
            restored = any(is_saver(f) and f.name == "restore" and f.order < fact.order for f in job.calls)
            if not given and not restored:
                yield job.refuse(
                    NAME,
                    "Corro found no place where the variables are initialised, so they cannot be made equal.",
                    site.node,
                    "Run tf.global_variables_initializer() in a statement of its own.",
                    effort="one line",
                )
                return
