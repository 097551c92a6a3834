"""Batches are padded by a library's collator, an object, a lambda, a partial function: said of all but of one length."""

from functools import partial

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
from transformers import AutoTokenizer, DataCollatorForSeq2Seq, DataCollatorWithPadding
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def together(samples, value=0.0):
    rows, labels = zip(*samples)
    return pad_sequence(rows, batch_first=True, padding_value=value), torch.tensor(labels)


def three_long(samples):
    rows, labels = zip(*samples)
    return torch.stack([row[:3] for row in rows]), torch.tensor(labels)


class Together:
    def __init__(self, value):
        self.value = value

    def put(self, samples):
        return together(samples, self.value)

    def __call__(self, samples):
        return self.put(samples)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
rows = [(torch.randn(3 + i % 7, 4), i % 2) for i in range(320)]
tokenizer = AutoTokenizer.from_pretrained("some/tokens")
collator = DataCollatorWithPadding(tokenizer)
fixed = DataCollatorForSeq2Seq(tokenizer, padding="max_length", max_length=32)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
by_library_sampler = DistributedSampler(rows)
by_library = DataLoader(rows, batch_size=32 // dist.get_world_size(), sampler=by_library_sampler, collate_fn=collator)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
by_method_sampler = DistributedSampler(rows, seed=1000)
by_method = DataLoader(
    rows, batch_size=32 // dist.get_world_size(), sampler=by_method_sampler, collate_fn=tokenizer.pad
)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
by_object_sampler = DistributedSampler(rows, seed=2000)
by_object = DataLoader(
    rows, batch_size=32 // dist.get_world_size(), sampler=by_object_sampler, collate_fn=Together(1.0)
)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
by_lambda_sampler = DistributedSampler(rows, seed=3000)
by_lambda = DataLoader(
    rows,
    batch_size=32 // dist.get_world_size(),
    sampler=by_lambda_sampler,
    collate_fn=lambda samples: together(samples, 1.0),
)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
by_part_sampler = DistributedSampler(rows, seed=4000)
by_part = DataLoader(
    rows, batch_size=32 // dist.get_world_size(), sampler=by_part_sampler, collate_fn=partial(together, value=1.0)
)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
of_one_length_sampler = DistributedSampler(rows, seed=5000)
of_one_length = DataLoader(
    rows, batch_size=32 // dist.get_world_size(), sampler=of_one_length_sampler, collate_fn=fixed
)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
cut_sampler = DistributedSampler(rows, seed=6000)
cut = DataLoader(rows, batch_size=32 // dist.get_world_size(), sampler=cut_sampler, collate_fn=three_long)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + dist.get_rank())
    for loader in (by_library, by_method, by_object, by_lambda, by_part, of_one_length, cut):
        loader.sampler.set_epoch(loader.sampler.epoch + 1)
        for x, y in loader:
            loss = nn.functional.cross_entropy(ddp_model(x).mean(dim=1), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    del ddp_model
dist.destroy_process_group()
