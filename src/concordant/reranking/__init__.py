"""Lists of candidate translations → the best one of each."""
