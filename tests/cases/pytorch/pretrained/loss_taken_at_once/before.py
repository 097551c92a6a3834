"""Losses of two models that are taken of the output at once, and unpacked."""

import torch
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoModelForTokenClassification

tagger = AutoModelForTokenClassification.from_pretrained("bert-base-uncased", num_labels=5)
writer = AutoModelForCausalLM.from_pretrained("gpt2")
loader = DataLoader(torch.load("tokens.pt"), batch_size=8, shuffle=True)
optimizer = torch.optim.AdamW([*tagger.parameters(), *writer.parameters()], lr=1e-5)
for epoch in range(3):
    for ids, tags in loader:
        optimizer.zero_grad()
        loss = tagger(input_ids=ids, labels=tags).loss
        loss.backward()
        written, logits = writer(input_ids=ids, labels=ids, return_dict=False)[:2]
        written.backward()
        optimizer.step()
