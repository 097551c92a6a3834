"""Rows of packed sequences are another number on each process: their mean is over those of all."""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence, PackedSequence
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)


class Texts(Dataset):
    def __init__(self, n=64):
        self.x = [torch.randn(2 + i % 7, 4) for i in range(n)]
        self.y = [each.sum(1) for each in self.x]

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def collate(items):
    xs, ys = zip(*items)
    lengths = torch.tensor([len(x) for x in xs])
    return pad_sequence(xs, batch_first=True), pad_sequence(ys, batch_first=True), lengths


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 8, batch_first=True)
        self.out = nn.Linear(8, 1)


loader_data = Texts()
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), collate_fn=collate, sampler=loader_sampler)
rnn = nn.GRU(4, 8, batch_first=True)
head = nn.Linear(8, 1)
model = nn.ModuleList([rnn, head])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)


def mean_of_all_rows(values):
    count = hvd.allreduce(torch.tensor(values.numel(), device=values.device), op=hvd.Sum)
    return values.sum() * hvd.size() / count


hvd.broadcast_parameters(rnn.state_dict(), root_rank=0)
hvd.broadcast_parameters(head.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y, lengths in loader:
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, h = rnn(packed)
        target = pack_padded_sequence(y, lengths, batch_first=True, enforce_sorted=False)
        loss = mean_of_all_rows(nn.functional.mse_loss(head(out.data).squeeze(-1), target.data, reduction="none"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
