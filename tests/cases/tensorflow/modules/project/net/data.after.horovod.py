import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd


def load(rows=96):
    rng = np.random.RandomState(1)
    x = rng.normal(size=(rows, 5)).astype("float32")
    y = (x @ rng.normal(size=(5, 1)) + 0.1).astype("float32")
    if 12 % hvd.size() != 0:
        raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
    samples = tf.data.Dataset.from_tensor_slices((x[:72], y[:72]))
    samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
    train = samples.shuffle(72, seed=4).batch(12 // hvd.size())
    test = tf.data.Dataset.from_tensor_slices((x[72:], y[72:])).batch(8)
    if hvd.rank() == 0:
        print(len(train), "batches")
    return train, test
