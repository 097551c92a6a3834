"""Reinforcement learning: what is trained on depends on what the model does."""

import gym
import numpy as np
import tensorflow as tf

env = gym.make("CartPole-v1")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, "sigmoid", input_shape=(4,))])
optimizer = tf.keras.optimizers.Adam()
for episode in range(100):
    state = env.reset()
    for step in range(200):
        with tf.GradientTape() as tape:
            action = model(state[np.newaxis])
            loss = tf.reduce_mean(tf.keras.losses.binary_crossentropy(tf.ones([1, 1]), action))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        state, reward, done, _ = env.step(int(action[0, 0] > 0.5))
        if done:
            break
