"""A mean over tokens is weighed by the number of labels of each process, with an adapter in the model."""

import torch
from datasets import load_dataset
from peft import LoraConfig, get_peft_model
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoTokenizer, default_data_collator

tokenizer = AutoTokenizer.from_pretrained("gpt2")
model = get_peft_model(AutoModelForCausalLM.from_pretrained("gpt2"), LoraConfig(task_type="CAUSAL_LM", r=8))
model.print_trainable_parameters()
data = load_dataset("text", data_files="lines.txt")["train"].train_test_split(test_size=0.1)
data = data.map(lambda each: tokenizer(each["text"], padding="max_length", max_length=64), batched=True)
train_loader = DataLoader(data["train"], batch_size=8, shuffle=True, collate_fn=default_data_collator)
test_loader = DataLoader(data["test"], batch_size=8, collate_fn=default_data_collator)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(3):
    model.train()
    total_loss = 0
    for batch in train_loader:
        batch = {k: v for k, v in batch.items()}
        outputs = model(**batch)
        loss = outputs.loss
        total_loss += loss.detach().float()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.eval()
    test_loss = 0
    for batch in test_loader:
        with torch.no_grad():
            outputs = model(**batch)
        test_loss += outputs.loss.item()
    print(epoch, total_loss / len(train_loader), test_loss / len(test_loader))
model.save_pretrained("out")
