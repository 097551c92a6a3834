"""The one name for what TensorFlow 1 has under several: its own, that of ``compat.v1``, and those that were renamed."""

from __future__ import annotations

_PREFIXES = ("tensorflow.compat.v1.", "tensorflow._api.v2.compat.v1.", "tensorflow.compat.v2.")
_MODULES = {
    "tensorflow.contrib.rnn.": "tensorflow.nn.rnn_cell.",
    "tensorflow.contrib.slim.": "tensorflow.contrib.layers.",
    "tensorflow.contrib.losses.": "tensorflow.losses.",
    "tensorflow.contrib.data.": "tensorflow.data.",
    "tensorflow.math.": "tensorflow.",
    "tensorflow.python.ops.rnn_cell.": "tensorflow.nn.rnn_cell.",
}
_MOVED = {
    "tensorflow.nn.rnn_cell.static_rnn": "tensorflow.nn.static_rnn",
    "tensorflow.nn.rnn_cell.static_bidirectional_rnn": "tensorflow.nn.static_bidirectional_rnn",
    "tensorflow.initialize_all_variables": "tensorflow.global_variables_initializer",
    "tensorflow.initializers.global_variables": "tensorflow.global_variables_initializer",
    "tensorflow.train.SummaryWriter": "tensorflow.summary.FileWriter",
    "tensorflow.merge_all_summaries": "tensorflow.summary.merge_all",
    "tensorflow.merge_summary": "tensorflow.summary.merge",
    "tensorflow.scalar_summary": "tensorflow.summary.scalar",
    "tensorflow.histogram_summary": "tensorflow.summary.histogram",
    "tensorflow.image_summary": "tensorflow.summary.image",
    "tensorflow.all_variables": "tensorflow.global_variables",
    "tensorflow.mul": "tensorflow.multiply",
    "tensorflow.sub": "tensorflow.subtract",
    "tensorflow.neg": "tensorflow.negative",
    "tensorflow.div": "tensorflow.divide",
    "tensorflow.arg_max": "tensorflow.argmax",
    "tensorflow.arg_min": "tensorflow.argmin",
    "tensorflow.pack": "tensorflow.stack",
    "tensorflow.unpack": "tensorflow.unstack",
    "tensorflow.to_float": "tensorflow.cast",
    "tensorflow.to_double": "tensorflow.cast",
    "tensorflow.select": "tensorflow.where",
    "tensorflow.batch_matmul": "tensorflow.matmul",
    "tensorflow.random.set_random_seed": "tensorflow.set_random_seed",
    "tensorflow.random.set_seed": "tensorflow.set_random_seed",
}


def plain(name: str) -> str:
    """The name of a library function as TensorFlow 1 has it: ``tensorflow.compat.v1.nn.relu`` is ``tf.nn.relu``."""
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            name = f"tensorflow.{name[len(prefix) :]}"
            break
    for module, known in _MODULES.items():
        if name.startswith(module):
            name = known + name[len(module) :]
            break
    return _MOVED.get(name, name)
