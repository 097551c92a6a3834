"""What each process would make up for itself, by the clock, its number or chance, and rank 0 can tell the others."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends import trackers
from corro.frontends.effects import EffectKind
from corro.frontends.purity import impure_parts, is_pure
from corro.rules.file_tests import conditions, leaves_for, looks_at_files
from corro.rules.places import inner_scopes, way
from corro.source import After, Before, replace_node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.frontends.effects import Effect
    from corro.rules.base import Answer, Job
    from corro.source import Edit
    from corro.targets.base import Code

    Share = Callable[[ast.AST, str], tuple[Code, str]]
    """Gives, for an expression, what tells rank 0's value of it, and the value."""

_READING = frozenset({"load", "read", "open", "restore", "imread", "loadtxt", "genfromtxt", "pretrained", "listdir"})
"""Words in the names of functions that read a file."""
_FOLDERS = frozenset({"mkdir", "makedirs"})
"""Functions and methods of paths that make a folder: all processes do, where it may be there already."""
_ALL = frozenset({EffectKind.FETCH, EffectKind.PROGRESS})
"""Effects of which every process needs what comes out."""
_FOLLOWED = frozenset({Kind.FUNCTION, Kind.CLASS})
_OPTIONS = frozenset({"add_argument", "set_defaults"})
_NAMES = frozenset({Kind.TEXT, Kind.UNKNOWN, Kind.METHOD})
"""What names of files are."""
_OF_TEXT = ("os.path.", "pathlib.", "builtins.str", "builtins.int", "builtins.round", "builtins.float")
"""Functions that make a name of another."""
FOLDER = "tempfile.TemporaryDirectory"
_OPEN = frozenset({FOLDER, "tempfile.NamedTemporaryFile", "tempfile.mkstemp", "random.SystemRandom",
                   "secrets.SystemRandom", "input", "builtins.input"})  # fmt: skip
"""Calls whose results belong to their process: open files, generators."""
_FETCHING = {"wget.download": '""', "urllib.request.urlretrieve": "()"}
"""What gives the name of the file that it fetches, and what stands for that, of its type, where nothing is fetched."""
_TAKING = (ast.Assign, ast.AnnAssign, ast.Return)
"""Statements that take it."""
_MAKING = frozenset({"tempfile.mkdtemp"})
"""Calls that make a folder, too."""
_HEADS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.With, ast.For)
"""Statements in front of which their expressions may be computed."""


def answers(job: Job, rule: str, uses: Iterable[tuple[CallFact, Value]], share: Share | None) -> Iterator[Answer]:
    """One change for each name that rank 0 tells, in the name of a rule.

    Args:
        job: the script.
        rule: the rule that says it.
        uses: the calls for which all processes need one name, and what they are given.
        share: how rank 0 tells an expression at a place; ``None`` where it cannot.
    """
    done: set[ast.AST] = set()
    for fact, value in uses:
        for cause in causes(job, value):
            if cause not in done:
                name = name_around(job, cause)
                done |= {node for node in (cause, *ast.walk(name)) if isinstance(node, ast.Call)}
                found = [*_told(job, rule, cause, share)] if share is not None else []
                yield from found
                if not found:
                    yield _refused(job, rule, cause, fact.node)
                    return


def _told(job: Job, rule: str, cause: ast.Call, share: Share) -> Iterator[Answer]:
    """What tells a name; nothing where rank 0 cannot tell it."""
    job = job.at(cause)
    if not all(job.is_uniform(fact.context) for fact in job.calls_of(cause)):
        return
    block, statement = _block(job, cause), _place(job, cause)
    if block is not None:
        yield from _folder(job, rule, cause, block, share)
    elif statement is not None:
        yield from _name(job, rule, cause, statement, share)


def _refused(job: Job, rule: str, cause: ast.Call, read: ast.Call) -> Answer:
    if _name_of(job, cause) in trackers.SILENT:
        return job.refuse(
            rule,
            "this path has something in it that a tracker tells of its run: it differs between processes, of which "
            "only rank 0 has a real run.",
            read,
            "Name files by what the command line or the settings say.",
            effort="one line",
        )
    return job.refuse(
        rule,
        "this path depends on the time, the process id, random numbers or a temporary folder: it differs between "
        "processes, and only rank 0 writes to its own.",
        read,
        "Make the folder with: folder = tempfile.mkdtemp()."
        if _belongs(job, cause)
        else "Take the name from the command line, or assign it in a statement of its own before training.",
        effort="one line",
    )


def _name(job: Job, rule: str, cause: ast.Call, statement: ast.stmt, share: Share) -> Iterator[Answer]:
    name = name_around(job, cause)
    text = job.segment(name)
    if _name_of(job, cause) in _MAKING:
        text = f'{text} if {job.ranked.is_first} else ""'  # Horovod names a collective after the type that is sent
        yield _note(job, rule, cause)
    code, shared = share(cause, text)
    edits: list[Edit] = [Before(statement, code.text, order=-20)] if code.text else []
    yield job.change(
        rule, "all processes take rank 0's name", name, [*edits, *replace_node(job.file_of(name), name, shared)], code
    )


def _folder(job: Job, rule: str, cause: ast.Call, block: ast.With, share: Share) -> Iterator[Answer]:
    """``with tempfile.TemporaryDirectory() as folder:``: each process removes its own, rank 0's when all have read."""
    last = block.body[-1]
    leaving = next((n for s in block.body[:-1] for n in ast.walk(s) if isinstance(n, ast.Return)), None)
    reads = isinstance(last, ast.Return) and any(isinstance(n, ast.Call) for n in ast.walk(last))
    if leaving is not None or reads:
        yield job.refuse(
            rule,
            "this returns from within the block of a temporary folder, which rank 0 would remove while other processes "
            "read from it.",
            leaving or last,
            "Return after the block.",
        )
        return
    folder = next(item.optional_vars for item in block.items if item.context_expr is cause)
    assert isinstance(folder, ast.Name)
    code, shared = share(cause, folder.id)
    lines = "\n".join(filter(None, (code.text, f"{folder.id} = {shared}")))
    wait = Before if isinstance(last, ast.Return) else After
    edits: list[Edit] = [Before(block.body[0], lines, order=-20), wait(last, job.ranked.barrier, order=20)]
    yield _note(job, rule, cause)
    yield job.change(rule, "all processes take rank 0's folder", cause, edits, code)


def _note(job: Job, rule: str, cause: ast.Call) -> Answer:
    return job.note(
        rule,
        "all processes read from rank 0's temporary folder, which other machines do not have.",
        cause,
        "To train on several machines, give it dir=, a folder that all of them see.",
    )


def needing(job: Job) -> Iterator[tuple[CallFact, Value]]:
    """The calls for which all processes need one name, and what they are given.

    What reads files or makes folders does, and so does what nobody knows; what rank 0 alone does needs its own name
    only.
    """
    alone = {effect.node for effect in job.effects if effect.kind not in _ALL}
    for fact in job.calls:
        if fact.node in alone or fact.name in _OPTIONS or job.value(fact.node.func).kind in _FOLLOWED:
            continue
        named = _reads(fact) or makes_folder(fact)
        for value in _given(fact, named):
            if not value.placement.causes:
                continue
            if value.kind in _NAMES if named else value.kind is Kind.TEXT and not is_pure(job.facts, fact.node):
                yield fact, value


def _given(fact: CallFact, named: bool) -> Iterator[Value]:
    if fact.receiver is None or fact.receiver.kind not in (Kind.LIST, Kind.DICT, Kind.TEXT, Kind.LOGGER):
        yield from (*fact.args, *fact.keywords.values())
    if fact.receiver is not None and named:
        yield fact.receiver


def makes_folder(fact: CallFact) -> bool:
    """Whether a call makes a folder, of a text or of a path that is put together."""
    return fact.name.rpartition(".")[2] in _FOLDERS


def _reads(fact: CallFact) -> bool:
    """Whether a call reads a file, or asks for one."""
    words = fact.name.rpartition(".")[2].lower().split("_")
    makes = fact.result.kind in (Kind.DATASET, Kind.LOADER)
    return makes or "file system" in fact.result.tags or not _READING.isdisjoint(words)


def causes(job: Job, value: Value) -> list[ast.Call]:
    """The calls by which a value is another one on each process, in order."""
    found = [job.facts.nodes[number] for number in sorted(value.placement.causes)]
    return [node for node in found if isinstance(node, ast.Call)]


def _block(job: Job, cause: ast.Call) -> ast.With | None:
    """``with tempfile.TemporaryDirectory() as folder:``."""
    item = job.parent(cause)
    block = job.file_of(cause).parent(item) if isinstance(item, ast.withitem) else None
    named = isinstance(item, ast.withitem) and isinstance(item.optional_vars, ast.Name)
    return block if named and isinstance(block, ast.With) and _name_of(job, cause) == FOLDER else None


def _name_of(job: Job, cause: ast.Call) -> str:
    """The dotted name of the function that a cause calls."""
    return next((fact.name for fact in job.calls_of(cause)), "")


def _belongs(job: Job, cause: ast.Call) -> bool:
    """Whether what a cause gives is an object of its own process."""
    return _name_of(job, cause) in _OPEN or _name_of(job, cause) in trackers.SILENT


def _place(job: Job, cause: ast.Call) -> ast.stmt | None:
    """The statement in front of which rank 0 can tell what a call gives; ``None`` where it cannot.

    Not where rank 0 arrives alone, or in a function that is called later.
    """
    if _belongs(job, cause) or any(inner_scopes(job, name_around(job, cause))):
        return None
    return _in_front(job, cause)


def _in_front(job: Job, cause: ast.Call) -> ast.stmt | None:
    """The statement in front of a call; ``None`` where rank 0 arrives alone, or nothing can be put."""
    alone = {job.statement(effect.node) for effect in job.effects}
    if any(job.statement(node) in alone for f in job.calls_of(cause) for node in way(f)):
        return None
    statement = job.statement(cause)
    for above in job.ancestors(cause):
        if isinstance(above, ast.arguments):
            statement = job.statement(above)
        if isinstance(above, ast.ClassDef):
            statement = above
        elif isinstance(above, ast.FunctionDef) and statement is not above:
            break
    return statement if isinstance(statement, (*_HEADS, ast.ClassDef, ast.FunctionDef)) else None


def read_from(job: Job, rule: str, read: ast.Attribute) -> Answer | None:
    """What tells all processes an attribute of an object that only rank 0 has; ``None`` where it cannot be told."""
    job = job.at(read)
    call = next((each for each in job.ancestors(read) if isinstance(each, ast.Call) and job.calls_of(each)), None)
    if call is None or job.statement(call) is not job.statement(read) or any(inner_scopes(job, read)):
        return None
    contexts = [fact.context for fact in job.calls_of(call)]
    together = all(job.is_uniform(each) and not any(loop.loaders for loop in each.loops) for each in contexts)
    statement = _in_front(job, call) if together else None
    told = job.share(f'{job.segment(read)} if {job.ranked.is_first} else ""') if statement is not None else None
    if statement is None or told is None:
        return None
    code, shared = told
    edits: list[Edit] = [Before(statement, code.text, order=-20)] if code.text else []
    edits += replace_node(job.file_of(read), read, shared)
    return job.change(rule, "all processes take rank 0's name", read, edits, code)


def fetched(job: Job, rule: str, effect: Effect) -> Answer | None:
    """What tells all processes the name of a file that rank 0 fetches; ``None`` where it cannot be told.

    The file is there when they are told.
    """
    job, call = job.at(effect.node), effect.node
    statement, nothing = job.statement(call), _FETCHING.get(effect.fact.name)
    if nothing is None or not isinstance(statement, _TAKING) or not _is_first(job, call, statement):
        return None
    if not _reached_by_all(job, effect) or any(inner_scopes(job, call)):
        return None
    told = job.share(f"{job.segment(call)} if {job.ranked.is_first} else {nothing}")
    if told is None:
        return None
    code, shared = told
    edits: list[Edit] = [Before(statement, code.text, order=-20)] if code.text else []
    edits += replace_node(job.file_of(call), call, shared)
    return job.change(rule, f"{effect.kind.value} once, and tells the name", call, edits, code)


def _reached_by_all(job: Job, effect: Effect) -> bool:
    """Whether all processes make a call together, once, and none is kept from it by files or by what it raises."""
    facts = job.calls_of(effect.node)
    if not all(job.is_uniform(fact.context) and not fact.context.loops for fact in facts):
        return False
    path = [node for fact in facts for node in way(fact)]
    alone = {job.statement(other.node) for other in job.effects if other.node is not effect.node}
    if any(job.statement(node) in alone for node in path):
        return False
    around = {above for node in path for above in job.ancestors(node)}
    tests = {test for fact in facts for test in conditions(job, fact)} | around
    asks = any(isinstance(each, ast.If) and looks_at_files(job, each.test) for each in tests)
    return not asks and not any(isinstance(each, ast.Try) for each in around) and not any(leaves_for(job, effect))


def _is_first(job: Job, call: ast.Call, statement: ast.stmt) -> bool:
    """Whether a call is the first thing that a statement does: ``rows = load(download(url))``."""
    node: ast.AST = call
    while (above := job.parent(node)) is not statement:
        first = isinstance(above, ast.Subscript) and above.value is node
        first |= isinstance(above, ast.Call) and above.args[:1] == [node] and not impure_parts(job.facts, above.func)
        if above is None or not first:
            return False
        node = above
    return True


def name_around(job: Job, cause: ast.Call) -> ast.expr:
    """The whole name that is made of what a call gives: ``f"run-{time.time()}"``."""
    found: ast.expr = cause
    node: ast.AST = cause
    while _is_of_name(job, node):
        node = job.parent(node) or node
        bound = isinstance(node, ast.Attribute) and getattr(job.parent(node), "func", None) is node
        if isinstance(node, ast.expr) and not isinstance(node, (ast.FormattedValue, ast.GeneratorExp)) and not bound:
            found = node
    inside = set(ast.walk(cause))
    in_class = any(isinstance(a, (ast.ClassDef, ast.arguments)) for a in job.ancestors(cause))
    return cause if in_class or any(p not in inside for p in impure_parts(job.facts, found)) else found


def _is_of_name(job: Job, node: ast.AST) -> bool:
    """Whether what an expression stands in makes a name of it."""
    user = job.parent(node)
    if isinstance(user, (ast.Attribute, ast.Subscript)):
        return user.value is node
    if isinstance(user, ast.Call):
        named = any(name.startswith(_OF_TEXT) for name in job.names_of(user.func).qualified(user.func))
        of_text = isinstance(user.func, ast.Attribute) and job.value(user.func.value).kind is Kind.TEXT
        return user.func is node or named or of_text
    return isinstance(user, (ast.JoinedStr, ast.FormattedValue, ast.BinOp, ast.GeneratorExp, ast.ListComp))
