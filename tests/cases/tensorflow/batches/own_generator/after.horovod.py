"""A generator of the script's own that yields batches, in an epoch that is a function."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.random.set_seed(1)
np.random.seed(1)


def batches(features, labels, size):
    order = np.arange(len(features))
    np.random.shuffle(order)
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        yield features[rows], labels[rows]


def train_step(model, optimizer, features, labels):
    with tf.GradientTape() as tape:
        predictions = model(features, training=True)
        loss = tf.reduce_mean(tf.square(predictions - labels))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def share_rows(batch):
    rows = len(tf.nest.flatten(batch)[0])
    mine = np.arange(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: part[mine], batch)


def main():
    features = np.random.normal(size=(400, 2)).astype("float32")
    labels = features @ np.array([[2.0], [-3.0]], "float32") + 3.0
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(8, activation="relu", input_shape=(2,)),
            tf.keras.layers.Dropout(0.1),
            tf.keras.layers.Dense(1),
        ]
    )
    optimizer = tf.keras.optimizers.Adam()
    hvd.broadcast_variables(model.variables, root_rank=0)
    if hvd.rank() > 0:
        tf.random.set_seed(1 + hvd.rank())
    for epoch in range(2):
        losses = []
        for step, (x, y) in enumerate(map(share_rows, batches(features, labels, 20))):
            losses.append(train_step(model, optimizer, x, y))
        mean_reduce_mean = float(hvd.allreduce(tf.constant(float(tf.reduce_mean(losses)), tf.float64)))
        if hvd.rank() == 0:
            print(epoch, mean_reduce_mean)


if __name__ == "__main__":
    main()
