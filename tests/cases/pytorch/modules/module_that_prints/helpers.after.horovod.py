import horovod.torch as hvd
import os

def log_epoch(epoch, loss):
    line = "%d,%.4f" % (epoch, loss)
    if hvd.rank() == 0:
        print(line)
    with open("log.csv" if hvd.rank() == 0 else os.devnull, "a") as f:
        f.write(line + "\n")
