"""Rules for PyTorch scripts."""
