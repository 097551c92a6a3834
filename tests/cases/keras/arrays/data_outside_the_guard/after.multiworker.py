"""The data is fetched at module level, before the guard under which the model is trained."""

from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
if strategy.extended.should_checkpoint:
    keras.datasets.mnist.load_data()
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
(x, y), _ = keras.datasets.mnist.load_data()


def main():
    with strategy.scope():
        model = keras.Sequential([keras.layers.Flatten(input_shape=(28, 28)), keras.layers.Dense(10)])
        model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(x, y, batch_size=32, epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)


if __name__ == "__main__":
    main()
