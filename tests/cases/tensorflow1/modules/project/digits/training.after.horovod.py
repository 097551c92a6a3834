import tensorflow.compat.v1 as v1
import horovod.tensorflow as hvd
import numpy as np


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


def train(graph, data, epochs, batch=16):
    x, y = data
    saver = v1.train.Saver()
    with v1.Session(config=v1.ConfigProto(gpu_options=v1.GPUOptions(allow_growth=True, visible_device_list=str(hvd.local_rank())))) as session:
        session.run(v1.global_variables_initializer())
        session.run(hvd.broadcast_global_variables(0))
        for epoch in range(epochs):
            for start in range(0, len(x), batch):
                feed = {graph.x: share_rows(x[start : start + batch]), graph.y: share_rows(y[start : start + batch])}
                _, loss = session.run([graph.step, graph.mean_loss], feed_dict=feed)
            if hvd.rank() == 0:
                print("epoch", epoch, "loss", loss)
        if hvd.rank() == 0:
            saver.save(session, "runs/model.ckpt")
        return session.run(graph.loss, feed_dict={graph.x: x, graph.y: y})
