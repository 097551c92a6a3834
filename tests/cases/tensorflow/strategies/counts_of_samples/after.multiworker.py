"""A loss that is a sum over samples, divided by the size of the whole batch, needs no division by the replicas."""

import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
BATCH = 64
x = tf.random.stateless_normal([320, 4], seed=[3, 4])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, axis=1, keepdims=True)))
if BATCH % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size {BATCH} cannot be shared out over {strategy.num_replicas_in_sync} replicas")
data = data.concatenate(data.take(-len(data) % strategy.num_replicas_in_sync))
data = data.shuffle(320).batch(BATCH)
with strategy.scope():
    weights = tf.Variable(tf.zeros([4, 1]))
    bias = tf.Variable(tf.zeros([1]))
    optimizer = tf.optimizers.SGD(0.1)


def step(x, y):
    with tf.GradientTape() as tape:
        squares = tf.square(x @ weights + bias - y)
        loss = tf.reduce_sum(squares) / BATCH
    gradients = tape.gradient(loss, [weights, bias])
    optimizer.apply_gradients(zip(gradients, [weights, bias]))
    return loss


dist_data = strategy.experimental_distribute_dataset(data)
for epoch in range(3):
    for x, y in dist_data:
        loss = strategy.reduce("SUM", strategy.run(step, args=(x, y)), axis=None)
    if strategy.extended.should_checkpoint:
        print("loss of the last batch", float(loss))
