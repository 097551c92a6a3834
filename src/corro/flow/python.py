"""What Python's own functions and containers do with abstract values."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, combine
from corro.flow import allowed, anew, depths, ratios, suppressing
from corro.flow.options import default_text
from corro.flow.semantics import Call
from corro.flow.state import ELEMENT, FACTORY, SERIES, TEXT_FILE, UNORDERED
from corro.flow.values import (
    EVALUATED,
    NONE,
    OPTION,
    OPTIONS,
    PARTIAL,
    RATIO,
    ROUNDS,
    UNKNOWN,
    Value,
    chosen,
    constant,
    joined_path,
    likeness,
    number,
    put_together,
)
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corro.flow.state import Flow

_NUMBERS = frozenset({"inf", "Inf", "infty", "Infinity", "nan", "NaN", "NAN", "pi"})
"""How libraries call these numbers, Python's own among them."""
_OWN_NUMBERS = frozenset({"math.e", "math.tau", "sys.maxsize", "sys.float_info.max", "sys.float_info.min",
                          "sys.float_info.epsilon"})  # fmt: skip
SUPER = "<super>"
AS_BASE = "as its base has it"
"""The tag of a module of which something is asked that its base in a library defines: ``super().forward(x)``."""
_ANSWERING = frozenset({"all", "any", "sum", "len", "bool", "min", "max"})
"""Functions whose answer hangs on what is on disk where something that they are given does."""
FIGURE = "figure"
"""The tag of what is plotted on: a figure, its axes, and what their methods give."""
PYPLOT = ("matplotlib.pyplot.", "matplotlib.pylab.", "pylab.")
"""The modules that have the functions by which figures are made and drawn on."""
_FIGURES = frozenset(f"{module}{name}" for module in PYPLOT for name in ("figure", "subplots", "subplot",
                     "subplot_mosaic", "subplot2grid", "axes", "gca", "gcf"))  # fmt: skip
MEMORY = "a file in memory"
"""The name of what ``io.BytesIO`` and ``io.StringIO`` make."""
_MEMORY = frozenset({"io.BytesIO", "io.StringIO", "six.BytesIO", "six.StringIO", "StringIO.StringIO",
                     "cStringIO.StringIO"})  # fmt: skip
STARRED = "*"
"""The tag of an argument that stands for all that a list has, of which the items are not known one by one."""
_ON_PATHS = frozenset({"exists", "is_file", "is_dir", "is_symlink", "iterdir", "glob", "rglob", "stat"})
FILE_SYSTEM = frozenset({"os.path.exists", "os.path.lexists", "os.path.isfile", "os.path.isdir", "os.path.islink",
                         "os.path.getsize", "os.path.getmtime", "os.access", "os.stat", "os.listdir", "os.scandir",
                         "os.walk", "glob.glob", "glob.iglob", "spacy.util.is_package"}
                        | {f"pathlib.Path.{name}" for name in _ON_PATHS})  # fmt: skip
"""What asks the disk, methods of paths that are called by way of their class included."""

ON_SETS = (ast.BitOr, ast.BitAnd, ast.BitXor, ast.Sub)
MAKING_SETS = frozenset({"union", "intersection", "difference", "symmetric_difference"})
_WRAPPERS = frozenset({"enumerate", "zip", "iter", "reversed", "sorted", "list", "tuple", "filter", "map"})
_SPECIAL = frozenset({"str", "repr", "format", "float", "int", "len", "bool", "abs", "round"})
"""Functions that ask an object by its special method."""
ASKING_TYPES = frozenset({"isinstance", "hasattr", "callable"})
"""Functions that ask for no more of a value than its type."""
_LOCAL = frozenset(
    {"time.time", "time.perf_counter", "time.monotonic", "time.process_time", "time.strftime", "time.localtime",
     "time.ctime", "datetime.datetime.now", "datetime.datetime.today", "datetime.now", "datetime.datetime.utcnow",
     "datetime.date.today", "timeit.default_timer", "os.getpid", "uuid.uuid4", "uuid.uuid1", "socket.gethostname",
     "id", "hash", "input", "builtins.input", "tempfile.mkdtemp", "tempfile.mkstemp", "tempfile.mktemp",
     "tempfile.TemporaryDirectory", "tempfile.NamedTemporaryFile", "secrets.token_hex", "secrets.token_bytes",
     "secrets.token_urlsafe", "secrets.choice", "secrets.randbelow", "secrets.randbits", "secrets.SystemRandom",
     "random.SystemRandom", "os.urandom", "os.getrandom", "time.time_ns", "time.perf_counter_ns", "time.monotonic_ns",
     "time.gmtime", "time.asctime", "uuid.getnode", "os.getppid", "threading.get_ident", "threading.get_native_id",
     "platform.node", "os.get_terminal_size", "shutil.get_terminal_size"}
)  # fmt: skip
_TEXTS = frozenset({"time.strftime", "time.ctime", "socket.gethostname", "tempfile.mkdtemp", "tempfile.mktemp",
                    "secrets.token_hex", "secrets.token_urlsafe"})  # fmt: skip
"""Those of them that are surely a text."""


_PLACES = re.compile(r"%[-+ #0-9.]*[a-zA-Z]|\{[^{}]*\}")


def of_library(name: str) -> Value:
    """What has this dotted name in a library: a number, or something to be called or looked into."""
    module, _, last = name.rpartition(".")
    known = (module and last in _NUMBERS) or name in _OWN_NUMBERS
    return number() if known else Value(Kind.LIBRARY, name=name)


def given_one(argument: Value) -> Value:
    """One of the values that an argument stands for; of a starred one that is one of several the items are lost."""
    return argument.items[0] if STARRED in argument.tags and argument.items else argument


def filled_in(template: str) -> str:
    """What a text is like that ``%`` or ``format`` makes."""
    pieces = _PLACES.split(template)
    parts = [part for piece in pieces for part in (constant(piece), UNKNOWN) if part.const != ""]
    return put_together(parts[:-1])


def completed(flow: Flow, partial: Value, call: Call) -> tuple[Value, Call]:
    """The function that ``functools.partial`` was given, and the call with what it was given besides."""
    keywords = {**flow.fields(partial.obj), **call.keywords}
    return partial.items[0], Call(call.node, (*partial.items[1:], *call.args), keywords)


def asks_for_main(test: ast.expr) -> bool | None:
    """Whether a condition is true in the program and false in an import, or the other way round; else ``None``."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    sides = (test.left, test.comparators[0])
    name = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    main = any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)
    if not (name and main) or not isinstance(test.ops[0], (ast.Eq, ast.NotEq)):
        return None
    return isinstance(test.ops[0], ast.Eq)


def call(flow: Flow, name: str, call: Call) -> Value | None:
    """The result of calling one of Python's own functions; ``None`` when it is another library's."""
    if name in _LOCAL:
        by = frozenset({flow.facts.number(call.node)})
        return Value(Kind.TEXT if name in _TEXTS else Kind.UNKNOWN, Placement(Form.LOCAL, causes=by))
    if name in FILE_SYSTEM:
        return file_system(flow, call)
    if name in _MEMORY:
        return Value(placement=combine(v.placement for v in call.values), name=MEMORY)
    if name == PARTIAL:
        placement = combine(v.placement for v in call.values)
        made = flow.new_object(call.node, Kind.UNKNOWN, placement=placement, name=PARTIAL, items=call.args)
        for keyword, value in call.keywords.items():
            flow.set_field(made.obj, keyword, value)
        return made
    known = flow.special(call.args[0], f"__{name}__") if name in _SPECIAL and call.args else None
    if known is not None:
        return known
    if name in ASKING_TYPES and call.args:
        return asked_type(call.args[0])
    handler = _CALLS.get(name)
    if handler is not None:
        return handler(flow, call)
    if name in ("max", "min") and "key" in call.keywords and call.args:
        return _extreme(flow, call)
    if name.startswith("heapq.heap") and call.args:
        return _heap(flow, name, call)
    if name == "itertools.chain" and call.args:
        return _chained(flow, call)
    if name in _WRAPPERS and (call.args or name == "list"):
        return _wrapper(flow, name, call)
    return None


def file_system(flow: Flow, call: Call) -> Value:
    """What is on disk: equal at the start, and changing under the processes' hands once they run."""
    placement = Placement() if is_before_training(flow) else Placement(Form.LOCAL)
    flow.facts.asks_for_files = True
    return Value(placement=placement, tags=frozenset({"file system"}))


def asked(flow: Flow, node: ast.expr, value: Value) -> Value:
    """What an expression gives, told to hang on what is on disk: ``all(os.path.exists(each) for each in files)``."""
    name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
    answers = name in _ANSWERING or isinstance(node, ast.Compare)
    if not answers or value.kind not in (Kind.NUMBER, Kind.UNKNOWN):
        return value
    parts = [flow.facts.values.get(part, UNKNOWN) for part in ast.walk(node)] if flow.facts.asks_for_files else []
    hangs = any("file system" in part.tags or part.name in FILE_SYSTEM for part in parts)
    return value.but(tags=value.tags | {"file system"}) if hangs else value


def is_before_training(flow: Flow) -> bool:
    """Whether no loop is running, or those only that prepare data; of code behind a training nothing is known here."""
    return all(flow.semantics.prepares(flow, loop) for loop in flow.context.loops)


def _wrapper(flow: Flow, name: str, call: Call) -> Value:
    if not call.args:
        return flow.listed(call.node, ())
    each = flow.each(call.args[0]) if name in ("list", "tuple") else None
    if each is not None:
        return flow.listed(call.node, each)
    batch = anew.again(flow, call.args[0]) if name in ("list", "tuple") else None
    if batch is not None:
        return batch
    if name in ("list", "tuple", "sorted", "reversed") and call.args[0].kind in (Kind.LIST, Kind.DICT):
        result = flow.new_object(call.node, Kind.LIST)
        element = flow.element(call.args[0])
        flow.put_element(result, _ordered(flow, call, element) if name == "sorted" else element)
        flow.resize(result, flow.size(call.args[0]))
        return result
    if name == "map":
        return _mapped(flow, call)
    if name == "zip" and len(call.args) == 1 and STARRED in call.args[0].tags:
        return _transposed(flow, call)
    if name == "filter":
        return _filtered(flow, call)
    sized = name in ("enumerate", "zip")
    placement = combine(flow.size(v) if sized else v.placement for v in call.args)
    return Value(Kind.ITERATOR, placement, name=name, items=call.args if name == "zip" else call.args[:1])


def _repeated(flow: Flow, call: Call) -> Value:
    """``itertools.cycle``: all items again and again."""
    placement = flow.size(call.args[0]) if call.args else Placement()
    return Value(Kind.ITERATOR, placement, name="cycle", items=call.args[:1])


def _first(flow: Flow, call: Call) -> Value:
    """``itertools.islice``: some of the items."""
    placement = combine((flow.size(call.args[0]), *(v.placement for v in call.args[1:]))) if call.args else Placement()
    return Value(Kind.ITERATOR, placement, name="islice", items=call.args[:1])


def _transposed(flow: Flow, call: Call) -> Value:
    """``zip(*rows)``: a list of what stands in each place of the rows."""
    row = call.args[0].items[0]
    if row.kind is not Kind.TUPLE:
        return Value(Kind.ITERATOR, call.args[0].placement, name="zip", items=(row,))
    columns = []
    for position, item in enumerate(row.items):
        column = flow.new_object(call.node, Kind.LIST, part=position)
        flow.put_element(column, item)
        columns.append(column)
    return Value(Kind.TUPLE, items=tuple(columns))


def _chained(flow: Flow, call: Call) -> Value | None:
    """The items of several things one after another; loops over batches are not told from it."""
    iterations = [flow.iterate(value) for value in call.args]
    placement = combine([*map(flow.whole, call.args), *(flow.whole(each.element) for each in iterations)])
    if not placement.is_equal or any(each.loaders for each in iterations):
        return None
    return Value(
        Kind.ITERATOR,
        placement,
        name="iter",
        items=(Value(Kind.TUPLE, items=tuple(each.element for each in iterations)),),
    )


def _mapped(flow: Flow, call: Call) -> Value:
    """What a function gives for each item; loops over batches are not told from a ``map``."""
    rounds = flow.rounds(call.args[1]) if len(call.args) == 2 else None
    if rounds is not None:
        return _series([flow.call_value(call.args[0], Call(node, (part,))) for node, part in rounds])
    iterations = [flow.iterate(value) for value in call.args[1:]]
    if any(each.loaders for each in iterations):
        return Value(placement=combine(v.placement for v in call.values))
    given = tuple(each.element for each in iterations)
    result = flow.call_value(call.args[0], Call(call.node, given))
    batch = anew.of_each_part(flow, call.args[1], result) if len(given) == 1 else None
    if batch is not None:
        return batch
    placement = combine([*(v.placement for v in call.values), *map(flow.whole, given), flow.whole(result)])
    return Value(Kind.ITERATOR, placement, name="iter", items=(Value(Kind.TUPLE, items=(result,)),))


def _series(items: Sequence[Value]) -> Value:
    """These items one after the other."""
    return Value(Kind.ITERATOR, name=SERIES, items=(Value(Kind.TUPLE, items=tuple(items)),))


def _ordered(flow: Flow, call: Call, element: Value) -> Value:
    """An item that has its place by an order: of what the ``key`` says of each item, or else of the items."""
    key = call.keywords.get("key", NONE)
    if key.kind is Kind.NONE:
        return _placed(element, flow.whole(element))
    return _placed(element, flow.call_value(key, Call(call.node, (element,))).placement)


def _placed(item: Value, by: Placement) -> Value:
    """An item that has its place by something; so have the parts of a pair."""
    item = chosen(item, by)
    return item.but(items=tuple(_placed(part, by) for part in item.items)) if item.kind is Kind.TUPLE else item


def _extreme(flow: Flow, call: Call) -> Value:
    """The item for which a ``key`` says the most, or the least."""
    element = flow.iterate(call.args[0]).element if len(call.args) == 1 else flow.either(call.args)
    return _ordered(flow, call, element)


def _heap(flow: Flow, name: str, call: Call) -> Value:
    """Functions of ``heapq``: a list whose first item is the smallest."""
    heap, last = call.args[0], name.rpartition(".")[2]
    if "push" in last or last == "heapreplace":
        flow.add_element(heap, call.args[-1])
    element = _placed(flow.element(heap), flow.whole(flow.element(heap)))
    flow.put_element(heap, element)
    return NONE if last in ("heappush", "heapify") else element


def _filtered(flow: Flow, call: Call) -> Value:
    """What is left of something depends on what the function says of each item."""
    asked = [v.placement for v in call.args]
    if len(call.args) == 2 and call.args[0].kind is Kind.FUNCTION:
        element = flow.iterate(call.args[1]).element
        asked.append(flow.call_value(call.args[0], Call(call.node, (element,))).placement)
    return Value(Kind.ITERATOR, combine(asked), name="filter", items=call.args[1:])


def _set(flow: Flow, call: Call) -> Value:
    result = flow.new_object(call.node, Kind.LIST, tags=frozenset({UNORDERED}))
    if call.args:
        flow.put_element(result, flow.iterate(call.args[0]).element)
        flow.resize(result, flow.size(call.args[0]))
    return result


def is_set_operation(op: ast.operator, left: Value, right: Value) -> bool:
    """Whether an operator makes a set of two: of sets, or of what is asked of a dict and a set."""
    sets = (UNORDERED in left.tags, UNORDERED in right.tags)
    others = {v.kind for v, is_set in zip((left, right), sets, strict=True) if not is_set}
    return isinstance(op, ON_SETS) and any(sets) and others <= {Kind.LIST, Kind.ITERATOR, Kind.UNKNOWN}


def united(flow: Flow, node: ast.AST, parts: Sequence[Value], *, less: bool = False) -> Value:
    """A set of the items of some values, or of those of the first that are not in the others."""
    result = flow.new_object(node, Kind.LIST, tags=frozenset({UNORDERED}))
    for part in parts:
        if part is parts[0] or not less:
            flow.put_element(result, flow.iterate(part).element)
        flow.resize(result, flow.size(part))
    return result


def _len(flow: Flow, call: Call) -> Value:
    value = call.args[0] if call.args else UNKNOWN
    items = flow.literal_items(value)
    if items is not None:
        return number(integer=True, const=len(items))
    if value.kind in (Kind.LIST, Kind.DICT):
        inner = flow.element(value).placement
        form = Form.STEP if inner.sources else Form.REPLICATED
        differs = inner.form in (Form.SHARDED, Form.UNKNOWN)
        counted = number(inner.with_form(Form.UNKNOWN if differs else form), integer=True)
        return chosen(counted, flow.size(value))
    return number(combine([value.placement]), integer=True)


def _sum(flow: Flow, call: Call) -> Value:
    if not call.args:
        return UNKNOWN
    value = call.args[0]
    if value.kind is Kind.TENSOR and len(call.args) == 1:  # its rows, as by tensor.sum(0)
        rows = flow.semantics.method(flow, value, "sum", Call(call.node, (constant(0),)))
        if rows is not None:
            return rows
    item = flow.iterate(value).element if value.kind is Kind.ITERATOR else flow.element(value)
    element = chosen(item, flow.size(value))
    placement = element.placement
    if placement.form is Form.SHARDED:
        placement = placement.with_form(Form.UNKNOWN)
    return element.but(kind=Kind.NUMBER if element.kind is Kind.NUMBER else element.kind, placement=placement,
                       pending=frozenset(), origins=frozenset())  # fmt: skip


def _cast(flow: Flow, call: Call, *, integer: bool) -> Value:
    if not call.args:
        return number(integer=integer, const=0)
    value = call.args[0]
    placement = value.placement
    if RATIO in value.tags and not integer:
        return ratios.averaged(number(placement))
    if integer and value.form is Form.MEAN:  # the mean of what is rounded down is not the mean, rounded down
        placement = placement.with_form(Form.UNKNOWN)
    return number(placement, integer=integer, const=value.const, carry=value.carry, mixed=value.mixed,
                  origins=value.origins, tags=ratios.read(value))  # fmt: skip


def _folded(flow: Flow, call: Call) -> Value | None:
    """``reduce(f, items, start)``, where the items are known one by one."""
    items = flow.each(call.args[1]) if len(call.args) > 1 else None
    if items is None or not (given := (*call.args[2:3], *items)):
        return None
    result = given[0]
    for item in given[1:]:
        result = flow.call_value(call.args[0], Call(call.node, (result, item)))
    return result


def _range(flow: Flow, call: Call) -> Value:
    first = len(call.args) == 1 or (len(call.args) == 2 and call.args[0].is_zero)
    tags = call.args[-1].tags & depths.COUNTED if first else frozenset[str]()
    tags |= {ROUNDS} if _has_rounds(flow, call.args) else set()
    return Value(Kind.RANGE, combine(v.placement for v in call.args), tags=tags)


def _has_rounds(flow: Flow, bounds: Sequence[Value]) -> bool:
    """Whether a range is not empty: by its numbers; an option that asks for none does so for each batch of a pass."""
    numbers = [bound.const for bound in bounds]
    if all(isinstance(number, int) for number in numbers) and numbers[2:] != [0]:
        return bool(range(*numbers))
    return len(bounds) == 1 and bounds[0].name == OPTION and bool(flow.context.passes)


def _dict(flow: Flow, call: Call) -> Value:
    result = flow.new_object(call.node, Kind.DICT)
    for value in call.args:
        flow.merge_dict(result, value)
    for name, value in call.keywords.items():
        flow.set_field(result.obj, f"[k]{name!r}", value)
    return result


def _defaultdict(flow: Flow, call: Call) -> Value:
    result = flow.new_object(call.node, Kind.DICT)
    for value in call.args[1:]:
        flow.merge_dict(result, value)
    if call.args and call.args[0].kind in (Kind.LIBRARY, Kind.FUNCTION, Kind.CLASS):
        flow.set_field(result.obj, FACTORY, call.args[0])
    return result


def _next(flow: Flow, call: Call) -> Value:
    value = call.args[0] if call.args else UNKNOWN
    given = flow.special(value, "__next__")
    if given is not None:
        return given
    element = flow.iterate(value).element
    return element.but(tags=element.tags | {"peek"})


def _open(flow: Flow, call: Call) -> Value:
    """A file, and whether it has text in it."""
    mode = call.argument(1, "mode")
    has_text = mode is None or (isinstance(mode.const, str) and "b" not in mode.const)
    return Value(Kind.FILE, name=TEXT_FILE if has_text else "")


def _text(flow: Flow, call: Call) -> Value:
    return Value(Kind.TEXT, combine(flow.shown(v) for v in call.values))


def _field(flow: Flow, call: Call) -> Value:
    """The default of a field of a data class."""
    factory = call.keywords.get("default_factory")
    made = flow.call_value(factory, Call(call.node, ())) if factory is not None else None
    return Value(placement=made.placement) if made is not None else call.keywords.get("default", UNKNOWN)


def is_opened(value: Value) -> bool:
    """Whether a value is what ``iter()`` gives."""
    return value.kind is Kind.ITERATOR and value.name == "iter"


def opens_in_head(loop: ast.AST) -> bool:
    """Whether a loop calls ``iter()`` in its head, each time that it begins; one made elsewhere goes on."""
    heads = walk(loop.iter) if isinstance(loop, (ast.For, ast.AsyncFor)) else ()
    return any(isinstance(each, ast.Call) and getattr(each.func, "id", "") == "iter" for each in heads)


def asked_type(value: Value) -> Value | None:
    """Whether a value is of some type: of one whose kind is known, as on every process."""
    if value.kind is Kind.WRITER:
        return number(Placement(Form.LOCAL), integer=True)
    known = value.kind in (Kind.TENSOR, Kind.NUMBER, Kind.BATCH) and not value.may_be_none
    return number(integer=True) if known else None


def _getattr(flow: Flow, call: Call) -> Value:
    if len(call.args) >= 2 and isinstance(call.args[1].const, str):
        return flow.attribute_of(call.args[0], call.args[1].const)
    like = likeness(call.args[1]) if len(call.args) >= 2 else ""
    if len(call.args) == 2 and call.args[0].kind is Kind.LIBRARY and call.args[0].obj:
        return chosen(flow.any_of(call.args[0], like), call.args[1].placement)
    found = flow.attributes_like(call.args[0], like) if like else ()
    if found:
        return chosen(flow.either((*found, *call.args[2:])), call.args[1].placement)
    return Value(placement=combine(v.placement for v in call.values))


def _imported(flow: Flow, call: Call) -> Value | None:
    """The module of which the name is given, or one of several of such a name; ``None`` where that is not known."""
    name = call.argument(0, "name")
    if name is None or not name.placement.is_equal or len(call.args) > 1 or "package" in call.keywords:
        return None
    if not likeness(name):
        return None
    found = flow.imported(likeness(name), call.node)
    return chosen(found, name.placement) if found.kind is not Kind.UNKNOWN else None


def _path(flow: Flow, call: Call) -> Value:
    """A path that is put together of a folder, and of names in it."""
    plain = not any(STARRED in part.tags for part in call.args)
    placement = combine(flow.whole(part) for part in call.values)
    return Value(Kind.TEXT, placement, name=joined_path(call.args) if plain else "")


_NAMED = (Kind.CLASS, Kind.FUNCTION, Kind.LIBRARY)
"""What a name stands for that is evaluated to be called."""


def _evaluated(flow: Flow, call: Call) -> Value | None:
    """What a text names that is evaluated; one that is not known may be a plain value, other code is not known."""
    if len(call.args) != 1 or call.keywords:
        return None
    if not (like := likeness(call.args[0])) and not call.args[0].is_const:
        written, default = default_text(flow, call.node.args[0]) if isinstance(call.node.func, ast.Name) else ("", "")
        named = flow.named_by(default) if default else None
        if named is not None and named.kind in _NAMED:
            flow.facts.evaluated[call.node] = (written, (default,))
            return named
        if (one := _allowed(flow, call)) is not None:
            return one
        return Value(placement=call.args[0].placement, tags=frozenset({EVALUATED}))
    found = [flow.named_by(text) for text in like.split("|")]
    known = [value for value in found if value is not None]
    return chosen(flow.either(known), call.args[0].placement) if known and len(known) == len(found) else None


def _allowed(flow: Flow, call: Call) -> Value | None:
    """One of the classes and functions that the script allows a text to name: another choice ends the program."""
    given = call.node.args[0]
    if not isinstance(call.node.func, ast.Name) or not call.args[0].placement.is_equal:
        return None
    names = allowed.names(flow, given)
    found = [value for name in names if (value := flow.named_by(name)) is not None]
    if not found or len(found) < len(names) or not all(each.kind in _NAMED for each in found):
        return None
    flow.facts.evaluated[call.node] = (ast.unparse(given), names)
    return chosen(flow.either(found), call.args[0].placement)


def _vars(flow: Flow, call: Call) -> Value:
    if call.args and call.args[0].kind is Kind.INSTANCE and call.args[0].obj:
        return flow.attributes(call.args[0])
    if call.args and call.args[0].kind is Kind.LIBRARY and call.args[0].obj:
        return flow.attribute_of(call.args[0], "__dict__")
    if call.args and call.args[0].kind is Kind.NAMESPACE:
        return call.args[0].but(kind=Kind.UNKNOWN, name=OPTIONS)
    return Value(placement=combine(v.placement for v in call.values))


def _setattr(flow: Flow, call: Call) -> Value:
    if len(call.args) == 3 and call.args[0].obj and isinstance(call.args[1].const, str):
        flow.set_field(call.args[0].obj, call.args[1].const, call.args[2])
    elif call.args and call.args[0].obj:
        if len(call.args) == 3:
            flow.set_like(call.args[0], likeness(call.args[1]), call.args[2])
            if not likeness(call.args[1]):
                _fill_in(flow, call.args[0], call.args[2])
        flow.put_into(flow.attributes(call.args[0]), combine(flow.whole(v) for v in call.values), frozenset())
    elif call.args:
        flow.mark(call.node.args[0], combine(v.placement for v in call.values))
    return NONE


def _fill_in(flow: Flow, owner: Value, value: Value) -> None:
    """A field of any name is set: what an object was made without it may have now."""
    for name, known in dict(flow.fields(owner.obj)).items():
        if known.kind is Kind.NONE:
            flow.set_field(owner.obj, name, flow.either((known, value)))


_CALLS: dict[str, Callable[[Flow, Call], Value | None]] = {
    "functools.reduce": _folded,
    "os.path.join": _path,
    "contextlib.suppress": suppressing.suppress,
    "contextlib.ExitStack": suppressing.stack,
    "contextlib.AsyncExitStack": suppressing.stack,
    "len": _len,
    "sum": _sum,
    "itertools.cycle": _repeated,
    "itertools.islice": _first,
    "int": lambda flow, call: _cast(flow, call, integer=True),
    "float": lambda flow, call: _cast(flow, call, integer=False),
    "range": _range,
    "dict": _dict,
    "set": _set,
    "frozenset": _set,
    "next": _next,
    "str": _text,
    "format": _text,
    "repr": _text,
    "print": lambda flow, call: NONE,
    "getattr": _getattr,
    "eval": _evaluated,
    "setattr": _setattr,
    "vars": _vars,
    "importlib.import_module": _imported,
    "globals": lambda flow, call: flow.attribute_of(flow.module(), "__dict__"),
    "open": _open,
    "dataclasses.field": _field,
    "io.open": _open,
    **dict.fromkeys(_FIGURES, lambda flow, call: Value(tags=frozenset({FIGURE}))),
    "super": lambda flow, call: flow.parent(),
    "collections.defaultdict": _defaultdict,
    "collections.OrderedDict": _dict,
    "collections.deque": lambda flow, call: flow.new_object(call.node, Kind.LIST),
}


def method(flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
    """A method of a container, a text or a file; ``None`` when it is none of these."""
    if receiver.kind is Kind.LIST:
        return _list_method(flow, receiver, name, call)
    if receiver.kind is Kind.DICT:
        return _dict_method(flow, receiver, name, call)
    if receiver.kind in (Kind.TEXT, Kind.UNKNOWN, Kind.METHOD) and name in _ON_PATHS:
        return file_system(flow, call)
    if receiver.kind is Kind.TEXT:
        like = filled_in(receiver.const) if name == "format" and isinstance(receiver.const, str) else ""
        return Value(Kind.TEXT, combine([receiver.placement, *(flow.shown(v) for v in call.values)]), name=like)
    if receiver.kind is Kind.FILE and receiver.name == TEXT_FILE and name in ("read", "readline", "readlines"):
        return Value(Kind.TEXT)
    if receiver.kind in (Kind.FILE, Kind.LOGGER, Kind.WRITER):
        return Value()
    if receiver.kind is Kind.ITERATOR and name in ("next", "__next__"):
        return _next(flow, Call(call.node, (receiver,)))
    if FIGURE in receiver.tags:
        return Value(tags=frozenset({FIGURE}))
    return None


def _list_method(flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
    if name == "append" and call.args:
        flow.add_last(receiver, call.args[0])
        return NONE
    if name in ("add", "appendleft") and call.args:
        flow.add_element(receiver, call.args[0])
        return NONE
    if name == "insert" and len(call.args) > 1:
        flow.add_element(receiver, call.args[1])
        return NONE
    if name in ("extend", "update") and call.args:
        flow.put_element(receiver, flow.iterate(call.args[0]).element)
        flow.resize(receiver, flow.size(call.args[0]))
        return NONE
    by = combine(v.placement for v in call.args)
    if name in ("pop", "popleft"):
        return _taken(flow, receiver, flow.element(receiver), by)
    if name == "reverse":
        flow.reorder(receiver)
        return NONE
    if name == "sort":
        flow.put_element(receiver, _ordered(flow, call, flow.element(receiver)))
        return NONE
    if name in ("remove", "clear", "discard"):
        flow.leave(receiver, by)
        return NONE
    if name == "copy":
        return receiver
    if name in MAKING_SETS and UNORDERED in receiver.tags:
        return united(flow, call.node, (receiver, *call.args), less=name == "difference")
    return None


def _taken(flow: Flow, owner: Value, item: Value, by: Placement) -> Value:
    """An item that leaves a list or dict."""
    item = chosen(item, combine((by, flow.size(owner))))
    flow.leave(owner, by)
    return item


def _under(flow: Flow, receiver: Value, key: Value) -> tuple[Value, ...]:
    """What a dict may hold under a key; nothing where it is known not to have it."""
    if not receiver.obj:
        return (Value(placement=receiver.placement),)
    known = [f"[k]{key.const!r}", ELEMENT] if key.is_const else None
    fields = flow.fields(receiver.obj)
    if known is None:
        return flow.every_item(receiver)
    return tuple(fields[name] for name in known if name in fields)[:1]


def view(flow: Flow, owner: Value, name: str) -> Value | None:
    """``items()``, ``values()`` or ``keys()`` of a dict of which all keys are known."""
    pairs = flow.pairs(owner) if name in ("items", "values", "keys") else None
    if not pairs:
        return None
    items = {"items": [Value(Kind.TUPLE, items=pair) for pair in pairs], "values": [item for _, item in pairs]}
    return _series(items.get(name, [key for key, _ in pairs]))


def _dict_method(flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
    if name == "update":
        for value in call.args:
            flow.merge_dict(receiver, value)
        for keyword, value in call.keywords.items():
            flow.set_field(receiver.obj, f"[k]{keyword!r}", value)
        return NONE
    if name in ("get", "pop", "setdefault") and call.args:
        key = call.args[0]
        default = call.args[1] if len(call.args) > 1 else NONE
        value = flow.either((*_under(flow, receiver, key), default))
        if name == "setdefault":
            flow.put_item(receiver, key, value)
        return _taken(flow, receiver, value, key.placement) if name == "pop" else chosen(value, key.placement)
    if name in ("popitem", "clear"):
        return _taken(flow, receiver, Value(Kind.TUPLE, items=(Value(Kind.TEXT), flow.element(receiver))), Placement())
    viewed = view(flow, receiver, name)
    if viewed is not None:
        return viewed
    if name == "items":
        pair = Value(Kind.TUPLE, items=(flow.iterate(receiver).element, flow.element(receiver)))
        return Value(Kind.ITERATOR, name="iter", items=(Value(Kind.TUPLE, items=(pair,)),))
    if name == "values":
        return Value(Kind.ITERATOR, name="iter", items=(Value(Kind.TUPLE, items=(flow.element(receiver),)),))
    if name == "keys":
        return Value(Kind.ITERATOR, name="iter", items=(Value(Kind.TUPLE, items=(flow.iterate(receiver).element,)),))
    return None
