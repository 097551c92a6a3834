"""Let effects happen once: shared by the rules of all frontends whose processes each run the whole script."""

from __future__ import annotations

import ast
from itertools import takewhile
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import replace
from corro.flow.python import PYPLOT
from corro.frontends.effects import Effect, EffectKind, asks_size, may_only_answer, named
from corro.frontends.purity import impure_parts
from corro.frontends.randomness import draws
from corro.rules import asked, bars, mending, opening, rank_0_first
from corro.rules.alone import GUARDED, block_of, with_check
from corro.rules.file_tests import conditions, leaves_for, looks_at_files, stood_in, texts
from corro.rules.places import way
from corro.rules.reached import is_followed, may_be_called
from corro.rules.told import fetched, read_from
from corro.rules.written import sources
from corro.source import After, Before, Edit, Guard, Lift, Replace, Under, Wrap, add_keyword, position, walk
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer, Job

_PLOTTING_NOWHERE = frozenset(f"{module}{name}" for module in PYPLOT for name in ("switch_backend", "style.use", "rc"))
_CLOSING = frozenset(f"{module}{name}" for module in PYPLOT for name in ("close", "clf", "cla"))


_ASKED_OF_INPUT = frozenset({"isatty", "fileno", "encoding", "closed", "name"})


def answers(job: Job, rule: str) -> Iterable[Answer]:
    """One answer for each statement with an effect, in the name of a rule."""
    yield from _reading_input(job, rule)
    handled: set[ast.AST] = set()
    for effect in job.effects:
        key: ast.AST = effect.node
        if effect.kind in GUARDED and not _only_answers(job, effect):  # what is asked may be printed
            key = job.statement(effect.node)
        if key in handled:
            continue
        handled.add(key)
        if not mending.holds(job, effect.node):
            yield from _answer(job, rule, effect)
    yield from asked.waiting(job, rule, asked.places(job))
    for block in sorted(job.mended_files, key=position):
        code = Code("", (job.at(block).ranked.engine,))
        yield job.change(rule, "read back and mended once", block, (Guard(block, job.at(block).ranked.is_first),), code)
    yield from _not_followed(job, rule)


def _reading_input(job: Job, rule: str) -> Iterator[Answer]:
    """Standard input, whoever reads it: a loop, ``json.load``, a method of its own."""
    for node in job.nodes.of(ast.Attribute):
        if node.attr == "stdin" and "sys.stdin" in job.names_of(node).qualified(node):
            user = job.parent(node)
            if not (isinstance(user, ast.Attribute) and user.attr in _ASKED_OF_INPUT):
                yield job.refuse(
                    rule,
                    "the script reads its standard input, which processes under a launcher do not have.",
                    node,
                    "Read it from a file that is named on the command line.",
                )
                return


def _not_followed(job: Job, rule: str) -> Iterator[Answer]:
    """Effects in functions that the script hands on or Python calls by itself, and that nobody was seen to call."""
    seen: set[ast.AST] = set()
    for node in job.nodes.of(ast.Call):
        if node in job.facts.units:
            continue
        kind = next(
            (k for name in job.names_of(node.func).qualified(node.func) if (k := named(name)) is not None), None
        )
        above = job.ancestors(node)
        around = [a for a in above if isinstance(a, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))]
        if kind is None or not around or around[0] in seen or is_followed(job, around[0]):
            continue
        if all(isinstance(function, ast.Lambda) or may_be_called(job, function) for function in around):
            seen.add(around[0])
            yield job.review(
                rule,
                f"this {kind.value} in a function that is called in a way that Corro cannot follow: every process "
                "does it.",
                node,
                f"Put it under: if {job.ranked.is_first}.",
                differs=("effects", "metrics"),
            )


def _answer(job: Job, rule: str, effect: Effect) -> Iterator[Answer]:
    job = job.at(effect.node)
    if effect.kind is EffectKind.REPORT and job.shows_shard(effect.node):
        yield job.note(rule, "the progress bar shows rank 0's shard only.", effect.node)
    elsewhere = effect.kind in (EffectKind.REPORT, EffectKind.FILE_WRITE) or _has_its_rule(job, effect)
    if elsewhere or (asks_size(effect.fact) and _is_done_without(job, effect)):
        return
    if _only_answers(job, effect):
        if effect.kind is EffectKind.SEND:
            yield job.review(
                rule,
                "every process sends this, as its answer is used.",
                effect.node,
                f"Where the answer does not matter, send it on a line of its own, under: if {job.ranked.is_first}.",
                differs=("effects",),
            )
        return
    if effect.kind is EffectKind.PLOT and _only_plots(job, effect):
        return
    size = _size_of_terminal(job, effect)
    if size is not None:
        yield _measured(job, rule, *size)
        return
    if effect.kind is EffectKind.INPUT:
        asked = "asks for files in a notebook" if ".colab." in effect.fact.name else "reads the terminal"
        yield job.refuse(
            rule,
            f"the script {asked}, which processes under a launcher do not have.",
            effect.node,
            "Take the value from the command line.",
            effort="one line",
        )
        return
    if effect.kind is EffectKind.DATABASE:
        yield job.refuse(
            rule,
            f"this {effect.kind.value}, which every process would do.",
            effect.node,
            "Write to it in a script of its own, or collect what goes into it and write that at the end.",
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
    block = block_of(job, effect) if effect.kind is EffectKind.CONTAINER else None
    if block is not None:
        yield _alone(job, rule, effect, block)
        return
    if effect.kind is EffectKind.CONTAINER:
        yield job.refuse(
            rule,
            f"{effect.fact.name} {effect.kind.value}, which every process would do at the same time.",
            effect.node,
            "Write it in a script of its own, or collect what goes into it and save that at the end.",
        )
        return
    if effect.kind is EffectKind.OPEN and _is_within_a_guard(job, effect):
        return
    yield from (_guarded(job, rule, effect) if effect.kind in GUARDED else _argument(job, rule, effect))


def _has_its_rule(job: Job, effect: Effect) -> bool:
    """Whether a rule of the framework lets an effect happen once."""
    return effect.kind is EffectKind.TRACKER and job.converts_trackers


def _size_of_terminal(job: Job, effect: Effect) -> tuple[ast.AST, str] | None:
    """What gives the size of the terminal, and how that is written of what ``shutil`` says of it."""
    if not asks_size(effect.fact):
        return None
    if effect.fact.name != "os.popen":
        return effect.node, "{}"
    method = job.parent(effect.node)
    read = job.parent(method) if isinstance(method, ast.Attribute) and method.attr in ("read", "readline") else None
    if not isinstance(read, ast.Call) or read.func is not method or read.args:
        return None
    return read, '"{{0.lines}} {{0.columns}}\\n".format({})'


def _is_done_without(job: Job, effect: Effect) -> bool:
    """Whether the script goes on by itself where there is no terminal."""
    return any(
        isinstance(above, ast.Try)
        and any(effect.node in walk(each) for each in above.body)
        and any(handler.type is None or getattr(handler.type, "id", "") == "Exception" for handler in above.handlers)
        for above in job.ancestors(effect.node)
    )


def _measured(job: Job, rule: str, asked: ast.AST, written: str) -> Answer:
    """The size of the terminal as a number that is there without a terminal, too."""
    library = job.target.library
    size = written.format(f"{library.name('shutil', 'shutil')}.get_terminal_size()")
    code = Code(size, (library.imports("shutil", "shutil"),))
    reason = "processes under a launcher have no terminal whose size they could ask for"
    return job.change(rule, reason, asked, (Replace(job.span(asked), size),), code)


def _only_answers(job: Job, effect: Effect) -> bool:
    """Whether the result of a call is used, which may be all that it is made for."""
    return may_only_answer(effect.fact) and not isinstance(job.parent(effect.node), ast.Expr)


def _is_within_a_guard(job: Job, effect: Effect) -> bool:
    """``print(x, file=open(path, "w"))``: rank 0 alone reaches it."""
    statement = job.statement(effect.node)
    whole = statement.value if isinstance(statement, ast.Expr) else None
    return any(other.node is whole for other in job.effects if other.kind in GUARDED)


def _only_plots(job: Job, effect: Effect) -> bool:
    """Figures that are assigned are plotted in memory by every process; only showing and saving shows.

    So is what they are closed and cleared by: figures that stay open take memory.
    """
    if effect.fact.name in _CLOSING:
        return any(_is_assigned(job, other) for other in job.effects if other.kind is EffectKind.PLOT)
    return effect.fact.name in _PLOTTING_NOWHERE or _is_assigned(job, effect)


def _is_assigned(job: Job, effect: Effect) -> bool:
    return not isinstance(job.statement(effect.node), ast.Expr)


def _guarded(job: Job, rule: str, effect: Effect) -> Iterator[Answer]:
    statement = job.statement(effect.node)
    above = job.parent(effect.node)
    shows = effect.kind in (EffectKind.PRINT, EffectKind.LOG) and not impure_parts(job.facts, effect.node)
    if shows and isinstance(above, ast.Lambda) and above.body is effect.node:
        edit = Wrap(job.span(effect.node), "", f" if {job.ranked.is_first} else None")
        yield job.change(rule, f"{effect.kind.value} once", effect.node, (edit,), Code("", (job.ranked.engine,)))
        return
    if effect.fact.result.kind is Kind.WRITER and not isinstance(statement, ast.Expr):
        yield from _writer(job, rule, effect)  # a window, which belongs to rank 0 like what it is shown by
        return
    if not isinstance(statement, ast.Expr):
        yield _within(job, rule, effect)
        return
    if draws(effect.fact) is not None and _is_whole(job, statement, effect):
        yield _silenced(job, rule, effect, statement)
        return
    guarded = with_check(job, statement)
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
            rule,
            f"this {effect.kind.value} inside a larger expression.",
            effect.node,
            "Put it on a line of its own.",
            effort="one line",
        )
        return
    repeated = next(_repeated(job, statement.value), None)
    if repeated is not None:
        yield job.refuse(
            rule,
            "only rank 0 may write here, but every process has to compute the rest of this comprehension.",
            repeated,
            "Write the comprehension as a loop.",
        )
        return
    late = _read_before_changed(job, statement)
    if late is not None:
        yield job.refuse(
            rule,
            "this changes what the same statement shows: rank 0 alone may show it, but every process has to change it.",
            late,
            "Make the change in a statement of its own.",
            effort="one line",
        )
        return
    made = next((part for part in _parts(job, statement.value) if _holds_reduced(job, statement, part)), None)
    if made is not None:
        yield job.refuse(
            rule,
            "what is given to this call has to be reduced over the processes, and Corro does not know whether the "
            "call does more than compute.",
            made,
            "Make the call in a statement of its own.",
            effort="one line",
        )
        return
    edits: tuple[Edit, ...] = (*_lifted(job, statement), Guard(guarded, job.ranked.is_first))
    others = effect.kind in (EffectKind.FETCH, EffectKind.DELETE) or _is_looked_for(job, effect)
    if others and not rank_0_first.holds(job, effect.node):
        if not all(job.is_uniform(fact.context) for fact in job.calls_of(effect.node)):
            yield job.refuse(
                rule,
                f"this {effect.kind.value} on a path that not all processes take.",
                effect.node,
                "Do it in a statement that every process runs.",
            )
            return
        edits = (*edits, *_waiting(job, effect, guarded))
    if effect.kind is EffectKind.DIRECTORY and guarded is statement and _is_named_by_listing(job, effect):
        edits = (*edits, Before(guarded, job.ranked.barrier, order=-9))
    yield job.change(rule, f"{effect.kind.value} once", statement, edits, Code("", (job.ranked.engine,)))


def _within(job: Job, rule: str, effect: Effect) -> Answer:
    """A statement goes on with what an effect gives: that can be told of the name of what is fetched."""
    told = fetched(job, rule, effect) if effect.kind is EffectKind.FETCH else None
    return told or job.refuse(
        rule,
        f"this {effect.kind.value} inside a larger statement.",
        effect.node,
        "Put it on a line of its own.",
        effort="one line",
    )


def _silenced(job: Job, rule: str, effect: Effect, statement: ast.Expr) -> Answer:
    """What draws random numbers and prints is done by all processes, whose next numbers are equal then."""
    module = job.target.library.name("contextlib", "contextlib")
    head = f"with {module}.nullcontext() if {job.ranked.is_first} else {module}.redirect_stdout(None):"
    code = Code(head, (job.ranked.engine, job.target.library.imports("contextlib", "contextlib")))
    reason = f"every process draws the random numbers of this, and one {effect.kind.value}"
    return job.change(rule, reason, statement, (Under(statement, head),), code)


def _is_looked_for(job: Job, effect: Effect) -> bool:
    """Whether all processes ask later whether a directory is there, or what is in it, or go into it."""
    if effect.kind is not EffectKind.DIRECTORY:
        return False
    guarded = (job.statement(other.node) for other in job.effects if other.kind in GUARDED)
    alone = {part for statement in guarded for part in walk(with_check(job, statement))}
    made, first = texts(job, [effect.node]), min(fact.order for fact in job.calls_of(effect.node))
    looking = (fact for fact in job.calls if "file system" in fact.result.tags or fact.name == "os.chdir")
    later = (fact.node for fact in looking if fact.order > first)
    return any(node not in alone and not made.isdisjoint(texts(job, [node])) for node in later)


def _is_named_by_listing(job: Job, effect: Effect) -> bool:
    """``os.makedirs(f"runs/{len(os.listdir('runs'))}")``: others may still have to count when it is there."""
    if not all(job.is_uniform(fact.context) and not fact.context.loops for fact in job.calls_of(effect.node)):
        return False
    parts = sources(job.file_of(effect.node).tree, effect.node.args)
    return any(isinstance(part, ast.Call) and "file system" in job.value(part).tags for part in parts)


def _alone(job: Job, rule: str, effect: Effect, block: ast.With) -> Answer:
    """A file that is filled within a block, on rank 0; those that may read it later wait."""
    inside = set(walk(block))
    last = max((fact for fact in job.calls if fact.node in inside), key=lambda fact: fact.order)
    path = ast.dump(effect.node.args[0]) if effect.node.args else ""
    behind = (n for n in job.file_of(block).nodes.of(ast.Name, ast.Constant) if n not in inside)
    named_later = any(ast.dump(n) == path and job.span(n).start > job.span(block).end for n in behind)
    edits: list[Edit] = [Guard(block, job.ranked.is_first)]
    if named_later or job.is_read_later(replace(effect, fact=last)):
        edits.append(After(block, job.ranked.barrier))
    return job.change(rule, f"{effect.kind.value} once", effect.node, edits, Code("", (job.ranked.engine,)))


def _waiting(job: Job, effect: Effect, guarded: ast.stmt) -> Iterator[Edit]:
    """A barrier after what others read, once for all effects of a statement, and before what they may still read."""
    if effect.kind is EffectKind.FETCH:
        inside = set(walk(guarded))
        fetches = [e.node for e in job.effects if e.kind is EffectKind.FETCH and e.node in inside]
        if fetches[0] is effect.node:
            yield After(guarded, job.ranked.barrier)
        return
    if effect.kind is EffectKind.DELETE and job.is_read(guarded):
        yield Before(guarded, job.ranked.barrier, order=-9)
    if effect.kind is EffectKind.DIRECTORY or job.is_read_later(effect):
        yield After(guarded, job.ranked.barrier)


def _is_whole(job: Job, statement: ast.Expr, effect: Effect) -> bool:
    """The effect is the statement, or each step of a comprehension that is it, or plotted together with it."""
    value, node = statement.value, effect.node
    if value is node or (isinstance(value, (ast.ListComp, ast.SetComp)) and value.elt is node):
        return True
    if effect.kind is EffectKind.PRINT and value in _printed(job):  # print(model.summary())
        return True
    if effect.kind is EffectKind.RECORD and any(e.node is value for e in job.effects if e.kind is EffectKind.RECORD):
        return True  # task.get_logger().report_scalar("loss", "train", loss, epoch)
    return effect.kind is EffectKind.PLOT and _plots(job, value)


def _printed(job: Job) -> set[ast.Call]:
    return {effect.node for effect in job.effects if effect.kind is EffectKind.PRINT}


def _plots(job: Job, value: ast.expr) -> bool:
    """``plt.colorbar(plt.imshow(x))``, ``plt.gca().set_ylim(0, 1)``: what is plotted, a method of it, or several."""
    if isinstance(value, ast.Tuple):
        return all(_plots(job, each) for each in value.elts)
    plotted = {effect.node for effect in job.effects if effect.kind is EffectKind.PLOT}
    while value not in plotted and isinstance(value, (ast.Call, ast.Attribute)):
        if isinstance(value, ast.Call) and not isinstance(value.func, ast.Attribute):
            return False
        value = value.func.value if isinstance(value, ast.Call) else value.value  # type: ignore[attr-defined]
    return value in plotted


def _repeated(job: Job, value: ast.expr) -> Iterator[ast.expr]:
    """What every process must compute for each item of a comprehension that is a statement."""
    if not isinstance(value, (ast.ListComp, ast.SetComp)):
        return
    first, reduced = value.generators[0].iter, job.reduced(value)
    once = set(walk(first))
    for node in (value.elt, *value.generators):
        yield from (part for part in impure_parts(job.facts, node) if part not in once and part not in reduced)


def _lifted(job: Job, statement: ast.stmt) -> Iterator[Edit]:
    """What every process must compute of the arguments gets a name before the condition on the rank."""
    return lifts(job, statement.value) if isinstance(statement, ast.Expr) else iter(())


def lifts(job: Job, expression: ast.expr) -> Iterator[Edit]:
    """What every process must compute of an expression that rank 0 alone evaluates: a seed may go on from it."""
    taken: set[str] = set()
    for part in _parts(job, expression):
        name = job.names.fresh(_result_name(part), taken)
        taken.add(name)
        yield Lift(part, job.statement(expression), name)


def _parts(job: Job, expression: ast.expr) -> Iterator[ast.expr]:
    """What is lifted of an expression; not what belongs to rank 0, or is reduced."""
    reduced = job.reduced(expression)
    alone = _printed(job) | {effect.node for effect in job.effects if effect.kind is EffectKind.OPEN}
    for part in impure_parts(job.facts, expression):
        if part not in alone and part not in reduced and reduced.isdisjoint(job.ancestors(part)):
            yield part


def _holds_reduced(job: Job, statement: ast.Expr, part: ast.expr) -> bool:
    """Whether something in what is lifted is replaced by its whole, which is known after it."""
    return not job.reduced(statement.value).isdisjoint(walk(part))


def lifted_parts(job: Job) -> Iterator[ast.expr]:
    """What every process computes of statements with an effect, before the condition on the rank."""
    for effect in job.effects:
        if effect.kind in GUARDED:
            statement = job.statement(effect.node)
            if isinstance(statement, ast.Expr):
                yield from impure_parts(job.facts, statement.value)


def _read_before_changed(job: Job, statement: ast.Expr) -> ast.expr | None:
    """A change of something that the same statement has read before: lifted, it would come first."""
    parts = impure_parts(job.facts, statement.value)
    for part in parts:
        owner = part.func.value if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) else None
        if (
            not isinstance(owner, (ast.Name, ast.Attribute, ast.Subscript))
            or job.value(owner).kind is Kind.MODULE
            or job.names_of(owner).qualified(owner)
        ):
            continue  # a model, which is trained elsewhere, or a library
        inside = {node for lifted in parts for node in walk(lifted)}
        text = ast.dump(owner)
        for node in walk(statement):
            same = isinstance(node, type(owner)) and node not in inside and ast.dump(node) == text
            if same and job.span(node).start < job.span(part).start:
                return part
    return None


def _result_name(part: ast.expr) -> str:
    function = part.func if isinstance(part, ast.Call) else None
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return f"{name.strip('_')}_result" if name.strip("_") else "result"


def _depends_on_files(job: Job, effect: Effect, guarded: ast.stmt) -> bool:
    """Whether a file is written or not depending on files that rank 0 may just have written."""
    if rank_0_first.holds(job, effect.node):
        return False
    if effect.kind in (EffectKind.SAVE, EffectKind.OPEN, EffectKind.DIRECTORY) and any(leaves_for(job, effect)):
        return True
    if effect.kind not in (EffectKind.SAVE, EffectKind.OPEN, EffectKind.DELETE):
        return False
    tests = [node for node in conditions(job, effect.fact) if isinstance(node, ast.If) and node is not guarded]
    asking = (node for node in tests if looks_at_files(job, node.test))
    return any(not _is_asked_before(job, effect, node) for node in asking) or any(stood_in(job, effect))


def _is_asked_before(job: Job, effect: Effect, node: ast.If) -> bool:
    """Whether all processes ask once, before they meet in a step, and the file is written after that step."""
    asked = [fact for fact in job.facts.tests.values() if fact.node is node]
    if len(asked) != 1 or asked[0].context.loops or not asked[0].value.placement.is_equal:
        return False
    arms = ({part for statement in arm for part in walk(statement)} for arm in (node.body, node.orelse))
    inside = next((arm for arm in arms if not arm.isdisjoint(way(effect.fact))), set())
    met = (fact for call in job.meeting for fact in job.calls_of(call) if not inside.isdisjoint(way(fact)))
    return any(fact.order < effect.fact.order for fact in met)


def _argument(job: Job, rule: str, effect: Effect) -> Iterator[Answer]:
    """Effects that make an object: the object is made everywhere, and does nothing elsewhere."""
    node = effect.node
    if effect.kind is EffectKind.PROGRESS:
        yield from bars.limited(job, rule, node)
    elif effect.kind is EffectKind.WRITER:
        yield from _writer(job, rule, effect)
        return
    elif effect.kind is EffectKind.OPEN:
        yield from _open(job, rule, effect)
    else:
        yield from _log_file(job, rule, effect)


_PLAIN = (ast.Assign, ast.AnnAssign, ast.Return, ast.keyword, ast.Call)
"""What an expression may stand in without parentheses."""
_HANDED = (ast.IfExp, ast.BoolOp, ast.NamedExpr, ast.Tuple, ast.List, ast.Dict)
_FILLING = frozenset({"append", "add", "insert", "setdefault"})
_OF_WRITER = frozenset({"log_dir", "logdir"})
"""Attributes of a writer that are texts."""


def _writer(job: Job, rule: str, effect: Effect) -> Iterator[Answer]:
    """Rank 0 alone has a writer; what others have of it is nothing, under the same names."""
    node, first = effect.node, job.ranked.is_first
    above = job.parent(node)
    if not _is_followed_on(job, node):
        yield job.refuse(
            rule,
            "the summary writer is made inside a larger statement.",
            node,
            "Assign it to a name first.",
            effort="one line",
        )
        return
    for read in _read_everywhere(job, effect):
        told = read_from(job, rule, read) if read.attr in _OF_WRITER else None
        if told is None:
            yield job.refuse(
                rule,
                "every process reads this from the summary writer, which is made on rank 0 only.",
                read,
                'Give it a name before, as in folder = "runs/1"; writer = SummaryWriter(folder), and use the name.',
                effort="one line",
            )
            return
        yield told
    code = Code("", (job.ranked.engine,))
    lifted = tuple(lifts(job, node))
    if lifted and not _is_always_made(job, node):
        yield job.refuse(
            rule,
            "only rank 0 makes this summary writer, but every process has to compute what it is given.",
            node,
            "Compute its arguments in statements of their own.",
            effort="one line",
        )
        return
    other = "object()" if _is_asked_for(job, node) else "None"
    given = _given(job, node) if other != "None" else None
    if given is not None:
        yield job.refuse(
            rule,
            f"the summary writer is passed to {given.name or 'an object'}, which Corro cannot follow, and rank 0 alone "
            "has one.",
            given.node,
            "Call methods of the writer in the script itself.",
        )
        return
    edit = Wrap(job.span(node), "", f" if {first} else {other}")
    if isinstance(above, ast.withitem):
        library = job.ranked.library
        null = f"{library.name('contextlib', 'contextlib')}.nullcontext({other.removeprefix('None')})"
        edit = Wrap(job.span(node), "", f" if {first} else {null}")
        code = Code("", (job.ranked.engine, library.imports("contextlib", "contextlib")))
    elif not isinstance(above, _PLAIN):
        edit = Wrap(job.span(node), "(", f" if {first} else {other})")
    yield job.change(rule, "one summary, on rank 0", node, (*lifted, edit), code)


def _given(job: Job, node: ast.expr) -> CallFact | None:
    """A call that is not followed, on all processes, and that is given a writer."""
    number = job.facts.number(node)
    alone = {job.statement(effect.node) for effect in job.effects if effect.kind in GUARDED}
    for fact in job.calls:
        values = (*fact.args, *fact.keywords.values())
        writers = (each for each in values if each.kind is Kind.WRITER and number in each.sites)
        if fact.node in job.facts.opaque and any(writers) and job.statement(fact.node) not in alone:
            return fact
    return None


def _is_asked_for(job: Job, node: ast.expr) -> bool:
    """Whether the script asks anywhere if there is a writer: all processes have to get the same answer."""
    number = job.facts.number(node)
    for file in job.files:
        for each in file.nodes:
            value = job.value(each) if isinstance(each, ast.expr) else None
            writes = value is not None and value.kind is Kind.WRITER and number in value.sites
            if isinstance(each, ast.expr) and writes and _is_condition(file.parent(each), each):
                return True
    return False


def _is_condition(user: ast.AST | None, node: ast.expr) -> bool:
    """Whether an expression is used for being there, or true."""
    if isinstance(user, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        return user.test is node
    return isinstance(user, (ast.BoolOp, ast.Compare)) or (
        isinstance(user, ast.UnaryOp) and isinstance(user.op, ast.Not)
    )


def _is_always_made(job: Job, node: ast.expr) -> bool:
    """Whether a statement evaluates an expression in it under no condition."""
    inside = takewhile(lambda above: not isinstance(above, ast.stmt), job.ancestors(node))
    return not any(isinstance(above, (ast.IfExp, ast.BoolOp)) for above in inside)


def _is_followed_on(job: Job, node: ast.expr) -> bool:
    """Whether what an expression gives goes to places that the analysis has seen."""
    above = job.parent(node)
    if isinstance(above, ast.keyword):
        above = job.parent(above)
    if isinstance(above, ast.Call):
        filled = isinstance(above.func, ast.Attribute) and above.func.attr in _FILLING
        held = filled and job.value(above.func.value).kind in (Kind.LIST, Kind.DICT)  # type: ignore[attr-defined]
        return above.func is not node and (held or job.value(above.func).kind in (Kind.FUNCTION, Kind.CLASS))
    if isinstance(above, _HANDED):
        tested = isinstance(above, ast.IfExp) and above.test is node
        return not tested and _is_followed_on(job, above)
    return isinstance(above, (ast.Assign, ast.AnnAssign, ast.Return, ast.withitem))


def _read_everywhere(job: Job, effect: Effect) -> Iterator[ast.Attribute]:
    """The attributes of a writer, methods aside, that are read in statements which rank 0 does not make alone."""
    number = job.facts.number(effect.node)
    alone = {job.statement(e.node) for e in job.effects}
    for file in job.files:
        for node in file.nodes.of(ast.Attribute):
            if number in job.value(node.value).sites:
                parent, statement = file.parent(node), file.statement(node)
                method = isinstance(parent, ast.Call) and parent.func is node
                guarded = isinstance(statement, ast.Expr) and statement in alone
                if job.value(node.value).kind is Kind.WRITER and not method and not guarded:
                    yield node


def _open(job: Job, rule: str, effect: Effect) -> Iterator[Answer]:
    if _depends_on_files(job, effect, job.statement(effect.node)):
        yield job.refuse(
            rule,
            "whether this file is written depends on files that rank 0 may just have written.",
            effect.node,
            "Decide it before, from an argument, or write the file in a script of its own.",
        )
        return
    yield opening.once(job, rule, effect)


def _log_file(job: Job, rule: str, effect: Effect) -> Iterator[Answer]:
    """A handler that does not open its file before the first record, which never comes on other ranks."""
    node = effect.node
    if effect.fact.name.endswith("FileHandler"):
        edits = add_keyword(job.file_of(node), node, "delay", job.ranked.is_other)
        yield job.change(rule, "one log file, on rank 0", node, edits, Code("", (job.ranked.engine,)))
        return
    statement = job.statement(node)
    if isinstance(statement, ast.Expr):
        edits = (Guard(statement, job.ranked.is_first),)
        yield job.change(rule, "one log file, on rank 0", node, edits, Code("", (job.ranked.engine,)))
