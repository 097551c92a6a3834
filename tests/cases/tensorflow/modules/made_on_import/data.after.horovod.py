import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

x = np.random.rand(64, 4).astype("float32")
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, x.sum(axis=1, keepdims=True)))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
train = samples.batch(16 // hvd.size())
