"""What Gupta et al. 2015 print in Tables 1 to 4 and §6, and what is asked for of it here."""

from __future__ import annotations

PAIRS = ("cs-en", "de-en", "fr-en", "hi-en", "ru-en")  # WMT14's, in the order of Tables 3 and 4
PAIRS12 = ("cs-en", "de-en", "es-en", "fr-en")
MAIN, LSTM, LARGE = "L+Sick(50,150)", "L+Sick(lstm)", "XL+Sick(100,300)"
MIX = "L+Sick(mix)"
# Table 1, by how often a translation was ranked (8: or more); Table 2, training, dev and test.
VARIANCES = {3: 0.65, 4: 1.0, 5: 1.2, 6: 1.2, 7: 1.3, 8: 0.85}
SIZES = {
    "L": (9559, 1000, 1000),
    "LNF": (17855, 1000, 1000),
    "L+Sick": (14059, 1500, 1000),
    "XL+Sick": (21356, 1500, 1000),
}
# Table 3: Pearson of the five pairs, its average, Spearman's average.
SYSTEMS = {
    LSTM: (0.922, 0.882, 0.974, 0.898, 0.863, 0.908, 0.872),
    "LNF(50,150)": (0.972, 0.900, 0.974, 0.900, 0.882, 0.925, 0.913),
    "L(50,150)": (0.988, 0.897, 0.978, 0.905, 0.875, 0.929, 0.904),
    MAIN: (0.993, 0.904, 0.978, 0.908, 0.881, 0.933, 0.915),
    "L+Sick(100,300)": (0.993, 0.907, 0.973, 0.866, 0.890, 0.926, 0.902),
    LARGE: (0.913, 0.917, 0.978, 0.904, 0.884, 0.919, 0.889),
    "L+Sick(100,150)": (0.994, 0.911, 0.975, 0.923, 0.870, 0.935, 0.904),
    MIX: (0.994, 0.906, 0.979, 0.918, 0.881, 0.935, 0.919),
    "BLEU": (0.909, 0.832, 0.952, 0.956, 0.789, 0.888, 0.833),
    "METEOR": (0.980, 0.927, 0.975, 0.457, 0.805, 0.829, 0.788),
}
# Table 4: tau of the five pairs, its average, and the average by WMT12's variant. The paper's BLEU
# of segments is SENTBLEU.
SEGMENTS = {
    LSTM: (0.204, 0.232, 0.289, 0.319, 0.236, 0.256, 0.254),
    "LNF(50,150)": (0.228, 0.288, 0.318, 0.341, 0.271, 0.289, 0.287),
    "L(50,150)": (0.225, 0.272, 0.328, 0.346, 0.280, 0.290, 0.287),
    MAIN: (0.243, 0.274, 0.333, 0.360, 0.278, 0.298, 0.295),
    "L+Sick(100,300)": (0.233, 0.286, 0.343, 0.358, 0.281, 0.300, 0.297),
    LARGE: (0.252, 0.279, 0.347, 0.367, 0.274, 0.304, 0.301),
    "L+Sick(100,150)": (0.243, 0.274, 0.329, 0.368, 0.276, 0.298, 0.295),
    MIX: (0.243, 0.276, 0.338, 0.358, 0.273, 0.298, 0.295),
    "BLEU": (0.213, 0.271, 0.378, 0.300, 0.263, 0.285, 0.258),
    "METEOR": (0.282, 0.334, 0.406, 0.420, 0.329, 0.354, 0.341),
}
# §6, of L+Sick(50,150) on WMT12: average Pearson, Spearman and tau.
WMT12 = {"pearson": 0.950, "spearman": 0.926, "tau-wmt12": 0.222}
# What must be reached on average, by one network and by all together: statistic → metric → least.
AT_LEAST = {
    "pearson": {MAIN: 0.93},
    "spearman": {MAIN: 0.91},
    "tau-wmt14": {MAIN: 0.295, LARGE: 0.300},
}
AT_LEAST_12 = {"tau-wmt12": {MAIN: 0.222}}
