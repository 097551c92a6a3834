"""The frontend for TensorFlow: training loops written by hand around a gradient tape."""
