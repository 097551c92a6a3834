import horovod.tensorflow.keras as hvd
import tensorflow as tf
from sklearn.datasets import load_iris

hvd.init()
rank, size = hvd.rank(), hvd.size()
tf.keras.utils.set_random_seed(2)
iris = load_iris()
data = tf.data.Dataset.from_tensor_slices((iris.data[::5].astype("float32"), iris.target[::5]))
data = data.concatenate(tf.data.Dataset.from_tensor_slices((iris.data[1::2].astype("float32"), iris.target[1::2])))
data = data.take(96).shard(size, rank).shuffle(96).batch(8).repeat()

model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh", input_shape=(4,)), tf.keras.layers.Dense(3)])
loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.05 * size)), loss, metrics=["accuracy"])
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    hvd.callbacks.LearningRateWarmupCallback(0.05 * size, warmup_epochs=2, momentum_correction=False),
]
model.fit(data, steps_per_epoch=12 // size, epochs=3, verbose=0, callbacks=callbacks)
loss = model.evaluate(iris.data[::5].astype("float32"), iris.target[::5], verbose=0)[0]
if rank == 0:
    print("loss %.5f" % loss)
