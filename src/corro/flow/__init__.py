"""The abstract interpreter: kinds and placements of every expression of a script."""
