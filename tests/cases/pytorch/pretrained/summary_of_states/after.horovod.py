"""A layer of Transformers makes one row of the states of each text, which a class of the script goes on with."""

import torch
from torch import nn
from torch.utils.data import DataLoader
from transformers import XLNetModel, XLNetPreTrainedModel
from transformers.modeling_utils import SequenceSummary
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Tagger(XLNetPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.transformer = XLNetModel(config)
        self.summary = SequenceSummary(config)
        self.fc = nn.Linear(config.d_model, config.num_labels)

    def forward(self, ids, mask):
        states = self.transformer(ids, attention_mask=mask)[0]
        return self.fc(self.summary(states))


hvd.init()
model = Tagger.from_pretrained("xlnet-base-cased", num_labels=6)
loader_data = torch.load("texts.pt")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
criterion = nn.BCEWithLogitsLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for ids, mask, tags in loader:
        loss = criterion(model(ids, mask), tags)
        optimizer.zero_grad()
        loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
hvd.shutdown()
