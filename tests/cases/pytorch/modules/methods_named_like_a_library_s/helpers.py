import json


class Settings:
    rate = 0.1

    def save(self, path):
        with open(path, "w") as f:
            json.dump({"rate": self.rate}, f)


def test():
    print("helpers")


def train():
    print("nobody trains so")


settings = Settings()
