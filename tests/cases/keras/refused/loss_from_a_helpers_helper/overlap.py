import tensorflow as tf


def dice(y_true, y_pred):
    both = tf.reduce_sum(y_true * y_pred)
    return 2 * both / (tf.reduce_sum(y_true) + tf.reduce_sum(y_pred))


def dice_loss(y_true, y_pred):
    return 1 - dice(y_true, y_pred)
