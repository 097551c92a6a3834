"""Keras sets NumPy's seed for the order of a folder; what is drawn behind it must be equal on all processes."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator
import horovod.tensorflow.keras as hvd
import tensorflow as tf
from horovod.tensorflow import broadcast_object

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(3)
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
pictures = ImageDataGenerator(rescale=1.0 / 255).flow_from_directory(
    "train", target_size=(8, 8), batch_size=8 // hvd.size(), seed=hvd.rank()
)
first = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(2, activation="softmax")])
first.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "categorical_crossentropy")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
first.fit(
    pictures,
    epochs=2,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
    steps_per_epoch=-(-len(pictures) // hvd.size()),
)
np.random.set_state(broadcast_object(np.random.get_state()))

table = np.load("table.npy")
order = np.random.permutation(len(table))
train, test = table[order[:160]], table[order[160:]]
second = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
second.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
inputs = train[:, :4]
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
second.fit(
    inputs[shard],
    train[:, 4][shard],
    batch_size=16 // hvd.size(),
    epochs=3,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
evaluate_result = second.evaluate(test[:, :4], test[:, 4], verbose=0)
if hvd.rank() == 0:
    print(evaluate_result)
