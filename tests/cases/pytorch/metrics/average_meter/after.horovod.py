"""An AverageMeter class of the script's own keeps sum and count: what it reports must be over all ranks."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


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
    if hvd.rank() == 0:
        print('Epoch: [{0}]\tLoss {loss.avg:.4f}'.format(epoch, loss=losses))


def main():
    loader_data = TensorDataset(torch.randn(512, 8), torch.randint(0, 4, (512,)))
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
    model = nn.Linear(8, 4)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(5):
        train(loader, model, nn.CrossEntropyLoss(), optimizer, epoch)


if __name__ == '__main__':
    hvd.init()
    seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
    torch.manual_seed(seed)
    main()
    hvd.shutdown()
