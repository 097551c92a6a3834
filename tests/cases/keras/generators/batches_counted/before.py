"""The script counts the batches of a folder, and knows nothing of the processes."""

from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator

images = ImageDataGenerator(rescale=1 / 255, validation_split=0.2)
train = images.flow_from_directory("images", target_size=(32, 32), batch_size=20, subset="training")
test = images.flow_from_directory("images", target_size=(32, 32), batch_size=20, subset="validation")
steps = train.n // train.batch_size
test_steps = test.n // test.batch_size
rate = keras.optimizers.schedules.CosineDecay(0.1, 5 * len(train))
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(2, activation="softmax")])
model.compile(keras.optimizers.SGD(rate), "categorical_crossentropy")
model.fit(train, steps_per_epoch=steps, validation_data=test, validation_steps=test_steps, epochs=5)
