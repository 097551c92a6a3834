"""Let one process download a data set before the others look for it.

Why
---
N processes that download to the same place overwrite each other's half-written files. Rank 0 fetches the data, all wait
for it at a barrier outside the condition, then all make their data set, which finds the files complete. So it is with
the vectors of words that torchtext downloads for a vocabulary. A call that is made later, or perhaps, as in a lambda,
is made by rank 0 first where it stands; so is what other libraries fetch, which they also load or make, and a function
of whatever library that is called a download. Libraries that hold a lock while they fetch need nothing.

Before
------
::

    data = datasets.MNIST("data", train=True, download=True, transform=transform)

After
-----
::

    if dist.get_rank() == 0:
        datasets.MNIST("data", train=True, download=True)
    dist.barrier()
    data = datasets.MNIST("data", train=True, download=True, transform=transform)

Source
------
Horovod, ``examples/pytorch/pytorch_mnist.py`` (a file lock around the download); pytorch issue 68320.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends import downloads
from corro.frontends.effects import EffectKind, effects
from corro.frontends.pytorch import fields, graphs
from corro.rules import asked, rank_0_first
from corro.rules.places import defined_before
from corro.rules.reducing import is_uniform
from corro.source import Before, Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "download"

_MAKING = frozenset(
    {EffectKind.SAVE, EffectKind.OPEN, EffectKind.CONTAINER, EffectKind.FETCH, EffectKind.DELETE, EffectKind.DIRECTORY}
)
_VOCABULARY = ("torchtext.vocab", "vocab")
_READING = frozenset({"list", "tuple", "to_map_style_dataset"})
_PERHAPS = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LATER = frozenset({"transform", "target_transform", "transforms", "loader"})


def apply(job: Job) -> Iterable[Answer]:
    """One guarded download and one barrier before each statement that downloads."""
    by_statement: dict[ast.stmt, list[CallFact]] = {}
    facts = [fact for fact in job.calls if _downloads(fact)]
    unknown = next((fact.node for fact in facts if _may_be_own(job, fact) or _may_hand_on(job, fact)), None)
    if unknown is not None:
        yield _unknown(job, unknown)
        return
    # A call that leads to a download within the script is left alone: a guard around it would hold the barrier inside.
    # So is a class of the script's own that fetches or makes files.
    through = {frame.call for fact in facts for frame in fact.context.frame.path()}
    inside: dict[ast.Call, list[CallFact]] = {}
    for fact in facts:
        if fact.node in through or _is_guarded_inside(job, fact) or rank_0_first.holds(job, fact.node):
            continue
        if _is_inside(job, fact):
            inside.setdefault(_read_at_once(job, fact) or fact.node, []).append(fact)
        elif not any(f.node is fact.node for f in by_statement.get(_statement(job, fact), ())):
            by_statement.setdefault(_statement(job, fact), []).append(fact)
    for statement, together in _runs(job, by_statement).items():
        yield from _download(job, statement, together)
    for here, nodes in job.by_file(list(inside)):
        yield from _rank_0_first(here, {node: inside[node] for node in nodes})
    yield from _when_read(job, facts)
    made = [fact for fact in facts if fact.node not in through and not _is_guarded_inside(job, fact)]
    known = {*asked.places(job)} if made else set()
    yield from asked.waiting(job, NAME, dict.fromkeys(p for p in asked.places_for(job, made) if p not in known))


def _is_guarded_inside(job: Job, fact: CallFact) -> bool:
    """Whether all that is fetched or made is so by statements of the script, each of which rank 0 runs by itself."""
    return any(effect.kind in _MAKING for effect in effects(job.facts.calls_within(fact.node)))


def _is_inside(job: Job, fact: CallFact) -> bool:
    """Whether it is not made just where its statement begins, but later, or perhaps; or may not be made twice.

    What a library gives besides, models with random weights and all, is not only downloaded once more where that is
    repeated.
    """
    if downloads.fetches(fact):
        return True
    if fields.folder(fact) is not None or fields.vectors(fact):
        return False
    statement = _statement(job, fact)
    above = (each for each in job.ancestors(fact.node) if isinstance(each, ast.expr))
    return isinstance(statement, ast.Return) or any(isinstance(each, _PERHAPS) for each in above)


def _rank_0_first(job: Job, calls: dict[ast.Call, list[CallFact]]) -> Iterator[Answer]:
    """The function by which rank 0 makes something before all others, and its calls in a file."""
    first = next(iter(calls))
    against = next((node for node, facts in calls.items() if not all(is_uniform(job, f.context) for f in facts)), None)
    nested = (node for node in calls if any(above in calls for above in job.ancestors(node)))  # barrier within barrier
    against = against or next(nested, None)
    if against is not None:
        yield _refused(job, against)
        return
    within = next((node for node in calls if _needs_class(job, node)), None)
    if within is not None:
        yield job.refuse(
            NAME,
            "this downloads with names of the class around it, which a function by which rank 0 goes first cannot see.",
            within,
            "Download it in front of the class.",
            effort="one line",
        )
        return
    name, target = job.names.fresh("rank_0_first"), job.target
    lines = [f"def {name}(make):", f"    made = make() if {target.is_first} else None", f"    {target.barrier}",
             f"    return made if {target.is_first} else make()"]  # fmt: skip
    code = Code("\n".join(lines), (target.engine,))
    yield job.change(NAME, "one process downloads first", first, [defined_before(job, first, code.text)], code)
    for node in calls:
        edits = [Wrap(job.span(node), f"{name}(lambda: ", ")")]
        yield job.change(NAME, "one process downloads first", node, edits)


def _read_at_once(job: Job, fact: CallFact) -> ast.Call | None:
    """The call that goes through all samples of what is fetched when they are read: ``list(IMDB(split="train"))``."""
    parent = job.parent(fact.node)
    if not (downloads.when_read(fact) and isinstance(parent, ast.Call) and parent.args == [fact.node]):
        return None
    names = job.names_of(parent.func).qualified(parent.func)
    read = {name.rpartition(".")[2] for name in names}
    return parent if read and read <= _READING and not parent.keywords else None


def _needs_class(job: Job, node: ast.Call) -> bool:
    """Whether a call in the body of a class takes names of that class, as no function within it does."""
    names = job.names_of(node)
    around = names.scope(node).node
    used = (part for part in ast.walk(node) if isinstance(part, ast.Name))
    return isinstance(around, ast.ClassDef) and any(names.binding(part) is names.scope(node) for part in used)


def _when_read(job: Job, facts: Iterable[CallFact]) -> Iterator[Answer]:
    late = (each for each in facts if downloads.fetches(each) and downloads.when_read(each))
    fact = next((each for each in late if _read_at_once(job, each) is None), None)
    if fact is not None:
        yield job.review(
            NAME,
            "from torchtext 0.12 on, this is downloaded no sooner than its samples are read: then every process does "
            "so at the same time, unless it is there already.",
            fact.node,
            "Go through all samples once in a program of one process.",
        )


def _refused(job: Job, node: ast.expr) -> Answer:
    return job.refuse(
        NAME,
        "data is downloaded on a path that not all processes take.",
        node,
        "Download it in a statement of its own.",
        effort="one line",
    )


def _statement(job: Job, fact: CallFact) -> ast.stmt:
    return job.statement(fact.node)


def _downloads(fact: CallFact) -> bool:
    if (fact.result.kind is Kind.DATASET and fact.name.startswith(graphs.DATASETS)) or fields.downloads(fact):
        return True
    if downloads.fetches(fact):
        return True
    value = fact.keywords.get("download")
    if value is None and fact.name.startswith("torchvision.datasets.") and len(fact.args) > 4:
        value = fact.args[4]
    return value is not None and value.const is not False and (fact.receiver is None or _is_unknown(fact))


def _is_unknown(fact: CallFact) -> bool:
    """Whether it is not known what is called, as with a class of a library that is picked by a name."""
    return fact.receiver is not None and fact.receiver.kind is Kind.UNKNOWN and not fact.name


def _may_be_own(job: Job, fact: CallFact) -> bool:
    """Whether it may be something of the script's own that is called, which may wait for the others itself."""
    own = job.nodes.of(ast.FunctionDef)
    return _is_unknown(fact) and any(
        arg.arg == "download" for node in own for arg in (*node.args.args, *node.args.kwonlyargs)
    )


def _may_hand_on(job: Job, fact: CallFact) -> bool:
    """Whether code of the script's own that makes files may besides have a library download, by ``**`` arguments."""
    inner = job.facts.calls_within(fact.node) if _is_guarded_inside(job, fact) else ()
    mapped = (each for each in inner if any(keyword.arg is None for keyword in each.node.keywords))
    return any(not job.facts.calls_within(each.node) and not _downloads(each) for each in mapped)


def _unknown(job: Job, node: ast.Call) -> Answer:
    return job.refuse(
        NAME,
        "it is not known what downloads here: every process may do so to the same place.",
        node,
        "Name the class or the function that downloads in the call, and give it download= by name.",
        effort="one line",
    )


def _runs(job: Job, by_statement: dict[ast.stmt, list[CallFact]]) -> dict[ast.stmt, list[CallFact]]:
    """Neighbouring statements download together."""
    merged: dict[ast.stmt, list[CallFact]] = {}
    first: ast.stmt | None = None
    previous: ast.stmt | None = None
    for statement, facts in by_statement.items():
        if first is not None and previous is not None and _follows(job, previous, statement):
            merged[first] += facts
        else:
            first = statement
            merged[first] = list(facts)
        previous = statement
    return merged


def _follows(job: Job, previous: ast.stmt, statement: ast.stmt) -> bool:
    parent = job.parent(previous)
    for field in ("body", "orelse", "finalbody"):
        block = getattr(parent, field, None)
        if isinstance(block, list) and previous in block and statement in block:
            return bool(block.index(statement) == block.index(previous) + 1)
    return False


def _download(job: Job, statement: ast.stmt, facts: list[CallFact]) -> Iterator[Answer]:
    job = job.at(statement)
    if not all(is_uniform(job, f.context) for f in facts) or isinstance(
        statement, (ast.Return, ast.FunctionDef, ast.If)
    ):
        yield _refused(job, facts[0].node)
        return
    calls = [text for fact in facts for text in _fetches(job, fact)]
    if any(text is None for text in calls):
        yield job.refuse(
            NAME,
            "the call that downloads has parts that cannot be repeated.",
            facts[0].node,
            "Assign its arguments to names.",
            effort="one line",
        )
        return
    body = "\n".join(f"    {text}" for text in dict.fromkeys(t for t in calls if t is not None))
    named = any(fields.vectors(fact) for fact in facts)
    imports = (job.target.library.imports(*_VOCABULARY),) if named else ()
    code = Code(f"if {job.target.is_first}:\n{body}\n{job.target.barrier}", (job.target.engine, *imports))
    yield job.change(NAME, "one process downloads first", statement, [Before(statement, code.text, order=-30)], code)


def _fetches(job: Job, fact: CallFact) -> Iterator[str | None]:
    """The calls that only download."""
    folder, vectors = fields.folder(fact), fields.vectors(fact)
    if vectors:
        cache = (job.segment(each.value) for each in fact.node.keywords if each.arg == "vectors_cache")
        given = next((f"cache={text}" for text in cache), "")
        vocabulary = job.target.library.name(*_VOCABULARY)
        yield from (f"{vocabulary}.pretrained_aliases[{job.segment(each)}]({given})" for each in vectors)
    elif folder is not None and isinstance(fact.node.func, ast.Attribute):
        where = job.segment(folder[0]) if folder else '".data"'
        yield f"{job.segment(fact.node.func.value)}.download({where})"
    else:
        yield _fetch(job, fact.node)


def _fetch(job: Job, node: ast.Call) -> str | None:
    """The call without what only matters when samples are read."""
    arguments: list[str] = []
    for argument in node.args[:5]:
        if isinstance(argument, ast.Starred):
            return None
        arguments.append(job.segment(argument))
    for keyword in node.keywords:
        if keyword.arg is None:
            return None
        if keyword.arg not in _LATER:
            arguments.append(f"{keyword.arg}={job.segment(keyword.value)}")
    text = f"{job.segment(node.func)}({', '.join(arguments)})"
    return None if "\n" in text else text
