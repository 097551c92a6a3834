"""A loop that takes the first GPU for itself: the engine gives each process one."""
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    first = gpus[0]
    tf.config.experimental.set_memory_growth(first, True)

tf.random.set_seed(0)
x = np.random.RandomState(0).rand(256, 8).astype("float32")
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices((x, x.sum(1, keepdims=True)))
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
data = samples.shuffle(256).batch(32)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.01)
dist_data = strategy.experimental_distribute_dataset(data)
for epoch in range(3):
    for inputs, outputs in dist_data:
        def train_step(inputs, outputs):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(inputs) - outputs))
                scaled_loss = loss / strategy.num_replicas_in_sync
            gradients = tape.gradient(scaled_loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        strategy.run(train_step, args=(inputs, outputs))
if strategy.extended.should_checkpoint:
    print("done")
