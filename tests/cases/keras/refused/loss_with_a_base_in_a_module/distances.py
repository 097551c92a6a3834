import tensorflow as tf
from tensorflow import keras


class Distance(keras.losses.Loss):
    def call(self, y_true, y_pred):
        return self.length(y_true - y_pred)

    def length(self, difference):
        return tf.sqrt(tf.reduce_mean(tf.square(difference)))


class Deviation(Distance):
    pass
