"""A gradient penalty: the gradient for a batch stays as it is."""
import tensorflow as tf
strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(0)
x = tf.random.normal([512, 6])
if 64 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices(x)
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
ds = samples.batch(64)
with strategy.scope():
    G = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(3,))])
    D = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(6,)), tf.keras.layers.Dense(1)])
    go, do = tf.keras.optimizers.Adam(1e-3), tf.keras.optimizers.Adam(1e-3)

def gradient_penalty(real, fake):
    alpha = tf.random.uniform([tf.shape(real)[0], 1])
    inter = real + alpha * (fake - real)
    with tf.GradientTape() as t:
        t.watch(inter)
        pred = D(inter)
    grad = t.gradient(pred, inter)
    norm = tf.sqrt(tf.reduce_sum(tf.square(grad), axis=1) + 1e-12)
    return tf.reduce_mean((norm - 1.0) ** 2)

dist_ds = strategy.experimental_distribute_dataset(ds)
for epoch in range(2):
    for real in dist_ds:
        def train_step(real):
            for _ in range(2):
                z = tf.random.normal((real.shape[0], 3))
                with tf.GradientTape() as tape:
                    fake = G(z)
                    loss = tf.reduce_mean(D(fake)) - tf.reduce_mean(D(real)) + 10.0 * gradient_penalty(real, fake)
                    scaled_loss = loss / strategy.num_replicas_in_sync
                grads = tape.gradient(scaled_loss, D.trainable_variables)
                do.apply_gradients(zip(grads, D.trainable_variables))
            z = tf.random.normal((tf.shape(real)[0], 3))
            with tf.GradientTape() as tape:
                gl = -tf.reduce_mean(D(G(z)))
                scaled_gl = gl / strategy.num_replicas_in_sync
            grads = tape.gradient(scaled_gl, G.trainable_variables)
            go.apply_gradients(zip(grads, G.trainable_variables))
        strategy.run(train_step, args=(real,))
    if strategy.extended.should_checkpoint:
        print("epoch", epoch)
