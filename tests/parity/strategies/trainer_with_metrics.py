"""A trainer with two models in one step, metrics of training and of a test, a checkpoint that is read back."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
rng = np.random.default_rng(0)
x = rng.normal(size=(500, 8)).astype("float32")
y = (np.sin(x).sum(1) > 0).astype("int64")
train = tf.data.Dataset.from_tensor_slices((x[:410], y[:410])).batch(40)
test = tf.data.Dataset.from_tensor_slices((x[410:], y[410:])).batch(40)


class Body(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(16, activation="tanh")

    def call(self, inputs):
        return self.hidden(inputs)


class Trainer:
    def __init__(self, body):
        self.body = body
        self.head = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(16,))])
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.slow, self.fast = tf.keras.optimizers.SGD(0.05, momentum=0.9), tf.keras.optimizers.Adam(0.01)
        self.mean = tf.keras.metrics.Mean()
        self.accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
        self.test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def step(self, x, y):
        with tf.GradientTape(persistent=True) as tape:
            logits = self.head(self.body(x))
            loss = self.loss(y, logits) + 1e-3 * tf.nn.l2_loss(self.head.trainable_variables[0])
        of_body = tape.gradient(loss, self.body.trainable_variables)
        of_head = tape.gradient(loss, self.head.trainable_variables)
        self.slow.apply_gradients(zip(of_body, self.body.trainable_variables))
        self.fast.apply_gradients(zip(of_head, self.head.trainable_variables))
        self.mean.update_state(loss)
        self.accuracy.update_state(y, logits)
        return loss, tf.shape(x)[0]

    @tf.function
    def test_step(self, x, y):
        self.test_accuracy.update_state(y, self.head(self.body(x)))

    def fit(self, epochs):
        for epoch in range(epochs):
            self.mean.reset_state()
            self.test_accuracy.reset_state()
            total = count = 0
            for i, (a, b) in enumerate(train):
                loss, n = self.step(a, y=b)
                total += float(loss) * int(n)
                count += int(n)
                if i % 5 == 0:
                    print(f"step {i} loss {loss:.5f} so far {self.mean.result():.5f}")
            for a, b in test:
                self.test_step(a, b)
            print(f"epoch {epoch} {total / count:.5f} of {count}, mean {self.mean.result():.5f}")
            print(f"accuracy {self.accuracy.result():.5f}, test {self.test_accuracy.result():.5f}")


body = Body()
body.build((None, 8))
trainer = Trainer(body)
trainer.fit(3)
trainer.head.save_weights("head.h5")
checkpoint = tf.train.Checkpoint(body=trainer.body, slow=trainer.slow)
path = checkpoint.save("checkpoints/body")
print("sum", float(sum(tf.reduce_sum(tf.abs(w)) for w in trainer.body.weights)))
