import os
import torch.distributed as dist

def log_epoch(epoch, loss):
    line = "%d,%.4f" % (epoch, loss)
    if dist.get_rank() == 0:
        print(line)
    with open("log.csv" if dist.get_rank() == 0 else os.devnull, "a") as f:
        f.write(line + "\n")
