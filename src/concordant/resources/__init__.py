"""Where pretrained parts come from: their names, licences and hashes, how to get and find them."""
