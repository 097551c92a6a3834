"""XLNet has parameters that a step without targets to map leaves out, unlike BERT: DDP has to look for them."""

import torch
from torch.optim import AdamW
from torch.utils.data import DataLoader, TensorDataset
from transformers import XLNetForSequenceClassification
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
ids, mask, labels = torch.load("texts.pt")
loader_data = TensorDataset(ids, mask, labels)
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = XLNetForSequenceClassification.from_pretrained("xlnet-base-cased", num_labels=3)
optimizer = AdamW(model.parameters(), lr=5e-5)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for texts, attended, classes in loader:
        optimizer.zero_grad()
        model(texts, attention_mask=attended, labels=classes).loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
if hvd.rank() == 0:
    model.save_pretrained("model")
hvd.shutdown()
