"""Files that are opened for writing: on rank 0, and the null device elsewhere."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.effects import EffectKind
from corro.source import Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.frontends.effects import Effect
    from corro.rules.base import Answer, Job

_SYNCS = frozenset({"fsync", "fdatasync"})
_WRITES = frozenset({"write", "writelines", "flush", "close"})
_WRITERS = frozenset({"csv.writer", "csv.DictWriter"})
_PLAIN = (ast.Assign, ast.AnnAssign, ast.Return, ast.keyword, ast.Call, ast.withitem)
"""What an expression may stand in without parentheses."""
_ELSEWHERE = "written once; the null device elsewhere"


def once(job: Job, rule: str, effect: Effect) -> Answer:
    """The change of a call that opens a file, by its path or as a method of that; or why there can be none."""
    of_path = isinstance(effect.node.func, ast.Attribute) and effect.fact.receiver is not None
    mode = effect.fact.argument(0 if of_path else 1, "mode")
    path = None if of_path or not effect.node.args else effect.node.args[0]
    is_known = mode is not None and isinstance(mode.const, str) and "x" not in mode.const
    text = str(mode.const) if mode is not None and is_known else ""
    if not is_known or (path is None and not of_path) or ("+" in text and not _is_only_written(job, effect.node)):
        return job.refuse(
            rule,
            "a file is opened for writing in a way that cannot be sent to the null device.",
            effect.node,
            f"Open it with the mode 'w' or 'a'{'' if of_path else ', its path as the first argument'}.",
            effort="one line",
        )
    if path is None or _syncs(job):
        return _opened_elsewhere(job, rule, effect, text)
    edit = Wrap(job.span(path), "", f" if {job.ranked.is_first} else {job.ranked.library.name('os')}.devnull")
    code = Code("", (job.ranked.engine, job.ranked.library.imports("os")))
    return job.change(rule, _ELSEWHERE, effect.node, (edit,), code)


def _opened_elsewhere(job: Job, rule: str, effect: Effect, mode: str) -> Answer:
    """The file on rank 0; on the others the null device, or a file of their own where files are synced to the disk."""
    module = "tempfile" if _syncs(job) else "os"
    library = job.ranked.library.name(module)
    elsewhere = f'{library}.TemporaryFile("{mode}")' if _syncs(job) else f'open({library}.devnull, "{mode}")'
    reason = "written once; a temporary file elsewhere, as files are synced" if _syncs(job) else _ELSEWHERE
    start, end = ("", "") if isinstance(job.parent(effect.node), _PLAIN) else ("(", ")")
    edit = Wrap(job.span(effect.node), start, f" if {job.ranked.is_first} else {elsewhere}{end}")
    return job.change(
        rule, reason, effect.node, (edit,), Code("", (job.ranked.engine, job.ranked.library.imports(module)))
    )


def _syncs(job: Job) -> bool:
    """Whether a file of the program may be synced to the disk, which the null device cannot be."""
    return any(node.attr in _SYNCS for node in job.nodes.of(ast.Attribute))


def _is_only_written(job: Job, node: ast.expr) -> bool:
    """Whether a file that could be read, too, is not, by what is done with the name or attribute that it has."""
    above = job.parent(node)
    target = above.optional_vars if isinstance(above, ast.withitem) else None
    if isinstance(above, ast.Assign) and len(above.targets) == 1:
        target = above.targets[0]
    writing = {effect.node for effect in job.all_effects if effect.kind in (EffectKind.FILE_WRITE, EffectKind.PRINT)}
    writing |= {fact.node for fact in job.calls if fact.name in _WRITERS}
    uses = [*_uses(job, target)]
    return bool(uses) and all(_writes(job, use, writing) for use in uses)


def _uses(job: Job, target: ast.expr | None) -> Iterator[ast.expr]:
    """Where a name is read, or an attribute of this name of whatever object."""
    if isinstance(target, ast.Name):
        names = job.names_of(target)
        yield from (use for use in names.uses(target.id, names.binding(target)) if isinstance(use.ctx, ast.Load))
    elif isinstance(target, ast.Attribute):
        same = (node for node in job.nodes.of(ast.Attribute) if node.attr == target.attr)
        yield from (node for node in same if isinstance(node.ctx, ast.Load))


def _writes(job: Job, use: ast.expr, writing: set[ast.Call]) -> bool:
    above = job.parent(use)
    if isinstance(above, ast.Attribute):
        return above.attr in _WRITES
    call = job.parent(above) if isinstance(above, ast.keyword) else above
    return isinstance(call, ast.Call) and call in writing
