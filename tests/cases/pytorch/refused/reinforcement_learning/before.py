"""The data come from playing (policy gradient): an episode's length differs on each process."""
import random
import torch
import torch.nn as nn

policy = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2), nn.Softmax(dim=-1))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)


class Corridor:
    def reset(self):
        self.place = 0
        return [0.0, 0.0, 0.0, 1.0]

    def step(self, action):
        self.place += 1 if action else -1
        done = abs(self.place) > 3 or random.random() < 0.05
        return [self.place / 4, 0.0, random.random(), 1.0], float(self.place > 3), done


env = Corridor()
for episode in range(200):
    state, log_probs, rewards, done = env.reset(), [], [], False
    while not done:
        dist = torch.distributions.Categorical(policy(torch.tensor(state)))
        action = dist.sample()
        log_probs.append(dist.log_prob(action))
        state, reward, done = env.step(action.item())
        rewards.append(reward)
    loss = -sum(log_probs) * sum(rewards)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
