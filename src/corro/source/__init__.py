"""Text in, text out: source files, spans, and edits as values. The only place that writes code."""

from corro.source.calls import (
    add_keyword,
    add_parameter,
    parenthesised,
    remove_argument,
    replace_node,
    set_keyword,
    wrap,
)
from corro.source.edits import (
    AddArgument,
    After,
    Before,
    Edit,
    EditError,
    Guard,
    Import,
    Insert,
    Lift,
    Remove,
    RemoveArgument,
    Replace,
    Under,
    Wrap,
    indented,
)
from corro.source.file import SourceFile
from corro.source.imports import imports_only, sets_environment, sets_path
from corro.source.lower import apply, rewritten, text_edits
from corro.source.reading import read_source
from corro.source.span import Span
from corro.source.walking import Nodes, arguments_of, children, position, walk

__all__ = [
    "AddArgument",
    "After",
    "Before",
    "Edit",
    "EditError",
    "Guard",
    "Import",
    "Insert",
    "Lift",
    "Nodes",
    "Remove",
    "RemoveArgument",
    "Replace",
    "SourceFile",
    "Span",
    "Under",
    "Wrap",
    "add_keyword",
    "add_parameter",
    "apply",
    "arguments_of",
    "children",
    "imports_only",
    "indented",
    "parenthesised",
    "position",
    "read_source",
    "remove_argument",
    "replace_node",
    "rewritten",
    "set_keyword",
    "sets_environment",
    "sets_path",
    "text_edits",
    "walk",
    "wrap",
]
