import torch.nn.functional as F
import horovod.torch as hvd
import torch


def train_one_epoch(model, loader, optimizer, epoch):
    model.train()
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print("epoch", epoch, "loss", total / len(loader))
