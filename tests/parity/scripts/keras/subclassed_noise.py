"""A model as a class, made when it first sees data, with batch normalisation, dropout and noise of its own."""
import numpy as np
import tensorflow as tf
from sklearn.datasets import load_breast_cancer

tf.keras.utils.set_random_seed(5)
data, target = load_breast_cancer(return_X_y=True)
data = ((data - data.mean(0)) / data.std(0)).astype("float32")


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.noise = tf.keras.layers.GaussianNoise(0.1)
        self.first = tf.keras.layers.Dense(20)
        self.norm = tf.keras.layers.BatchNormalization()
        self.drop = tf.keras.layers.Dropout(0.3)
        self.last = tf.keras.layers.Dense(1)

    def call(self, x, training=None):
        x = self.norm(self.first(self.noise(x, training=training)), training=training)
        return self.last(self.drop(tf.nn.relu(x), training=training))


def main():
    model = Net()
    model.compile(tf.keras.optimizers.Adam(1e-3), tf.keras.losses.BinaryCrossentropy(from_logits=True), metrics=["mae"])
    model.fit(data[:480], target[:480], batch_size=48, epochs=2, verbose=2)
    scores = model.predict(data[480:], verbose=0)
    print("right: %d of %d" % (np.sum((scores[:, 0] > 0) == target[480:]), len(data) - 480))
    model.save_weights("net.weights.h5")


if __name__ == "__main__":
    main()
