"""One epoch, and the mean error of a pass."""

import tensorflow as T
import horovod.tensorflow as hvd


def error(model, x, y):
    return T.reduce_mean(T.square(model(x) - y))


def train_epoch(model, optimizer, batches):
    total, count = 0.0, 0
    for x, y in batches:
        with T.GradientTape() as tape:
            loss = error(model, x, y)
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        total += float(loss)
        count += 1
    total = float(hvd.allreduce(T.constant(total, T.float64)))
    return total / count


def evaluate(model, batches):
    losses = [float(error(model, x, y)) for x, y in batches]
    return sum(losses) / len(losses)
