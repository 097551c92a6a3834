"""Summaries and checkpoints are written by rank 0; a loss for each sample, which TensorFlow adds up."""

import tensorflow as tf

(x_train, y_train), _ = tf.keras.datasets.mnist.load_data()
x_train = x_train[..., tf.newaxis].astype("float32") / 255.0
ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(64, drop_remainder=True)
model = tf.keras.Sequential(
    [tf.keras.layers.Flatten(input_shape=(28, 28, 1)), tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(10)]
)
opt = tf.keras.optimizers.Adam(1e-4)
writer = tf.summary.create_file_writer("logs")
ckpt = tf.train.Checkpoint(model=model, optimizer=opt)
mean = tf.keras.metrics.Mean()
step = 0
for epoch in range(2):
    for x, y in ds:
        with tf.GradientTape() as tape:
            logits = model(x, training=True)
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.cast(y, tf.int64), logits=logits)
        grads = tape.gradient(loss, model.trainable_variables)
        grads, norm = tf.clip_by_global_norm(grads, 50.0)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        mean.update_state(loss)
        step += 1
        if step % 5 == 0:
            with writer.as_default():
                tf.summary.scalar("loss", mean.result(), step=step)
            tf.print("step", step, "loss", mean.result(), "norm", norm)
            mean.reset_states()
    ckpt.save("ckpt/model")
