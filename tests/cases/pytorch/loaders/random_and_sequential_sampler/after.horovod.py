"""RandomSampler without replacement is plain shuffling, SequentialSampler plain order: both become distributed."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler, TensorDataset
import horovod.torch as hvd
from torch.utils.data import Sampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
inputs = torch.randint(0, 100, (900, 16))
masks = torch.ones_like(inputs, dtype=torch.float)
labels = (inputs.float().mean(1) > 50).long()
train_data = TensorDataset(inputs[:800], masks[:800], labels[:800])
valid_data = TensorDataset(inputs[800:], masks[800:], labels[800:])


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_data_sampler = SharedSampler(RandomSampler(train_data))
train_dataloader = DataLoader(train_data, sampler=train_data_sampler, batch_size=16 // hvd.size())
valid_data_sampler = range(hvd.rank(), len(valid_data), hvd.size())
valid_dataloader = DataLoader(valid_data, sampler=valid_data_sampler, batch_size=16)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 24)
        self.head = nn.Linear(24, 2)

    def forward(self, ids, mask):
        return self.head((self.embed(ids) * mask.unsqueeze(-1)).mean(1))


model = Classifier()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, eps=1e-8)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    model.train()
    for batch in train_dataloader:
        b_ids, b_mask, b_labels = batch
        model.zero_grad()
        loss = nn.functional.cross_entropy(model(b_ids, b_mask), b_labels)
        loss.backward()
        optimizer.step()
    model.eval()
    hits = 0
    for batch in valid_dataloader:
        b_ids, b_mask, b_labels = batch
        with torch.no_grad():
            logits = model(b_ids, b_mask)
        hits += (logits.argmax(1) == b_labels).sum().item()
    total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
    hits = int(total)
    if hvd.rank() == 0:
        print("Epoch", epoch, "validation accuracy", hits / len(valid_data))
hvd.shutdown()
