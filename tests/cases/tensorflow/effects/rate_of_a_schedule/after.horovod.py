"""A schedule only computes when it is called, so rank 0 alone may do it."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.keras.utils.set_random_seed(1)
x = np.random.rand(256, 6).astype("float32")
y = (x.sum(1) > 3).astype("int32")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
dataset = samples.shuffle(256, seed=1).batch(32 // hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(6,)), tf.keras.layers.Dense(2)])
schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.1, 8, 0.9)
optimizer = tf.keras.optimizers.SGD(schedule)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

hvd.broadcast_variables(model.variables, root_rank=0)
for epoch in range(3):
    for inputs, labels in dataset:
        with tf.GradientTape() as tape:
            loss = cross_entropy(labels, model(inputs, training=True))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if hvd.rank() == 0:
        print(epoch, optimizer.iterations.numpy(), float(optimizer.learning_rate(optimizer.iterations)))
        print("next rate", schedule(optimizer.iterations).numpy())
