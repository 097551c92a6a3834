"""A pipeline runs a function that draws from NumPy, ahead of what is trained on; what is drawn behind it is for all."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd
from horovod.tensorflow import broadcast_object

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(3)


def turned(picture):
    return np.rot90(picture, np.random.randint(4)).copy()


x, y = np.load("x.npy"), np.load("y.npy")
for fold in range(3):
    order = np.random.permutation(len(x))
    data = tf.data.Dataset.from_tensor_slices((x[order[100:]], y[order[100:]]))
    data = data.shard(hvd.size(), hvd.rank()).map(
        lambda picture, label: (tf.numpy_function(turned, [picture], tf.float32), label)
    )
    model = keras.Sequential([keras.layers.Reshape((192,)), keras.layers.Dense(1)])
    model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    model.fit(
        data.repeat().batch(32 // hvd.size()),
        epochs=2,
        steps_per_epoch=6,
        callbacks=callbacks,
        verbose=1 if hvd.rank() == 0 else 0,
    )
    np.random.set_state(broadcast_object(np.random.get_state()))
    evaluate_result = model.evaluate(x[order[:100]], y[order[:100]], verbose=0)
    if hvd.rank() == 0:
        print(evaluate_result)
