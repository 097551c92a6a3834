"""Shared by the rules for loaders: read and change the arguments of a ``DataLoader`` call, however they are given."""

from __future__ import annotations

import ast
from functools import reduce
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass, field
from corro.flow.store import OPTIONAL
from corro.flow.values import IN_BAR, joined
from corro.frontends.pytorch.graphs import SEED_LOADERS, seeds_of
from corro.rules.places import blocks
from corro.source import (
    Before,
    Edit,
    Replace,
    add_keyword,
    parenthesised,
    position,
    remove_argument,
    replace_node,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.anatomy.steps import PassLoop
    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.pytorch._job import Job

_LINE = 88


@dataclass
class Arguments:
    """The arguments of one call: by position, by keyword, or in one ``**mapping``.

    ``only``: the contexts of the call that count, where not all do.
    """

    job: Job
    fact: CallFact
    only: Sequence[CallFact] = ()
    _for_mapping: dict[str, str] = field(default_factory=dict)

    @property
    def _call(self) -> ast.Call:
        return self.fact.node

    @property
    def mapping(self) -> ast.expr | None:
        """The expression of ``**mapping``, if there is one."""
        return next((k.value for k in self._call.keywords if k.arg is None), None)

    def node(self, name: str, position: int) -> ast.expr | None:
        """The expression given for an argument in the call itself."""
        keyword = next((k for k in self._call.keywords if k.arg == name), None)
        if keyword is not None:
            return keyword.value
        return self._call.args[position] if position < len(self._call.args) else None

    def value(self, name: str, position: int) -> Value | None:
        """What is known of an argument; ``None`` when it is absent."""
        node = self.node(name, position)
        if self.only:
            given = [value for fact in self.only if (value := fact.argument(position, name)) is not None]
            return reduce(joined, given) if given else None
        return self.job.value(node) if node is not None else self.fact.keywords.get(name)

    def text(self, name: str, position: int) -> str | None:
        """An expression for an argument, ``None`` when it is absent; what is in the mapping is read from it."""
        node = self.node(name, position)
        if node is not None:
            return parenthesised(self.job.file_of(node), node)
        if self.mapping is None or name not in self.fact.keywords:
            return None
        mapping = self.job.segment(self.mapping)
        always = OPTIONAL not in self.fact.keywords[name].tags and name == "batch_size"
        return f'{mapping}["{name}"]' if always else f'{mapping}.get("{name}", False)'

    def item(self, name: str) -> str | None:
        """An argument as it is read from the mapping, that always has it; ``None`` where that is not known."""
        mapping, value = self.mapping, self.fact.keywords.get(name)
        if mapping is None or value is None or OPTIONAL in value.tags or not _is_dotted(mapping):
            return None
        return f'{self.job.segment(mapping)}["{name}"]'

    def set(self, name: str, position: int, text: str) -> list[Edit]:
        """Edits that give an argument another value."""
        node = self.node(name, position)
        if node is not None:
            return [*replace_node(self.job.file_of(node), node, text)]
        if self.mapping is not None and name in self.fact.keywords:
            self._for_mapping[name] = text
            return []
        return [*add_keyword(self.job.file_of(self._call), self._call, name, text)]

    def set_sampler(self, text: str) -> list[Edit]:
        """Edits that give the loader a sampler in the place of its shuffling."""
        keyword = next((k for k in self._call.keywords if k.arg == "shuffle"), None)
        if keyword is not None and self.node("sampler", 3) is None:
            return [Replace(self.job.span(keyword), f"sampler={text}")]
        return [*self.set("sampler", 3, text), *self.drop_shuffle()]

    def drop_shuffle(self) -> list[Edit]:
        """Edits after which the loader does not shuffle itself."""
        keyword = next((k for k in self._call.keywords if k.arg == "shuffle"), None)
        if keyword is not None:
            return [*remove_argument(self.job.file_of(self._call), self._call, keyword)]
        if len(self._call.args) > 2:
            return [*replace_node(self.job.file_of(self._call.args[2]), self._call.args[2], "False")]
        if self.mapping is not None and "shuffle" in self.fact.keywords:
            self._for_mapping["shuffle"] = "False"
        return []

    def finish(self) -> list[Edit]:
        """The edit of the mapping, when something in it has another value now."""
        if self.mapping is None or not self._for_mapping:
            return []
        changed = ", ".join(f"{name}={text}" for name, text in self._for_mapping.items())
        text = self.job.segment(self.mapping)
        return [Replace(self.job.span(self.mapping), f"dict({text}, {changed})")]


def _is_dotted(node: ast.expr) -> bool:
    """Whether an expression is a name, or an attribute or a named item of one: it may be written twice."""
    named = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
    inside = node.value if isinstance(node, (ast.Attribute, ast.Subscript)) else None
    return isinstance(node, ast.Name) or (
        inside is not None and (named or isinstance(node, ast.Attribute)) and _is_dotted(inside)
    )


def dropping(arguments: Arguments) -> str | None:
    """What was given for ``drop_last``, where it may drop anything."""
    drop_last, value = arguments.text("drop_last", 8), arguments.value("drop_last", 8)
    return drop_last if drop_last is not None and (value is None or value.const is not False) else None


def dataset_expression(job: Job, fact: CallFact, edits: list[Edit]) -> str | None:
    """An expression for the loader's data set that can be used twice; one that computes is given a name first."""
    if fact.name in SEED_LOADERS:
        return _seeds(job, fact, edits)
    arguments = Arguments(job, fact)
    node = arguments.node("dataset", 0)
    if node is None:
        return arguments.item("dataset")
    text = used_twice(job, fact, node, "data", edits)
    if text != job.segment(node):
        edits += replace_node(job.file_of(node), node, text)
    return text


def used_twice(job: Job, fact: CallFact, node: ast.expr, word: str, edits: list[Edit]) -> str:
    """An argument of a loader in words that can be written twice; one that computes is given a name first."""
    text = job.segment(node)
    if isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
        return text
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and not isinstance(node.slice, ast.Call):
        return text
    statement = job.statement(node)
    name = _name(job, statement, fact.node, word)
    later = _loaders_in(job, statement)[::-1].index(fact.node)  # data sets may draw random numbers when they are made
    edits.append(Before(statement, f"{name} = {_dedented(text)}", order=-20 - later))
    return name


def _seeds(job: Job, fact: CallFact, edits: list[Edit]) -> str | None:
    """An expression with an item for each node that a loader starts from."""
    seeds = seeds_of(fact, job.facts)
    if seeds is None:
        return None
    graph = job.segment(seeds.graph) + (f"[{job.segment(seeds.kind)}]" if seeds.kind is not None else "")
    if seeds.nodes is None:
        return f"range({graph}.num_nodes)"
    statement = job.statement(fact.node)
    name = _name(job, statement, fact.node, "seeds")
    numbers = f"{job.at(statement).target.torch}.arange({graph}.num_nodes)[{job.segment(seeds.nodes)}]"
    edits.append(Before(statement, f"{name} = {numbers}", order=-20))
    return name


def named_if_long(job: Job, loader: ast.expr, text: str, edits: list[Edit], word: str = "sampler") -> str:
    """The expression itself where its line has room for it, else a name that it is assigned to just before."""
    statement = job.statement(loader)
    span = job.span(statement)
    first_line = job.file_of(statement).text[span.start : span.end].split("\n")[0].rstrip()
    if len(first_line) + len(text) < _LINE and isinstance(statement, ast.Assign):
        return text
    if not isinstance(statement, (ast.Assign, ast.Expr)):
        return text
    name = _name(job, statement, loader, word)
    edits.append(Before(statement, f"{name} = {text}", order=-5))
    return name


def loader_expression(job: Job, loop: PassLoop) -> ast.expr | None:
    """The name or attribute of the loader in the head of a loop, or in the progress bar that the loop goes over."""
    found = next(_in_heads(job, loop), None)
    return None if found is None or _is_bound_anew(job, found) else found


def hidden_loader(job: Job, loop: PassLoop) -> tuple[ast.expr, ast.stmt] | None:
    """The name of a loader that stands for its progress bar in front of a loop, and the statement that makes it so."""
    found = next(_in_heads(job, loop), None)
    if found is None or not _is_bound_anew(job, found):
        return None
    statement, file = job.statement(found), job.file_of(loop)
    together = any(statement in block and loop in block for block in blocks(file.parent(loop)))
    return (found, statement) if together else None


def _in_heads(job: Job, loop: PassLoop) -> Iterator[ast.expr]:
    if not isinstance(loop, ast.For):
        return
    heads: list[ast.AST] = [loop.iter]
    for node in walk(loop.iter):
        value = job.value(node)
        if value.kind is Kind.PROGRESS:
            made = [job.facts.nodes[number] for number in value.sites]
            heads += [m for m in made if job.names_of(m).scope(m) is job.names_of(loop).scope(loop)]
    for head in heads:
        for node in walk(head):
            if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and _is_bare(job.value(node)):
                yield node


def _is_bare(value: Value) -> bool:
    """Whether a value is a loader that no bar is around: bars have no sampler."""
    return value.kind is Kind.LOADER and IN_BAR not in value.tags


def _is_bound_anew(job: Job, loader: ast.expr) -> bool:
    """Whether a statement gives the name of a loader to its progress bar, as in ``loader = tqdm(loader)``."""
    statement = job.statement(loader)
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    return any(ast.dump(target).replace("Store()", "Load()") == ast.dump(loader) for target in targets)


def _loaders_in(job: Job, statement: ast.stmt) -> list[ast.Call]:
    """The calls that make loaders in a statement, in the order of the text."""
    inside = set(walk(statement))
    nodes = dict.fromkeys(site.node for site in job.anatomy.loaders if isinstance(site.node, ast.Call))
    nodes = {node: None for node in nodes if node in inside}
    return sorted(nodes, key=position)


def _name(job: Job, statement: ast.stmt, loader: ast.expr, word: str) -> str:
    """A name for something of a loader; no other loader of the statement has it."""
    taken: set[str] = set()
    names = job.names_of(statement)
    for node in _loaders_in(job, statement):
        name = names.fresh(f"{_target_name(statement, node)}_{word}", taken)
        if node is loader:
            return name
        taken.add(name)
    return names.fresh(f"{_target_name(statement, loader)}_{word}", taken)


def _target_name(statement: ast.stmt, loader: ast.expr) -> str:
    target: ast.AST | None = statement.targets[0] if isinstance(statement, ast.Assign) else None
    value = statement.value if isinstance(statement, ast.Assign) else None
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and loader in value.elts:
        place = value.elts.index(loader)
        target = target.elts[place] if len(target.elts) == len(value.elts) else None
    if isinstance(value, ast.Dict) and loader in value.values:
        key = value.keys[value.values.index(loader)]
        named = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
        target = ast.Name(named) if named.isidentifier() else target
    if isinstance(target, ast.Name):
        name = target.id
        return name.removesuffix("_loader").removesuffix("loader").removesuffix("_") or "loader"
    return "loader"


def _dedented(text: str) -> str:
    lines = text.splitlines()
    margin = min((len(x) - len(x.lstrip()) for x in lines[1:] if x.strip()), default=0)
    return "\n".join([lines[0], *("    " + x[margin:] if x.strip() else x for x in lines[1:])]) if lines else text
