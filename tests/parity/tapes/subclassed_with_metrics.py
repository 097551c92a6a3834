"""A model that is built in the first step, Keras' metrics, summaries, checkpoints, a metric that is never reset."""

import tensorflow as tf
from sklearn.datasets import load_digits

tf.keras.utils.set_random_seed(1)
digits = load_digits()
images, labels = digits.images.astype("float32") / 16, digits.target
train = tf.data.Dataset.from_tensor_slices((images[:1440], labels[:1440])).batch(48)
test = tf.data.Dataset.from_tensor_slices((images[1440:], labels[1440:])).batch(48)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.flatten = tf.keras.layers.Flatten()
        self.hidden = tf.keras.layers.Dense(32, activation="relu")
        self.out = tf.keras.layers.Dense(10)

    def call(self, x):
        return self.out(self.hidden(self.flatten(x)))


class Trainer:
    def __init__(self, net):
        self.net = net
        self.optimizer = tf.keras.optimizers.Adam(0.01)
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.mean = tf.keras.metrics.Mean()
        self.accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            logits = self.net(x, training=True)
            loss = self.loss(y, logits) + 1e-4 * tf.nn.l2_loss(self.net.trainable_variables[0])
        gradients = tape.gradient(loss, self.net.trainable_variables)
        gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
        self.optimizer.apply_gradients(zip(gradients, self.net.trainable_variables))
        self.mean.update_state(loss)
        self.accuracy.update_state(y, logits)
        return loss, norm

    def fit(self, epochs):
        writer = tf.summary.create_file_writer("logs")
        checkpoint = tf.train.Checkpoint(net=self.net, optimizer=self.optimizer)
        for epoch in range(epochs):
            self.mean.reset_state()
            losses = []
            for i, (x, y) in enumerate(train):
                loss, norm = self.step(x, y)
                losses.append(loss.numpy())
                if i % 10 == 0:
                    print(f"step {i} loss {loss:.5f} norm {norm:.5f} so far {self.mean.result():.5f}")
            with writer.as_default():
                tf.summary.scalar("loss", self.mean.result(), step=epoch)
            hits = sum(int(tf.reduce_sum(tf.cast(tf.argmax(self.net(x), 1) == y, tf.int32))) for x, y in test)
            print(f"epoch {epoch} {self.mean.result():.5f} {sum(losses) / len(losses):.5f}")
            print(f"accuracy of all epochs {self.accuracy.result():.5f}, of the test {hits / 357:.5f}")
            path = checkpoint.save("checkpoints/net")
            print("saved", path)
        checkpoint.restore(tf.train.latest_checkpoint("checkpoints"))
        print("weights", float(sum(tf.reduce_sum(tf.abs(w)) for w in self.net.weights)))


Trainer(Net()).fit(3)
