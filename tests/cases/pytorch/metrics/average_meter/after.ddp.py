"""An AverageMeter class of the script's own keeps sum and count: what it reports must be over all ranks."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class AverageMeter(object):
    """Computes and stores the average and current value"""

    def __init__(self):
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


def train(loader, model, criterion, optimizer, epoch):
    losses = AverageMeter()
    model.train()
    loader.sampler.set_epoch(epoch)
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        losses.update(loss.item(), x.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print('Epoch: [{0}]\tLoss {loss.avg:.4f}'.format(epoch, loss=losses))


def main():
    loader_data = TensorDataset(torch.randn(512, 8), torch.randint(0, 4, (512,)))
    if 32 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
    model = nn.Linear(8, 4)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(5):
        train(loader, ddp_model, nn.CrossEntropyLoss(), optimizer, epoch)


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
