"""A step of its own: its tape averages under Horovod; strategies do so by themselves."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compiled_loss(y, self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    inputs = keras.Input((4,))
    net = Net(inputs, keras.layers.Dense(1)(inputs))
    net.compile("adam", "mse")
net.fit(np.ones((64, 4)), np.ones(64), batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
