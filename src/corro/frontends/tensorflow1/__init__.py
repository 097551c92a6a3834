"""The frontend for TensorFlow 1: graphs that a session runs, fed with batches."""
