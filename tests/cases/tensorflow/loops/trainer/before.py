"""A trainer class: losses in lists, a metric that is not reset, a comprehension in a print."""
import numpy as np
import tensorflow as tf
tf.keras.utils.set_random_seed(5)
rng = np.random.default_rng(0)
x = rng.normal(size=(400, 8)).astype(np.float32)
y = (x @ rng.normal(size=(8, 1))).astype(np.float32)
xv, yv = x[:80], y[:80]

class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.a = tf.keras.layers.Dense(16, activation="tanh")
        self.b = tf.keras.layers.Dense(1)
    def call(self, inputs, training=None):
        return self.b(self.a(inputs))

class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(lr)
        self.loss_fn = tf.keras.losses.MeanSquaredError()
        self.history = []
        self.train_loss = tf.keras.metrics.Mean()
        self.mae = tf.keras.metrics.MeanAbsoluteError()
    @tf.function
    def step(self, xb, yb):
        with tf.GradientTape(persistent=True) as tape:
            p = self.model(xb, training=True)
            loss = self.loss_fn(yb, p)
            reg = tf.add_n([tf.nn.l2_loss(v) for v in self.model.trainable_variables]) * 1e-3
            total = loss + reg
        g = tape.gradient(total, self.model.trainable_variables)
        del tape
        self.optimizer.apply_gradients(zip(g, self.model.trainable_variables))
        self.train_loss.update_state(loss)
        self.mae.update_state(yb, p)
        return loss
    def evaluate(self, ds):
        losses = []
        for xb, yb in ds:
            losses.append(self.loss_fn(yb, self.model(xb)).numpy())
        return np.mean(losses)
    def fit(self, ds, val, epochs):
        best = np.inf
        for epoch in range(epochs):
            batch_losses = []
            for xb, yb in ds:
                batch_losses.append(self.step(xb, yb).numpy())
            v = self.evaluate(val)
            self.history.append(np.mean(batch_losses))
            print("epoch %d loss %.5f %.5f mae %.5f val %.5f" % (epoch, np.mean(batch_losses), self.train_loss.result(), self.mae.result(), v))
            if v < best:
                best = v
                self.model.save_weights("best.weights.h5")
            self.train_loss.reset_state()
        print(["%.5f" % h for h in self.history])

ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
val = tf.data.Dataset.from_tensor_slices((xv, yv)).batch(16)
Trainer(Net(), 1e-2).fit(ds, val, 3)
