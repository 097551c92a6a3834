"""Helpers for rules: edits of calls and of expressions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.source.arguments import Arguments
from corro.source.edits import AddArgument, Edit, Insert, RemoveArgument, Replace, Wrap
from corro.source.span import Span
from corro.source.tokens import Kind, Tokens

if TYPE_CHECKING:
    from corro.source.file import SourceFile

_CLOSED = (
    *(ast.Name, ast.Constant, ast.JoinedStr, ast.Call, ast.Attribute, ast.Subscript),
    *(ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp),
)


def add_keyword(source: SourceFile, call: ast.Call, name: str, text: str) -> tuple[Edit, ...]:
    """Add ``name=text`` at the end of the arguments of ``call``, in front of any ``**`` mapping."""
    return (AddArgument(call, f"{name}={text}"),)


def set_keyword(source: SourceFile, call: ast.Call, name: str, text: str) -> tuple[Edit, ...]:
    """Give the keyword ``name`` of ``call`` the value ``text``, whether it is there already or not."""
    arguments = Arguments(source, call)
    for slot in arguments.slots:
        if isinstance(slot.node, ast.keyword) and slot.node.arg == name:
            value = arguments.tokens.between(slot.span.start, slot.span.end)[2]
            return (Replace(Span(value.start, slot.span.end), text),)
    return add_keyword(source, call, name, text)


def add_parameter(source: SourceFile, function: ast.FunctionDef, text: str) -> tuple[Edit, ...]:
    """Add a parameter with a default, ``name=default``, behind the others of ``function``, which takes no ``**``."""
    tokens, depth = source.tokens, 0
    first = tokens.index_from(source.span(function).start)
    for index, token in enumerate(tokens.code[first:], first):
        written = tokens.string(token)
        depth += (written in "([{") - (written in ")]}")
        if written == ")" and depth == 0:
            last = tokens.code[index - 1]
            separator = {"(": "", ",": " "}.get(tokens.string(last), ", ")
            return (Insert(last.end, separator + text),)
    raise ValueError(f"{function.name} has no list of parameters")


def remove_argument(source: SourceFile, call: ast.Call, argument: ast.expr | ast.keyword) -> tuple[Edit, ...]:
    """Take a positional or keyword argument out of ``call``, with its comma."""
    return (RemoveArgument(call, argument),)


def replace_node(source: SourceFile, node: ast.AST, text: str) -> tuple[Edit, ...]:
    """Put ``text`` in the place of an expression; parentheses around it stay."""
    return (Replace(source.span(node), text),)


def wrap(source: SourceFile, node: ast.AST, before: str, after: str) -> tuple[Edit, ...]:
    """Put ``before`` and ``after`` around an expression, as in ``len(`` … ``)``."""
    return (Wrap(source.span(node), before, after),)


def parenthesised(source: SourceFile, node: ast.expr) -> str:
    """The text of an expression, in parentheses where it could fall apart as part of a larger one."""
    text = source.segment(node)
    closed = isinstance(node, _CLOSED) and _on_one_line(text)
    return text if closed or _is_parenthesised(text) else f"({text})"


def _on_one_line(text: str) -> bool:
    """Whether no line ends outside brackets and strings."""
    return not Tokens(text).newlines


def _is_parenthesised(text: str) -> bool:
    """Whether the parenthesis at the start closes at the end."""
    tokens, depth = Tokens(text), 0
    if not text.startswith("("):
        return False
    for token in tokens.code:
        if token.kind is Kind.OP:
            depth += (text[token.start] in "([{") - (text[token.start] in ")]}")
        if depth == 0:
            return token.end == len(text)
    return False
