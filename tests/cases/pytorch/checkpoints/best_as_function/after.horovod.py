"""save_checkpoint(state, is_best) writes one file and copies it: the function is guarded where it is called or within, once."""
import shutil
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def save_checkpoint(state, is_best, filename='checkpoint.pth.tar'):
    if hvd.rank() == 0:
        torch.save(state, filename)
    if is_best:
        if hvd.rank() == 0:
            shutil.copyfile(filename, 'model_best.pth.tar')


def main():
    train_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
    train = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
    val_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 2, (70,)))
    val_sampler = range(hvd.rank(), len(val_data), hvd.size())
    val = DataLoader(val_data, batch_size=32, sampler=val_sampler)
    model = nn.Linear(10, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    best_prec1 = 0
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(4):
        train.sampler.set_epoch(epoch)
        for x, y in train:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        correct = 0
        with torch.no_grad():
            for x, y in val:
                correct += (model(x).argmax(1) == y).sum().item()
            total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
            correct = int(total)
        prec1 = 100.0 * correct / len(val.dataset)
        is_best = prec1 > best_prec1
        best_prec1 = max(prec1, best_prec1)
        save_checkpoint({'epoch': epoch + 1, 'state_dict': model.state_dict(), 'best_prec1': best_prec1}, is_best)


if __name__ == '__main__':
    hvd.init()
    seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
    torch.manual_seed(seed)
    main()
    hvd.shutdown()
