"""Tables of texts: rows of csv, tsv, jsonl or parquet → systems, and scores back as columns."""
