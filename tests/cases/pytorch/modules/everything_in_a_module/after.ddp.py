"""A script that calls the main function of a longer module."""

from program import main
import os
import torch
import torch.distributed as dist
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
main()
dist.destroy_process_group()
