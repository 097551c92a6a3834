"""A data set of a library gives dicts of which nothing is known; their columns are padded, with time in front."""

import datasets
import torch
from torch import nn
from torch.utils.data import DataLoader
import horovod.torch as hvd
import torch.nn.functional as F
from torch.utils.data.distributed import DistributedSampler


def get_collate(pad):
    def collate(examples):
        source = [example["source"] for example in examples]
        target = [example["target"] for example in examples]
        return {
            "source": nn.utils.rnn.pad_sequence(source, padding_value=pad),
            "target": nn.utils.rnn.pad_sequence(target, padding_value=pad),
        }

    return collate


class Translator(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.read, self.written = nn.Embedding(words, width), nn.Embedding(words, width)
        self.encoder, self.decoder = nn.LSTM(width, width), nn.LSTM(width, width)
        self.scores = nn.Linear(width, words)

    def forward(self, source, target):
        _, state = self.encoder(self.read(source))
        length, size = target.shape
        outputs = torch.zeros(length, size, self.scores.out_features, device=source.device)
        token = target[0, :]
        for t in range(1, length):
            output, state = self.decoder(self.written(token.unsqueeze(0)), state)
            outputs[t] = self.scores(output.squeeze(0))
            token = target[t]
        return outputs


hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
if hvd.rank() != 0:
    datasets.disable_progress_bars()
torch.manual_seed(0)
data = datasets.load_dataset("some/pairs")["train"]
data = data.with_format(type="torch", columns=["source", "target"], output_all_columns=True)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=loader_sampler, collate_fn=get_collate(0))
model = Translator(50, 8)
criterion = nn.CrossEntropyLoss(ignore_index=0)
optimizer = torch.optim.Adam(model.parameters())
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    total = 0
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        source, target = batch["source"], batch["target"]
        output = model(source, target)
        counted = hvd.allreduce((target[1:].view(-1) != criterion.ignore_index).sum(), op=hvd.Sum)
        counted = counted / hvd.size()
        loss = F.cross_entropy(
            output[1:].view(-1, output.shape[-1]),
            target[1:].view(-1),
            ignore_index=criterion.ignore_index,
            reduction="sum",
        ) / counted
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, total / len(loader))
hvd.shutdown()
