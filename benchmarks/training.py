"""Training and deciding: the paper's network by our gradient and by torch's automatic one.

The pairs and inputs are drawn, as many and as wide as the paper's network has on WMT13: 360,000
pairs, 75 numbers a text, 4 features, mini-batches of 30. The peer runs the same network under
torch's autograd with torch's own Adagrad, for a part of an epoch. The last lines say what the
network costs beside the features it decides by.
"""

from __future__ import annotations

import time

import numpy as np
from timing import seconds

from concordant.features.extraction import feature_set
from concordant.features.preparation import Inputs
from concordant.models.pairwise.fitting import PairSet, train_pairwise
from concordant.models.pairwise.forward import PairwiseShape, initial, margin, pair_texts
from concordant.training.recipe import read_recipe

OUTPUTS, PAIRS, BATCH, PEER_STEPS = 90_000, 360_000, 30, 1_000
SHAPE = PairwiseShape(75, 4, 4)
WORDS = "the a house river old small walks stands by of in spring people and sing at night".split()


def drawn(rng: np.random.Generator) -> tuple[Inputs, PairSet]:
    inputs = Inputs(rng.normal(size=(OUTPUTS, 4)), rng.normal(size=(OUTPUTS, 2, 75)))
    return inputs, PairSet(*rng.integers(OUTPUTS, size=(2, PAIRS)))


def ours(inputs: Inputs, pairs: PairSet, objective: str, seeds: tuple[int, ...]) -> float:
    """Seconds of processor time for an epoch; validation on 5,000 pairs included."""
    changes = {"objective__kind": objective, "optimiser__epochs": 1}
    recipe = read_recipe("guzman2015").with_values(**changes)
    few = PairSet(pairs.better[:5000], pairs.worse[:5000])
    begin = time.process_time()
    train_pairwise(recipe, SHAPE, (inputs, pairs), (inputs, few), seeds=seeds)
    return time.process_time() - begin


def by_autograd(inputs: Inputs, pairs: PairSet) -> float:
    """The same for torch, from the time of PEER_STEPS mini-batches."""
    import torch  # noqa: PLC0415 - the peer

    torch.set_num_threads(1)
    start = initial(SHAPE, np.random.default_rng(1))
    params = {k: torch.tensor(v, dtype=torch.float32, requires_grad=True) for k, v in start.items()}
    optimiser = torch.optim.Adagrad(params.values(), lr=0.3, weight_decay=1e-4)
    vectors = torch.tensor(inputs.vectors, dtype=torch.float32)
    features = torch.tensor(inputs.features, dtype=torch.float32)

    def steps() -> None:
        for step in range(PEER_STEPS):
            rows = slice(step * BATCH, (step + 1) * BATCH)
            first, second = (torch.from_numpy(side[rows]) for side in (pairs.better, pairs.worse))
            one, two = vectors[first], vectors[second]
            flat = torch.cat([one[:, :1], two[:, :1], one[:, 1:]], dim=1).flatten(1)
            layer = torch.tanh(flat @ params["hidden_weights"] + params["hidden_bias"])
            inside = torch.cat([layer, features[first], features[second]], dim=1)
            odds = inside @ params["output_weights"] + params["output_bias"]
            optimiser.zero_grad()
            torch.nn.functional.softplus(-odds).sum().backward()
            optimiser.step()

    steps()
    return seconds(steps, clock=time.process_time) * PAIRS / BATCH / PEER_STEPS


def deciding(inputs: Inputs, rng: np.random.Generator, pairs: int = 3_000) -> tuple[float, float]:
    """Seconds for the four metrics of both translations of some pairs, and for their decisions."""
    features = feature_set("bleu nist ter meteor")
    texts = [" ".join(rng.choice(WORDS, size=25)) for _ in range(2 * pairs)]
    references = [[" ".join(rng.choice(WORDS, size=25))] for _ in range(2 * pairs)]
    params = initial(SHAPE, rng)
    rows = np.arange(pairs), np.arange(pairs, 2 * pairs)
    first, second = (inputs.take(each) for each in rows)
    asked = pair_texts(first.vectors, second.vectors), first.features, second.features
    clock = time.process_time
    lexical = seconds(lambda: features.extract(texts, references), 3, clock)
    return lexical, seconds(lambda: margin(params, SHAPE, *asked), 3, clock)


def main() -> None:
    rng = np.random.default_rng(0)
    inputs, pairs = drawn(rng)
    peer = by_autograd(inputs, pairs)
    print(f"an epoch of {PAIRS:,} pairs, batches of {BATCH}, seconds of processor time")
    print(f"torch, automatic gradient  {peer:6.1f} s  {60 / peer:5.1f} epochs a minute")
    for objective in ("logistic", "kendall"):
        for seeds in ((1,), (1, 2, 3)):
            found = ours(inputs, pairs, objective, seeds)
            ratio = f"  {len(seeds) * peer / found:5.1f} × torch" if objective == "logistic" else ""
            print(
                f"{objective}, {len(seeds)} at once      {found:6.1f} s  "
                f"{60 / found:5.1f} epochs a minute{ratio}"
            )
    lexical, network = deciding(inputs, rng)
    print(f"4 metrics of 3,000 pairs {lexical:.2f} s, the network {network:.3f} s: ", end="")
    print(f"{network / (lexical + network):.1%} of both")


if __name__ == "__main__":
    main()
