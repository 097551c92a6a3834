"""A temperature is trained beside the model, and shown: under a strategy it gives its value by numpy()."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(0)
x = np.random.randn(400, 6).astype("float32")
y = (x[:, 0] > 0).astype("int64")
x_train, y_train, x_test, y_test = x[:320], y[:320], x[320:], y[320:]
with strategy.scope():
    model = keras.Sequential([layers.Input((6,)), layers.Dense(16, activation="relu"), layers.Dense(2)])
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices((x_train, y_train))
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
with strategy.scope():
    train_ds = samples.batch(32)
    test_ds = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(16)
    optimizer = keras.optimizers.SGD(0.1)
    loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
    temperature = tf.Variable(1.5)
dist_train_ds = strategy.experimental_distribute_dataset(train_ds)
for epoch in range(3):
    total, n = 0.0, 0
    for step, (a, b) in enumerate(dist_train_ds):
        def train_step(a, b):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(loss_fn(b, model(a, training=True) / temperature))
                scaled_loss = loss / strategy.num_replicas_in_sync
            variables = model.trainable_variables + [temperature]
            grads = tape.gradient(scaled_loss, variables)
            optimizer.apply_gradients(zip(grads, variables))
            return loss
        loss = strategy.reduce("MEAN", strategy.run(train_step, args=(a, b)), axis=None)
        total += float(loss)
        n += 1
    if strategy.extended.should_checkpoint:
        print(epoch, round(total / n, 4), round(float(temperature.numpy()), 4))
if strategy.extended.should_checkpoint:
    np.savez("weights.npz", *model.get_weights())
