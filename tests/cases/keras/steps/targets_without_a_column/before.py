"""A train_step subtracts predictions in a column from targets that have none."""

import tensorflow as tf
from sklearn.datasets import load_diabetes

x, y = load_diabetes(return_X_y=True)
x, y = x.astype("float32"), (y / 100).astype("float32")


class Regression(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, inputs):
        return self.dense(inputs)

    def train_step(self, data):
        inputs, targets = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(targets - self(inputs, training=True)))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


model = Regression()
model.compile(optimizer=tf.keras.optimizers.SGD(0.1))
model.fit(x, y, batch_size=32, epochs=3)
