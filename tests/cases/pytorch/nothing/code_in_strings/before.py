"""Training code stands in strings and comments only."""
TEMPLATE = '''
import torch
loader = torch.utils.data.DataLoader(data, batch_size=32, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss(model(x), y).backward()
        optimizer.step()
'''
# optimizer.step(); loss.backward()
with open("generated.py", "w") as f:
    f.write(TEMPLATE)
print("written; run it with: torchrun --nproc_per_node 2 generated.py")
