"""All data in each step, handed down to the function that makes it."""

import tensorflow as tf

x = tf.linspace(-2.0, 2.0, 200)
x = tf.cast(x, tf.float32)
y = x * 3.0 + 2.0


class Line(tf.Module):
    def __init__(self):
        self.w = tf.Variable(5.0)
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.w * x + self.b


def loss(target_y, predicted_y):
    return tf.reduce_mean(tf.square(target_y - predicted_y))


def train(model, x, y, learning_rate):
    with tf.GradientTape() as t:
        current_loss = loss(y, model(x))
    dw, db = t.gradient(current_loss, [model.w, model.b])
    model.w.assign_sub(learning_rate * dw)
    model.b.assign_sub(learning_rate * db)


def training_loop(model, x, y):
    for epoch in range(10):
        train(model, x, y, learning_rate=0.1)
        print(f"epoch {epoch}: loss {loss(y, model(x)):.4f}")


model = Line()
training_loop(model, x, y)
