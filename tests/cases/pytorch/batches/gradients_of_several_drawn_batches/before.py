"""Each update collects the gradients of four batches that are drawn in an inner loop."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(200, 6)
y = (x[:, 0] > 0).long()


def get_batch():
    rows = torch.randint(len(x), (16,))
    return x[rows], y[rows]


model = nn.Linear(6, 2)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
accumulation_steps = 4
for step in range(20):
    optimizer.zero_grad(set_to_none=True)
    loss_sum = 0.0
    for micro_step in range(accumulation_steps):
        features, labels = get_batch()
        loss = nn.functional.cross_entropy(model(features), labels) / accumulation_steps
        loss_sum += loss.item()
        loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % 5 == 0:
        print(step, loss_sum)
