"""What is seen of Keras and TensorFlow from inside a process. Runs where the program runs, and only there.

Forward and backward pass and optimizer are one compiled function there, a step. What is in it tells the profiler of
TensorFlow, or of JAX, which goes along from the end of the first step, in which the function is compiled, for as many
steps as it is asked for.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from corro.trace import spans
from corro.trace.inside_horovod import Horovod
from corro.verify.probe.imports import after_import

if TYPE_CHECKING:
    from corro.trace.inside import Tracer

ANCHOR = "corro anchor"
FOLDER = "profile"
_FUNCTIONS = "tensorflow.python.eager.polymorphic_function.polymorphic_function"
_TF_PROFILER, _JAX_PROFILER = "tensorflow.python.profiler.profiler_v2", "jax._src.profiler"
_MODELS = {
    "keras.src.engine.training": "Model",
    "tf_keras.src.engine.training": "Model",
    "keras.src.backend.tensorflow.trainer": "TensorFlowTrainer",
    "keras.src.backend.jax.trainer": "JAXTrainer",
    "keras.src.models.model": "Model",
}
_OPTIMIZERS = {
    "keras.src.optimizers.optimizer": "Optimizer",
    "keras.src.optimizers.legacy.optimizer_v2": "OptimizerV2",
    "keras.src.optimizers.base_optimizer": "BaseOptimizer",
    "tf_keras.src.optimizers.optimizer": "Optimizer",
}
_METHODS = {
    "evaluate": spans.EVALUATION,
    "predict": spans.EVALUATION,
    "save": spans.CHECKPOINT,
    "save_weights": spans.CHECKPOINT,
}
_OF_HOROVOD = ("allreduce", "grouped_allreduce", "allgather", "broadcast", "broadcast_variables", "broadcast_object",
               "broadcast_global_variables", "allgather_object", "barrier")  # fmt: skip
_HOST_LEVEL = 2


def install(tracer: Tracer) -> None:
    """Watch Keras, TensorFlow and JAX once they are imported."""
    calls = _Calls(tracer)
    for name, model in _MODELS.items():
        after_import(name, lambda module, model=model: calls.watch_model(getattr(module, model)))  # type: ignore[misc]
    for name, optimizer in _OPTIMIZERS.items():
        after_import(name, lambda module, each=optimizer: calls.watch_optimizer(getattr(module, each, None)))  # type: ignore[misc]
    after_import("keras.src.backend.jax.trainer", calls.watch_jax)
    after_import(_FUNCTIONS, calls.watch_functions)
    after_import("tensorflow.python.data.ops.iterator_ops", lambda module: calls.watch_data(module.OwnedIterator))
    after_import("tensorflow.python.distribute.input_lib", lambda module: calls.watch_data(module.DistributedIterator))
    after_import("tensorflow.python.eager.backprop", calls.watch_tape)
    after_import("tensorflow.python.checkpoint.checkpoint", lambda module: calls.watch_checkpoint(module.Checkpoint))
    after_import("tensorflow.python.distribute.distribute_lib", calls.watch_strategy)
    for name in ("horovod.tensorflow", "horovod.tensorflow.keras", "horovod.keras"):
        after_import(name, calls.watch_horovod)
    for name in (_TF_PROFILER, _JAX_PROFILER):
        after_import(name, calls.profiler.give_way)


class _Calls:
    """What is called, the outermost of it: a compiled function that applies gradients is a step."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self._training: set[int] = set()
        self._outermost: Any = None
        self._eager: Callable[[], bool] = _always
        self.profiler = _Profiler(tracer)

    # ------------------------------------------------------------------ compiled functions

    def watch_functions(self, module: ModuleType) -> None:
        """TensorFlow's; what applies no gradients evaluates, or is no part of training."""
        self.profiler.use("TensorFlow", _TF_PROFILER)
        # TensorFlow's own function, which AutoGraph does not look into
        self._eager = import_module("tensorflow.python.eager.context").executing_eagerly
        plain = module.Function.__call__

        @functools.wraps(plain)
        def called(function: Any, *args: Any, **kwargs: Any) -> Any:
            if self._outermost is not None:
                return plain(function, *args, **kwargs)
            self._outermost = function
            try:
                with self._tracer.span(lambda: spans.STEP if id(function) in self._training else spans.EVALUATION):
                    return plain(function, *args, **kwargs)
            finally:
                self._outermost = None

        module.Function.__call__ = called

    def watch_jax(self, module: ModuleType) -> None:
        """Keras' steps on JAX. A call is back before the step is done: it is waited for, to see how long it takes."""
        self.profiler.use("JAX", _JAX_PROFILER)
        trainer, made = module.JAXTrainer, module.JAXTrainer.make_train_function

        @functools.wraps(made)
        def make(model: Any, *args: Any, **kwargs: Any) -> Any:
            before = model.train_function
            given = made(model, *args, **kwargs)
            if model.train_function is not before:
                model.train_function = self._waited(model.train_function)
            return given

        trainer.make_train_function = make
        iterator = module.JAXEpochIterator
        given = iterator._get_iterator

        @functools.wraps(given)
        def get(epoch: Any) -> Iterator[Any]:
            return self._loaded(given(epoch))

        iterator._get_iterator = get

    def _waited(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        ready = import_module("jax").block_until_ready

        @functools.wraps(plain)
        def step(*args: Any, **kwargs: Any) -> Any:
            with self._tracer.span(spans.STEP):
                return ready(plain(*args, **kwargs))

        return step

    def _loaded(self, iterator: Any) -> Iterator[Any]:
        batches = iter(iterator)
        end = object()
        while True:
            with self._tracer.span(spans.LOADING, within=spans.STEP):
                batch = next(batches, end)
            if batch is end:
                return
            yield batch

    # ------------------------------------------------------------------ what is called by name

    def watch_model(self, model: Any) -> None:
        """A model's methods, and a call of it outside of a compiled function."""
        for name, kind in _METHODS.items():
            if name in vars(model):
                setattr(model, name, self._spanned(kind, vars(model)[name]))
        if "__call__" in vars(model):

            def kind_of(*_: Any, training: Any = None, **__: Any) -> str:
                return spans.EVALUATION if training is False else spans.FORWARD

            model.__call__ = self._spanned(kind_of, model.__call__, eager=True)

    def watch_optimizer(self, optimizer: Any) -> None:
        """Which function applies gradients; without one it is seen itself."""
        if optimizer is None or not hasattr(optimizer, "apply_gradients"):
            return
        plain = optimizer.apply_gradients
        alone = self._spanned(spans.OPTIMIZER, plain, eager=True)

        @functools.wraps(plain)
        def applied(own: Any, *args: Any, **kwargs: Any) -> Any:
            self.profiler.optimizers.add(str(getattr(own, "name", None) or getattr(own, "_name", "")))
            if self._outermost is not None:
                self._training.add(id(self._outermost))
                return plain(own, *args, **kwargs)
            return alone(own, *args, **kwargs)

        optimizer.apply_gradients = applied
        if "stateless_apply" in vars(optimizer):
            stateless = optimizer.stateless_apply

            @functools.wraps(stateless)
            def apply(own: Any, *args: Any, **kwargs: Any) -> Any:
                self.profiler.optimizers.add(str(own.name))
                return stateless(own, *args, **kwargs)

            optimizer.stateless_apply = apply

    def watch_data(self, iterator: Any) -> None:
        """A batch that a loop of the script's own takes."""
        iterator.__next__ = self._spanned(spans.LOADING, iterator.__next__, eager=True)

    def watch_tape(self, module: ModuleType) -> None:
        """A gradient outside of a compiled function."""
        tape = module.GradientTape
        tape.gradient = self._spanned(spans.BACKWARD, tape.gradient, eager=True)

    def watch_checkpoint(self, checkpoint: Any) -> None:
        """TensorFlow's own checkpoints."""
        for name in ("save", "write"):
            setattr(checkpoint, name, self._spanned(spans.CHECKPOINT, getattr(checkpoint, name)))

    def watch_strategy(self, module: ModuleType) -> None:
        """What a strategy adds up outside of a compiled function."""
        for strategy, name in ((module.StrategyBase, "reduce"), (module.Strategy, "gather")):
            setattr(strategy, name, self._spanned(spans.WAITING, getattr(strategy, name), eager=True))

    def watch_horovod(self, module: ModuleType) -> None:
        """What Horovod is asked for outside of a compiled function, and on rank 0 its timeline."""
        for name in _OF_HOROVOD:
            if hasattr(module, name):
                setattr(module, name, self._spanned(spans.WAITING, getattr(module, name), eager=True))
        Horovod(self._tracer, module)

    def _spanned(self, kind: str | Callable[..., str], plain: Any, *, eager: bool = False) -> Any:
        """A function in a clock; ``eager``: unless a graph is made, of which it becomes a part."""

        @functools.wraps(plain)
        def called(*args: Any, **kwargs: Any) -> Any:
            if eager and not self._eager():
                return plain(*args, **kwargs)
            with self._tracer.span(kind if isinstance(kind, str) else kind(*args, **kwargs)):
                return plain(*args, **kwargs)

        return called


def _always() -> bool:
    return True


class _Profiler:
    """The profiler of TensorFlow or JAX, with moments in it whose time is known here."""

    def __init__(self, tracer: Tracer) -> None:
        self.optimizers: set[str] = set()
        self._tracer = tracer
        self._library = self._module = ""
        self._anchors: list[tuple[float, float]] = []
        self._runs = False
        self._steps = 0
        self._why = ""

    def use(self, library: str, module: str) -> None:
        """Which one it is; where a script has both, that of what trains."""
        if not self._library:
            self._tracer.at_step.append(self._stepped)
            self._tracer.notes["profiler"] = self.noted
        if self._library != "JAX":
            self._library, self._module = library, module

    def give_way(self, module: ModuleType) -> None:
        """A script that profiles itself has its profile: there can be one at a time."""
        for name in ("start", "start_trace"):
            if hasattr(module, name):
                plain = getattr(module, name)

                def start(*args: Any, _plain: Any = plain, **kwargs: Any) -> Any:
                    if self._runs:
                        self._end("the script profiles itself")
                    return _plain(*args, **kwargs)

                setattr(module, name, functools.wraps(plain)(start))
                setattr(module, f"_corro_{name}", plain)

    def _stepped(self) -> None:
        begun = time.monotonic()
        if self._tracer.made == 1:
            try:
                self._begin()
            except Exception as error:  # the program must not fail by what looks at it
                self._why = f"it could not be started: {error}"
        if self._runs:
            self._anchor()
        self._tracer.own_seconds += time.monotonic() - begun
        if self._runs and not self._tracer.is_watched:
            self._steps = self._tracer.made
            self._end()

    def _begin(self) -> None:
        folder = str(self._tracer.folder / FOLDER)
        module = import_module(self._module)
        if self._library == "JAX":
            options = import_module("jax").profiler.ProfileOptions()
            options.python_tracer_level, options.host_tracer_level = 0, _HOST_LEVEL
            module._corro_start_trace(folder, profiler_options=options)
            self._annotation = import_module("jax").profiler.TraceAnnotation
        else:
            module._corro_start(folder, module.ProfilerOptions(_HOST_LEVEL, 0, 1))
            self._annotation = import_module("tensorflow.python.profiler.trace").Trace
        self._runs = True

    def _anchor(self) -> None:
        before = time.monotonic()
        with self._annotation(ANCHOR):
            pass
        self._anchors.append((before, time.monotonic()))

    def _end(self, why: str = "") -> None:
        self._runs, self._why = False, why
        module = import_module(self._module)
        (module.stop_trace if self._library == "JAX" else module.stop)()

    def noted(self) -> dict[str, Any]:
        """What helps to read the profile, which is complete then."""
        if self._runs:
            with suppress(Exception):
                self._end()
        return {
            "library": self._library,
            "anchors": self._anchors,
            "optimizers": sorted(filter(None, self.optimizers)),
            "why": self._why,
            "steps": self._steps,
            "unseen": "horovod" in sys.modules,
        }
