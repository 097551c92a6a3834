"""backward() for a saliency map: no optimizer, no parameters changed."""
import torch
import torch.nn as nn

model = nn.Sequential(nn.Flatten(), nn.Linear(64, 10)).eval()
image = torch.rand(1, 8, 8, requires_grad=True)
score = model(image)[0, 3]
score.backward()
saliency = image.grad.abs().squeeze(0)
print(saliency.argmax().item())
