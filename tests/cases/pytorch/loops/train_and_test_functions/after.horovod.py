"""train(args, model, device, loader, optimizer, epoch) and test(...), called from main(): everything arrives as a parameter."""
import argparse
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torchvision import datasets, transforms
from torch.optim.lr_scheduler import StepLR
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, 1)
        self.dropout = nn.Dropout(0.25)
        self.fc = nn.Linear(1352, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = self.dropout(torch.flatten(x, 1))
        return F.log_softmax(self.fc(x), dim=1)


def train(args, model, device, train_loader, optimizer, epoch):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for batch_idx, (data, target) in enumerate(train_loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        output = model(data)
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()
        if batch_idx % args.log_interval == 0:
            totals = hvd.allreduce(torch.tensor([batch_idx * len(data), loss.item()], dtype=torch.float64), op=hvd.Sum)
            total_value, mean_loss = int(totals[0]), totals[1].item() / hvd.size()
            if hvd.rank() == 0:
                print('Train Epoch: {} [{}/{} ({:.0f}%)]\tLoss: {:.6f}'.format(
                    epoch, total_value, len(train_loader.dataset),
                    100. * batch_idx / len(train_loader), mean_loss))
            if args.dry_run:
                break


def test(model, device, test_loader):
    model.eval()
    test_loss = 0
    correct = 0
    with torch.no_grad():
        for data, target in test_loader:
            data, target = data.to(device), target.to(device)
            output = model(data)
            test_loss += F.nll_loss(output, target, reduction='sum').item()  # sum up batch loss
            pred = output.argmax(dim=1, keepdim=True)  # get the index of the max log-probability
            correct += pred.eq(target.view_as(pred)).sum().item()
        totals = hvd.allreduce(torch.tensor([test_loss, correct], dtype=torch.float64), op=hvd.Sum)
        test_loss, correct = totals[0].item(), int(totals[1])

    test_loss /= len(test_loader.dataset)

    if hvd.rank() == 0:
        print('\nTest set: Average loss: {:.4f}, Accuracy: {}/{} ({:.0f}%)\n'.format(
            test_loss, correct, len(test_loader.dataset),
            100. * correct / len(test_loader.dataset)))


def main():
    parser = argparse.ArgumentParser(description='digits')
    parser.add_argument('--batch-size', type=int, default=64, metavar='N')
    parser.add_argument('--epochs', type=int, default=14, metavar='N')
    parser.add_argument('--lr', type=float, default=1.0, metavar='LR')
    parser.add_argument('--gamma', type=float, default=0.7, metavar='M')
    parser.add_argument('--dry-run', action='store_true')
    parser.add_argument('--seed', type=int, default=1, metavar='S')
    parser.add_argument('--log-interval', type=int, default=10, metavar='N')
    parser.add_argument('--save-model', action='store_true')
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])
    if hvd.rank() == 0:
        datasets.MNIST('../data', train=True, download=True)
    hvd.barrier()
    dataset1 = datasets.MNIST('../data', train=True, download=True, transform=transform)
    dataset2 = datasets.MNIST('../data', train=False, transform=transform)
    if args.batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {hvd.size()} processes")
    train_sampler = DistributedSampler(dataset1, num_replicas=hvd.size(), rank=hvd.rank(), seed=args.seed)
    train_loader = torch.utils.data.DataLoader(
        dataset1, batch_size=args.batch_size // hvd.size(), sampler=train_sampler
    )
    test_sampler = range(hvd.rank(), len(dataset2), hvd.size())
    test_loader = torch.utils.data.DataLoader(dataset2, batch_size=1000, sampler=test_sampler)

    model = Net().to(device)
    optimizer = optim.Adadelta(model.parameters(), lr=args.lr)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    scheduler = StepLR(optimizer, step_size=1, gamma=args.gamma)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(args.seed + hvd.rank())
    for epoch in range(1, args.epochs + 1):
        train(args, model, device, train_loader, optimizer, epoch)
        test(model, device, test_loader)
        scheduler.step()

    if args.save_model:
        if hvd.rank() == 0:
            torch.save(model.state_dict(), "mnist_cnn.pt")


if __name__ == '__main__':
    hvd.init()
    if torch.cuda.is_available():
        torch.cuda.set_device(hvd.local_rank())
    main()
    hvd.shutdown()
