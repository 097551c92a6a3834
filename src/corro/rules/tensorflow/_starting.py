"""Shared by rules: where training begins, which variables it changes, and whether they are there by then.

A script may train several times, each time with variables of their own, which may have the same names: each outermost
loop in which gradients are computed is a beginning. So is a single step in front of a loop, for which the weights must
be there, and equal, before the model is used at all: what it is used for may be reported.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass
from corro.frontends.keras.names import canonical
from corro.frontends.tensorflow.gradients import applies_gradients, assigns, minimizes, sources_of
from corro.frontends.tensorflow.semantics import GRAPH, VARIABLE
from corro.rules import unshared
from corro.rules.tensorflow._single import frame_of, in_frame, is_single

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corro.flow.facts import CallFact, Loop
    from corro.flow.values import Value
    from corro.rules.tensorflow._job import Job

_BUILDING = frozenset({"build", "summary", "load_weights", "fit", "evaluate", "predict", "count_params", "set_weights",
                       "get_weights"})  # fmt: skip
_SHAPED = ("input_shape", "input_dim", "batch_input_shape", "batch_shape", "shape")


@dataclass(frozen=True, eq=False)
class Start:
    """The place just before training, and what is known there.

    Args:
        anchor: the outermost loop of the training, or the first statement that uses the model of a single step.
        step: the statement in the body of the loop over the batches which makes the step; a single step itself.
        models: expressions for the models that are trained; ``None`` where one has none at the anchor.
        variables: expressions for other variables that are trained.
        optimizers: expressions for the optimizers.
        built: whether all variables are there at the anchor.
    """

    anchor: ast.stmt
    step: ast.stmt
    models: tuple[str, ...] | None
    variables: tuple[str, ...]
    optimizers: tuple[str, ...]
    built: bool
    _trained: frozenset[int]
    _tests: frozenset[ast.AST]

    def is_begun_by(self, earlier: Start) -> bool:
        """Whether all that is trained here is known, and was trained before, wherever this is reached."""
        same = self._trained <= earlier._trained and set(self.variables) <= set(earlier.variables)
        return self.models is not None and same and earlier._tests <= self._tests


def starts(job: Job) -> tuple[Start, ...] | None:
    """Where the training of any variables begins; ``None`` where one of the beginnings cannot be told."""
    groups: dict[ast.AST, list[CallFact]] = {}
    for fact in sorted(job.updates, key=lambda fact: fact.order):
        loops = fact.context.loops
        groups.setdefault(loops[0].node if loops else fact.node, []).append(fact)
    found: list[Start] = []
    for group in groups.values():
        start = _start(job, group)
        if start is None:
            return None
        if not any(start.is_begun_by(earlier) for earlier in found):
            found.append(start)
    return tuple(found) or None


def _start(job: Job, updates: Sequence[CallFact]) -> Start | None:
    """The beginning of the training that some gradients are computed in, the first of them first."""
    first = updates[0]
    if not first.context.passes:
        return _single_start(job, updates)
    pass_ = first.context.passes[-1]
    if not isinstance(pass_.node, ast.For):
        return None
    step = _step(job, first, pass_)
    if step is None:
        return None
    built = all(_is_built(job, value, first.order) for value in _trained_models(job, updates))
    outer = [loop.node for loop in first.context.loops if isinstance(loop.node, ast.stmt)]
    near = [loop.node for loop in first.context.loops if loop.frame is pass_.frame and isinstance(loop.node, ast.stmt)]
    anchor, (models, variables, complete) = near[0], _trained(job, near[0], updates)
    for place in [*(outer[:1] if built else []), *near]:
        found = _trained(job, place, updates)
        if found[2]:
            anchor, (models, variables, complete) = place, found
            break
    if not built and GRAPH in _modes(first, pass_):
        complete = False  # there is no first time in a graph
    applied = (f.receiver for f in job.calls if _applies(f) and f.context.loops[0].node is first.context.loops[0].node)
    used = frozenset().union(*(receiver.sites for receiver in applied if receiver is not None))
    optimizers = tuple(visible_names(job, anchor, lambda v: v.kind is Kind.OPTIMIZER and bool(v.sites & used)))
    trained = frozenset().union(*(_all_sites(job, fact) for fact in updates))
    tests = frozenset(test.node for test in first.context.tests)
    known = models if complete else None
    return Start(anchor, step, known, variables, optimizers, built, trained, tests)


def begins_with(job: Job, fact: CallFact) -> bool:
    """Whether a gradient is that of a single step, before which all processes have rank 0's weights."""
    return not fact.context.passes and _single_start(job, [fact]) is not None


def _single_start(job: Job, updates: Sequence[CallFact]) -> Start | None:
    """Where the model of single steps is used for the first time; ``None`` where its variables may not be there."""
    first = updates[0]
    frame = frame_of(job, first)
    if frame is None or not all(is_single(job, fact) for fact in updates):
        return None
    models = _trained_models(job, updates)
    use = min((f for f in job.calls if _is_use(f, models)), key=lambda fact: fact.order, default=first)
    if frame.number not in [each.number for each in use.context.frame.path()] or use.context.loops:
        return None
    anchor, step = (job.statement(in_frame(f.node, f.context.frame, frame)) for f in (use, first))
    tests = frozenset(test.node for test in first.context.tests)
    surely = {test.node for test in use.context.tests} <= tests
    names, variables, complete = _trained(job, anchor, updates)
    built = all(is_made_built(job, model) or _is_built_before(job, model, use.order) for model in models)
    plain = all(isinstance(each, (ast.Assign, ast.AnnAssign, ast.Expr)) for each in (anchor, step))
    if not (complete and built and plain and surely) or variables or _makes_after(job, use.order):
        return None
    trained = frozenset().union(*(_all_sites(job, fact) for fact in updates))
    return Start(anchor, step, names, (), (), True, trained, tests)


def _is_use(fact: CallFact, models: Sequence[Value]) -> bool:
    """Whether a call gives what the weights of a model make, or the weights."""
    shown = fact.name not in ("build", "summary", "compile", "count_params")
    return shown and fact.receiver is not None and any(same_as(model)(fact.receiver) for model in models)


def is_used_before(job: Job, start: Start) -> bool:
    """Whether a model that is trained is evaluated before all processes have rank 0's weights."""
    trained = frozenset().union(*(model.sites for model in trained_models(job) if model.sites <= start._trained))
    first = job.first_fit
    fitted = first is not None and first.order < min(fact.order for fact in job.updates)
    begin = job.statement(first.node) if first is not None and fitted else start.anchor
    return unshared.used_before(job, begin, trained)


def _is_built_before(job: Job, model: Value, order: int) -> bool:
    calls = (f for f in job.calls if f.name == "build" and f.receiver is not None and f.order < order)
    return any(f.receiver is not None and same_as(model)(f.receiver) and not f.context.tests for f in calls)


def _makes_after(job: Job, order: int) -> bool:
    """Whether anything that has variables is made later."""
    kinds = (Kind.MODULE, Kind.LAYER)
    made = (f for f in job.calls if f.order > order and f.receiver is None)
    return any((f.result.kind in kinds and bool(f.result.sites)) or VARIABLE in f.result.tags for f in made)


def _applies(fact: CallFact) -> bool:
    """Whether a call lets an optimizer change variables, in a pass."""
    return (applies_gradients(fact) or minimizes(fact)) and bool(fact.context.passes)


def _modes(first: CallFact, pass_: Loop) -> frozenset[str]:
    """The modes of the function that the loop over the batches stands in, if the gradient is computed in it too."""
    return first.context.modes if first.context.frame.number == pass_.frame.number else frozenset()


def _step(job: Job, first: CallFact, pass_: Loop) -> ast.stmt | None:
    """The last statement of the loop's body that has to do with the step."""
    assert isinstance(pass_.node, ast.For)
    nodes: list[ast.AST] = []
    for fact in job.calls:
        update = fact in job.updates or applies_gradients(fact) or assigns(fact)
        if update and any(loop.node is pass_.node for loop in fact.context.loops):
            nodes.append(in_frame(fact.node, fact.context.frame, pass_.frame))
    found = [s for s in pass_.node.body if any(n in nodes for n in ast.walk(s))]
    return found[-1] if found else None


# ---------------------------------------------------------------------- what is trained


def trained_models(job: Job, loop: ast.For | None = None) -> list[Value]:
    """The models whose variables gradients are computed for, in one loop or anywhere."""
    updates = [f for f in job.updates if loop is None or any(each.node is loop for each in f.context.loops)]
    return _trained_models(job, updates)


def _trained_models(job: Job, updates: Sequence[CallFact]) -> list[Value]:
    wanted = {number for fact in updates for number in _sites(job, fact)}
    found: dict[frozenset[int], Value] = {}
    for value in job.facts.values.values():
        if value.kind in (Kind.MODULE, Kind.LAYER) and value.sites & wanted and len(value.sites) == 1:
            found.setdefault(value.sites, value)
    return list(found.values())


def _sites(job: Job, fact: CallFact) -> frozenset[int]:
    sources = fact.argument(1, "var_list" if minimizes(fact) else "sources")
    found = sources.sites if sources is not None else frozenset()
    for node in ast.walk(sources_of(fact) or fact.node):
        if isinstance(node, (ast.Name, ast.Attribute)):
            value = job.value(node)
            if value.kind is Kind.PARAMETERS:
                found |= value.sites
    return found


def _all_sites(job: Job, fact: CallFact) -> frozenset[int]:
    """The models and the variables that a gradient is computed for."""
    parts = (job.value(node) for node in ast.walk(sources_of(fact) or fact.node) if isinstance(node, ast.expr))
    return _sites(job, fact).union(*(value.sites for value in parts if VARIABLE in value.tags))


def _trained(job: Job, anchor: ast.stmt, updates: Sequence[CallFact]) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """Expressions for the models and the other variables that are trained, and whether these are all."""
    models: list[str] = []
    complete = True
    for model in _trained_models(job, updates):
        names = list(visible_names(job, anchor, same_as(model)))
        models += names[:1]
        complete &= bool(names)
    variables: list[str] = []
    for fact in updates:
        if _sites(job, fact):
            continue
        node = sources_of(fact) or fact.node
        plain = isinstance(node, (ast.List, ast.Tuple, ast.Name)) and all(
            _is_visible(job, part, anchor) for part in ast.walk(node) if isinstance(part, ast.Name)
        )
        if plain and isinstance(node, ast.expr):
            variables.append(job.segment(node))
        complete &= plain
    complete &= bool(models or variables)
    return tuple(dict.fromkeys(models)), tuple(dict.fromkeys(variables)), complete


def same_as(model: Value) -> Callable[[Value], bool]:
    """Whether a value is this model."""
    return lambda value: value.kind is model.kind and value.sites == model.sites


def visible_names(job: Job, anchor: ast.stmt, wanted: Callable[[Value], bool]) -> Iterator[str]:
    """Expressions of names and attributes for a value, that mean the same at the anchor; one for each value."""
    seen: set[frozenset[int]] = set()
    nodes = [n for n in job.nodes.of(ast.Name, ast.Attribute) if n in job.facts.values]
    scope = job.names_of(anchor).scope(anchor)
    for node in sorted(nodes, key=lambda node: job.names_of(node).scope(node) is not scope):  # names of its own first
        value = job.value(node)
        if wanted(value) and value.sites not in seen and _is_visible(job, node, anchor):
            seen.add(value.sites)
            yield job.segment(node)


def _is_visible(job: Job, node: ast.expr, anchor: ast.stmt) -> bool:
    """Whether an expression means the same at the anchor as where it stands."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return False
    scope = job.names_of(anchor).scope(anchor)
    own = job.names_of(anchor).lookup(root.id, scope)
    if _is_self(job, root, anchor):
        return True
    if own is None or own is not job.names_of(root).binding(root):
        return False
    if own is not scope:
        return True
    same = (n for n in job.nodes.of(ast.Name) if n.id == root.id)
    stores = [n for n in same if not isinstance(n.ctx, ast.Load) and job.names_of(n).binding(n) is own]
    there, here = ([n for n in stores if _is_done(job, n, place)] for place in (anchor, root))
    inner = job.names_of(root).scope(root) is not scope  # whoever calls it decides when that is
    return not stores or (bool(there) and (inner or len(here) == len(there)))


def _is_done(job: Job, store: ast.Name, place: ast.AST) -> bool:
    """Whether a name is assigned above a place, or there."""
    statement = job.statement(store)
    last = statement.end_lineno if isinstance(statement, (ast.Assign, ast.AnnAssign)) else store.lineno
    return store is place or (last or store.lineno) < getattr(place, "lineno", 0)


def _is_self(job: Job, root: ast.Name, anchor: ast.stmt) -> bool:
    """Whether a name is the object itself, in two methods of one class."""
    here, there = (_method(job, node) for node in (root, anchor))
    if here is None or there is None or here[0] is not there[0]:
        return False
    return root.id == here[1] == there[1]


def _method(job: Job, node: ast.AST) -> tuple[ast.ClassDef, str] | None:
    """The class of the method that a node stands in, and the name of the object there."""
    for above in job.ancestors(node):
        if isinstance(above, (ast.FunctionDef, ast.Lambda)):
            parent = job.parent(above)
            first = above.args.args[0].arg if above.args.args else ""
            return (parent, first) if isinstance(parent, ast.ClassDef) else None
    return None


# ---------------------------------------------------------------------- whether it is there


def _is_built(job: Job, model: Value, order: int) -> bool:
    """Whether the variables of a model are made before the first gradient is computed."""
    for fact in job.calls:
        receiver = fact.receiver
        if receiver is None or receiver.kind is not model.kind or receiver.sites != model.sites or fact.order > order:
            continue
        if fact.name in _BUILDING or (not fact.name and not fact.context.passes):
            return True
    return is_made_built(job, model)


def is_made_built(job: Job, model: Value) -> bool:
    """Whether a model has its variables as soon as it is made."""
    if model.kind is Kind.LAYER:
        return False
    made = [job.facts.nodes[number] for number in model.sites]
    for node in made:
        facts = job.calls_of(node)
        name = canonical(facts[0].name) if facts else ""
        if name.startswith("keras.applications.") or name in ("keras.models.load_model", "keras.models.clone_model"):
            return True
        if name == "keras.models.Model":
            return True
        if name == "keras.models.Sequential" and _has_shape(job, node, model):
            return True
    return False


def _has_shape(job: Job, node: ast.AST, model: Value) -> bool:
    """Whether the first layer of a ``Sequential`` says what its input is like."""
    inside = [n for n in ast.walk(node) if isinstance(n, ast.Call)]
    added = [
        f.node for f in job.calls if f.name == "add" and f.receiver is not None and f.receiver.sites == model.sites
    ]
    calls = [*inside, *(n for call in added for n in ast.walk(call) if isinstance(n, ast.Call))]
    for call in calls:
        for fact in job.calls_of(call)[:1]:
            name = canonical(fact.name)
            if name in ("keras.layers.Input", "keras.layers.InputLayer"):
                return True
            if name.startswith("keras.layers.") and any(k.arg in _SHAPED[:3] for k in call.keywords):
                return True
    return False
