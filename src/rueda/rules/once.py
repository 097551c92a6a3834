"""Let effects happen once: shared by the rules of all frontends whose processes each run the whole script."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.frontends.effects import Effect, EffectKind
from rueda.frontends.purity import impure_calls
from rueda.source import After, Before, Edit, Guard, Wrap, add_keyword, replace_node
from rueda.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.rules.base import Answer, Job

_GUARDED = frozenset({EffectKind.PRINT, EffectKind.LOG, EffectKind.RECORD, EffectKind.SAVE, EffectKind.DIRECTORY,
                      EffectKind.DELETE, EffectKind.FETCH, EffectKind.PLOT})  # fmt: skip
_DRAWING_NOWHERE = frozenset(
    {"matplotlib.pyplot.switch_backend", "matplotlib.pyplot.style.use", "matplotlib.pyplot.rc"}
)


def answers(job: Job, rule: str) -> Iterable[Answer]:
    """One answer for each statement with an effect, in the name of a rule."""
    handled: set[ast.AST] = set()
    for effect in job.effects:
        key: ast.AST = effect.node
        if effect.kind in _GUARDED:
            key = job.file_of(effect.node).statement(effect.node)
        if key in handled:
            continue
        handled.add(key)
        yield from _answer(job, rule, effect)


def _answer(job: Job, rule: str, effect: Effect) -> Iterator[Answer]:
    if effect.kind in (EffectKind.REPORT, EffectKind.FILE_WRITE):
        return
    if effect.kind is EffectKind.PLOT and _only_draws(job, effect):
        return
    if effect.kind is EffectKind.INPUT:
        yield job.refuse(
            rule,
            "the script reads the terminal, which processes under a launcher do not have.",
            effect.node,
            "Take the value from the command line.",
        )
        return
    if effect.kind is EffectKind.TRACKER:
        yield job.refuse(
            rule,
            f"{effect.fact.name} reports to an experiment tracker, which is not converted yet.",
            effect.node,
            "Remove the tracker, or write to TensorBoard.",
        )
        return
    if not job.is_own(effect.node):
        yield job.refuse(
            rule,
            f"a module of the script's own {effect.kind.value}; it would have to be edited.",
            effect.node,
            "Move this into the script, or remove it.",
        )
        return
    yield from (_guarded(job, rule, effect) if effect.kind in _GUARDED else _argument(job, rule, effect))


def _only_draws(job: Job, effect: Effect) -> bool:
    """Figures that are assigned are drawn in memory by every process; only showing and saving shows."""
    statement = job.file_of(effect.node).statement(effect.node)
    return effect.fact.name in _DRAWING_NOWHERE or not isinstance(statement, ast.Expr)


def _guarded(job: Job, rule: str, effect: Effect) -> Iterator[Answer]:
    statement = job.source.statement(effect.node)
    if not isinstance(statement, ast.Expr):
        yield job.refuse(
            rule,
            f"this {effect.kind.value} inside a larger statement.",
            effect.node,
            "Put it on a line of its own.",
        )
        return
    guarded = _with_check(job, statement)
    if _depends_on_files(job, effect, guarded):
        yield job.refuse(
            rule,
            "whether this is written depends on files that rank 0 may just have written.",
            effect.node,
            "Decide it before, from an argument, or write the file in a script of its own.",
        )
        return
    if isinstance(statement, ast.Expr) and not _is_whole(job, statement, effect):
        yield job.refuse(
            rule, f"this {effect.kind.value} inside a larger expression.", effect.node, "Put it on a line of its own."
        )
        return
    edits: tuple[Edit, ...] = (*_lifted(job, statement), Guard(guarded, job.ranked.is_first))
    if effect.kind in (EffectKind.FETCH, EffectKind.DELETE):
        if not all(job.is_uniform(fact.context) for fact in job.calls_of(effect.node)):
            yield job.refuse(
                rule,
                f"this {effect.kind.value} where not all processes come by.",
                effect.node,
                "Do it where every process passes.",
            )
            return
        waits = After(guarded, job.ranked.barrier)
        edits = (*edits, waits if effect.kind is EffectKind.FETCH else Before(guarded, job.ranked.barrier, order=-9))
    yield job.change(rule, f"{effect.kind.value} once", statement, edits, Code("", (job.ranked.engine,)))


def _is_whole(job: Job, statement: ast.Expr, effect: Effect) -> bool:
    """The effect is the statement, or each step of a comprehension that is the statement, or drawn together with it."""
    value, node = statement.value, effect.node
    if value is node or (isinstance(value, (ast.ListComp, ast.SetComp)) and value.elt is node):
        return True
    return effect.kind is EffectKind.PLOT and _draws(job, value)


def _draws(job: Job, value: ast.expr) -> bool:
    """``plt.colorbar(plt.imshow(x))``, ``plt.gca().set_ylim(0, 1)``: what is drawn, or a method of it."""
    drawn = {effect.node for effect in job.effects if effect.kind is EffectKind.PLOT}
    while isinstance(value, ast.Call) and value not in drawn and isinstance(value.func, ast.Attribute):
        value = value.func.value
    return value in drawn


def _lifted(job: Job, statement: ast.stmt) -> Iterator[Edit]:
    """Calls in the arguments that every process must make get a name before the condition on the rank."""
    if not isinstance(statement, ast.Expr):
        return
    reduced = job.reduced(statement.value)
    taken: set[str] = set()
    for call in impure_calls(job.facts, statement.value):
        if any(call in reduced or node in reduced for node in job.source.ancestors(call)) or call in reduced:
            continue
        name = job.names.fresh(_result_name(call), taken)
        taken.add(name)
        yield Before(statement, f"{name} = {job.call_text(call)}", order=-8)
        yield from replace_node(job.source, call, name)


def lifted_calls(job: Job) -> Iterator[ast.Call]:
    """Calls inside statements with an effect that every process makes, before the condition on the rank."""
    for effect in job.effects:
        if effect.kind in _GUARDED and job.is_own(effect.node):
            statement = job.source.statement(effect.node)
            if isinstance(statement, ast.Expr):
                yield from impure_calls(job.facts, statement.value)


def _result_name(call: ast.Call) -> str:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return f"{name.strip('_') or 'call'}_result"


def _with_check(job: Job, statement: ast.stmt) -> ast.stmt:
    """``if not os.path.isdir(d): os.makedirs(d)`` as a whole, so that nobody sees the directory half made."""
    parent = job.source.parent(statement)
    if not isinstance(parent, ast.If) or not looks_at_files(job, parent.test) or not only_effects(job, parent):
        return statement
    outer = job.source.parent(parent)
    is_elif = isinstance(outer, ast.If) and parent in outer.orelse
    return statement if is_elif else parent


def looks_at_files(job: Job, test: ast.expr) -> bool:
    """Whether a condition asks what is on disk."""
    return any("file system" in job.value(node).tags for node in ast.walk(test))


def only_effects(job: Job, branch: ast.If) -> bool:
    """Whether a branch does nothing but what happens on rank 0 anyway."""
    guarded = {effect.node for effect in job.effects if effect.kind in _GUARDED}
    if branch.orelse or any(
        next(impure_calls(job.facts, s.value), None) for s in branch.body if isinstance(s, ast.Expr)
    ):
        return False
    return all(isinstance(s, ast.Expr) and s.value in guarded for s in branch.body)


def _depends_on_files(job: Job, effect: Effect, guarded: ast.stmt) -> bool:
    """Whether a file is written or not depending on files that rank 0 may just have written."""
    if effect.kind not in (EffectKind.SAVE, EffectKind.OPEN, EffectKind.DELETE):
        return False
    tests = [t.node for t in effect.fact.context.tests if isinstance(t.node, ast.If) and t.node is not guarded]
    return any(looks_at_files(job, node.test) for node in tests)


def _argument(job: Job, rule: str, effect: Effect) -> Iterator[Answer]:
    """Effects that make an object: the object is made everywhere, and does nothing elsewhere."""
    node, first = effect.node, job.ranked.is_first
    not_first = f"{job.ranked.rank} != 0"
    edits: tuple[Edit, ...]
    if effect.kind is EffectKind.PROGRESS:
        if any(k.arg == "disable" for k in node.keywords):
            return
        edits, reason = add_keyword(job.source, node, "disable", not_first), "one progress bar, on rank 0"
    elif effect.kind is EffectKind.WRITER:
        edits, reason = (Wrap(job.source.span(node), "", f" if {first} else None"),), "one summary, on rank 0"
        if not isinstance(job.source.parent(node), ast.Assign):
            yield job.refuse(
                rule, "the summary writer is made inside a larger statement.", node, "Assign it to a name first."
            )
            return
    elif effect.kind is EffectKind.OPEN:
        yield from _open(job, rule, effect)
        return
    else:
        yield from _log_file(job, rule, effect)
        return
    yield job.change(rule, reason, node, edits, Code("", (job.ranked.engine,)))


def _open(job: Job, rule: str, effect: Effect) -> Iterator[Answer]:
    if _depends_on_files(job, effect, job.source.statement(effect.node)):
        yield job.refuse(
            rule,
            "whether this file is written depends on files that rank 0 may just have written.",
            effect.node,
            "Decide it before, from an argument, or write the file in a script of its own.",
        )
        return
    if isinstance(effect.node.func, ast.Attribute) and effect.fact.receiver is not None:
        yield from _open_path(job, rule, effect)
        return
    mode = effect.fact.argument(1, "mode")
    path = effect.node.args[0] if effect.node.args else None
    if path is None or mode is None or not isinstance(mode.const, str) or "x" in mode.const or "+" in mode.const:
        yield job.refuse(
            rule,
            "a file is opened for writing in a way that cannot be sent to the null device.",
            effect.node,
            "Open it with the mode 'w' or 'a', its path as the first argument.",
        )
        return
    edit = Wrap(job.source.span(path), "", f" if {job.ranked.is_first} else {job.ranked.library.name('os')}.devnull")
    code = Code("", (job.ranked.engine, job.ranked.library.imports("os")))
    yield job.change(rule, "written once; the null device elsewhere", effect.node, (edit,), code)


def _open_path(job: Job, rule: str, effect: Effect) -> Iterator[Answer]:
    """``path.open("w")``."""
    mode = effect.fact.argument(0, "mode")
    if mode is None or not isinstance(mode.const, str) or "x" in mode.const or "+" in mode.const:
        yield job.refuse(
            rule,
            "a file is opened for writing in a way that cannot be sent to the null device.",
            effect.node,
            "Open it with the mode 'w' or 'a'.",
        )
        return
    elsewhere = f'open({job.ranked.library.name("os")}.devnull, "{mode.const}")'
    edit = Wrap(job.source.span(effect.node), "", f" if {job.ranked.is_first} else {elsewhere}")
    code = Code("", (job.ranked.engine, job.ranked.library.imports("os")))
    yield job.change(rule, "written once; the null device elsewhere", effect.node, (edit,), code)


def _log_file(job: Job, rule: str, effect: Effect) -> Iterator[Answer]:
    """A handler that does not open its file before the first record, which never comes on other ranks."""
    node = effect.node
    if effect.fact.name.endswith("FileHandler"):
        edits = add_keyword(job.source, node, "delay", f"{job.ranked.rank} != 0")
        yield job.change(rule, "one log file, on rank 0", node, edits, Code("", (job.ranked.engine,)))
        return
    statement = job.source.statement(node)
    if isinstance(statement, ast.Expr):
        edits = (Guard(statement, job.ranked.is_first),)
        yield job.change(rule, "one log file, on rank 0", node, edits, Code("", (job.ranked.engine,)))
