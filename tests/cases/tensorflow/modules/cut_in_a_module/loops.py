import tensorflow as tf

ROWS = 8


def fit(model, x, y, epochs=2):
    optimizer = tf.keras.optimizers.SGD(0.1)
    mean = tf.keras.metrics.Mean()
    for epoch in range(epochs):
        mean.reset_states()
        for start in range(0, len(x), ROWS):
            rows, targets = x[start : start + ROWS], y[start : start + ROWS]
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(rows) - targets))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            mean.update_state(loss)
        print("epoch", epoch, float(mean.result()))
    return float(mean.result())
