"""A collate_fn packs sequences, of which each process has another number of rows: their mean is over those of all."""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence, PackedSequence
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
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
    from torch.nn.utils.rnn import pack_sequence

    return pack_sequence(xs, enforce_sorted=False), pack_sequence(ys, enforce_sorted=False), lengths


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 8, batch_first=True)
        self.out = nn.Linear(8, 1)


loader_data = Texts()
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, shuffle=False)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), collate_fn=collate, sampler=loader_sampler)
rnn = nn.GRU(4, 8, batch_first=True)
head = nn.Linear(8, 1)
model = nn.ModuleList([rnn, head])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def mean_of_all_rows(values):
    count = torch.tensor(values.numel(), device=values.device)
    dist.all_reduce(count)
    return values.sum() * dist.get_world_size() / count


ddp_rnn = DistributedDataParallel(rnn)
ddp_head = DistributedDataParallel(head)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y, lengths in loader:
        loss = mean_of_all_rows(
            nn.functional.mse_loss(ddp_head(ddp_rnn(x)[0].data).squeeze(-1), y.data, reduction="none")
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_rnn, ddp_head
dist.destroy_process_group()
