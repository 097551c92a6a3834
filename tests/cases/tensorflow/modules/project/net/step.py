"""One epoch, and the mean error of a pass."""

import tensorflow as T


def error(model, x, y):
    return T.reduce_mean(T.square(model(x) - y))


def train_epoch(model, optimizer, batches):
    total, count = 0.0, 0
    for x, y in batches:
        with T.GradientTape() as tape:
            loss = error(model, x, y)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        total += float(loss)
        count += 1
    return total / count


def evaluate(model, batches):
    losses = [float(error(model, x, y)) for x, y in batches]
    return sum(losses) / len(losses)
