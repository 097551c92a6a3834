"""The samples of a batch are left out by length: each process has another number."""

import datasets
import torch
from torch import nn
from torch.utils.data import DataLoader


def get_collate(pad):
    def collate(examples):
        source = [example["source"] for example in examples if len(example["source"]) > 3]
        target = [example["target"] for example in examples if len(example["source"]) > 3]
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


torch.manual_seed(0)
data = datasets.load_dataset("some/pairs")["train"]
data = data.with_format(type="torch", columns=["source", "target"], output_all_columns=True)
loader = DataLoader(data, batch_size=16, shuffle=True, collate_fn=get_collate(0))
model = Translator(50, 8)
criterion = nn.CrossEntropyLoss(ignore_index=0)
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(3):
    total = 0
    for batch in loader:
        source, target = batch["source"], batch["target"]
        output = model(source, target)
        loss = criterion(output[1:].view(-1, output.shape[-1]), target[1:].view(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
