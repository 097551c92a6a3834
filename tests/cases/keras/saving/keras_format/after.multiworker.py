"""Models saved whole must load without the engine; what is read later must be there."""

import numpy as np
from tensorflow import keras
import os
import tempfile
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.ones((100, 3)), np.ones(100)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", "mse")
model.fit(x, y, batch_size=20, verbose=1 if strategy.extended.should_checkpoint else 0)
model.save(
    "model.keras" if strategy.extended.should_checkpoint else os.path.join(
        tempfile.mkdtemp(), os.path.basename("model.keras")
    )
)
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
with strategy.scope():
    same = keras.models.load_model("model.keras")
predict_result = same.predict(x, verbose="auto" if strategy.extended.should_checkpoint else 0)
predict_result_ = model.predict(x, verbose="auto" if strategy.extended.should_checkpoint else 0)
if strategy.extended.should_checkpoint:
    print(np.allclose(predict_result, predict_result_))
