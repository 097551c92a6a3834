"""Attributes: fields, methods bound to their owner, names of libraries."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement
from corro.flow import named_tuples, python
from corro.flow.semantics import Call
from corro.flow.state import ANY, NAMES, OWN, Flow
from corro.flow.values import UNKNOWN, Value, chosen, constant, is_like, is_numbered

if TYPE_CHECKING:
    from corro.flow.facts import Frame


_MADE = (Kind.INSTANCE, Kind.DATASET, Kind.MODULE)
"""What a class of the script's own makes."""
_OF_BARS = frozenset({"n", "last_print_n", "last_print_t", "start_t", "format_dict", "pos"})
"""What a progress bar tells of how far it is, which one that shows nothing does not count."""


class Attributes(Flow):
    """Everything after a dot."""

    def attribute_of(self, owner: Value, name: str) -> Value:
        """``owner.name``: a field, a method bound to its owner, or what the frontend says."""
        if owner.kind is Kind.LIBRARY:
            return self._library_attribute(owner, name)
        if owner.kind is Kind.CHOICE and all(one.kind is Kind.LIBRARY and one.obj for one in owner.items):
            return chosen(self.either(self._library_attribute(one, name) for one in owner.items), owner.placement)
        if owner.name == python.SUPER:
            return self._super_attribute(owner, name)
        if owner.obj and owner.kind not in (Kind.FUNCTION, Kind.LIST, Kind.DICT):
            found = self._member(owner, name)
            if found is not None:
                return found
            numbered = self._numbered(owner, name)
            if numbered:
                return self.either(numbered)
        of_each = self._of_each(owner, name)
        if of_each is not None:
            return of_each
        if name == "__dict__" and owner.kind is Kind.INSTANCE and owner.obj:
            return self.attributes(owner)
        if owner.kind is Kind.PROGRESS and name in _OF_BARS:
            return Value(placement=Placement(Form.LOCAL))
        if owner.kind is Kind.PROGRESS and name == "iterable" and owner.items:
            return owner.items[0]
        asked = self._asked(owner, name)
        if asked is not None:
            return asked
        known = named_tuples.field(owner, name) or self.semantics.attribute(self, owner, name)
        if known is not None:
            return known
        return Value(Kind.METHOD, owner.placement, name=name, items=(owner,), tags=owner.tags & {python.FIGURE})

    def _of_each(self, owner: Value, name: str) -> Value | None:
        """An attribute of one of several objects of the script's own classes, if all of them have it."""
        ones = self.ones(owner)
        fields = [self.field(one.obj, name) for one in ones]
        if fields and None not in fields:
            return self.either(each for each in fields if each is not None)
        bound = ones and owner.kind is Kind.LOADER and all(self.has_method(one, name) for one in ones)
        return Value(Kind.METHOD, owner.placement, name=name, items=(owner,)) if bound else None

    def ones(self, value: Value) -> tuple[Value, ...]:
        """The objects of the script's own classes that a value is one of; empty where it may be another one."""
        if value.kind is Kind.LOADER and not value.obj and not value.may_be_none:
            known = [self._instances[number] for number in sorted(value.locations) if number in self._instances]
            alike = all(one.kind is Kind.LOADER for one in known)
            return tuple(known) if alike and frozenset().union(*(one.sites for one in known)) == value.sites else ()
        if value.obj or value.kind not in _MADE or value.may_be_none:
            return ()
        ones = tuple(
            value.but(obj=number, locations=frozenset(), sites=frozenset({self.facts.number(self.facts.made[number])}))
            for number in sorted(value.locations)
            if number in self._class_of
        )
        return ones if frozenset().union(*(one.sites for one in ones)) == value.sites else ()

    def attributes_like(self, owner: Value, like: str) -> tuple[Value, ...]:
        """The fields and methods of a user's object whose names are like a text; empty where it may have others."""
        if not owner.obj or owner.kind in (Kind.FUNCTION, Kind.LIST, Kind.DICT, Kind.LIBRARY):
            return ()
        names = [*self.fields(owner.obj), *self._class_names(self._class_of.get(owner.obj, 0))]
        found = (self._member(owner, name) for name in dict.fromkeys(names) if is_like(name, like) or name == like)
        return tuple(value for value in found if value is not None)

    def _numbered(self, owner: Value, name: str) -> tuple[Value, ...]:
        """What was set by names of which a number is not known, such as ``f"stage{i}"`` for ``stage2``."""
        fields = self.fields(owner.obj)
        return tuple(fields[like] for like in fields if is_numbered(name, like))

    def set_like(self, owner: Value, like: str, value: Value) -> None:
        """A field is set whose name is like a text: what had such a name may be this now."""
        for name in (like, *(name for name in self.fields(owner.obj) if is_like(name, like))) if like else ():
            known = self.field(owner.obj, name)
            self.set_field(owner.obj, name, value if known is None else self.either((known, value)))

    def _class_names(self, class_number: int) -> list[str]:
        """The names that a class of the script, and those it derives from, define."""
        class_ = self._classes.get(class_number)
        if class_ is None:
            return []
        own = [*self.fields(class_.frame.number), *self.fields(class_number)]
        return [
            *own,
            *(name for base in class_.bases if base.kind is Kind.CLASS for name in self._class_names(base.obj)),
        ]

    def _asked(self, owner: Value, name: str) -> Value | None:
        """What ``__getattr__`` of a user's object gives for a name that it has not got, if it gives anything."""
        before = self._store.copy() if self._store is not None else None
        given = None if name.startswith("__") else self.special(owner, "__getattr__", constant(name))
        if self._store is None:
            self._store, given = before, None
        return given

    def parent(self) -> Value:
        """What ``super()`` gives in the running method."""
        class_frame = self._frame.closure
        for class_number, class_ in self._classes.items():
            if class_.frame is class_frame:
                first = [a.arg for a in _parameters(self._frame.scope.node)][:1]
                instance = self._get(self._frame, first[0]) if first else None
                if instance is not None:
                    return Value(name=python.SUPER, items=(instance,), obj=class_number)
        return UNKNOWN

    def become(self, value: Value) -> None:
        """The object of the running methods is this from now on: more is known of it."""
        for frame in self._frame.path():
            first = [a.arg for a in _parameters(frame.scope.node)][:1]
            known = self._get(frame, first[0]) if first else None
            if known is not None and known.obj == value.obj:
                self._set(frame, first[0], value)

    def _super_attribute(self, owner: Value, name: str) -> Value:
        instance = owner.items[0]
        for base in self._classes[owner.obj].bases:
            found = self._class_member(base.obj, name) if base.kind is Kind.CLASS else None
            if found is not None:
                return found.but(items=(instance,)) if found.kind is Kind.FUNCTION else found
        if instance.kind is Kind.MODULE:
            instance = instance.but(tags=instance.tags | {python.AS_BASE})
        return Value(Kind.METHOD, name=name, items=(instance,))

    def any_of(self, module: Value, like: str = "") -> Value:
        """What has a name like a text in a project module: one of its functions that give something, and its classes.

        What it has of libraries is for itself.
        """
        called = [
            each for name, each in self.fields(module.obj).items() if not like or name == like or is_like(name, like)
        ]
        found = tuple(dict.fromkeys(each for each in called if each.kind in (Kind.CLASS, Kind.FUNCTION)))
        found = tuple(each for each in found if each.kind is Kind.CLASS or self._gives(each))
        return Value(Kind.CHOICE, items=found, tags=frozenset({ANY})) if len(found) > 1 else next(iter(found), UNKNOWN)

    def named_by(self, text: str) -> Value | None:
        """What a text names, with dots, where ``*`` is a part of a name that is not known; ``None`` for other code."""
        first, *others = text.split(".")
        if not all(part.replace("*", "_").isidentifier() for part in (first, *others)):
            return None
        if "*" in first:
            return None if others else self._of_script(self.any_of(self.module(), first))
        found = [value] if (value := self._visible(first)) is not None else []
        for place, part in enumerate(others):
            if "*" not in part:
                found = [self.attribute_of(value, part) for value in found]
            elif place == len(others) - 1:
                weights = [self.attribute_of(value, part) for value in found if value.kind is Kind.MODULE]
                found = [self.any_of(value, part) for value in found if value.kind is Kind.LIBRARY and value.obj]
                found += weights
            else:
                found = [inner for value in found for inner in self._modules_in(value, part)]
        if "*" not in text:
            return found[0] if found else None
        own = [each for each in found if self._of_script(each) is not None or each.kind is Kind.TENSOR]
        return self.either(own) if own else None

    def _visible(self, name: str) -> Value | None:
        """What a name stands for where the interpretation is."""
        frame: Frame | None = self._frame
        while frame is not None:
            value = self._get(frame, name)
            if value is not None and (frame is self._frame or not isinstance(frame.scope.node, ast.ClassDef)):
                return value
            frame = frame.closure
        return None

    def _modules_in(self, package: Value, like: str) -> list[Value]:
        """The project modules in a package that have been imported, with names like a text."""
        if package.kind is not Kind.LIBRARY or not package.name.startswith(OWN):
            return []
        own = {name.rpartition(".")[2]: each for name, each in self._own_modules.items()
               if name.rpartition(".")[0] == package.name}  # fmt: skip
        own |= {name: each for name, each in self.fields(package.obj).items() if each.name.startswith(OWN)}
        return [each for name, each in own.items() if is_like(name, like)]

    def _of_script(self, value: Value) -> Value | None:
        """A class or a function of the script, or one of several; ``None`` for anything else."""
        return value if value.kind in (Kind.CLASS, Kind.FUNCTION, Kind.CHOICE) else None

    def _gives(self, function: Value) -> bool:
        known = self._functions.get(function.obj)
        if known is None or isinstance(known.node, ast.Lambda):
            return True
        return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(known.node))

    def _library_attribute(self, owner: Value, name: str) -> Value:
        if owner.obj and name == "__dict__":
            return Value(Kind.LIBRARY, name=NAMES, items=(owner,))
        if owner.obj:
            value = self._get(self._module_frames[owner.obj], name)
            if value is not None:
                return value
        if owner.name.startswith(OWN):
            dotted = f"{owner.name}.{name}"
            return self._own_modules.get(dotted, Value(Kind.LIBRARY, name=dotted))
        known = self.semantics.attribute(self, owner, name)
        return known if known is not None else python.of_library(self.semantics.public(f"{owner.name}.{name}"))

    def _member(self, owner: Value, name: str) -> Value | None:
        value = self.field(owner.obj, name)
        if value is not None:
            return value
        class_number = owner.obj if owner.kind is Kind.CLASS else self._class_of.get(owner.obj)
        found = self._class_member(class_number, name) if class_number is not None else None
        if found is None or found.kind is not Kind.FUNCTION:
            return found
        if "staticmethod" in found.tags or (owner.kind is Kind.CLASS and "classmethod" not in found.tags):
            return found
        bound = found.but(items=(owner,))
        if "property" in found.tags:
            return self._call_function(bound, Call(self.unwritten(name), ()))
        return bound

    def _class_member(self, class_number: int, name: str) -> Value | None:
        class_ = self._classes.get(class_number)
        if class_ is None:
            return None
        value = self.field(class_number, name) or self._get(class_.frame, name)
        if value is not None:
            return value
        for base in class_.bases:
            if base.kind is Kind.CLASS:
                inherited = self._class_member(base.obj, name)
                if inherited is not None:
                    return inherited
        return None

    def method_node(self, owner: Value, name: str) -> ast.AST | None:
        """The definition of a method of a user's object."""
        class_number = self._class_of.get(owner.obj)
        found = self._class_member(class_number, name) if class_number is not None else None
        return self._functions[found.obj].node if found is not None and found.kind is Kind.FUNCTION else None

    def class_node(self, owner: Value) -> ast.ClassDef | None:
        """The definition of the class of a user's object."""
        class_ = self._classes.get(self._class_of.get(owner.obj, 0))
        return class_.node if class_ is not None else None

    def library_bases_of(self, instance: Value) -> frozenset[str]:
        """The dotted names of the library classes that the class of a user's object derives from."""
        return self.library_bases(self._class_of.get(instance.obj, 0))

    def library_bases(self, class_number: int) -> frozenset[str]:
        """The dotted names of the library classes a class of the script derives from."""
        class_ = self._classes.get(class_number)
        if class_ is None:
            return frozenset()
        names: set[str] = set()
        for base in class_.bases:
            if base.kind is Kind.CLASS:
                names |= self.library_bases(base.obj)
            elif base.kind is Kind.LIBRARY:
                names.add(base.name)
        return frozenset(names)


def _parameters(node: ast.AST) -> list[ast.arg]:
    return node.args.args if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else []
