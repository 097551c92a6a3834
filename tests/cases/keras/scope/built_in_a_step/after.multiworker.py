"""A train_step with Keras' own loss and its trackers; a layer makes another one when it is built."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Stage(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, input_shape):
        self.inner = keras.layers.Dense(self.units, activation="tanh")

    def call(self, x):
        return self.inner(x)


class CustomModel(keras.Model):
    def __init__(self):
        super().__init__()
        self.stage = Stage(4)
        self.last = keras.layers.Dense(1)

    def call(self, x):
        return self.last(self.stage(x))

    def run(self, data):
        x, y = data
        logits = self.last(self.stage(x))
        return self.compute_loss(data, y, logits), y, logits

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss, y, y_pred = self.run(data)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred)
        return {m.name: m.result() for m in self.metrics}


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(0)
x = np.random.default_rng(0).random((128, 6)).astype("float32")
y = x.sum(1, keepdims=True)
with strategy.scope():
    model = CustomModel()
    model.compile(keras.optimizers.SGD(0.01), "mse", metrics=["mae"])
history = model.fit(x, y, batch_size=32, epochs=2, shuffle=False, verbose=0)
if strategy.extended.should_checkpoint:
    print(history.history)
