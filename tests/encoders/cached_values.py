"""Values of texts, and a worker that computes them and remembers which it was asked for."""

from concordant.encoders.cache.cache import cached

TEXTS = ["one", "", "two\0", "\ud800", "one", "three"]
DISTINCT = len(set(TEXTS))


class Worker:
    """Computes a value for each text, and remembers which it was asked for."""

    def __init__(self, texts):
        self.texts, self.asked = texts, []

    def __call__(self, places):
        self.asked += [self.texts[i] for i in places]
        return [value_of(self.texts[i]) for i in places]


def value_of(text):
    return text.encode("utf-8", "surrogatepass") * 3


def filled(store, texts=TEXTS, signature="encoder"):
    """The texts that had to be computed; all values are right."""
    worker = Worker(texts)
    assert cached(signature, texts, worker, bytes, store=store) == [
        value_of(text) for text in texts
    ]
    return worker.asked
