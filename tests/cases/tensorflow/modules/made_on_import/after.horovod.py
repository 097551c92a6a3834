"""The data and the model are made as their modules are imported, so that the engine starts before those imports."""

import tensorflow as tf
import horovod.tensorflow as hvd
import numpy as np

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))
import data
from model import model

optimizer = tf.keras.optimizers.Adam(0.01)
hvd.broadcast_variables(model.variables, root_rank=0)
for epoch in range(2):
    for x, y in data.train:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
if hvd.rank() == 0:
    model.save_weights("model.h5")
