#include "true_skill.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "../../native/interruption.hpp"

namespace concordant {

namespace {

constexpr double kTiny = 1e-300;

// How far a judgement moves the means (v) and narrows the variances (w), in units of the spread.
struct Update {
    double shift;
    double shrink;
};

double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0)); }

double below(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

Update won(double gap, double margin) {
    const double lead = gap - margin;
    const double chance = below(lead);
    if (chance < kTiny) return {-lead, 1.0};  // far in the tail v tends to -lead and w to 1
    const double v = density(lead) / chance;
    return {v, v * (v + lead)};
}

// The same for a tie: v pulls the two means together.
Update drawn(double gap, double margin) {
    const double size = std::abs(gap);
    const double upper = margin - size, lower = -margin - size;
    const double chance = below(upper) - below(lower);
    if (chance < kTiny) return {gap == 0 ? 0.0 : std::copysign(upper, -gap), 1.0};
    const double v = (density(lower) - density(upper)) / chance;
    const double w = v * v + (upper * density(upper) - lower * density(lower)) / chance;
    return {gap >= 0 ? v : -v, w};
}

// The update of system i against j that one of their judgements, drawn at random, is expected to be.
Update expected(const Judged& judged, std::size_t i, std::size_t j, double gap, double margin) {
    const double games = judged.games(i, j);
    const double wins = judged.wins[i * judged.k + j] / games;
    const double ties = judged.ties[i * judged.k + j] / games;
    const double losses = judged.wins[j * judged.k + i] / games;
    Update sum{0.0, 0.0};
    const auto add = [&sum](double share, double sign, Update update) {
        sum.shift += share * sign * update.shift;
        sum.shrink += share * update.shrink;
    };
    if (wins > 0) add(wins, 1.0, won(gap, margin));
    if (losses > 0) add(losses, -1.0, won(-gap, margin));
    if (ties > 0) add(ties, 1.0, drawn(gap, margin));
    return sum;
}

}  // namespace

void play(const Judged& judged, const Contest& contest, std::size_t n, double* mean,
          double* variance) {
    const std::size_t k = judged.k;
    std::fill(mean, mean + k, 0.0);
    std::fill(variance, variance + k, contest.sigma * contest.sigma);
    std::vector<double> chance(k);  // of each opponent, the larger the nearer its mean
    Pace pace;
    for (std::size_t game = 0; game < n; ++game) {
        pace.spend(100 * k);
        const auto one = static_cast<std::size_t>(std::max_element(variance, variance + k) - variance);
        double total = 0;
        for (std::size_t other = 0; other < k; ++other) {
            const bool met = other != one && judged.games(one, other) > 0;
            chance[other] = met ? std::exp(-std::abs(mean[one] - mean[other])) : 0.0;
            total += chance[other];
        }
        double moved = 0, narrowed = 0;
        for (std::size_t other = 0; other < k; ++other) {
            if (chance[other] == 0) continue;
            const double weight = chance[other] / total;
            const double spread =
                std::sqrt(2 * contest.noise * contest.noise + variance[one] + variance[other]);
            const double gap = (mean[one] - mean[other]) / spread;
            const Update update = expected(judged, one, other, gap, contest.margin / spread);
            const double ours = variance[one] / spread, theirs = variance[other] / spread;
            moved += weight * ours * update.shift;
            narrowed += weight * ours / spread * update.shrink;
            mean[other] -= weight * theirs * update.shift;
            variance[other] *= 1 - weight * theirs / spread * update.shrink;
        }
        mean[one] += moved;
        variance[one] *= 1 - narrowed;
    }
}

}  // namespace concordant
