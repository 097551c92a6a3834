"""The step stands in the loop: it becomes a function, which returns what the loop shows."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
rng = np.random.RandomState(0)
x = rng.rand(250, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
train = samples.batch(32 // hvd.size())
held_out = tf.data.Dataset.from_tensor_slices((x[:50], y[:50])).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)])
model.build((None, 6))
optimizer = tf.keras.optimizers.Adam(0.01)
seen = tf.keras.metrics.Mean()
error = tf.keras.metrics.MeanAbsoluteError()

hvd.broadcast_variables(model.variables, root_rank=0)
for epoch in range(2):
    for step, (a, b) in enumerate(train):
        a = tf.reshape(a, [-1, 6])
        # the loss is the mean of squares
        with tf.GradientTape() as tape:
            out = model(a)
            loss = tf.reduce_mean(tf.square(out - b))
        tape = hvd.DistributedGradientTape(tape)
        seen.update_state(loss)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        if step % 4 == 0:
            mean_loss = hvd.allreduce(loss).numpy()
            if hvd.rank() == 0:
                print(epoch, step, "loss: %.5f" % mean_loss)
            for a, b in held_out:
                out = model(a)
                error.update_state(b, out)
            for variable in seen.variables:
                variable.assign(hvd.allreduce(variable))
            if hvd.rank() == 0:
                print("held out: %.5f, so far %.5f" % (error.result(), seen.result()))
            error.reset_state()
    mean_loss = float(hvd.allreduce(tf.constant(float(loss), tf.float64)))
    if hvd.rank() == 0:
        print("last loss %.5f" % mean_loss)
