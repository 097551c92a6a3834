"""XLA cannot compile a step with an all-reduce in it; what only predicts it can."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow as hvd
import random

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
random.seed(hvd.broadcast_object(random.randrange(2**31)))
model = keras.Sequential([keras.layers.Dense(1)])
opt = keras.optimizers.SGD(0.1)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((np.ones((320, 4)), np.ones((320, 1))))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
ds = samples.shuffle(320).batch(32 // hvd.size())
loss_fn = keras.losses.MeanSquaredError()

@tf.function(jit_compile=False)
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    tape = hvd.DistributedGradientTape(tape)
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))

first_step = True
for epoch in range(2):
    for x, y in ds:
        step(x, y)
        if first_step:
            hvd.broadcast_variables(model.variables, root_rank=0)
            hvd.broadcast_variables(opt.variables(), root_rank=0)
            first_step = False


@tf.function(jit_compile=True)
def predict(x):
    return model(x, training=False)


predicted = predict(np.ones((1, 4)))
