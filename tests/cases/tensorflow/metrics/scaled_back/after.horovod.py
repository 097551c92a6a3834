"""What a scaler of scikit-learn makes of a part of the data is a part."""

import tensorflow as tf
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.keras.utils.set_random_seed(1)
x, y = load_diabetes(return_X_y=True)
scaler = StandardScaler()
y = scaler.fit_transform(y.reshape(-1, 1)).astype("float32")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x.astype("float32"), y))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
dataset = samples.shuffle(500, seed=1).batch(32 // hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(10,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)

hvd.broadcast_variables(model.variables, root_rank=0)
for epoch in range(3):
    for inputs, targets in dataset:
        with tf.GradientTape() as tape:
            predictions = model(inputs)
            loss = tf.reduce_mean(tf.square(targets - predictions))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if hvd.rank() == 0:
        print(epoch, abs(scaler.inverse_transform(predictions) - scaler.inverse_transform(targets)).max())
