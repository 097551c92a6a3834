"""Rules for Keras and TensorFlow; one that is not for sessions says so."""

FRONTENDS = ("keras", "tensorflow", "tensorflow1")
