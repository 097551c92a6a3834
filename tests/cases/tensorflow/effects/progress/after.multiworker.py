"""Progress bars of Keras and tqdm."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
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

from tqdm import tqdm
bar = tf.keras.utils.Progbar(8, verbose=1 if strategy.extended.should_checkpoint else 0)
dist_ds = strategy.experimental_distribute_dataset(ds)
for i, (a, b) in enumerate(tqdm(dist_ds, disable=not strategy.extended.should_checkpoint)):
    def train_step(a, b):
        with tf.GradientTape() as t:
            l = tf.reduce_mean(mse(b, model(a)))
            scaled_l = l / strategy.num_replicas_in_sync
        g = t.gradient(scaled_l, model.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
        return l
    l = strategy.reduce("MEAN", strategy.run(train_step, args=(a, b)), axis=None)
    bar.update(i + 1, [("loss", l)])
