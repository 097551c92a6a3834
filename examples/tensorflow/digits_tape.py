"""Recognise handwritten digits with a training loop of one's own around a gradient tape.

The data are scikit-learn's digits: 1,797 grey images of 8 x 8 pixels, ten classes. They come with scikit-learn, so
nothing is downloaded. Needs TensorFlow and scikit-learn; takes some ten seconds on one CPU core.

    python digits_tape.py
"""

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

tf.keras.utils.set_random_seed(0)

# Hyper-parameters
epochs = 10
batch_size = 64

# Data: pixel values go from 0 to 16, bring them to [0, 1] and add the channel dimension
digits = load_digits()
images = digits.images[..., np.newaxis].astype("float32") / 16
x_train, x_test, y_train, y_test = train_test_split(images, digits.target, test_size=0.2, random_state=0)
train = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(len(x_train)).batch(batch_size)
test = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(batch_size)


class Net(tf.keras.Model):
    """Two convolutions and two dense layers."""

    def __init__(self):
        super().__init__()
        self.conv1 = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")
        self.conv2 = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")
        self.pool = tf.keras.layers.MaxPooling2D()
        self.flatten = tf.keras.layers.Flatten()
        self.dense1 = tf.keras.layers.Dense(64, activation="relu")
        self.dense2 = tf.keras.layers.Dense(10)

    def call(self, x):
        x = self.pool(self.conv2(self.conv1(x)))
        return self.dense2(self.dense1(self.flatten(x)))


model = Net()
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(learning_rate=0.001)
train_loss = tf.keras.metrics.Mean()
train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = loss_object(y, logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss.update_state(loss)
    train_accuracy.update_state(y, logits)


@tf.function
def test_step(x, y):
    test_accuracy.update_state(y, model(x, training=False))


for epoch in range(1, epochs + 1):
    train_loss.reset_state()
    train_accuracy.reset_state()
    test_accuracy.reset_state()
    for x, y in train:
        train_step(x, y)
    for x, y in test:
        test_step(x, y)
    print(
        f"epoch {epoch:2d}: loss {train_loss.result():.4f}, accuracy {train_accuracy.result():.4f}, "
        f"test accuracy {test_accuracy.result():.4f}"
    )

model.save_weights("digits_tape.h5")
print("saved to digits_tape.h5")
