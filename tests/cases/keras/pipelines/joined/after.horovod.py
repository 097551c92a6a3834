"""Pipelines that other data goes through too are shared out behind it, and one that is joined to another behind that."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd
import random

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y))
doubled = data.map(lambda a, b: (a, b * 2))
shuffled = data.shuffle(256)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.05)), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = data.concatenate(doubled)
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(samples.batch(32 // hvd.size()), epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = shuffled.take(len(shuffled) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank())
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(samples.batch(32 // hvd.size(), True), epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
evaluate_result = model.evaluate(shuffled.batch(100), verbose=1 if hvd.rank() == 0 else 0)
if hvd.rank() == 0:
    print(evaluate_result)
both = tf.data.Dataset.zip((data, doubled)).map(lambda one, other: one)
evaluate_result = model.evaluate(both.batch(100), verbose=1 if hvd.rank() == 0 else 0)
if hvd.rank() == 0:
    print(evaluate_result)
