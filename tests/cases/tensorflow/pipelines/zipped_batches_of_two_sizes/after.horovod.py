"""Few samples with labels and many without: the pipelines that are zipped have batches of different sizes."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.keras.utils.set_random_seed(1)
x = np.random.rand(320, 6).astype("float32")
y = (x.sum(1) > 3).astype("int32")
labelled = tf.data.Dataset.from_tensor_slices((x[:64], y[:64])).shuffle(64, seed=1).batch(8)
unlabelled = tf.data.Dataset.from_tensor_slices(x[64:]).shuffle(256, seed=2).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(6,)), tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD(0.1)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

hvd.broadcast_variables(model.variables, root_rank=0)
for epoch in range(3):
    
    def share(*batch):
        def own_rows(part):
            rows = tf.shape(part)[0]
            return tf.gather(part, tf.range(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows)

        return tf.nest.map_structure(own_rows, batch if len(batch) > 1 else batch[0])

    for (inputs, labels), others in tf.data.Dataset.zip((labelled, unlabelled)).map(share):
        guesses = tf.argmax(model(others), axis=1)
        with tf.GradientTape() as tape:
            loss = cross_entropy(labels, model(inputs, training=True))
            loss += 0.5 * cross_entropy(guesses, model(others, training=True))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    mean_loss = float(hvd.allreduce(tf.constant(float(loss), tf.float64)))
    if hvd.rank() == 0:
        print(epoch, mean_loss)
