"""Parts of a graph that go by their names: ``"loss:0"`` is what ``tf.reduce_mean(x, name="loss")`` has made.

A name means what was given it in the graph of the session that asks. Where several may have been, because a function
makes them more than once, or in a scope that is part of their names, all of them are meant: what is said of the name
then holds of each. What stands before the last slash is the name of a scope, and not looked at. Names that TensorFlow
gives by itself mean nothing here.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import Value, joined
from corro.frontends.tensorflow1.names import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corro.flow.facts import CallFact, Context
    from corro.flow.semantics import Call
    from corro.flow.state import Flow

GRAPH = "tensorflow.Graph"
_DEFAULT = "the default graph"
_MODE = "in graph "
_ANY = "any name"
_OWNER = -4
"""The owner of the named parts of graphs."""
_NAME = re.compile(r"([A-Za-z0-9_]+/)*([A-Za-z][A-Za-z0-9_]*?)(_\d+)?(:0)?")
_GIVEN = frozenset({"add", "sub", "mul", "truediv", "div", "floordiv", "mod", "pow", "and", "or", "xor", "zeros",
                    "ones", "zeros_like", "ones_like", "one_hot", "concat", "stack", "unstack", "split", "range",
                    "transpose", "strided_slice", "random_uniform", "random_normal", "truncated_normal", "eye",
                    "clip_by_value", "init", "group_deps", "cond", "global_step", "save",
                    "report_uninitialized_variables"})  # fmt: skip
"""What TensorFlow calls operations that are given no name; those it writes with a capital are known by that."""
_INSIDE = frozenset({"kernel", "bias", "weights", "biases", "gamma", "beta", "moving_mean", "moving_variance", "value",
                     "read", "gradients", "cond", "while"})  # fmt: skip
"""What layers and losses call their parts, in scopes of their own."""
_SCOPES = frozenset({"name_scope", "variable_scope", "variable_op_scope", "op_scope"})
_READS = frozenset({"import_meta_graph", "import_graph_def"})
"""What makes parts of a graph that are written in a file."""


def mode(context: Value) -> frozenset[str]:
    """What ``with graph.as_default()`` switches on."""
    return frozenset({f"{_MODE}{_number(context)}"}) if context.name == GRAPH else frozenset()


def graph_of(context: Context, given: Value | None = None) -> str:
    """The graph that is made, or run: the one that is given, or the default one; empty where it may be several."""
    if given is not None and given.kind is not Kind.NONE:
        return f"{_MODE}{_number(given)}" if given.name == GRAPH and len(given.sites) == 1 else ""
    found = [each for each in context.modes if each.startswith(_MODE)]
    return found[0] if len(found) == 1 else "" if found else _DEFAULT


def _number(graph: Value) -> str:
    return ",".join(str(number) for number in sorted(graph.sites))


def note(flow: Flow, last: str, call: Call, made: Value) -> None:
    """A part of the graph is made; any text that it is given may be its name."""
    graph = graph_of(flow.context)
    if last in _SCOPES:
        return
    for text in _texts(last, call.args, call.keywords):
        key = f"{graph} {text}"
        known = flow.field(_OWNER, key)
        flow.set_field(_OWNER, key, made if known is None else joined(known, made))


def found(flow: Flow, graph: str, name: object) -> Value | None:
    """The part of a graph that a text names; ``None`` where that is not known."""
    if not graph or any(flow.field(_OWNER, f"{each} {_ANY}") is not None for each in ("", graph)):
        return None
    result: Value | None = None
    for text in meant(name):
        for each in ("", graph):
            part = flow.field(_OWNER, f"{each} {text}")
            result = part if result is None or part is None else joined(result, part)
    return result


def meant(text: object) -> tuple[str, ...]:
    """What a part of the graph may have been called by the script for its name to be this."""
    match = _NAME.fullmatch(text) if isinstance(text, str) else None
    if match is None or match[2][:1].isupper() or match[2] in _GIVEN or (match[1] and match[2] in _INSIDE):
        return ()
    return (match[2], match[2] + match[3]) if match[3] else (match[2],)


def makers(facts: Iterable[CallFact], graph: str, name: object) -> tuple[ast.Call, ...]:
    """The calls that may have made the part of a graph that a text names."""
    texts = set(meant(name))
    return tuple(
        dict.fromkeys(
            fact.node
            for fact in facts
            if _makes(fact)
            and graph_of(fact.context) in ("", graph)
            and texts & set(_texts("", fact.args, fact.keywords))
        )
    )


def _makes(fact: CallFact) -> bool:
    if fact.receiver is not None:
        return fact.receiver.kind is Kind.OPTIMIZER
    name = plain(fact.name)
    return name.startswith("tensorflow.") and name.rpartition(".")[2] not in _SCOPES


def _texts(last: str, args: Iterable[Value], keywords: Mapping[str, Value]) -> Iterator[str]:
    """What may be the name; a mark for one that is made up as the program runs."""
    for value in (*args, *keywords.values()):
        if isinstance(value.const, str):
            yield value.const
    name = keywords.get("name")
    if last in _READS or (name is not None and name.kind is not Kind.NONE and not isinstance(name.const, str)):
        yield _ANY
