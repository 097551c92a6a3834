"""Go on with equal random numbers after a fit that drew others on each process.

Why
---
Keras makes batches in a thread of its own, one more than it may need, and pipelines run functions of the script in
theirs, so that after such a fit NumPy has drawn more numbers on one process than on another. For a shuffled folder,
which each process goes through in an order of its own, Keras sets NumPy's seed itself, to another number on each. What
is drawn after the fit must be equal all the same where it splits or orders data: each process takes its part by
position. All processes go on from rank 0's state, which is left as it is. Two generators of the script's own that draw
at the same time, one to train and one to validate, come to other batches on each process; there is no place to mend
that, so it is refused.

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
Measured with it on 2 processes: two generators that draw an order for each epoch drew other ones from the third epoch
on, images of a folder that are augmented from the second.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from corro.anatomy.fits import FitData
from corro.rules.keras._arguments import Given
from corro.rules.keras._flows import is_flow, is_in_order
from corro.rules.keras.generators import is_generator
from corro.rules.keras.pipelines import of_fits
from corro.rules.keras.seeds import drawn_from, orders_batches
from corro.source import After
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corro.anatomy.fits import FitSite
    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-reseeding"

_EITHER = frozenset({"numpy", "random"})
_PYTHON = frozenset({"from_generator", "py_function", "numpy_function", "py_func"})


def apply(job: Job) -> Iterable[Answer]:
    """One change for each fit that may draw in a thread of its own and after which NumPy's numbers are for all."""
    if job.sharing is None:
        return
    done: set[ast.stmt] = set()
    for site in job.anatomy.fits:
        yield from _at_once(job, site)
        aside = site.data is FitData.BATCHES or (site.data is FitData.PIPELINE and _runs_python(job))
        if not aside:
            continue
        statement = job.statement(site.node)
        if statement in done or not any(_draws_after(job, fit) for fit in job.calls_of(site.node)):
            continue
        done.add(statement)
        if isinstance(statement, ast.Return):
            yield job.refuse(
                NAME,
                "after this fit NumPy draws different numbers on each process, and the return leaves no place to "
                "set them equal.",
                site.node,
                "Assign what fit returns to a name, and return that.",
                effort="one line",
            )
            continue
        target = job.at(site.node).sharing
        assert target is not None
        state = f"{target.library.name('numpy', 'np')}.random"
        share = target.sharing_function
        text = f"{state}.set_state({share.text}({state}.get_state()))"
        imports = (*share.imports, target.library.imports("numpy", "np"))
        reason = "what is drawn after the fit must be equal on all processes"
        yield job.change(NAME, reason, site.node, [After(statement, text)], Code("", imports))


def _runs_python(job: Job) -> bool:
    """Whether a pipeline may run functions of the script, which draw when its threads come to them."""
    attributes = (node.attr for node in job.nodes.of(ast.Attribute))
    return not _PYTHON.isdisjoint(attributes)


def _draws_after(job: Job, fit: CallFact) -> bool:
    """Whether NumPy's numbers decide, after a fit, what all processes must have alike."""
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


# ---------------------------------------------------------------------- drawn at the same time


def _at_once(job: Job, site: FitSite) -> Iterator[Answer]:
    """A refusal where a generator draws its batches while something else draws from the same library."""
    fit = Given.of_fit(job, site)
    data, held_out = fit.data, fit.node("validation_data")
    if data is None or held_out is None:
        return
    value, other = job.value(data), job.value(held_out)
    if is_generator(value):
        clash = _libraries(job, data) & _validated(job, held_out)
    else:  # a pipeline that ends with the epoch has drawn all before it is validated
        endless = fit.node("steps_per_epoch") is not None or any(stage.name == "repeat" for stage in value.items)
        clash = _drawn(job) if endless and _is_generated(job, value) and _is_generated(job, other) else frozenset()
    if clash:
        yield job.refuse(
            NAME,
            "batches to train on and batches to validate on are drawn from the same random numbers, each in a thread "
            "of its own: which is drawn first, and so what is drawn, differs between processes.",
            held_out,
            "Let each draw from a generator of its own, such as np.random.default_rng(1), or validate on arrays.",
        )


def _validated(job: Job, node: ast.expr) -> frozenset[str]:
    """From which libraries is drawn what a model is validated on."""
    value = job.value(node)
    if is_flow(value):
        return frozenset() if is_in_order(job, value) else frozenset({"numpy"})
    return _libraries(job, node) if is_generator(value) else frozenset()


def _is_generated(job: Job, value: Value) -> bool:
    """Whether the samples of a pipeline come from a generator of the script's own."""
    sources = {job.facts.nodes[number] for stage in value.items[:1] for number in stage.sites}
    return any(fact.node in sources and fact.name.endswith(".from_generator") for fact in job.calls)


def _drawn(job: Job) -> frozenset[str]:
    """From which libraries the generator functions of the script draw, called or handed on."""
    functions = filter(_yields, job.nodes.of(ast.FunctionDef))
    calls = (part.func for node in functions for part in ast.walk(node) if isinstance(part, ast.Call))
    names = (name for call in calls for name in job.names_of(call).qualified(call))
    return frozenset(name.partition(".")[0] for name in names if name.startswith(("numpy.random.", "random.")))


def _drawing_generators(job: Job) -> Mapping[ast.Call, set[str]]:
    """The calls of generator functions that draw, with the libraries from which they do."""
    found: dict[ast.Call, set[str]] = defaultdict(set)
    for fact in job.calls:
        library = drawn_from(fact)
        for frame in fact.context.frame.path() if library in _EITHER and not _is_off(job, fact) else ():
            if frame.call is not None and library is not None and _yields(frame.scope.node):
                found[frame.call].add(library)
    return found


def _is_off(job: Job, fact: CallFact) -> bool:
    """Whether a call stands under a condition known not to hold here: ``if shuffle:``, given ``shuffle=False``."""
    above = {*job.ancestors(fact.node)}
    for test in fact.context.tests:
        if isinstance(test.node, ast.If) and test.value.is_const:
            other = test.node.orelse if test.value.const else test.node.body
            if not above.isdisjoint(other):
                return True
    return False


def _yields(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(node))


def _libraries(job: Job, node: ast.expr) -> frozenset[str]:
    """From which libraries the generator draws that an expression is."""
    drawing, calls = _drawing_generators(job), [node]
    if isinstance(node, ast.Name):
        stores = job.names_of(node).uses(node.id, job.names_of(node).binding(node))
        statements = [job.parent(use) for use in stores if isinstance(use.ctx, ast.Store)]
        calls = [each.value for each in statements if isinstance(each, ast.Assign)]
    return frozenset(library for call in calls if isinstance(call, ast.Call) for library in drawing.get(call, ()))
