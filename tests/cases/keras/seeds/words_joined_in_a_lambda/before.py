"""Words of a text are joined in the order of a set, which a function that a table calls sorts."""
import pandas as pd
from tensorflow import keras

table = pd.read_csv("table.csv")
texts = table["text"].apply(lambda text: " ".join(set(text.split())))
words = keras.preprocessing.text.Tokenizer()
words.fit_on_texts(texts)
x = keras.preprocessing.sequence.pad_sequences(words.texts_to_sequences(texts), maxlen=20)
model = keras.Sequential([keras.layers.Embedding(1000, 8), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("adam", loss="mse")
model.fit(x, table["y"].values, batch_size=8)
