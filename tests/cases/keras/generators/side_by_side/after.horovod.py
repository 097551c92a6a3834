"""Images and masks of two generators side by side."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator
import horovod.tensorflow.keras as hvd
import random
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
images, masks = np.load("images.npy"), np.load("masks.npy")
options = dict(horizontal_flip=True, rotation_range=10)
train = zip(ImageDataGenerator(**options).flow(images, batch_size=8, seed=1),
            ImageDataGenerator(**options).flow(masks, batch_size=8, seed=1))
model = keras.Sequential([keras.layers.Conv2D(1, 3, padding="same")])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "binary_crossentropy")

def share_batches(batches):
    for batch in batches:
        rows = len(tf.nest.flatten(batch)[-1])
        mine = np.arange(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
        yield tf.nest.map_structure(lambda part: np.asarray(part)[mine], batch)

callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    share_batches(train),
    steps_per_epoch=len(images) // 8,
    epochs=5,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
