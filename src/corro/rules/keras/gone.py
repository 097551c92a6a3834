"""Refuse what Keras 3 no longer has, for a target that needs Keras 3.

Why
---
``keras.distribution`` is part of Keras 3. A script that was written for Keras 2 may use what is not in it: functions of
``keras.backend`` such as ``K.sum``, ``fit_generator``, ``ImageDataGenerator``. It would stop there.

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
The names of Keras 2.15 that Keras 3.15 does not have, listed by importing both, and modules of older versions. The
names that ``tensorflow.keras`` still offers with Keras 3 are not refused.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-gone"

_GONE = re.compile(
    r"""keras\. (
    .* \b experimental \b .*
    | (dtensor | engine | estimator | objectives | wrappers\.scikit_learn | preprocessing\.text) \b .*
    | layers\.[a-z_]+\. .* | utils\.[a-z]+_utils \b .* | utils\.multi_gpu_model
    | applications\. (RegNet | regnet | ResNetRS | resnet_rs) .*
    | backend\. (?! (backend | clear_session | epsilon | floatx | get_uid | image_data_format | is_float_dtype
                     | is_int_dtype | is_keras_tensor | result_type | set_epsilon | set_floatx
                     | set_image_data_format | standardize_dtype) \b) .*
    | callbacks\. (BaseLogger | SidecarEvaluatorModelExport)
    | constraints\. (RadialConstraint | radial_constraint)
    | initializers\. (normal | uniform)
    | layers\. (AbstractRNNCell | CuDNNGRU | CuDNNLSTM | DenseFeatures | LocallyConnected[12]D | RandomHeight
               | RandomWidth | ThresholdedReLU | disable_v2_dtype_behavior | enable_v2_dtype_behavior)
    | (losses | metrics)\. (KLD | MAE | MAPE | MSE | MSLE | cosine | cosine_proximity | kld
                          | kullback_leibler_divergence | logcosh | mae | mape | mse | msle)
    | losses\.Reduction (\..*)? | metrics\. (MeanRelativeError | MeanTensor)
    | models\. (LinearModel | WideDeepModel | model_from_config | model_from_yaml)
    | optimizers\.legacy\. (Adadelta | Adamax | Nadam)
    | preprocessing\.image\. (DirectoryIterator | ImageDataGenerator | Iterator | NumpyArrayIterator
                             | apply_affine_transform | (apply | random)_(brightness_shift | channel_shift)
                             | random_(brightness | rotation | shear | shift | zoom))
    | preprocessing\.sequence\. (TimeseriesGenerator | make_sampling_table | skipgrams)
    | utils\. (DeterministicRandomTestTool | (Generator | Ordered | Sequence)Enqueuer | SidecarEvaluator
              | StepsPerExecutionTuner | TimedThread | get_or_create_layer | to_ordinal | track_tf1_style_variables
              | warmstart_embedding_matrix)
    )""",
    re.VERBOSE,
)
_RAISES = "keras.optimizers.legacy."
"""What Keras 3 lists, and raises an error for where it is called."""
_TITLES = {Kind.MODULE: "Model", Kind.LAYER: "Layer", Kind.METRIC: "Metric", Kind.OPTIMIZER: "Optimizer"}
_PARTS = {
    "Model": re.compile(
        r"fit_generator|evaluate_generator|predict_generator|predict_classes|predict_proba|to_yaml|add_update|updates"
        r"|state_updates|reset_states|stateful|get_(in|out)put(_mask|_shape)?_at|(in|out)put_mask|(in|out)bound_nodes"
        r"|get_weight_paths|save_spec|finalize_state|compute_output_signature|(with_)?name_scope|submodules|dynamic"
        r"|distribute_strategy|distribute_reduction_method|autotune_steps_per_execution"
    ),
    "Layer": re.compile(
        r"add_update|updates|get_(in|out)put(_mask|_shape)?_at|(in|out)put_(mask|shape)|(in|out)bound_nodes|submodules"
        r"|finalize_state|compute_output_signature|(with_)?name_scope|dynamic|(get|reset)_(recurrent_)?dropout_mask.*"
    ),
    "Metric": re.compile(r"reset_states|merge_state"),
    "Optimizer": re.compile(r"lr|minimize|compute_gradients|aggregate_gradients"),
}
"""Methods and attributes of models, layers, metrics and optimizers."""


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal."""
    if not job.target.needs_keras_3:
        return
    own = _own(job)
    nodes = job.nodes.of(*_NAMING)
    found = next(((node, name) for node in nodes for name in _gone(job, node, own)), None)
    if found is not None:
        node, name = found
        yield job.refuse(
            NAME,
            f"{job.target.title} needs Keras 3, which has no {name}.",
            node,
            job.or_target(
                "Write the script for Keras 3 (see keras.ops and model.fit)", lambda target: not target.needs_keras_3
            ),
        )


def _own(job: Job) -> frozenset[str]:
    """Names of methods and attributes of the script's own classes."""
    stored = (n for n in job.nodes.of(ast.Attribute) if isinstance(n.ctx, ast.Store))
    kept = {n.attr for n in stored if getattr(n.value, "id", "") == "self"}
    return frozenset(kept | {n.name for n in job.nodes.of(ast.FunctionDef)})


def _gone(job: Job, node: ast.AST, own: frozenset[str]) -> Iterator[str]:
    for name in _names(job, node):
        if _GONE.fullmatch(name) or (name.startswith(_RAISES) and _is_called(job, node)):
            yield name
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr not in own:
        title = _TITLES.get(job.value(node.value).kind, "")
        if title and _PARTS[title].fullmatch(node.attr):
            yield f"{title}.{node.attr}"


_NAMING = (ast.ImportFrom, ast.Import, ast.Attribute, ast.Name)


def _names(job: Job, node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, (ast.Attribute, ast.Name)):
        yield from job.names_of(node).qualified(node)


def _is_called(job: Job, node: ast.AST) -> bool:
    parent = job.parent(node)
    return isinstance(parent, ast.Call) and parent.func is node
