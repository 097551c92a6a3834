"""Go on with equal random numbers behind a fit that drew others on each process.

Why
---
Each process goes through a shuffled folder in an order of its own, from a seed of its own. Keras sets the seed of
NumPy itself for that, in front of every batch, so that behind the fit NumPy draws other numbers on each process. What
is drawn there must be equal all the same where it splits or orders data: each process takes its part by position. All
processes go on from rank 0's state, which is left as it is.

Before
------
::

    model.fit(images.flow_from_directory("train", batch_size=32), epochs=5)
    x_train, x_test, y_train, y_test = train_test_split(x, y)

After
-----
::

    model.fit(images.flow_from_directory("train", batch_size=32 // hvd.size(), seed=hvd.rank()), epochs=5)
    np.random.set_state(broadcast_object(np.random.get_state()))
    x_train, x_test, y_train, y_test = train_test_split(x, y)

Source
------
Keras 2.15, ``keras/src/preprocessing/image.py``: ``Iterator`` calls ``np.random.seed(seed + total_batches_seen)``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.fits import Feed
from rueda.rules.keras._arguments import Given
from rueda.rules.keras._flows import has_own_seed
from rueda.rules.keras.pipelines import of_fits
from rueda.rules.keras.seeds import drawn_from, orders_batches
from rueda.source import After
from rueda.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rueda.flow.facts import CallFact
    from rueda.rules.base import Answer
    from rueda.rules.keras._job import Job

NAME = "keras-reseeding"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each fit to a folder behind which NumPy's numbers are drawn for all."""
    target = job.sharing
    if target is None:
        return
    done: set[ast.stmt] = set()
    for site in job.anatomy.fits:
        data = Given.of_fit(job, site).data if site.feed is Feed.BATCHES else None
        if data is None or not has_own_seed(job, job.value(data)) or not job.is_own(site.node):
            continue
        statement = job.source.statement(site.node)
        if statement in done or not any(_draws_behind(job, fit) for fit in job.calls_of(site.node)):
            continue
        done.add(statement)
        if isinstance(statement, ast.Return):
            yield job.refuse(
                NAME,
                "behind this fit NumPy draws other numbers on each process, and a return leaves no place to mend that.",
                site.node,
                "Keep what fit gives in a variable, and return that.",
            )
            continue
        state = f"{target.library.name('numpy', 'np')}.random"
        share = target.sharing_function
        text = f"{state}.set_state({share.text}({state}.get_state()))"
        imports = (*share.imports, target.library.imports("numpy", "np"))
        reason = "what is drawn behind the fit must be equal on all processes"
        yield job.change(NAME, reason, site.node, [After(statement, text)], Code("", imports))


def _draws_behind(job: Job, fit: CallFact) -> bool:
    """Whether NumPy's numbers decide, behind a fit, what all processes must have alike."""
    loops = {loop.node for loop in fit.context.loops}
    trained = {site.node for site in job.anatomy.fits} | {*job.anatomy.others}
    by_chance = {p.place for p in of_fits(job) if p.is_ordered_by_chance or p.runs_a_generator}
    for fact in job.calls:
        if fact.order <= fit.order and not any(loop.node in loops for loop in fact.context.loops):
            continue
        drawn = drawn_from(fact) == "numpy" or fact.node in by_chance
        if drawn or (fact.node in trained and (fact.node in job.anatomy.others or orders_batches(job, fact))):
            return True
    return bool(job.trained_loops)
