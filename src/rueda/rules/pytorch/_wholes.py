"""Shared by rules that reduce: how several values become the whole in one collective."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rueda.rules.pytorch._job import Job
    from rueda.rules.reducing import Part


def reduction(job: Job, parts: Sequence[Part]) -> Code:
    """Statements that assign the whole of every part, with one collective for all numbers and one for each list."""
    texts: list[str] = []
    imports = [*job.torch_import]
    numbers = [p for p in parts if not p.is_list]
    if numbers:
        code = _numbers(job, numbers)
        texts.append(code.text)
        imports.extend(code.imports)
    for part in parts:
        if part.is_list:
            code = job.target.all_reduce(
                part.name, f"{job.target.torch}.tensor({part.expression}, dtype={job.target.torch}.float64)"
            )
            texts += [code.text, f"{part.name} = ({part.name} / {job.target.world_size}).tolist()"]
            imports.extend(code.imports)
    return Code("\n".join(texts), tuple(imports))


def _numbers(job: Job, parts: Sequence[Part]) -> Code:
    torch = job.target.torch
    single = len(parts) == 1
    name = job.names.fresh("total" if single else "totals", {p.name for p in parts})
    values = [_as_number(p) for p in parts]
    packed = values[0] if single else f"[{', '.join(values)}]"
    code = job.target.all_reduce(name, f"{torch}.tensor({packed}, dtype={torch}.float64)")
    targets = ", ".join(p.name for p in parts)
    if not single and all(_is_plain_float(p) and not p.mean for p in parts):
        line = f"{targets} = {name}.tolist()"
    else:
        items = [name] if single else [f"{name}[{i}]" for i in range(len(parts))]
        line = f"{targets} = {', '.join(_restored(job, p, item) for p, item in zip(parts, items, strict=True))}"
    return Code(f"{code.text}\n{line}", code.imports)


def _is_plain_float(part: Part) -> bool:
    return part.value.kind is not Kind.TENSOR and not part.value.integer


def _as_number(part: Part) -> str:
    return f"float({part.expression})" if part.value.kind is not Kind.NUMBER else part.expression


def _restored(job: Job, part: Part, item: str) -> str:
    """The reduced number in the type the script had."""
    divided = f"{item} / {job.target.world_size}" if part.mean else item
    if part.value.kind is Kind.TENSOR:
        divided = f"({divided})" if part.mean else divided
        return f"{divided}.long()" if part.value.integer and not part.mean else f"{divided}.float()"
    if part.value.integer and not part.mean:
        return f"int({item})"
    return f"{item}.item() / {job.target.world_size}" if part.mean else f"{item}.item()"
