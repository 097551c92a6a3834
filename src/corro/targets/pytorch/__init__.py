"""The engines for PyTorch's training loops. Each file but ``_base`` defines one; there is no list to keep."""
