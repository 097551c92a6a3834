"""What tf.print shows is made whole, as what print shows is."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x = np.random.rand(256, 6).astype("float32")
y = (x.sum(1) > 3).astype("int32")
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
dataset = samples.shuffle(256, seed=1).batch(32)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(6,)), tf.keras.layers.Dense(2)])
    optimizer = tf.keras.optimizers.SGD(0.1)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")

dist_dataset = strategy.experimental_distribute_dataset(dataset)
for epoch in range(3):
    for inputs, labels in dist_dataset:
        def train_step(inputs, labels):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(cross_entropy(labels, model(inputs, training=True)))
                scaled_loss = loss / strategy.num_replicas_in_sync
            gradients = tape.gradient(scaled_loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            return loss
        loss = strategy.reduce("MEAN", strategy.run(train_step, args=(inputs, labels)), axis=None)
    if strategy.extended.should_checkpoint:
        tf.print("epoch", epoch, "loss", loss)
