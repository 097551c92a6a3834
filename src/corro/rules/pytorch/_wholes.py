"""Shared by rules that reduce: how several values become the whole in one collective."""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends import tensors
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.rules.pytorch._job import Job
    from corro.rules.reducing import Part


class _Library(Enum):
    """Whose number, or whose numbers in a list, a part is."""

    PYTHON = "a number of Python"
    NUMPY = "a number of NumPy"
    TORCH = "a tensor"


def reduction(job: Job, parts: Sequence[Part]) -> Code:
    """Statements that assign the whole of every part, with one collective for all numbers, one for each list or array.

    What is a tensor, or of NumPy, stays so.
    """
    codes = [_list(job, part) for part in parts if part.is_list]
    codes += [_array(job, part) for part in parts if part.is_array]
    numbers = [part for part in parts if not (part.is_list or part.is_array)]
    if numbers:
        codes.insert(0, _numbers(job, numbers))
    imports = [*job.torch_import, *(each for code in codes for each in code.imports)]
    if any(_library(job, part) is _Library.NUMPY for part in parts):
        imports.append(job.target.library.imports("numpy", "np"))
    return Code("\n".join(code.text for code in codes), tuple(imports))


def _library(job: Job, part: Part) -> _Library:
    if tensors.NUMPY in part.value.tags:
        plain = part.value.kind is Kind.NUMBER and not part.is_list and not _shows_its_type(job, part)
        return _Library.PYTHON if plain else _Library.NUMPY  # float64 is a float
    return _Library.TORCH if part.value.kind is Kind.TENSOR else _Library.PYTHON


def _shows_its_type(job: Job, part: Part) -> bool:
    """Whether an attribute is read of what an expression gives, or it is put into a list, tuple or dict."""
    return any(job.segment(each) == part.expression for n in job.nodes.of(*_HOLDING) for each in _held(job, n))


_HOLDING = (ast.Attribute, ast.List, ast.Dict, ast.Tuple)


def _held(job: Job, node: ast.AST) -> Sequence[ast.expr]:
    match node:
        case ast.Attribute(value=owner):
            return (owner,)
        case ast.List(elts=items) | ast.Dict(values=items):
            return items
        case ast.Tuple(elts=items):
            return () if isinstance(job.parent(node), ast.BinOp) else items  # what % formats
    return ()


def _numpy(job: Job) -> str:
    return job.target.library.name("numpy", "np")


# ---------------------------------------------------------------------- lists


def _list(job: Job, part: Part) -> Code:
    torch, name, library = job.target.torch, part.name, _library(job, part)
    numbers = f"{_numpy(job)}.array({part.expression})" if library is _Library.NUMPY else part.expression
    code = job.target.all_reduce(name, f"{torch}.tensor({numbers}, dtype={torch}.float64)")
    integer = bool(part.value.integer) and not part.mean
    whole = f"{name} / {job.target.world_size}" if part.mean else f"{name}.long()" if integer else name
    owner = f"({whole})" if part.mean else whole
    single = library is _Library.TORCH and not integer and tensors.DOUBLE not in part.value.tags
    restored = {
        _Library.PYTHON: f"{owner}.tolist()",
        _Library.NUMPY: f"list({owner}.numpy())",
        _Library.TORCH: f"list({owner}.float())" if single else f"list({whole})",
    }
    return Code(f"{code.text}\n{name} = {restored[library]}", code.imports)


# ---------------------------------------------------------------------- arrays


def _array(job: Job, part: Part) -> Code:
    """A tensor or an array of the type that it had, made of a copy: others may have a name for it."""
    torch, is_numpy = job.target.torch, _library(job, part) is _Library.NUMPY
    name = job.names.fresh(f"total_{part.expression}", {part.name})
    copied = f"{torch}.tensor({part.expression}, dtype={torch}.float64)"
    code = job.target.all_reduce(name, copied if is_numpy else f"{part.expression}.detach().clone().double()")
    whole = f"({name} / {job.target.world_size})" if part.mean else name
    restored = (
        f"{whole}.numpy().astype({part.expression}.dtype)" if is_numpy else f"{whole}.to({part.expression}.dtype)"
    )
    return Code(f"{code.text}\n{part.name} = {restored}", code.imports)


# ---------------------------------------------------------------------- numbers


def _numbers(job: Job, parts: Sequence[Part]) -> Code:
    torch = job.target.torch
    single = len(parts) == 1
    name = job.names.fresh("total" if single else "totals", {p.name for p in parts})
    values = [_as_number(p) for p in parts]
    packed = values[0] if single else f"[{', '.join(values)}]"
    code = job.target.all_reduce(name, f"{torch}.tensor({packed}, dtype={torch}.float64)")
    targets = ", ".join(p.name for p in parts)
    if not single and all(_is_plain_float(job, p) and not p.mean for p in parts):
        line = f"{targets} = {name}.tolist()"
    else:
        items = [name] if single else [f"{name}[{i}]" for i in range(len(parts))]
        line = f"{targets} = {', '.join(_restored(job, p, item) for p, item in zip(parts, items, strict=True))}"
    return Code(f"{code.text}\n{line}", code.imports)


def _is_plain_float(job: Job, part: Part) -> bool:
    return _library(job, part) is _Library.PYTHON and not part.value.integer


def _as_number(part: Part) -> str:
    if (
        tensors.IN_A_ROW in part.value.tags and tensors.NUMPY in part.value.tags
    ):  # float() is for arrays of no dimension
        return f"({part.expression}).item()" if not part.expression.isidentifier() else f"{part.expression}.item()"
    return f"float({part.expression})" if part.value.kind is not Kind.NUMBER else part.expression


def _restored(job: Job, part: Part, item: str) -> str:
    """The reduced number in the type the script had."""
    library, integer = _library(job, part), bool(part.value.integer) and not part.mean
    if library is _Library.TORCH:
        return _tensor(part, f"{item} / {job.target.world_size}" if part.mean else item, integer=integer)
    if library is _Library.PYTHON and integer:
        return f"int({item})"
    number = f"{item}.item() / {job.target.world_size}" if part.mean else f"{item}.item()"
    if library is _Library.NUMPY and tensors.IN_A_ROW in part.value.tags:
        return f"{_numpy(job)}.array([{f'int({number})' if integer else number}])"
    return number if library is _Library.PYTHON else f"{_numpy(job)}.{'int64' if integer else 'float64'}({number})"


def _tensor(part: Part, whole: str, *, integer: bool) -> str:
    """A reduced tensor, as wide and with the dimensions it had."""
    kind = f".to({part.expression}.dtype)" if part.is_tensor else ".float()"
    methods = ".long()" if integer else "" if tensors.DOUBLE in part.value.tags else kind
    methods += ".view(1)" if tensors.IN_A_ROW in part.value.tags else ""
    return f"({whole}){methods}" if methods and part.mean else f"{whole}{methods}"
