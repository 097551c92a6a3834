"""What the interpreter has seen: values of expressions, calls with their context, passes over loaders."""

from __future__ import annotations

import ast
from collections import Counter
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from corro.anatomy.kinds import Kind
from corro.classes import dataclass, field, replace
from corro.flow.store import OPTIONAL
from corro.flow.values import Value, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from corro.anatomy.observations import Observation
    from corro.anatomy.placement import Form, Placement
    from corro.anatomy.steps import BatchSource
    from corro.names import Names, Scope
    from corro.source import SourceFile

    _Path = tuple[int | "Round", ...]
    Place = tuple[ast.AST, _Path]

Made = TypeVar("Made")
_ARRAYS = frozenset({Kind.TENSOR, Kind.UNKNOWN, Kind.BATCH})


@dataclass(eq=False)
class Unit:
    """One file under analysis: the script or a project module.

    Args:
        source: the file.
        names: its names.
        name: its dotted name; ``__main__`` for the script.
        package: the package that its relative imports start from.
        around: the package that is imported before it; ``None`` for what is in no package with a file of its own.
    """

    source: SourceFile
    names: Names
    name: str
    package: str = ""
    around: Unit | None = None


@dataclass(eq=False)
class Frame:
    """One activation of a scope; ``caller`` and ``call`` say how the analysis got here.

    A project module is run by a statement of another one: ``imported_by`` in ``importer``.
    """

    number: int
    unit: Unit
    scope: Scope
    closure: Frame | None
    caller: Frame | None = None
    call: ast.Call | None = None
    importer: Frame | None = None
    imported_by: ast.stmt | None = None
    told: dict[str, str | bool] = field(default_factory=dict)
    """The names and truth values of its variables that tell this activation from others."""

    def path(self) -> tuple[Frame, ...]:
        """The active frames, outermost first, this one last."""
        return self._way

    @cached_property
    def _way(self) -> tuple[Frame, ...]:
        return (*self.caller.path(), self) if self.caller is not None else (self,)

    @cached_property
    def calls(self) -> tuple[int, ...]:
        """The numbers of the calls that led here."""
        return tuple(id(frame.call) for frame in self.path())


@dataclass(frozen=True, eq=False)
class Loop:
    """A loop that is running.

    ``loaders`` are the sites of the loaders it passes over, empty for other loops; ``tests`` the conditions around it;
    ``by_rounds``: each of its rounds is told apart from the others; ``repeats``: loops around it, in the generator that
    hands its batches on, begin it again.
    """

    node: ast.stmt | ast.comprehension
    frame: Frame
    iterable: Value
    loaders: frozenset[int]
    tests: tuple[Test, ...] = ()
    by_rounds: bool = False
    repeats: bool = False


@dataclass(frozen=True)
class Round:
    """A round of a loop over a few names or flags, which is read by itself: ``for phase in ["train", "val"]``.

    ``name`` is the variable, ``frame`` the number of the frame that it is in, ``value`` what it is in this round.
    """

    loop: ast.stmt
    number: int
    name: str
    frame: int
    value: str | bool


@dataclass(frozen=True, eq=False)
class Test:
    """A condition that governs what is being run.

    ``happens``: whether what stands in this arm is run, where that is known; ``None`` where it is not.
    """

    node: ast.AST
    value: Value
    happens: bool | None = None


@dataclass(frozen=True, eq=False)
class Context:
    """Where in the run something happens."""

    frame: Frame
    loops: tuple[Loop, ...]
    tests: tuple[Test, ...]
    modes: frozenset[str]
    rounds: tuple[Round, ...] = ()

    @property
    def told(self) -> dict[str, str | bool]:
        """The variables that one sees here, with what they are, which is something else elsewhere."""
        found: dict[str, str | bool] = {}
        frame: Frame | None = self.frame
        while frame is not None:
            here = {each.name: each.value for each in self.rounds if each.frame == frame.number}
            found = here | frame.told | found
            frame = frame.closure
        return found

    @property
    def is_reached(self) -> bool:
        """Whether this is run, as far as that is known."""
        return all(test.happens is not False for test in self.tests)

    @property
    def passes(self) -> tuple[Loop, ...]:
        """The passes over loaders that are under way, outermost first."""
        return tuple(loop for loop in self.loops if loop.loaders)


@dataclass(frozen=True, eq=False)
class CallFact:
    """A call in one context, with what was known of its parts.

    ``depends`` are the placements of all it was given, the items of containers and the fields of objects included;
    ``order`` counts calls in the order of the interpretation.
    """

    node: ast.Call
    name: str
    receiver: Value | None
    args: tuple[Value, ...]
    keywords: Mapping[str, Value]
    result: Value
    context: Context
    depends: tuple[Placement, ...] = ()
    order: int = 0

    def argument(self, position: int, keyword: str) -> Value | None:
        """The value of an argument that may be given by position or by keyword."""
        if keyword in self.keywords:
            return self.keywords[keyword]
        return self.args[position] if position < len(self.args) else None


@dataclass(frozen=True, eq=False)
class BatchFact:
    """A batch that no loader hands out, and where it is taken."""

    source: BatchSource
    context: Context


@dataclass(frozen=True, eq=False)
class ReducedFact:
    """An expression in whose place a rule writes what is computed over all processes.

    ``value`` is what a process computes of its shard.
    """

    node: ast.expr
    value: Value
    context: Context


@dataclass(frozen=True, eq=False)
class TestFact:
    """A condition that was evaluated."""

    node: ast.AST
    value: Value
    context: Context


@dataclass(frozen=True, eq=False)
class StreamFact:
    """How a loader that cannot ask for samples by their numbers gets them: one reading of its data set.

    ``placement`` is that of a sample, with all that it holds; ``values`` and ``calls`` are of what is evaluated on the
    way to it, ``functions`` all that are known by their numbers, and ``ran`` those that are run.
    """

    loaders: frozenset[int]
    placement: Placement
    values: Mapping[ast.AST, Value]
    calls: tuple[CallFact, ...]
    functions: Mapping[int, ast.AST]
    ran: frozenset[ast.AST]


@dataclass(frozen=True, eq=False)
class StoreFact:
    """An attribute or an item that was set, or what ``+=`` changed in place.

    ``owner`` is what it was set on, or, ``in_place``, what was changed itself; ``given`` what is written, with all that
    it holds, and the index it is written at.
    """

    node: ast.expr
    owner: Value
    given: tuple[Value, ...]
    context: Context
    in_place: bool = False


@dataclass(frozen=True, eq=False)
class ExitFact:
    """A statement that leaves a loop, a function or the program."""

    node: ast.stmt | ast.Call
    context: Context


@dataclass
class Accumulation:
    """A variable that grows over a pass and is the whole only after a reduction.

    Args:
        loop: the statement of the pass.
        variable: its name in the frame of the loop.
        form: ``SUM``, ``COUNT``, ``MEAN`` (a sum of batch means) or ``STEP`` (a number of batches).
        value: what is known of it at the end of the pass.
        used: read after the pass.
        continued: it goes on growing in the next pass, so its own variable must not be overwritten.
    """

    loop: ast.stmt
    variable: str
    form: Form
    value: Value
    frame: Frame
    used: bool = False
    continued: bool = False


@dataclass
class Facts:
    """The outcome of one interpretation."""

    values: dict[ast.AST, Value] = field(default_factory=dict)
    elements: dict[ast.AST, Value] = field(default_factory=dict)
    held: dict[ast.AST, dict[str, Value]] = field(default_factory=dict)
    """The fields of lists and dicts that hold something unequal, be it within others."""
    units: dict[ast.AST, Unit] = field(default_factory=dict)
    nodes: list[ast.AST] = field(default_factory=lambda: [ast.Module(body=[], type_ignores=[])])
    numbers: dict[ast.AST, int] = field(default_factory=dict)
    accumulations: dict[tuple[int, str], Accumulation] = field(default_factory=dict)
    loops: dict[ast.AST, list[Loop]] = field(default_factory=dict)
    functions: dict[int, ast.AST] = field(default_factory=dict)
    classes: dict[int, ast.ClassDef] = field(default_factory=dict)
    defined: dict[int, tuple[ast.AST, Unit]] = field(default_factory=dict)
    """The definition of each function and class of the script, and its file."""
    files: dict[Unit, None] = field(default_factory=dict)
    """The script and the project modules that were run, in this order."""
    imported: set[str] = field(default_factory=set)
    evaluated: dict[ast.Call, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    """Where an option is evaluated that is taken to be its default, or one of its choices: how it is written, and
    those."""
    again: list[ast.stmt] = field(default_factory=list)
    """The imports of the script itself by its modules."""
    made: dict[int, ast.AST] = field(default_factory=dict)
    """Where each object on the heap was made."""
    paths: dict[int, tuple[ast.AST | None, ...]] = field(default_factory=dict)
    """The calls that led to where an object or an array was made, and that place."""
    grown_apart: dict[ast.AST, str] = field(default_factory=dict)
    """The passes in which a variable grows, once a batch, by a part of what other loaders have given."""
    carried: dict[ast.expr, Context] = field(default_factory=dict)
    tests: dict[tuple[ast.AST, _Path], TestFact] = field(default_factory=dict)
    mended: dict[ast.If, Context] = field(default_factory=dict)
    returned: dict[ast.AST, Value] = field(default_factory=dict)
    """What functions have given, joined over all calls; of a tuple, a list or a dict what its items are."""
    asks_for_files: bool = False
    """Whether something hangs on what is on disk."""
    batches: dict[ast.expr, BatchFact] = field(default_factory=dict)
    """The expressions that a frontend has said to give batches."""
    batches_outside: dict[ast.expr, Context] = field(default_factory=dict)
    """Those of them that are reached outside of the loop of their batches, too."""
    met: set[frozenset[int]] = field(default_factory=set)
    """The places that the rows of one tensor come from, where these are several."""
    opaque: dict[ast.Call, None] = field(default_factory=dict)
    """Calls of what is not known."""
    ending: dict[ast.Call, None] = field(default_factory=dict)
    """Calls that run a command and end the program after it."""
    observed: dict[ast.expr, Observation] = field(default_factory=dict)
    """The expressions that are what a run has shown."""
    in_loops: dict[ast.AST, dict[int, Context]] = field(default_factory=dict)
    """Items that are taken within loops, and where that is, by the number of the frame."""
    untaken: dict[ast.If | ast.ExceptHandler, Observation] = field(default_factory=dict)
    """The conditions of which one arm is not read, because a run has not taken it."""
    pooled: dict[ast.expr, Context] = field(default_factory=dict)
    """The sums and means over a batch that are made whole where they are."""
    assumed: dict[ast.expr, None] = field(default_factory=dict)
    """The expressions of which more was taken to hold than the text shows."""
    suppressing: dict[ast.AST, dict[ast.AST, None]] = field(default_factory=dict)
    """What may catch an exception of a block under ``with``, or of a function with such a decorator."""
    entered: dict[ast.AST, None] = field(default_factory=dict)
    """What may catch an exception because it was entered on a stack of context managers."""
    stacks: set[ast.AST] = field(default_factory=set)
    """The blocks under such a stack."""
    rounds: tuple[Round, ...] = ()
    """Those that are being read: what happens in each of them is told apart."""
    _settled: bool = False
    _made_of: dict[Callable[[Facts], Any], Any] = field(default_factory=dict)
    _sites: dict[tuple[ast.AST, _Path], int] = field(default_factory=dict)
    _reduced: dict[tuple[ast.expr, _Path], ReducedFact] = field(default_factory=dict)
    _streams: dict[tuple[frozenset[int], _Path], StreamFact] = field(default_factory=dict)
    _calls: dict[tuple[ast.AST, _Path], CallFact] = field(default_factory=dict)
    _times: dict[ast.AST, int] = field(default_factory=dict)
    """How many of them there are of each node: it is asked for again and again how often something was made."""
    _stores: dict[tuple[ast.AST, _Path, bool], StoreFact] = field(default_factory=dict)
    _exits: dict[tuple[ast.AST, _Path], ExitFact] = field(default_factory=dict)

    def copied(self) -> Facts:
        """The same so far, to be gone on with apart."""
        return replace(self, **{name: deeper(value) for name, value in vars(self).items()})

    def once(self, make: Callable[[Facts], Made]) -> Made:
        """What a function makes of these facts: it is called once where the interpretation is over."""
        if not self._settled:
            return make(self)
        if make not in self._made_of:
            self._made_of[make] = make(self)
        made: Made = self._made_of[make]
        return made

    @property
    def sources(self) -> tuple[SourceFile, ...]:
        """The script, and the modules of its own that were followed."""
        return self.once(_sources)

    def unit_of(self, node: ast.AST) -> Unit | None:
        """The file that a node stands in, be it in code that was not followed; none where it is in no file."""
        return self.units.get(node) or self.once(_units_by_node).get(node)

    def number(self, node: ast.AST) -> int:
        """A small number for a node; ``nodes[number]`` gives it back."""
        if node not in self.numbers:
            self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self.numbers[node]

    def site(self, node: ast.AST, frame: Frame) -> int:
        """A number for a node on one path of calls: a function that makes loaders makes another one at each call."""
        key = (node, self._path(frame))
        if key not in self._sites:
            self._sites[key] = len(self.nodes)
            self.nodes.append(node)
        return self._sites[key]

    def places(self, numbers: Iterable[int]) -> frozenset[Place]:
        """Where some numbers come from: unlike them that is the same in all interpretations of a program."""
        wanted = frozenset(numbers)
        found = {(node, path) for (node, path), number in self._sites.items() if number in wanted}
        return frozenset(found | {(node, ()) for node, number in self.numbers.items() if number in wanted})

    def numbered(self, places: Collection[Place]) -> frozenset[int]:
        """The numbers that places have in this interpretation, as far as it has come to them."""
        found = {number for key, number in self._sites.items() if key in places}
        return frozenset(found | {number for node, number in self.numbers.items() if (node, ()) in places})

    def _path(self, frame: Frame) -> _Path:
        """How the interpretation got to a frame: by these calls, in these rounds."""
        return (*frame.calls, *self.rounds) if self.rounds else frame.calls

    def settle(self) -> None:
        """Forget what is seen in arms that are not run, of what is run elsewhere: the interpretation is over."""
        self._settled = True
        for seen in (self._calls, self._stores, self._exits, self.tests):
            facts: dict[Any, CallFact | StoreFact | ExitFact | TestFact] = seen  # type: ignore[assignment]
            reached = {key[0] for key, fact in facts.items() if fact.context.is_reached}
            for key in [k for k, fact in facts.items() if k[0] in reached and not fact.context.is_reached]:
                del facts[key]
        self._times = dict(Counter(node for node, _ in self._calls))
        for node, loops in self.loops.items():
            run = [loop for loop in loops if all(test.happens is not False for test in loop.tests)]
            self.loops[node] = run or loops

    def handlers_of(self, block: ast.AST) -> tuple[ast.AST, ...]:
        """What may catch an exception of a block, by its context managers."""
        return (*self.suppressing.get(block, ()), *(self.entered if block in self.stacks else ()))

    def see(self, node: ast.AST, value: Value) -> Value:
        """Record the value of an expression, joined over all contexts."""
        sources = value.placement.sources
        if len(sources) > 1 and value.kind in _ARRAYS and not (value.scalar or value.placement.is_partial):
            self.met.add(sources)
        known = self.values.get(node)
        self.values[node] = value if known is None else joined(known, value)
        return value

    def see_returned(self, node: ast.AST, value: Value) -> None:
        """Record what a function gives, joined over all calls."""
        known = self.returned.get(node)
        self.returned[node] = value if known is None else joined(known, value)

    def see_element(self, node: ast.AST, value: Value) -> None:
        """Record what the items of a list are, joined over all contexts."""
        known = self.elements.get(node)
        self.elements[node] = value if known is None else joined(known, value)

    def see_held(self, node: ast.AST, fields: Mapping[str, Value]) -> None:
        """Record what a list or a dict holds, joined over all contexts; what some of them lack is optional."""
        known = self.held.get(node, fields)
        self.held[node] = {
            name: joined(known[name], fields[name])
            if name in known and name in fields
            else (known.get(name) or fields[name]).but(tags=(known.get(name) or fields[name]).tags | {OPTIONAL})
            for name in dict.fromkeys((*known, *fields))
        }

    def add_call(self, fact: CallFact) -> None:
        """Record a call; the last visit of the same path counts."""
        key = fact.node, self._path(fact.context.frame)
        if key not in self._calls:
            self._times[fact.node] = self.times_called(fact.node) + 1
        self._calls[key] = fact

    def classes_of(self, value: Value) -> list[ast.ClassDef]:
        """The classes of the script's own that an object is of, or may be of where it is one of several."""
        numbers = (value.obj,) if value.obj else sorted(value.locations)
        return list(dict.fromkeys(self.classes[each] for each in numbers if each in self.classes))

    def call_of(self, node: ast.Call, frame: Frame) -> CallFact | None:
        """The call as it was last seen on this path."""
        return self._calls.get((node, self._path(frame)))

    def calls_of(self, node: ast.Call) -> list[CallFact]:
        """The call as it was last seen on each path."""
        if self._settled:
            return list(self.once(_by_node).get(node, ()))
        return [fact for (called, _), fact in self._calls.items() if called is node]

    def stores_of(self, node: ast.AST) -> Sequence[StoreFact]:
        """What was set or changed at this node, each time."""
        return self.once(_stores_by_node).get(node, ())

    def calls_within(self, call: ast.Call) -> Sequence[CallFact]:
        """All calls that a call leads to, at any depth, in order."""
        if self._settled:
            return self.once(_by_caller).get(call, ())
        return [fact for fact in self.calls if any(frame.call is call for frame in fact.context.frame.path())]

    def times_called(self, node: ast.AST) -> int:
        """On how many paths a call has been seen."""
        return self._times.get(node, 0)

    def add_reduced(self, node: ast.expr, context: Context, value: Value) -> None:
        """Record what is computed over all processes; the last visit of the same path counts."""
        self._reduced[(node, self._path(context.frame))] = ReducedFact(node, value, context)

    def add_stream(self, loaders: frozenset[int], placement: Placement, reading: Facts, context: Context) -> None:
        """Record how samples are read, as the facts of a reading aside show it; the last visit of a path counts."""
        values = {node: value for node, value in reading.values.items() if self.values.get(node) is not value}
        calls = tuple(fact for key, fact in reading._calls.items() if self._calls.get(key) is not fact)
        ran = frozenset(node for node, value in reading.returned.items() if self.returned.get(node) is not value)
        found = StreamFact(loaders, placement, values, calls, reading.functions, ran)
        self._streams[(loaders, self._path(context.frame))] = found

    def add_test(self, fact: TestFact) -> None:
        """Record a condition."""
        self.tests[(fact.node, self._path(fact.context.frame))] = fact

    def add_store(self, fact: StoreFact) -> None:
        """Record what was written; the last visit of the same path counts."""
        self._stores[(fact.node, self._path(fact.context.frame), fact.in_place)] = fact

    def add_exit(self, fact: ExitFact) -> None:
        """Record a statement that leaves a loop or more."""
        self._exits[(fact.node, self._path(fact.context.frame))] = fact

    @property
    def calls(self) -> Iterator[CallFact]:
        """All calls in the order of their first visit."""
        return iter(self._calls.values())

    @property
    def streams(self) -> Iterator[StreamFact]:
        """How samples that have no numbers are read, in the order of the first visit."""
        return iter(self._streams.values())

    @property
    def reduced(self) -> Iterator[ReducedFact]:
        """All that is computed over all processes on the spot, in the order of the first visit."""
        return (fact for fact in self._reduced.values() if fact.context.is_reached)

    @property
    def stores(self) -> Iterator[StoreFact]:
        """All attributes and items that were set, in the order of their first visit."""
        return iter(self._stores.values())

    @property
    def exits(self) -> Iterator[ExitFact]:
        """All statements that leave something."""
        return iter(self._exits.values())


def deeper(container: Made) -> Made:
    """A copy of a container, of the lists, dicts and sets in it, and of what else is noted there and changes."""
    if not isinstance(container, dict):
        return copy(container)
    changes = isinstance(next(iter(container.values()), None), (list, dict, set, Accumulation))
    return {key: copy(each) for key, each in container.items()} if changes else copy(container)  # type: ignore[return-value]


def _sources(facts: Facts) -> tuple[SourceFile, ...]:
    return tuple({unit.source.path: unit.source for unit in facts.units.values()}.values())


def _units_by_node(facts: Facts) -> dict[ast.AST, Unit]:
    units = tuple(dict.fromkeys(facts.units.values()))
    return {node: unit for unit in reversed(units) for node in unit.source.nodes}


def _by_caller(facts: Facts) -> dict[ast.AST, list[CallFact]]:
    found: dict[ast.AST, list[CallFact]] = {}
    for fact in facts.calls:
        for call in {frame.call for frame in fact.context.frame.path() if frame.call is not None}:
            found.setdefault(call, []).append(fact)
    return found


def _stores_by_node(facts: Facts) -> dict[ast.AST, list[StoreFact]]:
    found: dict[ast.AST, list[StoreFact]] = {}
    for store in facts.stores:
        found.setdefault(store.node, []).append(store)
    return found


def _by_node(facts: Facts) -> dict[ast.AST, list[CallFact]]:
    found: dict[ast.AST, list[CallFact]] = {}
    for fact in facts.calls:
        found.setdefault(fact.node, []).append(fact)
    return found
