"""Which calls may happen on one process only: those that change nothing and wait for nobody.

A call that trains, evaluates, draws random numbers or changes an object must happen on every process, also when only
rank 0 prints its result.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends import trackers
from corro.frontends.downloads import fetches
from corro.frontends.effects import EffectKind, effects
from corro.frontends.randomness import draws
from corro.source import arguments_of, children

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from corro.flow.facts import CallFact, Facts, Frame, Unit
    from corro.flow.values import Value

READS = "only reads"
"""The tag of what a call of ``run`` or ``eval`` gives back that changes nothing and needs no other process."""

_PURE = frozenset(
    {"len", "round", "str", "int", "float", "bool", "abs", "min", "max", "sum", "sorted", "list", "tuple",
     "dict", "set",
     "range", "zip", "enumerate", "reversed", "format", "repr", "type", "isinstance", "hasattr", "getattr",
     "vars", "id",
     "any", "all", "divmod", "pow", "ord", "chr", "hex", "map", "filter", "dir", "callable", "hash", "bin", "slice",
     "get_ipython"}
)  # fmt: skip
_PURE_LIBRARIES = ("torch.", "numpy.", "math.", "time.", "datetime.", "os.path.", "os.getcwd", "os.environ.get",
                   "json.dumps", "platform.", "statistics.", "string.", "textwrap.", "itertools.", "collections.",
                   "operator.", "functools.", "torchvision.utils.", "sklearn.metrics.", "os.cpu_count", "os.getpid",
                   "pathlib.", "pprint.pformat", "copy.", "matplotlib.", "sys.", "pandas.", "PIL.Image.",
                   "tabulate.", "glob.", "imageio.imread", "imageio.v2.imread",
                   "tensorflow.reduce_", "tensorflow.math.", "tensorflow.strings.", "tensorflow.linalg.",
                   "tensorflow.nn.softmax", "tensorflow.nn.sigmoid", "tensorflow.constant", "tensorflow.cast",
                   "tensorflow.shape", "tensorflow.argmax", "tensorflow.squeeze", "tensorflow.abs", "tensorflow.size",
                   "tensorflow.expand_dims", "tensorflow.executing_eagerly", "tensorflow.square", "tensorflow.sqrt",
                   "tensorflow.norm", "tensorflow.equal", "tensorflow.timestamp",
                   "tensorflow.config.list_physical_devices", "tensorflow.data.experimental.cardinality",
                   "tensorflow.test.is_gpu_available")  # fmt: skip
_CHANGING = frozenset(
    {"pop", "popitem", "popleft", "append", "appendleft", "extend", "insert", "remove", "update", "add",
     "clear", "sort",
     "reverse", "setdefault", "read", "readline", "readlines", "write", "send", "step", "backward", "close", "put",
     "get_nowait", "recv", "__next__", "next", "zero_grad", "load_state_dict", "fit", "train", "eval", "download",
     "seek", "reset", "reset_state", "reset_states", "update_state", "apply_gradients", "minimize", "assign",
     "assign_add", "assign_sub"}
)  # fmt: skip

_OF_MODULES = frozenset(
    {"parameters", "named_parameters", "buffers", "named_buffers", "children", "named_children", "modules",
     "named_modules", "state_dict", "get_parameter", "get_buffer", "get_submodule", "extra_repr", "__repr__",
     "summary", "get_weights", "get_config", "to_json", "count_params", "get_layer", "save", "save_weights",
     "save_pretrained", "items", "keys", "values"}
)  # fmt: skip
"""Methods of models that change nothing. Others may: they run the model, or change its weights."""

DRAWING = frozenset(
    {"sample", "rsample", "rvs", "choice", "choices", "random", "rand", "randn", "randint", "integers", "permutation",
     "permuted", "shuffle", "normal", "standard_normal", "uniform", "bernoulli", "multinomial", "binomial", "poisson",
     "exponential", "randrange", "gauss"}
)  # fmt: skip
"""Methods that draw random numbers: of generators, of tables, of distributions, of tensors."""

_STEERING = frozenset(
    {"next", "sample", "shuffle", "draw", "generate", "step", "train", "run", "play", "fit", "partial", "learn",
     "optimize", "explore", "collect", "set", "add", "update", "push", "pop", "reset", "read", "load", "record",
     "register", "increment", "advance", "fetch", "fetchone", "fetchmany", "fetchall", "send", "receive", "start",
     "stop", "initialize"}
)  # fmt: skip
"""First words of methods by which something of unknown kind may change: ``next_batch``, ``fit_transform``."""
_SETTING = ("torch.set_", "torch.seed", "torch.manual_seed", "numpy.set_", "numpy.seterr", "sys.set", "sys.exit")
"""Functions of pure libraries that change something for all that follows."""

DRAWN_WEIGHTS = ("Linear", "Bilinear", "Conv", "Lazy", "LSTM", "GRU", "RNN", "Embedding", "Multihead", "Transformer")
"""How the names of layers begin that draw their first weights when they are made."""

_CALLED = frozenset({Kind.LOSS, Kind.SCHEDULER, Kind.TENSOR})
"""What only computes when it is called: losses, and schedules of Keras, also where they are an optimizer's rate."""
_PROPERTIES = frozenset({"property", "cached_property"})
_LAZY = frozenset({"map", "filter", "zip", "enumerate", "reversed", "iter", "functools.partial"})
"""Functions that use what they are given later."""
_CONSUMING = frozenset({"list", "tuple", "sum", "sorted", "set", "dict", "max", "min", "any", "all"})
"""Functions that go through what they are given."""
_DEPENDENT = (ast.ListComp, ast.SetComp, ast.DictComp, ast.IfExp, ast.BoolOp)
"""Expressions whose parts are computed for each item, or under a condition."""
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def impure_parts(facts: Facts, node: ast.AST) -> list[ast.expr]:
    """The smallest expressions within another that must be computed on every process.

    A call that happens for each item, only under a condition, or later is no such expression by itself: what is told
    is the comprehension or condition it stands in, or the call that consumes the generator or the function.
    """
    return [part for child in children(node) for part in _parts(facts, child)[0]]


def _parts(facts: Facts, node: ast.AST) -> tuple[list[ast.expr], bool]:
    """The expressions, and whether something impure is left that happens only when the value is used."""
    if isinstance(node, ast.Call) and not is_pure(facts, node):
        return [node], False
    if isinstance(node, ast.Attribute) and _is_changing_property(facts, node):
        return [node], False
    if isinstance(node, ast.Subscript) and _makes_items(facts, facts.values.get(node.value)):
        return [node], False
    if isinstance(node, _COMPREHENSIONS) and any(_is_taken_from(facts, each.iter) for each in node.generators):
        return ([], True) if isinstance(node, ast.GeneratorExp) else ([node], False)
    inner = [_parts(facts, child) for child in children(node)]
    found = [part for parts, _ in inner for part in parts]
    late = any(later for _, later in inner)
    if isinstance(node, (ast.Lambda, ast.GeneratorExp)):
        return [], bool(found) or late
    late = late or (isinstance(node, ast.Starred) and _is_taken_from(facts, node.value))
    if isinstance(node, ast.NamedExpr) or (isinstance(node, ast.Starred) and late):
        return [node.value if isinstance(node, ast.Starred) else node], False
    if isinstance(node, ast.Call) and (late or _calls_back(facts, node) or _goes_through(facts, node)):
        return ([], True) if _name(facts, node) in _LAZY else ([node], False)
    if isinstance(node, _DEPENDENT) and found:
        return [node], False
    return found, late


def _is_taken_from(facts: Facts, node: ast.expr) -> bool:
    """Whether going through a value takes from it: batches of a loader, or what a generator gives once."""
    value = facts.values.get(node)
    return value is not None and _gives_once(value)


def _gives_once(value: Value) -> bool:
    if value.kind is Kind.LOADER or (value.kind is Kind.ITERATOR and value.name == "generator"):
        return True
    return value.kind is Kind.ITERATOR and any(_gives_once(item) for item in value.items)


def _goes_through(facts: Facts, node: ast.Call) -> bool:
    return _name(facts, node) in _CONSUMING | _LAZY and any(_is_taken_from(facts, given) for given in node.args)


def _makes_items(facts: Facts, value: Value | None) -> bool:
    """Whether an item of a value is made when it is asked for, perhaps by chance: a batch, an augmented sample."""
    if value is None or value.kind not in (Kind.INSTANCE, Kind.DATASET):
        return value is not None and value.kind is Kind.LOADER
    owners = facts.classes_of(value)
    return any(map(_makes_its_items, owners)) if owners else value.kind is Kind.DATASET


def _makes_its_items(owner: ast.ClassDef) -> bool:
    """Whether a class does more for an item than to look it up."""
    methods = (part for part in owner.body if isinstance(part, ast.FunctionDef))
    item = next((method for method in methods if method.name == "__getitem__"), None)
    if item is None:
        return False
    called = (part.func for part in ast.walk(item) if isinstance(part, ast.Call))
    return not (_is_pure_body(item) and all(isinstance(each, ast.Name) and each.id in _PURE for each in called))


def _calls_back(facts: Facts, node: ast.Call) -> bool:
    """Whether a function of the script or a model is handed to a pure function, which may call it."""
    given = arguments_of(node)
    known = [facts.values[a].kind for a in given if a in facts.values and not isinstance(a, ast.Lambda)]
    return Kind.FUNCTION in known or (Kind.MODULE in known and _name(facts, node) in _LAZY)


def _is_changing_property(facts: Facts, node: ast.Attribute) -> bool:
    """Whether an attribute may be a property of the script's own that changes something, or waits for others."""
    owner = facts.values.get(node.value)
    if owner is None or owner.kind is Kind.LIBRARY or not isinstance(node.ctx, ast.Load):
        return False
    for function in facts.functions.values():
        if isinstance(function, ast.FunctionDef) and function.name == node.attr and _is_property(function):
            inside = (f for f in facts.calls if any(part.scope.node is function for part in f.context.frame.path()))
            if not _is_pure_body(function) or not all(_is_harmless(facts, inner) for inner in inside):
                return True
    return False


def _is_property(function: ast.FunctionDef) -> bool:
    return any(getattr(each, "id", getattr(each, "attr", "")) in _PROPERTIES for each in function.decorator_list)


def _name(facts: Facts, node: ast.Call) -> str:
    return next((fact.name for fact in facts.calls_of(node)), "")


def is_pure(facts: Facts, node: ast.Call) -> bool:
    """Whether a call, in all its contexts, changes nothing and waits for nobody; arguments are judged apart."""
    found = facts.calls_of(node)
    return bool(found) and all(_is_pure(facts, fact) for fact in found)


def _is_pure(facts: Facts, fact: CallFact) -> bool:
    target = facts.values.get(fact.node.func)
    if target is not None and target.kind in (Kind.FUNCTION, Kind.CLASS):
        return _is_pure_function(facts, fact)
    if fact.name in ("run", "eval") and READS in fact.result.tags:
        return True
    if fact.name == "run" and fact.receiver is not None:  # of a session: it may train, or wait for other processes
        return False
    receiver = fact.receiver
    if receiver is not None and fact.name:
        if receiver.kind is Kind.METRIC and fact.name == "compute":  # it may gather from all processes
            return False
        in_place = fact.name.endswith("_") and not fact.name.endswith("__")
        runs = receiver.kind is Kind.MODULE and fact.name not in _OF_MODULES
        steers = receiver.kind in (Kind.UNKNOWN, Kind.METHOD) and fact.name.split("_")[0] in _STEERING
        changes = fact.name in _CHANGING or in_place or runs or steers or receiver.kind is Kind.INSTANCE
        return not changes and fact.name not in DRAWING
    if receiver is not None:
        return receiver.kind in _CALLED
    if fact.name == "next":
        return bool(fact.args) and fact.args[0].kind is Kind.PARAMETERS
    if draws(fact) is not None or fact.name.startswith(_SETTING) or fetches(fact):  # rank 0 waits for the others there
        return False
    if fact.name.startswith("torch.nn.") and fact.name.rpartition(".")[2].startswith(DRAWN_WEIGHTS):
        return False
    return fact.name in _PURE or fact.name.startswith(_PURE_LIBRARIES) or trackers.is_media(fact.name)


def _is_pure_function(facts: Facts, fact: CallFact) -> bool:
    """A function of the script: nothing it does, at any depth, changes or waits."""
    target = facts.values.get(fact.node.func)
    if target is None or not _is_pure_body(facts.functions.get(target.obj)):
        return False
    for loops in facts.loops.values():
        if any(loop.loaders and any(f.call is fact.node for f in loop.frame.path()) for loop in loops):
            return False
    inside = facts.calls_within(fact.node)
    return all(_is_harmless(facts, inner) and _is_pure_body(inner.context.frame.scope.node) for inner in inside)


def only_reports(facts: Facts, fact: CallFact) -> bool:
    """Whether a function of the script does nothing, at any depth, but compute, print and log.

    It may keep global variables that nothing but such functions mentions: the time of the last line, for instance.
    """
    inside = facts.calls_within(fact.node)
    bodies = {frame.scope.node for inner in inside for frame in inner.context.frame.path() if _is_below(frame, fact)}
    own = _kept_between_calls(facts, bodies)
    reports = [inner for inner in inside if _is_report(inner)]
    methods = {inner.node.func for inner in reports}
    if own is None or not all(_is_pure_body(body, own, methods) for body in bodies):
        return False
    return bool(reports) and all(inner in reports or _is_harmless(facts, inner) for inner in inside)


def _is_below(frame: Frame, fact: CallFact) -> bool:
    """Whether a frame is that of a called function, or of one that it calls."""
    return any(each.call is fact.node for each in frame.path())


def _is_report(fact: CallFact) -> bool:
    return any(effect.kind in (EffectKind.PRINT, EffectKind.LOG) for effect in effects([fact]))


def _kept_between_calls(facts: Facts, functions: Collection[ast.AST]) -> frozenset[str] | None:
    """The global variables that some functions set; ``None`` where other code could see them."""
    parts = {part for function in functions for part in ast.walk(function)}
    names = frozenset(name for part in parts if isinstance(part, ast.Global) for name in part.names)
    units = {unit.source.path: unit for unit in facts.units.values()} if names else {}
    seen = any(node not in parts for unit in units.values() for node in _mentions(unit, names))
    return None if seen else names


def _mentions(unit: Unit, names: Collection[str]) -> Iterator[ast.AST]:
    """Where a file reads variables of these names; not what a module does once, when it is imported."""
    for node in unit.source.nodes.of(ast.Name, ast.Attribute):
        name = node.id if isinstance(node, ast.Name) else node.attr
        if name in names and not isinstance(node.ctx, ast.Store):
            above = unit.source.ancestors(node)
            if unit.name == "__main__" or any(isinstance(each, (ast.FunctionDef, ast.Lambda)) for each in above):
                yield node


def _is_pure_body(
    node: ast.AST | None, kept: frozenset[str] = frozenset(), reports: Collection[ast.AST] = frozenset()
) -> bool:
    """Whether a function assigns to nothing but its own variables, and changes only what it has made.

    Args:
        node: the function.
        kept: global variables that it may set.
        reports: methods that it may call, such as ``sys.stdout.write``.
    """
    if node is None:
        return False
    own = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} - kept
    for part in ast.walk(node):
        if isinstance(part, ast.Global) and kept.issuperset(part.names):
            continue
        if isinstance(part, (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await)):
            return False
        if isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load):
            return False
        changes = isinstance(part, ast.Attribute) and part.attr in _CHANGING and part not in reports
        owner = part.value if isinstance(part, ast.Attribute) else None
        if changes and not (isinstance(owner, ast.Name) and owner.id in own):
            return False
    return True


def _is_harmless(facts: Facts, inner: CallFact) -> bool:
    target = facts.values.get(inner.node.func)
    if target is not None and target.kind in (Kind.FUNCTION, Kind.CLASS):
        return True
    local = inner.receiver is not None and inner.name in ("append", "extend", "update", "add", "insert", "sort")
    return (local or _is_pure(facts, inner)) and not any(effects([inner]))
