"""What a model with several outputs gives is a list: slices of it, in whatever order, are parts of it."""
import numpy as np
import tensorflow as tf

base_model = tf.keras.applications.MobileNetV2(input_shape=[128, 128, 3], include_top=False)
layer_names = ["block_1_expand_relu", "block_3_expand_relu", "block_6_expand_relu"]
base_model_outputs = [base_model.get_layer(name).output for name in layer_names]
down_stack = tf.keras.Model(inputs=base_model.input, outputs=base_model_outputs)
down_stack.trainable = False
up_stack = [tf.keras.layers.Conv2DTranspose(64, 3, strides=2, padding="same") for _ in range(2)]


def unet_model(output_channels):
    inputs = tf.keras.layers.Input(shape=[128, 128, 3])
    skips = down_stack(inputs)
    x = skips[-1]
    skips = reversed(skips[:-1])
    for up, skip in zip(up_stack, skips):
        x = up(x)
        concat = tf.keras.layers.Concatenate()
        x = concat([x, skip])
    last = tf.keras.layers.Conv2DTranspose(filters=output_channels, kernel_size=3, strides=2, padding="same")
    x = last(x)
    return tf.keras.Model(inputs=inputs, outputs=x)


model = unet_model(output_channels=3)
model.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((64, 128, 128, 3), "float32"), np.zeros((64, 128, 128, 1), "int32"), batch_size=16, epochs=1)
