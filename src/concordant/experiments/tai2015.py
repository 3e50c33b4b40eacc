"""Tai et al. 2015, Table 3: relatedness of SICK's sentences by the same network as ReVal's.

A check of the network itself, on data that it was published for: 4,500 pairs to train on, 500 to
choose the epoch on, 4,927 to report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.experiments.figures import Experiment, Figure, chosen_tables, figure
from concordant.features.tree_inputs import tree_reader_named
from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.judgements.merging import merge
from concordant.models.tree_lstm.fitting import TreeSide, train_trees
from concordant.models.tree_lstm.forward import TreeShape
from concordant.models.tree_lstm.kind import tree_scores
from concordant.training.held_out import pearson_estimate
from concordant.training.recipe import read_recipe

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from concordant.encoders.encoders import Track

FILES = ("SICK_train.txt", "SICK_trial.txt", "SICK_test_annotated.txt")
# Structure → what is called in the paper, and Pearson's r there.
ROWS = {
    "tree": ("Dependency Tree-LSTM", 0.8676),
    "sequence": ("LSTM", 0.8528),
}
AT_LEAST = {"tree": 0.85}
SEED = 1
TABLES = {3: "relatedness of sentences"}


def run(
    data: Path, tables: Sequence[int] | None = None, *, track: Track | None = None
) -> list[Figure]:
    """Pearson's r of both networks with people's ratings of the test sentences."""
    chosen_tables(tables, TABLES)
    show = track or (lambda items, _: items)
    reader = tree_reader_named(read_recipe("reval")["inputs.trees"])
    rated = JudgedSet.of(
        merge([read(data / "similarity" / name) for name in FILES]), "ratings"
    ).rated()
    inputs = reader.read(rated.translations, rated.references, reader.fit(), track)
    testset = np.array([place[1] for place in rated.places])
    rows = [np.flatnonzero(testset == name.removesuffix(".txt")) for name in FILES]
    figures = []
    for structure, (label, published) in show(list(ROWS.items()), "training"):
        recipe = read_recipe("reval").with_values(model__structure=structure)
        shape = TreeShape(reader.dimension, recipe["model.memory"], recipe["model.hidden"])
        training, validation = (
            TreeSide.of(inputs, rated.take(side), structure=structure) for side in rows[:2]
        )
        (params,), _ = train_trees(recipe, shape, training, validation, seeds=[SEED])
        test = rated.take(rows[2])
        scores = tree_scores(params, shape, structure, inputs.take(test.rows))
        found = pearson_estimate(scores, test.ratings[test.rows], test.group)
        least = AT_LEAST.get(structure)
        figures.append(figure(label, "test", published, found, least=least))
    return figures


EXPERIMENT = Experiment(
    name="tai2015",
    title="Pearson's r of Tree-LSTM and LSTM with people's ratings of relatedness, SICK's test set",
    source="Tai et al. 2015, Table 3, means of five runs",
    needs=("similarity",),
    run=run,
    tables=TABLES,
    note="One run each. Trees are our parser's, the paper's Stanford's; of GloVe 840B the packaged "
    "33,860 words, others are filled in from GloVe 6B.",
)
