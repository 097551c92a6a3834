"""A layer of a graph's nodes, each a sample that is given what its neighbours have; the library feeds whole graphs."""

from spektral.data import SingleLoader
from spektral.datasets import Citation
from spektral.layers import GCNConv
from tensorflow.keras.layers import Input
from tensorflow.keras.models import Model

dataset = Citation("cora")
features = Input((dataset.n_node_features,))
edges = Input((dataset.n_nodes,), sparse=True)
outputs = GCNConv(dataset.n_labels, activation="softmax")([features, edges])
model = Model([features, edges], outputs)
model.compile(optimizer="adam", loss="categorical_crossentropy", weighted_metrics=["acc"])
loader = SingleLoader(dataset, sample_weights=dataset.mask_tr)
model.fit(loader.load(), steps_per_epoch=loader.steps_per_epoch, epochs=200)
