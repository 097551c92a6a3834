"""Before any analysis: is this script distributed already, and does it train with Keras or TensorFlow at all?"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.changes import Finding, Level
from corro.frontends.keras.names import PACKAGES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.source import Nodes, SourceFile

TITLE = "Keras"
SIGN = "a model.fit()"
LIBRARIES = frozenset(
    {"autokeras", "efficientnet", "flax", "jax", "keras", "keras_contrib", "keras_cv", "keras_hub", "keras_nlp",
     "keras_preprocessing", "keras_tqdm", "keras_tuner", "kerastuner", "larq", "official", "scikeras",
     "segmentation_models", "spektral", "stellargraph", "talos", "tensorflow", "tensorflow_addons",
     "tensorflow_compression", "tensorflow_datasets", "tensorflow_docs", "tensorflow_examples",
     "tensorflow_federated", "tensorflow_gnn", "tensorflow_hub",
     "tensorflow_io", "tensorflow_model_optimization", "tensorflow_models", "tensorflow_privacy",
     "tensorflow_probability", "tensorflow_text", "tf_agents", "tf_explain", "tf_keras", "tflearn", "tfx"}
)  # fmt: skip
"""Packages around the framework that need not be installed where a script is compiled."""

_STRATEGIES = ("MirroredStrategy", "MultiWorkerMirroredStrategy", "TPUStrategy", "ParameterServerStrategy",
               "ParameterServerStrategyV2", "CentralStorageStrategy", "OneDeviceStrategy", "DistributeConfig",
               "experimental_distribute_dataset", "multi_gpu_model", "set_distribution", "dtensor")  # fmt: skip
_COMPUTES = frozenset({"call", "train_step", "test_step", "compute_loss"})
_OWN_PARALLELISM = frozenset({"DataParallel", "ModelParallel"})
_TRAINS = frozenset({"fit", "fit_generator", "train_on_batch"})
_LOOPS = frozenset({"GradientTape", "minimize", "apply_gradients", "train_and_evaluate", "MonitoredTrainingSession"})
_GRADIENTS = frozenset({"gradient", "gradients", "compute_gradients"})
_SESSIONS = frozenset({"Session", "InteractiveSession", "MonitoredTrainingSession", "MonitoredSession",
                       "SingularMonitoredSession", "Supervisor", "train_and_evaluate"})  # fmt: skip
_APPLIES = frozenset({"apply_gradients", "apply", "minimize", "set_weights", "set_value"})
_WORDS = (ast.Attribute, ast.Name)
_KERAS_3 = frozenset({"keras.ops", "keras.config", "keras.distribution", "keras.random", "keras.Variable"})


def distributed_by(source: SourceFile, nodes: Nodes) -> Finding | None:
    """What already distributes the training in these nodes of a file, as a note."""
    tower = _tower(source, nodes)
    if tower is not None:
        message = "the script is already distributed: it places a copy of its computation on each GPU."
        return Finding("already-distributed", Level.NOTE, message, source.span(tower), "Nothing was changed.")
    found = _engine(source, nodes)
    if found is None:
        return None
    node, title = found
    message = f"the script is already distributed: it uses {title}."
    return Finding("already-distributed", Level.NOTE, message, source.span(node), "Nothing was changed.")


def engine(source: SourceFile, nodes: Nodes) -> str:
    """What of its libraries distributes a script already; none where it places its computation by itself."""
    found = _engine(source, nodes) if _tower(source, nodes) is None else None
    if found is None:
        return ""
    if found[1] not in ("keras.distribution", "set_distribution"):
        return f"tensorflow.distribute.{found[1]}"
    return "keras.distribution.initialize" if "distribution.initialize(" in source.text else "keras.distribution"


def _engine(source: SourceFile, nodes: Nodes) -> tuple[ast.AST, str] | None:
    """The place where an engine is named, and its name."""
    if not any(sign in source.text for sign in (*_STRATEGIES, "keras.distribution")):
        return None
    for node in nodes.of(ast.Attribute, ast.ImportFrom):
        name = ""
        if isinstance(node, ast.Attribute):
            name = node.attr
            own = (
                name in _OWN_PARALLELISM and isinstance(node.value, ast.Attribute) and node.value.attr == "distribution"
            )
        else:
            name = next((alias.name for alias in node.names if alias.name in _STRATEGIES), "")
            own = (node.module or "").endswith("keras.distribution")
        if name in _STRATEGIES or own:
            return node, name if name in _STRATEGIES else "keras.distribution"
    return None


def _tower(source: SourceFile, nodes: Nodes) -> ast.AST | None:
    """``tf.device(f"/gpu:{i}")`` in a loop over ``i``."""
    for loop in nodes.of(ast.For) if "gpu:" in source.text.lower() else ():
        if not _computes_gradients(source, loop):
            continue
        counted = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
        for call in (node for node in ast.walk(loop) if isinstance(node, ast.Call)):
            if not isinstance(call.func, ast.Attribute) or call.func.attr != "device":
                continue
            parts = [part for argument in call.args for part in ast.walk(argument)]
            texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            numbered = any(isinstance(part, ast.Name) and part.id in counted for part in parts)
            if numbered and any("gpu:" in text.lower() for text in texts):
                return call
    return None


def _computes_gradients(source: SourceFile, loop: ast.For) -> bool:
    """Whether a loop computes gradients, in its body or in functions that it calls."""
    used = _words(loop)
    functions = (n for n in source.nodes.of(ast.FunctionDef) if n.name in used)
    return bool(used.union(*map(_words, functions)) & _GRADIENTS)


def _words(part: ast.AST) -> set[str]:
    return {n.attr if isinstance(n, ast.Attribute) else n.id for n in ast.walk(part) if isinstance(n, _WORDS)}


def trains(files: Sequence[SourceFile]) -> bool:
    """Whether the script, or a module of its own, trains with ``fit`` and with no loop of its own."""
    return _imports_keras(files) and _trains(files) and not any(_applies(file) for file in files)


def trains_in_loops(files: Sequence[SourceFile]) -> bool:
    """Whether it trains in loops of its own, also beside ``fit``; or with sessions or estimators, and fits nothing."""
    if not _imports_keras(files):
        return False
    loops = _applies if _trains(files) else _loops
    return any(loops(file) for file in files)


def runs_graphs(files: Sequence[SourceFile]) -> bool:
    """Whether sessions or estimators of TensorFlow 1 run what a script computes, and no gradient tape records it."""
    used = {name for file in files for name in _mentioned(file)}
    return bool(used & _SESSIONS) and "GradientTape" not in used


def _imports_keras(files: Sequence[SourceFile]) -> bool:
    return any(name.split(".")[0] in PACKAGES for file in files for name, _ in file.imports)


def default_target(files: Sequence[SourceFile]) -> str:
    """Horovod for Keras 2, which is what runs there.

    Where only Keras 3 can be meant: Keras' own distribution, and for what runs on TensorFlow only ``MirroredStrategy``,
    with which ``fit`` works.
    """
    if not only_keras_3(files):
        return "horovod"
    backend = chosen_backend(files) or ("tensorflow" if uses_tensorflow(files) is not None else "jax")
    return "mirrored" if backend == "tensorflow" else "keras-distribution"


def only_keras_3(files: Sequence[SourceFile]) -> bool:
    """Whether a script, or a module of its own, names something that only Keras 3 has."""
    return any(map(_is_of_keras_3, files))


def _is_of_keras_3(source: SourceFile) -> bool:
    if "KERAS_BACKEND" in source.text:
        return True
    names = {name for name, _ in source.imports}
    if names & _KERAS_3:
        return True
    imports = (node for name, node in source.imports if name == "keras" and isinstance(node, ast.Import))
    bound = {alias.asname or alias.name for node in imports for alias in node.names if alias.name == "keras"}
    attributes = source.nodes.of(ast.Attribute) if bound else ()
    return any(
        n.value.id in bound and f"keras.{n.attr}" in _KERAS_3 for n in attributes if isinstance(n.value, ast.Name)
    )


def chosen_backend(files: Sequence[SourceFile]) -> str:
    """The backend that a script itself chooses for Keras 3; empty when it leaves that open."""
    for node in (node for file in files if "KERAS_BACKEND" in file.text for node in file.nodes.of(ast.Assign)):
        if isinstance(node.value, ast.Constant):
            target = node.targets[0]
            key = target.slice if isinstance(target, ast.Subscript) else None
            if isinstance(key, ast.Constant) and key.value == "KERAS_BACKEND":
                return str(node.value.value)
    return ""


def uses_tensorflow(files: Sequence[SourceFile]) -> ast.AST | None:
    """An operation of TensorFlow in what a layer, a model or its training computes: no other backend can run it."""
    return next((node for file in files if (node := _operation(file)) is not None), None)


def _operation(source: SourceFile) -> ast.AST | None:
    names = {
        alias.asname or alias.name
        for node in source.nodes.of(ast.Import)
        for alias in node.names
        if alias.name in ("tensorflow", "tensorflow.compat.v2")
    }
    for node in source.nodes.of(ast.FunctionDef) if names else ():
        if node.name in _COMPUTES:
            for part in (p for statement in node.body for p in ast.walk(statement)):
                if isinstance(part, ast.Attribute) and part.attr != "keras" and getattr(part.value, "id", "") in names:
                    return part
    return None


def _trains(files: Sequence[SourceFile]) -> bool:
    """Whether a model is made in one file and fitted in another, or in the same."""
    attributes = {name for file in files for name in _attributes(file)}
    made = bool(attributes & {"compile", "load_model"}) or any("load_model" in file.text for file in files)
    return (made and bool(attributes & _TRAINS)) or "fit_generator" in attributes


def _loops(file: SourceFile) -> bool:
    return bool(_attributes(file) & _LOOPS)


def _applies(file: SourceFile) -> bool:
    """Whether gradients of a tape are computed and applied, elsewhere than in a model with a ``train_step``."""
    if "GradientTape" not in file.text:
        return False
    words = ((n, n.attr if isinstance(n, ast.Attribute) else n.id) for n in file.nodes.of(*_WORDS))
    used = {w for node, w in words if (w == "GradientTape" or applies(w)) and not _steps(file, node)}
    return "GradientTape" in used and len(used) > 1


def applies(word: str) -> bool:
    """Whether a method of this name may change variables, by gradients or by values."""
    return word in _APPLIES or word.startswith(("assign", "scatter_"))


def _steps(file: SourceFile, node: ast.AST) -> bool:
    classes = (above for above in file.ancestors(node) if isinstance(above, ast.ClassDef))
    return any(getattr(part, "name", "") == "train_step" for each in classes for part in each.body)


def _attributes(file: SourceFile) -> set[str]:
    return {name for name, nodes in file.attributes.items() if not all(_is_other(node.value) for node in nodes)}


def _mentioned(file: SourceFile) -> set[str]:
    return _attributes(file) | {n.id for n in file.nodes.of(ast.Name)}


def _is_other(owner: ast.expr) -> bool:
    """``re.compile``, ``torch.compile``."""
    return isinstance(owner, ast.Name) and owner.id in ("re", "torch")
