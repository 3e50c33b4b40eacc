"""A rating predicted from sentence vectors and features (Shimanaka et al. 2018)."""
