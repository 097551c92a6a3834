"""Two splits of a published data set, asked for in a list and taken from it by their places."""

import tensorflow as tf
import tensorflow_datasets as tfds

strategy = tf.distribute.MirroredStrategy()
splits = tfds.load("iris", split=["train[:80%]", "train[80%:]"], as_supervised=True)
if 16 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = splits[0]
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
train, test = samples.batch(16), splits[1].batch(30)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
    cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
    optimizer = tf.keras.optimizers.SGD(0.05)
dist_train = strategy.experimental_distribute_dataset(train)
for epoch in range(3):
    for features, labels in dist_train:
        def train_step(features, labels):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(cross_entropy(labels, model(features)))
                scaled_loss = loss / strategy.num_replicas_in_sync
            gradients = tape.gradient(scaled_loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        strategy.run(train_step, args=(features, labels))
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
for features, labels in test:
    accuracy.update_state(labels, model(features))
print("accuracy:", accuracy.result().numpy())
