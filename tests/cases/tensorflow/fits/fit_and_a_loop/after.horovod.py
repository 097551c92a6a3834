"""A model is fitted, and trained further in a loop of a function that gets it as an argument."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd
import horovod.tensorflow.keras as hvd_keras

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(0)
x = np.random.rand(256, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
data = samples.batch(32 // hvd.size())


def make(width):
    return tf.keras.Sequential(
        [tf.keras.layers.Dense(width, activation="relu", input_shape=(4,)), tf.keras.layers.Dense(1)]
    )


def train(network, optimizer):
    hvd.broadcast_variables(network.variables, root_rank=0)
    for epoch in range(2):
        total = 0.0
        for features, targets in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(network(features, training=True) - targets))
            tape = hvd.DistributedGradientTape(tape)
            gradients = tape.gradient(loss, network.trainable_variables)
            optimizer.apply_gradients(zip(gradients, network.trainable_variables))
            total += float(loss)
        total = float(hvd.allreduce(tf.constant(total, tf.float64)))
        if hvd.rank() == 0:
            print("epoch", epoch, "loss", round(total / len(data), 5))


model = make(8)
model.compile(optimizer=hvd_keras.DistributedOptimizer(tf.keras.optimizers.Adam(0.01)), loss="mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd_keras.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd_keras.callbacks.MetricAverageCallback(),
]
history = model.fit(
    x[shard], y[shard], batch_size=32 // hvd.size(), epochs=2, shuffle=False, verbose=0, callbacks=callbacks
)
if hvd.rank() == 0:
    print("fitted", [round(value, 5) for value in history.history["loss"]])
train(model, tf.keras.optimizers.SGD(0.05))
evaluate_result = model.evaluate(x, y, verbose=0)
if hvd.rank() == 0:
    print("error", round(float(evaluate_result), 5))
    model.save_weights("model.h5")
