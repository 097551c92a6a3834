"""A loss that is a sum over samples, divided by the size of the whole batch, needs no division by the replicas."""

import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
BATCH = 64
x = tf.random.stateless_normal([320, 4], seed=[3, 4])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, axis=1, keepdims=True)))
if BATCH % hvd.size() != 0:
    raise SystemExit(f"batch size {BATCH} cannot be shared out over {hvd.size()} processes")
data = data.concatenate(data.take(-len(data) % hvd.size())).shard(hvd.size(), hvd.rank())
data = data.shuffle(320).batch(BATCH // hvd.size())
weights = tf.Variable(tf.zeros([4, 1]))
bias = tf.Variable(tf.zeros([1]))
optimizer = tf.optimizers.SGD(0.1)


def step(x, y):
    with tf.GradientTape() as tape:
        squares = tf.square(x @ weights + bias - y)
        loss = tf.reduce_sum(squares) / BATCH
    tape = hvd.DistributedGradientTape(tape, op=hvd.Sum)
    gradients = tape.gradient(loss, [weights, bias])
    optimizer.apply_gradients(zip(gradients, [weights, bias]))
    return loss


hvd.broadcast_variables([weights, bias], root_rank=0)
for epoch in range(3):
    for x, y in data:
        loss = step(x, y)
    total_loss = float(hvd.allreduce(tf.constant(float(loss), tf.float64), op=hvd.Sum))
    if hvd.rank() == 0:
        print("loss of the last batch", total_loss)
