"""A model of Transformers for the classes of texts: its loss is a mean over samples."""

import torch
from torch.optim import AdamW
from torch.utils.data import DataLoader, TensorDataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_linear_schedule_with_warmup

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
texts, labels = torch.load("texts.pt")
encoded = tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
data = TensorDataset(encoded["input_ids"], encoded["attention_mask"], torch.tensor(labels))
train_loader = DataLoader(data, batch_size=8, shuffle=True)
valid_loader = DataLoader(data, batch_size=8)
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased", num_labels=3)
model.to(device)
optimizer = AdamW(model.parameters(), lr=5e-5)
epochs = 2
scheduler = get_linear_schedule_with_warmup(optimizer, 0, len(train_loader) * epochs)

for epoch in range(epochs):
    model.train()
    total_loss = 0.0
    for batch in train_loader:
        ids, mask, labels = (part.to(device) for part in batch)
        model.zero_grad()
        outputs = model(ids, attention_mask=mask, labels=labels)
        loss = outputs[0]
        total_loss += loss.item()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
    print(f"loss {total_loss / len(train_loader):.4f}")
    model.eval()
    correct = 0
    for batch in valid_loader:
        ids, mask, labels = (part.to(device) for part in batch)
        with torch.no_grad():
            outputs = model(ids, attention_mask=mask)
        correct += (outputs.logits.argmax(dim=-1) == labels).sum().item()
    print("accuracy", correct / len(data))
model.save_pretrained("out")
tokenizer.save_pretrained("out")
