import work

if __name__ == "__main__":
    work.work()
