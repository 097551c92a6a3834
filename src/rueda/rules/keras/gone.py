"""Refuse what Keras 3 no longer has, for a target that needs Keras 3.

Why
---
``keras.distribution`` is part of Keras 3. A script that was written for Keras 2 may use what is not in it: functions of
``keras.backend`` such as ``K.sum``, ``fit_generator``, ``ImageDataGenerator``. It would stop where it is started.

Before
------
::

    model.fit_generator(ImageDataGenerator().flow(x, y), epochs=5)

After
-----
::

    refused: Keras 3 has no fit_generator

Source
------
The names of Keras 2.15 that Keras 3.15 does not have, as listed by importing both.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.rules.base import Answer
    from rueda.rules.keras._job import Job

NAME = "keras-gone"

_PREFIXES = ("tensorflow.keras.", "tensorflow.compat.v2.keras.", "tensorflow.compat.v1.keras.", "tf_keras.", "keras.")
_BACKEND = "keras.backend."
_OF_BACKEND = frozenset({"backend", "clear_session", "epsilon", "floatx", "get_uid", "image_data_format",
                         "is_float_dtype", "is_int_dtype", "is_keras_tensor",
                         "result_type", "set_epsilon", "set_floatx",
                         "set_image_data_format", "standardize_dtype"})  # fmt: skip
"""What ``keras.backend`` still has; of some 150 functions."""
_MODULES = ("keras.experimental.", "keras.estimator.", "keras.dtensor.", "keras.engine.", "keras.wrappers.",
            "keras.layers.experimental.", "keras.optimizers.experimental.", "keras.optimizers.legacy.",
            "keras.callbacks.experimental.", "keras.metrics.experimental.", "keras.models.experimental.",
            "keras.utils.experimental.", "keras.utils.np_utils.", "keras.utils.data_utils.",
            "keras.preprocessing.text.", "keras.applications.regnet.",
            "keras.applications.resnet_rs.", "keras.layers.core.", "keras.layers.convolutional.",
            "keras.layers.normalization.", "keras.layers.recurrent.", "keras.layers.embeddings.",
            "keras.layers.advanced_activations.", "keras.layers.merge.", "keras.layers.wrappers.",
            "keras.layers.pooling.", "keras.layers.noise.")  # fmt: skip
_GONE = {
    "keras.callbacks.": frozenset({"BaseLogger", "SidecarEvaluatorModelExport"}),
    "keras.constraints.": frozenset({"RadialConstraint", "radial_constraint"}),
    "keras.layers.": frozenset({"AbstractRNNCell", "CuDNNGRU", "CuDNNLSTM", "DenseFeatures", "LocallyConnected1D",
                                "LocallyConnected2D", "RandomHeight", "RandomWidth", "ThresholdedReLU"}),
    "keras.metrics.": frozenset({"MeanRelativeError", "MeanTensor"}),
    "keras.models.": frozenset({"model_from_config", "model_from_yaml"}),
    "keras.preprocessing.image.": frozenset(
        {"DirectoryIterator", "ImageDataGenerator", "Iterator", "NumpyArrayIterator", "apply_affine_transform",
         "apply_brightness_shift", "apply_channel_shift", "random_brightness", "random_channel_shift",
         "random_rotation", "random_shear", "random_shift", "random_zoom"}),
    "keras.preprocessing.sequence.": frozenset({"TimeseriesGenerator", "make_sampling_table", "skipgrams"}),
    "keras.utils.": frozenset({"GeneratorEnqueuer", "OrderedEnqueuer", "SequenceEnqueuer", "SidecarEvaluator",
                               "multi_gpu_model", "to_ordinal", "warmstart_embedding_matrix"}),
}  # fmt: skip
_METHODS = frozenset({"fit_generator", "evaluate_generator", "predict_generator", "predict_classes", "predict_proba"})


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal."""
    if not job.target.needs_keras_3:
        return
    found = next((pair for file in job.files for node in file.nodes for pair in _gone(job, node)), None)
    if found is not None:
        node, name = found
        yield job.refuse(
            NAME,
            f"{job.target.title} needs Keras 3, which has no {name}.",
            node,
            "Write the script for Keras 3 (see keras.ops and model.fit), or use --to horovod.",
        )


def _gone(job: Job, node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute) and function.attr in _METHODS:
        yield from [(node, f"Model.{function.attr}")] if job.value(function.value).kind is Kind.MODULE else []
    for name in _names(job, node):
        known = next((f"keras.{name[len(p) :]}" for p in _PREFIXES if name.startswith(p)), "")
        if known and _is_gone(known):
            yield node, known


def _names(job: Job, node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    elif isinstance(node, (ast.Attribute, ast.Name)):
        yield from job.names_of(node).qualified(node)


def _is_gone(name: str) -> bool:
    module, _, last = name.rpartition(".")
    if name.startswith(_BACKEND):
        return name[len(_BACKEND) :].partition(".")[0] not in _OF_BACKEND
    return name.startswith(_MODULES) or last in _GONE.get(f"{module}.", ())
