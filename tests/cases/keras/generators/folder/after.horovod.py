"""Each process goes through the folder in an order of its own."""

from tensorflow.keras.layers import Dense, Flatten
from tensorflow.keras.models import Sequential
from tensorflow.keras.preprocessing.image import ImageDataGenerator
import horovod.tensorflow.keras as hvd
import tensorflow as tf
from tensorflow.keras.optimizers import Adam

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
train = ImageDataGenerator(rescale=1.0 / 255).flow_from_directory(
    "train", target_size=(64, 64), batch_size=20 // hvd.size(), seed=hvd.rank()
)
test = ImageDataGenerator(rescale=1.0 / 255).flow_from_directory("test", target_size=(64, 64), batch_size=20)
model = Sequential([Flatten(), Dense(2, activation="softmax")])
model.compile(hvd.DistributedOptimizer(Adam()), "categorical_crossentropy")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    train,
    epochs=3,
    validation_data=test,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
    steps_per_epoch=-(-len(train) // hvd.size()),
)
