"""A layer of Transformers makes one row of the states of each text, which a class of the script goes on with."""

import torch
from torch import nn
from torch.utils.data import DataLoader
from transformers import XLNetModel, XLNetPreTrainedModel
from transformers.modeling_utils import SequenceSummary
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Tagger(XLNetPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.transformer = XLNetModel(config)
        self.summary = SequenceSummary(config)
        self.fc = nn.Linear(config.d_model, config.num_labels)

    def forward(self, ids, mask):
        states = self.transformer(ids, attention_mask=mask)[0]
        return self.fc(self.summary(states))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
model = Tagger.from_pretrained("xlnet-base-cased", num_labels=6)
loader_data = torch.load("texts.pt")
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
criterion = nn.BCEWithLogitsLoss()
ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for ids, mask, tags in loader:
        loss = criterion(ddp_model(ids, mask), tags)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
