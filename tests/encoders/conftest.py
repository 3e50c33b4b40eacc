"""A tiny spaCy pipeline that needs no download: taught a little, so that it finds two sentences."""

import pytest

WIDTH = 16


@pytest.fixture(scope="session")
def tiny_pipeline(tmp_path_factory):
    """The folder of a pipeline with a shared tok2vec, a tagger and a parser."""
    spacy = pytest.importorskip("spacy")
    from spacy.training import Example

    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("en")
    network = {"@architectures": "spacy.HashEmbedCNN.v2", "width": WIDTH, "depth": 1}
    network |= {"embed_size": 50, "window_size": 1, "maxout_pieces": 2, "subword_features": True}
    network |= {"pretrained_vectors": None}
    nlp.add_pipe("tok2vec", config={"model": network})
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": WIDTH, "upstream": "*"}
    nlp.add_pipe("tagger", config={"model": {"tok2vec": listener}})
    nlp.add_pipe("parser", config={"model": {"tok2vec": listener}, "min_action_freq": 1})
    taught = {
        "words": ["One", "cat", "sleeps", ".", "Two", "dogs", "bark", "!"],
        "tags": ["CD", "NN", "VBZ", ".", "CD", "NNS", "VBP", "."],
        "heads": [1, 2, 2, 2, 5, 6, 6, 6],
        "deps": ["nummod", "nsubj", "ROOT", "punct", "nummod", "nsubj", "ROOT", "punct"],
    }
    doc = nlp.make_doc(" ".join(taught["words"]))
    examples = [Example.from_dict(doc, taught)]
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(30):
        nlp.update(examples, sgd=optimizer)
    folder = tmp_path_factory.mktemp("spacy") / "tiny"
    nlp.to_disk(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_parser(tiny_pipeline):
    from concordant.encoders.syntax.parser import load_parser

    return load_parser(tiny_pipeline)
