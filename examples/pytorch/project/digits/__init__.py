"""Recognises handwritten digits."""
