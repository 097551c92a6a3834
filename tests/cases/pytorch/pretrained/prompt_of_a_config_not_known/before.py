"""Whether the first label counts depends on what is put in front of the text, which is not known."""

import torch
from peft import get_peft_config, get_peft_model
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM

config = get_peft_config(torch.load("config.pt"))
model = get_peft_model(AutoModelForCausalLM.from_pretrained("gpt2"), config)
loader = DataLoader(torch.load("tokens.pt"), batch_size=8, shuffle=True)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
for epoch in range(3):
    for batch in loader:
        outputs = model(**batch)
        optimizer.zero_grad()
        outputs.loss.backward()
        optimizer.step()
