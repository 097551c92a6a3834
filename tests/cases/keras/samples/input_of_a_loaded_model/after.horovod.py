"""A model that is loaded may have several inputs: the first of them is no sample."""
import keras
import numpy as np
import horovod.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
text = keras.Input(shape=(None, 10))
other = keras.Input(shape=(None, 12))
encoded, h, c = keras.layers.LSTM(16, return_state=True)(text)
decoded = keras.layers.LSTM(16, return_sequences=True)(other, initial_state=[h, c])
model = keras.Model([text, other], keras.layers.Dense(12, activation="softmax")(decoded))
model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.RMSprop()), loss="categorical_crossentropy")
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
targets = np.zeros((64, 6, 12))
shard = np.arange(hvd.rank(), hvd.rank() + len(targets), hvd.size()) % len(targets)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    [np.zeros((64, 5, 10))[shard], np.zeros((64, 6, 12))[shard]],
    targets[shard],
    batch_size=16 // hvd.size(),
    epochs=1,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
if hvd.rank() == 0:
    model.save("s2s.h5")

hvd.allreduce(0.0)
model = keras.models.load_model("s2s.h5")
encoder_inputs = model.input[0]
encoder_outputs, state_h, state_c = model.layers[2].output
encoder_model = keras.Model(encoder_inputs, [state_h, state_c])
predict_result = encoder_model.predict(np.zeros((4, 5, 10)), verbose="auto" if hvd.rank() == 0 else 0)
if hvd.rank() == 0:
    print(predict_result[0].shape)
