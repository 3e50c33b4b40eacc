"""The kind `encoder`: a transformer that learns from judgements end to end."""
