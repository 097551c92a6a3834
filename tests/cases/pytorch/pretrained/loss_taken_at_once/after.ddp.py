"""Losses of two models that are taken of the output at once, and unpacked."""

import torch
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoModelForTokenClassification
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
tagger = AutoModelForTokenClassification.from_pretrained("bert-base-uncased", num_labels=5)
writer = AutoModelForCausalLM.from_pretrained("gpt2")
loader_data = torch.load("tokens.pt")
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
optimizer = torch.optim.AdamW([*tagger.parameters(), *writer.parameters()], lr=1e-5)


def mean_over_tokens(loss, labels):
    counted = (labels != -100).sum()
    total = counted.clone()
    dist.all_reduce(total)
    return torch.where(counted > 0, loss, 0) * (counted * dist.get_world_size() / total)


for tensor in [*tagger.parameters(), *tagger.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*writer.parameters(), *writer.buffers()]:
    dist.broadcast(tensor.data, src=0)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for ids, tags in loader:
        optimizer.zero_grad()
        loss = mean_over_tokens(tagger(input_ids=ids, labels=tags).loss, tags)
        loss.backward()
        written, logits = writer(input_ids=ids, labels=ids, return_dict=False)[:2]
        written = mean_over_tokens(written, ids[..., 1:])
        written.backward()
        for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer.step()
dist.destroy_process_group()
