import tensorflow as tf


class Recurrent(tf.keras.layers.Layer):
    def __init__(self, units, batch_size):
        super().__init__()
        self.units, self.batch_size = units, batch_size
        self.gru = tf.keras.layers.GRU(units)

    def call(self, inputs):
        return self.gru(inputs, initial_state=tf.zeros((self.batch_size, self.units)))
