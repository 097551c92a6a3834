"""The data is made ready at module level, and the training stands in a function under a guard."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
BATCH_SIZE = 40
x = np.load("digits.npz")["x"].astype("float32")
if BATCH_SIZE % hvd.size() != 0:
    raise SystemExit(f"batch size {BATCH_SIZE} cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, x.sum(1, keepdims=True)))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
train = samples.shuffle(800).batch(BATCH_SIZE // hvd.size())


def main():
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(64,))])
    optimizer = keras.optimizers.SGD(learning_rate=0.01)
    hvd.broadcast_variables(model.variables, root_rank=0)
    for epoch in range(3):
        for xb, yb in train:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(xb, training=True) - yb))
            tape = hvd.DistributedGradientTape(tape)
            grads = tape.gradient(loss, model.trainable_weights)
            optimizer.apply_gradients(zip(grads, model.trainable_weights))
        mean_loss = hvd.allreduce(loss).numpy()
        if hvd.rank() == 0:
            print(f"epoch {epoch} loss {mean_loss:.5f}")


if __name__ == "__main__":
    main()
