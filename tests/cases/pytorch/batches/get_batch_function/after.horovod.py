"""get_batch draws random windows of a text (character language model): no loader, an endless stream."""
import torch
import torch.nn as nn
import horovod.torch as hvd

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
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
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def share_rows(batch):
    if len(batch) % hvd.size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {hvd.size()} processes")
    rows = len(batch) // hvd.size()
    return batch[hvd.rank() * rows :][:rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for iteration in range(1000):
    xb, yb = map(share_rows, get_batch())
    logits = model(xb)
    loss = nn.functional.cross_entropy(logits.view(-1, len(vocabulary)), yb.view(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if iteration % 100 == 0:
        total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
        mean_loss = total.item() / hvd.size()
        if hvd.rank() == 0:
            print(iteration, mean_loss)
hvd.shutdown()
