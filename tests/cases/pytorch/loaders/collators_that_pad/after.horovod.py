"""Batches are padded by a library's collator, an object, a lambda, a partial function: said of all but of one length."""

from functools import partial

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
from transformers import AutoTokenizer, DataCollatorForSeq2Seq, DataCollatorWithPadding
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


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


hvd.init()
torch.manual_seed(0)
rows = [(torch.randn(3 + i % 7, 4), i % 2) for i in range(320)]
tokenizer = AutoTokenizer.from_pretrained("some/tokens")
collator = DataCollatorWithPadding(tokenizer)
fixed = DataCollatorForSeq2Seq(tokenizer, padding="max_length", max_length=32)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
by_library_sampler = DistributedSampler(rows, num_replicas=hvd.size(), rank=hvd.rank())
by_library = DataLoader(rows, batch_size=32 // hvd.size(), sampler=by_library_sampler, collate_fn=collator)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
by_method_sampler = DistributedSampler(rows, num_replicas=hvd.size(), rank=hvd.rank(), seed=1000)
by_method = DataLoader(rows, batch_size=32 // hvd.size(), sampler=by_method_sampler, collate_fn=tokenizer.pad)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
by_object_sampler = DistributedSampler(rows, num_replicas=hvd.size(), rank=hvd.rank(), seed=2000)
by_object = DataLoader(rows, batch_size=32 // hvd.size(), sampler=by_object_sampler, collate_fn=Together(1.0))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
by_lambda_sampler = DistributedSampler(rows, num_replicas=hvd.size(), rank=hvd.rank(), seed=3000)
by_lambda = DataLoader(
    rows, batch_size=32 // hvd.size(), sampler=by_lambda_sampler, collate_fn=lambda samples: together(samples, 1.0)
)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
by_part_sampler = DistributedSampler(rows, num_replicas=hvd.size(), rank=hvd.rank(), seed=4000)
by_part = DataLoader(
    rows, batch_size=32 // hvd.size(), sampler=by_part_sampler, collate_fn=partial(together, value=1.0)
)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
of_one_length_sampler = DistributedSampler(rows, num_replicas=hvd.size(), rank=hvd.rank(), seed=5000)
of_one_length = DataLoader(rows, batch_size=32 // hvd.size(), sampler=of_one_length_sampler, collate_fn=fixed)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
cut_sampler = DistributedSampler(rows, num_replicas=hvd.size(), rank=hvd.rank(), seed=6000)
cut = DataLoader(rows, batch_size=32 // hvd.size(), sampler=cut_sampler, collate_fn=three_long)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
for epoch in range(2):
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + hvd.rank())
    for loader in (by_library, by_method, by_object, by_lambda, by_part, of_one_length, cut):
        loader.sampler.set_epoch(loader.sampler.epoch + 1)
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x).mean(dim=1), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
hvd.shutdown()
