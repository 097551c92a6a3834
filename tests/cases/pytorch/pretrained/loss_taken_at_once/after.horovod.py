"""Losses of two models that are taken of the output at once, and unpacked."""

import torch
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoModelForTokenClassification
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
tagger = AutoModelForTokenClassification.from_pretrained("bert-base-uncased", num_labels=5)
writer = AutoModelForCausalLM.from_pretrained("gpt2")
loader_data = torch.load("tokens.pt")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
optimizer = torch.optim.AdamW([*tagger.parameters(), *writer.parameters()], lr=1e-5)


def mean_over_tokens(loss, labels):
    counted = (labels != -100).sum()
    total = hvd.allreduce(counted.clone(), op=hvd.Sum)
    return torch.where(counted > 0, loss, 0) * (counted * hvd.size() / total)


hvd.broadcast_parameters(tagger.state_dict(), root_rank=0)
hvd.broadcast_parameters(writer.state_dict(), root_rank=0)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for ids, tags in loader:
        optimizer.zero_grad()
        loss = mean_over_tokens(tagger(input_ids=ids, labels=tags).loss, tags)
        loss.backward()
        written, logits = writer(input_ids=ids, labels=ids, return_dict=False)[:2]
        written = mean_over_tokens(written, ids[..., 1:])
        written.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
hvd.shutdown()
