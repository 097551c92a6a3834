"""XLA cannot compile a step with an all-reduce in it; what only predicts it can."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    opt = keras.optimizers.SGD(0.1)
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices((np.ones((320, 4)), np.ones((320, 1))))
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
ds = samples.shuffle(320).batch(32)
loss_fn = keras.losses.MeanSquaredError(reduction="none")

@tf.function(jit_compile=False)
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(loss_fn(y, model(x, training=True)))
        scaled_loss = loss / strategy.num_replicas_in_sync
    grads = tape.gradient(scaled_loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))

dist_ds = strategy.experimental_distribute_dataset(ds)
for epoch in range(2):
    for x, y in dist_ds:
        strategy.run(step, args=(x, y))


@tf.function(jit_compile=True)
def predict(x):
    return model(x, training=False)


predicted = predict(np.ones((1, 4)))
