import torch.nn.functional as F
import torch
import torch.distributed as dist


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
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print("epoch", epoch, "loss", total / len(loader))
