"""Two strings → counts → numbers: a measure counts a segment, and computes from summed counts."""
