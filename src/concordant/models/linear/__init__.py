"""Features weighed and added up to a score (Stanojević and Sima'an 2017)."""
