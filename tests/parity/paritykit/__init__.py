"""Compare a converted program on real processes with the original script, run sequentially and fed the same samples.

``probe`` runs a script under observation and writes a ``Record``; ``replay`` makes a sequential run repeat the sample
order (and, if asked, the gradients) of a distributed one; ``compare`` judges records and touches no process; ``launch``
starts processes. The scripts and the converted programs are run as they are.
"""
