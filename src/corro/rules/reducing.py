"""Which values are only a part of the whole, and how they become it: shared by the rules of all training loops."""

from __future__ import annotations

import ast
import itertools
import re
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import PARTIAL, Form
from corro.anatomy.sites import Passes, Role, Sharding
from corro.classes import dataclass
from corro.flow.python import FIGURE
from corro.flow.store import ITEM, OPTIONAL, as_written
from corro.flow.values import MIXED
from corro.frontends.effects import EffectKind
from corro.rules import base, rank_0_first
from corro.rules.file_tests import looks_at_files
from corro.rules.places import blocks
from corro.source import Before, Edit, arguments_of, children, indented, replace_node, walk
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from corro.anatomy.sites import PassSite
    from corro.flow.facts import Accumulation, CallFact, Context
    from corro.flow.values import Value
    from corro.rules.base import Answer


_REPORTS = frozenset({EffectKind.PRINT, EffectKind.LOG, EffectKind.RECORD, EffectKind.SAVE, EffectKind.PLOT,
                      EffectKind.TRACKER, EffectKind.FILE_WRITE, EffectKind.SEND})  # fmt: skip


@dataclass(frozen=True)
class Part:
    """One value to be reduced.

    Args:
        expression: its source text.
        name: the name its whole is assigned to.
        value: what is known of it.
        mean: whether the whole is the mean over ranks, not the sum.
        is_list: a list of numbers, one a step.
        is_array: a tensor or an array of NumPy with any number of items, each a part of its own.
        is_tensor: the expression is the name of a tensor on all paths; elsewhere it may be the number it began with.
    """

    expression: str
    name: str
    value: Value
    mean: bool
    is_list: bool = False
    is_array: bool = False
    is_tensor: bool = False


@dataclass(frozen=True, eq=False)
class ReducingJob(base.Job):
    """One script with a training loop, whose processes each see a part of the data."""

    anatomy: Passes

    @property
    def reduces_arrays(self) -> bool:
        """Whether sums and means of several items are made whole, too."""
        return False

    def whole(self, parts: Sequence[Part]) -> Code:
        """Statements that assign the whole of every part."""
        raise NotImplementedError

    def is_shared_out(self, site: PassSite) -> Code | None:
        """What tells, after a pass over several loaders, whether each process has seen its own part of the data."""
        return None

    def to_reduce(self, node: ast.expr) -> str | None:
        """The text of what is reduced in the place of an expression; ``None`` where no mean of it is the whole."""
        return self.segment(node)

    def is_mean_of_wholes(self, fact: Accumulation) -> bool:
        """Whether the mean over the processes of a sum of means is that of the whole."""
        return True

    def reports(self) -> Iterator[CallFact]:
        """Calls that show, write or record what they are given."""
        yield from (effect.fact for effect in self.effects if effect.kind in _REPORTS)
        known = {effect.node for effect in self.effects}
        yield from (fact for fact in self.calls if fact.node not in known and _plots(fact))

    def is_uniform(self, context: Context) -> bool:
        """Conditions on the batches of a process differ too."""
        return is_uniform(self, context)

    def reduced(self, node: ast.AST) -> frozenset[ast.AST]:
        """Sums and means over the batches of a process."""
        parts = (part for part, _, _ in partial_parts(self, node) if not is_size(self, part))
        return frozenset((*parts, *shown_dicts(self, node)))

    def shows_shard(self, call: ast.Call) -> bool:
        """Also what no reduction makes whole, such as a moving average."""
        given = arguments_of(call)
        return super().shows_shard(call) or any(leftovers(self, each, ()) for each in given)

    def equal_tests(self) -> Iterator[ast.expr]:
        """Conditions that are replicated, or reduced just before."""
        return equal_tests(self)


def _plots(fact: CallFact) -> bool:
    """Whether something is plotted on a figure, which may be saved or shown later."""
    return fact.receiver is not None and FIGURE in fact.receiver.tags


# ---------------------------------------------------------------------- which values need it


def sharded_sources(job: ReducingJob) -> frozenset[int]:
    """Loaders whose processes see different data: those trained on, and evaluations that are dealt out."""
    return frozenset(
        site.number
        for site in job.anatomy.loaders
        if site.role is Role.TRAINING or site.sharding is not Sharding.EVERYWHERE
    )


def differs(job: ReducingJob, value: Value) -> bool:
    """Whether a value is not the same on all ranks because of the data it comes from.

    The numbers of batches that are trained on are equal, whatever is computed from them beside other data.
    """
    equal_or_chance = value.form in (Form.REPLICATED, Form.STEP, Form.LOCAL)
    return not equal_or_chance and bool((value.sources - _steps(job, value)) & sharded_sources(job))


def _steps(job: ReducingJob, value: Value) -> frozenset[int]:
    """The loaders that are trained on of which a value has nothing but the number of a batch."""
    counted = value.placement.counted
    return frozenset(s.number for s in job.anatomy.loaders if s.number in counted and s.role is Role.TRAINING)


def element(job: ReducingJob, node: ast.AST) -> Value | None:
    """What the items of a list are."""
    return job.facts.elements.get(node)


def partial_parts(job: ReducingJob, node: ast.AST) -> Iterator[tuple[ast.expr, Value, bool]]:
    """The largest partial subexpressions of an expression, with whether each is a list."""
    if isinstance(node, ast.expr):
        value = job.value(node)
        if _is_length(node, value):
            return
        if _is_part(job, value) and value.scalar:
            yield node, value, False
            return
        whole = value.kind is Kind.LIST and not isinstance(node, ast.List)  # what is written out keeps its types
        items = element(job, node) if whole else None
        if items is not None and _is_part(job, items) and items.scalar:
            yield node, items, True
            return
    for child in children(node):
        if not isinstance(child, ast.Lambda):
            yield from _evaluated_once(job, node, partial_parts(job, child))


def shown_dicts(job: ReducingJob, node: ast.AST) -> Iterator[ast.expr]:
    """Dicts in an expression, used as a whole, that are made whole item by item: all keys are known, and the parts."""
    if isinstance(node, ast.expr):
        if _is_part(job, job.value(node)) or isinstance(node, ast.Lambda):
            return
        if parts_of_dict(job, node):
            yield node
            return
    for child in _used_whole(node):
        yield from shown_dicts(job, child)


def _used_whole(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression but what an item is taken of, and what a comprehension computes for each item."""
    generators: list[ast.comprehension] = getattr(node, "generators", [])
    yield from (
        (node.slice,)
        if isinstance(node, ast.Subscript)
        else children(node)
        if not generators
        else (generators[0].iter,)
    )


def parts_of_dict(job: ReducingJob, node: ast.expr) -> dict[str, Value]:
    """The items of a dict that are to be reduced, by the text of their keys; none where that does not make it whole."""
    shown = isinstance(node, (ast.Name, ast.Attribute)) and job.value(node).kind is Kind.DICT
    held = job.facts.held.get(node, {}) if shown else {}
    known = all(name.startswith(ITEM) and OPTIONAL not in part.tags for name, part in held.items())
    parts = {as_written(name.removeprefix(ITEM)): part for name, part in held.items() if not part.placement.is_equal}
    return parts if known and all(part.scalar and _is_part(job, part) for part in parts.values()) else {}


def holds_sums(job: ReducingJob, node: ast.expr) -> bool:
    """Whether a container has sums or counts among its items, of which a part is no estimate of the whole."""
    held = job.facts.held.get(node, {}).values()
    return any(part.form in (Form.SUM, Form.COUNT) and differs(job, part) for part in held)


def _is_part(job: ReducingJob, value: Value) -> bool:
    """Whether one collective makes this the whole, wherever it comes from.

    What may be a sum over shared-out data, or one that every process has computed in full, has no such collective; an
    average may be taken of what is equal.
    """
    alike = value.form is Form.MEAN or value.sources <= sharded_sources(job)
    return alike and value.form in PARTIAL and differs(job, value)


def _is_length(node: ast.expr, value: Value) -> bool:
    """Whether this is how many items there are, as many on each process: it reads none of them."""
    counts = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"
    return counts and value.kind is Kind.NUMBER and value.placement.is_equal


def is_size(job: ReducingJob, node: ast.expr) -> bool:
    """Whether a part says where in this process's data something is, or how much of it: ``x[len(x) - 4 :]``."""
    around = itertools.takewhile(lambda each: isinstance(each, _WITHIN), job.ancestors(node))
    return any(_sizes(job, parent, child) for child, parent in itertools.pairwise((node, *around)))


_WITHIN = (ast.expr, ast.comprehension, ast.keyword)
_RANGES = frozenset({"range", "islice"})


def _sizes(job: ReducingJob, node: ast.AST, part: ast.AST) -> bool:
    """Whether numbers in a part of a node pick from local data, or say how much is made to go with it."""
    value = job.value(node)
    if isinstance(node, ast.Subscript):
        return part is node.slice and differs(job, job.value(node.value))
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in _RANGES or (value.kind is Kind.TENSOR and value.form is Form.SHARDED)


def _evaluated_once(
    job: ReducingJob, node: ast.AST, parts: Iterator[tuple[ast.expr, Value, bool]]
) -> Iterator[tuple[ast.expr, Value, bool]]:
    """Of what a comprehension computes of its own variables, only the parts without these."""
    own = _own_names(node)
    for part in parts:
        if not _uses(part[0], own):
            yield part
            continue
        for child in children(part[0]):
            yield from _evaluated_once(job, node, partial_parts(job, child))


def _uses(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(n, ast.Name) and n.id in names for n in walk(node))


def _own_names(node: ast.AST) -> set[str]:
    """The variables of a comprehension; none of other expressions."""
    generators: list[ast.comprehension] = getattr(node, "generators", [])
    targets = (n for generator in generators for n in walk(generator.target))
    return {n.id for n in targets if isinstance(n, ast.Name)}


def leftovers(job: ReducingJob, node: ast.AST, reduced: Sequence[ast.expr]) -> list[ast.expr]:
    """Subexpressions that differ between ranks and that no reduction mends."""
    if isinstance(node, ast.expr):
        if node in reduced:
            return []
        own = _own_names(node)
        if own and any(_has_reduced(each.iter, reduced) for each in getattr(node, "generators", [])):
            left = (x for child in children(node) for x in leftovers(job, child, reduced))
            return [each for each in left if not _uses(each, own)]
        if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            value = job.value(node)
            replicated = value.kind is Kind.NUMBER and value.form is Form.REPLICATED  # len(loader.sampler), x.shape[1]
            if replicated or _is_length(node, value):
                return []
            items = element(job, node)
            bad = differs(job, value) or (items is not None and differs(job, items))
            bad = bad and not _is_of_figure(job, node) and not _is_written_to(job, node)
            is_field = isinstance(node, ast.Attribute) and job.value(node.value).kind is Kind.INSTANCE
            parts = [] if is_field else children(node)  # what else the object holds is not read
            if isinstance(node, ast.Subscript) and not bad and _is_of_items(job, node.value):
                parts = [node.slice]  # nor here
            inner = [x for child in parts for x in leftovers(job, child, reduced)]
            return inner or ([node] if bad and not _has_reduced(node, reduced) else [])
    return [x for child in children(node) for x in leftovers(job, child, reduced)]


def _is_of_items(job: ReducingJob, node: ast.expr) -> bool:
    """Whether it is known of a list, dict or tuple what is in it, so that what is taken of it says what it is."""
    value = job.value(node)
    if value.kind is Kind.TUPLE:
        return bool(value.items)
    return value.kind in (Kind.LIST, Kind.DICT) and bool(value.obj) and not differs(job, value)


def _is_of_figure(job: ReducingJob, node: ast.expr) -> bool:
    """Whether a value is a figure, or what a method of one gives: what is drawn was looked at where it was."""
    owner = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else node
    return FIGURE in job.value(owner).tags


def _is_written_to(job: ReducingJob, node: ast.expr) -> bool:
    """Whether a value is a file, or what writes rows into one: what is written was looked at where it was."""
    user = job.parent(node)
    method = user if isinstance(user, ast.Attribute) else node
    call = node if isinstance(node, ast.Call) else job.parent(method)
    return any(effect.node is call and effect.kind is EffectKind.FILE_WRITE for effect in job.effects) and (
        call is node or getattr(call, "func", None) is method
    )


def _has_reduced(node: ast.AST, reduced: Sequence[ast.expr]) -> bool:
    return any(part in reduced for part in walk(node))


Wholes = dict[str, tuple[ast.stmt, str]]
"""The names that hold the wholes of expressions: by text, with the statement before which they were made."""


def reduce_before(
    job: ReducingJob,
    rule: str,
    statement: ast.stmt,
    nodes: Sequence[ast.expr],
    made: Wholes | None = None,
    tensors: Collection[ast.expr] = (),
) -> Answer:
    """Statements before a statement that make the wholes of some expressions in it, which it then uses.

    What was made for a statement shortly before, and cannot have changed since, is used again. Those in ``tensors`` are
    names of tensors on all paths.
    """
    job = job.at(statement)
    mixed = next((node for node in nodes if MIXED in (element(job, node) or job.value(node)).tags), None)
    if mixed is not None:
        return mixed_type(job, rule, job.segment(mixed), statement)
    parts: dict[str, Part] = {}
    lines: dict[str, str] = {}
    edits: list[Edit] = []
    made = made if made is not None else {}
    known = {node: name for node in nodes if (name := _made_before(job, node, statement, made))}
    taken = {*known.values()}
    for node in nodes:
        text = job.segment(node)
        if node in known:
            edits += replace_node(job.file_of(node), node, known[node])
            continue
        reduced = job.to_reduce(node)
        if reduced is None:
            return unequal_shares(job, rule, text, statement)
        if dicts := parts_of_dict(job, node):
            whole, lines[text] = _whole_dict(job, text, dicts, parts, taken)
            edits += replace_node(job.file_of(node), node, whole)
            continue
        if text not in parts:
            items = element(job, node) if job.value(node).kind is Kind.LIST else None
            value = items if items is not None else job.value(node)
            mean = value.form is Form.MEAN
            name = whole_name(job, node, mean, taken)
            parts[text] = Part(reduced, name, value, mean, is_list=items is not None, is_tensor=node in tensors)
        edits += replace_node(job.file_of(node), node, parts[text].name)
    names = {part.name for part in parts.values()}
    for text in [text for text, (_, name) in made.items() if name in names]:
        del made[text]
    made.update({text: (statement, part.name) for text, part in parts.items()})
    if not parts:
        return job.change(rule, "the global value is known already", statement, edits)
    codes = _whole(job, list(parts.values()))
    text = "\n".join((*(code.text for code in codes), *lines.values()))
    code = Code(text, tuple(each for code in codes for each in code.imports))
    quoted = tuple(node for node in nodes if node not in known)
    reason = f"each process has only its part of {', '.join(parts)}"
    return job.change(rule, reason, statement, [Before(statement, code.text, -5, quoted), *edits], code)


def _whole(job: ReducingJob, parts: Sequence[Part]) -> list[Code]:
    """Statements that assign the whole of every part; what is ``None``, on all processes at once, stays so."""
    optional = [part for part in parts if part.value.may_be_none and not part.is_list]
    always = [part for part in parts if part not in optional]
    codes = [job.whole(always)] if always else []
    for part in optional:
        code = job.whole([part])
        test = f"{part.name} = {part.expression}\nif {part.name} is not None:\n"
        codes.append(Code(test + indented(code.text), code.imports))
    return codes


def _whole_dict(
    job: ReducingJob, text: str, items: dict[str, Value], parts: dict[str, Part], taken: set[str]
) -> tuple[str, str]:
    """A name for a dict with the wholes of these items in it, and the statement that makes it; the parts are added."""
    whole = job.names.fresh(f"whole_{text.rpartition('.')[2]}", taken)
    taken.add(whole)
    for key, value in items.items():
        if f"{text}[{key}]" in parts:
            continue
        mean = value.form is Form.MEAN
        prefix = "mean" if mean else "total"
        name = job.names.fresh(f"{prefix}_{re.sub(r'[^0-9A-Za-z]+', '_', key).strip('_')}", taken)
        taken.add(name)
        parts[f"{text}[{key}]"] = Part(f"{text}[{key}]", name, value, mean)
    wholes = ", ".join(f"{key}: {parts[f'{text}[{key}]'].name}" for key in items)
    return whole, f"{whole} = {{**{text}, {wholes}}}"


def mixed_type(job: ReducingJob, rule: str, text: str, node: ast.AST) -> Answer:
    """A refusal of what is a tensor on one path and a NumPy array on the other: the whole can be one of them only."""
    return job.refuse(
        rule,
        f"{text} has to be reduced over the processes, but is a tensor on one path and a NumPy array on another.",
        node,
        "Make it a number on both paths, for instance with .item() or float().",
        effort="one line",
    )


def unequal_shares(job: ReducingJob, rule: str, text: str, node: ast.AST) -> Answer:
    """A refusal of a mean that shares of unequal size are to be weighed in, where it cannot be told how."""
    return job.refuse(
        rule,
        f"{text} is a mean over a share of the batch, and the shares are of unequal size: Corro cannot tell how much "
        "each of them counts here.",
        node,
        "Sum it up over the samples, as in total += loss.item() * len(x), and divide by their number.",
    )


def _made_before(job: ReducingJob, node: ast.expr, statement: ast.stmt, made: Wholes) -> str:
    """The name of the whole of an expression where one was made that still holds; empty where none was."""
    earlier, name = made.get(job.segment(node), (statement, ""))
    return name if name and _is_unchanged(job, node, earlier, statement) else ""


def _is_unchanged(job: ReducingJob, node: ast.expr, earlier: ast.stmt, later: ast.stmt) -> bool:
    """Whether an expression of plain names means the same at two statements of one block, or at an ``if`` and in it.

    One that reads a tensor (``loss.item()``) does so at the next statement: what reports a value does not change it.
    """
    body = next((b for b in blocks(job.parent(later)) if later in b), [])
    inside = job.parent(later) is earlier  # an arm of it, which asks for the expression
    if not body or not (inside or earlier in body):
        return False
    between = body[0 if inside else body.index(earlier) : body.index(later)]
    parts = list(walk(node))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    reads = [part for part in parts if isinstance(part, (ast.Call, ast.Attribute, ast.Subscript))]
    adjacent = len(between) == (0 if inside else 1)
    plain = not reads or (adjacent and all(_is_item(part) for part in reads))
    return (inside or bool(between)) and plain and not any(_may_change(job, s, names) for s in between)


def _may_change(job: ReducingJob, statement: ast.stmt, names: set[str]) -> bool:
    """Whether a statement does more with these names than hand them to a function of a library."""
    for part in walk(statement):
        if isinstance(part, ast.Name) and part.id in names:
            user = job.parent(part)
            owned = isinstance(user, (ast.Attribute, ast.Subscript)) and not _is_item(user)
            if owned or not isinstance(part.ctx, ast.Load) or not isinstance(statement, ast.Expr):
                return True
    calls = [part for part in walk(statement) if isinstance(part, ast.Call)]
    return any(job.value(call.func).kind is Kind.FUNCTION for call in calls)


def _is_item(node: ast.AST) -> bool:
    """``tensor.item()`` of a name, or the attribute in it."""
    attribute = node.func if isinstance(node, ast.Call) and not node.args else node
    return isinstance(attribute, ast.Attribute) and attribute.attr == "item" and isinstance(attribute.value, ast.Name)


def is_uniform(job: ReducingJob, context: Context) -> bool:
    """Whether all ranks get here together, and equally often.

    No condition on the way differs between them, and no evaluation is dealt out around it: some have a batch more.
    """
    if any(test.value.form is Form.LOCAL or differs(job, test.value) for test in context.tests):
        return False
    return not any(loop.loaders & _dealt(job) for loop in context.passes)


def _dealt(job: ReducingJob) -> frozenset[int]:
    return frozenset(
        site.number
        for site in job.anatomy.loaders
        if site.role is Role.EVALUATION and site.sharding is not Sharding.EVERYWHERE
    )


def equal_tests(job: ReducingJob) -> Iterator[ast.expr]:
    """Conditions of the script that are equal on all ranks in the output: replicated, or reduced just before."""
    for node in job.nodes.of(ast.If, ast.While, ast.IfExp):
        if not _may_differ(job, node):
            value = job.facts.values.get(node.test)
            if node in job.facts.mended or (value is not None and value.form is Form.REPLICATED):
                yield node.test


def _may_differ(job: ReducingJob, node: ast.If | ast.While | ast.IfExp) -> bool:
    """Whether processes may find different files without harm: rank 0 goes first, or each makes a missing directory."""
    if rank_0_first.holds_test(job, node):
        return True
    inside = frozenset(walk(node))
    kinds = {effect.kind for effect in job.effects if effect.node in inside}
    stored = any(isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load) for part in inside)
    return kinds == {EffectKind.DIRECTORY} and not stored and looks_at_files(job, node.test)


def whole_name(job: ReducingJob, node: ast.expr, mean: bool, taken: set[str]) -> str:
    """A name for the whole of an expression, made from the names in it."""
    prefix = "mean" if mean else "total"
    words = [n for n in walk(node) if isinstance(n, (ast.Name, ast.Attribute))]
    base = next((_last(w) for w in words if _last(w) not in _DULL), "value")
    name = job.names.fresh(f"{prefix}_{base.lstrip('_')}" if not base.startswith(prefix) else f"global_{base}", taken)
    taken.add(name)
    return name


_DULL = frozenset({"item", "detach", "data", "float", "int", "sum", "mean", "cpu", "numpy", "np", "torch", "size",
                   "shape", "len", "batch_idx", "i", "idx", "step", "self", "val", "avg"})  # fmt: skip


def _last(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr
