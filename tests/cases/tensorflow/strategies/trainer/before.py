"""A class that trains: its step is a method, its metrics of training and of the test are made apart."""

import tensorflow as tf

features = tf.random.stateless_normal([256, 6], seed=[1, 2])
targets = tf.cast(tf.reduce_sum(features, axis=1) > 0, tf.int32)
train = tf.data.Dataset.from_tensor_slices((features, targets)).batch(32)
test = tf.data.Dataset.from_tensor_slices((features[:64], targets[:64])).batch(32)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(8, activation="relu")
        self.out = tf.keras.layers.Dense(2)

    def call(self, x):
        return self.out(self.hidden(x))


class Trainer:
    def __init__(self, rate):
        self.model = Net()
        self.optimizer = tf.keras.optimizers.SGD(rate)
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
        self.test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            logits = self.model(x)
            loss = self.loss(y, logits)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        self.accuracy.update_state(y, logits)
        return loss, tf.shape(x)[0]

    def fit(self, epochs):
        for epoch in range(epochs):
            total, count = 0.0, 0
            for x, y in train:
                loss, n = self.train_step(x, y=y)
                total += float(loss) * int(n)
                count += int(n)
            for x, y in test:
                self.test_accuracy.update_state(y, self.model(x))
            print("epoch", epoch, "loss %.5f" % (total / count), "of", count)
            print("accuracy %.4f %.4f" % (self.accuracy.result(), self.test_accuracy.result()))
            self.accuracy.reset_state()
            self.test_accuracy.reset_state()


trainer = Trainer(0.1)
trainer.fit(2)
trainer.model.save_weights("trained.h5")
