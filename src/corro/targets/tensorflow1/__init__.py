"""The engines for sessions of TensorFlow 1. Each file defines one; there is no list to keep."""
