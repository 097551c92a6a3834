import tensorflow.compat.v1 as v1


def train(graph, data, epochs, batch=16):
    x, y = data
    saver = v1.train.Saver()
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        for epoch in range(epochs):
            for start in range(0, len(x), batch):
                feed = {graph.x: x[start : start + batch], graph.y: y[start : start + batch]}
                _, loss = session.run([graph.step, graph.loss], feed_dict=feed)
            print("epoch", epoch, "loss", loss)
        saver.save(session, "runs/model.ckpt")
        return session.run(graph.loss, feed_dict={graph.x: x, graph.y: y})
