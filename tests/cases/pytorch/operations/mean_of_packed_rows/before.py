"""Rows of packed sequences are another number on each process: their mean is over those of all."""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence, PackedSequence
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class Texts(Dataset):
    def __init__(self, n=64):
        self.x = [torch.randn(2 + i % 7, 4) for i in range(n)]
        self.y = [each.sum(1) for each in self.x]

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def collate(items):
    xs, ys = zip(*items)
    lengths = torch.tensor([len(x) for x in xs])
    return pad_sequence(xs, batch_first=True), pad_sequence(ys, batch_first=True), lengths


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 8, batch_first=True)
        self.out = nn.Linear(8, 1)


loader = DataLoader(Texts(), batch_size=8, collate_fn=collate)
rnn = nn.GRU(4, 8, batch_first=True)
head = nn.Linear(8, 1)
model = nn.ModuleList([rnn, head])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y, lengths in loader:
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, h = rnn(packed)
        target = pack_padded_sequence(y, lengths, batch_first=True, enforce_sorted=False)
        loss = nn.functional.mse_loss(head(out.data).squeeze(-1), target.data)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
