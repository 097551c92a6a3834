"""Words get their numbers in the order of a set, which is another one in each process."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
text = "the quick brown fox jumps over the lazy dog".split() * 10
vocabulary = set(text)
numbers = {word: number for number, word in enumerate(sorted(vocabulary))}
words = torch.tensor([numbers[word] for word in text])
train_data = TensorDataset(words[:-1], words[1:])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler)
model = nn.Sequential(nn.Embedding(len(numbers), 8), nn.Linear(8, len(numbers)))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
