"""Batch size and shuffle come from dict literals joined with .update(): each is followed to its loader."""
import argparse
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torchvision import datasets, transforms
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(784, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.fc1(x.flatten(1)))
        return F.log_softmax(self.fc2(x), dim=1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--batch-size', type=int, default=64)
    parser.add_argument('--test-batch-size', type=int, default=1000)
    parser.add_argument('--epochs', type=int, default=2)
    parser.add_argument('--lr', type=float, default=0.1)
    parser.add_argument('--no-cuda', action='store_true', default=False)
    args = parser.parse_args()
    use_cuda = not args.no_cuda and torch.cuda.is_available()
    device = torch.device("cuda" if use_cuda else "cpu")

    train_kwargs = {'batch_size': args.batch_size}
    test_kwargs = {'batch_size': args.test_batch_size}
    common = {'shuffle': True}
    train_kwargs.update(common)
    if use_cuda:
        cuda_kwargs = {'num_workers': 1, 'pin_memory': True}
        train_kwargs.update(cuda_kwargs)
        test_kwargs.update(cuda_kwargs)

    transform = transforms.ToTensor()
    if dist.get_rank() == 0:
        datasets.MNIST('../data', train=True, download=True)
    dist.barrier()
    train_set = datasets.MNIST('../data', train=True, download=True, transform=transform)
    test_set = datasets.MNIST('../data', train=False, transform=transform)
    if train_kwargs["batch_size"] % dist.get_world_size() != 0:
        raise SystemExit(f'batch size {train_kwargs["batch_size"]} cannot be shared out over {dist.get_world_size()} processes')
    train_sampler = DistributedSampler(train_set)
    train_loader = torch.utils.data.DataLoader(
        train_set,
        sampler=train_sampler,
        **dict(train_kwargs, batch_size=train_kwargs["batch_size"] // dist.get_world_size(), shuffle=False),
    )
    test_sampler = range(dist.get_rank(), len(test_set), dist.get_world_size())
    test_loader = torch.utils.data.DataLoader(test_set, sampler=test_sampler, **test_kwargs)

    model = Net().to(device)
    optimizer = optim.SGD(model.parameters(), lr=args.lr)
    ddp_model = DistributedDataParallel(model)
    for epoch in range(1, args.epochs + 1):
        model.train()
        train_loader.sampler.set_epoch(epoch)
        for data, target in train_loader:
            data, target = data.to(device), target.to(device)
            optimizer.zero_grad()
            F.nll_loss(ddp_model(data), target).backward()
            optimizer.step()
        model.eval()
        correct = 0
        with torch.no_grad():
            for data, target in test_loader:
                data, target = data.to(device), target.to(device)
                correct += (model(data).argmax(1) == target).sum().item()
            total = torch.tensor(correct, dtype=torch.float64)
            dist.all_reduce(total)
            correct = int(total)
        if dist.get_rank() == 0:
            print('epoch {}: {}/{} correct'.format(epoch, correct, len(test_loader.dataset)))


if __name__ == '__main__':
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    main()
    dist.destroy_process_group()
