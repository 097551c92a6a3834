"""step(), backward() and zero_grad() of the user's own robot: no torch at all."""
class Robot:
    def __init__(self):
        self.position = 0

    def step(self):
        self.position += 1

    def backward(self):
        self.position -= 1

    def zero_grad(self):
        self.position = 0


optimizer = Robot()
loss = Robot()
for epoch in range(3):
    for batch in [1, 2, 3]:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(optimizer.position, loss.position)
