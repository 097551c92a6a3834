"""A train_step counts its steps in a variable, which is the same on every process and device."""

import numpy as np
import tensorflow as tf


class Counting(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(4)
        self.steps = tf.Variable(0, trainable=False)

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compiled_loss(y, self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.steps.assign_add(1)
        return {"loss": loss}


strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x, y = np.load("x.npy"), np.load("y.npy")
with strategy.scope():
    model = Counting()
    model.compile(tf.keras.optimizers.SGD(0.1), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, batch_size=32, epochs=3, verbose=1 if strategy.extended.should_checkpoint else 0)
