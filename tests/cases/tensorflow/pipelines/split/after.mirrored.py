"""Training and validation data are split from one pipeline."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
tf.random.set_seed(0)
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
with strategy.scope():
    inputs = tf.keras.Input((6,))
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
    opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError(reduction="none")

full = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(256, reshuffle_each_iteration=False)
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = full.skip(64)
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
train, val = samples.batch(32), full.take(64).batch(32)
dist_train = strategy.experimental_distribute_dataset(train)
for a, b in dist_train:
    def train_step(a, b):
        with tf.GradientTape() as t:
            l = tf.reduce_mean(mse(b, model(a)))
            scaled_l = l / strategy.num_replicas_in_sync
        g = t.gradient(scaled_l, model.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
    strategy.run(train_step, args=(a, b))
print(np.mean([tf.reduce_mean(mse(b, model(a))) for a, b in val]))
