"""A folder of images comes in batches: a strategy shares them out, Horovod cannot."""

import tensorflow as tf
from tensorflow import keras
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
train = keras.utils.image_dataset_from_directory("photos", validation_split=0.2, subset="training", seed=1)
held = keras.utils.image_dataset_from_directory("photos", validation_split=0.2, subset="validation", seed=1)
model = keras.Sequential([keras.layers.Rescaling(1.0 / 255), keras.layers.Flatten(), keras.layers.Dense(5)])
model.compile(
    hvd.DistributedOptimizer(keras.optimizers.Adam()), keras.losses.SparseCategoricalCrossentropy(from_logits=True)
)

def share(*batch):
    rows = tf.shape(tf.nest.flatten(batch)[-1])[0]
    mine = tf.range(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: tf.gather(part, mine), batch)

callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    train.prefetch(2).map(share),
    validation_data=held,
    epochs=3,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
