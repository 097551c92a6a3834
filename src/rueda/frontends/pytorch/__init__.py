"""The frontend for PyTorch."""
