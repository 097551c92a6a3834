"""XLNet has parameters that a step without targets to map leaves out, unlike BERT: DDP has to look for them."""

import torch
from torch.optim import AdamW
from torch.utils.data import DataLoader, TensorDataset
from transformers import XLNetForSequenceClassification
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
ids, mask, labels = torch.load("texts.pt")
loader_data = TensorDataset(ids, mask, labels)
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = XLNetForSequenceClassification.from_pretrained("xlnet-base-cased", num_labels=3)
optimizer = AdamW(model.parameters(), lr=5e-5)
ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for texts, attended, classes in loader:
        optimizer.zero_grad()
        ddp_model(texts, attention_mask=attended, labels=classes).loss.backward()
        optimizer.step()
if dist.get_rank() == 0:
    model.save_pretrained("model")
del ddp_model
dist.destroy_process_group()
