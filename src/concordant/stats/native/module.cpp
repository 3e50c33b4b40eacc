// The statistics kernel as Python sees it: arrays in, arrays out, the GIL released, threads inside.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

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
    if (x.shape(0) != y.shape(0)) throw std::invalid_argument("x and y differ in length");
    if (starts.shape(0) < 1) throw std::invalid_argument("starts is empty");
    const std::size_t rows = starts.shape(0) - 1;
    for (std::size_t g = 0; g <= rows; ++g) {
        const int64_t before = g == 0 ? 0 : starts(g - 1);
        if (starts(g) < before || starts(g) > static_cast<int64_t>(x.shape(0)))
            throw std::invalid_argument("starts must rise from 0 to the number of points");
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
    if (x.shape(0) != n || y.shape(0) != n)
        throw std::invalid_argument("x, y and the rows of weights differ in length");
    auto* data = new int64_t[rows * kColumns];
    Counts result = make_counts(data, rows);
    {
        nb::gil_scoped_release release;
        concordant::for_each_row<concordant::PairCounter>(rows, threads, [&](std::size_t r, auto& counter) {
            std::vector<double> drawn_x, drawn_y;
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
    if (wins.shape(1) != k || ties.shape(0) != k || ties.shape(1) != k)
        throw std::invalid_argument("wins and ties must both be square and of one size");
    auto* data = new double[2 * k];
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    Abilities result(data, {2, k}, owner);
    {
        nb::gil_scoped_release release;
        concordant::play({wins.data(), ties.data(), k}, {sigma, noise, margin}, games,
                         data, data + k);
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
