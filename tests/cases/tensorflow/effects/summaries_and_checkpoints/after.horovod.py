"""Summaries and checkpoints are written by rank 0; a loss for each sample, which TensorFlow adds up."""

import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
if hvd.rank() == 0:
    tf.keras.datasets.mnist.load_data()
hvd.allreduce(tf.constant(0.0))
(x_train, y_train), _ = tf.keras.datasets.mnist.load_data()
x_train = x_train[..., tf.newaxis].astype("float32") / 255.0
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x_train, y_train))
samples = samples.take(len(samples) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank())
ds = samples.batch(64 // hvd.size(), drop_remainder=True)
model = tf.keras.Sequential(
    [tf.keras.layers.Flatten(input_shape=(28, 28, 1)), tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(10)]
)
opt = tf.keras.optimizers.Adam(1e-4)
writer = tf.summary.create_file_writer("logs") if hvd.rank() == 0 else tf.summary.create_noop_writer()
ckpt = tf.train.Checkpoint(model=model, optimizer=opt)
mean = tf.keras.metrics.Mean()
step = 0
hvd.broadcast_variables(model.variables, root_rank=0)
for epoch in range(2):
    for x, y in ds:
        with tf.GradientTape() as tape:
            logits = model(x, training=True)
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.cast(y, tf.int64), logits=logits)
        tape = hvd.DistributedGradientTape(tape, op=hvd.Sum)
        grads = tape.gradient(loss, model.trainable_variables)
        grads, norm = tf.clip_by_global_norm(grads, 50.0)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        mean.update_state(loss)
        step += 1
        if step % 5 == 0:
            for variable in mean.variables:
                variable.assign(hvd.allreduce(variable))
            with writer.as_default():
                tf.summary.scalar("loss", mean.result(), step=step)
            if hvd.rank() == 0:
                tf.print("step", step, "loss", mean.result(), "norm", norm)
            mean.reset_states()
    hvd.broadcast_variables(model.non_trainable_variables, root_rank=0)
    if hvd.rank() == 0:
        ckpt.save("ckpt/model")
