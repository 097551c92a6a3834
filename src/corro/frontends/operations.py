"""Known operations on tensors and arrays, and what each does to the samples of a batch.

One table for all frontends, by the last part of a name. Names are those of PyTorch, without the underscore of what
works in place, of NumPy, and those that ``corro.frontends.tensorflow.operations`` gives TensorFlow's. An operation that
is not here, or that is under ``TOGETHER``, combines samples of a batch with each other for all that is known: what it
gives of a shard is no shard of what it gives of the batch.
"""

from __future__ import annotations

from typing import Literal

from corro.classes import dataclass


@dataclass(frozen=True)
class Along:
    """An operation along a dimension of its first operand.

    Args:
        gives: ``"alike"`` where the result has the shape of the operand, ``"less"`` where the dimension goes.
        position: of the dimension among the arguments after the first operand.
        default: the dimension where none is given; ``None``: all of them.
        ranks: whether what is given is often one number a sample, so that its last dimension is not taken for another
            than that of the samples where the number of dimensions is not known.
    """

    gives: Literal["alike", "less", "other"]
    position: int = 0
    default: int | None = None
    ranks: bool = False


_LEAVING = Along("alike")
_REDUCING = Along("less")
_REDUCING_SECOND = Along("less", position=1)
_INDEXED = Along("other")
_TRANSFORMING = Along("other", position=1, default=-1)
_RANKING = Along("alike", default=-1, ranks=True)
_CHOOSING = Along("other", position=1, default=-1, ranks=True)

ALONG: dict[str, Along] = {
    **dict.fromkeys(("softmax", "log_softmax", "softmin", "l2_normalize"), Along("alike", default=-1)),
    **dict.fromkeys(("cumsum", "cumprod", "logcumsumexp", "cummax", "cummin", "nancumsum", "nancumprod", "flip",
                     "fftshift", "ifftshift"), _LEAVING),
    **dict.fromkeys(("amax", "amin", "max", "min", "aminmax", "argmax", "argmin", "nanmax", "nanmin", "nanargmax",
                     "nanargmin", "ptp", "any", "all", "prod", "nanprod", "std", "var", "std_mean", "var_mean",
                     "nanstd", "nanvar", "median", "nanmedian", "mode", "logsumexp", "average",
                     "count_nonzero"), _REDUCING),
    **dict.fromkeys(("quantile", "nanquantile", "percentile", "nanpercentile", "norm", "vector_norm"),
                    _REDUCING_SECOND),
    **dict.fromkeys(("gather", "scatter", "scatter_add", "scatter_reduce", "index_add", "index_copy", "index_fill",
                     "index_reduce"), _INDEXED),
    **dict.fromkeys(("diff", "trapz", "trapezoid", "cumulative_trapezoid", "cross", "fft", "ifft", "rfft", "irfft",
                     "hfft", "ihfft"), _TRANSFORMING),
    **dict.fromkeys(("fftn", "ifftn", "rfftn", "irfftn", "rot90", "take_along_dim",
                     "take_along_axis"), Along("other", position=1)),
    **dict.fromkeys(("sort", "argsort"), _RANKING),
    **dict.fromkeys(("topk", "kthvalue", "partition", "argpartition"), _CHOOSING),
    "gumbel_softmax": Along("alike", position=3, default=-1), "glu": Along("other", default=-1),
    "normalize": Along("alike", position=1, default=1), "renorm": Along("alike", position=1),
    "roll": Along("alike", position=1), "unwrap": Along("alike", position=1, default=-1),
    "unfold": Along("other", default=-1), "put_along_axis": Along("other", position=2),
    "cosine_similarity": Along("less", position=1, default=1), "vecdot": Along("less", position=1, default=-1),
}  # fmt: skip
"""Operations along a dimension: they combine samples where it is that of the samples, or all are."""

OF_MATRICES = frozenset(
    {"det", "logdet", "slogdet", "inverse", "inv", "pinv", "pinverse", "cholesky", "cholesky_ex", "cholesky_inverse",
     "cholesky_solve", "svd", "svdvals", "eig", "eigh", "eigvals", "eigvalsh", "qr", "matrix_rank", "matrix_norm",
     "nuclear_norm", "matrix_exp", "matrix_power", "solve", "solve_triangular", "triangular_solve", "lstsq", "cond",
     "lu", "trace", "diagonal", "tril", "triu"}
)  # fmt: skip
"""Operations on the matrices of the last two dimensions: a batch of two dimensions is one such matrix."""

NORMALIZING = frozenset({"layer_norm", "rms_norm"})
"""Operations along as many of the last dimensions as the shape has that they are given."""

OF_SEQUENCES = frozenset({"scaled_dot_product_attention"})
"""Operations on sequences, which are the last two dimensions: of two, the first has the steps of a single one."""

ALONG_LAST = frozenset({"pairwise_distance"})
"""Operations along the last dimension, which cannot be chosen."""

TOGETHER = frozenset(
    {"batch_norm", "pdist", "cov", "corrcoef", "unique", "unique_consecutive", "bincount", "histc", "histogram",
     "histogram2d", "histogramdd", "dist", "combinations", "cartesian_prod", "block_diag", "diag", "diagflat", "outer",
     "kron", "vander", "take", "msort", "fliplr", "flipud", "union1d", "intersect1d", "setdiff1d", "setxor1d",
     "ediff1d", "correlate", "polyfit", "interp", "array_equal", "allclose", "pca_lowrank", "svd_lowrank",
     "chain_matmul", "multi_dot", "tensordot", "segment_reduce", "shuffle", "permutation", "meshgrid",
     "vdot", "lobpcg"}
)  # fmt: skip
"""Operations that combine the samples of a batch, or move them to other places, whatever else they are given."""

EACH = frozenset(
    {"abs", "absolute", "acos", "acosh", "add", "addcdiv", "addcmul", "angle", "arccos", "arccosh", "arcsin",
     "arcsinh", "arctan", "arctan2", "arctanh", "around", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and",
     "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "bucketize", "cbrt",
     "ceil", "celu", "clamp", "clamp_max", "clamp_min", "clip", "clip_by_value", "complex", "conj", "conj_physical",
     "conjugate", "copysign", "cos", "cosh", "deg2rad", "degrees", "digamma", "digitize", "div", "divide",
     "divide_no_nan", "divmod", "elu", "entr", "eq", "equal", "erf", "erfc", "erfcx", "erfinv", "exp", "exp2", "expit",
     "expm1", "fabs", "fix", "float_power", "floor", "floor_divide", "floordiv", "floormod", "fmax", "fmin", "fmod",
     "frac", "frexp", "gammainc", "gammaincc", "gammaln", "gcd", "ge", "gelu", "greater", "greater_equal", "gt",
     "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "heaviside", "hypot", "i0", "i0e", "i1", "i1e", "igamma",
     "igammac", "imag", "invert", "isclose", "isfinite", "isin", "isinf", "isnan", "isneginf", "isposinf", "isreal",
     "kl_divergence", "lcm", "ldexp", "le", "leaky_relu", "lerp", "less", "less_equal", "lgamma", "log", "log10",
     "log1p", "log2", "log_ndtr", "log_sigmoid", "logaddexp", "logaddexp2", "logical_and", "logical_not", "logical_or",
     "logical_xor", "logit", "logsigmoid", "lt", "masked_fill", "maximum", "minimum", "mish", "mod", "modf", "mul",
     "multigammaln", "multiply", "mvlgamma", "nan_to_num", "ndtr", "ndtri", "ne", "neg", "negative", "nextafter",
     "not_equal", "ones_like", "zeros_like", "full_like", "empty_like", "polar", "polygamma", "polyval", "positive",
     "pow", "power", "psi", "rad2deg", "radians", "real", "reciprocal", "relu", "relu6", "remainder", "rint", "round",
     "rrelu", "rsqrt", "rsub", "searchsorted", "selu", "sgn", "sigmoid", "sign", "signbit", "silu", "sin", "sinc",
     "sinh", "softplus", "softshrink", "softsign", "sqrt", "square", "squared_difference", "sub",
     "subtract", "swish", "tan", "tanh", "tanhshrink", "threshold", "true_divide", "truediv", "trunc", "where",
     "xdivy", "xlog1py", "xlogy", "zeta", "rand_like", "randn_like", "randint_like", "zero", "fill", "dropout",
     "sigmoid_cross_entropy_with_logits", "weighted_cross_entropy_with_logits", "sigmoid_focal_loss"}
)  # fmt: skip
"""Operations on each element, in which shapes broadcast."""

OF_TENSORFLOW = frozenset(
    {"abs_", "adjust_brightness", "atrous_conv2d", "avg_pool", "avg_pool1d", "avg_pool2d", "bias_add",
     "binary_accuracy", "cast", "categorical_accuracy", "check_numerics", "conv1d", "conv2d", "conv2d_transpose",
     "conv3d", "convolution", "decode_image", "depth_to_space", "depthwise_conv2d", "embedding_lookup",
     "ensure_shape", "expand_dims", "extract_image_patches", "extract_patches", "flip_left_right", "grayscale_to_rgb",
     "hard_sigmoid", "image_gradients", "in_top_k", "is_finite", "is_inf", "is_nan", "linear",
     "local_response_normalization", "lrn", "math_divide", "max_pool", "max_pool1d", "max_pool2d", "one_hot", "pad",
     "per_image_standardization", "pool", "pow_", "psnr", "random_brightness", "random_contrast",
     "random_flip_left_right", "random_flip_up_down", "resize", "resize_area", "resize_bicubic", "resize_bilinear",
     "resize_images", "resize_nearest_neighbor", "rgb_to_grayscale", "saturate_cast", "separable_conv2d",
     "softmax_v2", "space_to_depth", "sparse_categorical_accuracy", "squeeze", "ssim", "ssim_multiscale",
     "tensor_scatter", "total_variation", "where_"}
)  # fmt: skip
"""Operations on each sample that TensorFlow has too, and whose names mean nothing else there."""

BY_SAMPLE = OF_TENSORFLOW | frozenset(
    {
        # layers as functions
        "bilinear", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "avg_pool3d", "max_pool3d", "lp_pool1d",
        "lp_pool2d", "lp_pool3d", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d",
        "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d", "fractional_max_pool2d",
        "fractional_max_pool3d", "max_unpool1d", "max_unpool2d", "max_unpool3d", "max_pool1d_with_indices",
        "max_pool2d_with_indices", "max_pool3d_with_indices", "prelu", "embedding", "embedding_bag", "constant_pad_nd",
        "interpolate", "upsample", "upsample_bilinear", "upsample_nearest", "grid_sample", "affine_grid",
        "pixel_shuffle", "pixel_unshuffle", "channel_shuffle", "fold", "instance_norm", "group_norm",
        "local_response_norm", *OF_SEQUENCES, "alpha_dropout", "feature_alpha_dropout",
        "feature_dropout", "dropout1d", "dropout2d", "dropout3d", "stft", "istft", "fft2", "ifft2", "rfft2", "irfft2",
        "gru_cell", "lstm_cell", "rnn_tanh_cell", "rnn_relu_cell", "pack_padded_sequence",
        # others that take each sample by itself
        "baddbmm", "diag_embed", "expand", "repeat", "tile", "broadcast_to", "repeat_interleave", "view_as_complex",
        "view_as_real", "atleast_1d", "atleast_2d", "atleast_3d", "rollaxis", "moveaxis", "swapdims", "masked_scatter",
        "index_put", "chunk", "split", "tensor_split", "array_split", "split_with_sizes", "unbind", "hsplit", "dsplit",
        "vsplit", "index_select", "narrow", "select", "masked_select", "nonzero", "argwhere", "flatnonzero",
        "from_dlpack", "broadcast_tensors", "broadcast_arrays", "adjoint", "frombuffer", "fromiter", "iscomplexobj",
        "is_nonzero", "result_type", "is_pinned", "is_conj", "is_neg", "is_signed", "is_inference", "resize_as",
        "unravel_index",
        # what leaves a tensor as it is, or asks about it
        "retain_grad", "register_hook", "share_memory", "data_ptr", "get_device", "is_floating_point", "is_complex",
        "is_contiguous", "stride", "element_size", "resolve_conj", "dequantize", "to_dense", "to_sparse", "coalesce",
        "cfloat", "cdouble", "char", "short", "xpu", "mps", "ascontiguousarray", "asanyarray", "float16", "int8",
        "int16", "uint8", "new_tensor", "tobytes", "is_tensor", "isscalar", "ndim", "dtype", "record_stream",
        "as_subclass", "new_zeros", "new_ones", "new_full", "new_empty", "copy", "item", "sum", "mean", "nansum",
        "nanmean", "sum_to_size",
        # random numbers and distributions with parameters for each sample
        "bernoulli", "multinomial", "normal", "uniform", "exponential", "poisson", "cauchy", "log_normal", "geometric",
        "random", "Normal", "Bernoulli", "Categorical", "OneHotCategorical", "OneHotCategoricalStraightThrough",
        "Laplace", "LogNormal", "Gamma", "Beta", "Dirichlet", "Poisson", "StudentT", "Uniform", "Exponential",
        "NegativeBinomial", "Independent", "MultivariateNormal", "LowRankMultivariateNormal", "MixtureSameFamily",
        "RelaxedBernoulli", "RelaxedOneHotCategorical", "Gumbel", "HalfNormal", "Cauchy", "VonMises", "Weibull",
        "Binomial", "Multinomial", "Geometric", "TransformedDistribution", "log_prob", "entropy", "rsample", "sample",
        "sample_n", "cdf", "icdf",
        # methods of containers and of texts in a batch
        "get", "items", "keys", "values", "pop", "update", "append", "extend", "index", "count", "strip", "lower",
        "upper", "replace", "join", "startswith", "endswith", "decode", "encode", "format", "convert_to_tensors",
    }
)  # fmt: skip
"""Operations on each sample, whatever else they are given; the shape may be another one."""

BY_NAMES = frozenset({"rearrange"})
"""Operations that say by names which dimensions come together."""

ALIKE = EACH | {name for name, along in ALONG.items() if along.gives == "alike"}
"""Operations whose result has the shape of their operands."""


def is_known(name: str) -> bool:
    """Whether it is known what an operation does to the samples of a batch."""
    along = name in ALONG or name in OF_MATRICES or name in NORMALIZING | ALONG_LAST
    return name in EACH or name in BY_SAMPLE or name in BY_NAMES or along
