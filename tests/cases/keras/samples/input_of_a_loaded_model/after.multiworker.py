"""A model that is loaded may have several inputs: the first of them is no sample."""
import keras
import numpy as np
import os
import tempfile
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    text = keras.Input(shape=(None, 10))
    other = keras.Input(shape=(None, 12))
    encoded, h, c = keras.layers.LSTM(16, return_state=True)(text)
    decoded = keras.layers.LSTM(16, return_sequences=True)(other, initial_state=[h, c])
    model = keras.Model([text, other], keras.layers.Dense(12, activation="softmax")(decoded))
    model.compile(optimizer="rmsprop", loss="categorical_crossentropy")
model.fit(
    [np.zeros((64, 5, 10)), np.zeros((64, 6, 12))],
    np.zeros((64, 6, 12)),
    batch_size=16,
    epochs=1,
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
model.save(
    "s2s.h5" if strategy.extended.should_checkpoint else os.path.join(tempfile.mkdtemp(), os.path.basename("s2s.h5"))
)

strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
with strategy.scope():
    model = keras.models.load_model("s2s.h5")
    encoder_inputs = model.input[0]
    encoder_outputs, state_h, state_c = model.layers[2].output
    encoder_model = keras.Model(encoder_inputs, [state_h, state_c])
predict_result = encoder_model.predict(
    np.zeros((4, 5, 10)), verbose="auto" if strategy.extended.should_checkpoint else 0
)
if strategy.extended.should_checkpoint:
    print(predict_result[0].shape)
