"""Who is this name: scopes, bindings, imports and aliases of a module."""

from rueda.names.names import Names
from rueda.names.scopes import Kind, Scope

__all__ = ["Kind", "Names", "Scope"]
