"""Already distributed: processes are spawned by the script, the group is made by an imported function."""
import torch
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed import destroy_process_group, init_process_group
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def worker(rank, world_size):
    init_process_group("gloo", init_method="tcp://localhost:29512", rank=rank, world_size=world_size)
    data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
    loader = DataLoader(data, batch_size=16, sampler=DistributedSampler(data))
    model = DistributedDataParallel(nn.Linear(10, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2,), nprocs=2)
