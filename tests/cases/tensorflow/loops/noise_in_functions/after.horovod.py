"""Dropout by a function, and pictures turned by chance, draw other numbers on each process."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.keras.utils.set_random_seed(3)
x, y = np.ones((100, 8, 8, 3), dtype="float32"), np.ones((100, 1), dtype="float32")
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
data = samples.shuffle(100).batch(20 // hvd.size())
model = tf.keras.Sequential([tf.keras.Input((8, 8, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
hvd.broadcast_variables(model.variables, root_rank=0)
if hvd.rank() > 0:
    tf.random.set_seed(3 + hvd.rank())
for epoch in range(3):
    for images, labels in data:
        images = tf.image.random_flip_left_right(images)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(tf.nn.dropout(images, 0.5)) - labels))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
