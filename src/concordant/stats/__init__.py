"""Arrays → numbers: correlations, tau variants, significance, resampling, system ratings."""
