"""The data is made ready at module level, and the training stands in a function under a guard."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
BATCH_SIZE = 40
x = np.load("digits.npz")["x"].astype("float32")
if BATCH_SIZE % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size {BATCH_SIZE} cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices((x, x.sum(1, keepdims=True)))
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
train = samples.shuffle(800).batch(BATCH_SIZE)


def main():
    with strategy.scope():
        model = keras.Sequential([keras.layers.Dense(1, input_shape=(64,))])
        optimizer = keras.optimizers.SGD(learning_rate=0.01)
    dist_train = strategy.experimental_distribute_dataset(train)
    for epoch in range(3):
        for xb, yb in dist_train:
            def train_step(xb, yb):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(model(xb, training=True) - yb))
                    scaled_loss = loss / strategy.num_replicas_in_sync
                grads = tape.gradient(scaled_loss, model.trainable_weights)
                optimizer.apply_gradients(zip(grads, model.trainable_weights))
                return loss
            loss = strategy.reduce("MEAN", strategy.run(train_step, args=(xb, yb)), axis=None)
        if strategy.extended.should_checkpoint:
            print(f"epoch {epoch} loss {loss.numpy():.5f}")


if __name__ == "__main__":
    main()
