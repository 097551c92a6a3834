"""Who is this name: scopes, bindings, imports and aliases of a module."""

from corro.names.names import Names
from corro.names.scopes import Kind, Scope

__all__ = ["Kind", "Names", "Scope"]
