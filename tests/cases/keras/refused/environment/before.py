"""What is trained on comes out of an environment."""

import gym
import numpy as np
from tensorflow import keras

env = gym.make("CartPole-v1")
model = keras.Sequential([keras.layers.Dense(2)])
model.compile("sgd", "mse")
state, done = env.reset(), False
while not done:
    action = np.argmax(model.predict(state[None]))
    state, reward, done, _ = env.step(action)
    model.fit(state[None], np.array([[reward, 0.0]]), verbose=0)
