"""Models with a train_step of their own, with the loss of compile and with a loss of their own."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(0)
x = np.random.RandomState(0).rand(640, 8).astype("float32")
y = x.sum(1, keepdims=True)


class Net(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=y_pred)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred)
        return {m.name: m.result() for m in self.metrics}


class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.a = keras.layers.Dense(8, activation="relu")
        self.b = keras.layers.Dense(1)
        self.tracker = keras.metrics.Mean(name="loss")

    def call(self, v):
        return self.b(self.a(v))

    @property
    def metrics(self):
        return [self.tracker]

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - self(x, training=True)))
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}


inputs = keras.Input((8,))
net = Net(inputs, keras.layers.Dense(1)(inputs))
net.compile(keras.optimizers.SGD(0.05), "mse", metrics=["mae"])
h = net.fit(x, y, batch_size=32, epochs=3, shuffle=False, verbose=0)
print({k: [f"{v:.6f}" for v in vs] for k, vs in h.history.items()})
print([f"{w:.5f}" for w in net.get_weights()[0].ravel()])
inputs = keras.Input((8,))
own = Own()
own(x[:2])
own.compile(keras.optimizers.Adam(0.01))
h = own.fit(x, y, batch_size=32, epochs=3, shuffle=False, verbose=0)
print([f"{v:.6f}" for v in h.history["loss"][1:]])
print(f"{np.abs(own.get_weights()[0]).sum():.5f}")
