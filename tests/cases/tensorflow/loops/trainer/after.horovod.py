"""A trainer class: losses in lists, a metric that is not reset, a comprehension in a print."""
import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
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
        tape = hvd.DistributedGradientTape(tape)
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
        first_step = True
        for epoch in range(epochs):
            batch_losses = []
            for xb, yb in ds:
                batch_losses.append(self.step(xb, yb).numpy())
                if first_step:
                    hvd.broadcast_variables(self.model.variables, root_rank=0)
                    hvd.broadcast_variables(self.optimizer.variables(), root_rank=0)
                    first_step = False
            v = self.evaluate(val)
            self.history.append(np.mean(batch_losses))
            for variable in [*self.train_loss.variables, *self.mae.variables]:
                variable.assign(hvd.allreduce(variable))
            mean_batch_losses = float(hvd.allreduce(tf.constant(np.mean(batch_losses), tf.float64)))
            if hvd.rank() == 0:
                print("epoch %d loss %.5f %.5f mae %.5f val %.5f" % (epoch, mean_batch_losses, self.train_loss.result(), self.mae.result(), v))
            if v < best:
                best = v
                if hvd.rank() == 0:
                    self.model.save_weights("best.weights.h5")
            self.train_loss.reset_state()
        mean_history = hvd.allreduce(tf.constant(self.history, tf.float64)).numpy().tolist()
        if hvd.rank() == 0:
            print(["%.5f" % h for h in mean_history])

if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
ds = samples.batch(16 // hvd.size())
val = tf.data.Dataset.from_tensor_slices((xv, yv)).batch(16)
Trainer(Net(), 1e-2).fit(ds, val, 3)
