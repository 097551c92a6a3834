"""Keras 3 divides what a loss object gives by the number of replicas: the step is right as it is."""

import os

os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import numpy as np
import tensorflow as tf


class Trainer(keras.Model):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.loss_of = keras.losses.MeanSquaredError()
        self.shown = keras.metrics.Mean(name="shown")

    @property
    def metrics(self):
        return [self.shown]

    def call(self, inputs):
        return self.model(inputs)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.loss_of(y, self.model(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.shown.update_state(loss)
        return {m.name: m.result() for m in self.metrics}


trainer = Trainer(keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)]))
trainer.compile(optimizer=keras.optimizers.SGD(0.1))
trainer.fit(np.ones((64, 8)), np.ones((64, 1)), batch_size=16, epochs=2)
