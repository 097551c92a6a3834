"""The batch has a row for each window of its sentences: the mean of a loss is one over the rows of all processes."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
import torch.nn.functional as F
from torch.utils.data.distributed import DistributedSampler


class Sentences(Dataset):
    def __init__(self):
        generator = torch.Generator().manual_seed(3)
        self.words = [torch.randint(0, 20, (4 + 3 * (n % 4),), generator=generator).tolist() for n in range(48)]

    def __len__(self):
        return len(self.words)

    def __getitem__(self, index):
        return self.words[index]


def windows(sentences):
    pairs, following = [], []
    for number, words in enumerate(sentences):
        for place in range(len(words) - 2):
            pairs.append(words[place : place + 2])
            following.append(words[place + 2])
    return torch.tensor(pairs), torch.tensor(following)


hvd.init()
torch.manual_seed(0)
loader_data = Sentences()
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler, collate_fn=windows)
model = nn.Sequential(nn.Embedding(20, 8), nn.Flatten(), nn.Linear(16, 20))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()


def mean_of_all_rows(values):
    count = hvd.allreduce(torch.tensor(values.numel(), device=values.device), op=hvd.Sum)
    return values.sum() * hvd.size() / count


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for pairs, following in loader:
        optimizer.zero_grad()
        loss = mean_of_all_rows(F.cross_entropy(model(pairs), following, reduction="none"))
        loss.backward()
        optimizer.step()
    total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
    mean_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_loss)
hvd.shutdown()
