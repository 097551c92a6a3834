"""A class of the script, derived from one of Transformers, uses a part of what its model gives."""

import torch
from torch import nn
from torch.utils.data import DataLoader
from transformers import BertModel, BertPreTrainedModel
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Classifier(BertPreTrainedModel):
    def __init__(self, config, labels):
        super().__init__(config)
        self.bert = BertModel(config)
        self.fc = nn.Linear(config.hidden_size, labels)

    def forward(self, ids, mask):
        states = self.bert(ids, attention_mask=mask)[0]
        return self.fc(states[:, 0])


hvd.init()
model = Classifier.from_pretrained("bert-base-uncased", labels=4)
loader_data = torch.load("texts.pt")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
criterion = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for ids, mask, labels in loader:
        loss = criterion(model(ids, mask), labels)
        optimizer.zero_grad()
        loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
hvd.shutdown()
