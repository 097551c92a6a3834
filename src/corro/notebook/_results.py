"""What the processes have left for the kernel, put into its namespace."""

from __future__ import annotations

import ast
import io
import pickle
import sys
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from corro.notebook._program import IN_PLACE, LOADS_STATE, NEW, SEEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass
class Report:
    """What was brought back, with what it is, and what was not, with the reason."""

    brought: dict[str, str] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)


def ways_of(namespace: Mapping[str, Any]) -> dict[str, str]:
    """How names of the kernel can take something over: see ``Cells``."""
    found = {}
    for name, value in namespace.items():
        if name.startswith("_") or isinstance(value, type):
            continue
        if has_state(value):
            found[name] = LOADS_STATE
        elif isinstance(value, (list, dict, set, deque)) or _is_array(value):
            found[name] = IN_PLACE
        elif type(value).__module__ == "__main__":
            found[name] = SEEN
    return found


def has_state(value: Any) -> bool:
    """Whether an object has weights, or a state of another kind, that can be loaded."""
    torch_like = hasattr(value, "state_dict") and hasattr(value, "load_state_dict")
    return torch_like or (hasattr(value, "get_weights") and hasattr(value, "set_weights"))


def take(content: bytes, ways: Mapping[str, str], definitions: Iterable[ast.stmt], namespace: dict[str, Any]) -> Report:
    """Put into the namespace what processes have written, and make the cell's imports, functions and classes there."""
    report = Report()
    _define(definitions, namespace, report)
    written = pickle.loads(content)
    for name in written["unset"]:
        report.left[name] = "never set"
    report.left |= written["left"]
    for part in written["parts"]:
        _take_part(part, ways, namespace, report)
    return report


def _define(definitions: Iterable[ast.stmt], namespace: dict[str, Any], report: Report) -> None:
    for node in definitions:
        try:
            exec(compile(ast.Module([node], []), "<corro>", "exec"), namespace)
        except Exception as error:  # whatever the user's code raises
            name = getattr(node, "name", ast.unparse(node))
            report.left[name] = f"{type(error).__name__}: {error}"


class _Unpickler(pickle.Unpickler):
    """Puts in the kernel's own objects, and their tensors, where the processes had theirs."""

    def __init__(self, data: bytes, namespace: Mapping[str, Any]) -> None:
        super().__init__(io.BytesIO(data))
        self._namespace = namespace
        self._tensors: dict[str, dict[str, Any]] = {}

    def persistent_load(self, pid: Any) -> Any:
        name, path = pid
        owner = self._namespace[name]
        if not path:
            return owner
        if name not in self._tensors:
            self._tensors[name] = {**dict(owner.named_parameters()), **dict(owner.named_buffers())}
        return self._tensors[name][path]


def _take_part(part: bytes, ways: Mapping[str, str], namespace: dict[str, Any], report: Report) -> None:
    try:
        forms: dict[str, tuple[str, Any]] = _Unpickler(part, namespace).load()
    except Exception as error:  # a class that the kernel does not have, or a device
        for name in _names_in(part, ways):
            report.left[name] = f"{type(error).__name__}: {error}"
        return
    forms = forms if isinstance(forms, dict) else {}
    for name, (form, data) in forms.items():
        try:
            report.brought[name] = _put(name, form, data, ways[name], namespace)
        except Exception as error:  # weights of another shape, for instance
            message = str(error).strip().split("\n")[0]
            report.left[name] = f"{type(error).__name__}: {message}"


def _names_in(part: bytes, ways: Mapping[str, str]) -> list[str]:
    """The names of a part that cannot be read as a whole: texts in it."""
    import pickletools  # noqa: PLC0415

    words = {word for _, word, _ in pickletools.genops(part) if isinstance(word, str)}
    return [name for name in ways if name in words]


def _put(name: str, form: str, data: Any, way: str, namespace: dict[str, Any]) -> str:
    """Give the kernel one value; the answer says what it is."""
    if form == "state":
        namespace[name].load_state_dict(data)
        return "weights" if hasattr(namespace[name], "parameters") else "state"
    if form == "weights":
        namespace[name].set_weights(data)
        return "weights"
    value = _made(form, data)
    old = namespace.get(name)
    if way != IN_PLACE or not _filled(old, value):
        namespace[name] = value
    return described(value)


def _made(form: str, data: Any) -> Any:
    if form == "keras":
        kind, config, weights = data
        model = kind.from_config(config)
        model.set_weights(weights)
        return model
    if form == "history":
        made = sys.modules["keras"].callbacks.History()
        made.history, made.epoch, made.params = data
        return made
    return data


def _filled(old: Any, new: Any) -> bool:
    """Whether an object of the kernel could take over what is in another one, so that it stays the same object."""
    if type(old) is not type(new):
        return False
    if isinstance(old, list):
        old[:] = new
    elif isinstance(old, (dict, set)):
        old.clear()
        old.update(new)
    elif isinstance(old, deque):
        old.clear()
        old.extend(new)
    elif _is_array(old) and old.shape == new.shape and old.dtype == new.dtype:
        if hasattr(old, "detach"):
            old.detach().copy_(new)
        else:
            old[...] = new
    else:
        return False
    return True


def _is_array(value: Any) -> bool:
    known = ((sys.modules.get("torch"), "Tensor"), (sys.modules.get("numpy"), "ndarray"))
    return any(module is not None and isinstance(value, getattr(module, name)) for module, name in known)


def described(value: Any) -> str:
    """What a value is, in a few words."""
    kind = type(value).__name__
    if isinstance(value, (list, tuple, set, dict, deque)):
        return f"{kind} of {len(value)}"
    if _is_array(value):
        return f"{kind} {tuple(value.shape)}"
    return kind


def in_words(report: Report, shown_as: Mapping[str, str]) -> list[str]:
    """What is said at the end."""
    lines = []
    if report.brought:
        told = (f"{shown_as.get(name, name)} ({what})" for name, what in report.brought.items())
        lines.append(f"Brought back: {', '.join(told)}.")
    if report.left:
        by_reason: dict[str, list[str]] = {}
        for name, why in report.left.items():
            by_reason.setdefault(why.rstrip("."), []).append(shown_as.get(name, name))
        reasons = "; ".join(f"{', '.join(names)} ({why})" for why, names in by_reason.items())
        lines.append(f"Not brought back: {reasons}.")
    if not lines:
        lines.append("There was nothing to bring back.")
    return lines


__all__ = ["IN_PLACE", "LOADS_STATE", "NEW", "SEEN", "Report", "described", "has_state", "in_words", "take", "ways_of"]
