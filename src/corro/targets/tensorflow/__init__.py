"""The engines for training loops of TensorFlow. Each file defines one; there is no list to keep."""
