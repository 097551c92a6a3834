"""Let one process fetch a data set before the others look for it.

Why
---
N processes that fetch to the same place overwrite each other's half-written files. Rank 0 fetches, all wait for it
outside the condition, then all load what is there. Where the script asks first whether the files are there, rank 0
asks: a process that asked while rank 0 was fetching would go another way, and miss the barrier. Weights that Keras
publishes are fetched where a model is made, by every process: a review says so.

Before
------
::

    (x_train, y_train), (x_test, y_test) = mnist.load_data()

After
-----
::

    if hvd.rank() == 0:
        mnist.load_data()
    hvd.allreduce(0.0)
    (x_train, y_train), (x_test, y_test) = mnist.load_data()

Source
------
Horovod, ``examples/tensorflow2/tensorflow2_keras_mnist.py`` (a file of its own for each process).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends import downloads
from corro.frontends.keras.names import IMAGE_READERS, canonical
from corro.rules.file_tests import looks_at_files
from corro.source import After, Before, Guard
from corro.targets.base import Code, RankedTarget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job
    from corro.source import Edit

NAME = "fetched-data"

_PUBLISHED = frozenset({"imagenet", "noisy-student"})
"""Names of weights that are fetched; others are paths."""


def apply(job: Job) -> Iterator[Answer]:
    """One guarded call and one barrier before each statement that fetches."""
    if not job.has_ranks:
        return
    yield from _weights(job)
    seen: set[ast.AST] = set()
    for fact in job.calls:
        if not fetches(fact) or fact.node in seen:
            continue
        seen.add(fact.node)
        text = job.segment(fact.node)
        statement = job.statement(fact.node)
        branch = _asks_first(job, statement)
        target = job.at(fact.node).ranked
        if branch is not None:
            yield from _branch(job, target, fact, branch)
            continue
        if not job.is_uniform(fact.context) or isinstance(statement, (ast.If, ast.While, ast.For, ast.FunctionDef)):
            continue
        lines = text.splitlines()
        margin = min((len(x) - len(x.lstrip()) for x in lines[1:] if x.strip()), default=0)
        call = "\n".join(["    " + lines[0], *("        " + x[margin:] for x in lines[1:])])
        code = Code(f"if {target.is_first}:\n{call}\n{target.barrier}", (target.engine,))
        edits = [Before(statement, code.text, order=-30)]
        yield job.change(NAME, "one process downloads first", fact.node, edits, code)


def fetches(fact: CallFact) -> bool:
    """Whether a call fetches data unless it is there."""
    return fact.receiver is None and (downloads.fetches(fact) or canonical(fact.name).endswith(IMAGE_READERS))


def _weights(job: Job) -> Iterator[Answer]:
    """Models of Keras come with weights that are fetched; made twice, they would draw other numbers on rank 0."""
    for fact in job.calls:
        if fact.receiver is None and _is_pretrained(fact):
            yield job.review(
                NAME,
                "every process downloads these weights at the same time unless they are there already, and may read "
                "a file that another has written only half.",
                fact.node,
                "Download them first: make the model once in a program of one process.",
            )
            return


def _is_pretrained(fact: CallFact) -> bool:
    name = canonical(fact.name)
    weights = fact.keywords.get("weights")
    given = (weights,) if weights is not None else fact.args
    other = any(v.kind is Kind.NONE or (isinstance(v.const, str) and v.const not in _PUBLISHED) for v in given)
    return name.startswith("keras.applications.") and name.rpartition(".")[2][:1].isupper() and not other


def _asks_first(job: Job, statement: ast.stmt) -> ast.If | None:
    """The condition around a statement that asks what is on disk: ``if not path.exists(): get_file(...)``."""
    for above in job.ancestors(statement):
        if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return None
        if isinstance(above, ast.If) and looks_at_files(job, above.test):
            return above
    return None


def _branch(job: Job, target: RankedTarget, fact: CallFact, branch: ast.If) -> Iterator[Answer]:
    """Rank 0 asks and fetches: a process that asked while rank 0 was fetching would go another way."""
    fetching = {f.node for f in job.calls if fetches(f)}
    alone = all(isinstance(each, ast.Expr) and each.value in fetching for each in branch.body)
    uniform = all(t.node is branch or t.value.form is not Form.LOCAL for t in fact.context.tests)
    above = job.parent(branch)
    if not alone or branch.orelse or not uniform or (isinstance(above, ast.If) and branch in above.orelse):
        yield job.refuse(
            NAME,
            "whether this is downloaded depends on files that rank 0 may be downloading at the same time.",
            fact.node,
            "Call it without the condition: a file that is there is not downloaded again.",
            effort="one line",
        )
        return
    if branch.body[0] is job.statement(fact.node):
        edits: list[Edit] = [Guard(branch, target.is_first), After(branch, target.barrier)]
        yield job.change(NAME, "one process downloads first", fact.node, edits, Code("", (target.engine,)))
