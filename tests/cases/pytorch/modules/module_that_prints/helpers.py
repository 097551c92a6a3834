def log_epoch(epoch, loss):
    line = "%d,%.4f" % (epoch, loss)
    print(line)
    with open("log.csv", "a") as f:
        f.write(line + "\n")
