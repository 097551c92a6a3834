"""A model that makes its variables in the first step: rank 0's go to all processes after it, and Keras' metrics are
averaged before they are read."""

import tensorflow as tf
from sklearn.datasets import load_digits

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
digits = load_digits()
images, labels = digits.images[..., None].astype("float32") / 16, digits.target
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices((images[:1500], labels[:1500]))
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
train_ds = samples.shuffle(1500).batch(32)
test_ds = tf.data.Dataset.from_tensor_slices((images[1500:], labels[1500:])).batch(32)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv = tf.keras.layers.Conv2D(8, 3, activation="relu")
        self.flatten = tf.keras.layers.Flatten()
        self.dense = tf.keras.layers.Dense(10)

    def call(self, x):
        return self.dense(self.flatten(self.conv(x)))


with strategy.scope():
    net = Net()
    loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
    adam = tf.keras.optimizers.Adam()
    train_loss = tf.keras.metrics.Mean()
    train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        predictions = net(x, training=True)
        loss = tf.reduce_mean(loss_object(y, predictions))
        scaled_loss = loss / strategy.num_replicas_in_sync
    gradients = tape.gradient(scaled_loss, net.trainable_variables)
    adam.apply_gradients(zip(gradients, net.trainable_variables))
    train_loss(loss)
    train_accuracy(y, predictions)


@tf.function
def test_step(x, y):
    test_accuracy(y, net(x, training=False))


dist_train_ds = strategy.experimental_distribute_dataset(train_ds)
for epoch in range(5):
    train_loss.reset_states()
    train_accuracy.reset_states()
    test_accuracy.reset_states()
    for x, y in dist_train_ds:
        strategy.run(train_step, args=(x, y))
    for x, y in test_ds:
        test_step(x, y)
    train_loss_result = train_loss.result()
    train_accuracy_result = train_accuracy.result()
    if strategy.extended.should_checkpoint:
        print(epoch, train_loss_result, train_accuracy_result, test_accuracy.result())
