"""Batches are padded by a library's collator, an object, a lambda, a partial function: said of all but of one length."""

from functools import partial

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
from transformers import AutoTokenizer, DataCollatorForSeq2Seq, DataCollatorWithPadding


def together(samples, value=0.0):
    rows, labels = zip(*samples)
    return pad_sequence(rows, batch_first=True, padding_value=value), torch.tensor(labels)


def three_long(samples):
    rows, labels = zip(*samples)
    return torch.stack([row[:3] for row in rows]), torch.tensor(labels)


class Together:
    def __init__(self, value):
        self.value = value

    def put(self, samples):
        return together(samples, self.value)

    def __call__(self, samples):
        return self.put(samples)


torch.manual_seed(0)
rows = [(torch.randn(3 + i % 7, 4), i % 2) for i in range(320)]
tokenizer = AutoTokenizer.from_pretrained("some/tokens")
collator = DataCollatorWithPadding(tokenizer)
fixed = DataCollatorForSeq2Seq(tokenizer, padding="max_length", max_length=32)
by_library = DataLoader(rows, batch_size=32, shuffle=True, collate_fn=collator)
by_method = DataLoader(rows, batch_size=32, shuffle=True, collate_fn=tokenizer.pad)
by_object = DataLoader(rows, batch_size=32, shuffle=True, collate_fn=Together(1.0))
by_lambda = DataLoader(rows, batch_size=32, shuffle=True, collate_fn=lambda samples: together(samples, 1.0))
by_part = DataLoader(rows, batch_size=32, shuffle=True, collate_fn=partial(together, value=1.0))
of_one_length = DataLoader(rows, batch_size=32, shuffle=True, collate_fn=fixed)
cut = DataLoader(rows, batch_size=32, shuffle=True, collate_fn=three_long)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for loader in (by_library, by_method, by_object, by_lambda, by_part, of_one_length, cut):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x).mean(dim=1), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
