"""Shared by rules: the generators of random numbers that libraries of Python have of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.targets.base import Code

if TYPE_CHECKING:
    from corro.targets.naming import Library


def generator(library: Library, name: str) -> Code:
    """The module whose ``seed`` function seeds the generator of a library, ``"numpy"`` or ``"random"``."""
    if name == "numpy":
        return Code(f"{library.name('numpy', 'np')}.random", (library.imports("numpy", "np"),))
    return Code(library.name(name), (library.imports(name),))


STATES = {
    "torch": ("get_rng_state", "set_rng_state"),
    "numpy": ("get_state", "set_state"),
    "random": ("getstate", "setstate"),
}
"""What gives and sets the state of a library's generator."""


def drawn(library: Library, name: str) -> str:
    """An expression: a seed, drawn from that generator."""
    return f"{generator(library, name).text}.{'randint' if name == 'numpy' else 'randrange'}(2**31)"
