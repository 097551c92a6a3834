"""What a manager saved is known to rank 0's manager only."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
ds = samples.batch(32)
with strategy.scope():
    inputs = tf.keras.Input((6,))
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
    opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError(reduction="none")

ckpt = tf.train.Checkpoint(m=model); man = tf.train.CheckpointManager(ckpt, "c", max_to_keep=2)
ckpt.restore(man.latest_checkpoint)
if man.latest_checkpoint:
    print("restored", man.latest_checkpoint)
dist_ds = strategy.experimental_distribute_dataset(ds)
for a, b in dist_ds:
    def train_step(a, b):
        with tf.GradientTape() as t:
            l = tf.reduce_mean(mse(b, model(a)))
            scaled_l = l / strategy.num_replicas_in_sync
        g = t.gradient(scaled_l, model.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
    strategy.run(train_step, args=(a, b))
path = man.save()
print("saved", path)
ckpt.restore(man.latest_checkpoint)
