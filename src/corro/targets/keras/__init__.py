"""The engines for Keras. Each file but ``_base`` defines one; there is no list to keep."""
