"""Libraries that call functions of the script with what stands on the command line.

Which of several commands is run, and what it is given, is not known: each is read by itself, with arguments of which
nothing is known.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.python import STARRED
from corro.flow.semantics import Call
from corro.flow.values import NONE, UNKNOWN, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.state import Flow

_RUNNERS = {"fire.Fire": "component", "typer.run": "function", "absl.app.run": "main", "tensorflow.app.run": "main",
            "tensorflow.compat.v1.app.run": "main", "argh.dispatch_command": "function", "plac.call": "obj",
            "argh.dispatch_commands": "functions", "tyro.cli": "f", "defopt.run": "funcs", "clize.run": "fn",
            "jsonargparse.CLI": "components", "jsonargparse.auto_cli": "components"}  # fmt: skip
"""What calls the functions that its first argument names, and the keyword of that argument."""
_OF_MODULE = {"fire.Fire": "", "tensorflow.app.run": "main", "tensorflow.compat.v1.app.run": "main"}
"""What looks for them in the module where it is given none: for one name, or for any."""
_ENDING = frozenset({"typer.run", "absl.app.run", "tensorflow.app.run", "tensorflow.compat.v1.app.run", "clize.run"})
"""What ends the program when the command has returned."""
PRINTING = frozenset({"fire.Fire", "argh.dispatch_command", "argh.dispatch_commands", "clize.run"})
"""What prints what a command returns."""
_GROUPS = frozenset({"click.command", "click.group", "click.Group", "typer.Typer"})
"""What makes a command, or a group of commands: calling it runs them, and ends the program."""
_GROUP, _REGISTERING = "commands", "puts a function among commands"


def run(flow: Flow, name: str, call: Call) -> Value | None:
    """What a library function that runs or collects commands gives; ``None`` where it does neither."""
    if name in _GROUPS:
        return flow.new_object(call.node, Kind.UNKNOWN, name=_GROUP)
    if name not in _RUNNERS:
        return None
    given = call.argument(0, _RUNNERS[name])
    if given is None or given.kind is Kind.NONE:
        commands = list(_of_module(flow, _OF_MODULE.get(name)))
    else:
        commands = list(_commands(flow, given, call))
    if name in _ENDING:
        flow.facts.ending[call.node] = None
    return _one_of(flow, commands, call)


def group_method(owner: Value, name: str) -> Value | None:
    """What a method of a group gives: something to decorate a function with that joins it."""
    return owner.but(name=_REGISTERING) if owner.name == _GROUP and name in ("command", "callback", "group") else None


def decorated(flow: Flow, decorator: Value, function: Value) -> Value:
    """What a function becomes by a decorator: one of the commands of a group, or a group that begins with it."""
    if decorator.name == _REGISTERING:
        flow.set_field(decorator.obj, f"command {function.obj}", function)
    elif decorator.name == _GROUP:
        flow.set_field(decorator.obj, "first", function)
        return decorator
    return function


def run_group(flow: Flow, group: Value, call: Call) -> Value | None:
    """What calling a group of commands gives; ``None`` where it is no group."""
    if group.name != _GROUP:
        return None
    commands = dict(flow.fields(group.obj))
    first = commands.pop("first", None)
    if "standalone_mode" not in call.keywords:
        flow.facts.ending[call.node] = None
    if first is not None:
        _one_of(flow, [first], call)
    return _one_of(flow, list(commands.values()), call)


def _commands(flow: Flow, given: Value, call: Call) -> Iterator[Value]:
    """The functions that a library calls which is given this: one, several by name, or the methods of an object."""
    if given.kind in (Kind.LIST, Kind.TUPLE):
        yield from flow.literal_items(given) or ()
    elif given.kind is Kind.DICT:
        yield from (item for _, item in flow.pairs(given) or ())
    elif given.kind in (Kind.CLASS, Kind.INSTANCE):
        yield from _methods(flow, given, call)
    else:
        yield given


def _methods(flow: Flow, given: Value, call: Call) -> Iterator[Value]:
    """The methods of an object, or of one that is made of a class."""
    made = _one_of(flow, [given], call) if given.kind is Kind.CLASS else given
    node = flow.facts.classes.get(made.obj)
    for each in node.body if node is not None else ():
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
            method = flow.attribute_of(made, each.name)
            if not _is_named(flow, method):
                yield method


def _of_module(flow: Flow, name: str | None) -> Iterator[Value]:
    """The function of the running file with this name; where the name is empty, all of its functions."""
    found = flow.variable(name) if name else None
    if found is not None:
        yield found
    module = flow.module()
    for each in flow.fields(module.obj).values() if name == "" else ():
        if each.kind is Kind.FUNCTION and flow.unit_of(each) is flow.unit_of(module) and not _is_named(flow, each):
            yield each


def _is_named(flow: Flow, function: Value) -> bool:
    """Whether something in the file of a function, or of a method, names it: then it is no command by itself."""
    node, unit = flow.facts.functions.get(function.obj), flow.unit_of(function)
    name = getattr(node, "name", "")
    if unit is None:
        return False
    if function.items:
        return any(_is_self(each.value) for each in unit.source.attributes.get(name, ()))
    return any(each.id == name for each in unit.source.nodes.of(ast.Name))


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _one_of(flow: Flow, commands: Iterable[Value], run: Call) -> Value:
    """What one of these commands gives."""
    calls = [(each, _call(flow, each, run)) for each in commands]
    return flow.either(flow.each_alone([partial(flow.call_value, *each) for each in calls])) if calls else NONE


def _call(flow: Flow, command: Value, run: Call) -> Call:
    """A call of a function that nobody has written, with something unknown for each parameter, or else its default."""
    written = flow.unwritten(f"command_{command.obj}", run.node)
    node = flow.facts.functions.get(command.obj) if command.kind is Kind.FUNCTION else None
    if not isinstance(node, ast.FunctionDef):
        return Call(written, ())
    spec = node.args
    named = [*spec.posonlyargs, *spec.args]
    defaults = dict(zip(reversed(named), reversed(spec.defaults), strict=False))
    defaults |= {arg: default for arg, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default}
    given = {arg: _given(flow, defaults.get(arg)) for arg in (*named[len(command.items) :], *spec.kwonlyargs)}
    rest = () if spec.vararg is None else (Value(items=(UNKNOWN,), tags=frozenset({STARRED})),)
    keywords = {arg.arg: given[arg] for arg in spec.kwonlyargs}
    more = {} if spec.kwarg is None else {"**": UNKNOWN}
    return Call(written, (*(given[arg] for arg in named[len(command.items) :]), *rest), keywords | more)


def _given(flow: Flow, default: ast.expr | None) -> Value:
    """What a parameter is given: its default, or something unknown."""
    known = flow.facts.values.get(default) if default is not None else None
    return UNKNOWN if known is None else flow.either((known, UNKNOWN))
