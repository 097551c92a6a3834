import horovod.torch as hvd
import os

with open("log.txt" if hvd.rank() == 0 else os.devnull, "a") as log:
    log.write("a run begins\n")
