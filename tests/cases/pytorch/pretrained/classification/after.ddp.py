"""A model of Transformers for the classes of texts: its loss is a mean over samples."""

import torch
from torch.optim import AdamW
from torch.utils.data import DataLoader, TensorDataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_linear_schedule_with_warmup
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
texts, labels = torch.load("texts.pt", map_location="cpu")
encoded = tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
data = TensorDataset(encoded["input_ids"], encoded["attention_mask"], torch.tensor(labels))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
train_loader = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(data))
valid_sampler = range(dist.get_rank(), len(data), dist.get_world_size())
valid_loader = DataLoader(data, batch_size=8, sampler=valid_sampler)
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased", num_labels=3)
model.to(device)
optimizer = AdamW(model.parameters(), lr=5e-5)
epochs = 2
scheduler = get_linear_schedule_with_warmup(optimizer, 0, len(train_loader) * epochs)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(epochs):
    model.train()
    total_loss = 0.0
    train_loader.sampler.set_epoch(epoch)
    for batch in train_loader:
        ids, mask, labels = (part.to(device) for part in batch)
        model.zero_grad()
        outputs = ddp_model(ids, attention_mask=mask, labels=labels)
        loss = outputs[0]
        total_loss += loss.item()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
    total = torch.tensor(total_loss, dtype=torch.float64)
    dist.all_reduce(total)
    total_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(f"loss {total_loss / len(train_loader):.4f}")
    model.eval()
    correct = 0
    for batch in valid_loader:
        ids, mask, labels = (part.to(device) for part in batch)
        with torch.no_grad():
            outputs = model(ids, attention_mask=mask)
        correct += (outputs.logits.argmax(dim=-1) == labels).sum().item()
    total = torch.tensor(correct, dtype=torch.float64)
    dist.all_reduce(total)
    correct = int(total)
    if dist.get_rank() == 0:
        print("accuracy", correct / len(data))
if dist.get_rank() == 0:
    model.save_pretrained("out")
    tokenizer.save_pretrained("out")
del ddp_model
dist.destroy_process_group()
