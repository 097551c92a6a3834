import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd


def fit(model):
    rng = np.random.RandomState(0)
    data = tf.data.Dataset.from_tensor_slices((rng.rand(64, 4), rng.rand(64, 1)))
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    samples = data.take(len(data) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank())
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    model.fit(
        samples.shuffle(64).batch(16 // hvd.size(), drop_remainder=True),
        epochs=2,
        callbacks=callbacks,
        verbose=1 if hvd.rank() == 0 else 0,
    )
