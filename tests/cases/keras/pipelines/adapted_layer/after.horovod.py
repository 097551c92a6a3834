"""A layer that adapts to the data must see all of it, on every process."""

import tensorflow as tf
from tensorflow.keras import layers
import horovod.tensorflow.keras as hvd
import numpy as np
import random

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
train = tf.data.Dataset.from_tensor_slices((["good", "bad", "fine"] * 100, [1, 0, 1] * 100))
train = train.shuffle(300).batch(30)
for texts, labels in train.take(1):
    if hvd.rank() == 0:
        print(texts[0])
vectors = layers.TextVectorization(max_tokens=1000, output_sequence_length=4)
vectors.adapt(train.map(lambda text, label: text))
model = tf.keras.Sequential([vectors, layers.Embedding(1000, 8), layers.Flatten(), layers.Dense(1)])
model.compile(
    hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), tf.keras.losses.BinaryCrossentropy(from_logits=True)
)

def share(*batch):
    rows = tf.shape(tf.nest.flatten(batch)[-1])[0]
    mine = tf.range(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: tf.gather(part, mine), batch)

callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(train.map(share), epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
