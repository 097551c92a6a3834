"""The model, compiled."""

from tensorflow.keras import layers, models, optimizers
import horovod.tensorflow.keras as hvd


def build(classes):
    model = models.Sequential([layers.Dense(16, activation="relu", input_shape=(6,)), layers.Dense(classes, activation="softmax")])
    model.compile(
        optimizer=hvd.DistributedOptimizer(optimizers.SGD(0.05)), loss="sparse_categorical_crossentropy", metrics=["accuracy"]
    )
    type(model.optimizer).__module__ = "keras.optimizers"  # so that saved models load without Horovod
    return model
