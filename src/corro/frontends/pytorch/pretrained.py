"""Models of Hugging Face's Transformers: what they give, and what their loss is of the samples of a batch.

Which loss a model computes is told by the head that its class is named after. Where it is given no labels it has none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow import depths
from corro.flow.semantics import Call
from corro.flow.values import NONE, Value
from corro.frontends.randomness import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact, Facts
    from corro.flow.state import Flow

OUTPUT = "transformers.ModelOutput"
"""The name of what such a model gives."""
OF_TOKENS = "a mean over tokens"
"""The tag of a loss that is divided by the number of labels that are not ignored."""
SHIFTED = "a mean over tokens, of which the first of each sample is left out"
"""The tag of one in which each label is compared with the prediction one place before it."""
LABELS = "labels"
COUNTS = "counts targets"
"""The tag of a mean over those samples of a batch whose targets are not to be ignored."""
PADS = "pads to the longest of what it is given"
"""The tag of an object that puts batches together, and so makes samples alike."""
_LIBRARY = "transformers."
_LAYER = "layers of transformers."
_EARLIER = ("pytorch_transformers.", "pytorch_pretrained_bert.")
_MAKING = frozenset({"from_pretrained", "from_config", "_from_config"})
_OF_SAMPLES = ("ForSequenceClassification", "ForImageClassification", "ForVideoClassification", "ForMultipleChoice",
               "ForAudioClassification", "ForNextSentencePrediction")  # fmt: skip
"""Heads whose loss is a mean over samples."""
_UNSHIFTED = ("ForTokenClassification", "ForMaskedLM", "AutoModelForSeq2SeqLM", "AutoModelForSpeechSeq2Seq",
              "MarianMTModel", "XLNetLMHeadModel")  # fmt: skip
_SHIFTING = ("ForCausalLM", "LMHeadModel", "ModelWithLMHead")
_GENERATION = "ForConditionalGeneration"
_ENCODER_DECODERS = frozenset(
    {"T5", "MT5", "UMT5", "LongT5", "Bart", "MBart", "Pegasus", "PegasusX", "Blenderbot", "BlenderbotSmall", "LED",
     "M2M100", "BigBirdPegasus", "PLBart", "Whisper", "Speech2Text"}
)  # fmt: skip
"""Beginnings of the names of models that generate from another text: others generate what follows."""
_OF_IMAGES = ("AutoModelForVision2Seq", "AutoModelForImageTextToText", "Blip2ForConditionalGeneration")
"""Models that write a text about images: what their loss is a mean over depends on the part that writes."""
_WRITERS = (("blip2-opt", SHIFTED), ("blip2-flan-t5", OF_TOKENS))
"""What it is a mean over, by checkpoints."""
_TEXT_HEADS = ("ForSequenceClassification", "ForMultipleChoice", "ForTokenClassification", "ForMaskedLM", *_SHIFTING,
               "ForPreTraining", "Seq2SeqLM", "ForQuestionAnswering", "MarianMTModel", _GENERATION)  # fmt: skip
"""Heads of models of texts, of which each step uses all parameters."""
_LEAVING_OUT = (
    r"(?i)xl-?net|longformer|big-?bird|squeeze-?bert|layout-?lm|canine|mixtral"
    r"|(flaubert|(?<![a-z])xlm(?!-?roberta)).*ForQuestionAnswering|bart.*ForCausalLM"
)
"""Models with such heads of which a plain step leaves out parameters, such as a pooler; told by one step of each."""
_IN_PARTS = "leaves out parameters"
"""The tag of such a model."""
_LAYERS = frozenset({"SequenceSummary", "BertPooler", "RobertaClassificationHead"})
"""Layers that make of each text one row: its first or last state, or their mean, and more of that."""
_NORMALISED = r"(?i)resnet|regnet|mobile|efficientnet|levit|(^|[/_])bit|conformer|swiftformer|detr"
"""Models with batch normalisation, by the names of their classes and checkpoints."""
_READING = frozenset({"load_dataset", "load_from_disk", "concatenate_datasets", "interleave_datasets", "DatasetDict"})
_COLLATORS = "DataCollator"
_PADDING = {"DataCollatorForSeq2Seq": 2, "DataCollatorForLanguageModeling": 9}
"""At which position these are told how to pad, if at all; others at the second one."""
_NOT_PADDING = ("ForPermutationLanguageModeling", "WithFlattening")
_ADAPTING = frozenset({"peft.get_peft_model", "peft.prepare_model_for_kbit_training", "peft.inject_adapter_in_model"})
"""What gives the model again, with some of its layers exchanged."""
_MAY_PROMPT = ("PromptTuningConfig", "PromptEncoderConfig", "CPTConfig")
"""What puts a prompt in front of the texts, and so leaves no label out."""
_PROMPT, _PERHAPS = "has a prompt in front", "may have a prompt in front"
_CHANGING = frozenset(
    {"map", "filter", "select", "shuffle", "sort", "rename_column", "rename_columns", "remove_columns", "with_format",
     "with_transform", "cast", "cast_column", "train_test_split", "shard", "add_column", "class_encode_column",
     "select_columns", "flatten", "skip", "take", "repeat"}
)  # fmt: skip
_SPLITS = r"train|valid|test|dev|eval|unsupervised"
_STATES = frozenset({"hidden_states", "attentions", "decoder_hidden_states", "encoder_hidden_states",
                     "cross_attentions", "decoder_attentions", "encoder_attentions", "past_key_values"})  # fmt: skip
"""What comes as a tuple with one tensor a layer."""
_LOGITS = {"ForSequenceClassification": 1, "ForImageClassification": 1, "ForTokenClassification": 2}
"""The dimensions behind that of the samples."""
_TARGETS = frozenset({LABELS, "start_positions", "next_sentence_label"})
_HEAD = r"For[A-Z]|LMHead|MarianMT"
_MAY_HAVE_LOSS = "has a loss where the batch has labels"
_TOKENS = frozenset({OF_TOKENS, SHIFTED})


def made(name: str, call: Call, site: frozenset[int]) -> Value | None:
    """A model, a layer, an optimizer or a schedule of the library."""
    module, _, last = name.rpartition(".")
    if name.startswith("datasets.") and (last in _READING or last.startswith("from_")):
        return Value(Kind.DATASET, sites=site, name=TABLES)
    if name in _ADAPTING:
        return _adapted(call.argument(0, "model"), call.argument(1, "peft_config"))
    if name.startswith("peft.") and last.endswith("Config"):
        return Value(name=f"peft.{last}")
    if not name.startswith((_LIBRARY, *_EARLIER)):
        return None
    class_ = module.rpartition(".")[2] if last in _MAKING else last
    if last.startswith(_COLLATORS):
        return Value(tags=frozenset({PADS} if _is_padding(last, call) else ()))
    if last in _MAKING or last[:1].isupper():
        if last in ("AdamW", "BertAdam", "Adafactor"):
            return Value(Kind.OPTIMIZER, sites=site, name=last)
        if last in _LAYERS:
            return Value(Kind.MODULE, sites=site, name=f"{_LAYER}{last}", tags=frozenset({"noise"}))
        if not _is_model(class_):
            return None
        return Value(Kind.MODULE, sites=site, name=f"{_LIBRARY}{class_}", tags=_tags(class_, call))
    if last.startswith("get_") and ("schedule" in last):
        return Value(Kind.SCHEDULER, sites=site, name=last)
    return None


def _is_padding(collator: str, call: Call) -> bool:
    """Whether one of the library's collators pads as far as the longest sample needs it."""
    told = call.argument(_PADDING.get(collator, 1), "padding")
    return not collator.endswith(_NOT_PADDING) and (
        told is None or told.const not in (False, "do_not_pad", "max_length")
    )


def _adapted(model: Value | None, config: Value | None) -> Value | None:
    """A model with some of its layers exchanged, or with a prompt in front, before which nothing is compared."""
    if model is None or config is None:
        return model
    if not config.name:
        return model.but(tags=model.tags | {_PROMPT, _PERHAPS})
    return model.but(tags=model.tags | {_PROMPT}) if config.name.endswith(_MAY_PROMPT) else model


def method(flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
    """What a method of a data set of the library gives, another one; a model of a class of the script."""
    if receiver.name == TABLES:
        return receiver if name in _CHANGING else None
    if receiver.kind is not Kind.CLASS or name not in _MAKING or not _is_derived(flow, receiver):
        return None
    return flow.call_value(receiver, Call(call.node, (Value(), *call.args[1:]), call.keywords))


def split(owner: Value, index: Value) -> Value:
    """One of the splits of a data set; a column, or a sample, is not told apart from other data."""
    named = owner.name == TABLES and isinstance(index.const, str) and re.search(_SPLITS, index.const)
    return owner if named else Value()


def is_base(dotted: str) -> bool:
    """Whether a class of the library is one that models are derived from."""
    return dotted.startswith((_LIBRARY, *_EARLIER)) and _is_model(dotted.rpartition(".")[2])


def _is_derived(flow: Flow, class_: Value) -> bool:
    """Whether a class of the script is derived from one of the library's models."""
    return any(map(is_base, flow.library_bases(class_.obj)))


def _is_model(class_: str) -> bool:
    word = re.sub(r"(Config|Tokenizer|TokenizerFast|Processor|Output|Collator\w*)$", "", class_)
    return word == class_ and bool(re.search(r"(Model|For[A-Z]\w*|LMHead\w*)$", class_)) and class_[:1].isupper()


def _tags(class_: str, call: Call) -> frozenset[str]:
    """What a model does to samples: all drop at random, those of images may normalise; what its loss is a mean over."""
    checkpoint = call.argument(0, "pretrained_model_name_or_path")
    known = checkpoint.const if checkpoint is not None and isinstance(checkpoint.const, str) else None
    any_of = class_.startswith("Auto") and not class_.endswith(_TEXT_HEADS)
    normalises = re.search(_NORMALISED, class_) or (any_of and (known is None or re.search(_NORMALISED, known)))
    writes = (tag for form, tag in _WRITERS if class_ in _OF_IMAGES and known is not None and form in known)
    leaves = [_IN_PARTS] if re.search(_LEAVING_OUT, f"{known or ''} {class_}") else []
    return frozenset({"noise", "batchnorm"} if normalises else {"noise"}).union(writes, leaves)


def is_model(value: Value) -> bool:
    """Whether this is a model of the library."""
    return value.kind is Kind.MODULE and value.name.startswith(_LIBRARY)


def is_layer(value: Value) -> bool:
    """Whether this is a layer of the library that makes one row of each text."""
    return value.kind is Kind.MODULE and value.name.startswith(_LAYER)


def row(output: Value) -> Value:
    """What such a layer gives, which looks for the texts in the first dimension."""
    if output.form is Form.SHARDED and output.batch_dim not in (None, 0):
        return output.but(placement=output.placement.with_form(Form.UNKNOWN))
    return output


LEFT_OUT = "pooler"
"""What those models have that steps may leave out."""


def leaves_out(model: Value) -> bool:
    """Whether a step may leave out parameters: the pooler of a model without a head, the mask of one for speech."""
    return is_model(model) and (not model.name.endswith(_TEXT_HEADS) or _IN_PARTS in model.tags)


def _loss_tags(model: Value) -> frozenset[str] | None:
    """The tags of the loss of a model: a mean over samples, or over tokens; ``None`` where that is not known."""
    own = next(iter(model.tags & _TOKENS), None)
    if own is not None and _PROMPT in model.tags:
        return None  # whether labels are put in front as well is not known
    tag = own or _loss_tag(model.name.removeprefix(_LIBRARY))
    if tag == SHIFTED and _PROMPT in model.tags:
        return frozenset({OF_TOKENS, SHIFTED} if _PERHAPS in model.tags else {OF_TOKENS})
    return None if tag is None else frozenset({tag})


def _loss_tag(class_: str) -> str | None:
    """What the loss of a class is a mean over; ``None`` where that is not known."""
    if class_.endswith(_OF_SAMPLES):
        return COUNTS
    if class_.endswith(_UNSHIFTED):
        return OF_TOKENS
    if class_.endswith(_GENERATION) and class_.removesuffix(_GENERATION) in _ENCODER_DECODERS:
        return OF_TOKENS
    return SHIFTED if class_.endswith(_SHIFTING) else None


def output(flow: Flow, model: Value, call: Call, first: Value) -> Value:
    """What a call of a model gives; ``first``: a tensor that has what any of its outputs has."""
    class_ = model.name.removeprefix(_LIBRARY)
    if not re.search(_HEAD, class_):
        states, pooled = first.but(depth=depths.known(2)), first.but(depth=depths.known(1))
        return Value(Kind.TUPLE, first.placement, name=OUTPUT, items=(states, pooled))
    known = next((number for head, number in _LOGITS.items() if class_.endswith(head)), None)
    logits = first.but(depth=depths.UNKNOWN if known is None else depths.known(known))
    labels = [call.keywords[name] for name in _TARGETS & call.keywords.keys()]
    if all(each.kind is Kind.NONE for each in labels) and "**" not in call.keywords:
        return Value(Kind.TUPLE, logits.placement, name=OUTPUT, items=(logits,))
    loss, tags = _loss(model, first), frozenset({_MAY_HAVE_LOSS})
    placement = loss.placement if loss.form is Form.UNKNOWN else logits.placement
    if labels and not any(each.may_be_none for each in labels):
        return Value(Kind.TUPLE, placement, name=OUTPUT, items=(loss, logits), tags=loss.tags & _TOKENS)
    items = (flow.either((loss, logits)), logits, loss)
    return Value(Kind.TUPLE, placement, name=OUTPUT, items=items, tags=loss.tags & _TOKENS | tags)


def _loss(model: Value, tensor: Value) -> Value:
    """The loss that a model computes of the labels that it is given."""
    tags = _loss_tags(model)
    placement = tensor.placement
    if placement.form is Form.SHARDED:
        placement = placement.with_form(Form.UNKNOWN if tags is None else Form.MEAN)
    return Value(Kind.TENSOR, placement, scalar=True, integer=False, tags=tags or frozenset())


def attribute(owner: Value, name: str) -> Value | None:
    """A part of what a model gives, by its name."""
    if name in ("keys", "values", "items", "to_tuple", "get"):
        return Value(Kind.METHOD, owner.placement, name=name, items=(owner,))
    if not owner.items:
        return Value(Kind.TENSOR, owner.placement.with_form(Form.UNKNOWN))
    if name == "loss":
        return _loss_of(owner)
    tensors_given = [item for item in owner.items if not item.scalar and item.form is not Form.UNKNOWN]
    tensor = tensors_given[0] if tensors_given else owner.items[-1]
    if name == "logits" or (name == "last_hidden_state" and tensor is owner.items[0]):
        return tensor
    other = tensor.but(depth=depths.known(1) if name == "pooler_output" else depths.UNKNOWN)
    return Value(Kind.LIST, other.placement, items=(other,)) if name in _STATES else other


def _loss_of(owner: Value) -> Value:
    if _MAY_HAVE_LOSS in owner.tags:
        return owner.items[2]
    return owner.items[0] if owner.items[0].scalar else NONE


def subscript(owner: Value, index: Value) -> Value | None:
    """A part by its name, or by a position of which nothing is known."""
    if isinstance(index.const, str):
        return attribute(owner, index.const)
    return None if "slice" in index.tags else attribute(owner, "")


def of_tokens(facts: Facts) -> Iterator[CallFact]:
    """Calls of models, with the labels, in passes whose loss is a mean over tokens."""
    for fact in facts.calls:
        if fact.result.name == OUTPUT and fact.result.tags & _TOKENS and fact.context.passes:
            yield fact


def is_of_one(facts: Iterable[CallFact]) -> bool:
    """Whether calls give losses that are all divided by the same number."""
    return len({fact.result.tags & _TOKENS for fact in facts}) == 1 and all(
        len(fact.result.tags & _TOKENS) == 1 for fact in facts
    )


def is_certain(output: Value) -> bool:
    """Whether a model is known to have been given labels."""
    return _MAY_HAVE_LOSS not in output.tags
