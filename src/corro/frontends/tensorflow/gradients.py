"""Which calls compute gradients, what for, and which pipelines a loop passes over."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.tapes import Wanted
from corro.flow.values import Value
from corro.frontends.batch_sources import Framework, Loss
from corro.frontends.keras.names import canonical
from corro.frontends.keras.presence import applies
from corro.frontends.keras.recognise import in_step
from corro.frontends.tensorflow.semantics import ASSIGNS, TAPE, VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact, Facts, Unit

_COMPUTES = frozenset({"gradient", "jacobian", "batch_jacobian"})
_BACKENDS = frozenset({"keras.backend", "keras.backend.tensorflow_backend"})
_UPDATES = frozenset({"update", "update_add", "update_sub", "moving_average_update"})
_RAW = ("Assign", "ResourceApply", "ResourceScatter", "ResourceStridedSliceAssign")
_READS = frozenset({"numpy"})
_PLAIN = (ast.Assign, ast.AnnAssign, ast.Expr)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def pipelines(value: Value) -> Iterator[Value]:
    """The pipelines that a loop passes over, through ``enumerate``, ``zip`` and progress bars."""
    if value.kind is Kind.DATASET:
        yield value
    elif value.kind in (Kind.ITERATOR, Kind.PROGRESS):
        for item in value.items:
            yield from pipelines(item)


def computes(fact: CallFact) -> bool:
    """Whether a call computes gradients, with a tape or with one of its own."""
    of_tape = fact.receiver is not None and fact.receiver.name == TAPE and fact.name in _COMPUTES
    return of_tape or minimizes(fact)


def minimizes(fact: CallFact) -> bool:
    """Whether a call computes gradients of a function and applies them: ``optimizer.minimize(loss, variables)``."""
    return fact.receiver is not None and fact.receiver.kind is Kind.OPTIMIZER and fact.name == "minimize"


def applies_gradients(fact: CallFact) -> bool:
    """Whether this is ``optimizer.apply_gradients``."""
    return fact.receiver is not None and fact.receiver.kind is Kind.OPTIMIZER and fact.name == "apply_gradients"


def assigns(fact: CallFact) -> bool:
    """Whether a call gives a variable another value: ``variable.assign_sub(x)``, ``keras.backend.update(variable, x)``.

    A receiver may be any variable of a library, such as ``layer.bias``; only a table has such a method besides.
    """
    if fact.receiver is not None:
        return fact.name in ASSIGNS and fact.receiver.kind is not Kind.TABLE
    owner, _, last = canonical(fact.name).rpartition(".")
    if owner in _BACKENDS:
        return last in _UPDATES
    if owner == "tensorflow.raw_ops":
        return last.startswith(_RAW)
    return fact.name.startswith("tensorflow.") and (last in ASSIGNS or last == "assign_moving_average")


def losses(facts: Facts) -> Iterator[Loss]:
    """The losses whose gradients are computed for variables, but for those of a model's own step."""
    for fact in facts.calls:
        if computes(fact) and not in_step(fact) and (kind := wanted(fact)) is not Wanted.DATA:
            value = fact.result if minimizes(fact) else fact.argument(0, "target") or Value()
            yield Loss(fact, value, fact.node.args[0] if fact.node.args else None, kind is Wanted.ONE)


TENSORFLOW = Framework(
    losses,
    hands_out=lambda value: any(pipelines(value)),
    parameter=VARIABLE,
    gathers=frozenset({"tensorflow.gather", "numpy.take"}),
    random=("tensorflow.random.", "numpy.random."),
    name=canonical,
)


def sources_of(fact: CallFact) -> ast.expr | None:
    """The expression for what gradients are computed for."""
    keyword = next((k.value for k in fact.node.keywords if k.arg in ("sources", "var_list")), None)
    return keyword if keyword is not None else fact.node.args[1] if len(fact.node.args) > 1 else None


def wanted(fact: CallFact) -> Wanted:
    """What a call computes gradients for."""
    sources = fact.argument(1, "var_list" if minimizes(fact) else "sources")
    if sources is None:
        return Wanted.UNKNOWN
    if minimizes(fact):
        loss = fact.argument(0, "loss")
        known = loss is not None and loss.kind is Kind.FUNCTION and sources.placement.is_equal
        return Wanted.VARIABLES if known and sources.kind is not Kind.TENSOR else Wanted.UNKNOWN
    result = fact.result
    if fact.name != "gradient" or result.form is Form.UNKNOWN or sources.kind is Kind.DICT:
        return Wanted.DATA if _of_data(fact, sources) and fact.name != "gradient" else Wanted.UNKNOWN
    if result.placement.sources:
        return Wanted.DATA
    return Wanted.ONE if result.kind is Kind.TENSOR else Wanted.VARIABLES


def _of_data(fact: CallFact, sources: Value) -> bool:
    return bool(sources.sources) or any(placement.form is Form.SHARDED for placement in fact.depends)


def is_only_shown(fact: CallFact, unit: Unit) -> bool:
    """Whether a gradient is computed once, from what all processes have, and changes nothing.

    What it is assigned to is followed through the statements of the module, up to where the name gets another value.
    """
    given = [fact.argument(0, "target"), fact.argument(1, "sources")]
    equal = all(value is not None and value.placement.is_equal and not value.sources for value in given)
    if not equal or minimizes(fact) or fact.context.frame.call is not None:
        return False
    line = list(_in_a_line(unit.source.tree.body))
    around = (fact.node, *unit.source.ancestors(fact.node))
    start = next((line.index(node) for node in around if isinstance(node, _PLAIN) and node in line), None)
    return start is not None and _is_harmless(unit, line, start, frozenset())


def _in_a_line(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that are run once, one after the other."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.With, ast.Try)):
            yield from _in_a_line(statement.body)


def _is_harmless(unit: Unit, line: list[ast.stmt], start: int, known: frozenset[str]) -> bool:
    """Whether a plain statement only shows or computes, and so do all that use what it assigns."""
    statement, names = line[start], unit.names
    for node in ast.walk(statement):
        ctx = getattr(node, "ctx", None)
        if isinstance(ctx, ast.Store) and not isinstance(node, (ast.Name, ast.Tuple, ast.List)):
            return False
        if isinstance(node, ast.Call) and not _is_of_library(node, unit):
            return False
    stored = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for name in stored - known:
        uses = names.uses(name, names.module)
        if any(isinstance(a, _FUNCTIONS) for n in uses for a in unit.source.ancestors(n)):
            return False
        for i, later in enumerate(line[start + 1 :], start + 1):
            here = [n for n in uses if not isinstance(later, (ast.With, ast.Try)) and n in ast.walk(later)]
            loads = any(isinstance(n.ctx, ast.Load) for n in here) and not _is_stored_first(unit, later, here)
            if loads and not (isinstance(later, _PLAIN) and _is_harmless(unit, line, i, known | stored)):
                return False
            stores = any(isinstance(n.ctx, ast.Store) for n in here)
            if stores and isinstance(later, _PLAIN) and not isinstance(unit.source.parent(later), ast.Try):
                break
    return True


def _is_stored_first(unit: Unit, statement: ast.stmt, uses: list[ast.Name]) -> bool:
    """Whether a compound statement gives a name a value of its own before it reads it."""
    first = unit.source.statement(uses[0])
    block = unit.source.parent(first)
    stores = isinstance(uses[0].ctx, ast.Store) and isinstance(first, _PLAIN) and first is not statement
    return stores and all(any(above is block for above in unit.source.ancestors(use)) for use in uses)


def _is_of_library(call: ast.Call, unit: Unit) -> bool:
    """Whether a call is one of a library's function that changes no variable, or reads a tensor or a tape."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _COMPUTES | _READS:
        return True
    found = unit.names.qualified(call.func)
    return bool(found) and not any(applies(name.rpartition(".")[2]) for name in found)
