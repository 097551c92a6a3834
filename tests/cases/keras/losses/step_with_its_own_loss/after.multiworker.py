"""Under a strategy the gradients of a loss of its own come out N times too large."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - self(x, training=True)))
            scaled_loss = loss / strategy.num_replicas_in_sync
        gradients = tape.gradient(scaled_loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    inputs = keras.Input((4,))
    net = Net(inputs, keras.layers.Dense(1)(inputs))
    net.compile("adam")
net.fit(np.ones((64, 4)), np.ones((64, 1)), batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
