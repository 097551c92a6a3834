"""Batch size and epochs from the command line."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
with strategy.scope():
    inputs = tf.keras.Input((6,))
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
    opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError(reduction="none")

import argparse
def train(args):
    if args.batch_size % strategy.num_replicas_in_sync != 0:
        raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {strategy.num_replicas_in_sync} replicas")
    samples = tf.data.Dataset.from_tensor_slices((x, y))
    samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
    data = samples.shuffle(100).batch(args.batch_size)
    dist_data = strategy.experimental_distribute_dataset(data)
    for e in range(args.epochs):
        s = 0.0
        for a, b in dist_data:
            def train_step(a, b):
                with tf.GradientTape() as t:
                    l = tf.reduce_mean(mse(b, model(a)))
                    scaled_l = l / strategy.num_replicas_in_sync
                g = t.gradient(scaled_l, model.trainable_variables)
                opt.apply_gradients(zip(g, model.trainable_variables))
                return l
            l = strategy.reduce("MEAN", strategy.run(train_step, args=(a, b)), axis=None)
            s += l
        if strategy.extended.should_checkpoint:
            print(e, s.numpy())
p = argparse.ArgumentParser(); p.add_argument("--batch_size", type=int, default=32); p.add_argument("--epochs", type=int, default=2)
train(p.parse_args())
