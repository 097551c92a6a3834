"""One step on the first batch of the pipeline, then the loop that makes the same step."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.random.RandomState(0).rand(256, 4).astype("float32")
y = (x.sum(axis=1) > 2).astype("int64")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
train = samples.batch(32 // hvd.size())
features, labels = next(iter(train))
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(4,)), tf.keras.layers.Dense(2)])
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def loss(model, inputs, targets):
    return cross_entropy(y_true=targets, y_pred=model(inputs))


hvd.broadcast_variables(model.variables, root_rank=0)
mean_loss = hvd.allreduce(loss(model, features, labels)).numpy()
if hvd.rank() == 0:
    print("before:", mean_loss)


def grad(model, inputs, targets):
    with tf.GradientTape() as tape:
        value = loss(model, inputs, targets)
    tape = hvd.DistributedGradientTape(tape)
    return value, tape.gradient(value, model.trainable_variables)


optimizer = tf.keras.optimizers.SGD(0.1)
value, grads = grad(model, features, labels)
mean_value = hvd.allreduce(value).numpy()
if hvd.rank() == 0:
    print("step", optimizer.iterations.numpy(), "loss:", mean_value)
optimizer.apply_gradients(zip(grads, model.trainable_variables))
mean_loss = hvd.allreduce(loss(model, features, labels)).numpy()
if hvd.rank() == 0:
    print("step", optimizer.iterations.numpy(), "loss:", mean_loss)

for epoch in range(3):
    mean = tf.keras.metrics.Mean()
    for inputs, targets in train:
        value, grads = grad(model, inputs, targets)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        mean.update_state(value)
    for variable in mean.variables:
        variable.assign(hvd.allreduce(variable))
    if hvd.rank() == 0:
        print(f"epoch {epoch}: {mean.result().numpy():.5f}")
