"""Shared by rules: what the optimizers hold, which of it a wrapper averages, and how the rest is averaged by hand."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow.python import asks_for_main
from corro.frontends.pytorch.parameters import added, are_all, may_be_loose
from corro.frontends.pytorch.parts import modules_given, owners, whole_of
from corro.frontends.pytorch.steering import Steered, writes
from corro.frontends.pytorch.steps import is_scaled, loss_of
from corro.rules import places
from corro.rules.pytorch._gradients import beside, in_one_function, place_for, uses
from corro.rules.pytorch._trainings import is_repeated
from corro.source import Before, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corro.anatomy.sites import ModelSite
    from corro.anatomy.steps import Chosen, OptimizerSite, Step, Update
    from corro.flow.facts import CallFact
    from corro.frontends.pytorch.steering import Write
    from corro.rules.pytorch._gradients import Use
    from corro.rules.pytorch._job import Job
    from corro.targets.base import Code


def loose(job: Job, optimizers: Iterable[OptimizerSite]) -> tuple[ast.expr, ...]:
    """Single tensors that optimizers hold, and modules that are not called in the training step."""
    called = frozenset().union(*(site.numbers for site in job.anatomy.models))
    found: dict[str, ast.expr] = {}
    for held in (each.held for each in optimizers):
        modules = (m for m in held.modules if may_be_loose(job.facts, m, called))
        found |= {ast.dump(node): node for node in (*modules, *held.tensors)}
    return tuple(found.values())


def is_one(job: Job, node: ast.expr, anchors: Iterable[ast.stmt]) -> bool:
    """Whether all of what an optimizer was given by an expression is what its name stands for in a training.

    The name of a loop's variable stands for what the last round gave, and the optimizer was given that of each.
    """
    if not isinstance(node, ast.Name):
        return job.value(node).kind is not Kind.MODULE
    stores = _stores(job, node)
    rounds = [above for store in stores for above in job.ancestors(store) if isinstance(above, _ROUNDS)]
    return len(stores) <= 1 and all(set(rounds) <= set(job.ancestors(anchor)) for anchor in anchors)


def optimizers_at(job: Job, update: Update, anchor: ast.stmt) -> tuple[ast.expr, ...]:
    """What the optimizers of an update are called where its training begins; nothing where not all have a name."""
    inside = set(walk(anchor))
    made = [fact for site in update.optimizers for fact in job.calls_of(site.node)]
    if any(loop.node in inside for fact in made for loop in fact.context.loops):
        return ()
    if _is_there(job, update.optimizer, anchor):
        return (update.optimizer,)
    parents = [job.parent(site.node) for site in update.optimizers]
    targets = [target for each in parents if isinstance(each, ast.Assign) for target in each.targets[:1]]
    named = all(_is_there(job, each, anchor) and len(_stores(job, each)) == 1 for each in targets)
    return tuple(targets) if named and len(targets) == len(parents) else ()


def _is_there(job: Job, node: ast.expr, anchor: ast.stmt) -> bool:
    """Whether an expression gives in front of a statement what it gives within it."""
    if not is_seen(job, node, anchor):
        return False
    names, inside = job.names_of(node), set(walk(anchor))
    for part in (part for part in walk(node) if isinstance(part, ast.Name)):
        stores = _stores(job, part)
        beside = names.binding(part) is names.scope(anchor)
        if any(use in inside or (beside and job.span(use).start > job.span(anchor).start) for use in stores):
            return False
    return True


def _stores(job: Job, node: ast.expr) -> list[ast.Name]:
    """Where the names in an expression are bound."""
    names = job.names_of(node)
    parts = (part for part in walk(node) if isinstance(part, ast.Name))
    uses = (use for part in parts for use in names.uses(part.id, names.binding(part)))
    return [use for use in uses if isinstance(use.ctx, ast.Store)]


_ROUNDS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def equal_models(job: Job) -> tuple[ModelSite, ...]:
    """The models that are made equal: DDP takes no model without gradients, and it needs none."""
    return tuple(site for site in job.anatomy.models if site.optimizers or not job.target.wraps_model)


def is_wrapped(job: Job, site: ModelSite) -> bool:
    """Whether a model gets a wrapper: it is trained, by gradients that the wrapper can average."""
    return job.target.wraps_model and bool(site.optimizers) and site not in job.unwrapped and job.is_plain


def wrapped_models(job: Job) -> tuple[ModelSite, ...]:
    """The models that get a wrapper."""
    return tuple(site for site in job.anatomy.models if is_wrapped(job, site))


def wrapper_name(job: Job, site: ModelSite) -> str:
    """The name of a model's wrapper; where that is an attribute, one that is free wherever the model is used."""
    _, dot, last = site.name.rpartition(".")
    taken = frozenset().union(*(job.names_of(use).all_names for use in site.uses if dot))
    return job.names.fresh(f"{job.target.name}_{last}", taken)


def is_made_under(job: Job, site: ModelSite) -> ast.stmt | None:
    """The statement of an arm of a condition in which a model is wrapped at the top of the script; else ``None``.

    Its wrapper goes after that statement: at the end of the script it need not be there.
    """
    inner: ast.AST = site.anchor
    if job.names_of(inner).scope(inner) is not job.names.module:
        return None
    for above in job.ancestors(inner):
        if isinstance(above, (ast.If, ast.match_case)):
            is_guard = isinstance(above, ast.If) and asks_for_main(above.test) is not None
            return inner if isinstance(inner, ast.stmt) and not is_guard else None
        inner = above
    return None


def wraps_optimizers(job: Job) -> bool:
    """Whether the optimizers get a wrapper that averages: Horovod's, which expects steps that are all alike.

    It takes a gradient that is missing for zero, by which weights decay and momentum goes on; it makes each update
    after as many backward passes; and its sum counts what is left of an earlier step once for each process. In front of
    a step with a closure there is nothing to average yet.
    """
    if job.target.averages_in_backward or not job.is_plain:
        return False
    if any(each.closure is not None for each in job.anatomy.updates):
        return False
    if not _has_own(job) or any(_changes(job, each) for each in job.anatomy.optimizers):
        return False
    missing = any(site.unused or site.bypassed for site in job.anatomy.models if site.optimizers)
    uneven = missing or any(each.governed or _adds_up(job, each) for each in job.anatomy.updates)
    return not uneven and all(_synchronizes(job, step) for step in job.anatomy.steps)


def _changes(job: Job, site: OptimizerSite) -> bool:
    """Whether an optimizer is made anew in a training, or is given more parameters: its hooks stay where they are."""
    epoch_loops = {each for step in job.anatomy.steps for each in step.trainings if each is not step.loop}
    anew = any(loop.node in epoch_loops for fact in job.calls_of(site.node) for loop in fact.context.loops)
    return anew or next(added(job.facts, site.node), None) is not None


def _has_own(job: Job) -> bool:
    """Whether models are stepped by one optimizer each, as often as they are made: two leave their hooks on one."""
    if not is_repeated(job):
        return True
    if _share_parts(job):
        return False
    for site in job.anatomy.models:
        made = [_rounds(fact) for number in site.numbers for fact in job.calls_of(job.facts.nodes[number])]
        for each in site.optimizers:
            rounds = [_rounds(fact) for fact in job.calls_of(each.node)]
            once = len(rounds) == 1 and not rounds[0][1]
            if len(site.optimizers) > 1 or not (once or set(rounds) == set(made)):
                return False
    return True


def _share_parts(job: Job) -> bool:
    """Whether a module is a part of several models that are trained."""
    above = dict(owners(job.facts))
    for fact in job.calls:
        for number in modules_given(job.facts, fact):
            above[number] = above.get(number, frozenset()) | fact.result.sites
    trained = {site.numbers for site in job.anatomy.models}
    wholes = [whole_of(above, frozenset({number})) for number in above]
    return any(sum(not numbers.isdisjoint(each) for numbers in trained) > 1 for each in wholes)


def _rounds(fact: CallFact) -> tuple[tuple[ast.AST, ...], tuple[ast.AST, ...], frozenset[ast.AST]]:
    """The calls, loops and conditions by which something is done again and again."""
    context = fact.context
    return (
        tuple(places.way(fact)[1:]),
        tuple(loop.node for loop in context.loops),
        frozenset(t.node for t in context.tests),
    )


def _synchronizes(job: Job, step: Step) -> bool:
    """Whether gradients can be averaged right behind the backward pass of a step that uses them before its update."""
    found = [use for use in uses(job) if use.step is step]
    return not (found or is_scaled_step(job, step)) or in_one_function(job, step, found)


def is_scaled_step(job: Job, step: Step) -> bool:
    """Whether a gradient scaler makes an update of a step."""
    return any(is_scaled(fact) for update in step.updates for fact in job.calls_of(update.node))


def is_summed(job: Job, update: Update) -> bool:
    """Whether an update is fed by a loss that is a sum over the samples."""
    return any(loss_of(fact).form is Form.SUM for each in update.backwards for fact in job.calls_of(each.node))


def _adds_up(job: Job, update: Update) -> bool:
    """Whether gradients of a sum are added to others: not set to zero for each update, or changed by the script."""
    if not is_summed(job, update):
        return False
    if any(use.is_attribute for use in uses(job)):
        return True
    made = job.calls_of(update.node)
    asked = {test.node for fact in made for test in fact.context.tests}
    zeroed = (
        fact
        for fact in job.calls
        if fact.name == "zero_grad" and any(fact.context.loops[-1:] == each.context.loops[-1:] for each in made)
    )
    return all(any(t.node not in asked for t in each.context.tests) for each in zeroed)


def bypassed(job: Job, optimizers: Iterable[OptimizerSite]) -> bool:
    """Whether optimizers may step a model whose gradients no wrapper averages, of it or of the optimizer.

    Gradients of several backward passes add up in the same tensors, some to be set to zero before their update: what is
    averaged in front of each update is right whichever they are.
    """
    if not job.is_plain or not job.target.averages_in_backward:
        return not wraps_optimizers(job)
    numbers = {each.number for each in optimizers}
    return any(each.number in numbers for site in job.unwrapped for each in site.optimizers)


def by_hand(job: Job, update: Update) -> bool:
    """Whether some of the gradients that an update steps by are averaged by hand."""
    loosely = job.target.averages_in_backward and bool(loose(job, update.optimizers))
    return bypassed(job, update.optimizers) or loosely


def averaging_places(job: Job, update: Update) -> tuple[ast.stmt, ...]:
    """The statements in front of which gradients are averaged by hand: the update, or what uses them before it.

    An optimizer uses those of a closure as soon as that returns.

    An average of gradients that are averaged already changes nothing, and what is added to them later is averaged with
    the next one.
    """
    if update.closure is not None:
        return tuple(update.closure.body[-1:])
    step = next(step for step in job.anatomy.steps if update in step.updates)
    alike = [each for each in step.updates if _numbers([each]) == _numbers([update])]
    main, others = job.statement(update.node), dict[ast.stmt, None]()
    for use in uses(job):
        for way in use.ways if use.step is step else ():
            found = {each: place_for(job, step, way, each.node) for each in alike}
            place, in_time = found[update]
            if in_time and place is not None:
                main = min(main, place, key=lambda each: job.span(each).start)
            elif place is not None and not any(timely for _, timely in found.values()):
                others |= {place: None} if update is alike[0] and not _is_of_others(job, use, update) else {}
    return (main, *others)


def is_seen(job: Job, node: ast.expr, statement: ast.stmt) -> bool:
    """Whether the names in an expression mean the same at a statement."""
    if job.file_of(node) is not job.file_of(statement):
        return False
    there = next((part for part in ast.walk(statement) if isinstance(part, ast.Name)), None)
    used = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    names = job.names_of(statement)
    return there is not None and all(names.lookup(part.id, names.scope(there)) is names.binding(part) for part in used)


def is_placed(job: Job, use: Use) -> bool:
    """Whether gradients that are averaged by hand are averaged in front of where they are used."""
    updates = [update for update in use.step.updates if not _is_of_others(job, use, update)]
    if any(update.closure is not None for update in updates):
        return False
    for way in use.ways:
        found = [(update, *place_for(job, use.step, way, update.node)) for update in updates]
        timely = [_numbers([update]) for update, _, in_time in found if in_time]
        if any(place is None and _numbers([update]) not in timely for update, place, _ in found):
            return False
    return True


def _is_of_others(job: Job, use: Use, update: Update) -> bool:
    """Whether gradients are known to be those of what other updates of a step change."""
    others = [each for each in use.step.updates if _numbers([each]).isdisjoint(_numbers([update]))]
    return bool(others) and _holds(job, others, use)


def is_held(job: Job, use: Use) -> bool:
    """Whether the gradients that are used are those of what the updates of the step change."""
    return _holds(job, use.step.updates, use) or (not _sites(use) and holds_models(job, use.step))


def is_of_trained(job: Job, use: Use) -> bool:
    """Whether the gradients that are used are those of models that are called, and that an optimizer steps.

    Where it is not known whose they are, all models have to be. A loss of the script's own is called as a model is.
    """
    trained = [site for site in job.anatomy.models if site.optimizers]
    numbers = frozenset().union(*(site.numbers for site in trained)) | _numbers(use.step.updates)
    known = bool(_sites(use)) or len(trained) == len(job.anatomy.models)
    return known and _are_among(job, _sites(use), numbers)


def _sites(use: Use) -> frozenset[int]:
    """The modules, or the optimizers, whose gradients are used."""
    return use.owner.sites.union(*(item.sites for item in use.owner.items))


def _holds(job: Job, updates: Sequence[Update], use: Use) -> bool:
    return bool(_sites(use)) and _are_among(job, _sites(use), _numbers(updates) | _wholes(job, updates))


def _numbers(updates: Sequence[Update]) -> frozenset[int]:
    """The numbers of the optimizers of updates."""
    return frozenset(each.number for update in updates for each in update.optimizers)


def _are_among(job: Job, sites: frozenset[int], known: frozenset[int]) -> bool:
    above = owners(job.facts)
    return all(whole_of(above, frozenset({number})) & known for number in sites)


def _wholes(job: Job, updates: Sequence[Update]) -> frozenset[int]:
    """The modules of which optimizers were given all parameters."""
    sites = {each for update in updates for each in update.optimizers}
    frozen = not any(_thaws(job, write, site) for write in writes(job.facts) for site in sites)
    chosen: dict[int, list[Chosen]] = {}
    for each in (each for site in sites for each in site.held.chosen):
        value = job.value(each.module)
        for number in value.sites if "part" not in value.tags else ():
            chosen.setdefault(number, []).append(each)
    return frozenset(number for number, given in chosen.items() if are_all(given, frozen=frozen))


def _thaws(job: Job, write: Write, site: OptimizerSite) -> bool:
    """Whether something changes which parameters are trained once an optimizer was given some of them."""
    if write.what is not Steered.TRAINABLE:
        return False
    calls = (frame.call for frame in write.context.frame.path() if frame.call is not None)
    after = (beside(job, (each,), site.node) for each in (write.node, *calls))
    return write in job.changes or any(each and job.span(each).start > job.span(site.node).start for each in after)


def holds_models(job: Job, step: Step) -> bool:
    """Whether the optimizers of a step were given all parameters of the models that are called."""
    whole = _wholes(job, step.updates)
    return all(site.numbers <= whole for site in job.anatomy.models)


def average(job: Job, update: Update, place: ast.stmt) -> tuple[Before, Code]:
    """Average by hand, at a place, all gradients that an update steps by.

    What is averaged already stays as it is: it is equal on all processes.
    """
    name, group, each = (job.names.fresh(word) for word in ("parameter", "group", "p"))
    code = job.target.average_stepped(job.segment(update.optimizer), group, each, name)
    return Before(place, code.text, order=-5), code
