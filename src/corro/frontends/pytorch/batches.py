"""What the batches of a loader look like: the samples of its data set, put together by its ``collate_fn``.

Both are read aside, only for what they give: how many dimensions the parts of a batch have, which of them counts
samples, and whether the rows of a batch are samples at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, combine, sharded
from corro.flow import depths
from corro.flow.semantics import Call
from corro.flow.values import ONE_EACH, UNKNOWN, UNSET, Value, number
from corro.frontends import tensors
from corro.frontends.pytorch import collating, loaders, streams

if TYPE_CHECKING:
    from corro.flow.facts import CallFact
    from corro.flow.state import Flow

_COLLATE = 6
_LISTING = frozenset({"list", "tuple"})
"""What gives the samples themselves: a row for each, as a tensor has."""
_JOINING = frozenset({"cat", "concat", "concatenate", "hstack", "vstack"})


def content(flow: Flow, data: Value, call: Call, loader: frozenset[int]) -> Value:
    """A batch: a tuple of its parts, with what is known of their shapes, of none where nothing is; or one tensor."""
    collate = call.argument(_COLLATE, "collate_fn")
    with flow.aside():
        sample = _sample_of(flow, data)
        parts = _parts_of(flow, data, sample)
    if collate is None or collate.kind is Kind.NONE:
        one = sample.kind in (Kind.TENSOR, Kind.NUMBER) and not sample.may_be_none
        return _described(flow, sample).but(kind=Kind.TENSOR) if one else Value(Kind.TUPLE, items=parts)
    if collate.kind not in (Kind.FUNCTION, Kind.INSTANCE):
        return Value(Kind.TENSOR if collate.name in _LISTING else Kind.TUPLE)
    return _collated(flow, collate, parts, loader)


def with_rows(flow: Flow, loader: Value, parts: tuple[Value, ...], call: Call) -> Value:
    """A loader whose ``collate_fn`` may make other rows than one of each sample: of some parts, or of all."""
    collate = call.argument(_COLLATE, "collate_fn")
    function = collating.function_of(flow, collate) if collate is not None else None
    others = collating.parts_with_other_rows(function) if function is not None else frozenset[object]()
    keys = [part.const if isinstance(part.const, str) else n for n, part in enumerate(parts)]
    if others is None or not others <= set(keys):
        return loader.but(tags=loader.tags | {tensors.SELECTED})
    told = (
        part.but(tags=part.tags | {tensors.SELECTED}) if key in others else part
        for key, part in zip(keys, parts, strict=True)
    )
    return loaders.with_parts(loader, tuple(told)) if others else loader


def samples_of(flow: Flow, data: Value) -> tuple[Value, ...]:
    """The parts of a sample of a data set; a depth is the number of dimensions of a sample."""
    with flow.aside():
        return _parts_of(flow, data, _sample_of(flow, data))


def _sample_of(flow: Flow, data: Value) -> Value:
    """A sample of a data set whose samples the text shows."""
    if data.kind is Kind.DATASET and data.obj and flow.has_method(data, "__getitem__"):
        index = number(integer=True)
        return flow.call_method(data, "__getitem__", Call(flow.unwritten("__getitem__"), (index,)))
    if data.kind is Kind.DATASET and data.obj:
        given = streams.iterate(flow, data)
        return UNKNOWN if given is None else given.element
    if data.kind is Kind.TENSOR:
        return Value(Kind.TENSOR)
    return flow.element(data) if data.kind is Kind.LIST else UNKNOWN


def _parts_of(flow: Flow, data: Value, sample: Value) -> tuple[Value, ...]:
    library = data.kind is Kind.DATASET and not data.obj
    return data.items if library else tuple(_described(flow, part) for part in _named(flow, sample))


def _named(flow: Flow, sample: Value) -> tuple[Value, ...]:
    """The parts of a tuple, or of a dict, whose parts have their keys as constants."""
    if sample.kind is Kind.TUPLE:
        return tuple(part.but(const=UNSET) for part in sample.items)
    if sample.kind is Kind.DICT:
        return tuple(part.but(const=key) for key, part in flow.keyword_items(sample).items())
    return flow.literal_items(sample) or ()


def pictures(flow: Flow, call: Call) -> Value:
    """What is known of the pictures of a data set: several of each sample where its ``transform`` makes a list."""
    transform = call.keywords.get("transform", UNKNOWN)
    own = transform.kind is Kind.FUNCTION or (
        transform.kind is Kind.INSTANCE and flow.has_method(transform, "__call__")
    )
    if not own:
        return Value()
    with flow.aside():
        return _described(flow, flow.call_value(transform, Call(flow.unwritten("transform"), (UNKNOWN,))))


def outline(part: Value) -> Value:
    """What is known of a part of a sample where it is a part of another data set."""
    several = part.kind is Kind.TUPLE
    return part.but(items=tuple(map(outline, part.items))) if several else Value(depth=part.depth)


def _described(flow: Flow, part: Value) -> Value:
    """A part of a sample that was made of arrays, whose depths are counted from the first dimension.

    Of several in a list, as of views of one picture, each is a part of its own.
    """
    several = part.items if part.kind is Kind.TUPLE else flow.literal_items(part)
    if several:
        return Value(Kind.TUPLE, items=tuple(_described(flow, each) for each in several), const=part.const)
    depth = depths.known(0) if part.kind is Kind.NUMBER else depths.changed(part.depth, 1)
    return Value(depth=depth, batch_dim=0, const=part.const)


def found(parts: tuple[Value, ...], key: object) -> Value:
    """What is known of the part of a batch at a position, or under a key."""
    if isinstance(key, str):
        return next((part for part in parts if part.const == key), Value())
    return parts[key] if isinstance(key, int) and 0 <= key < len(parts) else Value()


def replaced(batch: Value, key: object, value: Value) -> Value | None:
    """A batch with another part at a position or under a key, which may be a new one.

    Where parts are not told apart, each of them may be what is no part of the data.
    """
    names = [part.const if isinstance(part.const, str) else n for n, part in enumerate(batch.items)]
    strange = not value.placement.is_equal and value.form is not Form.SHARDED
    if not names or not (key in names or isinstance(key, str)):
        return batch.but(placement=combine((batch.placement, value.placement))) if strange else None
    known: dict[object, Value] = dict(zip(names, batch.items, strict=True))
    known[key] = Value(
        placement=value.placement if strange else Placement(),
        depth=value.depth,
        batch_dim=value.batch_dim,
        tags=value.tags & tensors.KEPT_TAGS,
        const=key if isinstance(key, str) else UNSET,
    )
    return batch.but(items=tuple(known.values()))


def _collated(flow: Flow, collate: Value, samples: tuple[Value, ...], loader: frozenset[int]) -> Value:
    """What a function of the script makes of a list of samples: the list itself has a row for each, as a tensor has."""
    with flow.aside():
        given = Value(Kind.LIST, items=(_sample(flow, samples, loader),), tags=frozenset({ONE_EACH}))
        made = flow.call_value(collate, Call(flow.unwritten("collate_fn"), (given,)))
        if ONE_EACH in made.tags:
            return Value(Kind.TENSOR)
        return Value(Kind.TUPLE, items=tuple(_told(part).but(const=part.const) for part in _named(flow, made)))


def _sample(flow: Flow, parts: tuple[Value, ...], loader: frozenset[int]) -> Value:
    """A sample that has these parts: a tuple, or a dict where they have keys."""
    sample = Value(Kind.BATCH, sharded(loader), tags=frozenset({tensors.SAMPLE}))
    known = tuple(part_of(sample).but(depth=part.depth, const=part.const) for part in parts)
    if not known:
        return sample
    if not all(isinstance(part.const, str) for part in known):
        return Value(Kind.TUPLE, items=known)
    held = flow.new_object(flow.unwritten("sample"), Kind.DICT)
    for part in known:
        flow.put_item(held, Value(Kind.TEXT, const=part.const), part.but(const=UNSET))
    return held


def _told(part: Value) -> Value:
    """What is known of a part of a batch that a function has put together."""
    if part.form is Form.UNKNOWN and part.depth:  # of samples that were put together in a way that is known
        return Value(placement=part.placement, batch_dim=0)
    if part.kind is not Kind.TENSOR or part.form is not Form.SHARDED or tensors.SAMPLE in part.tags:
        return Value(batch_dim=0)
    return Value(batch_dim=part.batch_dim, depth=part.depth, tags=part.tags & {tensors.SELECTED, tensors.PACKED})


def part_of(owner: Value) -> Value:
    """A part of a batch, or of one sample, of which nothing more is known."""
    if tensors.SAMPLE in owner.tags:
        return Value(Kind.TENSOR, owner.placement, tags=owner.tags & {tensors.SAMPLE})
    return Value(Kind.TENSOR, owner.placement, batch_dim=0)


def joined(name: str, sample: Value, along: Value | None) -> Value:
    """What becomes of all the samples of a batch in ``stack`` and ``cat``.

    ``cat`` puts the rows of samples one after another: each process has another number of rows.
    """
    dimension = 0 if along is None else along.const
    tags = sample.tags - {tensors.SAMPLE, tensors.ONE_ROW}
    if name in _JOINING and tensors.ONE_ROW not in sample.tags:
        return sample.but(batch_dim=0, depth=depths.UNKNOWN, tags=tags | {tensors.SELECTED})
    before = isinstance(dimension, int) and dimension >= 0
    depth = depths.changed(sample.depth, -dimension) if isinstance(dimension, int) and before else depths.UNKNOWN
    return sample.but(batch_dim=dimension if before else None, depth=depth, tags=tags)


PACKING = frozenset({"pack_padded_sequence", "pack_sequence", "PackedSequence"})
"""What packs sequences of unequal length."""
UNPACKING = "pad_packed_sequence"
OF_SEQUENCES = PACKING | {UNPACKING, "pad_sequence"}
_BATCH_FIRST = 2
_TOTAL_LENGTH = 3


def packed(name: str, given: Value, call: Call) -> Value:
    """Sequences that are packed; where samples do not stand where ``batch_first`` says, nothing is known of them."""
    first = call.argument(_BATCH_FIRST, "batch_first")
    leads = False if first is None else first.const
    turned = not isinstance(leads, bool) or given.batch_dim not in (None, 0 if leads else 1)
    known = given.form is not Form.SHARDED or name != "pack_padded_sequence" or not turned
    tags = given.tags & tensors.KEPT_TAGS - {tensors.SAMPLE, tensors.ONE_ROW, tensors.SELECTED} | {tensors.PACKED}
    return Value(
        Kind.TENSOR, given.placement if known else given.placement.with_form(Form.UNKNOWN), batch_dim=0, tags=tags
    )


def unpacked(given: Value, call: Call) -> Value | None:
    """``pad_packed_sequence``: the steps of each sample, filled up to one length, and how many there are of each.

    A length that is told has to be equal on all processes: where none is told, rules look after it.
    """
    if tensors.PACKED not in given.tags:
        return None
    first, told = call.argument(1, "batch_first"), total_length(call)
    leads = False if first is None else first.const
    placement = given.placement
    if given.form is Form.SHARDED and not (isinstance(leads, bool) and (told is None or told.placement.is_equal)):
        placement = placement.with_form(Form.UNKNOWN)
    steps = Value(Kind.TENSOR, placement, batch_dim=0 if leads else 1, tags=given.tags - {tensors.PACKED})
    lengths = Value(Kind.TENSOR, placement, batch_dim=0, depth=depths.known(0))
    return Value(Kind.TUPLE, placement, items=(steps, lengths))


def total_length(call: Call | CallFact) -> Value | None:
    """The length that packed sequences are to be filled up to; ``None`` where that is the longest of them."""
    told = call.argument(_TOTAL_LENGTH, "total_length")
    return None if told is None or told.kind is Kind.NONE else told


def padded(sample: Value, call: Call) -> Value:
    """``pad_sequence``: time comes first unless the batch does."""
    first = call.argument(1, "batch_first")
    leads = False if first is None else first.const
    tags = sample.tags - {tensors.SAMPLE, tensors.ONE_ROW}
    if not isinstance(leads, bool):
        return sample.but(batch_dim=None, depth=depths.UNKNOWN, tags=tags)
    return sample.but(batch_dim=0 if leads else 1, depth=depths.changed(sample.depth, leads - 1), tags=tags)
