"""Reduce metrics to their global values before anything reads them: shared by the rules of all training loops."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import PARTIAL, Form
from corro.anatomy.sites import PassSite, Role, Sharding
from corro.flow.facts import Accumulation, CallFact
from corro.flow.loops import ACCUMULATED
from corro.flow.values import MIXED, NONE, without_bar
from corro.frontends.effects import goes_into_files
from corro.rules.places import blocks, uses_inner_names
from corro.rules.reducing import (
    Part,
    Wholes,
    differs,
    element,
    holds_sums,
    is_size,
    is_uniform,
    leftovers,
    mixed_type,
    partial_parts,
    reduce_before,
    sharded_sources,
    shown_dicts,
    unequal_shares,
)
from corro.source import After, Edit, indented, position, replace_node, walk
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.rules.base import Answer
    from corro.rules.reducing import ReducingJob


def answers(job: ReducingJob, rule: str) -> Iterator[Answer]:
    """Reduce after each pass, then at each report and decision that still needs it; in the name of a rule."""
    yield from _after_passes(job, rule)
    yield from _in_steps(job, rule)
    yield from _at_statements(job, rule)


# ---------------------------------------------------------------------- after the loop


def _after_passes(job: ReducingJob, rule: str) -> Iterator[Answer]:
    by_loop: dict[ast.stmt, list[Accumulation]] = {}
    for fact in job.facts.accumulations.values():
        if fact.used and not fact.continued:
            by_loop.setdefault(fact.loop, []).append(fact)
    for loop, accumulations in by_loop.items():
        site = job.anatomy.pass_of(loop)
        if site is not None:
            yield from _after_pass(job, rule, site, accumulations)


def _after_pass(job: ReducingJob, rule: str, site: PassSite, accumulations: list[Accumulation]) -> Iterator[Answer]:
    job = job.at(site.loop)
    trained, dealt, whole = _kinds_of_pass(job, site)
    if not trained and not dealt:
        accumulations = [each for each in accumulations if differs(job, each.value)]
        summed = next((each for each in accumulations if each.form is not Form.MEAN), None)
        if summed is not None:
            yield job.refuse(
                rule,
                f"{summed.variable!r} sums up numbers of this data, which every process evaluates in full, and of data "
                "that is shared out.",
                site.loop,
                "Sum them up apart.",
            )
            return
    parts = [
        _part(a, mean=a.form is Form.MEAN and not dealt) for a in accumulations if dealt or a.form is not Form.STEP
    ]
    if not parts:
        return
    where = job.is_shared_out(site) if whole else Code("")
    if where is None:
        yield job.refuse(
            rule,
            "one loop passes over training data and over data that every process evaluates in full.",
            site.loop,
            "Use one function to train and another one to evaluate.",
        )
        return
    unsure = next((a for a in accumulations if not a.value.scalar and not _is_array(job, a)), None)
    if unsure is not None:
        yield job.refuse(
            rule,
            f"{unsure.variable!r} is summed up over the batches, but is not a single number.",
            site.loop,
            "Sum up single numbers, for instance with .item().",
            effort="one line",
        )
        return
    mixed = next((a for a in accumulations if MIXED in a.value.tags), None)
    if mixed is not None:
        yield mixed_type(job, rule, mixed.variable, site.loop)
        return
    unequal = next((a for a in accumulations if a.form is Form.MEAN and not job.is_mean_of_wholes(a)), None)
    if unequal is not None and not dealt:
        yield unequal_shares(job, rule, unequal.variable, site.loop)
        return
    lengths = _lengths(job, site) if dealt else []
    batches = _batches_name(job, site)
    names = [Part(job.segment(n), batches, job.value(n), mean=False) for n in lengths[:1]]
    code = job.whole([*parts, *names])
    if where.text:
        code = Code(f"if {where.text}:\n{indented(code.text)}", (*code.imports, *where.imports))
    edits: list[Edit] = [After(site.loop, code.text, order=0)]
    for node in lengths:
        edits += replace_node(job.file_of(node), node, batches)
    listed = ", ".join(part.name for part in parts)
    yield job.change(rule, f"each process has only its part of {listed}", site.loop, edits, code)
    if trained and not site.trains:
        yield job.review(
            rule,
            "training data is evaluated with the sampler for training, which may count up to N-1 samples twice.",
            site.loop,
            "Give this evaluation a DataLoader of its own for the exact number.",
            differs=("coverage", "metrics"),
        )


def _kinds_of_pass(job: ReducingJob, site: PassSite) -> tuple[bool, bool, bool]:
    """Whether the pass goes over training data, over evaluation data dealt out, over evaluation data in full."""
    loaders = [loader for n in site.loaders if (loader := job.anatomy.loader(n)) is not None]
    trained = any(x.role is Role.TRAINING for x in loaders)
    evaluated = [x for x in loaders if x.role is Role.EVALUATION]
    dealt = any(x.sharding is not Sharding.EVERYWHERE for x in evaluated)
    return trained, dealt, any(x.sharding is Sharding.EVERYWHERE for x in evaluated) and (trained or dealt)


def _part(fact: Accumulation, *, mean: bool) -> Part:
    return Part(fact.variable, fact.variable, fact.value, mean, is_array=not fact.value.scalar)


def _is_array(job: ReducingJob, fact: Accumulation) -> bool:
    """Whether something that is summed up is an array with as many items on each process, under a name."""
    return job.reduces_arrays and fact.value.kind is Kind.TENSOR and fact.variable.isidentifier()


def _batches_name(job: ReducingJob, site: PassSite) -> str:
    """A name for the number of batches of these loaders; others that are passed over in the function have another."""
    taken: list[tuple[frozenset[int], str]] = []
    for other in sorted(job.anatomy.passes, key=lambda each: each.loop.lineno):
        if _function(job, other.loop) is not _function(job, site.loop):
            continue
        same = next((name for loaders, name in taken if loaders & other.loaders), None)
        name = same or job.names.fresh("num_batches", {name for _, name in taken})
        if other is site:
            return name
        if _kinds_of_pass(job, other)[1] and _lengths(job, other):
            taken.append((other.loaders, name))
    return job.names.fresh("num_batches")


def _function(job: ReducingJob, loop: ast.stmt) -> ast.AST | None:
    return next((a for a in job.ancestors(loop) if isinstance(a, (ast.FunctionDef, ast.Module))), None)


def _lengths(job: ReducingJob, site: PassSite) -> list[ast.Call]:
    """``len(loader)`` after the pass: with whole batches dealt out it is a part, like the sums."""
    function = _function(job, site.loop)
    found: dict[ast.Call, None] = {}
    for fact in job.calls:
        measured = without_bar(fact.args[0]) if fact.name == "len" and fact.args else NONE
        if measured.kind is not Kind.LOADER or not measured.sites & site.loaders:
            continue
        inside = function in (*job.ancestors(fact.node),)
        if inside and fact.node.lineno > (site.loop.end_lineno or 0):
            found[fact.node] = None
    return list(found)


def _in_steps(job: ReducingJob, rule: str) -> Iterator[Answer]:
    """Reduce the numbers of a step of which something is accumulated that no reduction after the pass mends."""
    by_statement: dict[ast.stmt, list[ast.expr]] = {}
    for node, context in job.facts.pooled.items():
        if not is_uniform(job, context):
            yield job.refuse(
                rule,
                "this has to be reduced in each step, but not all processes get here together.",
                node,
                "Add up sums or averages over the batches in a variable of their own.",
            )
            return
        by_statement.setdefault(job.statement(node), []).append(node)
    made: Wholes = {}
    for statement, nodes in by_statement.items():
        yield reduce_before(job, rule, statement, nodes, made)


# ---------------------------------------------------------------------- reports and decisions


def _at_statements(job: ReducingJob, rule: str) -> Iterator[Answer]:
    handled: dict[ast.stmt, tuple[list[ast.expr], CallFact]] = {}
    for fact, expressions in _sinks(job):
        for text in texts_for(job, fact):
            handled.setdefault(text, ([text.value], fact))
        handled.setdefault(job.statement(fact.node), (expressions, fact))
    made: Wholes = {}
    for statement in sorted(handled, key=position):
        yield from _at_statement(job, rule, statement, *handled[statement], made)


def _sinks(job: ReducingJob) -> Iterator[tuple[CallFact, list[ast.expr]]]:
    for fact in job.reports():
        yield fact, _arguments(fact.node)
    for fact in job.calls:
        if (
            fact.receiver is not None
            and fact.receiver.kind is Kind.SCHEDULER
            and fact.name == "step"
            and fact.node.args
        ):
            yield fact, _arguments(fact.node)


def _arguments(call: ast.Call) -> list[ast.expr]:
    inner = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    return [*inner, *call.args, *(k.value for k in call.keywords)]


def _to_reduce(job: ReducingJob, expressions: Sequence[ast.expr]) -> list[ast.expr]:
    """The parts of some expressions that are reduced."""
    found = [p for e in expressions for p in partial_parts(job, e) if not is_size(job, p[0])]
    return [*(n for n, _, _ in found), *(n for e in expressions for n in shown_dicts(job, e))]


def texts_for(job: ReducingJob, report: CallFact) -> Iterator[ast.Assign | ast.AugAssign]:
    """Where texts are made under a name that a report shows, by statements of the same block in front of it.

    They are made as often as they are shown, and by all processes together where these come to the report together.
    """
    statement = job.statement(report.node)
    block = next((each for each in blocks(job.parent(statement)) if statement in each), [])
    shown = _names_shown(report)
    for name in shown if isinstance(statement, ast.Expr) and statement.value is report.node else ():
        for each in block[: block.index(statement)] if job.value(name).kind is Kind.TEXT else ():
            if isinstance(each, (ast.Assign, ast.AugAssign)) and name.id in _assigned(each) and _is_whole(job, each):
                yield each


def _names_shown(report: CallFact) -> list[ast.Name]:
    """The variables that a report shows, or that it makes what it shows of, as in ``print(line.strip())``."""
    return [part for each in _arguments(report.node) for part in walk(each) if isinstance(part, ast.Name)]


def _is_whole(job: ReducingJob, text: ast.Assign | ast.AugAssign) -> bool:
    """Whether all parts of a text that can be reduced are, or are shown as rank 0 has them."""
    nodes = _to_reduce(job, [text.value])
    mixed = any(MIXED in (element(job, node) or job.value(node)).tags for node in nodes)
    return not mixed and _unplaced(job, "", text, leftovers(job, text.value, nodes)) is None


def _assigned(statement: ast.Assign | ast.AugAssign) -> list[str]:
    """The name that a statement gives a value, if it does nothing else."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [target.id for target in targets if isinstance(target, ast.Name)] if len(targets) == 1 else []


def _is_made_before(job: ReducingJob, node: ast.expr, report: CallFact) -> bool:
    """Whether a report shows a text whose parts are looked at where it is made, in the same block."""
    texts = [text for text in texts_for(job, report) if isinstance(node, ast.Name) and node.id in _assigned(text)]
    begun = any(isinstance(text, ast.Assign) for text in texts)  # else it goes on with what a function was given
    if not isinstance(node, ast.Name) or not begun or node not in _names_shown(report):
        return False
    scope = job.names_of(node).binding(node)
    stores = [use for use in job.names_of(node).uses(node.id, scope) if not isinstance(use.ctx, ast.Load)]
    return {job.statement(use) for use in stores} <= {*texts}


def _at_statement(
    job: ReducingJob, rule: str, statement: ast.stmt, expressions: list[ast.expr], fact: CallFact, made: Wholes
) -> Iterator[Answer]:
    if isinstance(statement, (ast.Expr, ast.Assign)):
        expressions = [statement.value]
    nodes = _to_reduce(job, expressions)
    left = [x for e in expressions for x in leftovers(job, e, nodes) if not _is_made_before(job, x, fact)]
    decides = fact.receiver is not None and fact.receiver.kind is Kind.SCHEDULER
    of_data = [n for n in left if not _is_local(job, n)]
    kept = [] if decides else _divided_with(job, expressions, nodes, of_data)
    refusal = _unmended(job, rule, statement, left)
    if refusal is None and not kept:
        refusal = _of_either(job, rule, statement, left, fact)
    if refusal is None and decides:
        refusal = _undecided(job, rule, statement, expressions, left)
    if refusal is not None:
        yield refusal
        return
    nodes, of_data = [n for n in nodes if n not in kept], [*of_data, *kept]
    if of_data and not decides:
        outer = [node for node in of_data if not uses_inner_names(job, node)] or of_data
        texts = list(dict.fromkeys(_short(job, node) for node in outer))
        yield job.review(
            rule,
            f"{_listed(texts)} depend{'s' if len(texts) == 1 else ''} on this process's shard of the data; rank 0's "
            "is reported.",
            statement,
            "Sum up or average it over all samples if the global value is wanted.",
            differs=("metrics",),
            only_here=True,
            in_files=goes_into_files(fact),
        )
    if nodes:
        made.update(_tested(job, statement))
        yield from _reduced_at(job, rule, statement, nodes, fact, made)


def _of_either(
    job: ReducingJob, rule: str, statement: ast.stmt, left: Sequence[ast.expr], report: CallFact
) -> Answer | None:
    """A refusal where a pass shows a sum that is a shard's, but may be one of all data in another phase."""
    if not any(loop.loaders & sharded_sources(job) for loop in report.context.loops):
        return None
    either = (n for n in left if job.value(n).form in (Form.SUM, Form.COUNT) and not is_size(job, n))
    shown = next(either, None)
    if shown is None:
        return None
    return job.refuse(
        rule,
        f"{_short(job, shown)} is a sum over this process's shard of the data here, and it is not known to be one in "
        "each pass, so that it cannot be reduced.",
        statement,
        "Add it up with += in a variable of each pass, and show it after the pass.",
    )


def _divided_with(
    job: ReducingJob, expressions: Sequence[ast.expr], nodes: Sequence[ast.expr], left: Sequence[ast.expr]
) -> list[ast.expr]:
    """The sums and counts that stay a shard's, as what they are divided by, or what is divided by them, does."""
    ratios = [x for e in expressions for x in walk(e) if isinstance(x, ast.BinOp) and isinstance(x.op, ast.Div)]
    texts: set[str] = set()
    for ratio in ratios:
        for side, other in ((ratio.left, ratio.right), (ratio.right, ratio.left)):
            inside = {*walk(side)}
            if not {*walk(other)}.isdisjoint(left):
                texts |= {job.segment(n) for n in nodes if n in inside and job.value(n).form is not Form.MEAN}
    return [node for node in nodes if job.segment(node) in texts]


def _unmended(job: ReducingJob, rule: str, statement: ast.stmt, left: Sequence[ast.expr]) -> Answer | None:
    """A refusal where what differs is shown, and is not made whole."""
    unplaced = _unplaced(job, rule, statement, left)
    if unplaced is not None:
        return unplaced
    put = next((part for n in left for part in _sums_in_texts(job, n)), None)
    if put is not None:
        return job.refuse(
            rule,
            f"{_short(job, put)} is put into a text that is shown later, but is a sum over this process's shard of the "
            "data, of which a part is no estimate of the whole.",
            statement,
            'Show it in the statement that makes the text, as in print(f"{total / count}"), so that it is reduced.',
            effort="one line",
        )
    return None


def _unplaced(job: ReducingJob, rule: str, statement: ast.stmt, left: Sequence[ast.expr]) -> Answer | None:
    """A refusal where what differs is shown and no reduction can be placed."""
    unsure = next((n for n in left if _grew_unseen(job, n)), None)
    if unsure is not None:
        made_of = "is made of what was " if job.value(unsure).kind is Kind.TEXT else "is "
        return job.refuse(
            rule,
            f"{_short(job, unsure)} {made_of}accumulated over the batches in a way that is not known to be a sum or a "
            "mean.",
            statement,
            "Add single numbers such as loss.item(), or loss.item() * len(x), with +=, to a variable or an item of a "
            "list.",
        )
    computed = (n for n in left if job.value(n).form in PARTIAL and uses_inner_names(job, n))
    inner = next((n for n in computed if not is_size(job, n)), None)
    if inner is not None:
        return job.refuse(
            rule,
            f"{_short(job, inner)} has to be reduced over the processes, but is computed in a comprehension or a "
            "lambda.",
            statement,
            "Compute it in a statement of its own, in a loop if need be.",
            effort="one line",
        )
    shown = next((n for n in left if holds_sums(job, n)), None)
    if shown is not None:
        return job.refuse(
            rule,
            f"{_short(job, shown)} is shown as one object that contains sums over this process's shard of the data.",
            statement,
            'Keep it in a variable, and show its items one by one, such as stats["loss"], so that each is reduced.',
        )
    return None


def _sums_in_texts(job: ReducingJob, node: ast.expr) -> Iterator[ast.expr]:
    """The sums, and what is divided by a whole, in texts that are made elsewhere and that this shows."""
    shown = element(job, node) or job.value(node)
    if shown.kind is not Kind.TEXT:
        return
    reported: set[ast.stmt] = {job.statement(fact.node) for fact in job.reports()}
    reported.update(made for fact in job.reports() for made in texts_for(job, fact))
    for text in job.nodes.of(ast.Call, ast.BinOp, ast.JoinedStr):
        if _makes_text(job, text) and job.statement(text) not in reported:
            for part in walk(text):
                value = job.value(part) if isinstance(part, ast.expr) else None
                if value is not None and value.sources & shown.sources and differs(job, value):
                    summed = value.form in (Form.SUM, Form.COUNT)
                    if isinstance(part, ast.expr) and (summed or _is_part_of_whole(job, part)):
                        yield part


def _makes_text(job: ReducingJob, node: ast.AST) -> bool:
    """Whether an expression puts values into a text."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format"
    filled = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and job.value(node).kind is Kind.TEXT
    return called or filled or isinstance(node, ast.JoinedStr)


def _is_part_of_whole(job: ReducingJob, node: ast.expr) -> bool:
    """Whether something of this process's is divided by what is reduced over all: it is a part of the whole's."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)):
        return False
    return job.value(node).form is Form.UNKNOWN and bool(job.value(node.right).pending)


def _undecided(
    job: ReducingJob, rule: str, statement: ast.stmt, expressions: Sequence[ast.expr], left: Sequence[ast.expr]
) -> Answer | None:
    """A refusal where what differs decides the learning rate."""
    local = next((n for e in expressions for n in _chances(job, e)), None)
    if local is not None:
        return job.refuse(
            rule,
            f"{_short(job, local)} differs between processes, by random numbers or noise, and decides the learning "
            "rate.",
            statement,
            "Call eval() on the model before it is evaluated, or give the scheduler a value that is equal everywhere.",
        )
    if left:
        return job.refuse(
            rule,
            f"{_short(job, left[0])} differs between processes and decides the learning rate.",
            statement,
            "Give the scheduler a sum or a mean over all samples.",
        )
    return None


def _grew_unseen(job: ReducingJob, node: ast.expr) -> bool:
    """Whether a value, its items or what is read of it was added to over the batches in an unknown way."""
    around = (part for part in job.ancestors(node) if isinstance(part, ast.expr))
    items = element(job, node) if job.value(node).kind in (Kind.LIST, Kind.DICT) else None
    values = (job.value(node), items, *map(job.value, around))
    return any(value is not None and ACCUMULATED in value.tags for value in values)


def _is_local(job: ReducingJob, node: ast.expr) -> bool:
    """Whether a value differs without meaning: a time, for which rank 0's stands."""
    values = [v for v in (job.value(node), element(job, node)) if v is not None and not v.placement.is_equal]
    return all(value.form is Form.LOCAL for value in values)


def _chances(job: ReducingJob, node: ast.expr) -> Iterator[ast.expr]:
    """Arguments of a call that differ between processes without meaning."""
    for argument in _arguments(node) if isinstance(node, ast.Call) else (node,):
        if job.value(argument).form is Form.LOCAL:
            yield argument


def _reduced_at(
    job: ReducingJob,
    rule: str,
    statement: ast.stmt,
    nodes: Sequence[ast.expr],
    fact: CallFact,
    made: Wholes,
) -> Iterator[Answer]:
    if not all(is_uniform(job, f.context) for f in job.calls_of(fact.node)):
        yield job.review(
            rule,
            "this is reported under a condition that differs between processes; rank 0's value is shown.",
            statement,
            differs=("metrics", "effects"),
            only_here=True,
            in_files=goes_into_files(fact),
        )
        return
    if isinstance(statement, (ast.FunctionDef, ast.If, ast.For, ast.While, ast.With, ast.Return)):
        yield job.refuse(
            rule,
            "this report is part of a larger statement.",
            fact.node,
            "Put it on a line of its own.",
            effort="one line",
        )
        return
    yield reduce_before(job, rule, statement, nodes, made)


def _short(job: ReducingJob, node: ast.expr) -> str:
    text = " ".join(job.segment(node).split())
    return f"{text[:57]}..." if len(text) > 60 else text


def _listed(texts: Sequence[str]) -> str:
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def reduced_tests(job: ReducingJob, rule: str) -> Iterator[Answer]:
    """Conditions on single numbers that a reduction makes equal: reduced just before."""
    for node in job.facts.mended:
        parts = _parts_of_test(job, node)
        if parts and _is_reducible(job, node):
            yield reduce_before(job, rule, node, parts)
        elif parts:
            yield job.refuse(
                rule,
                "a decision depends on this process's shard of a metric, where it cannot be reduced.",
                node.test,
                "Compute the condition before, in a statement of its own.",
                effort="one line",
            )


def _parts_of_test(job: ReducingJob, node: ast.If) -> list[ast.expr]:
    return [part for part, _, _ in partial_parts(job, node.test)]


def _is_reducible(job: ReducingJob, node: ast.If) -> bool:
    """Whether the parts of a condition can be reduced in front of it."""
    parent = job.parent(node)
    is_elif = isinstance(parent, ast.If) and node in parent.orelse
    return not is_elif and is_uniform(job, job.facts.mended[node])


def _tested(job: ReducingJob, statement: ast.stmt) -> Wholes:
    """The wholes that a condition has been given, at the first statement of an arm."""
    test = job.parent(statement)
    if not isinstance(test, ast.If) or statement not in (test.body[0], *test.orelse[:1]):
        return {}
    if test not in job.facts.mended or not _is_reducible(job, test):
        return {}
    made: Wholes = {}
    reduce_before(job.at(test), "", test, _parts_of_test(job, test), made)
    return made
