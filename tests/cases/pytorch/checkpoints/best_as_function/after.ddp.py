"""save_checkpoint(state, is_best) writes one file and copies it: the function is guarded where it is called or within, once."""
import shutil
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def save_checkpoint(state, is_best, filename='checkpoint.pth.tar'):
    if dist.get_rank() == 0:
        torch.save(state, filename)
    if is_best:
        if dist.get_rank() == 0:
            shutil.copyfile(filename, 'model_best.pth.tar')


def main():
    train_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
    if 32 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
    train_sampler = DistributedSampler(train_data)
    train = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
    val_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 2, (70,)))
    val_sampler = range(dist.get_rank(), len(val_data), dist.get_world_size())
    val = DataLoader(val_data, batch_size=32, sampler=val_sampler)
    model = nn.Linear(10, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    best_prec1 = 0
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(4):
        train.sampler.set_epoch(epoch)
        for x, y in train:
            optimizer.zero_grad()
            nn.functional.cross_entropy(ddp_model(x), y).backward()
            optimizer.step()
        correct = 0
        with torch.no_grad():
            for x, y in val:
                correct += (model(x).argmax(1) == y).sum().item()
            total = torch.tensor(correct, dtype=torch.float64)
            dist.all_reduce(total)
            correct = int(total)
        prec1 = 100.0 * correct / len(val.dataset)
        is_best = prec1 > best_prec1
        best_prec1 = max(prec1, best_prec1)
        save_checkpoint({'epoch': epoch + 1, 'state_dict': model.state_dict(), 'best_prec1': best_prec1}, is_best)


if __name__ == '__main__':
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    seed = torch.tensor(torch.initial_seed() % 2**63)
    dist.broadcast(seed, src=0)
    seed = seed.item()
    torch.manual_seed(seed)
    main()
    dist.destroy_process_group()
