"""get_batch draws random windows of a text (character language model): no loader, an endless stream."""
import torch
import torch.nn as nn

text = "to be or not to be that is the question " * 50
vocabulary = sorted(set(text))
data = torch.tensor([vocabulary.index(c) for c in text])
block_size, batch_size = 8, 32


def get_batch():
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([data[i:i + block_size] for i in ix])
    y = torch.stack([data[i + 1:i + block_size + 1] for i in ix])
    return x, y


model = nn.Embedding(len(vocabulary), len(vocabulary))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for iteration in range(1000):
    xb, yb = get_batch()
    logits = model(xb)
    loss = nn.functional.cross_entropy(logits.view(-1, len(vocabulary)), yb.view(-1))
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    if iteration % 100 == 0:
        print(iteration, loss.item())
