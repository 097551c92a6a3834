"""A data set of a library gives dicts of which nothing is known; their columns are padded, with time in front."""

import datasets
import torch
from torch import nn
from torch.utils.data import DataLoader
import os
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def get_collate(pad):
    def collate(examples):
        source = [example["source"] for example in examples]
        target = [example["target"] for example in examples]
        return {
            "source": nn.utils.rnn.pad_sequence(source, padding_value=pad),
            "target": nn.utils.rnn.pad_sequence(target, padding_value=pad),
        }

    return collate


class Translator(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.read, self.written = nn.Embedding(words, width), nn.Embedding(words, width)
        self.encoder, self.decoder = nn.LSTM(width, width), nn.LSTM(width, width)
        self.scores = nn.Linear(width, words)

    def forward(self, source, target):
        _, state = self.encoder(self.read(source))
        length, size = target.shape
        outputs = torch.zeros(length, size, self.scores.out_features, device=source.device)
        token = target[0, :]
        for t in range(1, length):
            output, state = self.decoder(self.written(token.unsqueeze(0)), state)
            outputs[t] = self.scores(output.squeeze(0))
            token = target[t]
        return outputs


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
if dist.get_rank() != 0:
    datasets.disable_progress_bars()
torch.manual_seed(0)
data = datasets.load_dataset("some/pairs")["train"]
data = data.with_format(type="torch", columns=["source", "target"], output_all_columns=True)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler, collate_fn=get_collate(0))
model = Translator(50, 8)
criterion = nn.CrossEntropyLoss(ignore_index=0)
optimizer = torch.optim.Adam(model.parameters())
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    total = 0
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        source, target = batch["source"], batch["target"]
        output = ddp_model(source, target)
        counted = (target[1:].view(-1) != criterion.ignore_index).sum()
        dist.all_reduce(counted)
        counted = counted / dist.get_world_size()
        loss = F.cross_entropy(
            output[1:].view(-1, output.shape[-1]),
            target[1:].view(-1),
            ignore_index=criterion.ignore_index,
            reduction="sum",
        ) / counted
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, total / len(loader))
del ddp_model
dist.destroy_process_group()
