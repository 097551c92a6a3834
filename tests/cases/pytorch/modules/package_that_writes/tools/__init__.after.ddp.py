import os
import torch.distributed as dist

with open("log.txt" if dist.get_rank() == 0 else os.devnull, "a") as log:
    log.write("a run begins\n")
