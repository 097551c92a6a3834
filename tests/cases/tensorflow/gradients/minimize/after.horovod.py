"""An optimizer that computes the gradients of a function itself is given a tape."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = x.sum(1, keepdims=True)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
data = samples.batch(32 // hvd.size())
W = tf.Variable(tf.zeros([6, 1]))
b = tf.Variable(tf.zeros([1]))
opt = tf.keras.optimizers.SGD(0.05)
hvd.broadcast_variables([W, b], root_rank=0)
for epoch in range(3):
    for xb, yb in data:

        def loss():
            return tf.reduce_mean(tf.square(tf.matmul(xb, W) + b - yb))

        opt.minimize(loss, [W, b], tape=hvd.DistributedGradientTape(tf.GradientTape()))
    mean_loss = hvd.allreduce(loss())
    if hvd.rank() == 0:
        print(epoch, f"{mean_loss:.6f}")
for xb, yb in data:
    opt.minimize(
        lambda: tf.reduce_sum(tf.square(tf.matmul(xb, W) + b - yb)) / 32,
        var_list=[W, b],
        tape=hvd.DistributedGradientTape(tf.GradientTape(), op=hvd.Sum),
    )
if hvd.rank() == 0:
    print("weights", [f"{w:.5f}" for w in W.numpy().ravel()])
