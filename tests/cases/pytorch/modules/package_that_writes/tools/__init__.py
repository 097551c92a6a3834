with open("log.txt", "a") as log:
    log.write("a run begins\n")
