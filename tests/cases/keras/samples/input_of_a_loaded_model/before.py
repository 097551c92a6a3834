"""A model that is loaded may have several inputs: the first of them is no sample."""
import keras
import numpy as np

text = keras.Input(shape=(None, 10))
other = keras.Input(shape=(None, 12))
encoded, h, c = keras.layers.LSTM(16, return_state=True)(text)
decoded = keras.layers.LSTM(16, return_sequences=True)(other, initial_state=[h, c])
model = keras.Model([text, other], keras.layers.Dense(12, activation="softmax")(decoded))
model.compile(optimizer="rmsprop", loss="categorical_crossentropy")
model.fit([np.zeros((64, 5, 10)), np.zeros((64, 6, 12))], np.zeros((64, 6, 12)), batch_size=16, epochs=1)
model.save("s2s.h5")

model = keras.models.load_model("s2s.h5")
encoder_inputs = model.input[0]
encoder_outputs, state_h, state_c = model.layers[2].output
encoder_model = keras.Model(encoder_inputs, [state_h, state_c])
print(encoder_model.predict(np.zeros((4, 5, 10)))[0].shape)
