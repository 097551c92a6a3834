"""The one name for what several packages offer: ``tensorflow.keras``, ``keras`` and ``tf_keras`` are all Keras."""

from __future__ import annotations

PACKAGES = ("tensorflow", "keras", "tf_keras")
"""The top packages under which Keras is imported."""
IMAGE_READERS = ("input_data.read_data_sets", "datasets.mnist.read_data_sets")
"""How the names end of what fetches and reads the images of TensorFlow 1's tutorials."""

_PREFIXES = ("tensorflow.compat.v2.keras", "tensorflow.compat.v1.keras", "tensorflow.python.keras", "tensorflow.keras",
             "tensorflow.contrib.keras", "tf_keras", "keras.api", "keras.src")  # fmt: skip
_MOVED = {
    "keras.Sequential": "keras.models.Sequential",
    "keras.Model": "keras.models.Model",
    "keras.Functional": "keras.models.Model",
    "keras.Input": "keras.layers.Input",
    "keras.engine.Model": "keras.models.Model",
    "keras.engine.training.Model": "keras.models.Model",
    "keras.utils.np_utils.to_categorical": "keras.utils.to_categorical",
    "keras.saving.load_model": "keras.models.load_model",
    "keras.saving.save_model": "keras.models.save_model",
    "keras.experimental.export_saved_model": "keras.models.save_model",
    "keras.experimental.load_from_saved_model": "keras.models.load_model",
    "tensorflow.contrib.saved_model.save_keras_model": "keras.models.save_model",
    "tensorflow.contrib.saved_model.load_keras_model": "keras.models.load_model",
    "tensorflow.random.set_random_seed": "tensorflow.random.set_seed",
    "tensorflow.compat.v1.set_random_seed": "tensorflow.random.set_seed",
    "tensorflow.set_random_seed": "tensorflow.random.set_seed",
}
_MODULES = {
    "keras.optimizer_v2.": "keras.optimizers.",
    "keras.optimizers.legacy.": "keras.optimizers.",
    "keras.optimizers.experimental.": "keras.optimizers.",
    "tensorflow.optimizers.": "keras.optimizers.",
    "tensorflow.losses.": "keras.losses.",
    "tensorflow.metrics.": "keras.metrics.",
    "tensorflow.compat.v2.": "tensorflow.",
    "keras.preprocessing.sequence.": "keras.utils.",
    "keras.layers.experimental.preprocessing.": "keras.layers.",
    "keras_preprocessing.": "keras.preprocessing.",
}


def canonical(name: str) -> str:
    """The name of a library function under ``keras.`` or ``tensorflow.``, whatever package it was imported from."""
    for prefix in _PREFIXES:
        if name == prefix or name.startswith(f"{prefix}."):
            name = "keras" + name[len(prefix) :]
            break
    for module, known in _MODULES.items():
        if name.startswith(module):
            name = known + name[len(module) :]
            break
    return _MOVED.get(name, name)
