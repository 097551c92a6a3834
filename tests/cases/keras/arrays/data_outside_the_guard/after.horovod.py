"""The data is fetched at module level, before the guard under which the model is trained."""

from tensorflow import keras
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
if hvd.rank() == 0:
    keras.datasets.mnist.load_data()
hvd.allreduce(0.0)
(x, y), _ = keras.datasets.mnist.load_data()


def main():
    model = keras.Sequential([keras.layers.Flatten(input_shape=(28, 28)), keras.layers.Dense(10)])
    model.compile(
        hvd.DistributedOptimizer(keras.optimizers.SGD()), keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    )
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    model.fit(
        x[shard],
        y[shard],
        batch_size=32 // hvd.size(),
        epochs=2,
        callbacks=callbacks,
        verbose=1 if hvd.rank() == 0 else 0,
    )


if __name__ == "__main__":
    main()
