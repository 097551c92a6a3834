"""Where the time of a training step goes, on each process: one trace that is comparable over engines."""
