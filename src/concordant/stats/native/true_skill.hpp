// TrueSkill over the judgements that WMT's rule is expected to draw.
#pragma once

#include <cstddef>

namespace concordant {

// How often system i beat system j, wins[i * k + j], and tied with it, ties[i * k + j].
struct Judged {
    const double* wins;
    const double* ties;
    std::size_t k;
    double games(std::size_t i, std::size_t j) const {
        return wins[i * k + j] + wins[j * k + i] + ties[i * k + j];
    }
};

// The prior deviation of an ability, the noise of a judgement, and the lead below which it is a tie.
struct Contest {
    double sigma;
    double noise;
    double margin;
};

// Plays `n` games, each by the system that is known least, and fills k means and variances.
void play(const Judged& judged, const Contest& contest, std::size_t n, double* mean,
          double* variance);

}  // namespace concordant
