"""Teach a small GPT to write like Python's own documentation, letter by letter.

The text is that of Python's built-in help: 64 kB of it, so nothing is downloaded. Each step draws its batch from random
places of the text. Needs PyTorch; takes about a minute on one CPU core.

    python gpt_char.py
"""

import math
from pydoc_data.topics import topics

import torch
import torch.nn as nn
import torch.nn.functional as F

batch_size = 32
block_size = 48  # letters that the model looks back at
n_embd, n_head, n_layer = 64, 4, 2
dropout = 0.0
max_iters, eval_interval, eval_iters = 300, 100, 10
learning_rate, warmup_iters, grad_clip = 3e-3, 20, 1.0
device = "cuda" if torch.cuda.is_available() else "cpu"
mixed_precision = device == "cuda"

torch.manual_seed(1337)

# Data: each letter is a number; the last tenth of the text is held out
text = "\n".join(topics[name] for name in sorted(topics))[:65536]
chars = sorted(set(text))
stoi = {letter: number for number, letter in enumerate(chars)}
data = torch.tensor([stoi[letter] for letter in text])
n = int(0.9 * len(data))
train_data, val_data = data[:n], data[n:]


def get_batch(split):
    source = train_data if split == "train" else val_data
    starts = torch.randint(len(source) - block_size, (batch_size,))
    x = torch.stack([source[i : i + block_size] for i in starts])
    y = torch.stack([source[i + 1 : i + block_size + 1] for i in starts])
    return x.to(device), y.to(device)


class CausalSelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(n_embd, 3 * n_embd)
        self.proj = nn.Linear(n_embd, n_embd)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).split(n_embd, dim=2)
        q = q.view(B, T, n_head, C // n_head).transpose(1, 2)
        k = k.view(B, T, n_head, C // n_head).transpose(1, 2)
        v = v.view(B, T, n_head, C // n_head).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.dropout(self.proj(y.transpose(1, 2).contiguous().view(B, T, C)))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1 = nn.LayerNorm(n_embd)
        self.attn = CausalSelfAttention()
        self.ln_2 = nn.LayerNorm(n_embd)
        self.mlp = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.GELU(), nn.Linear(4 * n_embd, n_embd))

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(len(chars), n_embd)
        self.positions = nn.Embedding(block_size, n_embd)
        self.blocks = nn.Sequential(*[Block() for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(n_embd)
        self.head = nn.Linear(n_embd, len(chars))

    def forward(self, idx, targets=None):
        B, T = idx.shape
        x = self.tokens(idx) + self.positions(torch.arange(T, device=idx.device))
        logits = self.head(self.ln_f(self.blocks(x)))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.view(B * T, -1), targets.view(B * T))

    @torch.no_grad()
    def generate(self, idx, length):
        for _ in range(length):
            logits, _ = self(idx[:, -block_size:])
            probs = F.softmax(logits[:, -1, :], dim=-1)
            idx = torch.cat((idx, torch.multinomial(probs, num_samples=1)), dim=1)
        return idx


model = GPT().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
scaler = torch.amp.GradScaler(device, enabled=mixed_precision)


@torch.no_grad()
def estimate_loss():
    out = {}
    model.eval()
    for split in ("train", "val"):
        losses = torch.zeros(eval_iters)
        for k in range(eval_iters):
            x, y = get_batch(split)
            _, loss = model(x, y)
            losses[k] = loss.item()
        out[split] = losses.mean()
    model.train()
    return out


def rate(step):
    if step < warmup_iters:
        return learning_rate * (step + 1) / warmup_iters
    return learning_rate * (0.1 + 0.45 * (1 + math.cos(math.pi * step / max_iters)))


for step in range(max_iters):
    if step % eval_interval == 0 or step == max_iters - 1:
        losses = estimate_loss()
        print(f"step {step}: train loss {losses['train']:.4f}, val loss {losses['val']:.4f}")
    for group in optimizer.param_groups:
        group["lr"] = rate(step)
    x, y = get_batch("train")
    with torch.autocast(device, dtype=torch.float16, enabled=mixed_precision):
        logits, loss = model(x, y)
    optimizer.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
    scaler.step(optimizer)
    scaler.update()

model.eval()
start = torch.zeros((1, 1), dtype=torch.long, device=device)
print("".join(chars[i] for i in model.generate(start, 200)[0].tolist()))
