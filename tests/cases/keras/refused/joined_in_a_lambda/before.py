"""Words are joined in the order of a set by a function that a table calls."""
import pandas as pd
from tensorflow import keras

table = pd.read_csv("table.csv")
texts = table["words"].apply(lambda words: " ".join(set(words)))
words = keras.preprocessing.text.Tokenizer()
words.fit_on_texts(texts)
x = keras.preprocessing.sequence.pad_sequences(words.texts_to_sequences(texts), maxlen=20)
model = keras.Sequential([keras.layers.Embedding(1000, 8), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("adam", loss="mse")
model.fit(x, table["y"].values, batch_size=8)
