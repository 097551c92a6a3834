"""Names and strings beyond ASCII stand before the edited places of their lines: byte and character columns differ."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

größe = 32
λ = 1e-4; η = 0.1
título = "entrenando la red — ¡rápido!"; print(título); datos = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=größe, shuffle=True)
modelo = nn.Linear(10, 1)
optimizador = torch.optim.SGD(modelo.parameters(), lr=η, weight_decay=λ)
for época in range(3):
    for x, y in datos:
        optimizador.zero_grad(); pérdida = nn.functional.mse_loss(modelo(x), y); pérdida.backward(); optimizador.step()
    print("época", época, "🎉"); torch.save(modelo.state_dict(), f"época_{época}.pt")
