from keras import backend as K
from keras.layers.merge import _Merge

BATCH_SIZE = 16


class Weighted(_Merge):
    def _merge_function(self, inputs):
        weights = K.random_uniform((BATCH_SIZE, 1))
        return weights * inputs[0] + (1 - weights) * inputs[1]
