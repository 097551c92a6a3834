import horovod.tensorflow as hvd
import tensorflow as tf
from sklearn.datasets import load_iris

hvd.init()
rank, size = hvd.rank(), hvd.size()
tf.keras.utils.set_random_seed(4)
x, y = load_iris(return_X_y=True)
x = x.astype("float32")
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shard(size, rank).shuffle(150).batch(30 // size)
test = tf.data.Dataset.from_tensor_slices((x, y)).batch(50)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(4,)), tf.keras.layers.Dense(3)])
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.01)
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(inputs, labels, first):
    with tf.GradientTape() as tape:
        loss = loss_object(labels, model(inputs, training=True))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if first:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
    return loss


for epoch in range(3):
    total = 0.0
    for number, (inputs, labels) in enumerate(dataset):
        total += float(train_step(inputs, labels, epoch == 0 and number == 0))
    total = float(hvd.allreduce(tf.constant(total)))
    accuracy.reset_state()
    for inputs, labels in test:
        accuracy(labels, model(inputs, training=False))
    if rank == 0:
        print(f"epoch {epoch}: loss {total / len(dataset):.5f}, accuracy {float(accuracy.result()):.4f}")
if rank == 0:
    model.save_weights("tape.h5")
