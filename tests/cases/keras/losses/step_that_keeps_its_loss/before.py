"""A train_step shows the loss that Keras has divided by the number of devices."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)
        self.kept = keras.metrics.Mean(name="loss")

    def call(self, inputs):
        return self.dense(inputs)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=y, y_pred=self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.kept.update_state(loss)
        return {"loss": self.kept.result()}


model = Net()
model.compile(optimizer="adam", loss="mse")
model.fit(np.zeros((64, 4)), np.zeros(64))
