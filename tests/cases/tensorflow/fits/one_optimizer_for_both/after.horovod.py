"""One optimizer for fit and for a loop: wrapped once, and its apply_gradients averages nothing more."""

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
tf.keras.utils.set_random_seed(1)
x = np.random.rand(256, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
data = samples.batch(32 // hvd.size())
optimizer = tf.keras.optimizers.Adam(0.01)
optimizer = hvd_keras.DistributedOptimizer(optimizer)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(optimizer=optimizer, loss="mse")
callbacks = [
    hvd_keras.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd_keras.callbacks.MetricAverageCallback(),
]
model.fit(data, epochs=2, verbose=0, callbacks=callbacks)
hvd.broadcast_variables(model.variables, root_rank=0)
for epoch in range(2):
    for features, targets in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(features, training=True) - targets))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
if hvd.rank() == 0:
    print("weights", [f"{w:.5f}" for w in model.get_weights()[0].ravel()])
