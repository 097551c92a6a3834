"""What every rule is given, and how rules are found.

A rule may say ``GATE = 1`` (it refuses a construct) or ``GATE = 2`` (it refuses what is left without a training
step): rules after a gate that refused are not asked. One that writes code for shares of equal size says
``EVEN_SHARES = True``: it is refused where shares may differ. One whose changes depend on those of all others has
``conclude(job, answers)``, too, which is asked at the end, when nothing has been refused.

A rule is one file in ``corro.rules.<frontend>``, or where it is the same for several frontends in a folder of
``corro.rules.common``, whose ``FRONTENDS`` says which; a rule that is not for all of them has its own ``FRONTENDS``. It
is a module with ``NAME``, ``apply(job)`` and a docstring whose first line says what it does, followed by sections
(``Why``, ``Before``, ``After``, ``Source``) that ``corro explain`` shows and the rules page is made from. A rule reads
and answers; it edits nothing.
"""

from __future__ import annotations

import ast
import importlib
import re
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast, overload

from corro import targets
from corro.anatomy.placement import Form
from corro.changes import Change, Finding, Level
from corro.classes import dataclass, field, replace
from corro.flow.values import UNKNOWN, Value
from corro.found import modules, packages
from corro.frontends.effects import effects
from corro.rules import common, mending, places, rank_0_first, reporting
from corro.source import Before, Edit, Nodes, SourceFile, Span
from corro.targets.base import RankedTarget, Started
from corro.targets.naming import Library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

    from typing_extensions import Self

    from corro.changes import Effort
    from corro.flow.facts import CallFact, Context, Facts, Frame, Unit
    from corro.frontends.effects import Effect
    from corro.names import Names
    from corro.rules.left_behind import Left
    from corro.targets.base import Code, Target

Answer = Change | Finding
Node = TypeVar("Node", bound=ast.AST)
Made = TypeVar("Made")
NO_GATE = 9
"""Rules without a ``GATE`` run last, when nothing has been refused at a gate before them."""


class Rule(Protocol):
    """The module of a rule."""

    __name__: str
    NAME: str
    __doc__: str | None

    def apply(self, job: Job) -> Iterable[Answer]:
        """The changes and findings of this rule for one script and target."""


class of_program(cached_property[Made]):
    """A cached property of a job that is found once for a program, however many files it is looked at from.

    It asks for nothing that belongs to the file at hand: neither for its names nor for how a target is spelt there.
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Made: ...
    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        """What is known, or what the job of the script finds."""
        first = instance.views.get(instance.script.path, instance) if instance is not None else None
        if first is instance:
            return super().__get__(instance, owner)
        assert self.attrname is not None
        found = vars(instance)[self.attrname] = getattr(first, self.attrname)
        return found


@dataclass(frozen=True, eq=False)
class Job:
    """One script to be converted for one target.

    The rules of each frontend have a ``Job`` of their own (``rules/<frontend>/_job.py``), which knows what the
    frontend's anatomy and targets are. A rule that writes code at a place asks for the job as it is spelt there: see
    ``at``. ``unit`` is the file at hand, and ``script`` the one that is run.
    """

    unit: Unit
    script: SourceFile
    facts: Facts
    anatomy: object
    target: Target
    scaling: str
    sync_batchnorm: bool
    uneven: bool = False
    """Whether the processes may have shares of unequal size of a batch."""
    views: dict[Path, Job] = field(default_factory=dict, repr=False)
    """The jobs that ``at`` gave, by the paths of the files."""

    @property
    def source(self) -> SourceFile:
        """The file at hand: that of the script, unless ``at`` gave this job."""
        return self.unit.source

    @property
    def names(self) -> Names:
        """The names of the file at hand."""
        return self.unit.names

    def at(self, node: ast.AST) -> Self:
        """The job as it is spelt in the file of a node: its names, and a target with names that are free there."""
        file = self.file_of(node)
        if file is self.source:
            return self
        self.views.setdefault(self.source.path, self)
        if file.path not in self.views:
            unit = next(unit for unit in self.facts.units.values() if unit.source is file)
            others = tuple(other for other in self.files if other is not file)
            library = Library(unit.names, others, of_module=file is not self.script)
            self.views[file.path] = replace(self, unit=unit, target=self.target.spelt(library, self.target.exchange))
        return cast("Self", self.views[file.path])

    def by_file(self, nodes: Iterable[Node]) -> Iterator[tuple[Self, list[Node]]]:
        """Nodes by the files they stand in, as they follow one another there, with the job as it is spelt there."""
        found: dict[Path, list[Node]] = {}
        for node in nodes:
            found.setdefault(self.file_of(node).path, []).append(node)
        for mine in found.values():
            mine.sort(key=lambda each: self.span(each).start)
            yield self.at(mine[0]), mine

    @property
    def is_strong(self) -> bool:
        """Whether the global batch size is kept."""
        return self.scaling == "strong"

    @property
    def has_ranks(self) -> bool:
        """Whether every process runs the whole script and knows its rank: effects are put under a condition on it."""
        return self.target.started is Started.BY_LAUNCHER

    @property
    def ranked(self) -> RankedTarget:
        """The target, where every process runs the whole script."""
        assert isinstance(self.target, RankedTarget)
        return self.target

    def value(self, node: ast.AST) -> Value:
        """What is known of an expression."""
        return self.facts.values.get(node, UNKNOWN)

    @of_program
    def files(self) -> tuple[SourceFile, ...]:
        """The script, and the modules of its own that were followed."""
        return tuple({file.path: file for file in (self.script, *(unit.source for unit in self.units))}.values())

    @of_program
    def units(self) -> tuple[Unit, ...]:
        """The files that were followed, with their names."""
        return tuple(dict.fromkeys(self.facts.units.values()))

    @of_program
    def nodes(self) -> Nodes:
        """All nodes of the script and its project modules."""
        return Nodes(node for file in self.files for node in file.nodes)

    def name_of(self, file: SourceFile) -> str:
        """How changes and findings name a file: not at all where it is the script's own."""
        return "" if file is self.script else str(file.path)

    def file_of(self, node: ast.AST) -> SourceFile:
        """The file a node stands in, be it in code that the analysis has not followed."""
        unit = self.facts.unit_of(node)
        return self.script if unit is None else unit.source

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that holds a node."""
        return self.file_of(node).statement(node)

    def segment(self, node: ast.AST) -> str:
        """The text of a node."""
        return self.file_of(node).segment(node)

    def span(self, node: ast.AST) -> Span:
        """Where a node is in its file."""
        return self.file_of(node).span(node)

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node above a node."""
        return self.file_of(node).parent(node)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes above a node, from the inside out."""
        return self.file_of(node).ancestors(node)

    def statements_around(self, node: ast.AST) -> tuple[ast.stmt, ...]:
        """The statements that something is in, within its function, from the inside out."""
        known = self._around.get(node)
        if known is None:
            above = takewhile(lambda each: not isinstance(each, rank_0_first.SCOPES), self.ancestors(node))
            known = self._around[node] = tuple(each for each in above if isinstance(each, ast.stmt))
        return known

    def statements_to(self, frame: Frame) -> frozenset[ast.stmt]:
        """The statements that the calls which led to a frame are in, each within its function."""
        known = self._on_way.get(frame)
        if known is None:
            before = self.statements_to(frame.caller) if frame.caller is not None else frozenset[ast.stmt]()
            here = self.statements_around(frame.call) if frame.call is not None else ()
            known = self._on_way[frame] = before.union(here)
        return known

    @of_program
    def _around(self) -> dict[ast.AST, tuple[ast.stmt, ...]]:
        return {}

    @of_program
    def _on_way(self) -> dict[Frame, frozenset[ast.stmt]]:
        return {}

    def has_reliable_span(self, node: ast.AST) -> bool:
        """Whether ``span`` is exact; see ``SourceFile.has_reliable_span``."""
        return self.file_of(node).has_reliable_span(node)

    def names_of(self, node: ast.AST) -> Names:
        """The names of the file a node stands in."""
        return self._names_by_file[self.file_of(node).path]

    @of_program
    def _names_by_file(self) -> dict[Path, Names]:
        units = (self.unit, *self.facts.units.values())
        return {unit.source.path: unit.names for unit in units}

    @of_program
    def functions_by_file(self) -> dict[Path, dict[str, ast.FunctionDef]]:
        """The functions and methods of each file by their names, under its path."""
        return {file.path: {n.name: n for n in file.nodes.of(ast.FunctionDef)} for file in self.files}

    @of_program
    def mentions(self) -> dict[str, list[ast.AST]]:
        """The names and attributes of all files by their words."""
        found: dict[str, list[ast.AST]] = {}
        for node in self.nodes.of(ast.Attribute, ast.Name):
            found.setdefault(node.attr if isinstance(node, ast.Attribute) else node.id, []).append(node)
        return found

    @of_program
    def calls(self) -> tuple[CallFact, ...]:
        """All calls, in order."""
        return tuple(self.facts.calls)

    @of_program
    def _calls_by_node(self) -> dict[ast.AST, list[CallFact]]:
        found: dict[ast.AST, list[CallFact]] = {}
        for fact in self.calls:
            found.setdefault(fact.node, []).append(fact)
        return found

    def calls_of(self, node: ast.AST) -> list[CallFact]:
        """The call with this node in each of its contexts."""
        return self._calls_by_node.get(node, [])

    @property
    def converts_trackers(self) -> bool:
        """Whether a rule of the framework lets trackers be reported to once."""
        return False

    @property
    def fetched(self) -> Sequence[CallFact]:
        """Calls of libraries that fetch what they give, where a rule of the framework lets one process do so first."""
        return ()

    @of_program
    def all_effects(self) -> tuple[Effect, ...]:
        """What each call does to the outside world, in order."""
        return tuple(effects(self.calls))

    @of_program
    def effects(self) -> tuple[Effect, ...]:
        """What the script does to the outside world, in order."""
        return tuple(reporting.in_script(self, self.all_effects))

    @of_program
    def rank_0_first(self) -> Mapping[ast.stmt, Left]:
        """The statements that rank 0 runs before the others do, as they make files where they are missing."""
        return rank_0_first.statements(self)

    @of_program
    def mended_files(self) -> frozenset[ast.Try]:
        """The statements that read a file back and write it anew where that fails, which rank 0 runs alone."""
        return mending.blocks(self)

    @of_program
    def entry_body(self) -> Sequence[ast.stmt]:
        """The statements that run first and last, see ``places.entry_body``."""
        return places.entry_body(self)

    @of_program
    def first_statement(self) -> ast.stmt:
        """The first statement that does something, see ``places.first_statement``."""
        return places.first_statement(self)

    def is_uniform(self, context: Context) -> bool:
        """Whether all processes get here together: no condition on the way differs between them."""
        return not any(test.value.form is Form.LOCAL for test in context.tests)

    def reduced(self, node: ast.AST) -> frozenset[ast.AST]:
        """Parts of an expression that another rule makes equal on all processes just before it."""
        return frozenset()

    def shows_shard(self, call: ast.Call) -> bool:
        """Whether a call is given what only this process knows of its own shard of the data."""
        return bool(self.reduced(call))

    def equal_tests(self) -> Iterator[ast.expr]:
        """Conditions of the script that are known to be equal on all processes."""
        return iter(())

    def is_read(self, guarded: ast.stmt) -> bool:
        """Whether other processes may be reading the files that a statement deletes on rank 0."""
        return True

    def is_read_later(self, effect: Effect) -> bool:
        """Whether other processes may read files where rank 0 has deleted or moved some."""
        return False

    @property
    def packages(self) -> tuple[str, ...]:
        """The framework's top packages: what is set before their import stays in front of it."""
        raise NotImplementedError

    @cached_property
    def heads(self) -> frozenset[ast.stmt]:
        """Statements that belong to the imports: they say what the framework is, before anything is done with it."""
        return frozenset()

    @of_program
    def joining(self) -> frozenset[ast.AST]:
        """Calls that need the group of processes, effects aside."""
        raise NotImplementedError

    @cached_property
    def meeting(self) -> frozenset[ast.AST]:
        """Calls in which processes wait for each other, as far as that is asked."""
        return frozenset()

    @of_program
    def told(self) -> frozenset[ast.AST]:
        """Calls whose results rank 0 tells the others."""
        return frozenset()

    def share(self, expression: str) -> tuple[Code, str] | None:
        """What gives all processes rank 0's value of an expression of this file, and the value; ``None``: nothing."""
        return None

    # ------------------------------------------------------------------ answers

    def change(self, rule: str, reason: str, node: ast.AST, edits: Iterable[Edit], code: Code | None = None) -> Answer:
        """A change at a node, with the imports of the code it inserts; all edits are made in the file of the node."""
        file, here = self.file_of(node), self.at(node).target
        edits = tuple(edits)
        imports = code.imports if code is not None else ()
        if file is not self.script:
            text, made = _texts(edits), here.made_at_start
            if any(name and _mentions(text, name) for name in (made, self.target.made_at_start)):
                message = f"{made} is made where the script starts, and a project module does not have it: {reason}."
                return self.refuse(rule, message, node, "Move this into the script.")
            imports = (*imports, here.engine) if _mentions(text, here.alias) else imports
        placed = [part for edit in edits for part in vars(edit).values() if isinstance(part, (ast.stmt, ast.Call))]
        if any(self.file_of(part) is not file for part in placed):
            message = f"statements in two files would have to be changed together: {reason}."
            return self.refuse(rule, message, node, "Move the statements into one file.")
        if here.engine in (*edits, *imports) and places.is_before_start(self, node):
            message = f"this runs while its module is imported, before the processes join their group: {reason}."
            return self.refuse(rule, message, node, "Move it into a function that the script calls.")
        return Change(rule, reason, file.span(node), (*edits, *imports), self.name_of(file))

    def refuse(
        self, rule: str, message: str, node: ast.AST, advice: str, *, effort: Effort = "several lines"
    ) -> Finding:
        """The script cannot be converted, because of this place; ``effort`` is what following the advice takes."""
        if effort == "other training":
            advice = f"{advice} This changes what is trained."
        return replace(self._finding(rule, Level.REFUSED, message, node, advice), effort=effort)

    def review(
        self,
        rule: str,
        message: str,
        node: ast.AST,
        advice: str = "",
        *,
        differs: tuple[str, ...] = (),
        only_here: bool = False,
        in_files: bool = False,
    ) -> Finding:
        """Numerics or behaviour change on purpose; for ``differs`` and what follows see ``Finding``."""
        said = self._finding(rule, Level.REVIEW, message, node, advice)
        return replace(said, differs=differs, only_here=only_here, in_files=in_files)

    def takes(self, target: type[Any]) -> bool:
        """Whether a target of this frontend can do with the version of the framework that the script is for."""
        return True

    def or_target(self, advice: str, able: Callable[[type[Any]], bool]) -> str:
        """Advice that ends with the other targets which can do what this one cannot, where there are any.

        Args:
            advice: what to change in the script, without a full stop; empty where that would change the training.
            able: whether a target of this frontend can: a test of its values, as the one that led to the refusal.
        """
        able_ones = [each for each in targets.beside(type(self.target)) if able(each) and self.takes(each)]
        *options, last = [f"--to {each.name}" for each in able_ones] or [""]
        if not last:
            return f"{advice}." if advice else ""
        named = f"{', '.join(options)} or {last}" if options else last
        return f"{advice}, or use {named}." if advice else f"Use {named}."

    def assume(self, rule: str, message: str, node: ast.AST, advice: str, *, shown_by: str) -> Finding:
        """The script is converted as if something held that its text does not show: ``message`` says what.

        Args:
            rule: the rule.
            message: what has to hold, one sentence.
            node: where.
            advice: what to write so that the text shows it.
            shown_by: the property of ``corro verify`` that fails within its first steps where it does not hold. What
                no property shows, or only later ones, is refused.
        """
        return replace(self._finding(rule, Level.ASSUMES, message, node, advice), shown_by=shown_by)

    def note(self, rule: str, message: str, node: ast.AST, advice: str = "") -> Finding:
        """Worth knowing."""
        return self._finding(rule, Level.NOTE, message, node, advice)

    def _finding(self, rule: str, level: Level, message: str, node: ast.AST, advice: str) -> Finding:
        file = self.file_of(node)
        try:
            span = file.span(node)
        except (ValueError, AttributeError):
            span = Span(0, 0)
        return Finding(rule, level, message, span, advice, self.name_of(file))

    def before(self, statement: ast.stmt, code: Code, order: int = 0) -> tuple[Edit, ...]:
        """Statements before a statement, with their imports."""
        return (Before(statement, code.text, order), *code.imports)


def _texts(edits: Iterable[Edit]) -> str:
    return "\n".join(part for edit in edits for part in vars(edit).values() if isinstance(part, str))


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}\b", text) is not None


def find_rules(frontend: str) -> tuple[Rule, ...]:
    """All rules of a frontend, in the order of their file names."""
    own = importlib.import_module(f"corro.rules.{frontend}")
    shared = [package for package in common_packages() if frontend in package.FRONTENDS]
    places = [(name, package) for package in (own, *shared) for name in modules(package.__path__)]
    rules = [_load(f"{package.__name__}.{name}") for name, package in sorted(places, key=lambda place: place[0])]
    return tuple(rule for rule in rules if frontend in getattr(rule, "FRONTENDS", (frontend,)))


def common_packages() -> Iterator[ModuleType]:
    """The folders of rules that are the same for several frontends."""
    return (importlib.import_module(f"{common.__name__}.{name}") for name in packages(common.__path__))


def job_type(frontend: str) -> type[Job]:
    """What the rules of a frontend are given."""
    return cast("type[Job]", importlib.import_module(f"corro.rules.{frontend}._job").Job)


def _load(name: str) -> Rule:
    module: ModuleType = importlib.import_module(name)
    return cast("Rule", module)
