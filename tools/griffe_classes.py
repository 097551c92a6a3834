"""Tells Griffe, which reads the API for the site, what only shows where Corro runs."""

from __future__ import annotations

from typing import Any

import griffe

_OWN, _STANDARD = "corro.classes.", "dataclasses."


class Told(griffe.Extension):
    """Takes ``corro.classes`` for ``dataclasses``, as type checkers do, and keeps functions named like a module."""

    def __init__(self) -> None:
        super().__init__()
        self._functions: list[griffe.Function] = []

    def on_module_members(self, *, mod: griffe.Module, **_: Any) -> None:
        """Look at what a module has."""
        for member in mod.members.values():
            if isinstance(member, griffe.Alias) and member.target_path.startswith(_OWN):
                member.target_path = _STANDARD + member.target_path.removeprefix(_OWN)
            if isinstance(member, griffe.Function) and mod.is_init_module:
                self._functions.append(member)

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Give a function that a module of its name has replaced the name ``name()``."""
        for function in self._functions:
            home = function.parent
            if home is not None and home.members.get(function.name) is not function:
                home.members[f"{function.name}()"] = function
