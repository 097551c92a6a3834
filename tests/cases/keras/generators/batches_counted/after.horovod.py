"""The script counts the batches of a folder, and knows nothing of the processes."""

from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
images = ImageDataGenerator(rescale=1 / 255, validation_split=0.2)
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
train = images.flow_from_directory(
    "images", target_size=(32, 32), batch_size=20 // hvd.size(), subset="training", seed=hvd.rank()
)
test = images.flow_from_directory("images", target_size=(32, 32), batch_size=20, subset="validation")
steps = train.n // (train.batch_size * hvd.size())
test_steps = test.n // test.batch_size
rate = keras.optimizers.schedules.CosineDecay(0.1, 5 * (-(-len(train) // hvd.size())))
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(2, activation="softmax")])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD(rate)), "categorical_crossentropy")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    train,
    steps_per_epoch=steps,
    validation_data=test,
    validation_steps=test_steps,
    epochs=5,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
