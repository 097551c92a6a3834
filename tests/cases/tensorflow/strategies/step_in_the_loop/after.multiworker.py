"""The step stands in the loop: it becomes a function, which returns what the loop shows."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
rng = np.random.RandomState(0)
x = rng.rand(250, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
train = samples.batch(32)
held_out = tf.data.Dataset.from_tensor_slices((x[:50], y[:50])).batch(32)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)])
    model.build((None, 6))
    optimizer = tf.keras.optimizers.Adam(0.01)
    seen = tf.keras.metrics.Mean()
error = tf.keras.metrics.MeanAbsoluteError()

dist_train = strategy.experimental_distribute_dataset(train)
for epoch in range(2):
    for step, (a, b) in enumerate(dist_train):
        def train_step(a, b):
            a = tf.reshape(a, [-1, 6])
            # the loss is the mean of squares
            with tf.GradientTape() as tape:
                out = model(a)
                loss = tf.reduce_mean(tf.square(out - b))
                scaled_loss = loss / strategy.num_replicas_in_sync
            seen.update_state(loss)
            grads = tape.gradient(scaled_loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))
            return loss
        loss = strategy.reduce("MEAN", strategy.run(train_step, args=(a, b)), axis=None)
        if step % 4 == 0:
            if strategy.extended.should_checkpoint:
                print(epoch, step, "loss: %.5f" % loss.numpy())
            for a, b in held_out:
                out = model(a)
                error.update_state(b, out)
            seen_result = seen.result()
            if strategy.extended.should_checkpoint:
                print("held out: %.5f, so far %.5f" % (error.result(), seen_result))
            error.reset_state()
    if strategy.extended.should_checkpoint:
        print("last loss %.5f" % float(loss))
