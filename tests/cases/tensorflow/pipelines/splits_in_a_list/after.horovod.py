"""Two splits of a published data set, asked for in a list and taken from it by their places."""

import tensorflow as tf
import tensorflow_datasets as tfds
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
if hvd.rank() == 0:
    tfds.load("iris", split=["train[:80%]", "train[80%:]"], as_supervised=True)
hvd.allreduce(tf.constant(0.0))
splits = tfds.load("iris", split=["train[:80%]", "train[80%:]"], as_supervised=True)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
samples = splits[0]
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
train, test = samples.batch(16 // hvd.size()), splits[1].batch(30)
model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(0.05)
hvd.broadcast_variables(model.variables, root_rank=0)
for epoch in range(3):
    for features, labels in train:
        with tf.GradientTape() as tape:
            loss = cross_entropy(labels, model(features))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
for features, labels in test:
    accuracy.update_state(labels, model(features))
if hvd.rank() == 0:
    print("accuracy:", accuracy.result().numpy())
