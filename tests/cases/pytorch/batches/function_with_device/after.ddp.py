"""A language model in the usual way: one function cuts batches for training and for the estimate of losses."""
import torch
import torch.nn as nn
from torch.nn import functional as F
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
batch_size, block_size, max_iters, eval_interval, eval_iters = 16, 8, 200, 50, 10
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(1337)
text = "to be or not to be that is the question " * 50
chars = sorted(set(text))
data = torch.tensor([chars.index(c) for c in text], dtype=torch.long)
n = int(0.9 * len(data))
train_data, val_data = data[:n], data[n:]


def get_batch(split):
    data = train_data if split == "train" else val_data
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([data[i : i + block_size] for i in ix])
    y = torch.stack([data[i + 1 : i + block_size + 1] for i in ix])
    x, y = x.to(device), y.to(device)
    return x, y


@torch.no_grad()
def estimate_loss():
    out = {}
    model.eval()
    for split in ["train", "val"]:
        losses = torch.zeros(eval_iters)
        for k in range(eval_iters):
            X, Y = get_batch(split)
            logits, loss = model(X, Y)
            losses[k] = loss.item()
        out[split] = losses.mean()
    model.train()
    return out


class BigramLanguageModel(nn.Module):
    def __init__(self, vocab_size):
        super().__init__()
        self.token_embedding_table = nn.Embedding(vocab_size, vocab_size)

    def forward(self, idx, targets=None):
        logits = self.token_embedding_table(idx)
        if targets is None:
            loss = None
        else:
            B, T, C = logits.shape
            logits = logits.view(B * T, C)
            targets = targets.view(B * T)
            loss = F.cross_entropy(logits, targets)
        return logits, loss


model = BigramLanguageModel(len(chars)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)


def share_rows(batch):
    if len(batch) % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {dist.get_world_size()} processes")
    rows = len(batch) // dist.get_world_size()
    return batch[dist.get_rank() * rows :][:rows]


ddp_model = DistributedDataParallel(model)
for iter in range(max_iters):
    if iter % eval_interval == 0:
        losses = estimate_loss()
        if dist.get_rank() == 0:
            print(f"step {iter}: train loss {losses['train']:.4f}, val loss {losses['val']:.4f}")
    xb, yb = map(share_rows, get_batch("train"))
    logits, loss = ddp_model(xb, yb)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
del ddp_model
dist.destroy_process_group()
