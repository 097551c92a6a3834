"""Batches of torchtext: its iterators put the examples of a data set together, field by field.

A batch has an attribute for each field. Texts have the time in their first dimension and the samples in their second
one, unless their field says ``batch_first``; what is no sequence has the samples alone. An iterator takes its batches
out of an order that it draws anew for each epoch: from the state that Python's generator had when it was made.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow import depths
from corro.flow.values import NONE, UNSET, Common, Value, number
from corro.frontends.batch_sources import ASSUMED

if TYPE_CHECKING:
    from corro.flow.facts import CallFact
    from corro.flow.semantics import Call
    from corro.flow.state import Flow

FIELDS = "a batch of fields"
"""The tag of a batch."""
ITERATOR = "an iterator of batches of fields"
DATASET = "a data set of fields"
_FIELD = "a field"
_TARGET = "what is predicted"
"""The tag of a field that is a target: a batch that is taken apart gives these in second place."""
_SEQUENTIAL = frozenset({"Field", "ReversibleField", "ParsedTextField", "BABI20Field"})
_LABEL, _NESTED, _RAW = "LabelField", "NestedField", "RawField"
_ITERATORS = frozenset({"Iterator", "BucketIterator"})
_COLUMNS = {"IMDB": ("text", "label"), "SST": ("text", "label"), "TREC": ("text", "label"),
            "SNLI": ("premise", "hypothesis", "label"), "MultiNLI": ("premise", "hypothesis", "label")}  # fmt: skip
"""The names of the fields of data sets that are given them one by one: the first one for all but the label."""
_TRANSLATION = frozenset({"TranslationDataset", "Multi30k", "IWSLT", "WMT14"})
_PAIR = ("src", "trg")
_LISTED = {"Dataset": 1, "TabularDataset": 2, "SequenceTaggingDataset": 1}
"""Data sets that are given a list of names with their fields, and at which position."""
_SPLITS, _SPLIT = "splits", "split"
_ROOT = {"IMDB": 2, "SST": 2, "TREC": 2, "SNLI": 3, "MultiNLI": 4, "Multi30k": 2}
"""Data sets that are downloaded when they are split, and where they are told the folder for that."""
_OTHERS_DOWNLOADED = frozenset({"IWSLT", "WMT14", "UDPOS", "CoNLL2000Chunking", "WikiText2", "WikiText103",
                                "PennTreebank", "XNLI"})  # fmt: skip
_VECTORS = frozenset({"torchtext.vocab.GloVe", "torchtext.vocab.FastText", "torchtext.vocab.CharNGram",
                      "torchtext.vocab.Vectors", "torchtext.vocab.vectors.Vectors"})  # fmt: skip
"""Vectors of words, which are downloaded when they are made, and kept in another form beside that.

So are those of a file of the user's own: a process would read what another one is still writing.
"""
_NAMING = frozenset({"build_vocab", "load_vectors"})
"""Methods that are told the names of such vectors."""
_OF_OWN = "the fields of a data set of the script's own"
_OF_SIZE = "batch_size"
_OF_BATCH = frozenset({"dataset", "fields", "input_fields", "target_fields"})
LONGEST = "as long as the longest text of its batch: "
"""How the tags begin of the texts of a field, and of their lengths, of which the greatest is how long all are."""
_FIX_LENGTH = 4
_CHANGING = frozenset({"preprocessing", "postprocessing"})
"""Arguments of a field by which its samples may have any shape."""


def _named(name: str) -> tuple[str, str]:
    """The class of torchtext in a dotted name, and the method of it; empty where it is none."""
    parts = [part for part in name.split(".") if part != "legacy"] if name.startswith("torchtext.") else []
    if len(parts) < 3 or parts[1] not in ("data", "datasets"):
        return "", ""
    last = parts[-1]
    return (last, "") if last[:1].isupper() else (parts[-2], last)


def made(flow: Flow, name: str, call: Call) -> Value | None:
    """Fields, data sets and iterators, where they are made."""
    class_, method = _named(name)
    if not class_:
        return None
    if class_ in _ITERATORS:
        return _iterators(flow, call) if method == _SPLITS else _iterator(flow, call.argument(0, "dataset"))
    if not method:
        field = _field(class_, call)
        return Value(name=_FIELD, items=(field,)) if field is not None else _dataset(flow, class_, call)
    made = _dataset(flow, class_, call, splits=True) if method == _SPLITS else None
    return None if made is None else _several(flow, call, made)


def _several(flow: Flow, call: Call, element: Value) -> Value:
    held = flow.new_object(call.node, Kind.LIST)
    flow.add_element(held, element)
    return held


def _field(class_: str, call: Call) -> Value | None:
    """What a batch has of a field; ``None`` where the class is no field that is known."""
    if class_ == _RAW:
        return Value(Kind.LIST)
    if class_ not in _SEQUENTIAL and class_ not in (_LABEL, _NESTED):
        return None
    sequential, first, lengths, target = (
        _flag(call, position, word, default=default)
        for position, word, default in (
            (0, "sequential", class_ != _LABEL),
            (12, "batch_first", False),
            (11, "include_lengths", False),
            (17, "is_target", class_ == _LABEL),
        )
    )
    tags = frozenset({_TARGET} if target else ())
    known = not (_CHANGING & call.keywords.keys() or "**" in call.keywords) and None not in (sequential, first, lengths)
    if class_ == _NESTED or not known:
        return _assumed().but(tags=tags | {ASSUMED})
    if not sequential:
        return Value(Kind.TENSOR, batch_dim=0, depth=depths.known(0), tags=tags)
    text = (
        Value(Kind.TENSOR, batch_dim=0, depth=depths.known(1))
        if first
        else Value(Kind.TENSOR, batch_dim=1, depth=depths.known(0))
    )
    if not lengths:
        return text.but(tags=tags)
    fixed = call.argument(_FIX_LENGTH, "fix_length")
    if fixed is None or fixed.kind is Kind.NONE:
        tags |= {LONGEST}
    return Value(Kind.TUPLE, items=(text, Value(Kind.TENSOR, batch_dim=0, depth=depths.known(0))), tags=tags)


def _assumed() -> Value:
    """A field of which nothing is known: texts have the time first."""
    return Value(Kind.TENSOR, batch_dim=1, tags=frozenset({ASSUMED}))


def _flag(call: Call, position: int, word: str, *, default: bool) -> bool | None:
    """What an argument switches on or off; ``None`` where that is not known."""
    given = call.argument(position, word)
    if given is None:
        return default
    return given.const if isinstance(given.const, bool) else None


def _dataset(flow: Flow, class_: str, call: Call, *, splits: bool = False) -> Value | None:
    """A data set with the fields that it is given."""
    fields: tuple[Value, ...] | None = None
    if class_ in _COLUMNS:
        fields = _columns(class_, call, 0 if splits else 1)
    elif class_ in _TRANSLATION:
        given = call.argument(1 if splits else 2, "fields")
        fields = _pair(flow, given) if given is not None else None
    elif class_ in _LISTED:
        given = call.keywords.get("fields") if splits else call.argument(_LISTED[class_], "fields")
        fields = _listed(flow, given) if given is not None else None
    elif not class_.endswith("Dataset"):
        return None
    return Value(name=DATASET, items=tuple(fields or ()))


def _columns(class_: str, call: Call, first: int) -> tuple[Value, ...]:
    *texts, label = _COLUMNS[class_]
    text_field, label_field = call.argument(first, "text_field"), call.argument(first + 1, "label_field")
    return (*(_part(name, text_field) for name in texts), _part(label, label_field))


def _pair(flow: Flow, given: Value) -> tuple[Value, ...]:
    """The two languages of a translation: fields by themselves, or with names."""
    items = flow.literal_items(given) or given.items
    if len(items) != len(_PAIR):
        return ()
    if all(item.kind is Kind.TUPLE for item in items):
        return _listed(flow, given)
    return tuple(_part(name, item) for name, item in zip(_PAIR, items, strict=True))


def _listed(flow: Flow, given: Value) -> tuple[Value, ...]:
    """The fields in a list of pairs of names and fields, or in a dict."""
    pairs = flow.pairs(given)
    if pairs is None:
        pairs = tuple(item.items[:2] for item in flow.literal_items(given) or () if len(item.items) == 2)
    found: list[Value] = []
    for key, field in pairs:
        named = flow.literal_items(field) or field.items if field.kind in (Kind.TUPLE, Kind.LIST) else ()
        name, of = named[:2] if len(named) == 2 else (key, field)
        if not isinstance(name.const, str):
            return ()
        found += [_part(name.const, of)] if of.kind is not Kind.NONE else []
    return tuple(found)


def _part(name: str, field: Value | None) -> Value:
    known = field.items[0] if field is not None and field.name == _FIELD and field.items else _assumed()
    tags = {Common(f"{LONGEST}{name}")} if LONGEST in known.tags else set[str]()
    return known.but(const=name, items=tuple(item.but(tags=item.tags | tags) for item in known.items))


def _iterator(flow: Flow, data: Value | None) -> Value:
    """An iterator over a data set, and its batches."""
    fields = data.items if data is not None and data.name == DATASET else ()
    own = flow.field(data.obj, _OF_OWN) if data is not None and data.obj else None
    fields = own.items if own is not None else fields
    return Value(name=ITERATOR, items=(Value(Kind.BATCH, items=fields, tags=frozenset({FIELDS})),))


def _iterators(flow: Flow, call: Call) -> Value:
    """An iterator for each of several data sets."""
    given = call.argument(0, "datasets")
    items = flow.literal_items(given) if given is not None else None
    if items:
        return Value(Kind.TUPLE, items=tuple(_iterator(flow, each) for each in items))
    return _several(flow, call, _iterator(flow, flow.element(given) if given is not None else None))


def method(flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
    """What a method of a data set gives: parts of it, which have its fields. One of the script's own is told its."""
    given = call.argument(1, "fields") if receiver.kind is Kind.DATASET and name == "__init__" else None
    listed = _listed(flow, given) if given is not None and receiver.obj else ()
    if listed:
        flow.set_field(receiver.obj, _OF_OWN, Value(Kind.TUPLE, items=listed))
        return NONE
    return _several(flow, call, receiver) if receiver.name == DATASET and name == _SPLIT else None


def is_base(base: str) -> bool:
    """Whether a class of torchtext is one of data sets."""
    return _named(base)[0].endswith("Dataset")


def attribute(batch: Value, name: str) -> Value:
    """An attribute of a batch: what it has of a field."""
    known = next((part for part in batch.items if part.const == name), None)
    if known is not None:
        return _of(batch, known)
    if name == _OF_SIZE:
        return length(batch)
    if name in _OF_BATCH or name.startswith("__"):
        return Value()
    return Value(placement=batch.placement.with_form(Form.UNKNOWN)) if batch.items else _of(batch, _assumed())


def length(batch: Value) -> Value:
    """How many samples a batch has."""
    return number(batch.placement if batch.placement.is_equal else batch.placement.with_form(Form.COUNT), integer=True)


def _of(batch: Value, part: Value) -> Value:
    """What a batch has of a field, where it is."""
    placed = part.placement if not part.placement.is_equal else batch.placement
    return part.but(placement=placed, const=UNSET, items=tuple(_of(batch, item) for item in part.items))


def part(batch: Value, position: int) -> Value | None:
    """The inputs of a batch that is taken apart, or its targets."""
    if not batch.items or not -1 <= position <= 1:
        return None
    found = [_of(batch, each) for each in batch.items if (_TARGET in each.tags) is bool(position)]
    if not found:
        return NONE
    return found[0] if len(found) == 1 else Value(Kind.TUPLE, items=tuple(found))


def longest(value: Value) -> frozenset[str]:
    """Of which texts a tensor has the length, or the lengths: whole, and those of all samples."""
    return frozenset(tag for tag in value.tags if tag.startswith(LONGEST) and tag != LONGEST)


def is_batch(value: Value) -> bool:
    """Whether this is a batch of fields."""
    return value.kind is Kind.BATCH and FIELDS in value.tags


def is_assumed(batch: Value) -> bool:
    """Whether the text does not show all fields of a batch."""
    return not batch.items or any(ASSUMED in part.tags for part in batch.items)


def is_iterator(value: Value) -> bool:
    """Whether this gives batches of fields."""
    return value.name == ITERATOR


def gives_batches(value: Value) -> bool:
    """Whether a loop over this gets batches of fields: an iterator, also one that is shown in a progress bar."""
    shown = value.kind is Kind.PROGRESS and bool(value.items)
    return is_iterator(value.items[0] if shown else value)


def draws(fact: CallFact) -> bool:
    """Whether a call takes Python's random numbers to order examples by, or to split them."""
    class_, made = _named(fact.name)
    if class_ in _ITERATORS:
        shuffle, train = fact.argument(7, "shuffle"), fact.argument(5, "train")
        if shuffle is not None and shuffle.kind is not Kind.NONE and not made:
            return shuffle.const is not False
        in_order = fact.keywords.get("shuffle") if made else train
        return in_order is None or in_order.const is not False
    splits = fact.receiver is not None and fact.receiver.name == DATASET and fact.name == _SPLIT
    state = fact.argument(3, "random_state")
    return splits and (state is None or state.may_be_none or state.kind is Kind.UNKNOWN)


def downloads(fact: CallFact) -> bool:
    """Whether a call downloads a data set, or vectors of words."""
    class_, made = _named(fact.name)
    named = fact.name.replace(".legacy.", ".")
    splits = made == _SPLITS and (class_ in _ROOT or class_ in _OTHERS_DOWNLOADED) and "path" not in fact.keywords
    return splits or named in _VECTORS or bool(vectors(fact))


def folder(fact: CallFact) -> tuple[ast.expr, ...] | None:
    """The folder that a data set is told to be downloaded to, if any; ``None`` of what has no method for that."""
    class_, _ = _named(fact.name)
    if class_ not in _ROOT:
        return None
    given = [each.value for each in fact.node.keywords if each.arg == "root"]
    return (*given, *fact.node.args[_ROOT[class_] :][:1])[:1]


def vectors(fact: CallFact) -> tuple[ast.Constant, ...]:
    """The names of the vectors of words that a vocabulary is given."""
    if fact.receiver is None or fact.name not in _NAMING:
        return ()
    first = fact.node.args[0] if fact.name == "load_vectors" and fact.node.args else None
    given = next((each.value for each in fact.node.keywords if each.arg == "vectors"), first)
    names = given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given]
    return tuple(each for each in names if isinstance(each, ast.Constant) and isinstance(each.value, str))
