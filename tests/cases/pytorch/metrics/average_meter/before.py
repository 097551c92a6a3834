"""An AverageMeter class of the script's own keeps sum and count: what it reports must be over all ranks."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


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
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        losses.update(loss.item(), x.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print('Epoch: [{0}]\tLoss {loss.avg:.4f}'.format(epoch, loss=losses))


def main():
    loader = DataLoader(TensorDataset(torch.randn(512, 8), torch.randint(0, 4, (512,))), batch_size=32, shuffle=True)
    model = nn.Linear(8, 4)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
    for epoch in range(5):
        train(loader, model, nn.CrossEntropyLoss(), optimizer, epoch)


if __name__ == '__main__':
    main()
