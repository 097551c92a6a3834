"""AdamW with two parameter groups (no decay for biases); alias of the optimizer's class; logging; shuffle absent."""
import logging

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, format='%(levelname)s %(message)s')
log = logging.getLogger('train')
Opt = optim.AdamW


def build_optimizer(net, lr):
    decay = [p for name, p in net.named_parameters() if not name.endswith('bias')]
    no_decay = [p for name, p in net.named_parameters() if name.endswith('bias')]
    return Opt([{'params': decay, 'weight_decay': 0.05}, {'params': no_decay, 'weight_decay': 0.0}], lr=lr)


def main():
    torch.manual_seed(13)
    x = torch.randn(240, 10)
    y = (x[:, 0] * x[:, 1] > 0).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=24)
    net = nn.Sequential(nn.Linear(10, 32), nn.GELU(), nn.Linear(32, 2))
    optimizer = build_optimizer(net, 0.01)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(3):
        epoch_loss, seen = 0.0, 0
        for inputs, targets in loader:
            loss = criterion(net(inputs), targets)
            optimizer.zero_grad(set_to_none=False)
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item() * inputs.shape[0]
            seen += inputs.shape[0]
        log.info('epoch %d loss %.5f over %d samples', epoch, epoch_loss / seen, seen)
    print('done')


if __name__ == '__main__':
    main()
