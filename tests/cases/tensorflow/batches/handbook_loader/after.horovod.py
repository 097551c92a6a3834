"""A class of the script's own that draws batches at random, as in TensorFlow's handbook."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd
import random


class DataLoader:
    def __init__(self):
        if hvd.rank() == 0:
            tf.keras.datasets.mnist.load_data()
        hvd.allreduce(tf.constant(0.0))
        (self.train_data, self.train_label), (self.test_data, self.test_label) = tf.keras.datasets.mnist.load_data()
        self.train_data = np.expand_dims(self.train_data.astype(np.float32) / 255.0, axis=-1)
        self.test_data = np.expand_dims(self.test_data.astype(np.float32) / 255.0, axis=-1)
        self.train_label = self.train_label.astype(np.int32)
        self.test_label = self.test_label.astype(np.int32)
        self.num_train_data, self.num_test_data = self.train_data.shape[0], self.test_data.shape[0]

    def get_batch(self, batch_size):
        index = np.random.randint(0, self.num_train_data, batch_size)
        return self.train_data[index, :], self.train_label[index]


class MLP(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.flatten = tf.keras.layers.Flatten()
        self.dense1 = tf.keras.layers.Dense(units=100, activation=tf.nn.relu)
        self.dense2 = tf.keras.layers.Dense(units=10)

    def call(self, inputs):
        x = self.flatten(inputs)
        x = self.dense1(x)
        x = self.dense2(x)
        return tf.nn.softmax(x)


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))
random.seed(hvd.broadcast_object(random.randrange(2**31)))
num_epochs = 1
batch_size = 50
learning_rate = 0.001

model = MLP()
data_loader = DataLoader()
optimizer = tf.keras.optimizers.Adam(learning_rate=learning_rate)

num_batches = int(data_loader.num_train_data // batch_size * num_epochs)
first_step = True


def share_rows(batch):
    rows = len(tf.nest.flatten(batch)[0])
    mine = np.arange(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: part[mine], batch)


for batch_index in range(num_batches):
    X, y = share_rows(data_loader.get_batch(batch_size))
    with tf.GradientTape() as tape:
        y_pred = model(X)
        loss = tf.keras.losses.sparse_categorical_crossentropy(y_true=y, y_pred=y_pred)
        loss = tf.reduce_mean(loss)
        mean_loss = hvd.allreduce(loss).numpy()
        if hvd.rank() == 0:
            print("batch %d: loss %f" % (batch_index, mean_loss))
    tape = hvd.DistributedGradientTape(tape)
    grads = tape.gradient(loss, model.variables)
    optimizer.apply_gradients(grads_and_vars=zip(grads, model.variables))
    if first_step:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables(), root_rank=0)
        first_step = False

sparse_categorical_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
num_batches = int(data_loader.num_test_data // batch_size)
for batch_index in range(num_batches):
    start_index, end_index = batch_index * batch_size, (batch_index + 1) * batch_size
    y_pred = model.predict(data_loader.test_data[start_index:end_index])
    sparse_categorical_accuracy.update_state(
        y_true=data_loader.test_label[start_index:end_index], y_pred=y_pred
    )
if hvd.rank() == 0:
    print("test accuracy: %f" % sparse_categorical_accuracy.result())
