"""A model of Transformers for the classes of texts: its loss is a mean over samples."""

import torch
from torch.optim import AdamW
from torch.utils.data import DataLoader, TensorDataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_linear_schedule_with_warmup
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
texts, labels = torch.load("texts.pt", map_location="cpu")
encoded = tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
data = TensorDataset(encoded["input_ids"], encoded["attention_mask"], torch.tensor(labels))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=train_sampler)
valid_loader = DataLoader(data, batch_size=8, sampler=range(hvd.rank(), len(data), hvd.size()))
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased", num_labels=3)
model.to(device)
optimizer = AdamW(model.parameters(), lr=5e-5)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
epochs = 2
scheduler = get_linear_schedule_with_warmup(optimizer, 0, len(train_loader) * epochs)

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(epochs):
    model.train()
    total_loss = 0.0
    train_loader.sampler.set_epoch(epoch)
    for batch in train_loader:
        ids, mask, labels = (part.to(device) for part in batch)
        model.zero_grad()
        outputs = model(ids, attention_mask=mask, labels=labels)
        loss = outputs[0]
        total_loss += loss.item()
        loss.backward()
        optimizer.synchronize()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        with optimizer.skip_synchronize():
            optimizer.step()
        scheduler.step()
    total = hvd.allreduce(torch.tensor(total_loss, dtype=torch.float64), op=hvd.Sum)
    total_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(f"loss {total_loss / len(train_loader):.4f}")
    model.eval()
    correct = 0
    for batch in valid_loader:
        ids, mask, labels = (part.to(device) for part in batch)
        with torch.no_grad():
            outputs = model(ids, attention_mask=mask)
        correct += (outputs.logits.argmax(dim=-1) == labels).sum().item()
    total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
    correct = int(total)
    if hvd.rank() == 0:
        print("accuracy", correct / len(data))
if hvd.rank() == 0:
    model.save_pretrained("out")
    tokenizer.save_pretrained("out")
hvd.shutdown()
