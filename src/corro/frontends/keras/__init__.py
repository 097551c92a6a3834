"""The frontend for Keras: tf.keras, Keras 2 and Keras 3, trained with ``fit``."""
