// The statistics kernel as Python sees it: arrays in, arrays out, the GIL released, threads inside.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "../../native/parallel.hpp"
#include "pair_counts.hpp"
#include "true_skill.hpp"

namespace nb = nanobind;

using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using WeightRows = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<nb::numpy, int64_t, nb::ndim<2>>;
using Abilities = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

namespace {

constexpr std::size_t kColumns = 5;
constexpr int64_t kMostDrawn = 100'000'000;  // points of a resample

void require(bool holds, const char* otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
}

// What is not a number has no place in an order.
void require_numbers(const Values& values) {
    require(std::none_of(values.data(), values.data() + values.shape(0),
                         [](double value) { return std::isnan(value); }),
            "a value is not a number");
}

void require_counts(const Table& table) {
    require(std::all_of(table.data(), table.data() + table.size(),
                        [](double value) { return std::isfinite(value) && value >= 0; }),
            "wins and ties must be finite and not negative");
}

// How many points a resample has, if each of them is drawn so often.
std::size_t drawn_points(const int64_t* weights, std::size_t n) {
    int64_t points = 0;
    for (std::size_t i = 0; i < n; ++i) {
        require(weights[i] >= 0, "a weight is negative");
        require(weights[i] <= kMostDrawn - points, "a resample has over 100,000,000 points");
        points += weights[i];
    }
    return static_cast<std::size_t>(points);
}

void store(const concordant::PairCounts& counts, int64_t* row) {
    row[0] = counts.concordant;
    row[1] = counts.discordant;
    row[2] = counts.tied_x;
    row[3] = counts.tied_y;
    row[4] = counts.tied_both;
}

Counts make_counts(int64_t* data, std::size_t rows) {
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<int64_t*>(p); });
    return Counts(data, {rows, kColumns}, owner);
}

// One row of counts per group; group g holds the points starts[g] … starts[g + 1].
Counts pair_counts(Values x, Values y, Indices starts, std::size_t threads) {
    require(x.shape(0) == y.shape(0), "x and y differ in length");
    require(starts.shape(0) >= 1, "starts is empty");
    require_numbers(x);
    require_numbers(y);
    const std::size_t rows = starts.shape(0) - 1;
    for (std::size_t g = 0; g <= rows; ++g) {
        const int64_t before = g == 0 ? 0 : starts(g - 1);
        require(starts(g) >= before && starts(g) <= static_cast<int64_t>(x.shape(0)),
                "starts must rise from 0 to the number of points");
    }
    auto* data = new int64_t[rows * kColumns];
    Counts result = make_counts(data, rows);
    {
        nb::gil_scoped_release release;
        concordant::for_each_row<concordant::PairCounter>(rows, threads, [&](std::size_t g, auto& counter) {
            const auto begin = static_cast<std::size_t>(starts(g));
            const auto size = static_cast<std::size_t>(starts(g + 1)) - begin;
            store(counter.count(x.data() + begin, y.data() + begin, size), data + g * kColumns);
        });
    }
    return result;
}

// One row of counts per resample; row r of `weights` says how often each point was drawn.
Counts weighted_pair_counts(Values x, Values y, WeightRows weights, std::size_t threads) {
    const std::size_t rows = weights.shape(0), n = weights.shape(1);
    require(x.shape(0) == n && y.shape(0) == n, "x, y and the rows of weights differ in length");
    require_numbers(x);
    require_numbers(y);
    auto* data = new int64_t[rows * kColumns];
    Counts result = make_counts(data, rows);
    {
        nb::gil_scoped_release release;
        concordant::for_each_row<concordant::PairCounter>(rows, threads, [&](std::size_t r, auto& counter) {
            const std::size_t points = drawn_points(weights.data() + r * n, n);
            std::vector<double> drawn_x, drawn_y;
            drawn_x.reserve(points);
            drawn_y.reserve(points);
            for (std::size_t i = 0; i < n; ++i)
                for (int64_t copy = 0; copy < weights(r, i); ++copy) {
                    drawn_x.push_back(x(i));
                    drawn_y.push_back(y(i));
                }
            store(counter.count(drawn_x.data(), drawn_y.data(), drawn_x.size()),
                  data + r * kColumns);
        });
    }
    return result;
}

// Means, then variances, of k systems after so many games, (2, k).
Abilities true_skill(Table wins, Table ties, std::size_t games, double sigma, double noise,
                     double margin) {
    const std::size_t k = wins.shape(0);
    require(k > 0 && wins.shape(1) == k && ties.shape(0) == k && ties.shape(1) == k,
            "wins and ties must both be square and of one size, for one system or more");
    require_counts(wins);
    require_counts(ties);
    require(std::isfinite(sigma) && std::isfinite(noise) && std::isfinite(margin) && noise > 0,
            "sigma, noise and margin must be finite, and noise above 0");
    auto* data = new double[2 * k];
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    Abilities result(data, {2, k}, owner);
    {
        nb::gil_scoped_release release;
        concordant::run_interruptibly([&] {
            concordant::play({wins.data(), ties.data(), k}, {sigma, noise, margin}, games, data,
                             data + k);
        });
    }
    return result;
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "The statistics kernel: pair counts in O(n log n), batched and threaded; TrueSkill.";
    m.def("pair_counts", &pair_counts, nb::arg("x"), nb::arg("y"), nb::arg("starts"),
          nb::arg("threads") = 1,
          "Counts per group, columns: concordant, discordant, tied in x, in y, in both.");
    m.def("weighted_pair_counts", &weighted_pair_counts, nb::arg("x"), nb::arg("y"),
          nb::arg("weights"), nb::arg("threads") = 1,
          "Counts per row of weights (copies of each point), columns as in pair_counts.");
    m.def("true_skill", &true_skill, nb::arg("wins"), nb::arg("ties"), nb::arg("games"),
          nb::arg("sigma"), nb::arg("noise"), nb::arg("margin"),
          "Means and variances of systems' abilities after so many games.");
}
