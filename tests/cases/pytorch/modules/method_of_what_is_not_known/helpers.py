import json


class Settings:
    rate = 0.1

    def keep(self, path):
        with open(path, "w") as f:
            json.dump({"rate": self.rate}, f)
