"""Pictures are put into a film in a block that needs nobody else: rank 0 runs it alone, behind what it reads."""
import glob

import imageio
import matplotlib.pyplot as plt
import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd
import random

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
random.seed(hvd.broadcast_object(random.randrange(2**31)))
tf.random.set_seed(0)
x = np.random.RandomState(0).rand(256, 8).astype("float32")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, x.sum(1, keepdims=True)))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
data = samples.shuffle(256).batch(32 // hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
first_step = True
for epoch in range(3):
    for inputs, outputs in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(inputs) - outputs))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if first_step:
            hvd.broadcast_variables(model.variables, root_rank=0)
            hvd.broadcast_variables(optimizer.variables(), root_rank=0)
            first_step = False
    predicted = model(x[:64])
    if hvd.rank() == 0:
        plt.imshow(predicted.numpy().reshape(8, 8))
        plt.savefig(f"epoch_{epoch}.png")

if hvd.rank() == 0:
    with imageio.get_writer("training.gif", mode="I") as writer:
        names = sorted(glob.glob("epoch_*.png"))
        for name in names:
            writer.append_data(imageio.imread(name))
        writer.append_data(imageio.imread(name))
hvd.allreduce(tf.constant(0.0))
read_result = open("training.gif", "rb").read()
if hvd.rank() == 0:
    print("bytes:", len(read_result))
