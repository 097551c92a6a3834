"""A class that trains: its step is a method, its metrics of training and of the test are made apart."""

import tensorflow as tf
import os
import tempfile

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
features = tf.random.stateless_normal([256, 6], seed=[1, 2])
targets = tf.cast(tf.reduce_sum(features, axis=1) > 0, tf.int32)
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices((features, targets))
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
train = samples.batch(32)
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
        with strategy.scope():
            self.model = Net()
            self.optimizer = tf.keras.optimizers.SGD(rate)
            self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
            self.accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
        self.test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            logits = self.model(x)
            loss = tf.reduce_mean(self.loss(y, logits))
            scaled_loss = loss / strategy.num_replicas_in_sync
        gradients = tape.gradient(scaled_loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        self.accuracy.update_state(y, logits)
        return loss, tf.shape(x)[0]

    def fit(self, epochs):
        dist_train = strategy.experimental_distribute_dataset(train)
        for epoch in range(epochs):
            total, count = 0.0, 0
            for x, y in dist_train:
                loss, n = strategy.run(self.train_step, args=(x,), kwargs={"y": y})
                loss = strategy.reduce("MEAN", loss, axis=None)
                n = strategy.reduce("SUM", n, axis=None)
                total += float(loss) * int(n)
                count += int(n)
            for x, y in test:
                self.test_accuracy.update_state(y, self.model(x))
            if strategy.extended.should_checkpoint:
                print("epoch", epoch, "loss %.5f" % (total / count), "of", count)
            accuracy_result = self.accuracy.result()
            if strategy.extended.should_checkpoint:
                print("accuracy %.4f %.4f" % (accuracy_result, self.test_accuracy.result()))
            self.accuracy.reset_state()
            self.test_accuracy.reset_state()


trainer = Trainer(0.1)
trainer.fit(2)
trainer.model.save_weights(
    "trained.h5" if strategy.extended.should_checkpoint else os.path.join(
        tempfile.mkdtemp(), os.path.basename("trained.h5")
    )
)
