"""A class of the script, derived from one of Transformers, uses a part of what its model gives."""

import torch
from torch import nn
from torch.utils.data import DataLoader
from transformers import BertModel, BertPreTrainedModel
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Classifier(BertPreTrainedModel):
    def __init__(self, config, labels):
        super().__init__(config)
        self.bert = BertModel(config)
        self.fc = nn.Linear(config.hidden_size, labels)

    def forward(self, ids, mask):
        states = self.bert(ids, attention_mask=mask)[0]
        return self.fc(states[:, 0])


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
model = Classifier.from_pretrained("bert-base-uncased", labels=4)
loader_data = torch.load("texts.pt")
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
criterion = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for ids, mask, labels in loader:
        loss = criterion(ddp_model(ids, mask), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
