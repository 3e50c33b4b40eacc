"""String → vectors and trees: word vectors, sentence encoders, dependency trees, a disk cache."""
